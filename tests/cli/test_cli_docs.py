"""The page about the commands says what the program says."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.core import TyperCommand, TyperGroup

from mnemex_vault.cli.main import Group, make_commands

PAGE = (Path(__file__).parents[2] / "docs/cli.md").read_text("utf-8")
COMMANDS = make_commands()
SECTIONS = dict(re.findall(r"^### `mnemex ([\w-]+)[^`]*`\n(.*?)(?=^###? |\Z)", PAGE, re.MULTILINE | re.DOTALL))
COMMON = {"--vault", "--json", "--no-color", "--help"}


def command_of(commands: TyperGroup, name: str) -> TyperCommand:
    found = commands.commands[name]
    assert isinstance(found, TyperCommand)
    return found


def test_every_command_has_its_section_in_the_order_of_the_help() -> None:
    assert list(SECTIONS) == list(COMMANDS.commands)
    groups = re.findall(r"^## (.*)$", PAGE, re.MULTILINE)
    assert groups == [group.value for group in Group]


@pytest.mark.parametrize("name", COMMANDS.commands)
def test_a_section_begins_with_the_help_and_has_every_option_with_its_meaning(name: str) -> None:
    command = command_of(COMMANDS, name)
    assert SECTIONS[name].strip().startswith(command.help)
    documented = dict(re.findall(r"^\| `(--[\w-]+)[^|]* \| ([^|]*) \|$", SECTIONS[name], re.MULTILINE))
    options = {
        parameter.opts[0]: str(getattr(parameter, "help", ""))
        for parameter in command.params
        if parameter.param_type_name == "option" and parameter.opts[0] not in COMMON
    }
    assert documented.keys() == options.keys()
    for option, meaning in options.items():
        assert documented[option].startswith(meaning)


@pytest.mark.parametrize("name", COMMANDS.commands)
def test_every_command_has_the_common_options(name: str) -> None:
    command = command_of(COMMANDS, name)
    options = {option for parameter in command.params for option in parameter.opts}
    assert COMMON - {"--help"} <= options


EXAMPLES = re.findall(r"mnemex .*$", "\n".join(re.findall(r"^```sh\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)), re.M)


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_is_understood(example: str) -> None:
    _, name, *arguments = shlex.split(example)
    command_of(COMMANDS, name).make_context(name, arguments)


@pytest.mark.parametrize("name", COMMANDS.commands)
def test_the_first_sentence_fits_into_the_list_of_commands(name: str) -> None:
    sentence = command_of(COMMANDS, name).get_short_help_str(limit=70)
    assert sentence.endswith(".")
    assert not sentence.endswith("...")
