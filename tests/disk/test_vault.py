from __future__ import annotations

import os
import socket
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.disk.files import Fingerprint
from mnemex_vault.disk.safeguards import TempName, writing_name
from mnemex_vault.disk.vault import Layout, Vault, VaultLock
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import NoteNotFound, PathOutsideVault, VaultUnavailable
from tests.disk.conftest import Disk

NOTES = [
    "a.md",
    "UPPER.MD",
    "Deep/er/b.md",
    "Spaces and \u00e9/Cafe\u0301.md",
    "10:30 Meeting.md",
    "folder.md/inside.md",
    "Copy of a (1).md",
    "Memories/Short-term/m.md",
    "Template.md",
    "emoji \U0001f469\u200d\U0001f4bb.md",
]
NOT_NOTES = [
    "x.txt",
    "x.canvas",
    "x.base",
    "drawing.excalidraw.md",
    "Drawing.EXCALIDRAW.md",
    ".hidden.md",
    ".md",
    ".obsidian/x.md",
    ".trash/x.md",
    ".git/x.md",
    "Deep/.hidden/x.md",
    ".obsidian-work/x.md",
    "Templates/t.md",
    "Templates/deep/t.md",
    "Other templates/t.md",
    ".cloud.jpg.icloud",
    "x.md.part",
    "x.md.crdownload",
    "~$x.md",
    "~syncthing~x.md.tmp",
    ".syncthing.x.md.tmp",
    writing_name(),
    TempName("0" * 12, "1" * 12, "2" * 12).fresh(),
    "back\\slash.md",
]
CONFLICTS = [
    "a (Conflicted copy phone 202601021200).md",
    "a.sync-conflict-20260102-120000-ABCDEFG.md",
    "Deep/a (Bob's conflicted copy 2026-01-02).md",
    "a (conflicted copy 2026-01-02 120000).md",
    "a (conflicted copy 2026-01-02 120000) 2.md",
]


@pytest.fixture
def vault(disk: Disk) -> Vault:
    for path in (*NOTES, *NOT_NOTES, *CONFLICTS):
        disk.put(path, path)
    disk.put(".obsidian/app.json", "{}")
    disk.put(".obsidian/templates.json", '{"folder": "Templates/"}')
    disk.put(".obsidian/plugins/templater-obsidian/data.json", '{"templates_folder": "Other templates"}')
    disk.reopen()
    return disk.vault


def test_a_scan_yields_every_note_as_it_is_spelled_on_disk(disk: Disk, vault: Vault) -> None:
    found = dict(vault.scan())
    assert sorted(found) == sorted(NOTES)
    assert all(found[path] == Fingerprint.from_stat((disk.root / path).stat()) for path in found)


def test_conflict_copies_are_yielded_apart(vault: Vault) -> None:
    assert sorted(path for path, _ in vault.conflict_copies()) == sorted(CONFLICTS)


def test_one_path_is_judged_as_a_scan_would(vault: Vault) -> None:
    assert all(vault.is_note_path(path) for path in NOTES)
    assert not any(vault.is_note_path(path) for path in (*NOT_NOTES, *CONFLICTS, "", "a//b.md", "/a.md"))
    assert all(vault.may_change(path) for path in (*NOTES, *CONFLICTS))
    assert not any(vault.may_change(path) for path in NOT_NOTES)


@pytest.mark.row("H8")
def test_links_pipes_and_sockets_are_no_notes_and_nothing_hangs(disk: Disk, vault: Vault, tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "x.md").write_text("secret")
    (disk.root / "link.md").symlink_to(tmp_path / "outside" / "x.md")
    (disk.root / "linked").symlink_to(tmp_path / "outside")
    (disk.root / "Deep" / "loop").symlink_to(disk.root)
    os.mkfifo(disk.root / "pipe.md")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(disk.root / "socket.md"))
        assert sorted(path for path, _ in vault.scan()) == sorted(NOTES)
    for path in ("link.md", "linked", "linked/x.md", "pipe.md", "socket.md", "Deep/loop"):
        assert list(vault.look(path)) == []


def test_names_that_are_no_text_are_left_out(disk: Disk, vault: Vault) -> None:
    (Path(os.fsdecode(os.fsencode(disk.root) + b"/bad\xff.md"))).write_text("x")
    (Path(os.fsdecode(os.fsencode(disk.root) + b"/bad\xfffolder"))).mkdir()
    (disk.root / "back\\slash.md").write_text("x")
    (disk.root / "back\\slash.png").write_text("x")
    assert sorted(path for path, _ in vault.scan()) == sorted(NOTES)
    assert {"back\\slash.md", "bad\ufffd.md", "bad\ufffdfolder"} <= set(vault.left_out())
    assert "back\\slash.png" not in vault.left_out()


def test_a_look_at_a_path_finds_the_note_or_the_notes_of_a_folder_or_nothing(disk: Disk, vault: Vault) -> None:
    assert list(vault.look("a.md")) == [("a.md", Fingerprint.from_stat((disk.root / "a.md").stat()))]
    assert [path for path, _ in vault.look("Deep")] == ["Deep/er/b.md"]
    assert [path for path, _ in vault.look("Deep/er/")] == ["Deep/er/b.md"]
    assert [path for path, _ in vault.look("folder.md")] == ["folder.md/inside.md"]
    assert sorted(path for path, _ in vault.look("")) == sorted(NOTES)
    for path in ("gone.md", "Gone", "Templates", ".obsidian", "x.txt", "../x", "drawing.excalidraw.md", CONFLICTS[0]):
        assert list(vault.look(path)) == []


def test_a_vault_that_is_missing_or_no_folder_is_unavailable(disk: Disk, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for root in (tmp_path / "missing", tmp_path / "file"):
        vault = Vault(root, VaultLock(tmp_path / "lock"))
        with pytest.raises(VaultUnavailable):
            vault.check()
        with pytest.raises(VaultUnavailable):
            list(vault.scan())
    disk.vault.check()


@pytest.mark.row("T18", "B8")
def test_a_folder_that_cannot_be_read_is_never_taken_for_an_empty_one(
    public: Path, as_nobody: Callable[[], Any]
) -> None:
    root = public / "vault"
    (root / "closed").mkdir(parents=True)
    (root / "closed" / "x.md").write_text("x")
    (root / "a.md").write_text("a")
    (root / "closed").chmod(0o000)
    vault = Vault(root, VaultLock(public / "lock"))
    told: list[str] = []
    with as_nobody():
        with pytest.raises(VaultUnavailable, match="closed"):
            list(vault.scan())
        found = [path for path, _ in vault.scan(unreadable=lambda path, error: told.append(path))]
        assert list(vault.conflict_copies()) == []
        assert vault.leftovers() == []
    assert (found, told) == (["a.md"], ["closed"])
    root.chmod(0o000)
    with as_nobody():
        with pytest.raises(VaultUnavailable):
            vault.check()
        with pytest.raises(VaultUnavailable):
            list(vault.scan(unreadable=lambda path, error: told.append(path)))
    root.chmod(0o700)


def test_a_folder_that_vanishes_during_a_scan_is_just_gone(disk: Disk) -> None:
    for number in range(3):
        disk.put(f"f{number}/a.md", "x")
    scan = disk.vault.scan()
    first, _ = next(scan)
    for number in range(3):
        if not first.startswith(f"f{number}/"):
            (disk.root / f"f{number}" / "a.md").unlink()
            (disk.root / f"f{number}").rmdir()
    assert list(scan) == []


def test_a_note_that_vanishes_during_a_scan_is_just_gone(disk: Disk) -> None:
    for number in range(3):
        disk.put(f"{number}.md", "x")
    scan = disk.vault.scan()
    first, _ = next(scan)
    for number in range(3):
        if first != f"{number}.md":
            (disk.root / f"{number}.md").unlink()
    assert list(scan) == []


def test_temp_files_of_a_crash_are_found_wherever_they_lie(disk: Disk) -> None:
    names = [writing_name(), f"A/B/{TempName('0' * 12, '1' * 12, '2' * 12).fresh()}"]
    for name in (*names, "a.md", ".mnemex-other", "A/.hidden.tmp"):
        disk.put(name, "x")
    assert disk.vault.leftovers() == sorted(names)


# tiers


def test_the_folder_is_the_tier(disk: Disk) -> None:
    tiers = {
        "Memories/Short-term/a.md": Tier.SHORT_TERM,
        "memories/SHORT-TERM/deep/a.md": Tier.SHORT_TERM,
        "Memories/Short-term.md": Tier.LONG_TERM,
        "Memories/Short-term notes/a.md": Tier.LONG_TERM,
        "Memories/Archive/2026/a.md": Tier.ARCHIVED,
        "Memories/Long-term/a.md": Tier.LONG_TERM,
        "anywhere.md": Tier.LONG_TERM,
    }
    assert {path: disk.vault.tier_of(path) for path in tiers} == tiers


def test_the_longest_folder_that_matches_decides(disk: Disk) -> None:
    disk.vault.layout = Layout(short_term="M", long_term="M/Kept", archive="M/Kept/Old")
    assert disk.vault.tier_of("M/a.md") is Tier.SHORT_TERM
    assert disk.vault.tier_of("M/Kept/a.md") is Tier.LONG_TERM
    assert disk.vault.tier_of("M/Kept/Old/a.md") is Tier.ARCHIVED


def test_both_unicode_forms_of_a_folder_are_the_same_folder(disk: Disk) -> None:
    disk.vault.layout = Layout(short_term="Caf\u00e9")
    assert disk.vault.tier_of("Cafe\u0301/a.md") is Tier.SHORT_TERM


def test_a_note_enters_the_folder_of_its_tier_and_the_archive_by_year(disk: Disk) -> None:
    now = datetime(2027, 1, 2, tzinfo=UTC)
    folders = [disk.vault.folder_of(tier, now=now) for tier in (Tier.SHORT_TERM, Tier.LONG_TERM, Tier.ARCHIVED)]
    assert folders == ["Memories/Short-term", "Memories/Long-term", "Memories/Archive/2027"]


# trash


def park(folder: int, temp: str, *, path: str, data: bytes) -> None:
    raise AssertionError("nothing is displaced by a rename")


def test_without_a_system_trash_a_note_goes_to_the_vaults_own_under_a_free_name(disk: Disk) -> None:
    for number in range(3):
        disk.put(f"{number}/a.md", f"{number}")
    found = [disk.vault.trash(f"{number}/a.md", park=park) for number in range(3)]
    assert found == [".trash/a.md", ".trash/a 2.md", ".trash/a 3.md"]
    assert disk.snapshot() == {".trash/a.md": b"0", ".trash/a 2.md": b"1", ".trash/a 3.md": b"2"}


@pytest.mark.parametrize("option", ["local", "none"])
def test_local_and_no_trash_are_the_vaults_own(disk: Disk, option: str) -> None:
    disk.put(".obsidian/app.json", f'{{"trashOption": "{option}"}}')
    disk.put("a.md", "x")
    disk.system_trash = Path.unlink
    disk.reopen()
    assert disk.vault.trash("a.md", park=park) == ".trash/a.md"


def test_a_system_trash_that_took_nothing_is_not_believed(disk: Disk) -> None:
    disk.put("a.md", "x")
    disk.system_trash = lambda path: None
    disk.reopen()
    assert disk.vault.trash("a.md", park=park) == ".trash/a.md"


def test_the_real_system_trash_takes_a_note(
    disk: Disk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, in_child: Callable[..., int]
) -> None:
    """In a child, because the library looks at the environment once."""
    note = disk.put("a.md", "x")

    def work() -> None:
        vault = Vault(disk.root, VaultLock(tmp_path / "lock"))
        assert vault.trash("a.md", park=park) in (None, ".trash/a.md")

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    assert in_child(work) == 0
    assert not note.exists()


def test_only_a_note_is_trashed(disk: Disk, tmp_path: Path) -> None:
    (disk.root / "link.md").symlink_to(tmp_path / "x")
    (disk.root / "folder.md").mkdir()
    for path, error in (("gone.md", NoteNotFound), ("../x.md", PathOutsideVault), (".trash/x.md", PathOutsideVault)):
        with pytest.raises(error):
            disk.vault.trash(path, park=park)
    for path in ("link.md", "folder.md"):
        with pytest.raises(Exception, match="not a"):
            disk.vault.trash(path, park=park)
    assert (disk.root / "link.md").is_symlink()
