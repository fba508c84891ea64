from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemex_vault.domain.memory import Relation, RelationType
from mnemex_vault.index.catalog_file import CatalogFile
from mnemex_vault.index.entry import Entry
from tests.index.test_catalog import USAGE, entry, memory


def by_path(entries: list[Entry]) -> list[Entry]:
    return sorted(entries, key=lambda each: each.path)


NOTES = [
    memory(
        "Memories/Tee ☕.md",
        "m1",
        tags=("a/b",),
        relations=(Relation(RelationType.RELATED, "B", 0.5, {"why": "x"}),),
        usage=replace(USAGE, half_life_days=3.5, promoted=USAGE.created),
    ),
    entry("b.md", links=("Tea",), problems=("odd",)),
]


def test_what_was_written_is_read_back(tmp_path: Path) -> None:
    file = CatalogFile(tmp_path / "catalog.log")
    file.append(NOTES, [], alive=2)
    assert by_path(file.load()) == by_path(NOTES)


def test_the_last_word_on_a_path_counts(tmp_path: Path) -> None:
    file = CatalogFile(tmp_path / "catalog.log")
    file.append(NOTES, [], alive=2)
    changed = msgspec.structs.replace(NOTES[1], title="Other")
    file.append([changed], [NOTES[0].path], alive=1)
    assert file.load() == [changed]


def test_rewriting_keeps_what_is_alive(tmp_path: Path) -> None:
    file = CatalogFile(tmp_path / "catalog.log")
    for _ in range(5):
        file.append(NOTES, [], alive=2)
    long = (tmp_path / "catalog.log").stat().st_size
    file.rewrite(NOTES)
    assert by_path(file.load()) == by_path(NOTES)
    assert (tmp_path / "catalog.log").stat().st_size < long


def test_a_long_log_asks_to_be_rewritten(tmp_path: Path) -> None:
    file = CatalogFile(tmp_path / "catalog.log")
    assert not file.append(NOTES, [], alive=2)
    asked = [file.append(NOTES * 500, [], alive=2) for _ in range(10)]
    assert asked[-1]


def test_a_file_of_another_kind_counts_as_empty(tmp_path: Path) -> None:
    (tmp_path / "catalog.log").write_bytes(b"\x80\x04something pickled")
    assert CatalogFile(tmp_path / "catalog.log").load() == []


def test_the_file_is_private(tmp_path: Path) -> None:
    old = os.umask(0)
    try:
        file = CatalogFile(tmp_path / "index" / "catalog.log")
        file.append(NOTES, [], alive=2)
    finally:
        os.umask(old)
    assert (tmp_path / "index" / "catalog.log").stat().st_mode & 0o077 == 0


@settings(max_examples=settings().max_examples)
@given(data=st.data())
def test_damage_costs_notes_but_never_invents_or_alters_one(data: st.DataObject, tmp_path_factory: object) -> None:
    folder = Path(str(tmp_path_factory.mktemp("catalog")))  # type: ignore[attr-defined]
    file = CatalogFile(folder / "catalog.log")
    file.append(NOTES, [], alive=2)
    whole = (folder / "catalog.log").read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    byte = data.draw(st.integers(0, 255))
    cut = data.draw(st.booleans())
    (folder / "catalog.log").write_bytes(whole[:at] if cut else whole[:at] + bytes([byte]) + whole[at + 1 :])
    assert all(each in NOTES for each in file.load())
    file.append([NOTES[0]], [], alive=1)
    if (folder / "catalog.log").read_bytes().startswith(b"mnemex-catalog 3\n"):
        assert NOTES[0] in file.load()
