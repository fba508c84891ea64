"""Power cuts and kills in the midst of an import of many memories: afterwards all are there, or none."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemex_vault.app import open_app
from mnemex_vault.domain.memory import RelationType, Tier, Usage
from mnemex_vault.importers.bringing_in import Importer
from mnemex_vault.importers.findings import Connection, Findings, Record
from mnemex_vault.text.note import Note
from tests.system import faults
from tests.system.checking import check_all, check_vault, notes_of

# more than are flushed together
MANY = 250
PAST = datetime(2026, 3, 1, tzinfo=UTC)


def many() -> Findings:
    usage = Usage(created=PAST, last_used=PAST)
    tiers = (Tier.SHORT_TERM, Tier.SHORT_TERM, Tier.LONG_TERM, Tier.ARCHIVED)
    return Findings(
        records=tuple(
            Record(id=f"m{number}", content=f"Bulk fact {number}, end{number}.", tier=tiers[number % 4], usage=usage)
            for number in range(MANY)
        ),
        connections=tuple(
            Connection(source_id=f"m{number}", target_id=f"m{number + 1}", type=RelationType.RELATED)
            for number in range(MANY - 1)
        ),
    )


def importing(environ: dict[str, str], vault: Path) -> Callable[[faults.Say], None]:
    def work(say: faults.Say) -> None:
        with open_app(vault, environ=environ, options={"timezone": "UTC"}) as app:
            importer, found = Importer(app.memories), many()
            importer.plan(found)
            say("ready")
            importer.run(found, summary="many")
            say("done")

    return work


def check(vault: Path, environ: dict[str, str], scratch: Path, *, acknowledged: bool) -> int:
    """Recover, look at every note, and return how many there are."""
    for path in notes_of(vault):
        assert path.stat().st_size > 0
    with open_app(vault, environ=environ, options={"timezone": "UTC"}) as app:
        check_vault(vault)
        assert app.store.journal.unfinished() == []
    notes = [Note.parse("x.md", path.read_bytes()) for path in notes_of(vault)]
    assert len(notes) in ((MANY,) if acknowledged else (0, MANY))
    assert all(note.content.endswith(f"end{(note.memory_id or '')[1:]}.") for note in notes)
    check_all(vault, environ, scratch, words=("bulk",))
    return len(notes)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("A8")
@pytest.mark.parametrize("kind", ["ext4", "xfs"])
@pytest.mark.parametrize("how", [faults.JOURNAL_FLUSHED, faults.JOURNAL_LOST], ids=["kept", "lost"])
def test_a_power_cut_in_an_import_leaves_all_or_nothing(tmp_path: Path, kind: str, how: int, storms: bool) -> None:
    disk = faults.Disk(tmp_path / "image", kind, tmp_path / "disk")
    environ = {"MNEMEX_STATE_PATH": str(disk.place / "state"), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    chance = random.Random(how)
    for round_ in range(8 if storms else 2):
        vault = disk.place / f"vault {round_}"
        with disk.mounted():
            vault.mkdir()
            with faults.child(importing(environ, vault)) as child:
                child.wait_for("ready")
                time.sleep(chance.uniform(0, 1.2))
                disk.cut_power(how)
                said = child.said()
                child.kill()
        with disk.mounted():
            # a vault that was never flushed is gone as a whole
            vault.mkdir(exist_ok=True)
            check(vault, environ, tmp_path / f"scratch {round_}", acknowledged="done" in said)


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("A8")
@pytest.mark.parametrize(("call", "when"), [("renameat2", 2), ("renameat2", 230), ("syncfs", 2), ("fsync", 2)])
def test_a_kill_in_an_import_leaves_all_or_nothing(
    vault: Path, environ: dict[str, str], tmp_path: Path, call: str, when: int
) -> None:
    faults.need_strace()
    with faults.child(importing(environ, vault), stopped=True) as child:
        with faults.injected(child, f"{call}:signal=KILL:when={when}"):
            child.wait()
        assert "done" not in child.said()
    check(vault, environ, tmp_path / "scratch", acknowledged=False)
