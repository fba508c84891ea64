"""What is committed: segments read once, their words, and their postings decoded once and kept while in use."""

from __future__ import annotations

import zlib
from array import array
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

from whoosh.columns import VarBytesColumn
from whoosh.reading import TermNotFound

from mnemex_vault.index.bm25 import Formula
from mnemex_vault.index.document import WeightedText
from mnemex_vault.index.storage import NOTE, SEQUENCE, TAGS, TEXT, CheckedStorage, Places, Weights
from mnemex_vault.language.meanings import Meanings, sketch_of

# The words of the notes, kept so that words nearly right and words within words are found without a list of them.

# shorter words have too many neighbours that mean something else
_ONE_SLIP = 4
_TWO_SLIPS = 8
_LENGTHS = range(2, 41)
# of 64 signs so many differ at most between words that mean nearly the same
_SIGNS_APART = 25


class Vocabulary:
    """Words of letters only, those of one length in one text, in which nothing is slower than to look for a piece."""

    def __init__(self, words: Iterable[str]) -> None:
        by_length: dict[int, list[str]] = {}
        for word in words:
            if len(word) in _LENGTHS and word.isalpha():
                by_length.setdefault(len(word), []).append(word)
        self._texts = {size: "".join(sorted(set(same))) for size, same in by_length.items()}

    def near(self, word: str) -> dict[str, int]:
        """Return the words one slip away, or two for a long word, with their distances; a swap is one slip.

        >>> Vocabulary(["penicillin", "pencil", "dentist"]).near("dentits")
        {'dentist': 1}
        """
        slips = 0 if len(word) < _ONE_SLIP else 1 if len(word) < _TWO_SLIPS else 2
        letters = set(word)
        found = {}
        for other in self._alike(word, slips) if slips else ():
            if other != word and other not in found and len(letters.symmetric_difference(other)) <= 2 * slips:
                steps = distance(word, other, slips)
                if steps <= slips:
                    found[other] = steps
        return found

    def __len__(self) -> int:
        return sum(len(text) // size for size, text in self._texts.items())

    def __iter__(self) -> Iterator[str]:
        for size, text in self._texts.items():
            yield from (text[start : start + size] for start in range(0, len(text), size))

    def akin(self, word: str, least: float) -> Iterator[tuple[str, float]]:
        """Yield the words whose meaning is at least that near, with the cosine.

        >>> [word for word, _ in Vocabulary(["doctor", "guitar"]).akin("physician", 0.5)]
        ['doctor']
        """
        wanted = self._meanings.vector(word)
        if wanted is None:
            return
        signs = sketch_of(wanted)
        for other, sketch in self._signs:
            if (signs ^ sketch).bit_count() <= _SIGNS_APART and other != word:
                cosine = self._meanings.similarity(word, other)
                if cosine >= least:
                    yield other, cosine

    @cached_property
    def _meanings(self) -> Meanings:
        return Meanings.load()

    @cached_property
    def _signs(self) -> list[tuple[str, int]]:
        vectors = ((word, self._meanings.vector(word)) for word in self)
        return [(word, sketch_of(vector)) for word, vector in vectors if vector is not None]

    def holding(self, part: str) -> Iterator[tuple[str, int]]:
        """Yield the words longer than a piece that hold it, with its places."""
        for size in self._texts:
            if size > len(part):
                yield from self._with(part, size, range(size - len(part) + 1))

    def _alike(self, word: str, slips: int) -> Iterator[str]:
        """Yield words that may be near: of one more piece than there are slips one is whole, unless two are swapped."""
        size, count = len(word), slips + 1
        bounds = [size * index // count for index in range(count + 1)]
        for length in range(max(_ONE_SLIP, size - slips), size + slips + 1):
            for start, end in pairwise(bounds):
                low = start - slips if start else 0
                # the last piece is counted from the end
                shift = length - size if end == size else 0
                places = range(start + shift, start + shift + 1) if end == size else range(low, start + slips + 1)
                yield from (other for other, _ in self._with(word[start:end], length, places if start else range(1)))
        for index in range(size - 1):
            swapped = word[:index] + word[index + 1] + word[index] + word[index + 2 :]
            yield from (other for other, _ in self._with(swapped, size, range(1)))

    def _with(self, piece: str, size: int, places: range) -> Iterator[tuple[str, int]]:
        """Yield the words of a length that hold a piece at one of these places."""
        text = self._texts.get(size, "")
        position = text.find(piece)
        while position >= 0:
            place = position % size
            if place in places and place + len(piece) <= size:
                yield text[position - place : position - place + size], place
            position = text.find(piece, position + 1)


def distance(one: str, other: str, most: int) -> int:
    """Return the number of letters missing, additional, wrong or swapped between two words; `most + 1` if it is more.

    >>> distance("recieve", "receive", 2), distance("kitten", "sitting", 2)
    (1, 3)
    """
    before: list[int] = []
    row = list(range(len(other) + 1))
    for index, letter in enumerate(one, 1):
        earlier, before, row = before, row, [index]
        for place, facing in enumerate(other, 1):
            steps = min(before[place] + 1, row[place - 1] + 1, before[place - 1] + (letter != facing))
            if place > 1 and index > 1 and letter == other[place - 2] and one[index - 2] == facing:
                steps = min(steps, earlier[place - 2] + 1)
            row.append(steps)
        if min(row) > most:
            return most + 1
    return min(row[-1], most + 1)


# What is committed: segments read once, and their postings decoded once and kept while they are in use.


@dataclass(slots=True)
class Postings:
    """The documents of one segment that have a term, ascending: weights, places, and what they add to a score."""

    documents: array[int]
    weights: array[float]
    places: array[int]
    _gains: array[float] | None = None

    def gains(self, formula: Formula, norms: Sequence[float]) -> array[float]:
        """Return the gain of each document; kept, since an index has one formula."""
        if self._gains is None:
            self._gains = formula.gains(self.documents, self.weights, norms)
        return self._gains


EMPTY = Postings(array("I"), array("f"), array("Q"))


class PostingCache:
    """The postings used last, bounded by their total number."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._held: OrderedDict[tuple[str, str, str], Postings] = OrderedDict()
        self._size = 0

    def get(self, key: tuple[str, str, str]) -> Postings | None:
        """Return the postings of (segment, field, term) if they are kept."""
        found = self._held.get(key)
        if found is not None:
            self._held.move_to_end(key)
        return found

    def put(self, key: tuple[str, str, str], postings: Postings) -> None:
        """Keep postings, and let go of those that were not used for longest."""
        self._held[key] = postings
        # an entry costs something even when it is empty
        self._size += len(postings.documents) + _ENTRY
        while self._size > self._limit and len(self._held) > 1:
            _, old = self._held.popitem(last=False)
            self._size -= len(old.documents) + _ENTRY

    def retain(self, segments: set[str]) -> None:
        """Forget all other segments."""
        for key in [key for key in self._held if key[0] not in segments]:
            self._size -= len(self._held.pop(key).documents) + _ENTRY


_ENTRY = 32
_MOST_KNOWN = 20_000


class Segment:
    """One immutable segment: which notes it holds, and its postings. Not safe for several threads at once."""

    def __init__(self, storage: CheckedStorage, segment: Any, cache: PostingCache) -> None:
        self.id: str = segment.segment_id()
        self.paths: list[str] = []
        self.etags: list[str] = []
        self.lengths = array("f")
        self.askings = array("f")
        self._storage = storage
        self._segment = segment
        self._cache = cache
        self._formats = {TEXT: Places(), TAGS: Weights()}
        self._norms: array[float] | None = None
        self._sequences: Any = None
        self._known: dict[str, bool] = {}
        self._terms = segment.codec().terms_reader(storage, segment)
        for value in self._column(NOTE):
            path, etag, length, asking = unpack_note(value)
            self.askings.append(asking)
            self.paths.append(path)
            self.etags.append(etag)
            self.lengths.append(length)

    def postings(self, term: str, field: str = TEXT) -> Postings:
        """Return the postings of a term, deleted documents included."""
        key = (self.id, field, term)
        found = self._cache.get(key)
        if found is None:
            found = self._read(field, term)
            self._cache.put(key, found)
        return found

    def any_of(self, terms: tuple[tuple[str, float], ...]) -> Postings:
        """Return the postings of several terms (term, worth) as if they were one: in a note the best of them counts."""
        if len(terms) == 1 and terms[0][1] == 1.0:
            return self.postings(terms[0][0])
        key = (self.id, TEXT, repr(terms))
        found = self._cache.get(key)
        if found is None:
            read = [(self._cache.get((self.id, TEXT, term)) or self._read(TEXT, term), worth) for term, worth in terms]
            found = merged_postings([each for each in read if each[0].documents])
            self._cache.put(key, found)
        return found

    def norms(self, formula: Formula) -> array[float]:
        """Return the norms of the documents; an index has one formula."""
        if self._norms is None:
            self._norms = formula.norms(self.lengths)
        return self._norms

    def frequency(self, term: str) -> int:
        """Return in how many documents a term occurs, deleted ones included, without reading which."""
        known = self._cache.get((self.id, TEXT, term))
        if known is not None:
            return len(known.documents)
        try:
            return int(self._terms.doc_frequency(TEXT, term.encode()))
        except KeyError:
            return 0

    def tagged(self, tag: str) -> Postings:
        """Return the documents that carry a folded tag, or one nested in it."""
        return self.postings(tag, TAGS)

    def has(self, term: str) -> bool:
        """Tell whether a term occurs, without reading where."""
        known = self._known.get(term)
        if known is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            known = self._known[term] = (TEXT, term.encode()) in self._terms
        return known

    def terms_from(self, prefix: str) -> Iterator[str]:
        """Yield the terms that begin like this, in the order of their bytes."""
        start = prefix.encode()
        for field, term in self._terms.terms_from(TEXT, start):
            if field != TEXT or not term.startswith(start):
                return
            yield term.decode()

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """Return the words of letters; read when they are first asked for."""
        return Vocabulary(self.terms_from(""))

    def sequence(self, document: int) -> str:
        """Return the words of a document in order."""
        if self._sequences is None:
            self._sequences = self._column(SEQUENCE)
        return unpack_sequence(self._sequences[document])

    def _column(self, name: str) -> Any:
        reader = self._segment.codec().per_document_reader(self._storage, self._segment)
        return reader.column_reader(name, VarBytesColumn())

    def _read(self, field: str, term: str) -> Postings:
        try:
            matcher = self._terms.matcher(field, term.encode(), self._formats[field])
        except TermNotFound:
            return EMPTY
        found = Postings(array("I"), array("f"), array("Q"))
        while matcher.is_active():
            _take_block(matcher, found)
        return found


def merged_postings(lists: Sequence[tuple[Postings, float]]) -> Postings:
    """Return the best of several weighted lists for each document, with the places of all."""
    if len(lists) == 1 and lists[0][1] == 1.0:
        return lists[0][0]
    best: dict[int, float] = {}
    places: dict[int, int] = {}
    # the longest list is taken over as it is
    for place, (postings, worth) in enumerate(sorted(lists, key=lambda each: -len(each[0].documents))):
        worths = postings.weights if worth == 1.0 else [weight * worth for weight in postings.weights]
        if place == 0:
            best.update(zip(postings.documents, worths, strict=True))
            places.update(zip(postings.documents, postings.places, strict=True))
            continue
        for document, weight, stretches in zip(postings.documents, worths, postings.places, strict=True):
            places[document] = places.get(document, 0) | stretches
            if weight > best.get(document, 0.0):
                best[document] = weight
    documents = sorted(best)
    weights, placed = array("f", map(best.__getitem__, documents)), array("Q", map(places.__getitem__, documents))
    return Postings(array("I", documents), weights, placed)


def _take_block(matcher: Any, found: Postings) -> None:
    """Take over a block at once: posting by posting costs ten times as much."""
    matcher.id(), matcher.weight()
    found.documents.extend(matcher._ids)
    found.weights.extend(matcher._weights)
    if matcher.format.posting_size:
        found.places.frombytes(matcher._data[2])
    matcher._next_block()


def pack_note(text: WeightedText) -> bytes:
    """Return what the note column holds of a document."""
    return f"{text.length}\0{text.asking}\0{text.etag}\0{text.path}".encode("utf-8", "surrogatepass")


def unpack_note(value: bytes) -> tuple[str, str, float, float]:
    """Return path, etag, length and share of questions."""
    length, asking, etag, path = value.decode("utf-8", "surrogatepass").split("\0", 3)
    return path, etag, float(length), float(asking)


def pack_sequence(text: WeightedText) -> bytes:
    """Return what the sequence column holds of a document."""
    return zlib.compress(text.sequence.encode())


def unpack_sequence(value: bytes) -> str:
    """Return the words of a document in order, between spaces."""
    return zlib.decompress(value).decode()
