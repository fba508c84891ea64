"""Following one note through the journal, back to where it was made."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from mnemex_vault.history.journal import Operation, Step


@dataclass(frozen=True, slots=True)
class Trace:
    """Versions a note had, operations that concern it alone, and those that changed other notes as well."""

    etags: frozenset[str]
    alone: tuple[str, ...]
    mixed: tuple[str, ...]


def trace(operations: Iterable[Operation], paths: Iterable[str]) -> Trace:
    """Follow the notes at these paths through operations, the latest first, under all names they bore.

    A note that bore one of the names before is another note, and is left out.
    """
    names = set(paths)
    etags: set[str] = set()
    alone: list[str] = []
    mixed: list[str] = []
    for operation in operations:
        strangers = False
        concerned = False
        for step in reversed(operation.steps):
            if step.path not in names and step.to not in names:
                strangers = True
                continue
            concerned = True
            etags |= {etag for etag in (step.before, step.after) if etag}
            _follow(names, step)
        if concerned:
            (mixed if strangers else alone).append(operation.id)
    return Trace(frozenset(etags), tuple(alone), tuple(mixed))


def _follow(names: set[str], step: Step) -> None:
    """Take over the names from before a step."""
    if step.to is not None:
        names.discard(step.to)
    if step.kind == "create":
        names.discard(step.path)
    else:
        names.add(step.path)
