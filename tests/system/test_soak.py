"""Days of three servers in a hundred calls; the same in large is `python -m tests.bench.soak`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.bench.soak import soak


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.row("I9")
def test_days_of_mixed_calls_lose_no_save_and_leave_the_index_right(tmp_path: Path) -> None:
    report = soak(tmp_path, notes=20, calls=90, slices=2)
    assert report.sound, report
    assert report.calls == 90
    assert report.kinds["save"] > 3
    first, last = report.slices
    assert last.descriptors <= first.descriptors + 8
    assert last.threads <= first.threads + 4
