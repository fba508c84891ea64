"""The command line: one Typer app, and the one place where errors become lines and exit codes."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer._completion_classes import completion_init
from typer.core import TyperGroup
from typer.main import get_command

from mnemex_vault import __version__
from mnemex_vault.cli.backing_up import backup, merge_driver
from mnemex_vault.cli.connecting import connect
from mnemex_vault.cli.console import Console
from mnemex_vault.cli.demo import demo
from mnemex_vault.cli.editing import adopt, update
from mnemex_vault.cli.failures import told_to_the_person
from mnemex_vault.cli.finding import search
from mnemex_vault.cli.healing import heal
from mnemex_vault.cli.hooking import hook
from mnemex_vault.cli.lab import lab
from mnemex_vault.cli.maintaining import maintain
from mnemex_vault.cli.moving import demote, forget, promote, restore
from mnemex_vault.cli.moving_in import import_memories, migrate
from mnemex_vault.cli.moving_out import export
from mnemex_vault.cli.noting import note
from mnemex_vault.cli.overview import doctor, status
from mnemex_vault.cli.past import history, undo
from mnemex_vault.cli.plugin import plugin
from mnemex_vault.cli.prompting import prompt
from mnemex_vault.cli.reading import show
from mnemex_vault.cli.relating import relate, unrelate
from mnemex_vault.cli.reviewing import review
from mnemex_vault.cli.saving import save
from mnemex_vault.cli.serving import serve, serve_vault
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.setup import init
from mnemex_vault.cli.trial import try_vault
from mnemex_vault.cli.upkeep import gc, reindex
from mnemex_vault.cli.using import pin, touch
from mnemex_vault.clock import Clock, utc_now

_COMMANDS: tuple[tuple[str, Callable[..., None]], ...] = (
    ("init", init),
    ("try", try_vault),
    ("demo", demo),
    ("connect", connect),
    ("prompt", prompt),
    ("hook", hook),
    ("serve", serve),
    ("save", save),
    ("search", search),
    ("show", show),
    ("update", update),
    ("touch", touch),
    ("pin", pin),
    ("promote", promote),
    ("demote", demote),
    ("forget", forget),
    ("restore", restore),
    ("adopt", adopt),
    ("relate", relate),
    ("unrelate", unrelate),
    ("review", review),
    ("gc", gc),
    ("maintain", maintain),
    ("lab", lab),
    ("status", status),
    ("doctor", doctor),
    ("heal", heal),
    ("reindex", reindex),
    ("history", history),
    ("undo", undo),
    ("migrate", migrate),
    ("import", import_memories),
    ("export", export),
    ("note", note),
    ("backup", backup),
    ("merge-driver", merge_driver),
    ("plugin", plugin),
)


def make_commands() -> TyperGroup:
    """Return the group of all commands."""
    app = typer.Typer(
        name="mnemex",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        no_args_is_help=False,
    )
    app.callback(invoke_without_command=True)(_start)
    for name, function in _COMMANDS:
        app.command(name)(function)
    completion_init()
    commands = get_command(app)
    if not isinstance(commands, TyperGroup):
        raise TypeError("one command alone is no group")
    return commands


def _start(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    """A human-like memory for AI assistants in your own Obsidian vault."""
    if context.invoked_subcommand is not None:
        return
    session = Session.of(context, as_json=False)
    if version:
        session.console.say(f"mnemex {__version__}")
    elif session.stdin.isatty():
        session.console.say(context.get_help())
    else:
        serve_vault(session, None)


def main(
    arguments: Sequence[str] | None = None, *, environ: Mapping[str, str] | None = None, clock: Clock = utc_now
) -> NoReturn:
    """Run one command and exit: 0 done, 1 a clear error, 2 wrong usage."""
    given = sys.argv[1:] if arguments is None else arguments
    run(make_commands(), given, environ=os.environ if environ is None else environ, clock=clock)


def run(commands: TyperGroup, arguments: Sequence[str], *, environ: Mapping[str, str], clock: Clock) -> NoReturn:
    """Run one command on the standard streams and exit."""
    console = Console(sys.stdout, sys.stderr, environ=environ)
    with told_to_the_person(console), _log_to(console):
        session = Session(console=console, environ=environ, clock=clock, stdin=sys.stdin, working_folder=Path.cwd())
        commands.main(list(arguments), prog_name="mnemex", obj=session)
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
