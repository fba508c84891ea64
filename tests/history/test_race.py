"""A person saves all the time, in a process of their own, while we change the same note."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemex_vault.errors import NoteChanged
from mnemex_vault.history.recovery import recheck_parked
from mnemex_vault.history.steps import Update
from tests.disk.conftest import NOW, Disk

SAVES = 150
# far longer than an exchange and its look take, also on a busy machine
PATIENCE_SECONDS = 1.5


def save_in_place(path: Path, text: str) -> None:
    path.write_text(text)


def save_by_rename(path: Path, text: str) -> None:
    temporary = path.with_name(".editor.swp")
    temporary.write_text(text)
    temporary.rename(path)


def edit(path: Path, save: Callable[[Path, str], None], report: Path) -> None:
    """Save a new text again and again; report which saves were not in the note soon after."""
    missing = []
    for number in range(1, SAVES + 1):
        save(path, f"human {number}\n")
        if not stays(path, number):
            missing.append(number)
        time.sleep(0.002 * (number % 7))
    report.write_text(json.dumps(missing))


def stays(path: Path, number: int) -> bool:
    end = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < end:
        if path.read_text().startswith(f"human {number}\n"):
            return True
        time.sleep(0.0005)
    return False


def adding(line: str) -> Callable[[str], str]:
    return lambda text: text.partition("\n")[0] + "\n" + line


@pytest.mark.slow
@pytest.mark.row("E1", "E2", "T5")
@pytest.mark.parametrize("save", [save_in_place, save_by_rename])
def test_no_save_of_a_person_is_lost(disk: Disk, tmp_path: Path, save: Callable[[Path, str], None]) -> None:
    path = disk.put("a.md", "human 0\n")
    child = os.fork()
    if child == 0:
        try:
            edit(path, save, tmp_path / "report")
        finally:
            os._exit(0)
    writes = 0
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        try:
            disk.perform(Update("a.md", adding(f"tool {writes}\n")))
        except NoteChanged:
            continue
        writes += 1
    missing = json.loads((tmp_path / "report").read_text())
    recheck_parked(disk.vault, disk.journal, now=NOW)
    in_sight = "".join(data.decode() for data in disk.snapshot().values())
    assert writes > 3
    assert [number for number in missing if f"human {number}\n" not in in_sight] == []
    assert disk.vault.leftovers() == []
