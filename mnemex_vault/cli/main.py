"""The command line: one Typer app, and the one place where errors become lines and exit codes."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_command

from mnemex_vault import __version__
from mnemex_vault.cli import completing
from mnemex_vault.cli.colours import with_colours
from mnemex_vault.cli.commands import COMMANDS, GroupedCommands, PlainCommand, usual_name
from mnemex_vault.cli.console import Console
from mnemex_vault.cli.failures import told_to_the_person
from mnemex_vault.cli.secret_arguments import without_secrets
from mnemex_vault.cli.session import Session
from mnemex_vault.clock import Clock, utc_now

_EPILOG = "Begin with `mnemex demo` or `mnemex try FOLDER`, which writes nothing. More: `mnemex COMMAND --help`."
_CALLS_OTHERS = frozenset({"demo"})
# what is asked is written nowhere, and may be how a person looks for a secret that slipped in; git says which note it
# merges, and must not be refused
_UNCHECKED = frozenset({"search", "show", "try", "merge-driver"})


def make_commands(only: str | None = None) -> TyperGroup:
    """Return the group of all commands, or of one."""
    app = typer.Typer(
        name="mnemex",
        cls=GroupedCommands,
        epilog=_EPILOG,
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=False,
    )
    app.callback(invoke_without_command=True)(_start)
    for name in COMMANDS if only is None else (only,):
        command = COMMANDS[name]
        function = command.function()
        app.command(
            name,
            cls=PlainCommand,
            hidden=command.hidden,
            context_settings={"token_normalize_func": usual_name},
        )(with_colours(function if name in _UNCHECKED else without_secrets(function)))
    commands = get_command(app)
    # after the usual classes, in place of one of them
    completing.set_up()
    if not isinstance(commands, TyperGroup):
        raise TypeError("one command alone is no group")
    return commands


def _start(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    """A human-like memory for AI assistants in your own Obsidian vault."""
    if context.invoked_subcommand is not None:
        return
    from mnemex_vault.cli.serving import serve_vault

    session = Session.of(context, as_json=False)
    if version:
        session.console.say(f"mnemex {__version__}")
    elif session.stdin.isatty():
        session.console.say_exactly(context.get_help())
    else:
        serve_vault(session, None)


def main(
    arguments: Sequence[str] | None = None, *, environ: Mapping[str, str] | None = None, clock: Clock = utc_now
) -> NoReturn:
    """Run one command and exit: 0 done, 1 it failed, 2 a value or usage that is wrong."""
    given = sys.argv[1:] if arguments is None else arguments
    only = given[0] if given and given[0] in COMMANDS and given[0] not in _CALLS_OTHERS else None
    run(make_commands(only), given, environ=os.environ if environ is None else environ, clock=clock)


def run(commands: TyperGroup, arguments: Sequence[str], *, environ: Mapping[str, str], clock: Clock) -> NoReturn:
    """Run one command on the standard streams and exit."""
    console = Console(sys.stdout, sys.stderr, environ=environ)
    with told_to_the_person(console), _log_to(console):
        session = Session(console=console, environ=environ, clock=clock, stdin=sys.stdin, working_folder=Path.cwd())
        try:
            commands.main(list(arguments), prog_name="mnemex", obj=session)
        finally:
            console.bars.hide()
    sys.exit(0)


class _ConsoleLog(logging.Handler):
    """Writes warnings of the package as lines for the person."""

    def __init__(self, console: Console) -> None:
        super().__init__(logging.WARNING)
        self._console = console

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line."""
        self._console.warn(record.getMessage())


@contextmanager
def _log_to(console: Console) -> Iterator[None]:
    log = logging.getLogger("mnemex_vault")
    output = _ConsoleLog(console)
    log.addHandler(output)
    try:
        yield
    finally:
        log.removeHandler(output)
