"""`save`, `update`, `adopt`: what a memory says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.facts import today
from mnemex_vault.cli.input import text_from
from mnemex_vault.cli.naming import identify, path_in_vault
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line
from mnemex_vault.cli.session import Session

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.collection import Saved
    from mnemex_vault.memories.editing import Updated

Content = Annotated[
    str | None,
    typer.Argument(metavar="TEXT", help="The text; `-` or none reads it from the input.", show_default=False),
]
Tags = Annotated[list[str] | None, typer.Option("--tag", metavar="TAG", help="A tag; may be given several times.")]
Entities = Annotated[
    list[str] | None,
    typer.Option("--entity", metavar="NAME", help="A person, project or thing it names; may be given several times."),
]
Title = Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Its title, which names the note.")]
Source = Annotated[str | None, typer.Option("--source", metavar="TEXT", help="Where it comes from.")]
Context = Annotated[str | None, typer.Option("--context", metavar="TEXT", help="The situation it was saved in.")]
Strength = Annotated[
    float | None,
    typer.Option("--strength", metavar="0..2", help="Its importance: 0.5 tentative, 1 normal, 2 critical."),
]
HalfLife = Annotated[
    float | None, typer.Option("--half-life", metavar="DAYS", help="A half-life of its own in place of the vault's.")
]


def save(
    context: typer.Context,
    content: Content = None,
    title: Title = None,
    tags: Tags = None,
    entities: Entities = None,
    project: Annotated[str | None, typer.Option("--project", metavar="NAME", help="The project it belongs to.")] = None,
    source: Source = None,
    situation: Context = None,
    strength: Strength = None,
    pinned: Annotated[bool, typer.Option("--pin", help="It never fades.")] = False,
    half_life: HalfLife = None,
    supersedes: Annotated[
        list[str] | None, typer.Option("--supersedes", metavar="MEMORY", help="A memory that this one replaces.")
    ] = None,
    origin: Annotated[str, typer.Option("--origin", metavar="WHO", help="user, ai, web or import.")] = "user",
    on_duplicate: Annotated[
        str,
        typer.Option("--on-duplicate", metavar="WHAT", help="If the text is known: reinforce it, save it, or refuse."),
    ] = "reinforce",
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remember something."""
    from mnemex_vault.memories.draft import Draft

    session = Session.of(context, as_json=as_json)
    text = text_from(content, session.stdin)
    with session.open(vault) as app:
        draft = Draft(
            content=text,
            title=title,
            tags=tags or (),
            entities=entities or (),
            project=project,
            source=source,
            context=situation,
            strength=1.0 if strength is None else strength,
            pinned=pinned,
            half_life_days=half_life,
            supersedes=[identify(app, name, working_folder=session.working_folder) for name in supersedes or ()],
            origin=origin,
            on_duplicate=on_duplicate,
        )
        saved = app.collection.save(draft)
        session.console.answer(_saved_facts(saved), _saved_lines(app, saved))


def _saved_facts(saved: Saved) -> dict[str, object]:
    return {
        "memory_id": saved.memory.id,
        "title": saved.memory.title,
        "path": saved.path,
        "fades_on": saved.fades_on,
        "reinforced": saved.reinforced,
        "similar": [{"id": each.id, "title": each.title, "first_line": each.first_line} for each in saved.similar],
        "hints": list(saved.hints),
        "operation_id": saved.operation_id,
    }


def _saved_lines(app: App, saved: Saved) -> list[str]:
    memory = saved.memory
    future = words.fading(saved.fades_on, tier=memory.tier, pinned=memory.usage.pinned, today=today(app))
    first = "Known already, strengthened" if saved.reinforced else "Remembered"
    return [
        f"{first}: {one_line(memory.title)} ({memory.id})",
        f"  {one_line(saved.path)}, {future}{' unless it is used' if saved.fades_on else ''}",
        *(f"  Similar: {one_line(each.title)} ({each.id})" for each in saved.similar),
        *(f"  Hint: {one_line(hint)}" for hint in saved.hints),
    ]


def update(
    context: typer.Context,
    name: Annotated[str, typer.Argument(metavar="MEMORY", help="Id, title or path of a memory.", show_default=False)],
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
        adopted = [
            app.editing.adopt(
                path_in_vault(path, root=app.root, working_folder=session.working_folder).removeprefix("note:")
            )
            for path in paths
        ]
        lines = [line for each in adopted for line in updated_lines(app, each, "A memory now")]
        session.console.answer([updated_facts(each) for each in adopted], lines)


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
    }


def updated_lines(app: App, updated: Updated, done: str) -> list[str]:
    """Return a changed memory for people."""
    memory = updated.memory
    future = words.fading(updated.fades_on, tier=memory.tier, pinned=memory.usage.pinned, today=today(app))
    return [f"{done}: {one_line(memory.title)} ({memory.id})", f"  {one_line(updated.path)}, {future}"]
