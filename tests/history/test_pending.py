from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemex_vault.errors import WriteFailed
from mnemex_vault.history.pending import PendingUse, PendingUses

AT = datetime(2027, 1, 2, 12, 0, tzinfo=UTC)


def a_use(use_id: str, memory_id: str = "m1", *, boost: bool = False) -> PendingUse:
    return PendingUse(id=use_id, memory_id=memory_id, at=AT, kind="touch", boost=boost)


@pytest.fixture
def uses(tmp_path: Path) -> PendingUses:
    return PendingUses(tmp_path / "pending")


def test_uses_wait_until_they_are_written_also_for_another_process(uses: PendingUses, tmp_path: Path) -> None:
    for use in (a_use("u1", boost=True), a_use("u2", "m2"), a_use("u3")):
        uses.add(use)
    other = PendingUses(tmp_path / "pending")
    assert other.all() == [a_use("u1", boost=True), a_use("u2", "m2"), a_use("u3")]
    assert other.of("m1") == (a_use("u1", boost=True), a_use("u3"))
    assert other.of("m3") == ()
    other.remove(["u1", "unknown"])
    other.remove([])
    assert [use.id for use in uses.all()] == ["u2", "u3"]
    assert uses.of("m1") == (a_use("u3"),)


def test_a_use_cut_off_while_it_was_written_never_was(uses: PendingUses, tmp_path: Path) -> None:
    uses.add(a_use("u1"))
    uses.add(a_use("u2"))
    log = tmp_path / "pending" / "uses.log"
    os.truncate(log, log.stat().st_size - 3)
    assert [use.id for use in PendingUses(tmp_path / "pending").all()] == ["u1"]


def test_what_is_written_does_not_take_room_for_ever(tmp_path: Path) -> None:
    uses = PendingUses(tmp_path / "pending", compact_from=20)
    log = tmp_path / "pending" / "uses.log"
    sizes = []
    for number in range(60):
        uses.add(a_use(f"u{number}"))
        if number % 20:
            uses.remove([f"u{number}"])
        sizes.append(log.stat().st_size)
    assert max(sizes[30:]) < 2 * max(sizes[:30])
    assert [use.id for use in uses.all()] == ["u0", "u20", "u40"]


def test_a_use_that_cannot_be_kept_is_told(uses: PendingUses, tmp_path: Path) -> None:
    uses.add(a_use("u1"))
    (tmp_path / "pending" / "uses.log").rename(tmp_path / "away")
    (tmp_path / "pending" / "uses.log").mkdir()
    with pytest.raises(WriteFailed):
        uses.add(a_use("u2"))
    with pytest.raises(WriteFailed):
        uses.remove(["u1"])
