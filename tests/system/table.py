"""Run the tests of the fault table and print it: `python -m tests.system.table [--storms] [pytest arguments]`."""

from __future__ import annotations

import ast
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.system.rows import ROWS

TESTS = Path(__file__).parents[1]
_WORDS = {"passed": "passed", "failed": "FAILED", "skipped": "skipped"}


class Results:
    """A pytest plugin that runs only tests with a row, and keeps how each ended."""

    def __init__(self) -> None:
        self.rows: dict[str, set[str]] = {}
        self.outcomes: dict[str, str] = {}

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        marked = {item.nodeid: set(row_ids(item)) for item in items}
        config.hook.pytest_deselected(items=[item for item in items if not marked[item.nodeid]])
        items[:] = [item for item in items if marked[item.nodeid]]
        self.rows = {node: rows for node, rows in marked.items() if rows}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.when == "call" or report.outcome != "passed":
            reason = f": {report.longrepr[2]}" if report.skipped and isinstance(report.longrepr, tuple) else ""
            self.outcomes[report.nodeid] = _WORDS[report.outcome] + reason.replace("Skipped: ", "")


def row_ids(item: pytest.Item) -> Iterator[str]:
    for mark in item.iter_markers("row"):
        yield from mark.args


def marked_rows() -> dict[str, list[str]]:
    """Return row -> tests that carry it, read from the sources."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                for row in _rows_of(node):
                    found[row].append(f"{path.relative_to(TESTS.parent).as_posix()}::{node.name}")
    return dict(found)


def _rows_of(node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[str]:
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.row":
            yield from (str(ast.literal_eval(argument)) for argument in mark.args)


def lines(results: Results) -> Iterator[str]:
    by_row: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for node, rows in results.rows.items():
        for row in rows:
            by_row[row][node.partition("[")[0]].add(results.outcomes.get(node, "not run"))
    for row, fault in ROWS.items():
        yield f"{row:<4} {fault}"
        for test, outcomes in sorted(by_row[row].items()):
            yield f"       {', '.join(sorted(outcomes))}  {test}"
        if not by_row[row]:
            yield "       MISSING"


def main(arguments: list[str]) -> int:
    """Return 0 if every row has passed or says what it needs."""
    results = Results()
    code = pytest.main(["-q", "--no-header", "--full", str(TESTS), *arguments], plugins=[results])
    text = "\n".join(lines(results))
    sys.stdout.write(f"\n{text}\n")
    return int(code) or int("MISSING" in text)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
