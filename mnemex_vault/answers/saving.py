"""What saving answers: what became of a draft, and which memories say nearly the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemex_vault.answers.bounds import title_of
from mnemex_vault.answers.memory import changed_note
from mnemex_vault.answers.note import day, obsidian_url, origin_of
from mnemex_vault.answers.view import ABSENT, Answer, Told, View
from mnemex_vault.memories.recalled import Recalled

if TYPE_CHECKING:
    from pathlib import Path

    from mnemex_vault.memories.saving import Saved


@dataclass(frozen=True, kw_only=True)
class SimilarMemory(View):
    """An existing memory that says nearly the same."""

    id: str
    title: str
    origin: str
    first_line: str


@dataclass(frozen=True, kw_only=True)
class SavedMemory(Answer):
    """Answer of save_memory."""

    success: bool
    memory_id: str
    title: str
    origin: str
    path: str
    fades_on: str | None
    kind: str | None = ABSENT
    obsidian_url: str
    reinforced: bool
    similar: list[SimilarMemory]
    hints: list[str]
    message: str
    has_embedding: bool
    enrichment_applied: bool
    auto_entities: int
    calculated_strength: float
    operation_id: str | None


def saved(found: Saved, *, root: Path) -> Told[SavedMemory]:
    """Tell what became of a draft."""
    memory = found.memory
    view = SavedMemory(
        success=True,
        memory_id=memory.id,
        title=memory.title,
        origin=origin_of(memory),
        path=found.path,
        fades_on=day(found.fades_on),
        kind=memory.usage.kind.value if memory.usage.kind else ABSENT,
        obsidian_url=obsidian_url(root, found.path),
        reinforced=found.reinforced,
        similar=[
            SimilarMemory(id=each.id, title=title_of(each.title), origin=each.origin, first_line=each.first_line)
            for each in found.similar
        ],
        hints=list(found.hints),
        message=_message(found),
        has_embedding=False,
        enrichment_applied=found.enriched,
        auto_entities=found.found_entities,
        calculated_strength=memory.usage.strength,
        operation_id=found.operation_id,
    )
    return Told(view, view.message, _notes(view))


def _message(found: Saved) -> str:
    memory_id = found.memory.id
    fading = f"it fades on {found.fades_on} unless it is used" if found.fades_on else "it does not fade"
    if found.memory.usage.kind:
        fading = f"kept as {found.memory.usage.kind}, {fading}"
    if found.reinforced:
        return f"Already remembered [{memory_id}]; counted as a use, {fading}."
    lines = [f"Remembered [{memory_id}]; {fading}."]
    if found.similar:
        lines.append("Similar memories exist. If this one replaces one of them, say so: create_relation, supersedes.")
    if found.hints:
        lines.append(f"Hard to understand in a year: {'; '.join(found.hints)}.")
    return "\n".join(lines)


def _notes(view: SavedMemory) -> Iterator[Recalled]:
    """Give the memory, and those that say nearly the same."""
    yield changed_note(view)
    for each in view.similar:
        yield Recalled(mark="Similar: ", name=each.id, origin=each.origin, text=each.first_line)
