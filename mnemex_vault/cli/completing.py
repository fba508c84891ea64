"""What a shell offers when a person presses Tab: read from what is there, quickly, and never a word when it fails."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import wraps
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from typer._click.shell_completion import CompletionItem, add_completion_class
from typer._completion_classes import BashComplete, completion_init

from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import one_line
from mnemex_vault.errors import MnemexError

if TYPE_CHECKING:
    from mnemex_vault.memories.face import Entry

_Offer = tuple[str, str]
_Source = Callable[[typer.Context], Iterator[_Offer]]
_MOST = 100
_SEEN_SNAPSHOTS = 50


def _offering(found: _Source) -> Callable[[typer.Context, str], list[str | _Offer]]:
    """Return a completion: the offers that begin as the person began; none where anything is amiss."""

    @wraps(found, updated=(), assigned=("__name__", "__doc__"))
    def complete(context: typer.Context, incomplete: str) -> list[str | _Offer]:
        try:
            fitting = (each for each in found(context) if each[0].startswith(incomplete))
            return [(one_line(value), one_line(meaning)) for value, meaning in islice(fitting, _MOST)]
        except (MnemexError, OSError, ValueError, RuntimeError):
            return []

    del complete.__wrapped__  # it would be asked for its own arguments
    return complete


class QuotingBash(BashComplete):
    """Completion for bash, which puts in what it gets as it is; other shells quote it themselves."""

    def format_completion(self, item: CompletionItem) -> str:
        """Return a value as it is typed."""
        return re.sub(r"([^\w@%+=:,./-])", r"\\\1", str(item.value))


def set_up() -> None:
    """Let the shells ask."""
    completion_init()
    add_completion_class(QuotingBash, QuotingBash.name)


def _session(context: typer.Context) -> Session:
    session = context.find_object(Session)
    if session is None:
        raise ValueError("there is no session")
    return session


def _vault(context: typer.Context) -> tuple[Path, Path]:
    """Return the vault that is meant and its state folder, which is not made."""
    from mnemex_vault.settings import state_base, state_folder

    session = _session(context)
    option = context.params.get("vault")
    root = session.find_vault(option if isinstance(option, Path) else None)
    return root, state_folder(state_base(session.environ), root)


def _entries(context: typer.Context) -> list[Entry]:
    """Return the notes as the index knows them."""
    from mnemex_vault.memories.glance import known_notes

    _, state = _vault(context)
    return [entry for entry in known_notes(state) if entry.searchable]


def _named(entries: list[Entry]) -> Iterator[_Offer]:
    for entry in entries:
        yield entry.title, entry.path
    for entry in entries:
        if entry.memory_id:
            yield entry.memory_id, entry.title


@_offering
def memories(context: typer.Context) -> Iterator[_Offer]:
    """Offer titles and ids of memories."""
    return _named([entry for entry in _entries(context) if entry.is_memory])


@_offering
def notes(context: typer.Context) -> Iterator[_Offer]:
    """Offer titles of all notes, and ids of memories."""
    return _named(_entries(context))


@_offering
def tags(context: typer.Context) -> Iterator[_Offer]:
    """Offer the tags of all notes."""
    found = sorted({tag for entry in _entries(context) for tag in entry.tags})
    return ((tag, "") for tag in found)


@_offering
def vaults(context: typer.Context) -> Iterator[_Offer]:
    """Offer the vaults that Obsidian knows."""
    from mnemex_vault.cli.connect import machine_of
    from mnemex_vault.clients.connecting import read_text
    from mnemex_vault.clients.places import known_vaults

    found = known_vaults(machine_of(_session(context)), read=read_text)
    return ((folder, "") for folder in found)


@_offering
def clients(context: typer.Context) -> Iterator[_Offer]:  # noqa: ARG001
    """Offer the assistants that can be connected."""
    from mnemex_vault.clients.places import ClientName

    yield from ((name.value, "") for name in ClientName)
    yield "print", "the entry to copy"


BRIDGED = ("claude-code",)


@_offering
def bridged(context: typer.Context) -> Iterator[_Offer]:  # noqa: ARG001
    """Offer the assistants whose own memory can be taken in."""
    return ((name, "") for name in BRIDGED)


@_offering
def snapshots(context: typer.Context) -> Iterator[_Offer]:
    """Offer the latest snapshots of a backup."""
    from mnemex_vault.backup.git import Git

    root, state = _vault(context)
    git = Git(state / "backup.git", root, private=True)
    if not git.repository.is_dir():
        return
    shown = git.run("log", f"--max-count={_SEEN_SNAPSHOTS}", "--format=%h %s").decode(errors="replace")
    for line in shown.splitlines():
        sha, _, message = line.partition(" ")
        yield sha, message
