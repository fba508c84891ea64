"""A note as it was read: the text in its bytes and their version, what it is for us, and the memory in it."""

from __future__ import annotations

import codecs
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from enum import StrEnum
from functools import cached_property
from hashlib import sha256
from types import MappingProxyType
from typing import Any

from mnemex_vault.domain.memory import Memory, Tier
from mnemex_vault.errors import UnreadableNote
from mnemex_vault.text import frontmatter
from mnemex_vault.text import values as values_of
from mnemex_vault.text.blocks import Heading
from mnemex_vault.text.fields import (
    Facts,
    content_of,
    id_problem,
)
from mnemex_vault.text.file_names import is_name_for
from mnemex_vault.text.inert_text import as_given
from mnemex_vault.text.keys import ID_KEY, TEXT_FIELDS, TIME_FIELDS, WORD_FIELDS
from mnemex_vault.text.links import Findings, Link, findings, frontmatter_links, scan
from mnemex_vault.text.values import as_checkbox, memory_id, property_tags
from mnemex_vault.text.yaml_core import Value

# The text in the bytes of a file, also where a program broke it or wrote another encoding than UTF-8.

_NO_TEXT = "it is no text in UTF-8"
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_FOREIGN = re.compile("[\udc80-\udcff]")
_STRANGE = re.compile("[\x00-\x08\x0e-\x1f\udc80-\udcff]")
# from so many strange characters among ten on, a file is no text but a picture or the like
_MOST_STRANGE = 0.3


def legible(data: bytes) -> tuple[str, str]:
    r"""Return the text, and what is wrong with it, "" if nothing is; without any text in it, only what is wrong.

    Bytes that are no UTF-8 are read as most programs for Western languages wrote them.

    >>> legible("café".encode()), legible("café".encode("latin-1"))
    (('café', ''), ('café', 'not all of it is UTF-8'))
    >>> legible(b"a\0b")[1], legible("tea".encode("utf-16")), legible(bytes(range(128, 160)))[0]
    ('it holds zero bytes', ('tea', 'it is UTF-16 and not UTF-8'), '')
    """
    if data.startswith(_MARKS):
        try:
            return data.decode("utf-16"), "it is UTF-16 and not UTF-8"
        except UnicodeDecodeError:
            return "", _NO_TEXT
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return _mended(data.decode("utf-8", "surrogateescape"))
    return text, "it holds zero bytes" if "\0" in text else ""


def _mended(text: str) -> tuple[str, str]:
    if len(_STRANGE.findall(text)) > _MOST_STRANGE * len(text):
        return "", _NO_TEXT
    return _FOREIGN.sub(_western, text), "not all of it is UTF-8"


def _western(match: re.Match[str]) -> str:
    return bytes([ord(match[0]) - 0xDC00]).decode("cp1252", "replace")


# The version of a text: what compare-and-swap compares.


def etag(data: bytes) -> str:
    """Return 32 hexadecimal characters of SHA-256.

    >>> etag(b"")
    'e3b0c44298fc1c149afbf4c8996fb924'
    """
    return sha256(data).hexdigest()[:32]


# What a note is for us, decided by its path, its text and its frontmatter.

_FOREIGN_ENDING = ".excalidraw.md"
# by these a note belongs to another plugin
FOREIGN_KEYS = ("excalidraw-plugin", "kanban-plugin")
_PRIVATE = "private"
_OUR_KEY = "mnemex"
# in frontmatter that cannot be parsed, whatever may mean private does
_MAYBE_PRIVATE = re.compile(r"(?<![\w-])private(?![\w-])|\bmnemex[\"']?[ \t]*:[ \t]*[\"']?(?:false|no|off|n|0)\b", re.I)


class NoteKind(StrEnum):
    """What a note is for us; the first that applies. `AWAY` is one whose text is not on this device."""

    AWAY = "away"
    BINARY = "binary"
    FOREIGN = "foreign"
    PRIVATE = "private"
    UNREADABLE = "unreadable"
    GENERATED = "generated"
    MEMORY = "memory"
    ORDINARY = "ordinary"


def kind_of(path: str, text: str, values: Mapping[str, Value]) -> NoteKind:
    """Return the kind of a note whose frontmatter could be read."""
    if path.lower().endswith(_FOREIGN_ENDING) or any(key in values for key in FOREIGN_KEYS):
        return NoteKind.FOREIGN
    if _says_no(values) or _has_private_tag(property_tags(values)) or _is_tagged_private(text):
        return NoteKind.PRIVATE
    ours = values.get(_OUR_KEY)
    if isinstance(ours, str) and ours.strip():
        return NoteKind.GENERATED
    return NoteKind.MEMORY if memory_id(values.get(ID_KEY)) else NoteKind.ORDINARY


def kind_of_unreadable(path: str, text: str) -> NoteKind:
    """Return the kind of a note whose text or frontmatter could not be read; in doubt it is private."""
    block = frontmatter.split(text)
    head = text[: block.end] if block else ""
    if frontmatter.is_unclosed(text):
        # what is never closed reaches to the first blank line
        head = re.split(r"\r?\n[ \t]*\r?\n", text, maxsplit=1)[0]
    if path.lower().endswith(_FOREIGN_ENDING) or any(f"{key}:" in head for key in FOREIGN_KEYS):
        return NoteKind.FOREIGN
    if _MAYBE_PRIVATE.search(head) or _is_tagged_private(text):
        return NoteKind.PRIVATE
    return NoteKind.UNREADABLE


def _says_no(values: Mapping[str, Value]) -> bool:
    return any(key.lower() == _OUR_KEY and as_checkbox(value) is False for key, value in values.items())


def _is_tagged_private(text: str) -> bool:
    # looking closely at every note would be slow; most do not have the word
    return f"#{_PRIVATE}" in text.casefold() and _has_private_tag(tuple(findings(text).tags))


def _has_private_tag(tags: tuple[str, ...]) -> bool:
    return any(tag.casefold().partition("/")[0] == _PRIVATE for tag in tags)


# A note as it was read, and the memory in it.


@dataclass(frozen=True)
class Note:
    """One note: `text` is its file exactly, BOM and line ends included; what can be read of it if it is no UTF-8.

    `unreadable_because` says why text or frontmatter could not be read, "" if they could. Such a note has no
    properties, and all of it is its body.
    """

    path: str
    text: str
    etag: str
    values: Mapping[str, Value]
    kind: NoteKind
    unreadable_because: str = ""

    @classmethod
    def parse(cls, path: str, data: bytes) -> Note:
        """Return the note; content of any kind is accepted."""
        text, flaw = legible(data)
        if flaw:
            kind = kind_of_unreadable(path, text.replace("\0", "")) if text else NoteKind.BINARY
            return cls(path, text, etag(data), {}, kind, flaw)
        try:
            values: dict[str, Value] = frontmatter.read(text)
        except UnreadableNote as error:
            return cls(path, text, etag(data), {}, kind_of_unreadable(path, text), error.reason)
        return cls(path, text, etag(data), MappingProxyType(values), kind_of(path, text, values))

    @cached_property
    def problems(self) -> tuple[str, ...]:
        """Return sentences for people about what could not be used as it stands."""
        if self.unreadable_because:
            return (self.unreadable_because,)
        if self.memory_id is None:
            problem = id_problem(self.values)
            return (problem,) if problem else ()
        facts = Facts(self.values, UTC)
        facts.usage(None)
        facts.relations()
        for row in TIME_FIELDS:
            facts.time(row.key)
        for row in (*TEXT_FIELDS, *WORD_FIELDS):
            facts.text(row.key)
        return tuple(facts.problems)

    @property
    def memory_id(self) -> str | None:
        """Return the id that makes the note a memory."""
        return values_of.memory_id(self.values.get(ID_KEY))

    @property
    def stem(self) -> str:
        """Return the file name without folder and `.md`."""
        name = self.path.rpartition("/")[2]
        return (name[:-3] if name.lower().endswith(".md") else name) or name

    @cached_property
    def title(self) -> str:
        """Return the alias from which the file name was made, else the file name."""
        made_for = (alias for alias in self.aliases if is_name_for(self.stem, alias))
        return next(made_for, unicodedata.normalize("NFC", self.stem))

    @property
    def body(self) -> str:
        """Return everything after the frontmatter; the whole text of a note that is unreadable."""
        if self.unreadable_because:
            return self.text.removeprefix(frontmatter.BOM).replace("\0", "")
        block = frontmatter.split(self.text)
        return self._given(self.text[block.body_start :] if block else self.text.removeprefix(frontmatter.BOM))

    @property
    def content(self) -> str:
        """Return the memory's text, exactly as it was saved up to one final newline."""
        return self.body.removesuffix("\n") if self.unreadable_because else self._given(content_of(self.text))

    @cached_property
    def tags(self) -> tuple[str, ...]:
        """Return the tags of frontmatter and body."""
        return tuple(dict.fromkeys((*values_of.property_tags(self.values), *self._findings.tags)))

    @cached_property
    def aliases(self) -> tuple[str, ...]:
        """Return the aliases."""
        return tuple(map(self._given, values_of.alias_list(self.values.get("aliases"))))

    @property
    def property_title(self) -> str | None:
        """Return what the property `title` calls the note."""
        return next(iter(values_of.texts(self.values.get("title"))), None)

    @property
    def entities(self) -> tuple[str, ...]:
        """Return the names of what the note is about, without brackets."""
        return tuple(map(self._given, values_of.entity_list(self.values.get("entities"))))

    @cached_property
    def origin(self) -> str | None:
        """Return who wrote it: None for a person."""
        return Facts(self.values, UTC).text("origin")

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """Return the links of frontmatter and body."""
        return (*(() if self.unreadable_because else frontmatter_links(self.text)), *self._findings.links)

    @property
    def headings(self) -> tuple[Heading, ...]:
        """Return the headings of the body."""
        return tuple(self._findings.headings)

    def memory(self, *, tier: Tier, zone: tzinfo, undated: datetime | None = None) -> Memory:
        """Return the memory in the note; absurd values are replaced by defaults.

        `undated` stands for the dates of a memory that has none that can be read. Raises UnreadableNote if the note is
        no memory, or has no date and `undated` is not given.
        """
        identity = self.memory_id
        if identity is None or self.kind not in (NoteKind.MEMORY, NoteKind.PRIVATE):
            raise UnreadableNote(self.path, f"it is no memory but {self.kind.value}")
        facts = Facts(self.values, zone)
        usage = facts.usage(undated)
        if usage is None:
            raise UnreadableNote(self.path, "neither created nor last_used is a date")
        said: dict[str, Any] = {row.attribute: self._text(row.key) for row in TEXT_FIELDS}
        said |= {row.attribute: facts.time(row.key) for row in TIME_FIELDS}
        return Memory(
            id=identity,
            title=self.title,
            content=self.content,
            usage=usage,
            tier=tier,
            tags=values_of.tag_list(self.values.get("tags")),
            aliases=tuple(alias for alias in self.aliases if alias != self.title),
            entities=self.entities,
            relations=facts.relations(),
            origin=self.origin,
            **said,
        )

    def _text(self, key: str) -> str | None:
        text = Facts(self.values, UTC).text(key)
        return text and self._given(text)

    def _given(self, text: str) -> str:
        """Undo what made the text of a stranger inert."""
        return as_given(text, self.origin) if self.memory_id else text

    @cached_property
    def _findings(self) -> Findings:
        return scan(self.body) if self.unreadable_because else findings(self.text)
