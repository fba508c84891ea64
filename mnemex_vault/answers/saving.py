"""What saving answers: what became of a draft, and what is known about the same already."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mnemex_vault.answers.memory import changed_note
from mnemex_vault.answers.view import ABSENT, Answer, Told, View, day, obsidian_url, origin_of, title_of
from mnemex_vault.language.sentences import cut_to
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import Recalled

if TYPE_CHECKING:
    from pathlib import Path

    from mnemex_vault.memories.saving import Saved
    from mnemex_vault.memories.versions import Known

_FIRST_LINE = 120


@dataclass(frozen=True, kw_only=True)
class SimilarMemory(View):
    """An existing memory that says nearly the same."""

    id: str
    title: str
    origin: str
    first_line: str


@dataclass(frozen=True, kw_only=True)
class KnownMemory(View):
    """A memory that the new one may replace, repeat or refine, and the one call that settles it.

    The `relation` is `version`, `same`, `detail`, or `unsure`.
    """

    id: str
    title: str
    origin: str
    first_line: str
    relation: str
    call: dict[str, Any]


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
    known: list[KnownMemory] = ABSENT
    replaced: list[str] = ABSENT
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
        known=[_known(memory.id, each) for each in found.known] or ABSENT,
        replaced=[each.item_id for each in found.replaced] or ABSENT,
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
    if found.replaced:
        lines.append(f"It replaces {counted(len(found.replaced), 'memory', 'memories')}; undo takes that back.")
    if found.known:
        lines.append("Known already: where this one replaces (supersedes) or repeats one, make the call beside it.")
    if found.hints:
        lines.append(f"Hard to understand in a year: {'; '.join(found.hints)}.")
    return "\n".join(lines)


def _known(memory_id: str, known: Known) -> KnownMemory:
    entry, standing = known.entry, known.standing
    other = entry.item_id
    # what is told late is replaced by what is known
    replacing = (other, memory_id) if known.late else (memory_id, other)
    calls: dict[str | None, dict[str, Any]] = {
        "same": {"tool": "forget_memory", "arguments": {"memory_id": memory_id, "reason": f"repeats {other}"}},
        None: _relating(memory_id, other, "both_true"),
    }
    return KnownMemory(
        id=other,
        title=title_of(entry.title),
        origin=origin_of(entry),
        first_line=cut_to(known.text.strip().partition("\n")[0], _FIRST_LINE),
        relation=standing.value if standing else "unsure",
        call=calls.get(standing and standing.value, _relating(*replacing, "supersedes")),
    )


def _relating(memory_id: str, other: str, relation: str) -> dict[str, Any]:
    arguments = {"from_memory_id": memory_id, "to_memory_id": other, "relation_type": relation}
    return {"tool": "create_relation", "arguments": arguments}


def _notes(view: SavedMemory) -> Iterator[Recalled]:
    """Give the memory, and those that say nearly the same."""
    yield changed_note(view)
    for known in view.known or ():
        arguments = ", ".join(map(str, known.call["arguments"].values()))
        facts = [known.relation, f"{known.call['tool']} {arguments}"]
        yield Recalled(mark="Known: ", name=known.id, origin=known.origin, facts=facts, text=known.first_line)
    told = {known.id for known in view.known or ()}
    for each in view.similar:
        if each.id not in told:
            yield Recalled(mark="Similar: ", name=each.id, origin=each.origin, text=each.first_line)
