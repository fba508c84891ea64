"""What letting go of faded memories answers: the plan, and what was done of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemex_vault.answers.bounds import FOR_A_MODEL, Bounds
from mnemex_vault.answers.note import origin_of
from mnemex_vault.answers.promotion import failed_notes, first_of, reasons
from mnemex_vault.answers.view import Answer, Told, View
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import Recalled

if TYPE_CHECKING:
    from mnemex_vault.memories.forgetting import Faded, ForgettingPlan, ForgettingResult

_SHOWN = 10


@dataclass(frozen=True, kw_only=True)
class FadedMemory(View):
    """One memory that is or would be forgotten."""

    id: str
    title: str
    origin: str
    path: str
    score: float


@dataclass(frozen=True, kw_only=True)
class TidiedUp(Answer):
    """Answer of gc."""

    success: bool
    dry_run: bool
    removed_count: int
    archived_count: int
    freed_score_sum: float
    memory_ids: list[str]
    total_affected: int
    candidates: list[FadedMemory]
    exempt: dict[str, int]
    fading_within_30_days: int
    failed: dict[str, str]
    operation_ids: list[str]
    message: str


def tidied(
    plan: ForgettingPlan,
    result: ForgettingResult,
    *,
    dry_run: bool,
    to_trash: bool,
    bounds: Bounds = FOR_A_MODEL,
) -> Told[TidiedUp]:
    """Tell the plan and what was done of it."""
    moved = {each.memory_id for each in result.moved}
    affected = [each for each in plan.candidates if dry_run or each.entry.memory_id in moved]
    done = 0 if dry_run else len(affected)
    view = TidiedUp(
        success=not result.failed,
        dry_run=dry_run,
        removed_count=done if to_trash else 0,
        archived_count=0 if to_trash else done,
        freed_score_sum=round(sum(each.score for each in affected), 4),
        memory_ids=[each.entry.memory_id or "" for each in bounds.first(affected, _SHOWN)],
        total_affected=len(affected),
        candidates=[_faded(each, bounds) for each in bounds.first(plan.candidates, _SHOWN)],
        exempt={reason.value: count for reason, count in plan.exempt.items()},
        fading_within_30_days=plan.soon,
        failed=reasons(result.failed, bounds),
        operation_ids=list(dict.fromkeys(each.operation_id for each in result.moved)),
        message=_message(len(affected), plan, result, dry_run=dry_run, to_trash=to_trash),
    )
    return Told(view, view.message, _notes(view))


def _faded(faded: Faded, bounds: Bounds) -> FadedMemory:
    entry = faded.entry
    return FadedMemory(
        id=entry.memory_id or "",
        title=bounds.title(entry.title),
        origin=origin_of(entry),
        path=entry.path,
        score=round(faded.score, 4),
    )


def _message(count: int, plan: ForgettingPlan, result: ForgettingResult, *, dry_run: bool, to_trash: bool) -> str:
    place = "the trash" if to_trash else "the archive"
    first = (
        f"{counted(count, 'memory', 'memories')} below the forget level {'would go' if dry_run else 'went'} to {place}"
    )
    parts = [first, *(f"{kept} kept: {reason.value}" for reason, kept in plan.exempt.items())]
    parts.append(f"{plan.soon} more to fade within 30 days if unused")
    if result.failed:
        parts.append(f"not moved, and left as it was: {counted(len(result.failed), 'note')}")
    ending = "Nothing was changed." if dry_run else "undo takes it back." if count else "Nothing was changed."
    return f"{'; '.join(parts)}. {ending}{first_of(min(len(plan.candidates), _SHOWN), len(plan.candidates))}"


def _notes(view: TidiedUp) -> Iterator[Recalled]:
    """Give the memories that are or would be let go, then those that could not be."""
    for each in view.candidates:
        yield Recalled(name=each.id, origin=each.origin, title=each.title, facts=[f"score {each.score:.3f}"])
    yield from failed_notes(view.failed)
