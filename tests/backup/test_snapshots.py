from __future__ import annotations

import subprocess
from datetime import timedelta
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.backup.snapshots import Backup
from mnemex_vault.errors import InvalidInput, UnreadableNote
from mnemex_vault.memories.draft import Draft
from tests.conftest import StandingClock


@pytest.fixture
def backup(app: App, clock: StandingClock) -> Backup:
    return Backup(app.memories, app.state)


def notes(vault: Path) -> dict[str, bytes]:
    found = (path for path in vault.rglob("*.md") if ".trash" not in path.parts)
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in found}


def use_local_trash(vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "app.json").write_text('{"trashOption": "local"}')


def test_a_backup_adds_nothing_to_the_vault(app: App, backup: Backup, vault: Path) -> None:
    app.collection.save(Draft(content="The well is behind the barn."))
    before = sorted(vault.rglob("*"))
    assert backup.init() is not None
    assert sorted(vault.rglob("*")) == before
    assert (app.state / "backup.git").stat().st_mode & 0o077 == 0


def test_a_snapshot_records_edits_and_deletions_and_nothing_else(app: App, backup: Backup, vault: Path) -> None:
    (vault / "a.md").write_text("One.\n")
    (vault / "b.md").write_text("Two.\n")
    (vault / "picture.png").write_bytes(b"x")
    backup.init()
    assert backup.snapshot() is None
    (vault / "a.md").write_text("One more.\n")
    (vault / "b.md").unlink()
    assert backup.status().changed == ["a.md", "b.md"]
    taken = backup.snapshot("After the edit")
    assert taken is not None
    assert taken.message == "After the edit"
    assert backup.status().changed == []
    assert [each.message for each in backup.history()] == ["After the edit", "First snapshot"]
    assert "+One more." in backup.diff("HEAD~1")


def test_going_back_restores_deleted_edited_and_promoted_notes_and_can_be_undone(
    app: App, backup: Backup, vault: Path, clock: StandingClock
) -> None:
    use_local_trash(vault)
    (vault / "Deleted.md").write_text("Gone soon.\n")
    (vault / "Edited.md").write_text("As it was.\n")
    (vault / "picture.png").write_bytes(b"x")
    saved = app.collection.save(Draft(content="The well is behind the barn."))
    first = backup.init()
    before = notes(vault)
    (vault / "Deleted.md").unlink()
    (vault / "Edited.md").write_text("As it is.\n")
    (vault / "New.md").write_text("Came later.\n")
    candidate = app.lifecycle.promotion_candidate(saved.memory.id, now=clock(), force=True)
    app.lifecycle.promote([candidate] if candidate else [])
    later = notes(vault)
    assert first is not None
    app.follow(None)
    operation = backup.restore(first.sha)
    assert notes(vault) == before
    assert (vault / "picture.png").read_bytes() == b"x"
    assert operation is not None
    app.history.undo(operation.id)
    assert notes(vault) == later


def test_one_note_can_be_brought_back_alone(app: App, backup: Backup, vault: Path) -> None:
    (vault / "a.md").write_text("One.\n")
    (vault / "b.md").write_text("Two.\n")
    first = backup.init()
    (vault / "a.md").unlink()
    (vault / "b.md").write_text("Changed.\n")
    app.follow(None)
    assert first is not None
    backup.restore(first.sha, path="a.md")
    assert (vault / "a.md").read_text() == "One.\n"
    assert (vault / "b.md").read_text() == "Changed.\n"
    with pytest.raises(InvalidInput):
        backup.restore(first.sha, path="c.md")


def test_a_snapshot_is_taken_when_the_last_one_is_old(app: App, backup: Backup, vault: Path) -> None:
    (vault / "a.md").write_text("One.\n")
    assert backup.snapshot_if_due(timedelta(hours=1)) is not None
    (vault / "a.md").write_text("Two.\n")
    assert backup.snapshot_if_due(timedelta(days=3650)) is None
    assert backup.snapshot_if_due(timedelta(0)) is not None


def test_in_a_persons_repository_only_notes_are_committed_and_their_stage_stays(
    app: App, vault: Path, clock: StandingClock
) -> None:
    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=Lena", "-c", "user.email=lena@example.org"]
        return subprocess.run(
            ["git", *identity, *arguments], cwd=vault, check=True, capture_output=True, text=True
        ).stdout

    git("init", "--quiet")
    git("config", "user.name", "Lena")
    git("config", "user.email", "lena@example.org")
    (vault / "a.md").write_text("One.\n")
    (vault / "todo.txt").write_text("mine\n")
    git("add", "todo.txt")
    backup = Backup(app.memories, app.state, in_vault=True)
    assert backup.snapshot() is not None
    assert git("show", "--name-only", "--format=", "HEAD").split() == ["a.md"]
    assert git("status", "--porcelain") == "A  todo.txt\n"


def test_a_snapshot_that_does_not_exist_or_a_missing_backup_is_told(app: App, backup: Backup) -> None:
    with pytest.raises(InvalidInput):
        backup.history()
    with pytest.raises(InvalidInput):
        Backup(app.memories, app.state, in_vault=True).init()


def test_odd_paths_survive_a_snapshot(app: App, backup: Backup, vault: Path) -> None:
    for name in ("ä ö.md", "a\nb.md", "-dash.md", "日本.md", "a'b\"c.md"):
        (vault / name).write_text(f"{name}\n")
    first = backup.init()
    assert first is not None
    before = notes(vault)
    for path in vault.rglob("*.md"):
        path.write_text("other\n")
    app.follow(None)
    backup.restore(first.sha)
    assert notes(vault) == before


def git(where: Path, *arguments: str) -> str:
    identity = ("-c", "user.name=Lena", "-c", "user.email=lena@example.org")
    done = subprocess.run(["git", *identity, *arguments], cwd=where, check=True, capture_output=True, text=True)
    return done.stdout


def test_notes_of_a_repository_below_the_vault_are_left_alone(app: App, backup: Backup, vault: Path) -> None:
    use_local_trash(vault)
    (vault / "a.md").write_text("One.\n")
    (vault / "below").mkdir()
    git(vault / "below", "init", "--quiet")
    (vault / "below/b.md").write_text("Two.\n")
    git(vault / "below", "add", ".")
    git(vault / "below", "commit", "--quiet", "-m", "theirs")
    backup.init()
    app.follow(None)
    assert backup.restore("HEAD") is None
    assert (vault / "below/b.md").read_text() == "Two.\n"


def test_what_the_persons_own_repository_ignores_stays_out_of_it(app: App, vault: Path, clock: StandingClock) -> None:
    use_local_trash(vault)
    git(vault, "init", "--quiet")
    git(vault, "config", "user.name", "Lena")
    git(vault, "config", "user.email", "lena@example.org")
    (vault / ".gitignore").write_text("Private/\n")
    (vault / "a.md").write_text("One.\n")
    git(vault, "add", ".")
    git(vault, "commit", "--quiet", "-m", "mine")
    (vault / "Private").mkdir()
    (vault / "Private/p.md").write_text("Secret.\n")
    (vault / "b.md").write_text("Two.\n")
    backup = Backup(app.memories, app.state, in_vault=True)
    backup.snapshot()
    assert "Private/p.md" not in git(vault, "ls-files")
    assert "b.md" in git(vault, "ls-files").split()
    app.follow(None)
    operation = backup.restore("HEAD~1")
    assert operation is not None
    assert [(step.kind, step.path) for step in operation.steps] == [("trash", "b.md")]


def test_names_that_git_takes_for_patterns_are_names(app: App, backup: Backup, vault: Path) -> None:
    texts = {name: f"{name}\n" for name in (":x.md", "N [1].md", "N 1.md", 'é "q".md', "a*.md", "ab.md")}
    for name, text in texts.items():
        (vault / name).write_text(text, "utf-8")
    backup.init()
    assert backup.status().changed == []
    (vault / "ab.md").write_text("Other.\n")
    (vault / "N 1.md").write_text("Other.\n")
    backup.snapshot("Second")
    assert len(backup.history(path="a*.md")) == len(backup.history(path="N [1].md")) == 1
    assert "Other." not in backup.diff("HEAD~1", path="a*.md")
    app.follow(None)
    backup.restore("HEAD~1", path="N 1.md")
    assert (vault / "N 1.md").read_text() == texts["N 1.md"]
    assert (vault / "ab.md").read_text() == "Other.\n"


def test_line_ends_come_back_whatever_the_persons_attributes_say(app: App, backup: Backup, vault: Path) -> None:
    (vault / ".gitattributes").write_text("* text=auto\n*.md filter=lost\n")
    (vault / "c.md").write_bytes(b"One.\r\nTwo.\r\n")
    backup.init()
    (vault / "c.md").unlink()
    app.follow(None)
    assert backup.restore("HEAD") is not None
    assert (vault / "c.md").read_bytes() == b"One.\r\nTwo.\r\n"


def test_what_is_no_text_is_recorded_but_not_brought_back(app: App, backup: Backup, vault: Path) -> None:
    (vault / "b.md").write_bytes(b"\xff\xfe\n")
    backup.init()
    app.follow(None)
    assert backup.restore("HEAD") is None
    (vault / "b.md").write_bytes(b"\xff\xff\n")
    with pytest.raises(UnreadableNote):
        backup.restore("HEAD")
