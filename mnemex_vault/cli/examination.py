"""What `doctor` looks at: notes, index, settings, leftovers, and keys that the vault uses otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemex_vault.cli import words
from mnemex_vault.cli.property_types import clashes

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.disk.progress import Progress

_BATCH = 100


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing that a person should look at; `path` is empty if it is about no single note."""

    kind: str
    path: str
    detail: str


def examine(app: App, *, progress: Progress) -> list[Concern]:
    """Read every note again, whatever its fingerprint says, and return what is wrong, sorted by kind."""
    unseen = read_again(app, progress=progress)
    concerns = [Concern("index", path, "had changed without a trace; it is up to date now") for path in unseen]
    concerns += [*_notes(app), *_vault(app), *_state(app)]
    return sorted(concerns, key=lambda each: (each.kind, each.path))


def read_again(app: App, *, progress: Progress) -> list[str]:
    """Read every note whatever its fingerprint says; return those that had changed without a trace."""
    paths = sorted(entry.path for entry in app.store.catalog)
    changed: list[str] = []
    for start in range(0, len(paths), _BATCH):
        changed += app.reconciler.rehash(paths[start : start + _BATCH], now=app.store.clock()).changed
        progress(min(start + _BATCH, len(paths)), len(paths))
    return changed


def _notes(app: App) -> Iterator[Concern]:
    overview = app.overview
    for finding in (
        *overview.findings(),
        *overview.names(),
        *overview.keys(),
        *overview.secrets(),
        *overview.overwritten(),
    ):
        yield Concern(finding.trouble.value, finding.path, finding.detail)


def _vault(app: App) -> Iterator[Concern]:
    for path in app.store.vault.leftovers():
        yield Concern("leftover", path, "a write was cut off here; it is looked at by itself at the next start")
    for clash in clashes(app.root, app.store.vault.config.folder):
        yield Concern("property type", "", clash)
    for problem in app.loaded.problems:
        yield Concern("setting", app.settings_path or "", problem)
    for warning in app.loaded.warnings:
        yield Concern("setting", "", warning)
    for problem in app.vocabulary.problems():
        yield Concern("words", "", problem)


def _state(app: App) -> Iterator[Concern]:
    paused = app.guard.problem()
    if paused:
        yield Concern("automatic change", "", f"is stopped: {paused}")
    jumped = None if paused else app.guard.ageing.problem()
    if jumped:
        yield Concern("automatic change", "", f"of what is kept for undo waits, and nothing grows older: {jumped}")
    if app.store.text.rebuilt:
        yield Concern("index", "", "was damaged and has been made anew")
    if app.store.journal.damaged:
        yield Concern(
            "history", "", f"{words.count(app.store.journal.damaged, 'record')} could not be read and cannot be undone"
        )
