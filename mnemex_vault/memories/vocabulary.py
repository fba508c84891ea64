"""The words and names that reading a message goes by: built-in lists, a note of the person's, a spaCy pipeline.

The note has the property `mnemex: words` and lies anywhere. Its other properties are lists, named after the lists of
`WordLists`; `topic_garden` adds to the words that suggest the tag `garden`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from mnemex_vault.errors import MnemexError, ModelUnavailable
from mnemex_vault.index.entry import Entry
from mnemex_vault.language.names import Entity, EntityKind
from mnemex_vault.language.word_lists import Lexicon, WordLists
from mnemex_vault.memories.store import Store
from mnemex_vault.text.note import Note, NoteKind
from mnemex_vault.text.values import alias_list
from mnemex_vault.text.yaml_core import Value

# Names that a spaCy pipeline finds, for those who have one installed; nothing is ever downloaded.
#
# The library belongs to the extra `ner`. It and the pipeline are loaded when the first text is read.

_KINDS = {
    "PERSON": EntityKind.PERSON,
    "PER": EntityKind.PERSON,
    "ORG": EntityKind.ORGANISATION,
    "TECHNOLOGY": EntityKind.TECHNOLOGY,
}
# what these label is no name of anything that a memory is about
_NO_NAMES = frozenset(
    {"CARDINAL", "DATE", "LANGUAGE", "LAW", "MONEY", "NORP", "ORDINAL", "PERCENT", "QUANTITY", "TIME"}
)


class NameModel:
    """Gives the names that the pipeline of the settings finds in a text, none without one or if it cannot be used."""

    def __init__(self, configured: Callable[[], str | None]) -> None:
        self._configured = configured
        self._lock = threading.Lock()
        self._opened: tuple[str, Any | ModelUnavailable] | None = None

    def __call__(self, text: str) -> Sequence[Entity]:
        """Return the names in a text in their order."""
        with self._lock:
            pipeline = self._pipeline()
            if pipeline is None or isinstance(pipeline, ModelUnavailable):
                return []
            try:
                return _names(pipeline, text)
            except ModelUnavailable as error:
                self._opened = (self._configured() or "", error)
                return []

    def problem(self) -> str:
        """Return why the pipeline cannot be used, "" if it can or none is wanted."""
        with self._lock:
            pipeline = self._pipeline()
        return f"ner_model: {pipeline}" if isinstance(pipeline, ModelUnavailable) else ""

    def _pipeline(self) -> Any | ModelUnavailable | None:
        name = self._configured()
        if not name:
            return None
        if self._opened is None or self._opened[0] != name:
            try:
                self._opened = (name, _loaded(name))
            except ModelUnavailable as error:
                self._opened = (name, error)
        return self._opened[1]


def _loaded(name: str) -> Any:
    folder = Path(name).expanduser()
    try:
        import spacy

        return spacy.load(folder if folder.is_dir() else name)
    except ImportError as error:
        raise ModelUnavailable(Path(name), f"needs mnemex-vault[ner]: {error}") from error
    except Exception as error:  # the library raises what it likes for what it cannot load
        raise ModelUnavailable(Path(name), f"cannot be loaded: {error}") from error


def _names(pipeline: Any, text: str) -> list[Entity]:
    try:
        labelled = [(" ".join(each.text.split()), str(each.label_)) for each in pipeline(text).ents]
    except Exception as error:  # so do the parts of a pipeline
        raise ModelUnavailable(Path(str(pipeline.meta.get("name"))), f"cannot read a text: {error}") from error
    return [Entity(name, _KINDS.get(label, EntityKind.NAME)) for name, label in labelled if label not in _NO_NAMES]


# The words that reading a message goes by: the built-in lists and what a person added in a note of the vault.

WORDS_NOTE = "words"
_TOPIC = "topic_"
_LISTS = frozenset(entry.name for entry in fields(WordLists)) - {"topics", "added"}
# keys that every note may have, and those of Obsidian itself
_NO_LISTS = frozenset({"mnemex", "tags", "aliases", "cssclasses", "created", "updated"})
_MOST_WORDS = 2_000
_LONGEST_WORD = 100


@dataclass(frozen=True, slots=True)
class Additions:
    """What a words note adds; `problems` are sentences about what in it says nothing."""

    lists: Mapping[str, tuple[str, ...]]
    topics: Mapping[str, tuple[str, ...]]
    problems: tuple[str, ...]


def additions(values: Mapping[str, Value]) -> Additions:
    """Return what the properties of a words note add.

    >>> found = additions({"mnemex": "words", "first_names": ["Oisín"], "topic_bees": "hive, comb", "nonsense": ["x"]})
    >>> found.lists, found.topics, found.problems
    ({'first_names': ('Oisín',)}, {'bees': ('hive', 'comb')}, ("there is no word list 'nonsense'",))
    """
    lists: dict[str, tuple[str, ...]] = {}
    topics: dict[str, tuple[str, ...]] = {}
    problems = []
    for key, value in values.items():
        words = tuple(word for word in alias_list(value) if len(word) <= _LONGEST_WORD)[:_MOST_WORDS]
        if key in _LISTS:
            lists[key] = words
        elif key.startswith(_TOPIC) and len(key) > len(_TOPIC):
            topics[key.removeprefix(_TOPIC)] = words
        elif key not in _NO_LISTS:
            problems.append(f"there is no word list {key!r}")
    return Additions(lists, topics, tuple(problems))


class Vocabulary:
    """The lexicon of a vault, made anew when its words note changes."""

    def __init__(self, store: Store, names: NameModel) -> None:
        self._store = store
        self._names = names
        self._made: tuple[tuple[tuple[str, str], ...], Lexicon, tuple[str, ...]] | None = None

    def lexicon(self) -> Lexicon:
        """Return the word lists ready for use; what cannot be read in the note is left out."""
        return self._current()[1]

    def problems(self) -> tuple[str, ...]:
        """Return what in the words note says nothing, each with the path of the note, and why a model is not used."""
        model = self._names.problem()
        return (*self._current()[2], *([model] if model else []))

    def _current(self) -> tuple[tuple[tuple[str, str], ...], Lexicon, tuple[str, ...]]:
        notes = [entry for entry in self._store.catalog.unsearchable() if entry.kind is NoteKind.GENERATED]
        version = tuple((entry.path, entry.etag) for entry in notes)
        made = self._made
        if made is None or made[0] != version:
            made = self._made = (version, *self._read(notes))
        return made

    def _read(self, notes: list[Entry]) -> tuple[Lexicon, tuple[str, ...]]:
        lists, problems = WordLists(), []
        for note in filter(None, map(self._words_note, notes)):
            added = additions(note.values)
            lists = lists.extended(added.lists, added.topics)
            problems += [f"{note.path}: {problem}" for problem in added.problems]
        return Lexicon.of(lists, self._names), tuple(problems)

    def _words_note(self, entry: Entry) -> Note | None:
        try:
            note = self._store.note(entry)
        except MnemexError:
            return None
        return note if note.values.get("mnemex") == WORDS_NOTE else None
