"""What asking how the vault stands answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from mnemex_vault.answers.view import Answer, Told, View, epoch_or_none, within
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled

if TYPE_CHECKING:
    from mnemex_vault.app import App

_PROBLEMS = 10
_DETAIL = 300
# nothing need be said while the system tells of changes by others
_WATCHING = {
    "polling": "the system tells of no changes here, so notes changed by others are looked for every few seconds",
    "not watching": "notes changed by others are found late, by the look at the whole vault every few minutes",
}


@dataclass(frozen=True, kw_only=True)
class VaultProblem(View):
    """Something that a person should look at."""

    kind: str
    path: str
    detail: str


@dataclass(frozen=True, kw_only=True)
class VaultStatus(Answer):
    """Answer of vault_status; `paused` says why automatic change is stopped, `watching` how others' are noticed."""

    success: bool
    notes: int
    short_term: int
    long_term: int
    archived: int
    ordinary: int
    unmanaged: int
    away: int
    fading: int
    due: int
    fades_within_a_week: int
    fading_within_30_days: int
    pending_uses: int
    waiting_for_index: int
    index_written_at: int | None
    index_ready: bool
    paused: str | None
    watching: str | None
    problems: int
    last_problems: list[VaultProblem]
    settings_problems: list[str]
    upkeep: list[str]
    last_upkeep: int | None
    message: str


def status(app: App, *, lacking: Sequence[str] = ()) -> Told[VaultStatus]:
    """Tell how the vault stands; `lacking` is what is not ready yet."""
    from mnemex_vault.index.catalog_file import written_at

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
    view = VaultStatus(
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
    return Told(view, view.message, _notes(view))


def _notes(view: VaultStatus) -> Iterator[Recalled]:
    """Give what is to be looked at, a note each."""
    for each in view.last_problems:
        yield Recalled(name=each.path, origin=UNKNOWN_ORIGIN, facts=[each.kind], text=each.detail)
