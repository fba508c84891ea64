"""What strengthening answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemex_vault.answers.view import ABSENT, Answer, Told, View, day, listed, name_of, origin_of, title_of, within
from mnemex_vault.errors import NoteError, NoteNotFound
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import Recalled

if TYPE_CHECKING:
    from mnemex_vault.memories.lifecycle import Touched

_IDS = 1_000
_REASON = 200


@dataclass(frozen=True, kw_only=True)
class TouchedMemory(Answer):
    """Answer of touch_memory; `written` is false while the note waits because someone edits it."""

    success: bool
    memory_id: str
    title: str
    origin: str
    old_score: float
    new_score: float
    use_count: int
    strength: float
    fades_on: str | None
    written: bool
    message: str


@dataclass(frozen=True, kw_only=True)
class ObservedMemory(View):
    """What became of one reported use."""

    id: str
    status: str
    cross_domain: bool | None = ABSENT
    new_use_count: int | None = ABSENT
    new_review_count: int | None = ABSENT
    strength: float | None = ABSENT
    reason: str | None = ABSENT


@dataclass(frozen=True, kw_only=True)
class ObservedUsage(Answer):
    """Answer of observe_memory_usage."""

    reinforced: bool
    count: int
    cross_domain_count: int
    results: list[ObservedMemory]
    reason: str | None = ABSENT


def touched(found: Touched) -> Told[TouchedMemory]:
    """Tell of a memory before and after a use."""
    usage, entry = found.usage, found.entry
    fading = f"; it fades on {found.fades_on} unless it is used again" if found.fades_on else ""
    waiting = "" if found.written else "; its note is written when nobody is editing it"
    view = TouchedMemory(
        success=True,
        memory_id=entry.memory_id or "",
        title=title_of(entry.title),
        origin=origin_of(entry),
        old_score=round(found.score_before, 4),
        new_score=round(found.score, 4),
        use_count=usage.use_count,
        strength=round(usage.strength, 4),
        fades_on=day(found.fades_on),
        written=found.written,
        message=f"[{entry.memory_id}] counts {counted(usage.use_count, 'use')}{fading}{waiting}.",
    )
    return Told(view, view.message, [Recalled(name=view.memory_id, origin=view.origin, title=view.title)])


def observed(results: Mapping[str, Touched | NoteError]) -> Told[ObservedUsage]:
    """Tell what became of each reported use."""
    found = [each for each in results.values() if not isinstance(each, NoteError)]
    view = ObservedUsage(
        reinforced=bool(found),
        count=len(found),
        cross_domain_count=sum(each.cross_domain for each in found),
        results=[_observed(memory_id, each) for memory_id, each in results.items()],
    )
    return Told(view, _said(view))


def not_observed(reason: str) -> Told[ObservedUsage]:
    """Tell that nothing was counted, and why."""
    view = ObservedUsage(reinforced=False, count=0, cross_domain_count=0, results=[], reason=reason)
    return Told(view, f"Nothing was counted: {reason}.")


def _observed(memory_id: str, found: Touched | NoteError) -> ObservedMemory:
    if isinstance(found, NoteNotFound):
        return ObservedMemory(id=name_of(memory_id), status="not_found")
    if isinstance(found, NoteError):
        return ObservedMemory(id=memory_id, status="failed", reason=within(str(found), _REASON))
    return ObservedMemory(
        id=memory_id,
        status="reinforced",
        cross_domain=found.cross_domain,
        new_use_count=found.usage.use_count,
        new_review_count=found.usage.review_count,
        strength=round(found.usage.strength, 4),
    )


def _said(view: ObservedUsage) -> str:
    unknown = [each.id for each in view.results if each.status == "not_found"]
    missing = f" Unknown: {listed(unknown, _IDS)}." if unknown else ""
    failed = [each.id for each in view.results if each.status == "failed"]
    missing += f" Their notes cannot be read: {listed(failed, _IDS)}." if failed else ""
    strengthened = counted(view.count, "memory", "memories")
    return f"Strengthened {strengthened}, {view.cross_domain_count} of them used in a new field.{missing}"
