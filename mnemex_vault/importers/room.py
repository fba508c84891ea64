"""How much one note can hold: what no reader would take back must not be written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from mnemex_vault.domain.memory import Memory
from mnemex_vault.notes.files import READ_LIMIT
from mnemex_vault.notes.note import Note, NoteKind
from mnemex_vault.notes.yaml_scalars import Value

# far below every limit nothing needs to be tried
_SURELY_CONTENT = READ_LIMIT // 16
_SURELY_LISTS = 4_000


def surely_fits(memory: Memory, properties: Mapping[str, Value]) -> bool:
    """Tell whether a memory, with further properties, is so small that its note can be read in any case."""
    lists = sum(map(len, _properties(memory))) + len(repr(properties))
    return len(memory.content) < _SURELY_CONTENT and lists < _SURELY_LISTS


def can_be_read(path: str, text: str) -> bool:
    """Tell whether a note of this text would be read again."""
    data = text.encode()
    return len(data) <= READ_LIMIT and Note.parse(path, data).kind is not NoteKind.UNREADABLE


def _properties(memory: Memory) -> Iterator[str]:
    """Yield the values of the frontmatter, each with some signs around it."""
    lists = (*memory.tags, *memory.aliases, *memory.entities, *(each.target for each in memory.relations))
    details = (f"{each.target}{each.metadata}" for each in memory.relations if each.metadata or each.strength != 1)
    texts = (memory.title, memory.source, memory.context, memory.project, memory.session)
    yield from (f"  - {value!r}" for value in (*lists, *details, *filter(None, texts)))
