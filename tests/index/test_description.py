from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.app import App, open_app
from mnemex_vault.disk.files import Fingerprint
from mnemex_vault.index.description import Reader, is_racy
from mnemex_vault.index.entry import Entry
from tests.conftest import StandingClock


@pytest.fixture
def entry(app: App, vault: Path) -> Entry:
    """Give a note that was read right after it was written."""
    note = vault / "a.md"
    note.write_text("The well is deep.\n")
    stamp = app.store.clock().timestamp()
    os.utime(note, (stamp, stamp))
    app.follow(None)
    entry = app.store.catalog.get("a.md")
    assert entry is not None
    assert entry.racy
    return entry


def test_a_note_that_was_read_too_early_is_compared_and_not_read_again(app: App, entry: Entry) -> None:
    later = app.store.clock() + timedelta(minutes=1)
    reader = Reader(app.store.vault, zone=lambda: app.zone)
    reading = reader.read("a.md", entry.fingerprint, entry, now=later)
    assert reading.document is None
    assert reading.entry == msgspec.structs.replace(entry, racy=False)
    unknown = reader.read("a.md", entry.fingerprint, None, now=later)
    assert unknown.document is not None
    assert unknown.entry == reading.entry


def test_a_note_that_changed_without_a_trace_is_read_again(app: App, entry: Entry, vault: Path) -> None:
    (vault / "a.md").write_text("The well is dry!.\n")
    same = app.store.vault.files.fingerprint("a.md")
    before = msgspec.structs.replace(entry, fingerprint=same)
    reader = Reader(app.store.vault, zone=lambda: app.zone)
    reading = reader.read("a.md", same, before, now=app.store.clock() + timedelta(minutes=1))
    assert reading.document is not None
    assert reading.document.body == "The well is dry!.\n"


def test_a_second_look_is_taken_once_and_not_at_every_start(
    app: App, entry: Entry, vault: Path, clock: StandingClock, environ: dict[str, str]
) -> None:
    app.close()
    clock.advance(minutes=1)
    looked: list[int] = []
    for _ in range(2):
        with open_app(vault, clock=clock, environ=environ, progress=lambda _, total: looked.append(total)) as again:
            assert again.store.catalog.get("a.md") == msgspec.structs.replace(entry, racy=False)
    assert looked == [1]


# in microseconds: what ext4, APFS and NTFS keep, HFS+, and FAT and exFAT, which cut or round up
@pytest.mark.parametrize("grain", [1, 1_000_000, 2_000_000])
@pytest.mark.parametrize("up", [False, True])
@given(st.integers(0, 10**7), st.integers(0, 4 * 10**6), st.integers(1, 4 * 10**6))
def test_a_note_whose_time_could_stay_the_same_is_looked_at_again(
    grain: int, up: bool, written: int, until_read: int, until_written_again: int
) -> None:
    def kept(moment: int) -> int:
        return (-(-moment // grain) if up else moment // grain) * grain * 1_000

    read = written + until_read
    if kept(read + until_written_again) == kept(written):
        now = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=read)
        assert is_racy(Fingerprint(1, kept(written), kept(written), 1), now)
