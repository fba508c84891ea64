"""`note`: ordinary notes of the vault, made, listed and read."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli.options import AllowSecret, JsonOption, VaultOption
from mnemex_vault.cli.session import Session, identify, text_from
from mnemex_vault.cli.sheet import Row, Rows, take_back, whole
from mnemex_vault.errors import InvalidInput

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.face import Entry

_ACTIONS = ("create", "list", "read")
# what Obsidian still opens with ease
_LONGEST_NOTE = 1_000_000


def note(
    context: typer.Context,
    action: Annotated[str, typer.Argument(metavar="create|list|read", help="What to do.", show_default=False)],
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[TITLE] [TEXT]", help="Title and text of a new note, or the note to read."),
    ] = None,
    folder: Annotated[
        str | None, typer.Option("--folder", metavar="FOLDER", help="The folder of the vault, to create or list in.")
    ] = None,
    tags: Annotated[
        list[str] | None,
        typer.Option("--tag", metavar="TAG", help="A tag of the new note; may be given several times."),
    ] = None,
    allow_secret: AllowSecret = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make, list or read ordinary notes. They are no memories and never fade."""
    session = Session.of(context, as_json=as_json)
    given = texts or []
    if action not in _ACTIONS:
        raise typer.BadParameter(f"{action!r} is none of {', '.join(_ACTIONS)}")
    most = {"create": 2, "list": 0, "read": 1}[action]
    if len(given) > most or (most and not given):
        raise typer.BadParameter(f"`note {action}` takes {('nothing else', 'one note', 'a title and a text')[most]}")
    if action == "create":
        _create(session, vault, given, folder or "", tags or [], allow_secret=allow_secret)
    elif action == "list":
        _list(session, vault, folder)
    else:
        _read(session, vault, given[0])


def _create(
    session: Session,
    vault: Path | None,
    given: Sequence[str],
    folder: str,
    tags: Sequence[str],
    *,
    allow_secret: bool,
) -> None:
    from mnemex_vault.memories.draft import check_text

    text = text_from(given[1] if len(given) > 1 else None, session.stdin, limit=_LONGEST_NOTE)
    title = " ".join(given[0].split())
    if not title:
        raise InvalidInput("title", "is empty")
    check_text("text", text, _LONGEST_NOTE)
    with session.open(vault) as app:
        path, operation = app.memories.write_note(title, text, folder=folder, tags=tags, allow_secret=allow_secret)
        data = {"path": path, "title": title, "operation_id": operation.id}
        session.console.answer(data, [f"Created: {whole(path)}", take_back(operation.id)])


def _list(session: Session, vault: Path | None, folder: str | None) -> None:
    with session.open(vault) as app:
        entries = app.memories.within(folder or "")
        rows = [Row(title=entry.title, place=whole(entry.path), tags=entry.tags) for entry in entries]
        parts = [*Rows(rows=rows).plain()] or ["There is no note."]
        session.console.answer([_facts(entry) for entry in entries], parts)


def _read(session: Session, vault: Path | None, name: str) -> None:
    with session.open(vault) as app:
        entry = _meant(app, session, name)
        content = app.memories.note(entry).content
        if session.console.as_json:
            session.console.answer({**_facts(entry), "content": content}, ())
        else:
            session.console.say_exactly(content)


def _meant(app: App, session: Session, name: str) -> Entry:
    return app.memories.entry(identify(app, name, working_folder=session.working_folder, ordinary=True))


def _facts(entry: Entry) -> dict[str, object]:
    return {"path": entry.path, "title": entry.title, "tags": list(entry.tags), "memory_id": entry.memory_id}
