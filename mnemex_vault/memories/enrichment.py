"""What a new memory is given when its caller left it out: names, tags and strength, found in its own text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from mnemex_vault.domain.memory import Kind
from mnemex_vault.index.entry import Entry
from mnemex_vault.language.activation import NORMAL, description
from mnemex_vault.language.kinds import kind_of
from mnemex_vault.language.names import MOST_ENTITIES
from mnemex_vault.language.tags import clean_tag
from mnemex_vault.language.words import ADVERBS, EMPTY, MODALS, VERBS
from mnemex_vault.memories.draft import MAX_LABEL, Draft, as_kind
from mnemex_vault.memories.store import Store
from mnemex_vault.memories.vocabulary import Vocabulary

# The tags of a vault in its own spelling, looked up by the words of a text so that their number costs little.

_PRIVATE = "private"
_BETWEEN_WORDS = re.compile(r"[-_]")

# the notes that count for a spelling, 0 if it is not in use
Uses = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class TagIndex:
    """Tags by their folded form, and the folded forms by one word of their last part."""

    names: Set[str]
    spellings: Mapping[str, Sequence[str]]
    by_word: Mapping[str, Sequence[str]]

    @classmethod
    def of(cls, names: Iterable[str]) -> TagIndex:
        """Return the index of these tags.

        >>> index = TagIndex.of(["Area/Garden-tools", "tea", "Tea", "private/health"])
        >>> dict(index.by_word), index.spellings["tea"]
        ({'garden': ['area/garden-tools'], 'tea': ['tea']}, ['Tea', 'tea'])
        """
        spellings: defaultdict[str, list[str]] = defaultdict(list)
        for name in sorted(names):
            spellings[name.casefold()].append(name)
        by_word: defaultdict[str, list[str]] = defaultdict(list)
        for folded in spellings:
            words = topic_words(folded)
            if words:
                by_word[words[0]].append(folded)
        return cls(frozenset(names), dict(spellings), dict(by_word))

    def spelled(self, folded: str, uses: Uses) -> str | None:
        """Return the spelling of most notes, None for a tag that is not in use."""
        best = max(self.spellings.get(folded, ()), key=uses, default=None)
        return best if best is not None and uses(best) else None

    def said(self, words: Set[str], uses: Uses) -> list[str]:
        """Return the tags of which all words of the last part are said, those of most notes first."""
        candidates = [folded for word in words for folded in self.by_word.get(word, ())]
        said = [folded for folded in candidates if words >= frozenset(topic_words(folded))]
        spelled = filter(None, (self.spelled(folded, uses) for folded in said))
        return sorted(spelled, key=lambda tag: (-uses(tag), tag))


def topic_words(folded: str) -> Sequence[str]:
    """Return the words by which a text can name a tag; none for one that hides notes, a number or a letter.

    >>> topic_words("area/garden-tools"), topic_words("private/health"), topic_words("2026")
    (['garden', 'tools'], (), ())
    """
    first, last = folded.partition("/")[0], folded.rpartition("/")[2]
    if first == _PRIVATE or len(last) < 2 or last.isdigit():
        return ()
    return [word for word in _BETWEEN_WORDS.split(last) if word]


class TagsInUse:
    """The tags of the notes that a search may find; made anew when a tag comes or goes."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._index = TagIndex.of(())

    def spelled(self, tag: str) -> str | None:
        """Return the vault's spelling of a tag, None for one that is not in use."""
        return self._current().spelled(tag.casefold(), self._uses)

    def said(self, words: Set[str]) -> list[str]:
        """Return the tags of which all words of the last part are among these folded words, the most used first."""
        return self._current().said(words, self._uses)

    def _current(self) -> TagIndex:
        names = self._store.catalog.tags()
        if names != self._index.names:
            self._index = TagIndex.of(names)
        return self._index

    def _uses(self, tag: str) -> int:
        store, catalog = self._store, self._store.catalog
        if store.finds_all:
            return catalog.tag_count(tag)
        return sum(1 for path in catalog.bearing(tag) if (entry := catalog.get(path)) and store.may_find(entry))


MOST_TAGS = 3
_LOOK_AT = 20_000
_LONGEST_NAME = 4
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
# as a word of a sentence these say nothing about its topic
_ORDINARY = EMPTY | ADVERBS | MODALS
# after one of these a word such as "garden" or "work" is a thing and not a doing
_BEFORE_NOUNS = frozenset(
    {
        "the",
        "a",
        "an",
        "my",
        "our",
        "your",
        "his",
        "her",
        "their",
        "this",
        "that",
        "in",
        "at",
        "on",
        "of",
        "for",
        "from",
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Enriched:
    """A draft with nothing left out; `entities` counts the names that were found."""

    draft: Draft
    applied: bool
    entities: int


class Enrichment:
    """Fills in what a caller left out: a field that is None, not one that is empty."""

    def __init__(self, store: Store, vocabulary: Vocabulary) -> None:
        self._store = store
        self._vocabulary = vocabulary
        self.tags = TagsInUse(store)

    def enrich(self, draft: Draft) -> Enriched:
        """Return the draft with entities, tags and strength; what the caller gave stays as it is."""
        if draft.entities is not None and draft.tags is not None and draft.strength is not None:
            return Enriched(draft=draft, applied=False, entities=0)
        found = description(draft.content[:_LOOK_AT], self._vocabulary.lexicon())
        names: tuple[str, ...] = ()
        if draft.entities is None:
            names = self._names(draft.content[:_LOOK_AT], (entity.name for entity in found.entities))
        tags = draft.tags
        if tags is None:
            tags = suggested_tags(draft.content[:_LOOK_AT], found.tags, self.tags)
        enriched = replace(
            draft,
            entities=names if draft.entities is None else draft.entities,
            tags=tags,
            strength=found.strength if draft.strength is None else draft.strength,
        )
        return Enriched(draft=enriched, applied=True, entities=len(names))

    def _names(self, content: str, found: Iterable[str]) -> tuple[str, ...]:
        """Names of the person's own notes that the text says in several words, then those that need no note."""
        own = [entry.stem for entry in self._notes_named_in(content)]
        rest = [name for name in found if not any(name.casefold() in longer.casefold() for longer in own)]
        short = [name for name in (*own, *rest) if len(name) <= MAX_LABEL]
        return tuple(dict.fromkeys(short))[:MOST_ENTITIES]

    def _notes_named_in(self, content: str) -> Iterator[Entry]:
        for phrase in _phrases(content):
            notes = [
                entry
                for entry in self._store.catalog.named(phrase, aliases=True)
                if entry.searchable and not entry.is_memory and self._store.may_find(entry)
            ]
            if len(notes) == 1:
                yield notes[0]


def _phrases(content: str) -> Iterator[str]:
    """Groups of two to four words with a capital, as they stand in the text."""
    for line in content.splitlines():
        words = list(_WORD.finditer(line))
        for first in range(len(words)):
            for last in range(first + 1, min(first + _LONGEST_NAME, len(words))):
                phrase = line[words[first].start() : words[last].end()]
                if phrase != phrase.lower():
                    yield phrase


def suggested_tags(content: str, topics: Iterable[str], known: TagsInUse) -> tuple[str, ...]:
    """Return up to three tags: those of the vault that the text names, then its topics as the vault spells them."""
    said = {form for word in _nouns(content) for form in _forms(word)}
    spelled = {topic: _in_use(topic, known) for topic in topics}
    own = [tag for tag in spelled.values() if tag is not None]
    rest = [tag or topic for topic, tag in spelled.items()]
    return tuple(dict.fromkeys([*known.said(said)[:MOST_TAGS], *own, *rest]))[:MOST_TAGS]


def _nouns(content: str) -> Iterator[str]:
    """The words of a text that may name its topic."""
    before = ""
    for match in _WORD.finditer(content.casefold()):
        word = match[0]
        if word not in _ORDINARY and (word not in VERBS or before in _BEFORE_NOUNS):
            yield word
        before = word


def _in_use(topic: str, known: TagsInUse) -> str | None:
    tag = clean_tag(topic) or topic
    return next(filter(None, map(known.spelled, _forms(tag.casefold()))), None)


def _forms(word: str) -> tuple[str, ...]:
    """A word, and the word without or with the ending of its plural.

    >>> _forms("preferences"), _forms("garden")
    (('preferences', 'preference'), ('garden', 'gardens'))
    """
    return (word, word[:-1]) if word.endswith("s") and not word.endswith("ss") else (word, f"{word}s")


def kind_of_draft(draft: Draft) -> Kind | None:
    """Return the kind of a draft, found in its text if nothing was said of it."""
    return kind_in(draft.content, draft.origin) if draft.kind is None else as_kind(draft.kind)


def kind_in(content: str, origin: str | None) -> Kind | None:
    """Return the kind that a text tells."""
    return as_kind(kind_of(content)) if takes_kind(origin) else None


def takes_kind(origin: str | None) -> bool:
    """Tell whether a memory of this origin may be of a kind that nobody gave it.

    What stands on a web page about rules and habits is not the person's.
    """
    return origin != "web"


def strength_of(draft: Draft) -> float:
    """Return the strength of a draft, normal if nothing was said of it."""
    return NORMAL if draft.strength is None else draft.strength
