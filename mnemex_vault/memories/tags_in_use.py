"""The tags of a vault in its own spelling, looked up by the words of a text so that their number costs little."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass

from mnemex_vault.memories.store import Store

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
