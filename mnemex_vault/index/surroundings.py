"""What stands around a note counts as well: what was said before it in the same session, and what it is linked with.

Only the best notes and their surroundings are looked at, so the cost does not grow with the vault.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from heapq import nlargest
from typing import Protocol

from mnemex_vault.index.bm25 import idf
from mnemex_vault.index.collection import Collection
from mnemex_vault.index.relevance import TermHits


class Neighbours(Protocol):
    """What the notes tell of each other; answers are paths, also of notes that are not indexed."""

    def session_of(self, path: str) -> str | None:
        """Return the session in which a note was saved."""

    def session(self, name: str) -> Sequence[str]:
        """Return the notes of a session in the order in which they were saved."""

    def linked(self, path: str) -> Sequence[str]:
        """Return the notes that a note links to or is linked from."""


@dataclass(frozen=True, slots=True)
class ContextWeights:
    """How much the surroundings of a note count.

    `before` weights the words of the notes one, two, ... places earlier in the session, `replying` does so if the note
    right before asks something: a reply seldom repeats the question. `passage` is the share of the
    score that a note and the notes up to `reach` places away have together, as if they were one note. `session` is the
    share of the best score that the notes of the best session get, all of it from `telling_session` notes on: what a
    few notes have in common says little. Sessions longer than `longest_session` are no conversations: there only the
    nearest notes count. `links` is the share of its best neighbour's score that a linked note gets, if that neighbour
    has at most `most_links`: too little to overtake it. Only the surroundings of the best `candidates` are looked at.
    """

    before: tuple[float, ...] = (0.1, 0.05)
    replying: tuple[float, ...] = (0.4, 0.2)
    passage: float = 0.3
    reach: int = 2
    session: float = 0.5
    session_k1: float = 1.2
    session_b: float = 0.9
    telling_session: int = 10
    longest_session: int = 300
    links: float = 0.1
    most_links: int = 20
    candidates: int = 40


@dataclass(slots=True)
class _Session:
    """A session, or a stretch of a very long one."""

    numbers: list[int]
    whole: bool
    sums: list[float] = field(default_factory=list)


def in_context(
    collection: Collection,
    hits: list[TermHits],
    found: dict[int, float],
    neighbours: Neighbours,
    context: ContextWeights,
) -> dict[int, float]:
    """Return the scores with what the surroundings add; notes without any of the words may come in this way."""
    best = _best(collection, found, context.candidates)
    sessions = _sessions(collection, best, neighbours, context)
    wanted = sorted({number for session in sessions for number in session.numbers})
    tables = [_frequencies(hit, wanted) for hit in hits]
    result = dict(found)
    for session in sessions:
        rows = [[table.get(number, 0.0) for number in session.numbers] for table in tables]
        session.sums = [sum(row) for row in rows]
        own = _within(session, rows, hits, collection, context)
        result.update(pair for pair in zip(session.numbers, own, strict=True) if pair[1])
    _add_links(collection, best, found, result, neighbours, context)
    _add_sessions(collection, [session for session in sessions if session.whole], result, context)
    return result


def _best(collection: Collection, found: dict[int, float], count: int) -> list[int]:
    """Return the best notes; of equal ones those whose paths come first, however the index has numbered them."""
    if len(found) > count:
        cut = nlargest(count, found.values())[-1]
        found = {number: score for number, score in found.items() if score >= cut}
    return sorted(found, key=lambda number: (-found[number], collection.path(number)))[:count]


def _sessions(
    collection: Collection, best: Sequence[int], neighbours: Neighbours, context: ContextWeights
) -> list[_Session]:
    touched: dict[str, set[str]] = {}
    sessions = []
    for number in best:
        path = collection.path(number)
        name = neighbours.session_of(path)
        if name is None:
            sessions.append(_Session([number], whole=False))
        else:
            touched.setdefault(name, set()).add(path)
    reach = max(len(context.before), len(context.replying), context.reach)
    for name, wanted in touched.items():
        paths = neighbours.session(name)
        whole = len(paths) <= context.longest_session
        for stretch in [paths] if whole else _stretches(paths, wanted, reach):
            numbers = [found for path in stretch if (found := collection.number(path)) is not None]
            sessions.append(_Session(numbers, whole))
    return sessions


def _stretches(paths: Sequence[str], wanted: set[str], reach: int) -> Iterator[Sequence[str]]:
    """Yield the parts of a long session that lie around the wanted notes.

    >>> list(_stretches("abcdefgh", {"b", "d", "h"}, 1)), list(_stretches("abcdefgh", {"f"}, 1))
    (['abcde', 'gh'], ['efg'])
    """
    start = end = 0
    for index in [index for index, path in enumerate(paths) if path in wanted]:
        if index - reach > end:
            if end:
                yield paths[start:end]
            start = index - reach
        end = index + reach + 1
    yield paths[start:end]


def _frequencies(hit: TermHits, wanted: Sequence[int]) -> dict[int, float]:
    """Return the weights in the wanted notes, which are ascending; most lists are far longer than these are many."""
    table: dict[int, float] = {}
    for part in hit.parts:
        documents, base = part.documents, part.base
        place, size = 0, len(documents)
        first = bisect_left(wanted, base)
        last = bisect_right(wanted, base + documents[-1]) if size else first
        for number in wanted[first:last]:
            place = bisect_left(documents, number - base, place)
            if place < size and documents[place] == number - base:
                table[number] = part.weights[place]
    return table


def _within(
    session: _Session,
    rows: Sequence[list[float]],
    hits: Sequence[TermHits],
    collection: Collection,
    context: ContextWeights,
) -> list[float]:
    """Return the scores of a session's notes with the words of the notes before and of the passage around each."""
    saturation = collection.saturation
    askings = [collection.asking(number) for number in session.numbers]
    shapes = [saturation.shape(collection.length(n), a) for n, a in zip(session.numbers, askings, strict=True)]
    shares = [context.replying if asking else context.before for asking in (0.0, *askings)]
    # a passage is taken to be of average length
    passage = (saturation.factor * context.passage, saturation.factor - 1)
    own = [0.0] * len(shapes)
    for row, hit in zip(rows, hits, strict=True):
        if any(row):
            _add_term(own, hit.idf, _around(row, shares, context.reach), shapes, passage)
    return own


def _around(row: Sequence[float], shares: Sequence[Sequence[float]], reach: int) -> tuple[list[float], list[float]]:
    """Return the frequencies with their shares of those one, two, ... places earlier, and the sums within reach.

    >>> _around([4.0, 0.0, 0.0, 0.0], [(0.5, 0.25)] * 4, 1)
    ([4.0, 2.0, 1.0, 0.0], [4.0, 4.0, 0.0, 0.0])
    """
    mixed, passage = list(row), [0.0] * len(row)
    for index, frequency in enumerate(row):
        if frequency:
            for later in range(index + 1, min(len(row), index + 1 + len(shares[0]))):
                mixed[later] += shares[later][later - index - 1] * frequency
            for other in range(max(0, index - reach), min(len(row), index + reach + 1)):
                passage[other] += frequency
    return mixed, passage


def _add_term(
    own: list[float],
    idf_: float,
    frequencies: tuple[list[float], list[float]],
    shapes: Sequence[tuple[float, float]],
    passage: tuple[float, float],
) -> None:
    """Add what a term gives to the notes of a session."""
    worth_around, norm_around = passage
    for index, (mixed, around) in enumerate(zip(*frequencies, strict=True)):
        if mixed:
            worth, norm = shapes[index]
            own[index] += idf_ * worth * mixed / (mixed + norm)
        if around:
            own[index] += idf_ * worth_around * around / (around + norm_around)


def _add_links(
    collection: Collection,
    best: Sequence[int],
    found: dict[int, float],
    result: dict[int, float],
    neighbours: Neighbours,
    context: ContextWeights,
) -> None:
    """Give each linked note a share of its best neighbour; many neighbours make a hub, not an answer."""
    nearest: dict[int, float] = {}
    for number in best:
        linked = neighbours.linked(collection.path(number))
        if not 0 < len(linked) <= context.most_links:
            continue
        for path in linked:
            other = collection.number(path)
            if other is not None and other != number:
                nearest.setdefault(other, context.links * found[number])
    for other, share in nearest.items():
        result[other] = result.get(other, 0.0) + share


def _add_sessions(
    collection: Collection, sessions: Sequence[_Session], result: dict[int, float], context: ContextWeights
) -> None:
    """Score the sessions as if each were one note, and give their notes a share."""
    sessions = [session for session in sessions if len(session.numbers) > 1]
    if not sessions:
        return
    lengths = [sum(collection.length(number) for number in session.numbers) for session in sessions]
    average = sum(lengths) / len(lengths) or 1.0
    weights = [idf(len(sessions), sum(map(bool, sums))) for sums in zip(*(s.sums for s in sessions), strict=True)]
    k1, b = context.session_k1, context.session_b
    norms = [k1 * (1 - b + b * length / average) for length in lengths]
    values = [
        sum(weight * frequency / (frequency + norm) for weight, frequency in zip(weights, session.sums, strict=True))
        for session, norm in zip(sessions, norms, strict=True)
    ]
    best, top = max(values), max(result.values())
    for session, value in zip(sessions, values, strict=True):
        if value:
            telling = min(1.0, (len(session.numbers) - 1) / (context.telling_session - 1))
            share = context.session * telling**2 * top * value / best
            result.update((number, result.get(number, 0.0) + share) for number in session.numbers)
