"""Which notes are gone because an operation of ours took them away, in this process or another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping

from mnemex_vault.history.journal import Journal, Operation


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
        if step.kind in ("move", "trash"):
            gone[step.path] = versions[step.path]
        else:
            gone.pop(step.path, None)
        if step.kind == "move":
            gone.pop(step.to or "", None)
