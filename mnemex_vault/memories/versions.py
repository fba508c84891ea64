"""Which memories are versions of one fact: looked for when one is saved, and among those that a search finds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import combinations

from mnemex_vault.domain.memory import RelationType, Tier
from mnemex_vault.domain.versions import Compared, Standing, compare, told_apart
from mnemex_vault.errors import MnemexError
from mnemex_vault.index.entry import Entry
from mnemex_vault.index.ranking import Hit, made_on
from mnemex_vault.language.slots import (
    Statement,
    figures_of,
    is_over,
    statement_of,
    statements_of,
    states_several,
    stems_of,
    version_weights,
)
from mnemex_vault.memories.history import archived_since
from mnemex_vault.memories.store import Store

# among so many of the best hits versions are looked for: as many as a page has, so that none is pushed off it
LOOKED_AT = 10
_CANDIDATES = 30
_LIKE_ENOUGH = 0.05
_MOST_KNOWN = 5
# what is this likely to be a version, the same or a detail is offered when a memory is saved
_OFFERED = 0.25
# and is called so, instead of unsure
_TOLD = 0.6
_CLEAR = 0.9
# at a search: two hits are taken for versions
_LIKELY = 0.45
_SURE_ENOUGH = 0.7
# statements, of which a long memory has thirty; each takes about a kilobyte
_REMEMBERED = 5_000
_REMEMBERED_PAIRS = 2_000
_SHARED = 2
_Reading = Callable[[str], tuple[Statement, ...]]
_SETTLED = (RelationType.BOTH_TRUE, RelationType.SUPERSEDES)
# looked through for what a person should settle: so many of the latest, by words that so many of them have at most
_LOOKED_THROUGH = 5_000
_RARE = 20
# of the words of the shorter one so many are those of a version that is called so
_THIRD = 1 / 3
# nobody asked, so that a claim must be surer: both are short, and half of what they say is the same
_SHORT, _HALF = 8, 0.5


@dataclass(frozen=True, slots=True)
class Version:
    """What is told of a hit that is one of several versions: since when it is so said, and the others."""

    newest: bool
    since: datetime
    others: Sequence[Entry]


@dataclass(frozen=True, slots=True)
class Known:
    """A memory that a new one may replace, repeat or refine; without a standing that is not sure.

    `late` tells that the new one says how it was before: then it is the known one that replaces it.
    """

    entry: Entry
    text: str
    standing: Standing | None
    chance: float
    late: bool = False


@dataclass(frozen=True, slots=True)
class Unsettled:
    """Two memories that may not both hold, the newer first; `said` if somebody marked that they contradict."""

    newer: Entry
    older: Entry
    said: bool


@dataclass(frozen=True, slots=True)
class _Stated:
    """What a memory states: all of it, or nothing of what is several things."""

    statements: tuple[Statement, ...]
    all: bool


@dataclass(slots=True)
class Versions:
    """Compares memories as statements; what the notes state that were looked at last is remembered by their texts."""

    store: Store
    _statements: dict[tuple[_Reading, str], _Stated] = field(default_factory=dict)
    _held: int = 0
    _chances: dict[tuple[Statement, Statement], float] = field(default_factory=dict)

    def arranged(
        self, hits: Sequence[Hit], question: str, *, past: bool, present: bool = False
    ) -> tuple[list[Hit], Mapping[str, Version]]:
        """Return the hits with versions of one fact together, the newest first, the oldest if it is asked how it was.

        They stand where the first of them stood. If it is asked how it is, what says how it was stands below what has
        the same words of the question and says how it is.
        """
        looked, rest = hits[:LOOKED_AT], hits[LOOKED_AT:]
        groups = self._groups([hit.entry for hit in looked if hit.entry.is_memory], stems_of(question))
        by_path = {hit.entry.path: hit for hit in looked}
        arranged: dict[str, Hit] = {}
        told: dict[str, Version] = {}
        for hit in looked:
            group = groups.get(hit.entry.path, [hit.entry])
            for entry in sorted(group, key=self._order, reverse=not past) if len(group) > 1 else group:
                arranged.setdefault(entry.path, by_path[entry.path])
        for path, group in groups.items():
            newest = max(group, key=self._order)
            entry = by_path[path].entry
            others = [each for each in group if each.path != path]
            told[path] = Version(entry == newest, _when(entry)[0], others)
        best = [*arranged.values()]
        if present:
            asked = stems_of(question)
            best = self._latest_figures_first(self._present_first(best, asked), asked)
        return [*best, *rest], told

    def _latest_figures_first(self, hits: Sequence[Hit], asked: frozenset[str]) -> list[Hit]:
        """Put what says that a number of what is asked changed right before the first hit that gives an older one."""
        told = {
            hit.entry.path: [each for each in self._read(hit.entry, figures_of) if len(each.stems & asked) >= _SHARED]
            for hit in hits
            if hit.entry.is_memory
        }
        ordered: list[Hit] = []
        for hit in hits:
            changed = [each for each in told.get(hit.entry.path, ()) if each.marked("changed")]
            outdated = (
                place
                for place, other in enumerate(ordered)
                for old in told.get(other.entry.path, ())
                # what has nothing changed may be no memory, and have no time
                if any(_other_figure(old, new, asked) for new in changed) and _when(other.entry) < _when(hit.entry)
            )
            ordered.insert(next(outdated, len(ordered)), hit)
        return ordered

    def _present_first(self, hits: Sequence[Hit], asked: frozenset[str]) -> list[Hit]:
        """Put what says how it was right behind the last hit that says how it is and has as much of what is asked."""
        said = {hit.entry.path: self._statement(hit.entry) for hit in hits if hit.entry.is_memory}
        places = []
        for place, hit in enumerate(hits):
            own = said.get(hit.entry.path)
            behind = place
            if own is not None and own.stems & asked and _was(hit.entry, own):
                for other_place, other in enumerate(hits[place + 1 :], place + 1):
                    theirs = said.get(other.entry.path)
                    if theirs is not None and theirs.stems >= own.stems & asked and not _was(other.entry, theirs):
                        behind = other_place
            places.append((behind, behind != place, place))
        return [hits[place] for _, _, place in sorted(places)]

    def _order(self, entry: Entry) -> tuple[bool, datetime, int]:
        """Return by what versions are put in order: what says how it was comes before what says how it is."""
        statement = self._statement(entry)
        return (statement is None or not _was(entry, statement), *_when(entry))

    def contradictions(self, entries: Iterable[Entry]) -> Mapping[str, Sequence[Entry]]:
        """Return by path the live memories that somebody marked as contradicting one of these, and nobody settled."""
        found = {entry.path: self._against(entry) for entry in entries if entry.is_memory}
        return {path: others for path, others in found.items() if others}

    def _against(self, entry: Entry) -> list[Entry]:
        catalog, against = self.store.catalog, RelationType.CONTRADICTS
        told = [catalog.resolve(each.target, source=entry.path) for each in entry.relations if each.type is against]
        for source in catalog.linking_to(entry):
            targets = (each.target for each in source.relations if each.type is against)
            told += [source for target in targets if catalog.resolve(target, source=source.path) == entry]
        others = {other.path: other for other in told if other is not None and other != entry}
        return [other for other in others.values() if self._is_open(entry, other)]

    def _is_open(self, entry: Entry, other: Entry) -> bool:
        superseded = self.store.catalog.superseded()
        alive = other.is_memory and other.tier is not Tier.ARCHIVED and other.path not in superseded
        return alive and self._settled(entry, other) is None

    def _groups(self, entries: Sequence[Entry], asked: frozenset[str]) -> dict[str, list[Entry]]:
        """Return for each entry that has other versions all versions, itself included."""
        groups: dict[str, list[Entry]] = {}
        for one, other in combinations(entries, 2):
            older, newer = sorted((one, other), key=self._order)
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
        if newer in self._against(older):
            return True
        old, new = self._statement(older, asked), self._statement(newer, asked)
        if old is None or new is None or old.stems.isdisjoint(new.stems):
            return False
        chance = self._chance(old, new)
        if chance <= _LIKELY or told_apart(old, new, asked):
            return False
        only_older = asked & (old.stems - new.stems) and not asked & (new.stems - old.stems)
        return chance > _SURE_ENOUGH or not only_older

    def _chance(self, old: Statement, new: Statement) -> float:
        """Return how likely one is a version of the other; remembered, since the same notes are found again."""
        known = self._chances.get((old, new))
        if known is None:
            if len(self._chances) >= _REMEMBERED_PAIRS:
                self._chances.clear()
            found = compare(old, new, version_weights())
            known = self._chances[old, new] = found.chances[Standing.VERSION] if found else 0.0
        return known

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
        if not asked:
            return self._single(entry)
        found = self._read(entry)
        if len(found) <= 1:
            return next(iter(found), None)
        best = max(found, key=lambda statement: len(statement.stems & asked))
        return best if len(best.stems & asked) >= _SHARED else None

    def _single(self, entry: Entry) -> Statement | None:
        """Return what a memory states if that is one thing."""
        found = self._read(entry, single=True)
        return found[0] if len(found) == 1 else None

    def _read(self, entry: Entry, reading: _Reading = statements_of, *, single: bool = False) -> tuple[Statement, ...]:
        """Return what a memory states; nothing if it is to be a `single` thing and may be several."""
        # a use makes another version of the note, and says nothing new
        key = reading, entry.text_key or entry.etag
        known = self._statements.pop(key, None)
        if known is None or not (known.all or single):
            self._held -= 1 if known else 0
            content = ""
            with suppress(MnemexError):
                content = self.store.content(entry)
            several = single and states_several(content)
            known = _Stated(() if several else reading(content), all=not several)
            self._held += 1 + len(known.statements)
        self._statements[key] = known
        while self._held > _REMEMBERED and len(self._statements) > 1:
            self._held -= 1 + len(self._statements.pop(next(iter(self._statements))).statements)
        return known.statements

    def known(self, content: str, near: Iterable[str], *, since: datetime | None = None) -> tuple[Known, ...]:
        """Return up to five of the memories that are `near` a new text that it may replace, repeat or refine.

        The likeliest comes first. `since` is when the text says that it was so.
        """
        new = statement_of(content)
        if new is None:
            return ()
        found = sorted(self._compared(new, near), key=lambda pair: pair[1].chances[Standing.OTHER])
        likely = [pair for pair in found if 1 - pair[1].chances[Standing.OTHER] >= _OFFERED][:_MOST_KNOWN]
        return tuple(self._known(entry, compared, new, since) for entry, compared in likely)

    def _compared(self, new: Statement, near: Iterable[str]) -> Iterator[tuple[Entry, Compared]]:
        for path in near:
            entry = self.store.catalog.get(path)
            old = self._statement(entry) if entry else None
            compared = compare(old, new, version_weights()) if old else None
            if entry is not None and compared is not None:
                yield entry, compared

    def _known(self, entry: Entry, compared: Compared, new: Statement, since: datetime | None) -> Known:
        standing, text = compared.standing, ""
        with suppress(MnemexError):
            text = self.store.note(entry).content
        chance = compared.chances[standing]
        sure = standing is not Standing.OTHER and chance >= _TOLD and not self._far_apart(entry, new, standing)
        late = is_over(new) or (since is not None and since < true_since(entry))
        return Known(entry, text, standing if sure else None, chance, late=late)

    def _far_apart(self, entry: Entry, new: Statement, standing: Standing) -> bool:
        """Tell whether too little is said by both for one to be called a version of the other."""
        old = self._statement(entry)
        if old is None or standing is not Standing.VERSION:
            return False
        return len(old.stems & new.stems) < _THIRD * min(len(old.stems), len(new.stems))

    def unsettled(self, *, most: int) -> list[Unsettled]:
        """Return pairs of live memories for a person to settle, the latest first, those that somebody marked ahead.

        One is clearly another version of the other by its words, or they are marked as contradicting each other; and
        nobody has said yet which holds, or that both do.
        """
        superseded = self.store.catalog.superseded()
        live = (entry for entry in self.store.catalog.memories(Tier.SHORT_TERM, Tier.LONG_TERM))
        entries = sorted((e for e in live if e.path not in superseded), key=self._order, reverse=True)
        found = {frozenset((e.newer.path, e.older.path)): e for e in self._contradicting(entries)}
        for newer, older in self._near(entries[:_LOOKED_THROUGH]):
            if len(found) >= most:
                break
            key = frozenset((newer.path, older.path))
            if key not in found and self._settled(newer, older) is None and self._clearly(older, newer):
                found[key] = Unsettled(newer, older, said=False)
        return list(found.values())[:most]

    def _contradicting(self, entries: Iterable[Entry]) -> Iterator[Unsettled]:
        for entry in entries:
            said = any(each.type is RelationType.CONTRADICTS for each in entry.relations)
            for other in self._against(entry) if said else ():
                older, newer = sorted((entry, other), key=self._order)
                yield Unsettled(newer, older, said=True)

    def _near(self, entries: Iterable[Entry]) -> Iterator[tuple[Entry, Entry]]:
        """Yield pairs that share a rare word, the newer first, those of the latest ahead."""
        by_stem: defaultdict[str, list[Entry]] = defaultdict(list)
        read = [(entry, found) for entry in entries if (found := self._single(entry))]
        for entry, statement in read:
            for stem in statement.stems:
                by_stem[stem].append(entry)
        place = {entry.path: number for number, (entry, _) in enumerate(read)}
        for entry, statement in read:
            shared = Counter(
                other.path
                for stem in statement.stems
                if len(by_stem[stem]) <= _RARE
                for other in by_stem[stem]
                if place[other.path] > place[entry.path]
            )
            yield from ((entry, read[place[path]][0]) for path, _ in shared.most_common(_MOST_KNOWN))

    def _clearly(self, older: Entry, newer: Entry) -> bool:
        old, new = self._statement(older), self._statement(newer)
        if old is None or new is None:
            return False
        longer = max(len(old.stems), len(new.stems))
        if longer > _SHORT or len(old.stems & new.stems) < _HALF * longer:
            return False
        compared = compare(old, new, version_weights())
        return compared is not None and compared.chances[Standing.VERSION] >= _TOLD

    def clearly_replaced(self, content: str, known: Iterable[Known]) -> list[Entry]:
        """Return those that a new text clearly replaces: it says so itself, and nothing else is likely."""
        new = statement_of(content)
        if new is None or not new.marked("changed"):
            return []
        clear = (each for each in known if each.standing is Standing.VERSION and each.chance >= _CLEAR)
        return [each.entry for each in clear if not each.late]


def near(store: Store, content: str) -> Mapping[str, float]:
    """Return the live memories that share words with a text and that nothing replaced, the most similar first.

    Raises IndexUnavailable.
    """
    superseded = store.catalog.superseded()

    def is_live(path: str) -> bool:
        entry = store.catalog.get(path)
        return entry is not None and entry.is_memory and entry.tier is not Tier.ARCHIVED and path not in superseded

    return store.text.alike(content, is_live, threshold=_LIKE_ENOUGH, count=_CANDIDATES)


def true_since(entry: Entry) -> datetime:
    """Return since when a memory says what it says: as its text or a person tells, else when it was saved."""
    created = entry.usage.created if entry.usage else None
    moment = entry.valid_from or created
    assert moment is not None
    return moment


def _was(entry: Entry, statement: Statement) -> bool:
    """Tell whether a memory says how something was: by its words, or by a time and words that need one."""
    dated = entry.valid_from is not None and (statement.marked("past") or statement.marked("was"))
    return is_over(statement) or (dated and not statement.marked("changed"))


def _when(entry: Entry) -> tuple[datetime, int]:
    """Return by what versions are put in order: of two that say so since the same moment, the file written last."""
    return true_since(entry), entry.fingerprint.mtime_ns


def _other_figure(old: Statement, new: Statement, asked: frozenset[str]) -> bool:
    """Tell whether two statements give different numbers of the same of what is asked."""
    same = old.stems & new.stems & asked - old.numbers
    return len(same) >= _SHARED and not new.numbers <= old.numbers and not told_apart(old, new, asked)


# A question that an outdated memory would answer is a question for the one that replaced it.


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


def superseded_by(store: Store, as_of: date | None = None) -> Mapping[str, str]:
    """Return the path of what replaces each outdated note, or did at the end of that day."""
    if as_of is None:
        return store.catalog.superseded()
    archived = _archived_by(store, as_of)

    def was_there(entry: Entry) -> bool:
        day = made_on(entry, store.rules.zone)
        return day is not None and day <= as_of and entry.path not in archived

    return store.catalog.superseded_by(was_there)


def known_then(store: Store, relevances: Mapping[str, float], as_of: date | None) -> Mapping[str, float]:
    """Leave out what had been archived by the end of that day, as far as the journal tells."""
    archived = _archived_by(store, as_of) if as_of else ()
    return {path: raw for path, raw in relevances.items() if path not in archived} if archived else relevances


def _archived_by(store: Store, day: date) -> set[str]:
    return {entry.path for entry in store.catalog.memories(Tier.ARCHIVED)} - archived_since(store, day)


@dataclass(frozen=True, slots=True)
class Earlier:
    """What a hit replaced, and until when it held."""

    entry: Entry
    until: datetime


def history_of(store: Store, hits: Sequence[Hit], superseded: Mapping[str, str]) -> Mapping[str, Sequence[Earlier]]:
    """Return by the path of each hit what it replaced, directly or through others, the latest first."""
    catalog = store.catalog
    shown = {hit.entry.path for hit in hits}
    history: dict[str, list[Earlier]] = {}
    for path, successor in superseded.items():
        present, entry, follows = latest(path, superseded), catalog.get(path), catalog.get(successor)
        told = present in shown and path not in shown
        if told and entry and follows and store.may_find(entry):
            history.setdefault(present, []).append(Earlier(entry, true_since(follows)))
    for earlier in history.values():
        earlier.sort(key=lambda each: each.until, reverse=True)
    return history
