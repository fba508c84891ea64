"""`status`, `reindex`, `embed`: how things stand, and making the index anew."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.facts import FAINT, PERMANENT, STYLES
from mnemex_vault.cli.forget import forecast
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Faint, Grid, Heading, Part, one_line, styled, whole
from mnemex_vault.domain.scoring import State
from mnemex_vault.errors import ConfigError

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.meaning import Backfill
    from mnemex_vault.memories.status import Status


def status(
    context: typer.Context,
    settings: Annotated[
        bool, typer.Option("--settings", help="Every setting, its value and where it is from.")
    ] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say how things stand. Memories, what fades soon, settings, and what stops automatic change."""
    from mnemex_vault.answers import status as answers

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        if settings:
            session.console.answer(_settings_facts(app), _settings_parts(app))
            return
        found = app.overview.status()
        told = answers.status(app).answer
        data = {
            **told.data(),
            "vault": str(app.root),
            "state": str(app.state),
            "index_written": app.index_written,
            "settings_note": app.settings_path,
            **room_taken(app),
        }
        session.console.answer(data, _status_parts(app, found, told.fading_within_30_days))


def _status_parts(app: App, found: Status, soon: int) -> Iterator[Part]:
    yield Heading(one_line(app.root.name))
    yield Faint(one_line(str(app.root)))
    yield ""
    counts = {
        "short-term": (found.short_term, STYLES[State.FRESH]),
        "long-term": (found.long_term, PERMANENT),
        "archived": (found.archived, FAINT),
        "other notes": (found.ordinary, FAINT),
    }
    most = max(number for number, _ in counts.values())
    yield Grid(
        rows=[
            (
                name,
                styled(f"{number:>{len(f'{most:,}')},}", "bold"),
                styled("━" * ceil(_BAR * number / most if most else 0), style),
            )
            for name, (number, style) in counts.items()
        ]
    )
    fresh = found.short_term - found.fading - found.due
    yield f"{fresh:,} fresh or pinned, {found.due:,} due for review, {found.fading:,} fading. {forecast(soon)}"
    yield from _closing(app, found)


def _closing(app: App, found: Status) -> list[str]:
    lines = []
    if found.pending_uses:
        lines.append(f"{words.count(found.pending_uses, 'use')} to be written when the notes are quiet.")
    lines += [f"Setting: {one_line(problem)}; the last good value stays." for problem in app.loaded.problems]
    lines.append(f"Automatic change is stopped: {one_line(found.paused)}." if found.paused else _upkeep_line(app))
    if found.away:
        lines.append(f"{words.count(found.away, 'note')} not on this device yet.")
    if found.problems:
        lines.append(f"{words.count(found.problems, 'thing')} to look at: mnemex doctor")
    return lines


_BAR = 24


def _upkeep_line(app: App) -> str:
    if app.settings.read_only:
        return "Read-only: every change is refused."
    steps = ", ".join(app.settings.upkeep)
    return f"By itself the server does: {steps}." if steps else "Nothing is done by itself."


def _settings_facts(app: App) -> dict[str, object]:
    loaded = app.loaded
    return {
        "settings": {
            name: {"value": getattr(loaded.settings, name), "origin": origin.value}
            for name, origin in loaded.origins.items()
        },
        "settings_note": app.settings_path,
        "problems": list(loaded.problems),
        "warnings": list(loaded.warnings),
    }


def _settings_groups(app: App) -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Return the settings by group: name, value and origin."""
    from mnemex_vault.settings import TABLE
    from mnemex_vault.vaultkit.settings_note import plain

    groups: dict[str, list[tuple[str, str, str]]] = {}
    for row in TABLE.values():
        value = getattr(app.settings, row.name)
        shown = row.unset.replace("`", "") if value is None else plain(value)
        found = (row.name, one_line(shown), app.loaded.origins[row.name].value)
        groups.setdefault(row.group, []).append(found)
    return list(groups.items())


def _settings_parts(app: App) -> Iterator[Part]:
    rows: list[tuple[str, ...] | str] = []
    for group, settings in _settings_groups(app):
        rows.append(group)
        for setting in settings:
            style = FAINT if setting[2] == "default" else ""
            rows.append(tuple(styled(cell, style) for cell in setting))
    yield Grid(rows=rows, heads=("Setting", "value", "from"))
    yield from _settings_closing(app)


def _settings_closing(app: App) -> list[str]:
    note = f"Settings note: {one_line(app.settings_path or 'none; mnemex init makes one')}"
    return [note, *(f"Problem: {one_line(problem)}; the last good value stays." for problem in app.loaded.problems)]


# from so many outdated lines on they advised to compact
_MANY = 100


def room_taken(app: App) -> dict[str, object]:
    """Return what is alive and what is outdated: memories in the index's catalog, relations in the notes themselves."""
    memories = app.memories.all()
    lines, size = app.catalog_file.extent()
    outdated = max(0, lines - len(app.memories.notes))
    relations = relations_of(app)
    return {
        "memories": {
            "active": len(memories),
            "total_lines": lines,
            "file_size_bytes": size,
            "compaction_savings": outdated,
        },
        "relations": {
            "active": relations,
            "total_lines": relations,
            "file_size_bytes": 0,
            "compaction_savings": 0,
        },
        "should_compact": outdated > _MANY,
    }


def relations_of(app: App) -> int:
    """Return how many relations stand in the notes of memories."""
    return sum(len(entry.relations) for entry in app.memories.all())


_SHOWN = 20
_NO_MODEL = (
    "no model is set up: install mnemex-vault[semantic], and name the model's folder with --model, or in the settings"
    " embed_model and enable_embeddings"
)


def embed(
    context: typer.Context,
    limit: Annotated[int | None, typer.Option("--limit", "-n", metavar="N", min=1, help="At most so many.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Those that are prepared already as well.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say how many there are.")] = False,
    model: Annotated[
        Path | None,
        typer.Option("--model", metavar="FOLDER", help="The model's folder; else that of the settings."),
    ] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Prepare search by meaning. Makes a vector of each text that has none yet."""
    session = Session.of(context, as_json=as_json)
    chosen = {} if model is None else {"embed_model": str(session.working_folder / model.expanduser())}
    options = {**chosen, "enable_embeddings": True} if chosen else None
    with session.opened(session.make_app(session.find_vault(vault), options=options)) as app:
        progress = session.console.watch("Making vectors")
        with session.console.working("Opening the model"):
            found = app.meaning.backfill(limit=limit, force=force, dry_run=dry_run, progress=progress)
        if found is None:
            raise ConfigError([_NO_MODEL])
        session.console.answer(_facts(found, dry_run=dry_run), _lines(found, dry_run=dry_run))


def _facts(found: Backfill, *, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "model": found.model,
        "would_process": found.wanted if dry_run else None,
        "processed": found.made,
        "lacking": found.left,
        "unreadable": list(found.unreadable),
    }


def _lines(found: Backfill, *, dry_run: bool) -> list[str]:
    model = f"with {one_line(found.model)}"
    if dry_run:
        return [f"{words.count(found.wanted, 'text')} would be prepared {model}; nothing was written."]
    lines: list[str] = [Faint(f"cannot be read now: {whole(path)}") for path in found.unreadable[:_SHOWN]]
    left = f"{found.left:,} still lack a vector" if found.left else "none lacks a vector"
    return [*lines, f"{words.count(found.made, 'text')} prepared {model}; {left}."]


def reindex(
    context: typer.Context,
    accept_losses: Annotated[
        bool, typer.Option("--accept-losses", help="Take the notes that are there as all, however many are gone.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing when all went well.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make the search index anew. It is a cache of the notes, and nothing in it can be lost."""
    session = Session.of(context, as_json=as_json)
    app = session.make_app(session.find_vault(vault))
    if accept_losses:
        app.reconciler.accept_losses()
    with closing(app):
        app.catch_up(progress=session.console.watch("Reading notes"))
        before, _ = app.catalog_file.extent()
        _make_anew(app, session)
        after, _ = app.catalog_file.extent()
        status, relations = app.overview.status(), relations_of(app)
        memories = status.short_term + status.long_term + status.archived
        data = {
            "notes": status.notes,
            "memories": memories,
            "memories_before": before,
            "memories_after": after,
            "relations_before": relations,
            "relations_after": relations,
        }
        read = (
            f"Read {words.count(status.notes, 'note')} anew, {words.count(memories, 'memory', 'memories')} among them."
        )
        if not quiet:
            session.console.answer(data, [read])


def _make_anew(app: App, session: Session) -> None:
    with session.console.working("Making the index anew"):
        app.read_again(progress=session.console.watch("Reading notes again"))
        app.make_index_anew()
