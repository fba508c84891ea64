"""What looking after memories answers: promoting, letting go of what faded, what fades next, taking a change back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from mnemex_vault.answers import view as views
from mnemex_vault.domain.scoring import review_priority
from mnemex_vault.errors import MnemexError
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled, quoted

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.face import Entry, Memories, Operation
    from mnemex_vault.memories.forgetting import Faded, ForgettingPlan, ForgettingResult
    from mnemex_vault.memories.history import Undoing
    from mnemex_vault.memories.lifecycle import Candidate, Outcome
    from mnemex_vault.memories.review import Needs, QueueItem, Wider
    from mnemex_vault.memories.versions import Unsettled

_SHOWN = 10
_MOST_SOURCES = 10
_PROMOTED_PREVIEW = 100
_IDS = 100
_REASON = 200
# characters that paths of notes may take whose links change
_LINKS = 600
_QUEUED_PREVIEW = 200
# notes that nobody asked to see more of
_USUALLY = 20
# characters that the paths of notes may take which an undo touched
_PATHS = 8_000


@dataclass(frozen=True, kw_only=True)
class PromotionPlan(views.View):
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
class Promoted(views.Answer):
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
    score: float | None = views.ABSENT


def plan(
    memories: Memories, candidates: Sequence[Candidate], bounds: views.Bounds = views.FOR_A_MODEL
) -> list[PromotionPlan]:
    """Return the first ten of a plan, made before anything is moved."""
    return [_planned(memories, each, bounds) for each in bounds.first(candidates, _SHOWN)]


def _planned(memories: Memories, candidate: Candidate, bounds: views.Bounds) -> PromotionPlan:
    entry = candidate.entry
    return PromotionPlan(
        id=entry.memory_id or "",
        title=bounds.title(entry.title),
        origin=views.origin_of(entry),
        content_preview=views.beginning(memories, entry, _PROMOTED_PREVIEW),
        reason=candidate.reason,
        score=round(candidate.score, 4),
        use_count=candidate.usage.use_count,
        age_days=views.age_days(candidate.usage, now=memories.now()),
        path=entry.path,
        destination=candidate.destination,
        links_in=views.some(candidate.links_in, bounds.at_most(_LINKS)),
        links_in_count=len(candidate.links_in),
    )


def promoted(
    plans: Sequence[PromotionPlan],
    outcome: Outcome,
    *,
    found: int,
    dry_run: bool,
    bounds: views.Bounds = views.FOR_A_MODEL,
) -> views.Told[Promoted]:
    """Tell the plan and what was done of it."""
    moved = outcome.moved
    planned = f"{counted(found, 'memory', 'memories')} would be promoted; nothing was changed."
    undo = "; undo takes it back." if moved else "."
    left = list(dict.fromkeys(entry for each in moved for entry in each.left_links))
    said = f"Promoted {counted(len(moved), 'memory', 'memories')}{undo}{views.left_words(left)}"
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
    return views.Told(view, view.message, _promoted_notes(view, left))


def _promoted_notes(view: Promoted, left: Sequence[Entry]) -> Iterator[Recalled]:
    """Give the memories that are or would be promoted, each with the reason and its new place."""
    for each in view.candidates:
        facts = [each.reason, f"goes to {quoted(each.destination)}"]
        yield Recalled(name=each.id, origin=each.origin, title=each.title, facts=facts)
    yield from failed_notes(view.failed)
    yield from views.left_notes(left)


def not_promoted(memories: Memories, memory_id: str, *, dry_run: bool) -> views.Told[Promoted]:
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
    return views.Told(view, view.message)


def reasons(failed: Mapping[str, object], bounds: views.Bounds) -> dict[str, str]:
    """Return why some notes of many could not be moved."""
    return {path: views.within(str(why), bounds.at_most(_REASON)) for path, why in bounds.first(failed.items(), _SHOWN)}


def failed_notes(failed: Mapping[str, str]) -> Iterator[Recalled]:
    """Give the notes that could not be moved, each with the reason."""
    for path, why in failed.items():
        yield Recalled(mark="Failed: ", name=path, origin=UNKNOWN_ORIGIN, text=why)


def first_of(shown: int, found: int) -> str:
    """Say that only the first of many are shown, if so."""
    return f" The first {shown} are shown." if shown < found else ""


@dataclass(frozen=True, kw_only=True)
class FadedMemory(views.View):
    """One memory that is or would be forgotten."""

    id: str
    title: str
    origin: str
    path: str
    score: float


@dataclass(frozen=True, kw_only=True)
class TidiedUp(views.Answer):
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
    bounds: views.Bounds = views.FOR_A_MODEL,
) -> views.Told[TidiedUp]:
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
    return views.Told(view, view.message, _faded_notes(view))


def _faded(faded: Faded, bounds: views.Bounds) -> FadedMemory:
    entry = faded.entry
    return FadedMemory(
        id=entry.memory_id or "",
        title=bounds.title(entry.title),
        origin=views.origin_of(entry),
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


def _faded_notes(view: TidiedUp) -> Iterator[Recalled]:
    """Give the memories that are or would be let go, then those that could not be."""
    for each in view.candidates:
        yield Recalled(name=each.id, origin=each.origin, title=each.title, facts=[f"score {each.score:.3f}"])
    yield from failed_notes(view.failed)


@dataclass(frozen=True, kw_only=True)
class QueuedMemory(views.View):
    """A memory that fades, and when."""

    id: str
    title: str
    path: str
    content: str
    origin: str
    score: float
    fades_on: str
    days_left: int
    review_priority: float


@dataclass(frozen=True, kw_only=True)
class ReviewQueue(views.Answer):
    """Answer of review_queue: which of two holds, what waits for a yes, what may hold everywhere, what fades first."""

    success: bool
    count: int
    total: int
    memories: list[QueuedMemory]
    message: str
    unsettled: list[UnsettledPair] = views.ABSENT
    waiting: list[WaitingSource] = views.ABSENT
    wider: list[WiderMemory] = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class UnsettledPair(views.View):
    """Two memories that may not both hold, by id."""

    newer: str
    newer_title: str
    older: str
    older_title: str


@dataclass(frozen=True, kw_only=True)
class WaitingSource(views.View):
    """How many memories of one source wait for a person's yes."""

    source: str
    count: int


@dataclass(frozen=True, kw_only=True)
class WiderMemory(views.View):
    """A memory of one project that conversations about several relied on."""

    id: str
    title: str
    projects: list[str]


def queue(app: App, needs: Needs, *, total: int, bounds: views.Bounds = views.FOR_A_MODEL) -> views.Told[ReviewQueue]:
    """Tell what needs the person, as many of the memories that fade as there is room for."""
    items = needs.fading
    room = (views.USUAL if len(items) <= _USUALLY else views.MOST) - views.AROUND
    shown = views.fitting((_queued(app, item, bounds) for item in items), bounds.at_most(room))
    view = ReviewQueue(
        success=True,
        count=len(shown),
        total=total,
        memories=shown,
        message=f"{len(shown)} of {counted(total, 'memory', 'memories')} that fade, the next to fade first."
        if total
        else "No memory fades in this time.",
        unsettled=[_unsettled(pair, bounds) for pair in needs.unsettled] or views.ABSENT,
        waiting=[_waiting(entries, bounds) for entries in needs.waiting[:_MOST_SOURCES]] or views.ABSENT,
        wider=[_wider(each, bounds) for each in needs.wider[:_MOST_SOURCES]] or views.ABSENT,
    )
    return views.Told(view, view.message, _queued_notes(view, needs))


def _unsettled(pair: Unsettled, bounds: views.Bounds) -> UnsettledPair:
    newer, older = pair.newer, pair.older
    return UnsettledPair(
        newer=newer.item_id,
        newer_title=bounds.title(newer.title),
        older=older.item_id,
        older_title=bounds.title(older.title),
    )


def _waiting(entries: Sequence[Entry], bounds: views.Bounds) -> WaitingSource:
    return WaitingSource(source=bounds.title(entries[0].source or ""), count=len(entries))


def _wider(each: Wider, bounds: views.Bounds) -> WiderMemory:
    projects = [bounds.title(name) for name in each.projects[:_MOST_SOURCES]]
    return WiderMemory(id=each.entry.memory_id or "", title=bounds.title(each.entry.title), projects=projects)


def _queued(app: App, item: QueueItem, bounds: views.Bounds) -> QueuedMemory:
    return QueuedMemory(
        id=item.entry.memory_id or "",
        title=bounds.title(item.entry.title),
        path=item.entry.path,
        content=_content(app, item, bounds.at_most(_QUEUED_PREVIEW)),
        origin=views.origin_of(item.entry),
        score=round(item.score, 4),
        fades_on=item.fades_at.astimezone(app.zone).date().isoformat(),
        days_left=max(0, (item.fades_at - app.memories.now()) // timedelta(days=1)),
        review_priority=round(review_priority(item.score, app.memories.policy), 4),
    )


def _content(app: App, item: QueueItem, longest: float) -> str:
    try:
        return views.within(app.memories.note(item.entry).content, longest)
    except MnemexError:
        return ""


def _queued_notes(view: ReviewQueue, needs: Needs) -> Iterator[Recalled]:
    """Give what is not settled, then the memories of the queue, each with the day on which it fades."""
    for pair, told in zip(needs.unsettled, view.unsettled or (), strict=False):
        yield Recalled(
            mark="Which is true: ",
            name=told.newer,
            origin=views.origin_of(pair.newer),
            title=told.newer_title,
            facts=[f"or the older [{told.older}] {quoted(told.older_title)}"],
        )
    for each in view.memories:
        facts = [f"fades {each.fades_on}"]
        yield Recalled(name=each.id, origin=each.origin, title=each.title, facts=facts, text=each.content)


@dataclass(frozen=True, kw_only=True)
class Undone(views.Answer):
    """Answer of undo."""

    success: bool
    operation_id: str
    undid: str
    paths: list[str]
    failed: dict[str, str] = views.ABSENT
    message: str


def undone(found: Undoing, memories: Memories, bounds: views.Bounds = views.FOR_A_MODEL) -> views.Told[Undone]:
    """Tell what was taken back, and what stays."""
    touched, uses = found.operation.paths, [use.id for use in found.uses]
    parts = [f"Undid {found.undid.id}, a {found.undid.kind}; {counted(len(touched), 'note')} put back."]
    if found.left:
        parts.append(f"{counted(len(found.left), 'note')} could not be taken back and stays as it is; tell the user.")
    if uses:
        ids = ", ".join(uses[:_SHOWN])
        parts.append(f"What was used since then is no change and stays used; undo takes it back by its id: {ids}.")
    view = Undone(
        success=not found.left,
        operation_id=found.operation.id,
        undid=found.undid.id,
        paths=views.some(touched, bounds.at_most(_PATHS)),
        failed=reasons({refusal.path: refusal for refusal in found.left}, bounds) or views.ABSENT,
        message=" ".join(parts),
    )
    return views.Told(view, view.message, _undone_notes(view, found.operation, memories))


def _undone_notes(view: Undone, operation: Operation, memories: Memories) -> Iterator[Recalled]:
    """Give what the change was called, the notes that are as they were, and those that could not be."""
    if operation.summary:
        yield Recalled(name=view.undid, origin=UNKNOWN_ORIGIN, text=operation.summary)
    yield from failed_notes(view.failed or {})
    for path in views.some(view.paths, _PATHS // 4):
        entry = memories.notes.get(path)
        yield Recalled(name=path, origin=views.origin_of(entry) if entry else UNKNOWN_ORIGIN)
