"""What strengthening answers."""

from __future__ import annotations

from collections.abc import Mapping

from mnemex_vault.domain.words import counted
from mnemex_vault.errors import NoteError, NoteNotFound
from mnemex_vault.mcp.budget import listed, name_of, title_of, within
from mnemex_vault.mcp.facts import day, origin_of
from mnemex_vault.mcp.views_uses import ObservedMemory, ObservedUsage, TouchedMemory
from mnemex_vault.memories.lifecycle import Touched
from mnemex_vault.memories.recalled import Recalled

_IDS = 1_000
_REASON = 200


def touched_view(touched: Touched) -> TouchedMemory:
    """Return a memory before and after a use."""
    usage = touched.usage
    fading = f"; it fades on {touched.fades_on} unless it is used again" if touched.fades_on else ""
    waiting = "" if touched.written else "; its note is written when nobody is editing it"
    return TouchedMemory(
        success=True,
        memory_id=touched.entry.memory_id or "",
        title=title_of(touched.entry.title),
        origin=origin_of(touched.entry),
        old_score=round(touched.score_before, 4),
        new_score=round(touched.score, 4),
        use_count=usage.use_count,
        strength=round(usage.strength, 4),
        fades_on=day(touched.fades_on),
        written=touched.written,
        message=f"[{touched.entry.memory_id}] counts {counted(usage.use_count, 'use')}{fading}{waiting}.",
    )


def touched_note(view: TouchedMemory) -> Recalled:
    """Return what the memory is called."""
    return Recalled(name=view.memory_id, origin=view.origin, title=view.title)


def observed_view(results: Mapping[str, Touched | NoteError]) -> ObservedUsage:
    """Return what became of each reported use."""
    found = [touched for touched in results.values() if isinstance(touched, Touched)]
    return ObservedUsage(
        reinforced=bool(found),
        count=len(found),
        cross_domain_count=sum(touched.cross_domain for touched in found),
        results=[_observed(memory_id, touched) for memory_id, touched in results.items()],
    )


def _observed(memory_id: str, touched: Touched | NoteError) -> ObservedMemory:
    if isinstance(touched, NoteNotFound):
        return ObservedMemory(id=name_of(memory_id), status="not_found")
    if isinstance(touched, NoteError):
        return ObservedMemory(id=memory_id, status="failed", reason=within(str(touched), _REASON))
    return ObservedMemory(
        id=memory_id,
        status="reinforced",
        cross_domain=touched.cross_domain,
        new_use_count=touched.usage.use_count,
        new_review_count=touched.usage.review_count,
        strength=round(touched.usage.strength, 4),
    )


def not_observed(reason: str) -> ObservedUsage:
    """Return that nothing was counted, and why."""
    return ObservedUsage(reinforced=False, count=0, cross_domain_count=0, results=[], reason=reason)


def observed_text(view: ObservedUsage) -> str:
    """Return the answer in a sentence."""
    if view.reason is not None:
        return f"Nothing was counted: {view.reason}."
    unknown = [each.id for each in view.results if each.status == "not_found"]
    missing = f" Unknown: {listed(unknown, _IDS)}." if unknown else ""
    failed = [each.id for each in view.results if each.status == "failed"]
    missing += f" Their notes cannot be read: {listed(failed, _IDS)}." if failed else ""
    strengthened = counted(view.count, "memory", "memories")
    return f"Strengthened {strengthened}, {view.cross_domain_count} of them used in a new field.{missing}"
