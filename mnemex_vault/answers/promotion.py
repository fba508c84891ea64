"""What making memories permanent answers: the plan, and what was done of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemex_vault.answers.bounds import FOR_A_MODEL, Bounds, some, within
from mnemex_vault.answers.note import age_days, beginning, left_notes, left_words, origin_of
from mnemex_vault.answers.view import ABSENT, Answer, Told, View
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled, quoted

if TYPE_CHECKING:
    from mnemex_vault.memories.face import Entry, Memories
    from mnemex_vault.memories.lifecycle import Candidate, Outcome

_SHOWN = 10
_PREVIEW = 100
_IDS = 100
_REASON = 200
# characters that paths of notes may take whose links change
_LINKS = 600


@dataclass(frozen=True, kw_only=True)
class PromotionPlan(View):
    """One memory that is or would be promoted: where its note goes, and which notes' links change, how many of them."""

    id: str
    title: str
    origin: str
    content_preview: str
    reason: str
    score: float
    use_count: int
    age_days: float
    path: str
    destination: str
    links_in: list[str]
    links_in_count: int


@dataclass(frozen=True, kw_only=True)
class Promoted(Answer):
    """Answer of promote_memory."""

    success: bool
    dry_run: bool
    candidates_found: int
    promoted_count: int
    promoted_ids: list[str]
    candidates: list[PromotionPlan]
    failed: dict[str, str]
    operation_ids: list[str]
    message: str
    score: float | None = ABSENT


def plan(memories: Memories, candidates: Sequence[Candidate], bounds: Bounds = FOR_A_MODEL) -> list[PromotionPlan]:
    """Return the first ten of a plan, made before anything is moved."""
    return [_planned(memories, each, bounds) for each in bounds.first(candidates, _SHOWN)]


def _planned(memories: Memories, candidate: Candidate, bounds: Bounds) -> PromotionPlan:
    entry = candidate.entry
    return PromotionPlan(
        id=entry.memory_id or "",
        title=bounds.title(entry.title),
        origin=origin_of(entry),
        content_preview=beginning(memories, entry, _PREVIEW),
        reason=candidate.reason,
        score=round(candidate.score, 4),
        use_count=candidate.usage.use_count,
        age_days=age_days(candidate.usage, now=memories.now()),
        path=entry.path,
        destination=candidate.destination,
        links_in=some(candidate.links_in, bounds.at_most(_LINKS)),
        links_in_count=len(candidate.links_in),
    )


def promoted(
    plans: Sequence[PromotionPlan], outcome: Outcome, *, found: int, dry_run: bool, bounds: Bounds = FOR_A_MODEL
) -> Told[Promoted]:
    """Tell the plan and what was done of it."""
    moved = outcome.moved
    planned = f"{counted(found, 'memory', 'memories')} would be promoted; nothing was changed."
    undo = "; undo takes it back." if moved else "."
    left = list(dict.fromkeys(entry for each in moved for entry in each.left_links))
    said = f"Promoted {counted(len(moved), 'memory', 'memories')}{undo}{left_words(left)}"
    done = said + (f" Not moved, and left as it was: {counted(len(outcome.failed), 'note')}." * bool(outcome.failed))
    view = Promoted(
        success=not outcome.failed,
        dry_run=dry_run,
        candidates_found=found,
        promoted_count=len(moved),
        promoted_ids=[each.memory_id for each in bounds.first(moved, _IDS)],
        candidates=list(plans),
        failed=reasons(outcome.failed, bounds),
        operation_ids=list(dict.fromkeys(each.operation_id for each in moved)),
        message=(planned if dry_run or not found else done) + first_of(len(plans), found),
    )
    return Told(view, view.message, _notes(view, left))


def _notes(view: Promoted, left: Sequence[Entry]) -> Iterator[Recalled]:
    """Give the memories that are or would be promoted, each with the reason and its new place."""
    for each in view.candidates:
        facts = [each.reason, f"goes to {quoted(each.destination)}"]
        yield Recalled(name=each.id, origin=each.origin, title=each.title, facts=facts)
    yield from failed_notes(view.failed)
    yield from left_notes(left)


def not_promoted(memories: Memories, memory_id: str, *, dry_run: bool) -> Told[Promoted]:
    """Tell why the rules do not promote a memory."""
    entry, policy = memories.memory_entry(memory_id), memories.policy
    usage, score = memories.usage(entry), memories.score(entry, now=memories.now())
    needs = f"{counted(1 + policy.promote_min_uses, 'use')} on {counted(policy.promote_min_days, 'day')}"
    has = f"{usage.use_count} on {usage.days_used}"
    view = Promoted(
        success=False,
        dry_run=dry_run,
        candidates_found=0,
        promoted_count=0,
        promoted_ids=[],
        candidates=[],
        failed={},
        operation_ids=[],
        message=(
            f"[{memory_id}] does not qualify yet: it needs {needs} (has {has}) and a score of "
            f"{policy.promote_threshold:g} (has {score:.2f}) or {counted(policy.promote_use_count, 'use')} while it is "
            "young. "
            "If the user wants it permanent, call again with force=true."
        ),
        score=round(score, 4),
    )
    return Told(view, view.message)


def reasons(failed: Mapping[str, object], bounds: Bounds) -> dict[str, str]:
    """Return why some notes of many could not be moved."""
    return {path: within(str(why), bounds.at_most(_REASON)) for path, why in bounds.first(failed.items(), _SHOWN)}


def failed_notes(failed: Mapping[str, str]) -> Iterator[Recalled]:
    """Give the notes that could not be moved, each with the reason."""
    for path, why in failed.items():
        yield Recalled(mark="Failed: ", name=path, origin=UNKNOWN_ORIGIN, text=why)


def first_of(shown: int, found: int) -> str:
    """Say that only the first of many are shown, if so."""
    return f" The first {shown} are shown." if shown < found else ""
