from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.structfile import BufferFile

from mnemex_vault.errors import IndexUnavailable
from mnemex_vault.index import storage
from mnemex_vault.index.committed import CommittedIndex
from mnemex_vault.index.document import Document
from mnemex_vault.index.query import parse
from mnemex_vault.index.storage import CheckedStorage, DamagedIndex
from mnemex_vault.index.text_index import TextIndex
from tests.index.texts import NOW, found, note


def filled(folder: Path, count: int = 20) -> TextIndex:
    index = TextIndex(folder)
    index.stage([note(f"{number}.md", f"zebra number{number}") for number in range(count)])
    assert index.flush().reason is None
    return index


def files(index: TextIndex) -> list[Path]:
    return sorted(path for path in index.folder.iterdir() if not path.name.endswith("LOCK"))


@pytest.mark.parametrize("large", [0, 1 << 20])
@pytest.mark.parametrize("seed", range(12))
def test_damage_is_noticed_before_anything_is_read_and_the_index_begins_anew(
    tmp_path: Path, seed: int, large: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "_STAYS_ON_DISK", large)
    chance = random.Random(seed)
    filled(tmp_path)
    folder = TextIndex(tmp_path).folder
    victim = chance.choice([path for path in files(TextIndex(tmp_path)) if "_stored" not in path.name])
    data = bytearray(victim.read_bytes())
    place = chance.randrange(len(data))
    kind = ("flip", "cut", "zero", "gone")[seed % 4]
    if kind == "gone":
        victim.unlink()
    else:
        data[place] ^= 0xFF
        victim.write_bytes({"flip": bytes(data), "cut": bytes(data[:place]), "zero": bytes(len(data))}[kind])
    index = TextIndex(tmp_path)
    held = dict(index.committed())
    assert index.rebuilt == (held == {})
    # a file that only opens when a phrase is asked for may go unnoticed at first, but never gives wrong answers
    if held:
        assert len(held) == 20
        assert "sequence" in victim.name
    index.stage([note(f"{number}.md", f"zebra number{number}") for number in range(20)])
    index.flush()
    assert len(found(index, "zebra")) == 20
    assert folder.is_dir()


def test_postings_that_stay_on_the_disk_are_read_on_after_another_process_removed_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "_STAYS_ON_DISK", 0)
    index = filled(tmp_path)
    assert index.committed()
    for path in index.folder.glob("*.pst"):
        path.unlink()
    assert len(found(index, "zebra")) == 20


def test_postings_that_are_cut_while_they_are_in_use_are_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(storage, "_STAYS_ON_DISK", 0)
    index = filled(tmp_path, 3000)
    assert index.committed()
    for path in index.folder.glob("*.pst"):
        os.truncate(path, 10)
    assert found(index, "zebra") == []
    assert index.rebuilt
    index.stage([note(f"{number}.md", f"zebra number{number}") for number in range(20)])
    index.flush()
    assert len(found(index, "zebra")) == 20


@pytest.mark.row("C7", "S9")
def test_a_doctored_table_of_contents_is_never_unpickled(tmp_path: Path) -> None:
    index = filled(tmp_path)
    toc = next(index.folder.glob("_MAIN_*.toc"))
    proof = tmp_path / "proof"
    payload = b"cos\nsystem\n(S'touch " + str(proof).encode() + b"'\ntR."
    toc.write_bytes(toc.read_bytes()[:-1] + payload)
    other = TextIndex(tmp_path)
    assert dict(other.committed()) == {}
    assert other.rebuilt
    assert not proof.exists()


def test_an_index_that_is_deleted_while_in_use_comes_back(tmp_path: Path) -> None:
    index = filled(tmp_path)
    for path in files(index):
        path.unlink()
    assert dict(index.committed()) == {}
    index.stage([note("a.md", "zebra")])
    assert index.flush().committed == {"a.md": "etag of zebra"}
    assert found(TextIndex(tmp_path), "zebra") == ["a.md"]


@pytest.mark.row("C3")
def test_an_index_of_another_version_is_left_alone(tmp_path: Path) -> None:
    foreign = tmp_path / "index-v999" / "_MAIN_1.toc"
    foreign.parent.mkdir()
    foreign.write_bytes(b"not ours")
    index = filled(tmp_path)
    assert not index.rebuilt
    assert foreign.read_bytes() == b"not ours"


@pytest.mark.row("C6")
def test_while_another_writer_holds_the_lock_notes_stay_staged_and_searchable(tmp_path: Path) -> None:
    filled(tmp_path, 1)
    index = TextIndex(tmp_path, lock_timeout=0.01)
    index.stage([note("new.md", "giraffe")])
    lock = FileStorage(str(index.folder)).lock("MAIN_WRITELOCK")
    assert lock.acquire()
    result = index.flush()
    assert result.busy
    assert result.committed == {}
    assert found(index, "giraffe") == ["new.md"]
    lock.release()
    assert set(index.flush().committed) == {"new.md"}


def test_what_another_writer_has_committed_needs_no_turn_to_write(tmp_path: Path) -> None:
    index = TextIndex(tmp_path, lock_timeout=0.01)
    index.stage([note("0.md", "zebra number0")])
    filled(tmp_path, 1)
    lock = FileStorage(str(index.folder)).lock("MAIN_WRITELOCK")
    assert lock.acquire()
    assert set(index.flush().committed) == {"0.md"}
    assert index.pending == 0
    lock.release()


_FULL_DISK = """
import resource, sys
from pathlib import Path
from tests.index.texts import found, note
from mnemex_vault.index.text_index import TextIndex
index = TextIndex(Path(sys.argv[1]))
letters = "abcdefghijklmnopqrstuvwxyz"
index.stage([note(f"{n}.md", " ".join(f"q{letters[k]}{letters[n]}x" for k in range(26))) for n in range(26)])
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (2_000, hard))
result = index.flush()
assert result.reason, result
assert index.pending == 26
assert found(index, "qacx") == ["2.md"]
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
assert len(index.flush().committed) == 26
"""


@pytest.mark.row("B2")
def test_a_full_disk_keeps_notes_staged_and_frees_the_lock(tmp_path: Path) -> None:
    command = [sys.executable, "-W", "ignore", "-c", _FULL_DISK, str(tmp_path)]
    subprocess.run(command, check=True, cwd=Path(__file__).parents[2], timeout=60)
    assert len(TextIndex(tmp_path).committed()) == 26


def test_an_unusable_folder_says_so_and_staging_still_works(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    index = TextIndex(tmp_path / "file")
    index.stage([note("a.md", "zebra")])
    with pytest.raises(IndexUnavailable):
        index.relevance(parse("zebra", now=NOW))
    assert index.flush().reason


_WRITER = """
import sys
from pathlib import Path
from tests.index.texts import note
from mnemex_vault.index.text_index import TextIndex
index = TextIndex(Path(sys.argv[1]), lock_timeout=30)
for number in range(10_000):
    index.stage([note(f"{sys.argv[2]} {number}.md", f"zebra {number}"), note("shared.md", f"giraffe {number}")])
    index.flush()
    print(number, flush=True)
"""


def writer(folder: Path, name: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-W", "ignore", "-c", _WRITER, str(folder), name]
    root = Path(__file__).parents[2]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=root)


@pytest.mark.slow
@pytest.mark.row("C5")
@pytest.mark.parametrize("commits", [1, 4])
def test_killing_writers_at_any_moment_loses_nothing_that_was_committed(tmp_path: Path, commits: int) -> None:
    processes = [writer(tmp_path, name) for name in ("one", "other")]
    confirmed: list[str] = []
    for name, process in zip(("one", "other"), processes, strict=True):
        assert process.stdout is not None
        confirmed += [f"{name} {int(process.stdout.readline())}.md" for _ in range(commits)]
    for process in processes:
        process.kill()
        process.communicate()
    index = TextIndex(tmp_path)
    held = index.committed()
    assert not index.rebuilt
    assert set(confirmed) <= held.keys()
    assert sorted(found(index, "zebra")) == sorted(path for path in held if path != "shared.md")
    assert found(index, "giraffe") == ["shared.md"]
    index.stage([note("after.md", "okapi")])
    assert set(index.flush().committed) == {"after.md"}


def test_threads_may_stage_search_and_flush_at_the_same_time(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    failures: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for number in range(15):
                path = f"{name} {number}.md"
                index.stage([note(path, f"zebra thread{name}")])
                assert path in index.relevance(parse(f"thread{name}", now=NOW))
                if number % 5 == name:
                    index.flush()
        except BaseException as error:  # noqa: BLE001  a thread must not swallow what failed
            failures.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    index.flush()
    assert len(found(TextIndex(tmp_path), "zebra")) == 60


def test_many_small_commits_leave_few_segments(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    for number in range(40):
        index.stage([note(f"{number % 10}.md", f"zebra {number}")])
        index.flush()
    assert len(list(index.folder.glob("*.trm"))) <= 5
    assert len(found(index, "zebra")) == 10


def test_a_document_as_strange_as_can_be_is_committed(tmp_path: Path) -> None:
    strange = Document(
        path="\ud800/\udcff\n.md",
        etag="",
        title="\ud800",
        aliases=("\ud800",),
        tags=("\ud800", "", "#", "a//b"),
        entities=("",),
        headings=("\x00",),
        body="\x00 \ud800 zebra\ud800giraffe " + "x" * 5000,
        source="\ud800",
        created=None,
        project="\ud800",
    )
    index = TextIndex(tmp_path)
    index.stage([strange])
    assert index.flush().reason is None
    assert found(TextIndex(tmp_path), "zebra") == [strange.path]
    assert index.relevance(parse("tag:\ud800", now=NOW)) is not None


def test_a_question_that_merges_of_another_process_overtake_again_and_again_is_answered(tmp_path: Path) -> None:
    index, other = filled(tmp_path, 3), TextIndex(tmp_path)
    overtaken = 0

    def merged_meanwhile(path: str) -> bool:
        nonlocal overtaken
        if path == "1.md" and overtaken < 3:
            overtaken += 1
            read = set(index.folder.glob("*.trm"))
            while read & set(index.folder.glob("*.trm")):
                other.stage([note(f"{len(other.committed())}.md", "lion")])
                other.flush()
        return True

    assert [*index.alike("zebra number1", merged_meanwhile, threshold=0.9, count=1)] == ["1.md"]
    assert overtaken == 3


def test_a_generation_that_leaves_the_manifest_while_it_is_read_is_not_taken_for_damage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(tmp_path, 3)
    other = TextIndex(tmp_path, lock_timeout=0.01)
    open_file = CheckedStorage.open_file
    overtaken: list[str] = []

    def opened(storage: CheckedStorage, name: str, **options: object) -> BufferFile:
        if name.endswith(".trm") and not overtaken:
            overtaken.append(name)
            raise DamagedIndex(name)
        return open_file(storage, name, **options)

    def present(index: CommittedIndex, storage: CheckedStorage) -> object:
        if len(overtaken) != 1:
            return look(index, storage)
        overtaken.append("another generation")
        return ("another", 0, 0)

    look = CommittedIndex._present
    monkeypatch.setattr(CheckedStorage, "open_file", opened)
    monkeypatch.setattr(CommittedIndex, "_present", present)
    lock = FileStorage(str(other.folder)).lock("MAIN_WRITELOCK")
    assert lock.acquire()
    assert len(other.committed()) == 3
    lock.release()
