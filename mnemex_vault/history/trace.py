"""Following notes through the journal: back to where one was made, or to where they went."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from mnemex_vault.history.journal import Journal, Operation


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
            if step.place is not None:
                names.discard(step.place)
            if step.origin is not None:
                names.add(step.origin)
        if concerned:
            (mixed if strangers else alone).append(operation.id)
    return Trace(frozenset(etags), tuple(alone), tuple(mixed))


def departures(journal: Journal) -> Mapping[str, Collection[str]]:
    """Return each path that an operation left without a note, with the etags it had; no later one put a note there.

    An operation that is under way counts as well: its intent is written down before the first note goes.
    """
    gone: dict[str, Collection[str]] = {}
    for operation in reversed(journal.operations()):
        if operation.outcome != "rolled back":
            _follow(operation, gone)
    return gone


def _follow(operation: Operation, gone: dict[str, Collection[str]]) -> None:
    versions: defaultdict[str, set[str]] = defaultdict(set)
    for step in operation.steps:
        versions[step.path].add(step.before or "")
        if step.leaves:
            gone[step.path] = versions[step.path]
        if step.place is not None:
            gone.pop(step.place, None)
