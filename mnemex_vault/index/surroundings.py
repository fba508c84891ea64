"""What stands around a note counts as well: what was said before it in the same session, and what it is linked with.

Only the best notes and their surroundings are looked at, so the cost does not grow with the vault.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nlargest
from typing import Protocol

from mnemex_vault.index.bm25 import Saturation, idf
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
    share of the best score that the notes of the best session get. Sessions longer than `longest_session` are no
    conversations: there only the nearest notes count. `links` is the share of a note's score that the notes linked
    with it get, if they are at most `most_links`. Only the surroundings of the best `candidates` are looked at.
    """

    before: tuple[float, ...] = (0.1, 0.05)
    replying: tuple[float, ...] = (0.4, 0.2)
    passage: float = 0.3
    reach: int = 2
    session: float = 0.5
    session_k1: float = 1.2
    session_b: float = 0.9
    longest_session: int = 300
    links: float = 0.1
    most_links: int = 20
    candidates: int = 60


@dataclass(slots=True)
class _Session:
    """A session, or a stretch of a very long one."""

    numbers: list[int]
    whole: bool


def in_context(
    collection: Collection,
    hits: list[TermHits],
    found: dict[int, float],
    neighbours: Neighbours,
    context: ContextWeights,
) -> dict[int, float]:
    """Return the scores with what the surroundings add; notes without any of the words may come in this way."""
    best = _best(found, context.candidates)
    sessions = _sessions(collection, best, neighbours, context)
    wanted = sorted({number for session in sessions for number in session.numbers})
    tables = [_frequencies(hit, wanted) for hit in hits]
    result = dict(found)
    totals: list[tuple[_Session, list[float], float]] = []
    for session in sessions:
        rows = [[table.get(number, 0.0) for number in session.numbers] for table in tables]
        lengths = [collection.length(number) for number in session.numbers]
        askings = [collection.asking(number) for number in session.numbers]
        own = _within_session(rows, lengths, askings, hits, collection.saturation, context)
        result.update(pair for pair in zip(session.numbers, own, strict=True) if pair[1])
        if session.whole and len(session.numbers) > 1:
            totals.append((session, [sum(row) for row in rows], sum(lengths)))
    _add_links(collection, best, found, result, neighbours, context)
    _add_sessions(result, totals, context)
    return result


def _best(found: dict[int, float], count: int) -> list[int]:
    if len(found) > count:
        cut = nlargest(count, found.values())[-1]
        found = {number: score for number, score in found.items() if score >= cut}
    return sorted(found, key=lambda number: (-found[number], number))[:count]


def _sessions(
    collection: Collection, best: Sequence[int], neighbours: Neighbours, context: ContextWeights
) -> list[_Session]:
    touched: dict[str, set[int]] = {}
    for number in best:
        name = neighbours.session_of(collection.paths[number])
        if name is not None:
            touched.setdefault(name, set()).add(number)
    sessions = []
    for name, numbers in touched.items():
        members = [found for path in neighbours.session(name) if (found := collection.number(path)) is not None]
        if len(members) <= context.longest_session:
            sessions.append(_Session(members, whole=True))
        else:
            sessions.extend(_stretches(members, numbers, max(len(context.before), context.reach)))
    return sessions


def _stretches(members: Sequence[int], wanted: set[int], reach: int) -> Iterable[_Session]:
    """Yield the parts of a long session that lie around the wanted notes."""
    start, end = 0, -1
    for index, number in enumerate(members):
        if number not in wanted:
            continue
        if index - reach > end and end >= 0:
            yield _Session(list(members[start : end + 1]), whole=False)
            start = index - reach
        elif end < 0:
            start = max(0, index - reach)
        end = min(len(members) - 1, index + reach)
    if end >= 0:
        yield _Session(list(members[start : end + 1]), whole=False)


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


def _within_session(
    rows: list[list[float]],
    lengths: list[float],
    askings: list[float],
    hits: list[TermHits],
    saturation: Saturation,
    context: ContextWeights,
) -> list[float]:
    """Return the scores of a session's notes with the words of the notes before them and of the passage around them."""
    found = [0.0] * len(lengths)
    shares = [context.replying if asking else context.before for asking in (0.0, *askings)]
    for row, hit in zip(rows, hits, strict=True):
        if not any(row):
            continue
        mixed, around = _with_earlier(row, shares), _sums_around(row, context.reach)
        share = hit.idf * context.passage
        for index, together in enumerate(around):
            if mixed[index]:
                found[index] += hit.idf * saturation.gain(mixed[index], lengths[index], askings[index])
            if together:
                found[index] += share * saturation.gain_at_average(together)
    return found


def _with_earlier(row: Sequence[float], shares: Sequence[Sequence[float]]) -> list[float]:
    """Add to each frequency its shares of those one, two, ... places earlier.

    >>> _with_earlier([4.0, 0.0, 0.0], [(0.5, 0.25)] * 3)
    [4.0, 2.0, 1.0]
    """
    mixed = list(row)
    for index, frequency in enumerate(row):
        if frequency:
            for later in range(index + 1, min(len(row), index + 1 + len(shares[0]))):
                mixed[later] += shares[later][later - index - 1] * frequency
    return mixed


def _sums_around(row: list[float], reach: int) -> list[float]:
    """Add up the frequencies up to so many places away.

    >>> _sums_around([1.0, 0.0, 0.0, 2.0], 1)
    [1.0, 1.0, 2.0, 2.0]
    """
    return [sum(row[max(0, index - reach) : index + reach + 1]) for index in range(len(row))]


def _add_links(
    collection: Collection,
    best: Sequence[int],
    found: dict[int, float],
    result: dict[int, float],
    neighbours: Neighbours,
    context: ContextWeights,
) -> None:
    for number in best:
        linked = neighbours.linked(collection.paths[number])
        if not 0 < len(linked) <= context.most_links:
            continue
        for path in linked:
            other = collection.number(path)
            if other is not None and other != number:
                result[other] = result.get(other, 0.0) + context.links * found[number]


def _add_sessions(
    result: dict[int, float], totals: list[tuple[_Session, list[float], float]], context: ContextWeights
) -> None:
    """Score the sessions as if each were one note, and give their notes a share."""
    if not totals:
        return
    average = sum(length for _, _, length in totals) / len(totals) or 1.0
    terms = range(len(totals[0][1]))
    weights = [idf(len(totals), sum(1 for _, sums, _ in totals if sums[term])) for term in terms]
    k1, b = context.session_k1, context.session_b
    values = []
    for _, sums, length in totals:
        norm = k1 * (1 - b + b * length / average)
        values.append(sum(w * s * (k1 + 1) / (s + norm) for w, s in zip(weights, sums, strict=True)))
    best, top = max(values), max(result.values())
    if best <= 0:
        return
    for (session, _, _), value in zip(totals, values, strict=True):
        share = context.session * top * value / best
        if not share:
            continue
        for number in session.numbers:
            result[number] = result.get(number, 0.0) + share
