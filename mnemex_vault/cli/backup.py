"""`backup`, `export`, `merge-driver`: memories for elsewhere, kept safe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli.facts import since
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Cell, Faint, Part, Row, Rows, one_line, styled, take_back, whole
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import InvalidInput

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.backup.snapshots import Backup, Snapshot

_Answer = tuple[object, Sequence[Part]]
_ACTIONS = ("init", "snapshot", "history", "status", "diff", "restore")
_DOING = {"init": "Taking a snapshot", "snapshot": "Taking a snapshot", "restore": "Bringing notes back"}
_SHOWN = 20


_Snapshot = Annotated[
    str | None,
    typer.Argument(
        metavar="[SNAPSHOT]",
        autocompletion=completing.snapshots,
        help="For diff and restore: its id from `history`.",
        show_default=False,
    ),
]


def backup(
    context: typer.Context,
    action: Annotated[
        str, typer.Argument(metavar="ACTION", help="init, snapshot, history, status, diff or restore.")
    ] = "status",
    snapshot: _Snapshot = None,
    note: Annotated[str | None, typer.Option("--note", metavar="PATH", help="Only this note.")] = None,
    at: Annotated[
        str | None, typer.Option("--at", metavar="TIME", help="The last snapshot from before: 2026-11-29 or T12:00.")
    ] = None,
    message: Annotated[
        str | None, typer.Option("--message", "-m", metavar="TEXT", help="What the snapshot is of.")
    ] = None,
    in_vault: Annotated[
        bool, typer.Option("--in-vault", help="Use the vault's own git repository instead of one of ours.")
    ] = False,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, help="How many of history.")] = 20,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Take snapshots of all notes with git, and bring notes back."""
    from mnemex_vault.backup.snapshots import Backup

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        moment = None if at is None else _moment(at, app)
        backup = Backup(app.memories, app.state, in_vault=in_vault)
        verbs: dict[str, Callable[[], _Answer]] = {
            "init": lambda: _taken(app, backup.init()),
            "snapshot": lambda: _taken(app, backup.snapshot(message)),
            "history": lambda: _history(app, backup.history(limit=limit, path=note)),
            "status": lambda: _status(app, backup),
            "diff": lambda: _diff(backup, _named(backup, snapshot, moment), note),
            "restore": lambda: _restored(backup, _named(backup, snapshot, moment), note),
        }
        if action not in verbs:
            raise InvalidInput("ACTION", f"is {action!r}; use one of {', '.join(_ACTIONS)}")
        with session.console.working(_DOING.get(action, "Asking git")):
            facts, parts = verbs[action]()
        session.console.answer(facts, parts)


def merge_driver(
    context: typer.Context,
    base: Annotated[Path, typer.Argument(metavar="BASE", help="What git passes as %O.", show_default=False)],
    ours: Annotated[Path, typer.Argument(metavar="OURS", help="%A; the result is written here.", show_default=False)],
    theirs: Annotated[Path, typer.Argument(metavar="THEIRS", help="%B.", show_default=False)],
    marker_size: Annotated[int, typer.Argument(metavar="[SIZE]", help="%L.")] = 7,
    path: Annotated[str, typer.Argument(metavar="[PATH]", help="%P.")] = "note.md",
    vault: VaultOption = None,  # noqa: ARG001
    as_json: JsonOption = False,
) -> None:
    """Merge a note for git: uses add up, texts are left to git."""
    from mnemex_vault.backup.merge_driver import earlier_in_git, merge_files

    session = Session.of(context, as_json=as_json)
    earlier = earlier_in_git(session.working_folder, session.environ)
    if merge_files(base, ours, theirs, path=path, marker_size=marker_size, earlier=earlier):
        raise typer.Exit(1)


def _named(backup: Backup, snapshot: str | None, moment: datetime | None) -> str:
    return snapshot or "HEAD" if moment is None else backup.at(moment).sha


def _moment(at: str, app: App) -> datetime:
    text = f"{app.memories.now().astimezone(app.zone):%Y-%m-%d}{at}" if at.startswith("T") else at
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput("--at", f"is {at!r}; give a day such as 2026-11-29, or 2026-11-29T12:00") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=app.zone)


def _facts(snapshot: Snapshot) -> dict[str, object]:
    return {
        "sha": snapshot.sha,
        "short_sha": snapshot.short,
        "at": snapshot.at,
        "author": snapshot.author,
        "message": snapshot.message,
    }


def _line(app: App, snapshot: Snapshot) -> str:
    return f"{snapshot.short}  {since(snapshot.at, app):<14}  {one_line(snapshot.message)}"


def _taken(app: App, snapshot: Snapshot | None) -> _Answer:
    if snapshot is None:
        return {"snapshot": None}, ["Nothing has changed since the last snapshot."]
    return {"snapshot": _facts(snapshot)}, [f"Snapshot taken: {_line(app, snapshot)}"]


def _history(app: App, snapshots: list[Snapshot]) -> _Answer:
    rows = [
        Row(title=each.message, name=each.short, cells=[Cell("When", styled(since(each.at, app), "dim"), named=False)])
        for each in snapshots
    ]
    return [_facts(each) for each in snapshots], [Rows(rows=rows, head="What")] if rows else ["No snapshot yet."]


def _status(app: App, backup: Backup) -> _Answer:
    status = backup.status()
    facts = {
        "initialized": status.initialized,
        "repository": str(status.repository),
        "snapshots": status.snapshots,
        "last": _facts(status.last) if status.last else None,
        "changed": list(status.changed),
    }
    if not status.initialized:
        return facts, ["There is no backup yet: mnemex backup init"]
    last = f", the last {since(status.last.at, app)}" if status.last else ""
    lines = [f"{words.count(status.snapshots, 'snapshot')} in {whole(str(status.repository))}{last}"]
    lines += [Faint(f"  changed: {whole(path)}") for path in status.changed[:_SHOWN]]
    lines += [Faint(f"  and {len(status.changed) - _SHOWN} more")] if len(status.changed) > _SHOWN else []
    return facts, lines


def _diff(backup: Backup, snapshot: str, note: str | None) -> _Answer:
    text = backup.diff(snapshot, path=note)
    return {"diff": text}, text.splitlines() or ["Nothing is different."]


def _restored(backup: Backup, snapshot: str, note: str | None) -> _Answer:
    operation = backup.restore(snapshot, path=note)
    if operation is None:
        return {"operation_id": None, "steps": []}, ["Nothing is different."]
    steps = [{"kind": step.kind, "path": step.path} for step in operation.steps]
    lines = [f"Brought back: {one_line(operation.summary)}"]
    lines += [Faint(f"  {step.kind} {whole(step.path)}") for step in operation.steps[:_SHOWN]]
    return {"operation_id": operation.id, "steps": steps}, [*lines, take_back(operation.id)]


_KINDS = "markdown, jsonl or memory-server"


def export(
    context: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A new or empty folder.", show_default=False)],
    kind: Annotated[str, typer.Option("--format", metavar="KIND", help=f"{_KINDS}.")] = "markdown",
    tiers: Annotated[
        list[str] | None,
        typer.Option("--tier", metavar="TIER", help="Only short-term, long-term or archived; may be given twice."),
    ] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Write memories for other programs. The vault stays as it is."""
    from mnemex_vault.exporters.formats import FORMATS, check_destination, select, write_files

    session = Session.of(context, as_json=as_json)
    if kind not in FORMATS:
        raise typer.BadParameter(f"{kind!r} is not known; use {_KINDS}")
    wanted = _tiers(tiers or [])
    place = session.working_folder / folder.expanduser()
    with session.open(vault) as app:
        check_destination(place, app.root)
        with session.console.working("Gathering memories"):
            selection = select(app.memories, app.relations, wanted)
            files = FORMATS[kind](selection)
        write_files(place, files, progress=session.console.watch("Writing files"))
        memories = words.count(len(selection.memories), "memory", "memories")
        relations = words.count(len(selection.edges), "relation")
        data = {
            "folder": str(place),
            "format": kind,
            "memories": len(selection.memories),
            "relations": len(selection.edges),
            "files": list(files),
        }
        session.console.answer(data, [f"{memories} and {relations} written to {one_line(str(place))}."])


def _tiers(names: list[str]) -> tuple[Tier, ...]:
    unknown = [name for name in names if name not in set(Tier)]
    if unknown:
        raise typer.BadParameter(f"{unknown[0]!r} is no tier; use one of {', '.join(Tier)}")
    return tuple(Tier(name) for name in dict.fromkeys(names)) or tuple(Tier)
