"""All notes as the one collection that is asked: the committed segments, and what is staged on top of them."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from heapq import nlargest
from itertools import chain, compress, islice, repeat
from operator import or_

from mnemex_vault.index.bm25 import Formula
from mnemex_vault.index.document import GAP, LANGUAGE, WeightedText
from mnemex_vault.index.postings import Segment, Vocabulary
from mnemex_vault.language.stems import Stems
from mnemex_vault.language.tongues import tongues

# so many segments tell a rare term from a common one
_JUDGED_BY = 4
# name, inode and time of the table of contents: tells a generation also from one of the same number after a rebuild
Stamp = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class Part:
    """Where a term occurs in one segment: the number of its first note, documents, weights, places and gains."""

    base: int
    documents: Sequence[int]
    weights: Sequence[float]
    places: Sequence[int]
    gains: Sequence[float]


@dataclass(slots=True)
class SegmentView:
    """A segment within a generation; `dead` are documents that were deleted, replaced, or staged anew since."""

    segment: Segment
    base: int
    deleted: frozenset[int]
    dead: set[int]


class Snapshot:
    """The notes of one generation, numbered from 0; not safe for several threads at once."""

    def __init__(self, segments: Sequence[tuple[Segment, frozenset[int]]], stamp: Stamp | None) -> None:
        self.stamp = stamp
        self.views: list[SegmentView] = []
        self.paths: list[str] = []
        self.numbers: dict[str, int] = {}
        self.lengths = array("f")
        self.askings = array("f")
        self._norms: array[float] | None = None
        self._hidden: set[int] = set()
        self._bases: list[int] = []
        for segment, deleted in segments:
            self._add(segment, deleted)
        self.size = len(self.paths)
        self._largest = nlargest(_JUDGED_BY, self.views, key=lambda view: len(view.segment.paths))
        self._judged = max(1, sum(len(view.segment.paths) for view in self._largest))
        self.count = len(self.numbers)

    @cached_property
    def languages(self) -> tuple[str, ...]:
        """Return the languages that some of the notes are surely in, also if these notes are dead by now."""
        return tuple(code for code in tongues().by_code if self.has(LANGUAGE + code))

    def etags(self) -> dict[str, str]:
        """Return the version of each committed note."""
        etags = list(chain.from_iterable(view.segment.etags for view in self.views))
        return {path: etags[number] for path, number in self.numbers.items()}

    def etag(self, path: str) -> str | None:
        """Return the committed version of a note."""
        if path not in self.numbers:
            return None
        segment, document = self.place(path)
        return segment.etags[document]

    def hide(self, path: str) -> None:
        """Take a note out of all answers, because another version of it is staged."""
        number = self.alive(path)
        if number is not None:
            view = self._view(number)
            view.dead.add(number - view.base)
            self._hidden.add(number)
            self.count -= 1

    def alive(self, path: str) -> int | None:
        """Return the number of a note that is neither hidden nor deleted."""
        number = self.numbers.get(path)
        return None if number in self._hidden else number

    def place(self, path: str) -> tuple[Segment, int]:
        """Return in which segment a committed note is, and its number there."""
        number = self.numbers[path]
        view = self._view(number)
        return view.segment, number - view.base

    def parts(self, terms: tuple[tuple[str, float], ...], formula: Formula) -> Iterator[Part]:
        """Yield where any of these terms (term, worth) occurs in living notes."""
        for view in self.views:
            found = view.segment.any_of(terms)
            if not found.documents:
                continue
            gains = found.gains(formula, view.segment.norms(formula))
            if not view.dead:
                yield Part(view.base, found.documents, found.weights, found.places, gains)
                continue
            alive = [document not in view.dead for document in found.documents]
            documents, places = list(compress(found.documents, alive)), list(compress(found.places, alive))
            weights, gains_left = list(compress(found.weights, alive)), list(compress(gains, alive))
            yield Part(view.base, documents, weights, places, gains_left)

    def norm(self, number: int, formula: Formula) -> float:
        """Return what frequencies are compared with in a note."""
        if self._norms is None:
            self._norms = array("f", chain.from_iterable(view.segment.norms(formula) for view in self.views))
        return self._norms[number]

    def frequency(self, term: str) -> int:
        """Return in about how many notes a term occurs, judged by the largest segments, dead notes included."""
        found = sum(view.segment.frequency(term) for view in self._largest)
        return found if len(self._largest) == len(self.views) else round(found * self.size / self._judged)

    def holders(self, term: str) -> Iterator[int]:
        """Yield the numbers of the living notes that have a term."""
        for view in self.views:
            documents = view.segment.postings(term).documents
            yield from (view.base + document for document in documents if document not in view.dead)

    def tagged(self, tag: str) -> Iterator[int]:
        """Yield the numbers of the notes with a folded tag."""
        for view in self.views:
            documents = view.segment.tagged(tag).documents
            yield from (view.base + document for document in documents if document not in view.dead)

    def sequence(self, number: int) -> str:
        """Return the words of a note in order."""
        view = self._view(number)
        return view.segment.sequence(number - view.base)

    def living(self) -> set[int]:
        """Return the numbers of all notes that are neither hidden nor deleted."""
        return set(self.numbers.values()) - self._hidden

    def has(self, term: str) -> bool:
        """Tell whether any segment has a term."""
        return any(view.segment.has(term) for view in self.views)

    def terms_from(self, prefix: str) -> Iterator[str]:
        """Yield the terms that begin like this, some several times."""
        for view in self.views:
            yield from view.segment.terms_from(prefix)

    def _add(self, segment: Segment, deleted: frozenset[int]) -> None:
        base = len(self.paths)
        self._bases.append(base)
        self.views.append(SegmentView(segment, base, deleted, set(deleted)))
        self.paths.extend(segment.paths)
        self.lengths.extend(segment.lengths)
        self.askings.extend(segment.askings)
        self.numbers.update({path: base + d for d, path in enumerate(segment.paths) if d not in deleted})

    def _view(self, number: int) -> SegmentView:
        return self.views[bisect_right(self._bases, number) - 1]


# What is searchable but not committed yet: staged notes, analysed, in memory.


@dataclass(frozen=True, slots=True)
class Staged:
    """A staged version of a note, or its removal; `serial` tells a later version from an earlier one."""

    serial: int
    text: WeightedText | None


class Overlay:
    """Staged notes by path and by term. Not safe for several threads at once."""

    def __init__(self) -> None:
        self._staged: dict[str, Staged] = {}
        self._terms: dict[str, dict[str, float]] = {}
        self.serial = 0
        self.count = 0

    def __len__(self) -> int:
        return len(self._staged)

    def __contains__(self, path: str) -> bool:
        return path in self._staged

    def __iter__(self) -> Iterator[str]:
        return iter(self._staged)

    def put(self, path: str, text: WeightedText | None) -> None:
        """Take in a version of a note; None is its removal."""
        self.drop(path)
        self.serial += 1
        self._staged[path] = Staged(self.serial, text)
        if text is None:
            return
        self.count += 1
        for term, weight in text.terms.items():
            self._terms.setdefault(term, {})[path] = weight

    def drop(self, path: str, staged: Staged | None = None) -> None:
        """Forget a note; with `staged`, only if that is still its version."""
        found = self._staged.get(path)
        if found is None or (staged is not None and found is not staged):
            return
        del self._staged[path]
        if found.text is None:
            return
        self.count -= 1
        for term in found.text.terms:
            paths = self._terms[term]
            del paths[path]
            if not paths:
                del self._terms[term]

    def batch(self) -> dict[str, Staged]:
        """Return all that is staged now."""
        return dict(self._staged)

    def get(self, path: str) -> WeightedText | None:
        """Return the staged text of a note."""
        found = self._staged.get(path)
        return found.text if found else None

    def texts(self) -> Iterator[WeightedText]:
        """Yield the staged texts."""
        return (staged.text for staged in self._staged.values() if staged.text is not None)

    def postings(self, term: str) -> Mapping[str, float]:
        """Return the staged notes that have a term, with their weights."""
        return self._terms.get(term, {})

    def any_of(self, terms: tuple[tuple[str, float], ...]) -> Mapping[str, float]:
        """Return the staged notes that have any of these terms (term, worth), with the best of their weights."""
        found = [(self.postings(term), worth) for term, worth in terms if term in self._terms]
        if len(found) == 1 and found[0][1] == 1.0:
            return found[0][0]
        best: dict[str, float] = {}
        for postings, worth in found:
            for path, weight in postings.items():
                best[path] = max(best.get(path, 0.0), weight * worth)
        return best

    def terms_from(self, prefix: str) -> Iterator[str]:
        """Yield the terms that begin like this."""
        return (term for term in self._terms if term.startswith(prefix))


# so many notes with two words are looked through for one right before the other
_LOOKED_THROUGH = 300
# of so many notes one is taken for another language by chance
_MISTAKEN = 500


class Collection:
    """A view for one question: the staged notes are numbered after the committed ones."""

    def __init__(self, snapshot: Snapshot, overlay: Overlay, formula: Formula, stems: Stems) -> None:
        self.stems = stems
        self._snapshot = snapshot
        self._overlay = overlay
        self._staged = list(overlay.texts())
        self._lengths = [text.length for text in self._staged]
        self._norms = formula.norms(self._lengths)
        self._numbers = {text.path: index for index, text in enumerate(self._staged)}
        self.count = snapshot.count + overlay.count
        self.formula = formula
        self._state = overlay.serial

    def is_like(self, other: Collection) -> bool:
        """Tell whether another view shows the same notes."""
        return self._snapshot is other._snapshot and self._state == other._state

    def path(self, number: int) -> str:
        """Return the path of a note."""
        size = self._snapshot.size
        return self._snapshot.paths[number] if number < size else self._staged[number - size].path

    def by_path(self, found: Mapping[int, float], share: float = 1.0) -> dict[str, float]:
        """Return this share of values by path instead of number."""
        committed, size = self._snapshot.paths, self._snapshot.size
        if not self._staged:
            return {committed[number]: share * value for number, value in found.items()}
        named = {committed[number]: share * value for number, value in found.items() if number < size}
        named.update((self._staged[n - size].path, share * value) for n, value in found.items() if n >= size)
        return named

    def number(self, path: str) -> int | None:
        """Return the number of a note, None for one that is not there."""
        index = self._numbers.get(path)
        return self._snapshot.alive(path) if index is None else self._snapshot.size + index

    def length(self, number: int) -> float:
        """Return how many words the body of a note has."""
        size = self._snapshot.size
        return self._snapshot.lengths[number] if number < size else self._lengths[number - size]

    def asking(self, number: int) -> float:
        """Return which share of a note consists of questions."""
        size = self._snapshot.size
        return self._snapshot.askings[number] if number < size else self._staged[number - size].asking

    def norm(self, number: int) -> float:
        """Return what frequencies are compared with in a note."""
        size = self._snapshot.size
        return self._snapshot.norm(number, self.formula) if number < size else self._norms[number - size]

    def parts(self, terms: tuple[tuple[str, float], ...]) -> Iterator[Part]:
        """Yield where any of these terms (term, worth) occurs; in a note the best of them counts.

        A term of two words with a space between them stands alone.
        """
        if " " in terms[0][0]:
            yield from self._beside(*terms[0][0].split(" "))
            return
        yield from self._snapshot.parts(terms, self.formula)
        staged = self._overlay.any_of(terms)
        if staged:
            documents = sorted(self._numbers[path] for path in staged)
            texts = [self._staged[document] for document in documents]
            weights = [staged[text.path] for text in texts]
            places = [reduce(or_, (text.places.get(term, 0) for term, _ in terms), 0) for text in texts]
            gains = self.formula.gains(documents, weights, self._norms)
            yield Part(self._snapshot.size, documents, weights, places, gains)

    def weight(self, term: str, number: int) -> float:
        """Return the weighted frequency of a term in a note."""
        for part in self.parts(((term, 1.0),)):
            place = bisect_left(part.documents, number - part.base)
            if place < len(part.documents) and part.documents[place] == number - part.base:
                return part.weights[place]
        return 0.0

    def _beside(self, one: str, other: str) -> Iterator[Part]:
        """Yield where one word stands right before another, as one part over all segments."""
        numbers = self.adjacent(one, other)
        if not numbers:
            return
        parts = list(self.parts(((one, 1.0),)))
        placed = {part.base + each: p for part in parts for each, p in zip(part.documents, part.places, strict=True)}
        gains = self.formula.gains(range(len(numbers)), repeat(1.0, len(numbers)), list(map(self.norm, numbers)))
        yield Part(0, numbers, [1.0] * len(numbers), [placed[number] for number in numbers], gains)

    def adjacent(self, one: str, other: str) -> list[int]:
        """Return notes in which one word stands right before another."""
        both = set(self.holders(one)).intersection(self.holders(other))
        wanted = f" {one} {other} "
        return [number for number in islice(sorted(both), _LOOKED_THROUGH) if wanted in self.sequence(number)]

    def frequency(self, term: str) -> int:
        """Return in about how many notes a term occurs."""
        return self._snapshot.frequency(term) + len(self._overlay.postings(term))

    def holders(self, term: str) -> list[int]:
        """Return the notes that have a term."""
        found = list(self._snapshot.holders(term))
        found += [self._snapshot.size + self._numbers[path] for path in self._overlay.postings(term)]
        return found

    def tagged(self, tag: str) -> set[int]:
        """Return the notes with a folded tag, or one nested in it."""
        found = set(self._snapshot.tagged(tag))
        found.update(self._snapshot.size + i for i, text in enumerate(self._staged) if tag in text.tags)
        return found

    def sequence(self, number: int) -> str:
        """Return the words of a note in order, each between two spaces."""
        size = self._snapshot.size
        return self._snapshot.sequence(number) if number < size else self._staged[number - size].sequence

    def mains(self, number: int) -> frozenset[str]:
        """Return the main forms of all words of a note."""
        return frozenset(self.sequence(number).split()) - {GAP}

    def all(self) -> set[int]:
        """Return all notes."""
        size = self._snapshot.size
        return self._snapshot.living() | set(range(size, size + len(self._staged)))

    def languages(self) -> list[str]:
        """Return the languages that some of the notes are surely in; one in very few of many notes is a mistake."""
        staged = (code for code in tongues().by_code if self._overlay.postings(LANGUAGE + code))
        asked = {*self._snapshot.languages, *staged}
        return sorted(code for code in asked if self.frequency(LANGUAGE + code) * _MISTAKEN >= self.count)

    def has(self, term: str) -> bool:
        """Tell whether a term may occur."""
        return bool(self._overlay.postings(term)) or self._snapshot.has(term)

    @cached_property
    def vocabularies(self) -> tuple[Vocabulary, ...]:
        """Return the words of letters that occur, also in notes that are hidden by now."""
        staged = Vocabulary(self._overlay.terms_from(""))
        return (*(view.segment.vocabulary for view in self._snapshot.views), staged)

    def terms_from(self, prefix: str) -> Iterator[str]:
        """Yield the terms that begin like this, some several times."""
        yield from self._overlay.terms_from(prefix)
        yield from self._snapshot.terms_from(prefix)
