"""Which memories are versions of one fact: looked for when one is saved, and among those that a search finds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import combinations

from mnemex_vault.domain.memory import RelationType, Tier
from mnemex_vault.domain.versions import Compared, Standing, compare
from mnemex_vault.errors import MnemexError
from mnemex_vault.index.entry import Entry
from mnemex_vault.index.ranking import Hit
from mnemex_vault.language.slots import Statement, statement_of, statements_of, stems_of, version_weights
from mnemex_vault.memories.store import Store

# among so many of the best hits versions are looked for: as many as a page has, so that none is pushed off it
LOOKED_AT = 10
_CANDIDATES = 30
_LIKE_ENOUGH = 0.05
_MOST_KNOWN = 5
# what is this likely to be a version, the same or a detail is offered when a memory is saved
_OFFERED = 0.25
# and is called so, instead of unsure
_TOLD = 0.65
_CLEAR = 0.9
# at a search: two hits are taken for versions
_LIKELY = 0.45
_SURE_ENOUGH = 0.7
_REMEMBERED = 2_000
_SHARED = 2
_SETTLED = (RelationType.BOTH_TRUE, RelationType.SUPERSEDES)


@dataclass(frozen=True, slots=True)
class Version:
    """What is told of a hit that is one of several versions: since when it is so said, and the others."""

    newest: bool
    since: datetime
    others: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Known:
    """A memory that a new one may replace, repeat or refine; without a standing that is not sure."""

    entry: Entry
    text: str
    standing: Standing | None
    chance: float


@dataclass(slots=True)
class Versions:
    """Compares memories as statements; what a note states is remembered by its version."""

    store: Store
    _statements: dict[str, tuple[Statement, ...]] = field(default_factory=dict)

    def arranged(self, hits: Sequence[Hit], question: str, *, past: bool) -> tuple[list[Hit], Mapping[str, Version]]:
        """Return the hits with versions of one fact together, the newest first, the oldest if it is asked how it was.

        They stand where the first of them stood.
        """
        looked, rest = hits[:LOOKED_AT], hits[LOOKED_AT:]
        groups = self._groups([hit.entry for hit in looked if hit.entry.is_memory], stems_of(question))
        by_path = {hit.entry.path: hit for hit in looked}
        arranged: dict[str, Hit] = {}
        told: dict[str, Version] = {}
        for hit in looked:
            group = groups.get(hit.entry.path, [hit.entry])
            for entry in sorted(group, key=_when, reverse=not past) if len(group) > 1 else group:
                arranged.setdefault(entry.path, by_path[entry.path])
        for path, group in groups.items():
            newest = max(group, key=_when)
            entry = by_path[path].entry
            others = [each for each in group if each.path != path]
            told[path] = Version(entry == newest, _when(entry)[0], others)
        return [*arranged.values(), *rest], told

    def _groups(self, entries: Sequence[Entry], asked: frozenset[str]) -> dict[str, list[Entry]]:
        """Return for each entry that has other versions all versions, itself included."""
        groups: dict[str, list[Entry]] = {}
        for one, other in combinations(entries, 2):
            older, newer = sorted((one, other), key=_when)
            if self._is_version(older, newer, asked):
                group = [*groups.get(one.path, [one])]
                group += [each for each in groups.get(other.path, [other]) if each not in group]
                groups |= {each.path: group for each in group}
        return groups

    def _is_version(self, older: Entry, newer: Entry, asked: frozenset[str]) -> bool:
        """Tell whether one is a version of the other; what asks for a word that only the older has must be surer."""
        settled = self._settled(older, newer)
        if settled is not None:
            return settled is RelationType.SUPERSEDES
        old, new = self._statement(older, asked), self._statement(newer, asked)
        if old is None or new is None or old.stems.isdisjoint(new.stems):
            return False
        found = compare(old, new, version_weights())
        if found is None:
            return False
        only_older = asked & (old.stems - new.stems) and not asked & (new.stems - old.stems)
        return found.chances[Standing.VERSION] > (_SURE_ENOUGH if only_older else _LIKELY)

    def _settled(self, one: Entry, other: Entry) -> RelationType | None:
        """Return what somebody has said of two memories."""
        resolve = self.store.catalog.resolve
        for source, target in ((one, other), (other, one)):
            for relation in source.relations:
                if relation.type in _SETTLED and resolve(relation.target, source=source.path) == target:
                    return relation.type
        return None

    def _statement(self, entry: Entry, asked: frozenset[str] = frozenset()) -> Statement | None:
        """Return what a memory states; of several sentences the one with most of what is asked, two words or more."""
        found = self._read(entry)
        if len(found) <= 1:
            return next(iter(found), None)
        best = max(found, key=lambda statement: len(statement.stems & asked))
        return best if len(best.stems & asked) >= _SHARED else None

    def _read(self, entry: Entry) -> tuple[Statement, ...]:
        if entry.etag not in self._statements:
            if len(self._statements) >= _REMEMBERED:
                self._statements.clear()
            self._statements[entry.etag] = ()
            with suppress(MnemexError):
                self._statements[entry.etag] = statements_of(self.store.note(entry).content)
        return self._statements[entry.etag]

    def known(self, content: str) -> list[Known]:
        """Return up to five live memories that a new text may replace, repeat or refine, the likeliest first.

        Raises IndexUnavailable.
        """
        new = statement_of(content)
        if new is None:
            return []
        found = sorted(self._compared(new, content), key=lambda pair: pair[1].chances[Standing.OTHER])
        near = [pair for pair in found if 1 - pair[1].chances[Standing.OTHER] >= _OFFERED][:_MOST_KNOWN]
        return [self._known(entry, compared) for entry, compared in near]

    def _compared(self, new: Statement, content: str) -> Iterator[tuple[Entry, Compared]]:
        store = self.store
        superseded = store.catalog.superseded()

        def is_live(path: str) -> bool:
            entry = store.catalog.get(path)
            return entry is not None and entry.is_memory and entry.tier is not Tier.ARCHIVED and path not in superseded

        for path in store.text.alike(content, is_live, threshold=_LIKE_ENOUGH, count=_CANDIDATES):
            entry = store.catalog.get(path)
            old = self._statement(entry) if entry else None
            compared = compare(old, new, version_weights()) if old else None
            if entry is not None and compared is not None:
                yield entry, compared

    def _known(self, entry: Entry, compared: Compared) -> Known:
        standing, text = compared.standing, ""
        with suppress(MnemexError):
            text = self.store.note(entry).content
        chance = compared.chances[standing]
        sure = standing is not Standing.OTHER and chance >= _TOLD
        return Known(entry, text, standing if sure else None, chance)

    def clearly_replaced(self, content: str, known: Iterable[Known]) -> list[Entry]:
        """Return those that a new text clearly replaces: it says so itself, and nothing else is likely."""
        new = statement_of(content)
        if new is None or not new.marked("changed"):
            return []
        return [each.entry for each in known if each.standing is Standing.VERSION and each.chance >= _CLEAR]


def _when(entry: Entry) -> tuple[datetime, int]:
    """Return since when a memory says what it says: as its text or a person tells, else when it was saved."""
    created = entry.usage.created if entry.usage else None
    moment = entry.valid_from or created
    assert moment is not None
    return moment, entry.fingerprint.mtime_ns
