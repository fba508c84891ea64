"""A key in any argument of any command that writes: refused with kind and place, and nowhere to be found afterwards."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.core import TyperCommand, TyperGroup

from tests.cli.conftest import Run, Saver

TOKEN = "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
# what is asked is written nowhere, and git says itself which note it merges
UNCHECKED = {"search", "show", "try", "merge-driver"}


def texts_of(command: TyperCommand) -> Iterator[Any]:
    """Yield the parameters that take any text."""
    parameters: list[Any] = command.params
    yield from (each for each in parameters if each.type_descriptor.annotation in (str, list[str]))


def line_with(command: TyperCommand, chosen: Any, text: str) -> list[str]:
    """Return arguments in which this parameter alone has the text, and those that must stand beside it have something."""
    places = [each for each in command.params if each.param_type_name == "argument"]
    last = places.index(chosen) if chosen in places else -1
    line = [text if each is chosen else "x" for at, each in enumerate(places) if at <= last or each.required]
    return line if chosen in places else [*line, chosen.opts[0], text]


def texts_of_all(commands: TyperGroup) -> Iterator[tuple[str, list[str], str]]:
    for name, command in commands.commands.items():
        assert isinstance(command, TyperCommand)
        if name not in UNCHECKED:
            yield from ((name, line_with(command, each, f"Tea {TOKEN}"), each.name or "") for each in texts_of(command))


@pytest.mark.row("J6", "S17", "S19")
def test_no_argument_of_a_command_lets_a_secret_through(
    run: Run, saved: Saver, commands: TyperGroup, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    saved()
    tried = set()
    for name, line, parameter in texts_of_all(commands):
        tried.add((name, parameter))
        outcome = run(name, *line)
        assert outcome.code == 1, (name, parameter, outcome)
        assert f"{parameter} holds what looks like a secret: GitHub token in line 1, column 5" in outcome.err
        assert TOKEN not in outcome.out + outcome.err
    assert len(tried) > 30
    assert {("forget", "reason"), ("save", "situation"), ("note", "texts"), ("backup", "message")} <= tried
    found = [path for path in tmp_path.rglob("*") if path.is_file() and TOKEN.encode() in path.read_bytes()]
    assert found == []
    assert TOKEN not in caplog.text


@pytest.mark.row("J6", "S17")
@pytest.mark.parametrize("line", [["save", "-"], ["note", "create", "Plan"], ["update", "<id>", "-"]])
def test_a_secret_that_is_typed_is_refused_and_kept_if_wanted(
    run: Run, saved: Saver, vault: Path, line: list[str]
) -> None:
    memory_id = saved()
    words = [memory_id if word == "<id>" else word for word in line]
    refused = run(*words, typed=f"First line.\nKey: {TOKEN}\n")
    assert refused.code == 1
    assert "GitHub token in line 2, column 6; leave it out, or keep it with --allow-secret" in refused.err
    assert TOKEN not in refused.out + refused.err
    assert run(*words, "--allow-secret", typed=f"Key: {TOKEN}\n").code == 0
    assert any(TOKEN in path.read_text(encoding="utf-8") for path in vault.rglob("*.md"))


def test_a_setting_switches_the_search_off(run: Run, saved: Saver) -> None:
    outcome = run("forget", saved(), "--reason", f"Key: {TOKEN}", MNEMEX_DETECT_SECRETS="false")
    assert outcome.code == 0, outcome.err


def test_a_memory_may_be_called_by_its_name_whatever_that_looks_like(run: Run, saved: Saver) -> None:
    memory_id = saved(f"The token is {TOKEN}", "--allow-secret", "--title", f"Token {TOKEN}")
    assert run("touch", f"Token {TOKEN}").code == 0
    forgotten = run("forget", f"Token {TOKEN}", "--json")
    assert forgotten.code == 0, forgotten.err
    assert memory_id in forgotten.out
    assert run("touch", f"Other token {TOKEN}").code == 1
