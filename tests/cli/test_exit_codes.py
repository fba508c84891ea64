"""Every bad value of an option, an argument, a variable or a setting ends with exit code 2, and changes nothing."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.core import TyperArgument, TyperCommand, TyperOption

from mnemex_vault.cli.main import make_commands
from mnemex_vault.settings import TABLE
from tests.cli.conftest import Run, Saver, contents

# texts, names and places, in which nothing is wrong as long as it is text
FREE = {"--title", "--valid-from", "--as-of", "--batch", "--public-url",
        "--tag", "--entity", "--project", "--source", "--context", "--supersedes", "--etag", "--folder",
        "--reason", "--name", "--note", "--message", "--read", "--host", "--vault", "--model", "--old-path", "--new-path",
        "--env-path", "--take"}  # fmt: skip
# what a shell hands over for bytes that are no text
NO_TEXT = "a\udcffb"
CHOICES = {
    "--origin",
    "--on-duplicate",
    "--upkeep",
    "--format",
    "--tier",
    "--only",
    "--set",
    "--at",
    "--type",
    "--sort",
    "--kind",
    "--after",
    "--before",
    "--as-of",
}
CHOSEN = {"client", "action", "length"}
# any number will do
ANY_NUMBER = {"--seed"}
# programs start these, and they answer programs
NOT_WALKED = {"hook", "merge-driver", "serve"}
BESIDE = {"lab": ["--synthetic"], "forget": ["--yes"], "note": ["create"]}


def bad_values() -> Iterator[list[str]]:
    """Yield each command line with one bad value in it, all else as it should be."""
    for name, command in make_commands().commands.items():
        assert isinstance(command, TyperCommand)
        if name not in NOT_WALKED:
            yield from _of(name, command)


def _of(name: str, command: TyperCommand) -> Iterator[list[str]]:
    arguments = [each for each in command.params if isinstance(each, TyperArgument)]
    needed = ["KNOWN" for each in arguments if each.required]
    for option in command.params:
        if isinstance(option, TyperOption):
            for value in _bad(option):
                yield [name, *needed, *BESIDE.get(name, []), option.opts[0], value]
    for argument in arguments:
        if argument.name in CHOSEN:
            yield [name, "no such thing"]


def _bad(option: TyperOption) -> list[str]:
    kind = option.type_descriptor.annotation
    if kind is bool or option.opts[0] in ("--json", "--help"):
        return []
    if kind in (int, float):
        return ["much", "", *([] if option.opts[0] in ANY_NUMBER else ["-1"]), *(["nan"] if kind is float else ["2.5"])]
    return ["no such thing"] if option.opts[0] in CHOICES else []


def test_every_option_with_a_text_is_known_to_be_a_choice_or_free() -> None:
    options = {
        each.opts[0]
        for command in make_commands().commands.values()
        for each in command.params
        if isinstance(each, TyperOption) and each.type_descriptor.annotation not in (bool, int, float)
    }
    assert options == CHOICES | FREE


@pytest.mark.parametrize("line", list(bad_values()), ids=" ".join)
def test_a_bad_value_ends_with_two_and_changes_nothing(line: list[str], run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved()
    before = contents(vault)
    outcome = run(*(memory_id if part == "KNOWN" else part for part in line))
    assert outcome.code == 2, outcome.err
    assert outcome.err
    assert contents(vault) == before


TEXTS = [
    ["save", NO_TEXT],
    ["save", "x", "--tag", NO_TEXT],
    ["save", "x", "--title", NO_TEXT],
    ["save", "x", "--project", NO_TEXT],
    ["update", "KNOWN", NO_TEXT],
    ["update", "KNOWN", "--source", NO_TEXT],
    ["note", "create", NO_TEXT, "x"],
    ["note", "create", "x", NO_TEXT],
    ["promote", "KNOWN", "--force", "--folder", "../out"],
    ["relate", "KNOWN", "KNOWN"],
]


@pytest.mark.parametrize("line", TEXTS, ids=lambda line: f"{line[0]}-{line[-2]}")
def test_a_text_that_can_never_be_kept_ends_with_two(line: list[str], run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved()
    before = contents(vault)
    outcome = run(*(memory_id if part == "KNOWN" else part for part in line))
    assert outcome.code == 2, outcome.err
    assert contents(vault) == before


@pytest.mark.parametrize("name", [row.name for row in TABLE.values()])
def test_a_bad_variable_ends_with_two(name: str, run: Run) -> None:
    row = TABLE[name]
    try:
        row.kind.read("no such thing")
    except ValueError:
        wrong = {row.variables[0]: "no such thing"}
        outcome = run("status", typed="", terminal=False, **wrong)
        assert outcome.code == 2
        assert row.variables[0] in outcome.err


def test_what_is_right_in_form_and_is_not_there_ends_with_one(run: Run, saved: Saver, tmp_path: Path) -> None:
    saved()
    for line in (
        ["show", "nobody"],
        ["undo", "op12345678"],
        ["restore", "Anna plays the cello on Mondays"],
        ["import", str(tmp_path / "nothing.json")],
        ["status", "--vault", str(tmp_path / "nothing")],
    ):
        assert run(*line).code == 1, line
