"""What the review queue answers: the memories that fade next, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING

from mnemex_vault.answers.bounds import AROUND, FOR_A_MODEL, MOST, USUAL, Bounds, fitting, within
from mnemex_vault.answers.note import origin_of
from mnemex_vault.answers.view import Answer, Told, View
from mnemex_vault.domain.scoring import review_priority
from mnemex_vault.errors import MnemexError
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import Recalled

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.review import QueueItem

_PREVIEW = 200
# notes that nobody asked to see more of
_USUALLY = 20


@dataclass(frozen=True, kw_only=True)
class QueuedMemory(View):
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
class ReviewQueue(Answer):
    """Answer of review_queue, what fades first at the top."""

    success: bool
    count: int
    total: int
    memories: list[QueuedMemory]
    message: str


def queue(app: App, items: Sequence[QueueItem], *, total: int, bounds: Bounds = FOR_A_MODEL) -> Told[ReviewQueue]:
    """Tell the memories that fade first, as many as there is room for."""
    room = (USUAL if len(items) <= _USUALLY else MOST) - AROUND
    shown = fitting((_queued(app, item, bounds) for item in items), bounds.at_most(room))
    view = ReviewQueue(
        success=True,
        count=len(shown),
        total=total,
        memories=shown,
        message=f"{len(shown)} of {counted(total, 'memory', 'memories')} that fade, the next to fade first."
        if total
        else "No memory fades in this time.",
    )
    return Told(view, view.message, _notes(view))


def _queued(app: App, item: QueueItem, bounds: Bounds) -> QueuedMemory:
    return QueuedMemory(
        id=item.entry.memory_id or "",
        title=bounds.title(item.entry.title),
        path=item.entry.path,
        content=_content(app, item, bounds.at_most(_PREVIEW)),
        origin=origin_of(item.entry),
        score=round(item.score, 4),
        fades_on=item.fades_at.astimezone(app.zone).date().isoformat(),
        days_left=max(0, (item.fades_at - app.memories.now()) // timedelta(days=1)),
        review_priority=round(review_priority(item.score, app.memories.policy), 4),
    )


def _content(app: App, item: QueueItem, longest: float) -> str:
    try:
        return within(app.memories.note(item.entry).content, longest)
    except MnemexError:
        return ""


def _notes(view: ReviewQueue) -> Iterator[Recalled]:
    """Give the memories of the queue, each with the day on which it fades."""
    for each in view.memories:
        facts = [f"fades {each.fades_on}"]
        yield Recalled(name=each.id, origin=each.origin, title=each.title, facts=facts, text=each.content)
