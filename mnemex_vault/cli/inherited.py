"""The commands of the predecessors under their own names: their options, said in those of `mnemex`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from mnemex_vault.cli.main import main
from mnemex_vault.clock import Clock, utc_now

_NOTE_ACTIONS = ("create", "list", "read")
_FAILED = 1


@dataclass(frozen=True, slots=True)
class Said:
    """A command line of `mnemex`, and what it needs in the environment."""

    arguments: Sequence[str]
    environ: Mapping[str, str] = field(default_factory=dict)


Translation = Callable[[Sequence[str]], Said | None]


def search_line(arguments: Sequence[str]) -> Said | None:
    """Translate `mnemex-search`; None without words and tags."""
    parser = _parser("mnemex-search", "Search memories and notes together.")
    parser.add_argument("query", nargs="?")
    parser.add_argument("--tags", nargs="+", default=[], metavar="TAG")
    parser.add_argument("--limit", default="10", metavar="N")
    parser.add_argument("--stm-weight", default="", metavar="W")
    parser.add_argument("--ltm-weight", default="", metavar="W")
    parser.add_argument("--window-days", metavar="N")
    parser.add_argument("--min-score", metavar="X")
    parser.add_argument("--verbose", action="store_true")
    given = parser.parse_args(arguments)
    if not given.query and not given.tags:
        parser.print_help()
        return None
    weights = {"MNEMEX_SEARCH_STM_WEIGHT": given.stm_weight, "MNEMEX_SEARCH_LTM_WEIGHT": given.ltm_weight}
    line = ["search", "--all", "--limit", given.limit, *_each("--tag", given.tags)]
    line += [*_option("--window-days", given.window_days), *_option("--min-score", given.min_score)]
    line += ["--verbose"] if given.verbose else []
    return Said([*line, "--", given.query or ""], {name: value for name, value in weights.items() if value})


def index_line(arguments: Sequence[str]) -> Said | None:
    """Translate `mnemex-index-ltm`: bring the index up to date, make it anew, or search in it."""
    parser = _parser("mnemex-index-ltm", "Bring the index of a vault up to date, or search in it.")
    parser.add_argument("vault_path", metavar="VAULT_PATH")
    parser.add_argument("--index-path", metavar="PATH", help="has no effect: the index lies outside the vault")
    parser.add_argument("--force", action="store_true")
    parser.add_argument("--search", metavar="TEXT")
    parser.add_argument("--tag", metavar="TAG")
    given = parser.parse_args(arguments)
    vault = ["--vault", given.vault_path]
    if given.search or given.tag:
        return Said(
            ["search", "--all", "--limit", "20", *_option("--tag", given.tag), *vault, "--", given.search or ""]
        )
    return Said(["reindex" if given.force else "status", *vault])


def backup_line(arguments: Sequence[str]) -> Said | None:
    """Translate `mnemex-backup`; None without a command."""
    parser = _parser("mnemex-backup", "Snapshots of a vault.")
    parser.add_argument("vault", metavar="VAULT")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("snapshot").add_argument("-m", "--message")
    commands.add_parser("history").add_argument("-n", "--limit", default="20")
    commands.add_parser("restore").add_argument("sha")
    for name in ("init", "status", "stats"):
        commands.add_parser(name)
    given = parser.parse_args(arguments)
    if given.command is None:
        parser.print_help()
        return None
    # what they counted under "stats" is part of the state
    action = "status" if given.command == "stats" else given.command
    line = ["backup", action, *([given.sha] if action == "restore" else [])]
    more = _option("--message", given.message) if action == "snapshot" else []
    more += _option("--limit", given.limit) if action == "history" else []
    return Said([*line, *more, "--vault", given.vault])


def maintenance_line(arguments: Sequence[str]) -> Said | None:
    """Translate `mnemex-maintenance`; None without a command."""
    parser = _parser("mnemex-maintenance", "The state of the memories, and housekeeping of the index.")
    parser.add_argument("--storage-path", metavar="VAULT")
    commands = parser.add_subparsers(dest="command")
    commands.add_parser("stats")
    commands.add_parser("compact").add_argument("--quiet", action="store_true")
    embeddings = commands.add_parser("backfill-embeddings")
    embeddings.add_argument("--model", metavar="FOLDER")
    embeddings.add_argument("--limit", metavar="N")
    embeddings.add_argument("--force", action="store_true")
    embeddings.add_argument("--dry-run", action="store_true")
    given = parser.parse_args(arguments)
    if given.command is None:
        parser.print_help()
        return None
    line = _maintenance_command(given)
    return Said([*line, *_option("--vault", given.storage_path)])


def _maintenance_command(given: argparse.Namespace) -> list[str]:
    if given.command == "stats":
        return ["status", "--json"]
    if given.command == "compact":
        return ["reindex", "--json", *(["--quiet"] if given.quiet else [])]
    switches = [*(["--force"] if given.force else []), *(["--dry-run"] if given.dry_run else [])]
    return ["embed", *_option("--model", given.model), *_option("--limit", given.limit), *switches]


def vault_line(arguments: Sequence[str]) -> Said | None:
    """Translate `mnemex-vault VAULT create|list|read`; anything else is a command of ours."""
    if len(arguments) < 2 or arguments[1] not in _NOTE_ACTIONS or arguments[0] == "note":
        return Said(arguments)
    parser = _parser("mnemex-vault", "Make, list or read notes of a vault.")
    parser.add_argument("vault", metavar="VAULT")
    commands = parser.add_subparsers(dest="command")
    create = commands.add_parser("create")
    create.add_argument("title")
    create.add_argument("content")
    create.add_argument("--folder")
    create.add_argument("--tags", nargs="+", default=[])
    commands.add_parser("list").add_argument("--folder")
    commands.add_parser("read").add_argument("title")
    given = vars(parser.parse_args(arguments))
    line = [
        "note",
        given["command"],
        *_option("--folder", given.get("folder")),
        *_each("--tag", given.get("tags") or []),
    ]
    words = [given[key] for key in ("title", "content") if key in given]
    return Said([*line, "--vault", given["vault"], "--", *words])


def migrate_line(arguments: Sequence[str]) -> Said | None:
    """Translate `mnemex-migrate`, whose options are those of `mnemex migrate`."""
    return Said(["migrate", *arguments])


def _parser(name: str, description: str) -> argparse.ArgumentParser:
    return argparse.ArgumentParser(prog=name, description=description)


def _option(name: str, value: str | None) -> list[str]:
    return [] if value is None else [name, value]


def _each(name: str, values: Sequence[str]) -> list[str]:
    return [part for value in values for part in (name, value)]


def speak(
    translation: Translation,
    arguments: Sequence[str] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    clock: Clock = utc_now,
) -> NoReturn:
    """Run the command of ours that is meant; without one the help was shown, and it ends as theirs did."""
    said = translation(sys.argv[1:] if arguments is None else arguments)
    if said is None:
        sys.exit(_FAILED)
    main(said.arguments, environ={**(os.environ if environ is None else environ), **said.environ}, clock=clock)


def search() -> NoReturn:
    """Run `mnemex-search`."""
    speak(search_line)


def index_ltm() -> NoReturn:
    """Run `mnemex-index-ltm`."""
    speak(index_line)


def backup() -> NoReturn:
    """Run `mnemex-backup`."""
    speak(backup_line)


def maintenance() -> NoReturn:
    """Run `mnemex-maintenance`."""
    speak(maintenance_line)


def migrate() -> NoReturn:
    """Run `mnemex-migrate`."""
    speak(migrate_line)


def vault() -> NoReturn:
    """Run `mnemex-vault`: the same program, and what the predecessors had under this name."""
    speak(vault_line)
