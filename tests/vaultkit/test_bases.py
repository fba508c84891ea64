"""The views show what the domain computes, and are checked by a reading of their own."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.decay import Exponential
from mnemex_vault.domain.memory import Usage
from mnemex_vault.domain.scoring import score
from mnemex_vault.settings import Layout, Settings
from mnemex_vault.vaultkit.bases import is_unchanged, score_formulas, views
from tests.vaultkit.bases_evaluator import BadFormula, Base, Row, parse

NOW = datetime(2026, 12, 1, 12, 0)
NAMES = ["Fading first", "Long-term", "Memories", "Written by AI lately"]


def bases_of(settings: Settings, root: str = "Memories") -> dict[str, Base]:
    texts = views(settings.layout(root), settings.policy())
    return {path.rpartition("/")[2].removesuffix(".base"): Base(text) for path, text in texts.items()}


def score_formulas_of(settings: Settings) -> dict[str, tuple[object, ...]]:
    policy = settings.policy()
    assert isinstance(policy.curve, Exponential)
    return {name: parse(text) for name, text in score_formulas(policy, policy.curve).items()}


def memory(days_ago: float = 1, **properties: object) -> dict[str, object]:
    moment = (NOW - timedelta(days=days_ago)).isoformat(timespec="seconds")
    return {
        "memory_id": "a123456789",
        "created": moment,
        "last_used": moment,
        "use_count": 1,
        "strength": 1,
        **properties,
    }


Notes = dict[str, dict[str, object]]
NOTES: Notes = {
    "Memories/Short-term/Tomorrow.md": memory(40, fades_on="2026-12-02", pinned=False, origin="ai"),
    "Memories/Short-term/Today.md": memory(45, fades_on="2026-12-01", pinned=False),
    "Memories/Short-term/Over.md": memory(60, fades_on="2026-11-20", pinned=False, origin="web"),
    "Memories/Short-term/Far.md": memory(2, fades_on="2027-01-15", pinned=False, origin="ai", half_life_days=9),
    "Memories/Short-term/Pinned.md": memory(3, pinned=True, origin="ai"),
    "Memories/Short-term/By hand.md": {"tags": ["x"], "fades_on": "2026-12-02"},
    "Memories/Long-term/Kept.md": memory(9, promoted="2026-11-25T10:00:00", use_count=7, origin="ai"),
    "Work/Adopted.md": memory(1),
    "Memories/Archive/2026/Gone.md": memory(5, origin="ai"),
    "Memories/Settings.md": {"mnemex": "settings"},
}


def shown(base: Base, view: str, notes: Notes = NOTES, *, this: str = "Memories/A.base") -> list[str]:
    return [row.path.rpartition("/")[2].removesuffix(".md") for row in base.rows(view, notes, NOW, this=this)]


@pytest.mark.parametrize("model", ["power_law", "exponential", "two_component"])
def test_the_four_views_are_valid_bases(model: str) -> None:
    bases = bases_of(Settings(decay_model=model))  # type: ignore[arg-type]
    assert sorted(bases) == NAMES
    for base in bases.values():
        for view in base.views:
            base.rows(view, NOTES, NOW)


def test_a_score_is_shown_only_where_bases_can_compute_it() -> None:
    for model, expected in (("power_law", False), ("two_component", False), ("exponential", True)):
        bases = bases_of(Settings(decay_model=model))  # type: ignore[arg-type]
        columns = {column for base in bases.values() for view in base.views.values() for column in view["order"]}
        assert ("formula.score" in columns) is expected
        assert any("score" in base.formulas for base in bases.values()) is expected


def test_fading_first_lists_short_term_memories_by_the_day_they_fade() -> None:
    base = bases_of(Settings())["Fading first"]
    assert shown(base, "Fading first") == ["Over", "Today", "Tomorrow", "Far"]
    assert shown(base, "This week") == ["Over", "Today", "Tomorrow"]
    days = [row.evaluate(parse("formula.days_left")) for row in base.rows("Fading first", NOTES, NOW)]
    assert days == [0, 0, 1, 45]


def test_long_term_lists_every_memory_outside_the_other_folders() -> None:
    base = bases_of(Settings())["Long-term"]
    assert shown(base, "Long-term") == ["Adopted", "Kept"]
    assert shown(base, "Lately promoted") == ["Kept"]


def test_written_lately_lists_what_was_not_written_by_the_person_in_thirty_days() -> None:
    assert shown(bases_of(Settings())["Written by AI lately"], "Written by AI lately") == ["Far", "Pinned", "Kept"]


def test_memories_are_all_but_the_archived_and_grouped_by_the_time_left() -> None:
    base = bases_of(Settings())["Memories"]
    assert shown(base, "All") == ["Adopted", "Far", "Pinned", "Kept", "Tomorrow", "Today", "Over"]
    assert shown(base, "Pinned") == ["Pinned"]
    rows = base.rows("By time left", NOTES, NOW)
    groups = {row.path.rpartition("/")[2]: row.evaluate(parse("formula.fades")) for row in rows}
    assert groups == {
        "Over.md": "1 This week",
        "Today.md": "1 This week",
        "Tomorrow.md": "1 This week",
        "Far.md": "3 Later",
        "Pinned.md": "5 Pinned",
    }
    assert base.views["By time left"]["groupBy"]["direction"] == "ASC"


def test_each_view_says_below_its_columns_how_many_there_are_and_where_they_stand() -> None:
    bases = bases_of(Settings(decay_model="exponential"))
    every = [view for base in bases.values() for view in base.views.values()]
    assert all(view["summaries"]["file.name"] == "Filled" for view in every)
    assert bases["Fading first"].views["Fading first"]["summaries"] == {
        "file.name": "Filled",
        "formula.days_left": "Min",
        "formula.score": "Average",
    }


@pytest.mark.parametrize("this", ["Memories/Memories.base", "Home.md", "Work/Plans/Week.md", ""])
def test_a_view_shows_the_same_opened_embedded_or_in_a_side_bar(this: str) -> None:
    bases = bases_of(Settings())
    for name, view in (("Fading first", "Fading first"), ("Long-term", "Long-term"), ("Memories", "All")):
        assert shown(bases[name], view, this=this) == shown(bases[name], view)


def test_a_view_that_is_moved_with_its_folder_follows_it() -> None:
    bases = bases_of(Settings())
    moved = {f"Brain/{path}": properties for path, properties in NOTES.items()}
    for name in NAMES:
        for view in bases[name].views:
            assert shown(bases[name], view, moved, this=f"Brain/Memories/{name}.base") == shown(bases[name], view)


def test_the_folders_are_those_of_the_vault() -> None:
    settings = Settings(long_term_folder="Wissen", short_term_folder="Neu's (1) & mehr")
    texts = views(settings.layout("Gehirn"), settings.policy())
    assert sorted(texts) == [f"Gehirn/{name}.base" for name in NAMES]
    filters = Base(texts["Gehirn/Fading first.base"]).content["filters"]["and"]
    assert {"or": ['file.inFolder("Neu\'s (1) & mehr")']} in filters
    assert "Memories.base" in views(Layout.below(""), settings.policy())


def test_a_root_with_quotes_in_its_name_is_matched() -> None:
    base = bases_of(Settings(), root='My "brain"')["Fading first"]
    notes = {'My "brain"/Short-term/A.md': memory(40, fades_on="2026-12-02", pinned=False)}
    assert len(base.rows("Fading first", notes, NOW)) == 1


@given(
    uses=st.integers(1, 8000),
    strength=st.floats(0, 2),
    days=st.floats(-2, 400),
    half_life=st.none() | st.floats(0.1, 365),
    pinned=st.booleans(),
    beta=st.floats(0, 2),
    vault_half_life=st.floats(0.1, 100),
)
def test_the_score_of_a_view_is_the_domains(
    uses: int,
    strength: float,
    days: float,
    half_life: float | None,
    pinned: bool,
    beta: float,
    vault_half_life: float,
) -> None:
    settings = Settings(decay_model="exponential", decay_beta=beta, pl_halflife_days=vault_half_life)
    last_used = NOW - timedelta(days=round(days * 86400) / 86400)
    usage = Usage(
        created=last_used.astimezone(UTC),
        last_used=last_used.astimezone(UTC),
        use_count=uses,
        strength=strength,
        half_life_days=half_life,
        pinned=pinned,
    )
    expected = score(usage, settings.policy(), now=NOW.astimezone(UTC))
    properties = {"last_used": last_used.isoformat(), "use_count": uses, "strength": strength, "pinned": pinned}
    if half_life is not None:
        properties["half_life_days"] = half_life
    formulas = score_formulas_of(settings)
    shown_score = Row("a.md", properties, NOW, formulas).evaluate(parse("formula.score"))
    assert abs(shown_score - expected) < max(0.002, 2e-6 * expected)


def test_a_rate_instead_of_a_half_life_reaches_the_view() -> None:
    formulas = score_formulas_of(Settings(decay_model="exponential", decay_lambda=8.022537e-6))
    row = Row("a.md", memory(1), NOW, formulas)
    assert row.evaluate(parse("formula.score")) == 0.5


def test_a_memory_without_counters_counts_as_used_once_with_normal_strength() -> None:
    formulas = score_formulas_of(Settings(decay_model="exponential"))
    properties = {"last_used": (NOW - timedelta(days=3)).isoformat()}
    assert Row("a.md", properties, NOW, formulas).evaluate(parse("formula.score")) == 0.5


def test_a_view_is_ours_until_a_person_changes_it() -> None:
    for text in views(Layout(), Settings().policy()).values():
        assert is_unchanged(text)
        assert is_unchanged(text.replace("\n", "\r\n"))
        assert not is_unchanged(text.replace("limit: 50", "limit: 5").replace("Uses", "Used"))
        assert not is_unchanged(text + "# mine\n")
        rewritten_by_the_app = yaml.safe_dump(yaml.safe_load(text), sort_keys=False)
        assert not is_unchanged(rewritten_by_the_app)


@pytest.mark.parametrize("text", ["1 +", "a b", "f(1", "2 ^ 3", "(1", "5.round()", "'a", ""])
def test_the_checker_refuses_what_is_outside_the_language(text: str) -> None:
    with pytest.raises((BadFormula, IndexError)):
        parse(text)


@pytest.mark.parametrize(
    "formulas", [{"a": "formula.b", "b": "formula.a"}, {"a": "formula.missing"}, {"a": "formula.a + 1"}]
)
def test_the_checker_refuses_circles_and_undefined_formulas(formulas: dict[str, str]) -> None:
    with pytest.raises(BadFormula):
        Base(yaml.safe_dump({"formulas": formulas, "views": []}))


def test_the_checkers_arithmetic_binds_as_usual() -> None:
    row = Row("a.md", {"n": 2}, NOW)
    assert row.evaluate(parse("1 + n * 3 - 4 / -2 % 3")) == 9
    assert row.evaluate(parse("!(n == 2) || n - 1 - 1 < 1 && n != 3")) is True
