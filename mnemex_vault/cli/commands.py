"""The commands by what a person wants to do, where each is, and the list that `--help` shows of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from importlib import import_module

from typer._click import Context, HelpFormatter
from typer.core import TyperArgument, TyperCommand, TyperGroup


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
    "init": Command("setup.init", Group.SET_UP),
    "try": Command("trial.try_vault", Group.SET_UP),
    "demo": Command("demo.demo", Group.SET_UP),
    "use": Command("vault_in_use.use", Group.SET_UP),
    "connect": Command("connecting.connect", Group.SET_UP),
    "prompt": Command("prompting.prompt", Group.SET_UP),
    "plugin": Command("plugin.plugin", Group.SET_UP),
    "save": Command("saving.save", Group.REMEMBER),
    "update": Command("editing.update", Group.REMEMBER),
    "touch": Command("using.touch", Group.REMEMBER),
    "pin": Command("using.pin", Group.REMEMBER),
    "relate": Command("relating.relate", Group.REMEMBER),
    "adopt": Command("editing.adopt", Group.REMEMBER),
    "note": Command("noting.note", Group.REMEMBER),
    "search": Command("finding.search", Group.FIND),
    "list": Command("listing.list_memories", Group.FIND),
    "show": Command("reading.show", Group.FIND),
    "open": Command("opening.open_note", Group.FIND),
    "review": Command("reviewing.review", Group.LOOK_AFTER),
    "promote": Command("promoting.promote", Group.LOOK_AFTER),
    "demote": Command("moving.demote", Group.LOOK_AFTER),
    "forget": Command("moving.forget", Group.LOOK_AFTER),
    "restore": Command("moving.restore", Group.LOOK_AFTER),
    "maintain": Command("maintaining.maintain", Group.LOOK_AFTER),
    "history": Command("past.history", Group.LOOK_AFTER),
    "undo": Command("past.undo", Group.LOOK_AFTER),
    "import": Command("moving_in.import_memories", Group.MOVE),
    "migrate": Command("moving_in.migrate", Group.MOVE),
    "export": Command("moving_out.export", Group.MOVE),
    "backup": Command("backing_up.backup", Group.MOVE),
    "status": Command("overview.status", Group.INSPECT),
    "doctor": Command("diagnosis.doctor", Group.INSPECT),
    "lab": Command("lab.lab", Group.INSPECT),
    "reindex": Command("upkeep.reindex", Group.INSPECT),
    "embed": Command("embedding.embed", Group.INSPECT),
    "serve": Command("serving.serve", Group.PLUMBING, hidden=True),
    "hook": Command("hooking.hook", Group.PLUMBING, hidden=True),
    "merge-driver": Command("backing_up.merge_driver", Group.PLUMBING, hidden=True),
    "gc": Command("upkeep.gc", Group.OLDER, hidden=True),
    "heal": Command("healing.heal", Group.OLDER, hidden=True),
    "unrelate": Command("relating.unrelate", Group.OLDER, hidden=True),
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
