from __future__ import annotations

import pytest

from tests.system.rows import ROWS
from tests.system.table import Results, lines, marked_rows


def test_every_row_has_a_test_and_every_test_a_row_that_exists() -> None:
    assert set(marked_rows()) == set(ROWS)


def test_the_table_tells_how_each_row_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    results = Results()
    results.rows = {"tests/a.py::one[x]": {"A1"}, "tests/a.py::one[y]": {"A1"}, "tests/b.py::two": {"A1", "A2"}}
    results.outcomes = {
        "tests/a.py::one[x]": "passed",
        "tests/a.py::one[y]": "FAILED",
        "tests/b.py::two": "skipped: needs root",
    }
    table = list(lines(results))
    assert table[:3] == [
        "A1   killed between any two steps of a save",
        "       FAILED, passed  tests/a.py::one",
        "       skipped: needs root  tests/b.py::two",
    ]
    assert "       MISSING" in table
