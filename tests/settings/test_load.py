"""Layers, inherited names, bad values and the settings note that only tightens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.decay import Exponential, PowerLaw, TwoComponent
from mnemex_vault.errors import ConfigError
from mnemex_vault.settings import PRESETS, TABLE, Origin, Settings, load

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "vectors" / "settings.json").read_text())


def test_each_layer_goes_before_the_one_below() -> None:
    layers: list[dict[str, dict[str, object]]] = [
        {"note": {"decay_beta": 0.1}},
        {"dotenv": {"MNEMEX_DECAY_BETA": "0.2"}},
        {"environ": {"MNEMEX_DECAY_BETA": "0.3"}},
        {"options": {"decay_beta": 0.4}},
    ]
    given_so_far: dict[str, dict[str, object]] = {}
    seen = []
    for layer in layers:
        given_so_far |= layer
        loaded = load(**given_so_far)  # type: ignore[arg-type]
        seen.append((loaded.settings.decay_beta, loaded.origins["decay_beta"]))
    assert seen == [(0.1, Origin.NOTE), (0.2, Origin.DOTENV), (0.3, Origin.ENVIRONMENT), (0.4, Origin.OPTION)]


def test_nothing_given_is_the_default_with_its_origin() -> None:
    loaded = load()
    assert loaded.settings == Settings()
    assert set(loaded.origins.values()) == {Origin.DEFAULT}
    assert not loaded.warnings
    assert not loaded.problems


@pytest.mark.parametrize("prefix", ["MNEMEX_", "CORTEXGRAPH_", "STM_"])
def test_the_names_of_all_generations_are_read(prefix: str) -> None:
    assert load(environ={f"{prefix}FORGET_THRESHOLD": "0.1"}).settings.forget_threshold == 0.1


@pytest.mark.parametrize(
    ("name", "text", "setting", "value"),
    [
        ("LTM_PROMOTED_FOLDER", "stm-promoted", "long_term_folder", "stm-promoted"),
        ("GIT_AUTO_COMMIT", "false", "git_auto_commit", False),
        ("GIT_COMMIT_INTERVAL", "120", "git_commit_interval", 120.0),
        ("SEARCH_STM_WEIGHT", "1.5", "search_stm_weight", 1.5),
        ("SEARCH_LTM_WEIGHT", "0.5", "search_ltm_weight", 0.5),
        ("LOG_LEVEL", "debug", "log_level", "DEBUG"),
    ],
)
def test_names_without_a_prefix_are_read(name: str, text: str, setting: str, value: object) -> None:
    assert getattr(load(environ={name: text}).settings, setting) == value


def test_our_name_goes_before_an_inherited_one() -> None:
    environ = {"STM_DECAY_BETA": "0.1", "CORTEXGRAPH_DECAY_BETA": "0.2", "MNEMEX_DECAY_BETA": "0.3"}
    assert load(environ=environ).settings.decay_beta == 0.3
    del environ["MNEMEX_DECAY_BETA"]
    assert load(environ=environ).settings.decay_beta == 0.2


def test_an_empty_value_counts_as_not_set() -> None:
    loaded = load(note={"decay_beta": None, "tools": ""}, environ={"MNEMEX_DECAY_BETA": " ", "STM_DECAY_BETA": "0.2"})
    assert loaded.settings.decay_beta == 0.2
    assert loaded.origins["tools"] is Origin.DEFAULT


def test_an_option_that_is_none_counts_as_not_given() -> None:
    assert load(options={"decay_beta": None}).origins["decay_beta"] is Origin.DEFAULT


def test_lists_come_with_commas_in_the_environment_and_as_lists_in_the_note() -> None:
    by_note = load(note={"upkeep": ["archive", "promote"], "read_paths": ["Work/", "/Home"]}).settings
    by_environment = load(environ={"MNEMEX_UPKEEP": "archive, promote", "MNEMEX_READ_PATHS": "Work/,/Home"}).settings
    assert by_note == by_environment
    assert by_note.upkeep == ("promote", "archive")
    assert by_note.read_paths == ("Work", "Home")


def test_none_is_the_word_for_an_empty_list_and_a_slash_for_the_whole_vault() -> None:
    settings = load(environ={"MNEMEX_UPKEEP": "none", "MNEMEX_READ_PATHS": "none"}).settings
    assert settings.upkeep == ()
    assert settings.read_paths == ()
    assert load(note={"read_paths": []}).settings.read_paths == ()
    assert load(environ={"MNEMEX_READ_PATHS": "Work, /"}).settings.read_paths == ("/",)


def test_an_unknown_name_of_ours_is_one_warning_that_names_the_nearest() -> None:
    loaded = load(
        environ={"MNEMEX_DECAY_BETTA": "1", "OTHER": "1", "MNEMEX_VAULT_PATH": "/v", "MNEMEX_STORAGE_PATH": "/s"}
    )
    assert loaded.warnings == ("MNEMEX_DECAY_BETTA is not a setting; did you mean MNEMEX_DECAY_BETA?",)


def test_all_bad_values_of_environment_and_options_are_reported_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        load(
            dotenv={"MNEMEX_PL_ALPHA": "0"},
            environ={"MNEMEX_DECAY_BETA": "much", "MNEMEX_TOOLS": "all", "MNEMEX_READ_ONLY": "perhaps"},
            options={"promote_use_count": 0, "no_such": 1},
        )
    assert [problem.split(":")[0].split(" ")[0] for problem in caught.value.problems] == [
        "MNEMEX_PL_ALPHA",
        "MNEMEX_DECAY_BETA",
        "MNEMEX_READ_ONLY",
        "MNEMEX_TOOLS",
        "promote_use_count",
        "no_such",
    ]


def test_a_bad_value_under_another_programs_name_is_a_warning_and_the_next_name_counts() -> None:
    loaded = load(environ={"CORTEXGRAPH_LOG_LEVEL": "loud", "STM_LOG_LEVEL": "error", "GIT_AUTO_COMMIT": "sometimes"})
    assert loaded.settings.log_level == "ERROR"
    assert loaded.settings.git_auto_commit is True
    assert len(loaded.warnings) == 2


def test_a_bad_value_in_the_note_is_a_problem_and_the_default_stays() -> None:
    loaded = load(note={"decay_beta": "banana", "pl_halflife_days": 7})
    assert loaded.settings.decay_beta == 0.6
    assert loaded.settings.pl_halflife_days == 7
    assert loaded.problems == ("decay_beta: 'banana' must be a number from 0 to 2",)


def test_the_last_good_value_of_the_note_stays_while_the_new_one_is_bad() -> None:
    before = load(note={"decay_beta": 0.8})
    after = load(note={"decay_beta": "banana"}, previous=before)
    assert after.settings.decay_beta == 0.8
    assert load(note={"decay_beta": []}, previous=after).settings.decay_beta == 0.8
    assert load(note={}, previous=after).settings.decay_beta == 0.6


def test_a_note_that_became_unreadable_keeps_what_it_last_said() -> None:
    before = load(note={"decay_beta": 0.8, "read_paths": ["Work"], "tags": ["x"], "upkeep": []})
    for _ in range(2):
        after = load(unreadable="line 3 is not YAML", previous=before)
        assert after.settings == before.settings
        assert after.problems == ("the settings note: line 3 is not YAML",)
        before = after
    assert load(note={}, previous=after).settings == Settings()


def test_a_note_that_was_never_readable_opens_nothing() -> None:
    for before in (None, load()):
        settings = load(unreadable="broken", environ={"MNEMEX_READ_PATHS": "/"}, previous=before).settings
        assert (settings.read_paths, settings.upkeep) == ((), ())


def test_a_misspelt_key_of_the_note_is_a_problem_and_a_foreign_one_is_not() -> None:
    loaded = load(note={"decay_betta": 1, "tags": ["a"], "mnemex": "settings", "created": "2026-01-01"})
    assert loaded.problems == ("decay_betta is not a setting; decay_beta is",)


@pytest.mark.parametrize(
    ("setting", "loose", "strict"),
    [("read_only", False, True), ("detect_secrets", False, True), ("gc_max_share", 0.9, 0.05)],
)
def test_the_note_may_tighten_a_safety_setting_and_never_loosen_it(setting: str, loose: object, strict: object) -> None:
    default = getattr(Settings(), setting)
    loosened = load(note={setting: loose})
    assert getattr(loosened.settings, setting) == default
    assert bool(loosened.problems) == (loose != default)
    assert getattr(load(note={setting: strict}).settings, setting) == strict
    other_layer = {f"MNEMEX_{setting.upper()}": str(loose)}
    assert getattr(load(environ=other_layer).settings, setting) == loose
    assert getattr(load(environ=other_layer, note={setting: strict}).settings, setting) == strict


def test_note_and_environment_together_allow_only_what_both_allow() -> None:
    loaded = load(note={"read_paths": ["Work/Plans", "Diary"]}, environ={"MNEMEX_READ_PATHS": "Work"})
    assert loaded.settings.read_paths == ("Work/Plans",)
    assert load(note={"read_paths": ["/"]}, environ={"MNEMEX_READ_PATHS": "Work"}).settings.read_paths == ("Work",)


def test_a_foreign_dotenv_cannot_loosen_safety() -> None:
    dotenv = {"MNEMEX_DETECT_SECRETS": "false", "MNEMEX_DECAY_BETA": "0.5"}
    assert load(dotenv=dotenv).settings.detect_secrets is False
    loaded = load(dotenv=dotenv, dotenv_loosens=False).settings
    assert loaded.detect_secrets is True
    assert loaded.decay_beta == 0.5


def test_a_preset_changes_defaults_and_nothing_that_is_given() -> None:
    loaded = load(note={"preset": "high_velocity", "decay_beta": 0.5})
    assert (loaded.settings.pl_halflife_days, loaded.settings.decay_beta) == (1.0, 0.5)
    assert loaded.origins["pl_halflife_days"] is Origin.PRESET
    assert load(note={"preset": "tidy"}, environ={"MNEMEX_PRESET": "research"}).settings.pl_halflife_days == 14


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_gives_a_policy(preset: str) -> None:
    settings = load(options={"preset": preset}).settings
    assert settings.preset == preset
    assert settings.policy().forget_level > 0


def test_a_review_zone_that_does_not_rise_is_refused_or_the_notes_part_of_it_dropped() -> None:
    loaded = load(note={"review_danger_zone_min": 0.5})
    assert loaded.settings.review_danger_zone_min == 0.15
    assert loaded.problems == ("review_danger_zone_min must be below review_danger_zone_max",)
    assert loaded.note == {}
    with pytest.raises(ConfigError, match="must be below"):
        load(environ={"MNEMEX_REVIEW_DANGER_ZONE_MAX": "0.1"})


@pytest.mark.parametrize("ends", [(0.1, 0.05), (0.5, 0.4)])
def test_both_ends_of_a_review_zone_in_the_note_are_dropped_together(ends: tuple[float, float]) -> None:
    low, high = ends
    loaded = load(note={"review_danger_zone_min": low, "review_danger_zone_max": high})
    assert (loaded.settings.review_danger_zone_min, loaded.settings.review_danger_zone_max) == (0.15, 0.35)
    assert (len(loaded.problems), loaded.note) == (1, {})


@pytest.mark.parametrize("case", VECTORS, ids=lambda case: json.dumps(case["note"])[:60])
def test_what_the_plugin_is_held_to_is_how_a_settings_note_is_read(case: dict[str, Any]) -> None:
    loaded = load(note=case["note"], root=case["root"])
    wanted = {"folders": list(Settings().layout().folders())} | case["settings"]
    assert list(loaded.settings.layout(case["root"]).folders()) == wanted.pop("folders")
    assert {name: getattr(loaded.settings, name) for name in wanted} == wanted
    assert len(loaded.problems) == case["problems"]


def test_memory_folders_that_lie_in_each_other_are_refused() -> None:
    loaded = load(note={"long_term_folder": "Memories/Short-term/Kept"})
    assert loaded.settings.long_term_folder is None
    assert "must lie apart" in loaded.problems[0]
    with pytest.raises(ConfigError, match="must lie apart"):
        load(environ={"MNEMEX_ARCHIVE_FOLDER": "memories/LONG-TERM"})


def test_folders_are_compared_below_the_root_of_the_vault() -> None:
    note: dict[str, object] = {"long_term_folder": "Brain/Archive/Kept"}
    assert not load(note=note).problems
    assert "must lie apart" in load(note=note, root="Brain").problems[0]
    assert "must lie apart" in load(note={"archive_folder": "Short-term/Old"}, root="").problems[0]


@pytest.mark.parametrize("folder", ["../out", ".obsidian", "a/.git/b", "a\\b", "a:b", "/", "x\ny", "é" * 128])
def test_a_folder_outside_the_vault_or_hidden_is_refused(folder: str) -> None:
    with pytest.raises(ConfigError):
        load(environ={"MNEMEX_SHORT_TERM_FOLDER": folder})


def test_the_model_decides_the_curve_and_a_rate_goes_before_the_half_life() -> None:
    assert load().settings.curve() == PowerLaw()
    assert load(note={"decay_model": "exponential", "pl_halflife_days": 5}).settings.curve() == Exponential(5)
    assert load(note={"decay_model": "two-component"}).settings.curve() == TwoComponent()
    by_rate = load(environ={"STM_DECAY_MODEL": "exponential", "STM_DECAY_LAMBDA": "2.673e-6"}).settings.curve()
    assert by_rate.half_life_days == pytest.approx(3.00132, abs=1e-5)
    assert load(environ={"STM_DECAY_LAMBDA": "2.673e-6"}).settings.curve() == PowerLaw()


def test_the_policy_carries_every_scoring_setting() -> None:
    note: dict[str, object] = {
        "decay_beta": 0.7, "forget_threshold": 0.06, "forget_after_days": 30, "promote_threshold": 0.66,
        "promote_use_count": 6, "promote_time_window": 15, "promote_min_uses": 2, "promote_min_days": 1,
        "review_danger_zone_min": 0.16, "review_danger_zone_max": 0.36,
    }  # fmt: skip
    policy = load(note=note).settings.policy()
    assert (policy.use_exponent, policy.forget_threshold, policy.forget_after_days) == (0.7, 0.06, 30)
    assert (policy.promote_threshold, policy.promote_use_count, policy.promote_window_days) == (0.66, 6, 15)
    assert (policy.promote_min_uses, policy.promote_min_days) == (2, 1)
    assert (policy.review_min, policy.review_max) == (0.16, 0.36)


_words = st.text("aeonN01.-/,\n\x00é ", max_size=12)
_raw = st.none() | st.booleans() | st.integers() | st.floats() | _words | st.lists(_words | st.integers() | st.none())


@given(st.dictionaries(st.sampled_from(sorted(TABLE)), _raw))
def test_whatever_stands_in_the_note_the_settings_are_usable(note: dict[str, object]) -> None:
    loaded = load(note=note)
    loaded.settings.policy()
    assert loaded.settings.layout().clash() is None
    assert load(note=loaded.note).settings == loaded.settings
