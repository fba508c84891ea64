"""What a new memory is given when its caller left it out: names, tags and strength, found in its own text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from mnemex_vault.domain.activation import NORMAL, description
from mnemex_vault.domain.entities import MOST_ENTITIES
from mnemex_vault.domain.tags import clean_tag
from mnemex_vault.domain.words_titles import ADVERBS, EMPTY, MODALS, VERBS
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.draft import MAX_LABEL, Draft
from mnemex_vault.memories.store import Store
from mnemex_vault.memories.tags_in_use import TagsInUse
from mnemex_vault.memories.vocabulary import Vocabulary

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


def strength_of(draft: Draft) -> float:
    """Return the strength of a draft, normal if nothing was said of it."""
    return NORMAL if draft.strength is None else draft.strength
