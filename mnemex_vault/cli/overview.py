"""`status`: how things stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Faint, Heading
from mnemex_vault.cli.housekeeping import room_taken
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.upkeep import forecast

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App
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
    from mnemex_vault.index.catalog_file import written_at

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        if settings:
            session.console.answer(_settings_facts(app), _settings_lines(app), drawn=_drawn_settings(session, app))
            return
        found = app.overview.status()
        soon = app.forgetting.plan().soon
        data = {
            **asdict(found),
            "vault": str(app.root),
            "state": str(app.state),
            "index_written": written_at(app.state / "index"),
            "settings_note": app.settings_path,
            "settings_problems": list(app.loaded.problems),
            "fading_within_30_days": soon,
            **room_taken(app),
        }
        session.console.answer(data, _status_lines(app, found, soon), drawn=_drawn_status(session, app, found, soon))


def _drawn_status(session: Session, app: App, found: Status, soon: int) -> Iterable[RenderableType] | None:
    if not session.console.draws:
        return None
    from mnemex_vault.cli.drawn import status as drawn

    return drawn.status(app, found, closing=[forecast(soon), *_closing(app, found)])


def _status_lines(app: App, found: Status, soon: int) -> list[str]:
    memories = found.short_term + found.long_term + found.archived
    lines: list[str] = [
        Heading(one_line(app.root.name)),
        Faint(one_line(str(app.root))),
        f"{words.count(memories, 'memory', 'memories')}: {found.short_term} short-term, {found.long_term} long-term,"
        f" {found.archived} archived; besides {words.count(found.ordinary, 'ordinary note')}.",
        f"{found.fading} fading, {found.due} due for review. {forecast(soon)}",
    ]
    return [*lines, *_closing(app, found)]


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


def _settings_lines(app: App) -> list[str]:
    lines: list[str] = []
    for group, rows in _settings_groups(app):
        lines += [*([""] if lines else []), Heading(group)]
        for name, value, origin in rows:
            line = f"  {name:<32} {value:<28} {origin}"
            lines.append(Faint(line) if origin == "default" else line)
    return [*lines, "", *_settings_closing(app)]


def _settings_closing(app: App) -> list[str]:
    note = f"Settings note: {one_line(app.settings_path or 'none; mnemex init makes one')}"
    return [note, *(f"Problem: {one_line(problem)}; the last good value stays." for problem in app.loaded.problems)]


def _drawn_settings(session: Session, app: App) -> Iterable[RenderableType] | None:
    if not session.console.draws:
        return None
    from mnemex_vault.cli.drawn import status as drawn

    return drawn.settings(_settings_groups(app), closing=["", *_settings_closing(app)], columns=session.console.columns)
