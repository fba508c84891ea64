"""`update` and `adopt`: changing notes that are there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli.facts import left_lines, today
from mnemex_vault.cli.input import text_from
from mnemex_vault.cli.memory_options import AllowSecret, Context, Entities, HalfLife, Source, Strength, Tags, Title
from mnemex_vault.cli.naming import each_of, identify, path_in_vault
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line, whole
from mnemex_vault.cli.session import Session

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.editing import Updated


def update(
    context: typer.Context,
    name: Annotated[
        str,
        typer.Argument(
            metavar="MEMORY",
            autocompletion=completing.memories,
            help="Id, title or path of a memory.",
            show_default=False,
        ),
    ],
    content: Annotated[
        str | None,
        typer.Argument(metavar="TEXT", help="A new text; `-` reads it from the input.", show_default=False),
    ] = None,
    title: Title = None,
    tags: Tags = None,
    entities: Entities = None,
    source: Source = None,
    situation: Context = None,
    strength: Strength = None,
    half_life: HalfLife = None,
    etag: Annotated[
        str | None,
        typer.Option("--etag", metavar="ETAG", help="Change it only if it is this version (see `show --json`)."),
    ] = None,
    allow_secret: AllowSecret = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Change a memory. Tags and names that are given replace the old ones."""
    from mnemex_vault.memories.editing import Revision

    session = Session.of(context, as_json=as_json)
    revision = Revision(
        content=None if content is None else text_from(content, session.stdin),
        title=title,
        tags=tags,
        entities=entities,
        source=source,
        context=situation,
        strength=strength,
        half_life_days=half_life,
        allow_secret=allow_secret,
    )
    if not revision:
        raise typer.BadParameter("nothing to change: give a text or an option")
    with session.open(vault) as app:
        memory_id = identify(app, name, working_folder=session.working_folder)
        if content is not None and etag is None:
            etag = app.store.note(app.store.memory_entry(memory_id)).etag
        updated = app.editing.update(memory_id, revision, etag=etag)
        done = "Changed" if updated.operation_id else "Unchanged"
        session.console.answer(updated_facts(updated), updated_lines(app, updated, done))


def adopt(
    context: typer.Context,
    paths: Annotated[
        list[str], typer.Argument(metavar="NOTE...", help="Path of a note that is no memory yet.", show_default=False)
    ],
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Make notes of your own memories. All that stands in them stays."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        wanted = [
            path_in_vault(path, root=app.root, working_folder=session.working_folder).removeprefix("note:")
            for path in paths
        ]
        outcome = each_of(dict.fromkeys(wanted), app.editing.adopt)
        if outcome.done:
            lines = [line for each in outcome.done for line in updated_lines(app, each, "A memory now")]
            session.console.answer([updated_facts(each) for each in outcome.done], lines)
        outcome.tell(session.console)


def updated_facts(updated: Updated) -> dict[str, object]:
    """Return a changed memory for programs."""
    memory = updated.memory
    return {
        "memory_id": memory.id,
        "title": memory.title,
        "path": updated.path,
        "pinned": memory.usage.pinned,
        "etag": updated.etag,
        "fades_on": updated.fades_on,
        "operation_id": updated.operation_id,
        "links_left": [entry.path for entry in updated.left_links],
    }


def updated_lines(app: App, updated: Updated, done: str) -> list[str]:
    """Return a changed memory for people."""
    memory = updated.memory
    future = words.fading(updated.fades_on, tier=memory.tier, pinned=memory.usage.pinned, today=today(app))
    return [
        f"{done}: {one_line(memory.title)} ({memory.id})",
        f"  {whole(updated.path)}, {future}",
        *left_lines(updated.left_links),
    ]
