"""Upkeep: what has faded, how things stand, what is wrong, and the index made anew."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Saver, contents
from tests.conftest import StandingClock


@pytest.fixture
def faded(run: Run, saved: Saver, clock: StandingClock) -> list[str]:
    """Return the ids of three faded memories, saved beside one that fades soon and one that is fresh."""
    ids = [saved(f"The train of trip {number} left on time.") for number in range(3)]
    clock.advance(days=40)
    saved("The ferry leaves at noon.")
    clock.advance(days=20)
    saved("The bus leaves at noon.")
    # nobody looked at the clock for weeks
    assert run("doctor", "--accept-clock").code == 0
    return ids


def test_gc_only_shows_what_has_faded(run: Run, faded: list[str], vault: Path) -> None:
    before = contents(vault)
    outcome = run("gc", "--limit", "10")
    assert (
        "3 faded memories would go to the archive; nothing was changed.\nDo it: mnemex gc --limit 10 --apply"
        in outcome.out
    )
    assert "last used 60 days ago" in outcome.out
    assert "1 memory fades in the next 30 days unless it is used." in outcome.out
    assert contents(vault) == before


def test_gc_takes_a_tenth_and_says_what_it_kept(run: Run, faded: list[str]) -> None:
    told = run("gc", "--json").data
    assert len(told["candidates"]) == 1
    assert told["exempt"] == {"over the limit of one run": 2}
    assert "2 kept: over the limit of one run." in run("gc").out


def test_gc_lets_go_when_told_and_undo_brings_back(run: Run, faded: list[str], vault: Path) -> None:
    before = contents(vault)
    told = run("gc", "--apply", "--limit", "10", "--json").data
    assert sorted(told["memory_ids"]) == sorted(faded)
    assert len(list((vault / "Memories/Archive").rglob("*.md"))) == 3
    assert "Nothing has faded" in run("gc").out
    (operation_id,) = told["operation_ids"]
    assert run("undo", operation_id).code == 0
    assert contents(vault) == before


def test_undo_of_many_leaves_one_that_was_edited_since_and_names_it(run: Run, faded: list[str], vault: Path) -> None:
    (operation_id,) = run("gc", "--apply", "--limit", "10", "--json").data["operation_ids"]
    edited, *others = sorted((vault / "Memories/Archive").rglob("*.md"))
    edited.write_text(edited.read_text("utf-8") + "Really.\n", "utf-8")
    outcome = run("undo", operation_id)
    assert outcome.code == 1
    assert f"{edited.stem}.md stays as it is: " in outcome.err
    assert sorted((vault / "Memories/Archive").rglob("*.md")) == [edited]
    assert {path.name for path in (vault / "Memories/Short-term").glob("*.md")} >= {path.name for path in others}
    assert edited.read_text("utf-8").endswith("Really.\n")


def test_gc_stops_after_a_jump_of_the_clock_until_it_is_accepted(
    run: Run, faded: list[str], clock: StandingClock, vault: Path
) -> None:
    assert run("gc", "--apply", "--limit", "1").code == 0
    clock.advance(days=4_000)
    before = contents(vault)
    refused = run("gc", "--apply")
    assert refused.code == 1
    assert "the clock jumped ahead" in refused.err
    assert "mnemex doctor --accept-clock" in refused.err
    assert "Automatic change is stopped" in run("status").out
    assert contents(vault) == before
    assert run("doctor", "--accept-clock").code == 0
    assert run("gc", "--apply").code == 0


def test_status_tells_how_things_stand(run: Run, faded: list[str], vault: Path) -> None:
    (vault / "Diary.md").write_text("Rain.\n", "utf-8")
    told = run("status").out
    assert re.search(r"^  short-term +5  ━+$", told, re.MULTILINE)
    assert re.search(r"^  other notes +1  ━+$", told, re.MULTILINE)
    assert "By itself the server does: promote, review." in told
    data = run("status", "--json").data
    assert (data["short_term"], data["ordinary"], data["vault"]) == (5, 1, str(vault))


def test_status_shows_every_setting_with_its_origin(run: Run, vault: Path) -> None:
    (vault / "Memories").mkdir()
    (vault / "Memories/Settings.md").write_text(
        "---\nmnemex: settings\ndecay_beta: 0.5\npl_alpha: much\n---\n", "utf-8"
    )
    told = run("status", "--settings", "--json", MNEMEX_TOOLS="full").data
    assert told["settings"]["decay_beta"] == {"value": 0.5, "origin": "settings note"}
    assert told["settings"]["tools"] == {"value": "full", "origin": "environment"}
    assert told["settings"]["pl_alpha"] == {"value": 1.1, "origin": "default"}
    text = run("status", "--settings").out
    assert "pl_alpha: 'much' must be a number" in text
    assert "Setting: pl_alpha" in run("status").out


def test_an_unknown_variable_is_one_warning(run: Run) -> None:
    outcome = run("status", MNEMEX_DECAY_BETTA="0.5")
    assert outcome.err == "mnemex: MNEMEX_DECAY_BETTA is not a setting; did you mean MNEMEX_DECAY_BETA?\n"


def test_doctor_lists_what_a_person_should_look_at(run: Run, saved: Saver, vault: Path) -> None:
    saved()
    note = vault / "Memories/Short-term/Anna plays the cello on Mondays.md"
    (vault / "Copy.md").write_bytes(note.read_bytes())
    note.write_text(note.read_text("utf-8").replace("strength: 1\n", "strength: banana\n"), "utf-8")
    (vault / "Broken.md").write_text("---\na: 1\na: 2\n---\n", "utf-8")
    (vault / "Memories/Short-term/By hand.md").write_text("Remember this.\n", "utf-8")
    (vault / "Plan (conflicted copy 2026-01-02 120000).md").write_text("x\n", "utf-8")
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian/types.json").write_text(json.dumps({"types": {"created": "text", "mood": "text"}}))
    before = contents(vault)
    told = run("doctor", "--json").data["findings"]
    assert {each["kind"] for each in told} == {
        "odd value",
        "same id",
        "unreadable",
        "unmanaged",
        "conflict copy",
        "property type",
    }
    assert contents(vault) == before
    text = run("doctor").out
    assert "created is a text in this vault and a date & time in memories" in text
    assert "strength is no number that can be used here: 'banana'" in text


def test_doctor_sees_an_edit_that_left_no_trace(run: Run, saved: Saver, vault: Path) -> None:
    import os

    saved()
    run("status")
    note = vault / "Memories/Short-term/Anna plays the cello on Mondays.md"
    state = note.stat()
    with note.open("r+b") as file:
        data = file.read()
        file.seek(0)
        file.write(data.replace(b"cello", b"viola"))
    os.utime(note, ns=(state.st_atime_ns, state.st_mtime_ns))
    run("doctor")
    assert "viola" in run("search", "viola").out


def test_a_healthy_vault_has_nothing_to_look_at(run: Run, saved: Saver) -> None:
    saved()
    assert run("doctor").out == "1 note read; nothing to look at.\n"


def test_the_index_can_be_made_anew(run: Run, saved: Saver, environ: dict[str, str], vault: Path) -> None:
    saved()
    before = contents(vault)
    (index,) = Path(environ["MNEMEX_STATE_PATH"]).glob("*/index")
    for path in [path for path in index.rglob("*") if path.is_file()]:
        path.write_bytes(b"rubbish")
    assert run("reindex").out == "Read 1 note anew, 1 memory among them.\n"
    assert "Anna" in run("search", "cello").out
    assert contents(vault) == before
    assert run("undo").code == 0


def test_an_emptied_vault_is_believed_only_when_told_to(run: Run, saved: Saver, vault: Path) -> None:
    notes = [vault / f"Lesson {number}.md" for number in range(12)]
    for note in notes:
        note.write_text("It was about scales.\n", "utf-8")
    saved()
    for note in notes[:10]:
        note.unlink()
    shown = run("status")
    assert shown.code == 0
    assert "automatic change is stopped" in shown.err
    assert run("gc", "--apply").code == 1
    assert run("save", "What a person asks for is done.").code == 0
    assert run("reindex").code == 1
    assert run("reindex", "--accept-losses").out == "Read 4 notes anew, 2 memories among them.\n"
    assert run("status").err == ""


def test_forgetting_without_a_name_shows_what_has_faded_and_is_what_gc_says(
    run: Run, saved: Saver, clock: StandingClock
) -> None:
    saved()
    assert run("forget", "--apply").out.startswith("Nothing has faded; nothing was moved.\n")
    clock.advance(days=60)
    assert run("doctor", "--accept-clock").code == 0
    shown = run("forget")
    assert shown.out == run("gc").out.replace("mnemex gc", "mnemex forget")
    assert "Do it: mnemex forget --apply" in shown.out
    assert run("forget", "--json").data == run("gc", "--json").data
    for refused in (["--purge", "--yes"], ["Anna plays the cello on Mondays", "--apply"]):
        assert run("forget", *refused).code == 2
    assert run("forget", "--apply", "-n", "1").out.startswith("Anna plays the cello on Mondays")
    assert run("gc", "--apply").out.startswith("Nothing has faded; nothing was moved.\n")


def test_what_is_to_be_done_next_is_what_was_shown(run: Run, faded: list[str], vault: Path) -> None:
    assert len(faded) == 3
    hint = re.search(r"Do it: mnemex (.*)", run("forget", "--vault", str(vault), "-n", "2", "--trash").out)
    assert hint
    assert shlex.split(hint[1]) == ["forget", "--limit", "2", "--vault", str(vault), "--trash", "--apply"]
    done = run(*shlex.split(hint[1]), "--json").data
    assert len(done["memory_ids"]) == 2


def test_the_doctor_joins_copies_on_request_and_then_looks(run: Run, saved: Saver, vault: Path) -> None:
    saved()
    note = vault / "Memories/Short-term/Anna plays the cello on Mondays.md"
    copy = note.with_name("Anna plays the cello on Mondays (conflicted copy 2026-11-29).md")
    copy.write_bytes(note.read_bytes())
    assert "doctor --fix" in run("doctor").out
    assert copy.exists()
    told = run("doctor", "--fix", "--json").data
    assert [each["copy"] for each in told["healed"]] == [copy.relative_to(vault).as_posix()]
    assert told["findings"] == [each for each in told["findings"] if each["kind"] == "program"]
    assert not copy.exists()


def test_a_relation_is_taken_away_by_the_command_that_made_it(run: Run, saved: Saver) -> None:
    saved("Frost came in May.")
    saved("The harvest failed.")
    ends = ("Frost came in May", "The harvest failed", "--type", "causes")
    made = run("relate", *ends, "--json").data
    gone = run("relate", *ends, "--remove", "--json").data
    assert {**gone, "message": ""} == {**made, "message": ""}
    assert run("relate", *ends, "--remove").code == 1


@pytest.mark.parametrize("name", ["--limit", "--top-k", "--top_k", "--max-results", "-n"])
def test_how_many_is_asked_by_any_of_its_names(name: str, run: Run, saved: Saver) -> None:
    saved("Anna plays the cello.")
    saved("Ben plays the oboe.")
    assert run("search", "plays", name, "1", "--json").data["count"] == 1
    assert "--top" not in run("search", "--help").out
    assert run("list", name, "1", "--json").data["total"] == 2


def test_scores_that_are_shown_are_on_one_scale(run: Run, saved: Saver, clock: StandingClock) -> None:
    memory = saved()
    for _ in range(4):
        clock.advance(days=1)
        assert run("touch", memory).code == 0
    reason = run("promote", "--json").data["candidates"][0]
    assert reason["reason"] == f"score {reason['score']:.2f}, 0.65 is enough"


def test_the_doctor_names_what_another_system_cannot_hold(run: Run, vault: Path) -> None:
    for name in ("Docker.md", "docker.md", "What?.md", "C#.md"):
        (vault / name).write_text("---\nTags: [a]\ntags: [b]\n---\n" if name == "C#.md" else "Text.\n", "utf-8")
    found = {(each["kind"], each["path"]): each["detail"] for each in run("doctor", "--json").data["findings"]}
    assert found["name", "docker.md"] == "Windows, macOS and Android take it for Docker.md"
    assert found["name", "What?.md"] == "Windows and Android refuse ?"
    assert found["name", "C#.md"] == "no wikilink can name it, because of #"
    assert found["property", "C#.md"] == "tags stands beside Tags; Obsidian takes them for one"


def test_doctor_names_a_text_that_was_overwritten_and_undo_writes_it_again(run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved("The office is in Bergen.")
    (note,) = (vault / "Memories/Short-term").glob("*.md")
    old = note.read_bytes()
    run("update", memory_id, "The office is in Tromso.")
    (note,) = (vault / "Memories/Short-term").glob("*.md")
    note.write_bytes(old)
    (finding,) = (each for each in run("doctor", "--json").data["findings"] if each["kind"] == "overwritten")
    assert "overwritten by an older one" in finding["detail"]
    change = finding["detail"].split()[3].strip(",")
    assert run("undo", change, "--again").code == 0
    assert b"Tromso" in note.read_bytes()
    assert run("undo", change, "--again").code == 1
    assert run("undo", "--again").code == 2
