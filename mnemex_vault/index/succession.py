"""A question that an outdated memory would answer is a question for the one that replaced it."""

from __future__ import annotations

from collections.abc import Mapping


def with_successors(
    relevances: Mapping[str, float], superseded: Mapping[str, str], *, matching_only: bool = False
) -> tuple[Mapping[str, float], Mapping[str, str]]:
    """Return relevances (path -> value) in which the latest successor has at least what the outdated note has.

    `superseded` names the direct successor of each outdated note. With `matching_only` no successor comes in that does
    not match by itself, as filters demand. The second value tells from which note a successor has its relevance.

    >>> with_successors({"old": 2.0, "new": 1.0}, {"old": "new"})
    ({'old': 2.0, 'new': 2.0}, {'new': 'old'})
    """
    outdated = relevances.keys() & superseded.keys()
    if not outdated:
        return relevances, {}
    found, inherited = dict(relevances), dict[str, str]()
    for old in sorted(outdated):
        current = latest(old, superseded)
        if relevances[old] > found.get(current, 0.0) and (current in relevances or not matching_only):
            found[current], inherited[current] = relevances[old], old
    return found, inherited


def latest(path: str, superseded: Mapping[str, str]) -> str:
    """Return the last note of a chain of successors; where they go round in a circle, the last new one.

    >>> latest("a", {"a": "b", "b": "c"}), latest("a", {"a": "b", "b": "a"})
    ('c', 'b')
    """
    seen = {path}
    while (following := superseded.get(path)) is not None and following not in seen:
        path = following
        seen.add(path)
    return path
