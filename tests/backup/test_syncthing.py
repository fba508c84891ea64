"""Three devices share a vault through the real Syncthing; the same in large is `python -m tests.bench.syncthing`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.syncthing import arrive, interrupt, simulate
from tests.system import faults

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(autouse=True)
def installed() -> None:
    faults.programs("syncthing")


def test_what_three_devices_did_apart_is_all_there_or_named_by_doctor(tmp_path: Path) -> None:
    report = simulate(tmp_path, notes=20, rounds=2, uses=4)
    assert report.sound, report
    assert report.copies > 0
    assert report.joined > 0


@pytest.mark.row("F5")
def test_a_transfer_that_is_cut_off_is_no_note_until_it_is_whole(tmp_path: Path) -> None:
    interruption = interrupt(tmp_path, megabytes=1)
    assert interruption.sound, interruption


def test_a_vault_that_arrives_while_a_server_runs_is_known_and_found(tmp_path: Path) -> None:
    arrival = arrive(tmp_path, notes=150)
    assert arrival.sound, arrival
