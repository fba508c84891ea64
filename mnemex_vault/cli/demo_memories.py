"""A throw-away vault whose memories have a past: they were saved and used on days that are long gone."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mnemex_vault.app import App

_ARRIVAL_HOURS = 3


@dataclass(frozen=True, slots=True)
class Past:
    """A memory and its days, counted back from now: when it was saved, used, and made permanent."""

    text: str
    saved: float
    tags: tuple[str, ...] = ()
    used: tuple[float, ...] = ()
    promoted: float | None = None
    values: Mapping[str, object] = field(default_factory=dict)


PASTS: Sequence[Past] = (
    Past("I am allergic to walnuts.", 120, ("health",), values={"pinned": True, "strength": 2.0}),
    Past("Noor decides what goes into a release.", 90, ("work",), (88, 85, 80), promoted=80),
    Past("The parking permit for the old flat ends in October.", 76, ("home",)),
    Past("The bus to the trade fair leaves from platform 3.", 64, ("travel",)),
    Past("Ben's train arrives at 14:20 on Friday.", 57, ("family",)),
    Past("The dentist has moved to 12 Linden Street.", 41, ("health",)),
    Past("The plumber's number is in the blue folder.", 23, ("home",)),
    Past("Mia is reading The Left Hand of Darkness.", 9, ("family", "books")),
    Past("I prefer short answers with one example.", 12, ("preferences",), (10, 7, 3, 1), values={"strength": 1.5}),
    Past("The team meets on Thursdays at ten.", 6, ("work",), (4,)),
    Past("The new site goes live on 15 March 2027.", 2, ("work",)),
)


@dataclass(slots=True)
class _Calendar:
    now: datetime

    def __call__(self) -> datetime:
        return self.now


def make_demo_vault(root: Path, *, now: datetime, environ: Mapping[str, str]) -> None:
    """Let the past of every memory happen, in its order, through the use cases that a person uses."""
    from mnemex_vault.app import make_app

    calendar = _Calendar(now - timedelta(days=max(past.saved for past in PASTS)))
    app = make_app(root, clock=calendar, environ=environ, working_folder=root)
    with closing(app):
        app.catch_up()
        ids: dict[str, str] = {}
        for days, kind, past in _events():
            calendar.now = now - timedelta(days=days)
            _happen(app, kind, past, ids)
        _date_files(app)


def _events() -> list[tuple[float, str, Past]]:
    events = [(past.saved, "save", past) for past in PASTS]
    events += [(days, "use", past) for past in PASTS for days in past.used]
    events += [(past.promoted - _ARRIVAL_HOURS / 24, "promote", past) for past in PASTS if past.promoted]
    return sorted(events, key=lambda event: -event[0])


def _happen(app: App, kind: str, past: Past, ids: dict[str, str]) -> None:
    from mnemex_vault.memories.draft import Draft

    if kind == "save":
        draft = Draft(content=past.text, tags=past.tags, origin="ai", **past.values)  # type: ignore[arg-type]
        ids[past.text] = app.collection.save(draft).memory.id
    elif kind == "use":
        app.lifecycle.touch(ids[past.text])
    else:
        candidate = app.lifecycle.promotion_candidate(ids[past.text], now=app.store.clock(), force=True)
        app.lifecycle.promote([candidate] if candidate else [])


def _date_files(app: App) -> None:
    """Give each file the time of its last use, so that it looks its age in Obsidian and is nobody's fresh edit."""
    for entry in app.store.catalog.memories():
        used = app.store.usage(entry).last_used.timestamp()
        os.utime(app.root / entry.path, (used, used))
