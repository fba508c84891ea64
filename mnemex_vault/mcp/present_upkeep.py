"""What promoting, tidying up and undoing answer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from mnemex_vault.domain.words import counted
from mnemex_vault.errors import NoteError
from mnemex_vault.history.journal import Operation
from mnemex_vault.index.entry import Entry
from mnemex_vault.mcp.budget import some, title_of, within
from mnemex_vault.mcp.facts import age_days, left_words, origin_of
from mnemex_vault.mcp.views_upkeep import FadedMemory, Promoted, PromotionPlan, TidiedUp, Undone
from mnemex_vault.memories.excerpts import shorten
from mnemex_vault.memories.forgetting import Faded, ForgettingPlan, ForgettingResult
from mnemex_vault.memories.lifecycle import Candidate, Moved, Outcome
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled, quoted
from mnemex_vault.memories.store import Store, touched_paths

_SHOWN = 10
_PREVIEW = 100
_IDS = 100
_REASON = 200
# characters that paths may take: of notes whose links change, of notes that an undo touched
_LINKS = 600
_PATHS = 8_000


def plan_views(store: Store, candidates: Sequence[Candidate]) -> list[PromotionPlan]:
    """Return the first ten of a plan, before anything is moved."""
    return [_plan_view(store, each) for each in candidates[:_SHOWN]]


def _plan_view(store: Store, candidate: Candidate) -> PromotionPlan:
    entry = candidate.entry
    return PromotionPlan(
        id=entry.memory_id or "",
        title=title_of(entry.title),
        origin=origin_of(entry),
        content_preview=_beginning(store, entry),
        reason=candidate.reason,
        score=round(candidate.score, 4),
        use_count=candidate.usage.use_count,
        age_days=age_days(candidate.usage, now=store.clock()),
        path=entry.path,
        destination=candidate.destination,
        links_in=some(candidate.links_in, _LINKS),
        links_in_count=len(candidate.links_in),
    )


def _beginning(store: Store, entry: Entry) -> str:
    """Return the beginning of a note, "" if it cannot be read (any more): the plan of the others is shown."""
    try:
        return shorten(store.note(entry).content, _PREVIEW)
    except NoteError:
        return ""


def promoted_view(plans: Sequence[PromotionPlan], outcome: Outcome, *, found: int, dry_run: bool) -> Promoted:
    """Return the plan and what was done of it."""
    moved = outcome.moved
    planned = f"{counted(found, 'memory', 'memories')} would be promoted; nothing was changed."
    promoted = counted(len(moved), "memory", "memories")
    undo = "; undo takes it back." if moved else "."
    done = f"Promoted {promoted}{undo}{left_words(left_in(moved))}{_failed_words(len(outcome.failed))}"
    return Promoted(
        success=not outcome.failed,
        dry_run=dry_run,
        candidates_found=found,
        promoted_count=len(moved),
        promoted_ids=[each.memory_id for each in moved[:_IDS]],
        candidates=list(plans),
        failed=_reasons(outcome.failed),
        operation_ids=list(dict.fromkeys(each.operation_id for each in moved)),
        message=(planned if dry_run or not found else done) + first_of(len(plans), found),
    )


def _failed_words(count: int) -> str:
    return f" Not moved, and left as it was: {counted(count, 'note')}." if count else ""


def _reasons(failed: Mapping[str, object]) -> dict[str, str]:
    return {path: within(str(why), _REASON) for path, why in list(failed.items())[:_SHOWN]}


def left_in(moved: Sequence[Moved]) -> list[Entry]:
    """Return the notes whose links could not follow any of several moves."""
    return list(dict.fromkeys(entry for each in moved for entry in each.left_links))


def not_promoted(store: Store, memory_id: str, *, dry_run: bool) -> Promoted:
    """Return why the rules do not promote a memory."""
    entry, policy = store.memory_entry(memory_id), store.rules.policy
    usage, score = store.usage(entry), store.score(entry, now=store.clock())
    needs = f"{counted(1 + policy.promote_min_uses, 'use')} on {counted(policy.promote_min_days, 'day')}"
    has = f"{usage.use_count} on {usage.days_used}"
    return Promoted(
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


def promoted_notes(view: Promoted) -> Iterator[Recalled]:
    """Give the memories that are or would be promoted, each with the reason and its new place."""
    for each in view.candidates:
        facts = [each.reason, f"goes to {quoted(each.destination)}"]
        yield Recalled(name=each.id, origin=each.origin, title=each.title, facts=facts)
    yield from _failed_notes(view.failed)


def _failed_notes(failed: Mapping[str, str]) -> Iterator[Recalled]:
    for path, why in failed.items():
        yield Recalled(mark="Failed: ", name=path, origin=UNKNOWN_ORIGIN, text=why)


def tidied_view(plan: ForgettingPlan, result: ForgettingResult, *, dry_run: bool, to_trash: bool) -> TidiedUp:
    """Return the plan and what was done of it."""
    moved = {each.memory_id for each in result.moved}
    affected = [each for each in plan.candidates if dry_run or each.entry.memory_id in moved]
    done = 0 if dry_run else len(affected)
    return TidiedUp(
        success=not result.failed,
        dry_run=dry_run,
        removed_count=done if to_trash else 0,
        archived_count=0 if to_trash else done,
        freed_score_sum=round(sum(each.score for each in affected), 4),
        memory_ids=[each.entry.memory_id or "" for each in affected[:_SHOWN]],
        total_affected=len(affected),
        candidates=[_faded(each) for each in plan.candidates[:_SHOWN]],
        exempt={reason.value: count for reason, count in plan.exempt.items()},
        fading_within_30_days=plan.soon,
        failed=_reasons(result.failed),
        operation_ids=list(dict.fromkeys(each.operation_id for each in result.moved)),
        message=_tidied_message(len(affected), plan, result, dry_run=dry_run, to_trash=to_trash),
    )


def _faded(faded: Faded) -> FadedMemory:
    entry = faded.entry
    return FadedMemory(
        id=entry.memory_id or "",
        title=title_of(entry.title),
        origin=origin_of(entry),
        path=entry.path,
        score=round(faded.score, 4),
    )


def _tidied_message(
    count: int, plan: ForgettingPlan, result: ForgettingResult, *, dry_run: bool, to_trash: bool
) -> str:
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


def tidied_notes(view: TidiedUp) -> Iterator[Recalled]:
    """Give the memories that are or would be let go, then those that could not be."""
    for each in view.candidates:
        yield Recalled(name=each.id, origin=each.origin, title=each.title, facts=[f"score {each.score:.3f}"])
    yield from _failed_notes(view.failed)


def first_of(shown: int, found: int) -> str:
    """Say that only the first of many are shown, if so."""
    return f" The first {shown} are shown." if shown < found else ""


def undone_view(operation: Operation, *, undid: str) -> Undone:
    """Return what was taken back."""
    touched = touched_paths(operation)
    paths = some(touched, _PATHS)
    return Undone(
        success=True,
        operation_id=operation.id,
        undid=undid,
        paths=paths,
        message=f"Undid {undid}; {counted(len(touched), 'note')} put back.",
    )


def undone_notes(view: Undone, operation: Operation, store: Store) -> Iterator[Recalled]:
    """Give what the change was called, and the notes that are as they were."""
    if operation.summary:
        yield Recalled(name=view.undid, origin=UNKNOWN_ORIGIN, text=operation.summary)
    for path in some(view.paths, _PATHS // 4):
        entry = store.catalog.get(path)
        yield Recalled(name=path, origin=origin_of(entry) if entry else UNKNOWN_ORIGIN)
