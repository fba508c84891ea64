from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemex_vault.disk import native
from mnemex_vault.disk.files import Files
from mnemex_vault.disk.names import Names
from mnemex_vault.disk.paths import names_for
from mnemex_vault.errors import NoteExists
from mnemex_vault.language.folding import name_key

PLAIN = ["Tea.md", "TEA.md", "tea.MD", "Caf\u00e9.md", "Cafe\u0301.md", "CAFE\u0301.md", "Milk.md"]
STAND_INS = [".Tea.md.icloud", "cafe\u0301.md.nextcloud"]
WHO = ["us", "us", "other", "other moves in", "other moves out", "other deletes", "other hides the time"]
DOINGS = st.lists(st.tuples(st.sampled_from(WHO), st.sampled_from(PLAIN + STAND_INS)), max_size=30)


@pytest.fixture
def told_of_names(tmp_path: Path) -> None:
    """Where the system does not tell, each folder is listed each time."""
    folder = os.open(tmp_path, native.FOLDER_FLAGS)
    try:
        if not native.tells_of_names(folder):
            pytest.skip("needs a file system that tells of names")
        os.close(native.open_events())
    except OSError:
        pytest.skip("needs a file system that tells of names")
    finally:
        os.close(folder)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of eight notes, large for `Names(worth_watching=8)`."""
    for number in range(8):
        (tmp_path / f"{number}.md").touch()
    return tmp_path


@pytest.fixture
def listings(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What was listed since the test began."""
    listed: list[object] = []
    really: Callable[..., list[str]] = os.listdir

    def listing(folder: int) -> list[str]:
        listed.append(folder)
        return really(folder)

    monkeypatch.setattr(os, "listdir", listing)
    return listed


def watching(root: Path) -> Files:
    """The files of a vault whose folder is watched already, with two more notes in it."""
    files = Files(root, names=Names(worth_watching=8))
    files.create("one.md", b"")
    files.create("two.md", b"")
    return files


@given(doings=DOINGS)
@example(doings=[("us", "Milk.md"), ("us", "Tea.md"), ("other", "Caf\u00e9.md"), ("us", "CAFE\u0301.md")])
def test_a_new_note_is_refused_if_and_only_if_a_name_like_its_own_is_there_whoever_brought_it(
    doings: list[tuple[str, str]],
) -> None:
    with tempfile.TemporaryDirectory() as place:
        root, outside = Path(place) / "vault", Path(place) / "outside"
        root.mkdir()
        outside.mkdir()
        files = Files(root, names=Names(worth_watching=0))
        for who, name in doings:
            if who == "us":
                ours(files, root, name)
            else:
                theirs(who, root / name, outside / name)


def ours(files: Files, root: Path, name: str) -> None:
    if name not in PLAIN:
        return
    before = {path.name: path.read_bytes() for path in root.iterdir()}
    forms = {name_key(each) for each in (name, *names_for(name))}
    if forms.isdisjoint(map(name_key, before)):
        files.create(name, b"ours")
        before[name] = b"ours"
    else:
        with pytest.raises(NoteExists):
            files.create(name, b"ours")
    assert {path.name: path.read_bytes() for path in root.iterdir()} == before


def theirs(who: str, inside: Path, outside: Path) -> None:
    folder = inside.parent.stat()
    if who == "other moves in":
        outside.write_bytes(b"theirs")
        outside.rename(inside)
    elif who == "other moves out" and inside.exists():
        inside.rename(outside)
    elif who == "other deletes":
        inside.unlink(missing_ok=True)
    else:
        inside.write_bytes(b"theirs")
    if who == "other hides the time":
        os.utime(inside.parent, ns=(folder.st_atime_ns, folder.st_mtime_ns))


@pytest.mark.usefixtures("told_of_names")
def test_a_large_folder_is_listed_twice_however_many_notes_are_made_in_it(root: Path, listings: list[object]) -> None:
    files = watching(root)
    assert len(listings) == 2
    for number in range(100):
        files.create(f"note {number}.md", b"")
        files.move(f"note {number}.md", f"moved {number}.md", park=lambda *_, **__: None)
    assert len(listings) == 2


def test_a_small_folder_is_listed_for_each(root: Path, listings: list[object]) -> None:
    files = Files(root, names=Names(worth_watching=100))
    for number in range(10):
        files.create(f"note {number}.md", b"")
    assert len(listings) == 10


@pytest.mark.usefixtures("told_of_names")
@pytest.mark.parametrize("theirs", ["Caf\u00e9.md", "Cafe\u0301.md", "caf\u00e9.MD", ".Caf\u00e9.md.icloud"])
def test_what_another_program_brings_between_two_saves_is_found_without_listing(
    root: Path, listings: list[object], theirs: str
) -> None:
    files = watching(root)
    (root / theirs).write_text("theirs")
    files.create("Milk.md", b"")
    assert len(listings) == 2
    with pytest.raises(NoteExists):
        files.create("CAFE\u0301.md", b"")


@pytest.mark.usefixtures("told_of_names")
def test_a_folder_that_changed_while_nothing_was_told_is_listed_anew(root: Path, listings: list[object]) -> None:
    files = watching(root)
    os.utime(root, ns=(0, 0))
    files.create("three.md", b"")
    assert len(listings) == 3
    files.create("four.md", b"")
    assert len(listings) == 3


@pytest.mark.usefixtures("told_of_names")
def test_a_folder_about_which_the_system_could_not_tell_all_is_listed_anew(root: Path, listings: list[object]) -> None:
    files = watching(root)
    most = int(Path("/proc/sys/fs/inotify/max_queued_events").read_text())
    passing = root / "passing.md"
    for _ in range(most // 2 + 1):
        passing.touch()
        passing.unlink()
    (root / "TEA.md").touch()
    with pytest.raises(NoteExists):
        files.create("Tea.md", b"")
    assert len(listings) == 3


@pytest.mark.usefixtures("told_of_names")
def test_a_folder_that_was_deleted_and_made_anew_is_looked_at_anew(root: Path) -> None:
    (root / "Kept").mkdir()
    files = Files(root, names=Names(worth_watching=0))
    for number in range(3):
        files.create(f"Kept/{number}.md", b"")
    shutil.rmtree(root / "Kept")
    (root / "Kept").mkdir()
    (root / "Kept" / "TEA.md").touch()
    with pytest.raises(NoteExists):
        files.create("Kept/Tea.md", b"")
    files.create("Kept/0.md", b"")


@pytest.mark.usefixtures("told_of_names")
def test_of_two_programs_that_save_in_one_folder_each_knows_what_the_other_saved(root: Path) -> None:
    one, other = watching(root), Files(root, names=Names(worth_watching=8))
    for number in range(30):
        saving, looking = (one, other) if number % 2 else (other, one)
        saving.create(f"Note {number}.md", b"")
        with pytest.raises(NoteExists):
            looking.create(f"NOTE {number}.md", b"")
