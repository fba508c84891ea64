"""Three devices share a vault through git for a month; the same in large is `python -m tests.bench.devices`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.devices import simulate


# about half a minute of work, most of it starting git, which a busy machine makes several
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_month_on_three_devices_loses_no_sentence_and_no_use(tmp_path: Path) -> None:
    report = simulate(tmp_path, notes=200, days=30, uses=2)
    assert report.sound, report
    assert report.uses == 180
    assert report.merges > 50
    assert report.conflicts_in_texts > 0
