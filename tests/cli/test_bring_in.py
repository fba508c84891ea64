"""`migrate`, `import`, `export` and `note`: memories and notes in and out."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Saver, contents, picture

WEEK = 7 * 86_400


def memory(memory_id: str, **values: object) -> str:
    meta: dict[str, object] = {"tags": ["ops"], "source": None, "context": None, "extra": {}}
    return json.dumps({"id": memory_id, "content": f"The text of {memory_id}.", "meta": meta, **values})


def relation(source: str, target: str) -> str:
    ends = {"from_memory_id": source, "to_memory_id": target}
    return json.dumps({"id": f"{source}-{target}", "relation_type": "supports", "strength": 1.0, **ends})


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Return a store with three memories, two relations, and a damaged line."""
    folder = tmp_path / "home/.config/cortexgraph/jsonl"
    folder.mkdir(parents=True)
    lines = [memory("one"), "{half", memory("two", status="promoted"), memory("three", status="archived")]
    (folder / "memories.jsonl").write_text("\n".join(lines))
    (folder / "relations.jsonl").write_text("\n".join([relation("one", "two"), relation("one", "gone")]))
    return folder


@pytest.fixture
def home(tmp_path: Path, environ: dict[str, str]) -> Path:
    """Let the person's home be a folder of the test."""
    environ["HOME"] = str(tmp_path / "home")
    environ["XDG_CONFIG_HOME"] = str(tmp_path / "home/.config")
    return tmp_path / "home"


def test_migrate_brings_in_what_is_there_and_lists_what_is_damaged(run: Run, store: Path, vault: Path) -> None:
    before = picture(store)
    outcome = run("migrate", "--old-path", str(store))
    assert (outcome.code, outcome.err) == (0, "")
    assert "memories.jsonl:2: not JSON" in outcome.out
    assert "3 memories brought in (1 short-term, 1 long-term, 1 archived), 1 relation." in outcome.out
    assert "1 damaged line could not be read, listed above." in outcome.out
    assert "relation one supports gone: one of the two is not there" in outcome.out
    assert len(list(vault.rglob("*.md"))) == 3
    assert picture(store) == before


def test_migrate_run_twice_changes_nothing(run: Run, store: Path, vault: Path) -> None:
    run("migrate", "--old-path", str(store))
    before = picture(vault)
    outcome = run("migrate", "--old-path", str(store))
    assert outcome.code == 0
    assert "Nothing was new; nothing was written." in outcome.out
    assert picture(vault) == before


def test_migrate_in_a_dry_run_writes_nothing(run: Run, store: Path, vault: Path) -> None:
    told = run("migrate", "--old-path", str(store.parent), "--dry-run", "--json").data
    assert sorted(each["id"] for each in told["created"]) == ["one", "three", "two"]
    assert (told["dry_run"], told["operation_id"], len(told["damaged"])) == (True, None, 1)
    assert contents(vault) == {}


def test_undo_takes_a_migration_back(run: Run, store: Path, vault: Path) -> None:
    told = run("migrate", "--old-path", str(store), "--json").data
    assert run("undo", told["operation_id"]).code == 0
    assert [path for path in vault.rglob("*.md") if ".trash" not in path.parts] == []
    assert run("migrate", "--old-path", str(store), "--json").data["known"] == 0


def test_migrate_finds_the_usual_places_and_the_vault_they_wrote_to(
    bare_run: Run, home: Path, store: Path, tmp_path: Path
) -> None:
    theirs = tmp_path / "theirs"
    theirs.mkdir()
    (store.parent / ".env").write_text(f"LTM_VAULT_PATH={theirs}\nCORTEXGRAPH_PL_HALFLIFE_DAYS=7\n")
    outcome = bare_run("migrate", MNEMEX_TIMEZONE="UTC")
    assert outcome.code == 0, outcome.err
    assert "--migrate-env takes them" in outcome.out
    assert len(list(theirs.rglob("*.md"))) == 3


def test_migrate_without_any_store_says_what_to_do(run: Run, home: Path) -> None:
    outcome = run("migrate")
    assert outcome.code == 1
    assert outcome.err == "mnemex: no store of a predecessor is in its usual place; name it with --old-path\n"


def test_migrate_takes_the_settings_into_the_settings_note_in_the_same_change(
    run: Run, home: Path, store: Path, vault: Path
) -> None:
    env = "CORTEXGRAPH_PL_HALFLIFE_DAYS=7\nLTM_PROMOTED_FOLDER=Lasting\nCORTEXGRAPH_DETECT_SECRETS=no\n"
    (store.parent / ".env").write_text(env)
    told = run("migrate", "--migrate-env", "--json").data
    assert told["settings"] == {"pl_halflife_days": 7.0, "long_term_folder": "Lasting"}
    assert any("DETECT_SECRETS" in remark for remark in told["remarks"])
    assert [each["path"] for each in told["created"] if each["id"] == "two"] == ["Lasting/The text of two.md"]
    settings = run("status", "--settings", "--json").data["settings"]
    assert settings["pl_halflife_days"]["value"] == 7.0
    assert run("undo", told["operation_id"]).code == 0
    assert not (vault / "Memories/Settings.md").exists()
    assert (store.parent / ".env").read_text() == env


@pytest.mark.parametrize("options", [("--data-only", "--migrate-env"), ("--new-path", "a", "--vault", "b")])
def test_options_that_contradict_each_other_are_wrong_usage(run: Run, options: tuple[str, ...]) -> None:
    assert run("migrate", *options).code == 2


def test_import_takes_markdown_and_lets_it_fade_if_told(run: Run, tmp_path: Path, vault: Path) -> None:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "Tea.md").write_text("Green tea after lunch.\n")
    outcome = run("import", str(folder), "--short-term")
    assert outcome.code == 0, outcome.err
    assert (vault / "Memories/Short-term/Tea.md").exists()


def test_import_refuses_what_is_not_there(run: Run, tmp_path: Path) -> None:
    assert run("import", str(tmp_path / "gone")).code == 1
    assert run("import", str(tmp_path), "--format", "opml").code == 2


def test_export_and_import_give_the_same_memories(run: Run, bare_run: Run, saved: Saver, tmp_path: Path) -> None:
    memory_id = saved("Anna plays the cello on Mondays.")
    told = run("export", str(tmp_path / "out"), "--json").data
    assert told["files"] == ["Short-term/Anna plays the cello on Mondays.md"]
    (tmp_path / "second" / ".obsidian").mkdir(parents=True)
    outcome = bare_run("import", str(tmp_path / "out"), "--vault", str(tmp_path / "second"), "--json")
    assert [each["id"] for each in outcome.data["created"]] == [memory_id]


@pytest.mark.parametrize("options", [("--format", "csv"), ("--tier", "eternal")])
def test_export_knows_its_formats_and_tiers(run: Run, tmp_path: Path, options: tuple[str, str]) -> None:
    assert run("export", str(tmp_path / "out"), *options).code == 2
    assert not (tmp_path / "out").exists()


def test_a_note_is_made_listed_and_read(run: Run, vault: Path) -> None:
    made = run("note", "create", "Plan: A/B", "First line.\nSecond.", "--folder", "Work", "--tag", "Big Plan")
    assert made.code == 0, made.err
    assert (vault / "Work/Plan - A-B.md").read_text() == (
        '---\ntags:\n  - Big-Plan\naliases:\n  - "Plan: A/B"\n---\nFirst line.\nSecond.\n'
    )
    assert [each["path"] for each in run("note", "list", "--folder", "Work", "--json").data] == ["Work/Plan - A-B.md"]
    assert run("note", "list", "--folder", "Wo", "--json").data == []
    assert run("note", "read", "Plan: A/B").out == "First line.\nSecond.\n"


def test_a_note_takes_its_text_from_the_input_and_is_never_overwritten(run: Run, vault: Path) -> None:
    assert run("note", "create", "Tea", typed="Green.\n").code == 0
    assert run("note", "create", "tea", "Black.").code == 1
    assert (vault / "Tea.md").read_text() == "Green.\n"


@pytest.mark.parametrize(
    "arguments", [("shred", "x"), ("create",), ("create", "a", "b", "c"), ("list", "x"), ("read",), ("read", "a", "b")]
)
def test_note_is_told_what_it_takes(run: Run, arguments: tuple[str, ...]) -> None:
    assert run("note", *arguments).code == 2


@pytest.mark.parametrize("folder", ["..", ".obsidian", "/etc"])
def test_a_note_is_made_only_in_the_vault(run: Run, vault: Path, folder: str, tmp_path: Path) -> None:
    outcome = run("note", "create", "Tea", "Green.", "--folder", folder)
    assert outcome.code == 2 or (vault / "etc/Tea.md").exists()
    assert not (tmp_path / "Tea.md").exists()


@pytest.fixture
def talks(tmp_path: Path) -> Path:
    """Return an export of Claude in which a person said three things worth keeping."""
    told = ("I was born in Graz on 3 May 1990.", "I prefer tabs over spaces.", "I live in Graz.")
    said = [{"uuid": str(n), "sender": "human", "text": text, "content": []} for n, text in enumerate(told)]
    path = tmp_path / "talks.zip"
    with zipfile.ZipFile(path, "w") as archive:
        talk = {"uuid": "u1", "name": "Talk", "created_at": "2026-01-05T10:00:00Z", "chat_messages": said}
        archive.writestr("conversations.json", json.dumps([talk]))
    return path


def test_conversations_are_shown_and_nothing_is_written_before_a_choice(run: Run, talks: Path, vault: Path) -> None:
    outcome = run("import", str(talks))
    assert (outcome.code, outcome.err) == (0, "")
    assert "Claude, “Talk”, 2026-01-05" in outcome.out
    assert "3 messages read, 3 proposals." in outcome.out
    assert outcome.out.endswith("Nothing was written. Say which: --take 1-5,9 or --take all.\n")
    assert not list(vault.rglob("*.md"))
    assert [each["number"] for each in run("import", str(talks), "--json").data["proposals"]] == [1, 2, 3]


def test_what_is_chosen_is_brought_in_and_the_rest_is_not_asked_again(run: Run, talks: Path, vault: Path) -> None:
    first = run("import", str(talks), "--json").data["proposals"]
    outcome = run("import", str(talks), "--take", "2", "--json").data
    assert [each["id"] for each in outcome["created"]] == [first[1]["id"]]
    [note] = vault.rglob("*.md")
    assert 'source: "Claude: Talk"' in note.read_text("utf-8")
    assert "0 proposals" in run("import", str(talks)).out
    assert len(run("import", str(talks), "--again", "--json").data["proposals"]) == 2
    assert run("undo", outcome["operation_id"]).code == 0
    assert not list(vault.rglob("*.md"))


def test_a_person_chooses_by_number_on_a_terminal(run: Run, talks: Path, vault: Path) -> None:
    outcome = run("import", str(talks), typed="9\n1,3\n", terminal=True)
    assert outcome.code == 0
    assert "there are 3 proposals" in outcome.out + outcome.err
    assert len(list(vault.rglob("*.md"))) == 2


def test_a_dry_run_of_a_choice_writes_nothing(run: Run, talks: Path, vault: Path) -> None:
    outcome = run("import", str(talks), "--take", "all", "--dry-run")
    assert "3 memories would be brought in" in outcome.out
    assert not list(vault.rglob("*.md"))
    assert "3 proposals" in run("import", str(talks)).out


def test_a_choice_goes_only_with_conversations(run: Run, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    outcome = run("import", str(tmp_path / "notes"), "--take", "all")
    assert outcome.code == 2
    assert "are for exports of ChatGPT and Claude" in outcome.err
