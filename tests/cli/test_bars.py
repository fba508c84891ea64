from __future__ import annotations

import io
import re

import pytest

from mnemex_vault.cli.bars import Bars
from mnemex_vault.cli.console import Console
from tests.waiting import wait_until


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def bars(screen: Screen, *, after: float = 0.0, shown: bool = True, styled: bool = False) -> Bars:
    return Bars(screen, shown=shown, styled=styled, after=after)


def seen(screen: Screen) -> str:
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", screen.getvalue())


def test_work_that_lasts_is_counted_and_leaves_nothing_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    screen = Screen()
    shown = bars(screen)
    tell = shown.watch("Reading notes")
    tell(1_000, 2_000)
    tell(2_000, 2_000)
    assert "Reading notes" in seen(screen)
    assert "━" in seen(screen)
    # the line is taken away and the cursor is to be seen
    assert screen.getvalue().endswith("\x1b[2K")
    assert screen.getvalue().rindex("\x1b[?25h") > screen.getvalue().rindex("\x1b[?25l")


def test_quick_work_is_not_shown() -> None:
    screen = Screen()
    shown = bars(screen, after=60)
    tell = shown.watch("Reading notes")
    for done in range(1, 1_001):
        tell(done, 1_000)
    with shown.working("Taking a snapshot"):
        pass
    assert screen.getvalue() == ""


def test_work_of_unknown_length_is_shown_without_news_of_it() -> None:
    screen = Screen()
    with bars(screen, after=0.01).working("Taking a snapshot"):
        wait_until(lambda: "Taking a snapshot" in screen.getvalue())
    assert screen.getvalue().endswith("\x1b[2K")


def test_what_is_counted_is_shown_rather_than_the_whole_it_belongs_to() -> None:
    screen = Screen()
    shown = bars(screen)
    with shown.working("Bringing memories in"):
        tell = shown.watch("Writing notes")
        tell(5, 10)
        shown.hide()
        assert "5 of 10" in seen(screen)
        before = len(seen(screen))
        tell(10, 10)
        shown.hide()
        assert "Bringing memories in" in seen(screen)[before:]


def test_nothing_is_written_where_nobody_looks() -> None:
    file = Screen()
    shown = bars(file, shown=False)
    shown.watch("Reading notes")(1, 2)
    with shown.working("Taking a snapshot"):
        pass
    assert file.getvalue() == ""


def test_a_bar_without_colours_has_none() -> None:
    screen = Screen()
    tell = bars(screen).watch("Reading notes")
    tell(1, 2)
    tell(2, 2)
    assert not re.search(r"\x1b\[[0-9;]*m", screen.getvalue())


def test_a_warning_does_not_stand_in_the_line_of_the_bar() -> None:
    screen = Screen()
    console = Console(io.StringIO(), screen)
    console.bars = bars(screen)
    tell = console.watch("Reading notes")
    tell(1, 2)
    console.warn("a note cannot be read")
    assert screen.getvalue().endswith("\x1b[2Kmnemex: a note cannot be read\n")
    tell(2, 2)
