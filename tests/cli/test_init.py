"""`init`: what it shows, what it asks, what it writes, and that it never overwrites."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from mnemex_vault.app import make_app
from mnemex_vault.text import frontmatter
from tests.cli.conftest import Run, contents

SETTINGS = "Memories/Settings.md"


def properties(vault: Path) -> dict[str, object]:
    return dict(frontmatter.read((vault / SETTINGS).read_text("utf-8")))


def test_it_shows_what_it_would_create_and_creates_it_with_a_yes(run: Run, vault: Path) -> None:
    shown = run("init", "--dry-run")
    assert shown.out.endswith("Nothing was written.\n")
    assert contents(vault) == {}
    planned = {line.split(maxsplit=1)[1] for line in shown.out.splitlines() if line.startswith("  create ")}
    assert run("init", "--yes").code == 0
    assert contents(vault).keys() == planned
    assert all((vault / "Memories" / name).is_dir() for name in ("Short-term", "Long-term", "Archive"))


def test_without_an_answer_nothing_is_written(run: Run, vault: Path) -> None:
    assert run("init").code == 2
    refused = run("init", terminal=True, typed="\n\n\n\nno\n")
    assert refused.code == 0
    assert refused.out.endswith("Nothing was written.\n")
    assert contents(vault) == {}


KEY = "sk-ant-api03-" + "x9Kd82hFh3kd" * 8 + "AA"


def test_it_asks_before_the_first_note_is_read(bare_run: Run, vault: Path, environ: dict[str, str]) -> None:
    (vault / "Tea.md").write_text("Green tea at eighty degrees.", "utf-8")
    # the terminal is closed at the second question
    outcome = bare_run("init", str(vault), terminal=True, typed="y\n")
    assert outcome.code == 1
    assert "1 note" not in outcome.out
    with closing(make_app(vault, environ=environ)) as app:
        assert len(app.store.catalog) == 0


@pytest.mark.parametrize(
    ("options", "granted"),
    [
        ([], "may make permanent what is used again and again, and write a review note once a week."),
        (["--upkeep", "none"], "By itself it does nothing."),
        (["--upkeep", "archive"], "By itself it may put away what has faded, into the archive."),
    ],
)
def test_with_a_yes_it_names_what_it_grants_and_notes_that_may_hold_keys(
    options: list[str], granted: str, run: Run, vault: Path
) -> None:
    (vault / "Servers.md").write_text(f"The key is {KEY}\n", "utf-8")
    told = run("init", "--yes", "--read", "all", *options).out
    assert granted in told
    assert "may read memories and every note, but never a note tagged #private" in told
    assert "1 note may hold keys or passwords" in told
    assert told.index("Servers.md") < told.index("Done:")
    assert KEY not in told


def test_notes_that_an_assistant_may_not_read_are_not_named(run: Run, vault: Path) -> None:
    (vault / "Servers.md").write_text(f"The key is {KEY}\n", "utf-8")
    told = run("init", "--yes", "--read", "none", "--json").data
    assert told["may_hold_secrets"] == []
    assert told["granted"] == {"upkeep": ["promote", "review"], "read_paths": []}


def test_the_answers_go_into_the_settings_note(run: Run, vault: Path) -> None:
    (vault / "Work").mkdir()
    outcome = run("init", terminal=True, typed="\nn\ny\nNowhere\nWork\ny\n", TZ="Europe/Berlin", MNEMEX_TIMEZONE="")
    assert outcome.code == 0
    assert "there is no folder 'Nowhere' in the vault" in outcome.out
    assert "may read memories and Work, but never" in outcome.out
    assert properties(vault) == {
        "mnemex": "settings",
        "timezone": "Europe/Berlin",
        "preset": "balanced",
        "upkeep": ["promote", "archive"],
        "read_paths": ["Work"],
    }


@pytest.mark.parametrize(
    ("options", "upkeep", "read_paths"),
    [
        ([], ["promote", "review"], ["/"]),
        (["--upkeep", "none", "--read", "none"], [], []),
        (["--upkeep", "archive", "--read", "Work, Home/Garden"], ["archive"], ["Work", "Home/Garden"]),
    ],
)
def test_options_answer_the_questions(
    options: list[str], upkeep: list[str], read_paths: list[str], run: Run, vault: Path
) -> None:
    (vault / "Work").mkdir()
    (vault / "Home/Garden").mkdir(parents=True)
    assert run("init", "--yes", *options).code == 0
    assert properties(vault)["upkeep"] == upkeep
    assert properties(vault)["read_paths"] == read_paths


def test_the_zone_of_the_machine_goes_into_the_note(bare_run: Run, vault: Path) -> None:
    assert bare_run("init", str(vault), "--yes", TZ="Asia/Tokyo").code == 0
    assert properties(vault)["timezone"] == "Asia/Tokyo"


def test_an_old_vault_keeps_every_byte(bare_run: Run, sample: Path) -> None:
    before = contents(sample)
    outcome = bare_run("init", str(sample), "--yes")
    assert outcome.code == 0
    after = contents(sample)
    assert {path: after[path] for path in before} == before
    assert after.keys() - before.keys() == {
        f"Memories/{name}.base" for name in ("Memories", "Fading first", "Long-term", "Written by AI lately")
    }


def test_a_second_time_there_is_nothing_to_do(run: Run, vault: Path) -> None:
    run("init", "--yes")
    before = contents(vault)
    again = run("init")
    assert again.code == 0
    assert "Everything is there already." in again.out
    assert contents(vault) == before
    refused = run("init", "--yes", "--upkeep", "none")
    assert refused.code == 1
    assert SETTINGS in refused.err


def test_a_changed_view_is_kept_and_an_old_one_refreshed_only_when_asked(run: Run, vault: Path) -> None:
    run("init", "--yes")
    view = vault / "Memories/Memories.base"
    view.write_text(view.read_text("utf-8") + "# mine\n", "utf-8")
    before = contents(vault)
    assert "(is yours)" in run("init", "--yes", "--refresh-views").out
    assert contents(vault) == before


def test_the_vault_is_remembered(bare_run: Run, vault: Path) -> None:
    assert bare_run("search", "x").code == 1
    assert bare_run("init", str(vault), "--yes").code == 0
    assert bare_run("save", "Anna plays the cello.").code == 0
    assert "Anna" in bare_run("search", "cello").out


def test_the_working_folder_is_taken_if_it_is_a_vault(
    bare_run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(vault)
    assert bare_run("init", "--yes").code == 1
    (vault / ".obsidian").mkdir()
    assert bare_run("init", "--yes").code == 0
    assert (vault / SETTINGS).is_file()


def test_it_ends_with_what_to_do_next(run: Run, vault: Path) -> None:
    told = run("init", "--yes").out
    assert "mnemex save" in told
    assert '"mcpServers"' in told
    assert str(vault) in told


def test_a_renamed_memory_root_is_found(run: Run, vault: Path) -> None:
    run("init", "--yes")
    (vault / "Memories").rename(vault / "Brain")
    assert "Everything is there already." in run("init").out
    assert not (vault / "Memories").exists()


def test_clashing_property_types_are_told_before(run: Run, vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian/types.json").write_text('{"types": {"Created": "date", "related": "text", "tags": "tags"}}')
    told = run("init", "--dry-run", "--json").data
    assert told["clashes"] == [
        "related is a text in this vault and a list in memories",
        "created is a date in this vault and a date & time in memories",
    ]
    assert "Note: created is a date" in run("init", "--dry-run").out


@pytest.mark.parametrize("types", ["", "[]", '{"types": []}', '{"types": {"created": 1}}', "\x00", "[" * 100_000])
def test_property_types_that_cannot_be_read_say_nothing(types: str, run: Run, vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian/types.json").write_text(types)
    assert run("init", "--dry-run", "--json").data["clashes"] == []


def test_the_vault_is_given_once(run: Run, vault: Path) -> None:
    assert run("init", str(vault), "--vault", str(vault), "--yes").code == 2


def test_no_file_that_is_made_bears_a_name_that_links_of_the_vault_mean_already(bare_run: Run, vault: Path) -> None:
    (vault / "Settings.md").write_text("My camera settings.\n", "utf-8")
    (vault / "Diary.md").write_text("See [[Settings]].\n", "utf-8")
    before = set(vault.rglob("*"))
    assert bare_run("init", str(vault), "--yes").code == 0
    made = {path.name.casefold() for path in set(vault.rglob("*")) - before if path.is_file()}
    assert made
    assert not made & {"settings.md", "diary.md"}
    assert (vault / "Settings.md").read_text("utf-8") == "My camera settings.\n"
