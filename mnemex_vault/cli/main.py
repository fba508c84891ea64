"""The command line: one Typer app, its commands by what a person wants to do, and where errors become exit codes."""

from __future__ import annotations

import inspect
import logging
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from typer._click import Context, HelpFormatter
from typer._click.exceptions import ClickException
from typer.core import TyperArgument, TyperCommand, TyperGroup
from typer.main import get_command

from mnemex_vault import __version__
from mnemex_vault.cli import completing
from mnemex_vault.cli.console import Console
from mnemex_vault.cli.failures import told_to_the_person
from mnemex_vault.cli.session import Session, names_a_note
from mnemex_vault.clock import Clock, utc_now
from mnemex_vault.errors import ConfigError


class Group(StrEnum):
    """What a person wants to do, in the words of the help."""

    SET_UP = "Set up and connect"
    REMEMBER = "Remember"
    FIND = "Find"
    LOOK_AFTER = "Look after"
    MOVE = "Bring in, take out, keep safe"
    INSPECT = "Inspect and mend"
    PLUMBING = "For programs"
    OLDER = "Older names"


@dataclass(frozen=True, slots=True)
class Command:
    """Where a command is, and for what; one that is hidden works and is not in the list."""

    place: str
    group: Group
    hidden: bool = False

    def function(self) -> Callable[..., None]:
        """Import the command."""
        module, _, name = self.place.partition(".")
        found: Callable[..., None] = getattr(import_module(f"mnemex_vault.cli.{module}"), name)
        return found


COMMANDS: Mapping[str, Command] = {
    "init": Command("init.init", Group.SET_UP),
    "try": Command("trial.try_vault", Group.SET_UP),
    "demo": Command("trial.demo", Group.SET_UP),
    "use": Command("init.use", Group.SET_UP),
    "connect": Command("connect.connect", Group.SET_UP),
    "prompt": Command("connect.prompt", Group.SET_UP),
    "plugin": Command("connect.plugin", Group.SET_UP),
    "save": Command("remember.save", Group.REMEMBER),
    "update": Command("remember.update", Group.REMEMBER),
    "touch": Command("remember.touch", Group.REMEMBER),
    "pin": Command("remember.pin", Group.REMEMBER),
    "relate": Command("remember.relate", Group.REMEMBER),
    "adopt": Command("remember.adopt", Group.REMEMBER),
    "note": Command("note.note", Group.REMEMBER),
    "search": Command("search.search", Group.FIND),
    "list": Command("search.list_memories", Group.FIND),
    "show": Command("show.show", Group.FIND),
    "open": Command("show.open_note", Group.FIND),
    "review": Command("review.review", Group.LOOK_AFTER),
    "approve": Command("review.approve", Group.LOOK_AFTER),
    "promote": Command("review.promote", Group.LOOK_AFTER),
    "demote": Command("forget.demote", Group.LOOK_AFTER),
    "forget": Command("forget.forget", Group.LOOK_AFTER),
    "restore": Command("forget.restore", Group.LOOK_AFTER),
    "maintain": Command("review.maintain", Group.LOOK_AFTER),
    "history": Command("history.history", Group.LOOK_AFTER),
    "undo": Command("history.undo", Group.LOOK_AFTER),
    "import": Command("bring_in.import_memories", Group.MOVE),
    "bridge": Command("bridge.bridge", Group.MOVE),
    "migrate": Command("bring_in.migrate", Group.MOVE),
    "export": Command("backup.export", Group.MOVE),
    "backup": Command("backup.backup", Group.MOVE),
    "status": Command("status.status", Group.INSPECT),
    "doctor": Command("doctor.doctor", Group.INSPECT),
    "lab": Command("lab.lab", Group.INSPECT),
    "reindex": Command("status.reindex", Group.INSPECT),
    "embed": Command("status.embed", Group.INSPECT),
    "serve": Command("serve.serve", Group.PLUMBING, hidden=True),
    "hook": Command("serve.hook", Group.PLUMBING, hidden=True),
    "merge-driver": Command("backup.merge_driver", Group.PLUMBING, hidden=True),
    "gc": Command("forget.gc", Group.OLDER, hidden=True),
    "heal": Command("doctor.heal", Group.OLDER, hidden=True),
    "unrelate": Command("remember.unrelate", Group.OLDER, hidden=True),
}


# what the same option is called elsewhere
_OTHER_NAMES = {
    **dict.fromkeys(("top-k", "max", "max-results", "page-size", "size", "count"), "limit"),
    "tags": "tag",
    "entities": "entity",
}


def usual_name(name: str) -> str:
    """Return the name under which an option is documented.

    >>> usual_name("top_k"), usual_name("window_days")
    ('limit', 'window-days')
    """
    dashed = name.replace("_", "-")
    return _OTHER_NAMES.get(dashed, dashed)


class GroupedCommands(TyperGroup):
    """All commands; the help lists them by group."""

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write a section a group, all with one column for the names."""
        shown = {name: COMMANDS[name] for name in self.list_commands(ctx) if not COMMANDS[name].hidden}
        widest = max(map(len, shown), default=0)
        for group in Group:
            names = [name for name, command in shown.items() if command.group is group]
            rows = [(f"{name:<{widest}}", self._sentence(name, formatter.width - widest - 6)) for name in names]
            if rows:
                with formatter.section(group.value):
                    formatter.write_dl(rows)

    def _sentence(self, name: str, limit: int) -> str:
        return self.commands[name].get_short_help_str(limit)


class PlainCommand(TyperCommand):
    """One command, whose help names arguments as the documentation does: `[VAULT]`, `MEMORY...`."""

    def collect_usage_pieces(self, ctx: Context) -> list[str]:  # noqa: ARG002
        """Return what follows the name in the usage line."""
        return ["[OPTIONS]", *(_name(each) for each in self.params if isinstance(each, TyperArgument))]

    def format_options(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Write arguments and options, each with its meaning."""
        arguments = [each for each in self.params if isinstance(each, TyperArgument)]
        options = [each.get_help_record(ctx) for each in self.get_params(ctx) if each not in arguments]
        sections = {
            "Arguments": [(_name(each), each.help or "") for each in arguments],
            "Options": [record for record in options if record is not None],
        }
        for title, rows in sections.items():
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


def _name(argument: TyperArgument) -> str:
    name = argument.metavar or argument.display_name_raw
    return name if argument.required or name.startswith("[") else f"[{name}]"


_NAME = "no_color"
_OPTION = inspect.Parameter(
    _NAME,
    inspect.Parameter.KEYWORD_ONLY,
    default=False,
    annotation=Annotated[
        bool, typer.Option("--no-color", help="No colours; NO_COLOR in the environment says the same.")
    ],
)


def with_colours(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command with an option that leaves the colours out."""

    @wraps(command)
    def coloured(*, context: typer.Context, **given: object) -> None:
        if given.pop(_NAME) and (session := context.find_object(Session)) is not None:
            session.console.plain()
        command(context=context, **given)

    signature = inspect.signature(command, eval_str=True)
    parameters = [*signature.parameters.values(), _OPTION]
    coloured.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    return coloured


def without_secrets(command: Callable[..., None]) -> Callable[..., None]:
    """Return the command so that it refuses secrets in any argument, unless an option or the settings allow them.

    What a note of the vault is called may be said, whatever it looks like.
    """
    can_be_kept = "allow_secret" in inspect.signature(command).parameters

    @wraps(command)
    def checked(*, context: typer.Context, vault: Path | None = None, **given: object) -> None:
        from mnemex_vault.language.secrets import refuse_secrets

        def may_pass(text: str) -> bool:
            session = Session.of(context, as_json=bool(given.get("as_json")))
            with session.open(vault) as app:
                known = names_a_note(app, text, working_folder=session.working_folder)
                return known or not app.memories.detects_secrets

        if not given.get("allow_secret"):
            refuse_secrets(given.items(), can_be_kept=can_be_kept, may_pass=may_pass)
        command(context=context, vault=vault, **given)

    return checked


_EPILOG = "Begin with `mnemex demo` or `mnemex try FOLDER`, which writes nothing. More: `mnemex COMMAND --help`."
_CALLS_OTHERS = frozenset({"demo"})
_JSON = "--json"
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
    from mnemex_vault.cli.serve import serve_vault

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
        if sys.platform == "win32":
            raise ConfigError(["Windows itself cannot run it yet; in WSL it runs as on Linux (docs/install.md)"])
        session = Session(console=console, environ=environ, clock=clock, stdin=sys.stdin, working_folder=Path.cwd())
        try:
            _call(commands, arguments, session)
        finally:
            console.bars.hide()
    sys.exit(0)


def _call(commands: TyperGroup, arguments: Sequence[str], session: Session) -> None:
    """Call the command; who asked for JSON is told in JSON as well what is wrong with the words of the call."""
    if _JSON not in arguments:
        commands.main(list(arguments), prog_name="mnemex", obj=session)
        return
    try:
        code = commands.main(list(arguments), prog_name="mnemex", obj=session, standalone_mode=False)
    except ClickException as error:
        session.console.as_json = True
        session.console.fail(error.format_message(), data={"kind": type(error).__name__})
        sys.exit(error.exit_code)
    sys.exit(code or 0)


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
