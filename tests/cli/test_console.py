from __future__ import annotations

import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.cli.console import Console
from mnemex_vault.cli.sheet import Faint, Heading, one_line, safe

HOSTILE = "a\x1b]0;owned\x07b\x9b31mc\u202ed\u2066e\rf\x7fg"
ACTING = set(HOSTILE) - set("abcdefg]0;owned31m")


class Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def console(out: io.StringIO, **environ: str) -> Console:
    return Console(out, io.StringIO(), environ=environ)


def test_nothing_in_a_text_acts_on_a_terminal() -> None:
    screen = Screen()
    console(screen, NO_COLOR="1").say(HOSTILE, Heading(HOSTILE), Faint(HOSTILE))
    assert not ACTING & set(screen.getvalue())


def test_what_goes_into_a_file_is_exact() -> None:
    file = io.StringIO()
    console(file).say(HOSTILE)
    assert file.getvalue() == f"{HOSTILE}\n"


def test_errors_and_warnings_are_one_safe_line() -> None:
    err = io.StringIO()
    writer = Console(io.StringIO(), err)
    writer.warn(f"no\n{HOSTILE}")
    writer.fail(f"no\n{HOSTILE}")
    assert err.getvalue().count("\n") == 2
    assert not ACTING & set(err.getvalue())


def test_styles_are_for_terminals_alone() -> None:
    screen, file = Screen(), io.StringIO()
    console(screen).say(Heading("Title"))
    console(file).say(Heading("Title"))
    assert screen.getvalue() == "\x1b[1mTitle\x1b[0m\n"
    assert file.getvalue() == "Title\n"


@pytest.mark.parametrize("environ", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_styles_can_be_refused(environ: dict[str, str]) -> None:
    screen = Screen()
    console(screen, **environ).say(Heading("Title"))
    assert screen.getvalue() == "Title\n"


def test_a_character_that_the_terminal_lacks_is_shown_by_its_number() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="latin-1")
    Console(stream, io.StringIO()).say("Zoë █")
    assert raw.getvalue() == b"Zo\xeb \\u2588\n"


def test_json_is_ascii_and_holds_the_exact_text() -> None:
    out = io.StringIO()
    writer = console(out)
    writer.as_json = True
    writer.answer({"text": HOSTILE + "Zoë \ud800"}, ["unused"])
    writer.say("unused")
    assert all(" " <= character <= "~" or character == "\n" for character in out.getvalue())
    assert json.loads(out.getvalue()) == {"text": HOSTILE + "Zoë \ud800"}


@given(st.text())
def test_safe_text_keeps_its_length_and_is_safe(text: str) -> None:
    made = safe(text)
    assert len(made) == len(text)
    assert safe(made) == made
    assert not any(ord(character) < 32 or character in "\u2028\u2029" for character in one_line(text))
