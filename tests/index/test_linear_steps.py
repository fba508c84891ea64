"""What a strange text costs, in calls of functions: a text twice as long takes about twice as many, whatever it is."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from mnemex_vault.index.text_index import TextIndex
from tests.index.texts import found, note

SHAPES: dict[str, Callable[[int], str]] = {
    "one word": lambda size: "x" * size,
    "one number": lambda size: "7" * size,
    "distinct words": lambda size: " ".join(f"{chr(97 + n % 26)}{n:x}q" for n in range(size // 6)),
    "one line": lambda size: "river stone " * (size // 12),
    "one sentence a line": lambda size: "We met Anna in Riga.\n" * (size // 21),
    "hyphens": lambda size: "a-" * (size // 2),
    "marks": lambda size: "e\u0301" * (size // 2),
    "Chinese": lambda size: "\u82b1\u751f" * (size // 2),
    "quotes in quotes": lambda size: ">" * size + " tea",
    "lists in lists": lambda size: "\n".join("  " * (n % 40) + "- tea" for n in range(size // 40)),
    "brackets in brackets": lambda size: "[" * (size // 2) + "]" * (size // 2),
    "dates": lambda size: "3 May 2024 " * (size // 11),
}
SIZE = 8_000


def steps(work: Callable[[], object]) -> int:
    """Return how many calls of functions the work takes."""
    count = 0

    def step(*_: object) -> None:
        nonlocal count
        count += 1

    sys.setprofile(step)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def taken_in_and_asked(folder: Path, text: str) -> None:
    index = TextIndex(folder)
    index.stage([note("strange.md", text), note("plain.md", "zebra")])
    assert found(index, "zebra") == ["plain.md"]
    index.alike(text, lambda _: True, threshold=0.5, count=3)
    found(index, text[:1_000])


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_twice_as_long_a_text_takes_about_twice_as_many_steps(tmp_path: Path, shape: str) -> None:
    # what is remembered of words takes no steps again, in neither of the two
    taken_in_and_asked(tmp_path / "first", SHAPES[shape](2 * SIZE))
    long = steps(partial(taken_in_and_asked, tmp_path / "long", SHAPES[shape](2 * SIZE)))
    short = steps(partial(taken_in_and_asked, tmp_path / "short", SHAPES[shape](SIZE)))
    assert long <= 2.5 * short + 1_000
