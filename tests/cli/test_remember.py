"""One memory or a few: saved, found, read, changed, used, moved, and taken back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Saver, contents
from tests.conftest import StandingClock, as_json


def test_a_saved_memory_is_a_note_that_the_next_command_finds(run: Run, vault: Path) -> None:
    text, about = "Anna plays the cello on Mondays.", ("--tag", "music", "--entity", "Anna", "--project", "Quartet")
    outcome = run("save", text, *about, "--kind", "none")
    assert outcome.code == 0
    assert outcome.out.startswith("Remembered: Anna plays the cello on Mondays (")
    assert "fades in 4" in outcome.out
    (note,) = (vault / "Memories/Short-term").iterdir()
    text = note.read_text("utf-8")
    assert "  - music\n" in text
    assert "project: Quartet\n" in text
    assert "origin" not in text
    assert "Anna plays the cello" in run("search", "who plays cello?").out


def test_a_text_can_be_piped_in(run: Run, vault: Path) -> None:
    assert run("save", typed="Two\nlines\n").code == 0
    assert run("save", "-", "--title", "Three", typed="Three\nlines\nhere").code == 0
    found = run("search", "lines", "--json").data["results"]
    assert sorted(each["content"] for each in found) == ["Three\nlines\nhere", "Two\nlines"]


def test_saving_the_same_again_strengthens_it(run: Run, saved: Saver) -> None:
    saved()
    outcome = run("save", "anna plays the  cello on mondays.")
    assert outcome.out.startswith("Known already, strengthened:")
    assert run("save", "anna plays the cello on mondays.", "--on-duplicate", "refuse").code == 1


def test_a_memory_can_replace_another(run: Run, saved: Saver) -> None:
    old = saved("The office is on floor 3.")
    saved("The office is on floor 4.", "--supersedes", old)
    assert [each["content"] for each in run("search", "office", "--json").data["results"]] == [
        "The office is on floor 4."
    ]
    assert "1 replaced by newer ones (--superseded)" in run("search", "office").out
    assert len(run("search", "office", "--superseded", "--json").data["results"]) == 2


def test_a_search_explains_itself_and_names_what_was_held_back(run: Run, saved: Saver) -> None:
    old = saved("The office is on floor 3.", "--title", "Floor three")
    saved("We moved one floor up.", "--title", "Moved", "--supersedes", old)
    out = run("search", "where is the office", "--explain").out
    assert "words 1.000 = office " in out
    assert "found by the words of what it replaces: Floor three" in out
    assert "Floor three: replaced (--superseded) by Moved, words 1.000" in out
    data = run("search", "where is the office", "--explain", "--json").data
    assert [each["reason"] for each in data["held_back"]] == ["superseded"]
    (result,) = data["results"]
    assert result["explanation"]["terms"][0]["term"] == "office"
    assert "explanation" not in run("search", "office", "--json").data["results"][0]


def test_searching_changes_nothing(run: Run, saved: Saver, vault: Path) -> None:
    saved()
    before = contents(vault)
    run("search", "cello", "--all", "--verbose")
    run("search")
    run("status")
    run("history")
    assert contents(vault) == before


def test_ordinary_notes_are_found_when_asked_for(run: Run, vault: Path) -> None:
    (vault / "Cello.md").write_text("A cello has four strings.\n", "utf-8")
    assert run("search", "strings").out == "Nothing matches; 1 ordinary note would (--all).\n"
    (found,) = run("search", "strings", "--all", "--json").data["results"]
    assert found["id"] == "note:Cello.md"
    assert "four strings" in run("show", "Cello.md").out
    assert "four strings" in run("show", "note:Cello.md").out


def test_pages_follow_each_other(run: Run, saved: Saver) -> None:
    for number in range(5):
        saved(f"Cello lesson number {number} went well.", "--on-duplicate", "save")
    pages = [run("search", "cello", "--limit", "2", "--page", str(page), "--json").data for page in (1, 2, 3)]
    ids = [each["id"] for page in pages for each in page["results"]]
    assert len(set(ids)) == 5
    assert {page["pagination"]["total_count"] for page in pages} == {5}


@pytest.mark.parametrize("name", ["id", "title", "path", "absolute path"])
def test_a_memory_is_meant_by_id_title_or_path(name: str, run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved()
    path = "Memories/Short-term/Anna plays the cello on Mondays.md"
    names = {
        "id": memory_id,
        "title": "anna plays the cello on mondays",
        "path": path,
        "absolute path": str(vault / path),
    }
    (shown,) = run("show", names[name], "--json").data["memories"]
    assert shown["id"] == memory_id
    assert shown["content"] == "Anna plays the cello on Mondays."


def test_a_name_that_means_several_is_refused_with_their_ids(run: Run, saved: Saver, vault: Path) -> None:
    ids = [saved("First text.", "--title", "Cello"), saved("Second text.", "--title", "Bow")]
    (vault / "Memories/Short-term/Bow.md").rename(vault / "Memories/Long-term-Bow.md")
    text = (vault / "Memories/Long-term-Bow.md").read_text("utf-8")
    (vault / "Other").mkdir()
    (vault / "Other/Cello.md").write_text(text, "utf-8")
    (vault / "Memories/Long-term-Bow.md").unlink()
    outcome = run("touch", "Cello")
    assert outcome.code == 1
    assert all(memory_id in outcome.err for memory_id in ids)
    assert outcome.err.count("\n") == 1


def test_a_note_that_is_no_memory_must_be_adopted_first(run: Run, vault: Path) -> None:
    (vault / "Plan.md").write_text("---\nmood: good # today\n---\nBuy strings.\n", "utf-8")
    refused = run("pin", "Plan")
    assert refused.code == 1
    assert "mnemex adopt" in refused.err
    (adopted,) = run("adopt", "Plan.md", "--json").data
    text = (vault / "Plan.md").read_text("utf-8")
    assert text.startswith("---\nmood: good # today\n")
    assert f"memory_id: {adopted['memory_id']}\n" in text
    assert run("pin", "Plan").code == 0


def test_an_update_changes_what_is_given_and_keeps_the_rest(run: Run, saved: Saver) -> None:
    memory_id = saved("Anna plays the cello.", "--tag", "music")
    assert run("update", memory_id, "Anna plays the viola.", "--strength", "1.5").code == 0
    (shown,) = run("show", memory_id, "--json").data["memories"]
    assert (shown["content"], shown["strength"], shown["tags"]) == ("Anna plays the viola.", 1.5, ["music"])


def test_an_update_of_an_old_version_is_refused_with_the_difference(run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved()
    (shown,) = run("show", memory_id, "--json").data["memories"]
    note = vault / shown["path"]
    note.write_text(note.read_text("utf-8") + "And on Fridays.\n", "utf-8")
    before = contents(vault)
    outcome = run("update", memory_id, "Something else.", "--etag", shown["etag"])
    assert outcome.code == 1
    assert outcome.err == f"mnemex: {shown['path']} was edited in the meantime; nothing was written\n"
    assert "+And on Fridays." in outcome.out
    told = run("update", memory_id, "Something else.", "--etag", shown["etag"], "--json")
    assert told.data["kind"] == "NoteChanged"
    assert "+And on Fridays." in told.data["difference"]
    assert contents(vault) == before


def test_a_use_strengthens_and_says_what_that_means(run: Run, saved: Saver, clock: StandingClock) -> None:
    memory_id = saved()
    clock.advance(days=3)
    outcome = run("touch", memory_id)
    assert "score 0.50 -> 1.52, 2 uses, fades" in outcome.out
    (told,) = run("touch", memory_id, "--boost", "--json").data
    assert told["use_count"] == 3
    assert told["strength"] == pytest.approx(1.1)


def test_a_pin_holds_until_it_is_taken_off(run: Run, saved: Saver) -> None:
    memory_id = saved()
    assert "pinned, does not fade" in run("pin", memory_id).out
    assert "fades in" in run("pin", memory_id, "--off").out


def test_promotion_needs_a_reason_or_force(run: Run, saved: Saver, clock: StandingClock, vault: Path) -> None:
    memory_id = saved()
    refused = run("promote", memory_id)
    assert refused.code == 1
    assert "4 uses on 2 days (it has 1 on 1)" in refused.err
    assert "to Memories/Long-term" in run("promote", memory_id, "--force", "--dry-run").out
    assert (vault / "Memories/Short-term/Anna plays the cello on Mondays.md").exists()
    assert run("promote", memory_id, "--force", "--folder", "People").code == 0
    assert (vault / "People/Anna plays the cello on Mondays.md").exists()
    assert run("demote", memory_id).code == 0
    assert (vault / "Memories/Short-term/Anna plays the cello on Mondays.md").exists()


def test_what_deserves_promotion_is_shown_and_promoted_when_told(run: Run, saved: Saver, clock: StandingClock) -> None:
    memory_id = saved()
    assert run("promote").out == "No memory deserves promotion now.\n"
    for _ in range(3):
        clock.advance(days=1)
        run("touch", memory_id)
    shown = run("promote")
    assert "nothing was changed" in shown.out
    told = run("promote", "--apply", "--json").data
    assert told["promoted_ids"] == [memory_id]
    assert run("promote").out == "No memory deserves promotion now.\n"


def test_the_forgotten_lies_in_the_archive_and_comes_back(run: Run, saved: Saver, clock: StandingClock) -> None:
    memory_id = saved()
    (gone,) = run("forget", memory_id, "--reason", "over", "--json").data
    assert gone["path"] == f"Memories/Archive/{clock().year}/Anna plays the cello on Mondays.md"
    assert "1 archived (--archived)" in run("search", "cello").out
    assert "Anna plays" in run("search", "cello", "--archived").out
    (back,) = run("restore", memory_id, "--json").data
    assert back["path"] == "Memories/Short-term/Anna plays the cello on Mondays.md"


def test_the_trash_is_obsidians(run: Run, saved: Saver, vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian/app.json").write_text('{"trashOption": "local"}')
    memory_id = saved()
    assert run("forget", memory_id, "--trash").code == 0
    assert (vault / ".trash/Anna plays the cello on Mondays.md").exists()
    assert run("show", memory_id).code == 1


def test_of_several_names_an_unknown_one_stops_before_anything_is_done(run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved()
    before = contents(vault)
    for command in ("forget", "touch", "pin"):
        outcome = run(command, memory_id, "nobody")
        assert outcome.code == 1
        assert "'nobody'" in outcome.err
    assert contents(vault) == before


def test_every_change_can_be_taken_back_and_done_again(run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved()
    before = contents(vault)
    run("forget", memory_id)
    forgotten = contents(vault)
    undone = run("undo")
    assert undone.out.startswith("Undone: forget Anna plays the cello on Mondays\n")
    assert contents(vault) == before
    operation = run("history", "--json").data[0]["operation_id"]
    assert run("undo", operation).code == 0
    assert contents(vault) == forgotten


def test_undo_is_refused_when_a_person_has_edited_since(run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved()
    run("update", memory_id, "Anna plays the viola.")
    note = vault / "Memories/Short-term/Anna plays the viola.md"
    note.write_text(note.read_text("utf-8") + "Really.\n", "utf-8")
    outcome = run("undo")
    assert outcome.code == 1
    assert "nothing was written" in outcome.err
    assert "+Really." in outcome.out


def test_undo_after_a_use_says_that_the_use_stays_and_how_it_goes(run: Run, saved: Saver) -> None:
    memory_id = saved()
    run("pin", memory_id)
    run("touch", memory_id)
    told = run("undo").out
    assert told.startswith("Undone: update Anna plays the cello on Mondays\n")
    assert "The use of Anna plays the cello on Mondays is no change and stays. Take it back: mnemex undo op" in told
    assert run("show", memory_id, "--json").data["memories"][0]["use_count"] == 2
    (use,) = (each for each in run("history", "--uses", "--json").data if each["kind"] == "use")
    assert run("undo", use["operation_id"]).out.startswith("Undone: use ")
    assert run("show", memory_id, "--json").data["memories"][0]["use_count"] == 1
    assert run("undo", "--json").data["uses_kept"] == []


def test_without_a_change_there_is_nothing_to_undo(run: Run) -> None:
    assert run("history").out == "Nothing was done yet.\n"
    outcome = run("undo")
    assert (outcome.code, outcome.err) == (1, "mnemex: there is nothing to take back\n")
    assert run("undo", "op00000000").code == 1


def test_the_history_tells_where_notes_went(run: Run, saved: Saver, clock: StandingClock) -> None:
    memory_id = saved()
    clock.advance(hours=2)
    run("forget", memory_id)
    clock.advance(hours=3)
    told = run("history", "--limit", "1").out
    assert "forget" in told
    assert "3 hours ago" in told
    assert "-> Memories/Archive/" in told


def test_a_memory_is_erased_for_good_only_after_a_yes(run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved("The zanzibar safe is blue.")
    assert run("forget", memory_id, "--purge").code == 2
    assert run("forget", memory_id, "--purge", typed="n\n", terminal=True).code == 0
    assert any(b"zanzibar" in path.read_bytes() for path in vault.rglob("*.md"))
    outcome = run("forget", memory_id, "--purge", "--yes")
    assert outcome.code == 0
    assert "Not reached" in outcome.out
    assert not any(b"zanzibar" in path.read_bytes() for path in vault.rglob("*.md"))
    assert run("forget", memory_id, "--purge", "--yes").code == 1


def test_undo_after_erasing_for_good_takes_nothing_back(run: Run, saved: Saver, vault: Path) -> None:
    saved("The pump needs oil.")
    run("forget", saved("The zanzibar safe is blue."), "--purge", "--yes")
    outcome = run("undo")
    assert outcome.code == 1
    assert "purge" in outcome.err
    assert any(b"pump" in path.read_bytes() for path in vault.rglob("*.md"))
    assert "purge" in run("history").out


def test_what_can_be_shown_is_shown_as_one_json_document(run: Run, saved: Saver) -> None:
    memory_id = saved()
    outcome = run("show", memory_id, "nobody", "--json")
    assert outcome.code == 1
    assert [each["id"] for each in outcome.data["memories"]] == [memory_id]
    assert "'nobody'" in outcome.err


def test_what_was_erased_before_a_failure_is_told(run: Run, saved: Saver) -> None:
    memory_id = saved()
    outcome = run("forget", memory_id, "nobody", "--purge", "--yes")
    assert outcome.code == 1
    assert f"Erased: {memory_id}" in outcome.out
    assert "'nobody'" in outcome.err


def test_links_that_could_not_follow_a_new_title_are_named(run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved("Tea is served at four.", "--title", "Tea")
    (vault / "Board.md").write_text("---\nkanban-plugin: board\n---\n- [ ] [[Tea]]\n", "utf-8")
    outcome = run("update", memory_id, "--title", "Tea time", "--json")
    assert outcome.data["links_left"] == ["Board.md"]
    assert run("undo").code == 0
    assert "leads nowhere now: Board.md" in run("update", memory_id, "--title", "Coffee").out


def test_of_names_that_differ_in_case_the_very_spelling_is_meant(run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved("Docker runs as a service.", "--title", "Docker")
    (vault / "docker.md").write_text("A note of the person.\n", "utf-8")
    assert run("show", "Docker", "--json").data["memories"][0]["id"] == memory_id
    assert "A note of the person." in run("note", "read", "docker").out
    assert run("note", "read", "DOCKER").code != 0


@pytest.mark.parametrize("command", ["promote", "forget", "demote", "restore"])
def test_of_several_memories_one_that_cannot_be_holds_no_other_up(run: Run, saved: Saver, command: str) -> None:
    first, second, third = (saved(text) for text in ("The gate is green.", "The pump needs oil.", "Anna sings."))
    if command == "demote":
        run("promote", first, third, "--force")
    elif command == "restore":
        run("forget", first, third)
    else:
        run(command, second, *(["--force"] if command == "promote" else []))
    outcome = run(command, first, second, third, *(["--force"] if command == "promote" else []), "--json")
    assert outcome.code in (1, 2)
    done = outcome.data["promoted_ids"] if command == "promote" else [each["memory_id"] for each in outcome.data]
    assert done == [first, third]
    assert second in outcome.err


def test_of_several_notes_one_that_cannot_be_adopted_is_named(run: Run, vault: Path) -> None:
    for name in ("One", "Two"):
        (vault / f"{name}.md").write_text(f"Note {name}.\n", "utf-8")
    (vault / "Broken.md").write_text("---\na: 1\na: 2\n---\n", "utf-8")
    outcome = run("adopt", "One.md", "Broken.md", "Gone.md", "Two.md", "--json")
    assert outcome.code == 1
    assert [each["path"] for each in outcome.data] == ["One.md", "Two.md"]
    assert "Broken.md" in outcome.err
    assert "Gone.md" in outcome.err
    assert (vault / "Broken.md").read_text("utf-8") == "---\na: 1\na: 2\n---\n"


def test_a_note_is_shown_by_its_title_property_or_the_number_that_is_its_name(run: Run, vault: Path) -> None:
    (vault / "2024.md").write_text("---\ntitle: Annual report\nauthor: Zoë\n---\nThe heron nests.\n", "utf-8")
    (vault / "20230611.md").write_text("---\ntitle: 1984\n---\nA book.\n", "utf-8")
    (vault / "Plan.md").write_text("---\ntitle: [Über alles, more]\n---\nA plan.\n", "utf-8")
    (vault / "Report.md").write_text("---\ntitle: Plan\n---\nAnother.\n", "utf-8")
    for name in ("2024", "2024.md", "Annual report", "annual REPORT"):
        assert "The heron nests." in run("show", name).out
    for name in ("20230611", "1984"):
        assert "A book." in run("show", name).out
    for name in ("Plan", "über ALLES"):
        assert "A plan." in run("show", name).out
    (vault / "Other.md").write_text("---\ntitle: Annual report\n---\nx\n", "utf-8")
    twice = run("show", "Annual report")
    assert twice.code == 1
    assert "2024.md" in twice.err
    assert "Other.md" in twice.err


def test_a_memory_that_is_elsewhere_is_told_of_by_title_id_and_path(run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved("The heron nests by the weir.", "--title", "Heron")
    (note,) = (vault / "Memories/Short-term").iterdir()
    note.rename(note.with_name(".Heron.md.icloud"))
    for name in (memory_id, "Heron", "Memories/Short-term/Heron.md"):
        shown = run("show", name)
        assert shown.code == 1
        assert "not on this device yet" in shown.err
    assert "1 note not on this device yet" in run("status").out
    examined = run("doctor").out
    assert "Not on this device" in examined
    assert "Download Now" in examined


def test_what_deserves_promotion_and_cannot_be_is_named_beside_the_others(
    run: Run, saved: Saver, vault: Path, clock: StandingClock
) -> None:
    ids = [saved(f"Hen {number} laid an egg on {number} occasions.") for number in (1, 2, 3)]
    for _ in range(3):
        clock.advance(days=1)
        run("touch", *ids)
    (bad,) = vault.rglob("Hen 2*.md")
    as_json(bad)
    told = run("promote", "--apply")
    assert told.code == 1
    assert "JSON" in told.err
    assert bad.name in told.err
    assert len(list((vault / "Memories/Long-term").glob("*.md"))) == 2
    assert bad.exists()


def test_a_tick_that_cannot_be_done_is_named_beside_the_others(
    run: Run, saved: Saver, vault: Path, clock: StandingClock
) -> None:
    for number in (1, 2):
        saved(f"Hen {number} laid an egg on {number} occasions.", "--kind", "none")
    clock.advance(days=45)
    run("review", "--note")
    (bad,) = vault.rglob("Hen 2*.md")
    as_json(bad)
    note = vault / "Memories/Review.md"
    note.write_text(re.sub(r"- \[ \] (.*mnemex:promote:)", r"- [x] \1", note.read_text("utf-8")), "utf-8")
    told = run("review", "--note")
    assert "stays ticked" in told.out
    assert f"{bad.relative_to(vault)}: the frontmatter is JSON" in told.out
    assert "long-term already" not in told.out
    assert [path.stem for path in (vault / "Memories/Long-term").iterdir()] == ["Hen 1 laid an egg on 1 occasions"]
    assert note.read_text("utf-8").count("[x]") == 1
