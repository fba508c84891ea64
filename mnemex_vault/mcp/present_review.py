"""What looking after the vault answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import islice

from mnemex_vault.app import App
from mnemex_vault.domain.scoring import review_priority
from mnemex_vault.domain.words import counted
from mnemex_vault.errors import MnemexError
from mnemex_vault.index.age import written_at
from mnemex_vault.mcp.budget import AROUND, MOST, USUAL, fitting, title_of, within
from mnemex_vault.mcp.facts import epoch_or_none, left_words, origin_of
from mnemex_vault.mcp.views_review import QueuedMemory, RestoredMemory, ReviewQueue, VaultProblem, VaultStatus
from mnemex_vault.memories.lifecycle import Moved
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled
from mnemex_vault.memories.review import QueueItem

_PROBLEMS = 10
_PREVIEW = 200
_DETAIL = 300
# notes that nobody asked to see more of
_USUALLY = 20


def queue_view(app: App, items: Sequence[QueueItem], *, total: int) -> ReviewQueue:
    """Return the memories that fade first, as many as there is room for."""
    room = (USUAL if len(items) <= _USUALLY else MOST) - AROUND
    shown = fitting((_queued(app, item) for item in items), room)
    return ReviewQueue(
        success=True,
        count=len(shown),
        total=total,
        memories=shown,
        message=f"{len(shown)} of {counted(total, 'memory', 'memories')} that fade, the next to fade first."
        if total
        else "No memory fades in this time.",
    )


def _queued(app: App, item: QueueItem) -> QueuedMemory:
    now = app.store.clock()
    return QueuedMemory(
        id=item.entry.memory_id or "",
        title=title_of(item.entry.title),
        path=item.entry.path,
        content=_content(app, item),
        origin=origin_of(item.entry),
        score=round(item.score, 4),
        fades_on=item.fades_at.astimezone(app.zone).date().isoformat(),
        days_left=max(0, (item.fades_at - now) // timedelta(days=1)),
        review_priority=round(review_priority(item.score, app.store.rules.policy), 4),
    )


def _content(app: App, item: QueueItem) -> str:
    try:
        return within(app.store.note(item.entry).content, _PREVIEW)
    except MnemexError:
        return ""


def queued_notes(view: ReviewQueue) -> Iterator[Recalled]:
    """Give the memories of the queue, each with the day on which it fades."""
    for each in view.memories:
        facts = [f"fades {each.fades_on}"]
        yield Recalled(name=each.id, origin=each.origin, title=each.title, facts=facts, text=each.content)


# nothing need be said while the system tells of changes by others
_WATCHING = {
    "polling": "the system tells of no changes here, so notes changed by others are looked for every few seconds",
    "not watching": "notes changed by others are found late, by the look at the whole vault every few minutes",
}


def status_view(app: App, *, lacking: Sequence[str]) -> VaultStatus:
    """Return how the vault stands."""
    found = app.overview.status()
    run = app.review.last_run()
    problems = list(islice(app.overview.findings(), _PROBLEMS))
    said = [
        f"Memories: {found.short_term} short-term, {found.long_term} long-term, {found.archived} archived",
        f"{found.fades_within_a_week} to fade within a week",
        *([f"{counted(found.away, 'note')} not on this device yet"] if found.away else []),
        *lacking,
        *([f"automatic change is stopped: {found.paused}"] if found.paused else []),
        *([_WATCHING[found.watching]] if found.watching in _WATCHING else []),
        *([f"{counted(found.problems, 'thing')} to look at, tell the user"] if found.problems else []),
    ]
    return VaultStatus(
        success=True,
        notes=found.notes,
        short_term=found.short_term,
        long_term=found.long_term,
        archived=found.archived,
        ordinary=found.ordinary,
        unmanaged=found.unmanaged,
        away=found.away,
        fading=found.fading,
        due=found.due,
        fades_within_a_week=found.fades_within_a_week,
        fading_within_30_days=app.forgetting.plan().soon,
        pending_uses=found.pending_uses,
        waiting_for_index=found.waiting_for_index,
        index_written_at=epoch_or_none(written_at(app.state / "index")),
        index_ready=not lacking,
        paused=found.paused,
        watching=found.watching,
        problems=found.problems,
        last_problems=[
            VaultProblem(kind=each.trouble.value, path=each.path, detail=within(each.detail, _DETAIL))
            for each in problems
        ],
        settings_problems=[within(each, _DETAIL) for each in app.loaded.problems[:_PROBLEMS]],
        upkeep=list(app.settings.upkeep),
        last_upkeep=epoch_or_none(run.time if run else None),
        message="; ".join(said) + ".",
    )


def problem_notes(view: VaultStatus) -> Iterator[Recalled]:
    """Give what is to be looked at, a note each."""
    for each in view.last_problems:
        yield Recalled(name=each.path, origin=UNKNOWN_ORIGIN, facts=[each.kind], text=each.detail)


def restored_view(moved: Moved) -> RestoredMemory:
    """Return where a memory is back."""
    return RestoredMemory(
        success=True,
        memory_id=moved.memory_id,
        title=moved.title,
        origin=moved.origin,
        tier=moved.tier.value,
        path=moved.path,
        operation_id=moved.operation_id,
        message=f"[{moved.memory_id}] is back, and counts as used now. undo takes this back."
        + left_words(moved.left_links),
    )
