"""`save`, `update`, `adopt`, `touch`, `pin`, `relate`: what is remembered, and how long."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli import options as take
from mnemex_vault.cli.facts import left_lines, today
from mnemex_vault.cli.session import Session, each_of, identified, identify, path_in_vault, text_from
from mnemex_vault.cli.sheet import one_line, whole
from mnemex_vault.domain.memory import RelationType

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.editing import Revision, Updated
    from mnemex_vault.memories.graph import Edge
    from mnemex_vault.memories.lifecycle import Touched
    from mnemex_vault.memories.saving import Saved

Content = Annotated[
    str | None,
    typer.Argument(metavar="TEXT", help="The text; `-` or none reads it from the input.", show_default=False),
]


_NO_PROJECT = "none"
_Project = Annotated[str | None, typer.Option("--project", metavar="NAME", help="The project it belongs to.")]
_Pinned = Annotated[bool, typer.Option("--pin", help="It never fades.")]
_Supersedes = Annotated[
    list[str] | None, typer.Option("--supersedes", metavar="MEMORY", help="A memory that this one replaces.")
]
_Origin = Annotated[str, typer.Option("--origin", metavar="WHO", help="user, ai, web or import.")]
_OnDuplicate = Annotated[
    str,
    typer.Option("--on-duplicate", metavar="WHAT", help="If the text is known: reinforce it, save it, or refuse."),
]
_Memory = Annotated[
    str,
    typer.Argument(
        metavar="MEMORY",
        autocompletion=completing.memories,
        help="Id, title or path of a memory.",
        show_default=False,
    ),
]
_NewText = Annotated[
    str | None,
    typer.Argument(metavar="TEXT", help="A new text; `-` reads it from the input.", show_default=False),
]
_Etag = Annotated[
    str | None,
    typer.Option("--etag", metavar="ETAG", help="Change it only if it is this version (see `show --json`)."),
]


def save(
    context: typer.Context,
    content: Content = None,
    title: take.Title = None,
    tags: take.Tags = None,
    entities: take.Entities = None,
    project: _Project = None,
    source: take.Source = None,
    situation: take.Context = None,
    strength: take.Strength = None,
    pinned: _Pinned = False,
    half_life: take.HalfLife = None,
    kind: take.StandingKind = None,
    valid_from: take.ValidFrom = None,
    supersedes: _Supersedes = None,
    origin: _Origin = "user",
    on_duplicate: _OnDuplicate = "reinforce",
    allow_secret: take.AllowSecret = False,
    vault: take.VaultOption = None,
    as_json: take.JsonOption = False,
) -> None:
    """Remember something."""
    from mnemex_vault.memories.draft import Draft

    session = Session.of(context, as_json=as_json)
    text = text_from(content, session.stdin)
    with session.open(vault) as app:
        draft = Draft(
            content=text,
            title=title,
            tags=tags or None,
            entities=entities or None,
            project=project,
            source=source,
            context=situation,
            strength=strength,
            pinned=pinned,
            half_life_days=half_life,
            kind=kind,
            valid_from=valid_from,
            supersedes=[identify(app, name, working_folder=session.working_folder) for name in supersedes or ()],
            origin=origin,
            on_duplicate=on_duplicate,
            allow_secret=allow_secret,
        )
        _tell_saved(session, app, app.collection.save(draft))


def _tell_saved(session: Session, app: App, saved: Saved) -> None:
    from mnemex_vault.answers import saving

    session.console.answer(saving.saved(saved, root=app.root).answer, _saved_lines(app, saved))


def _saved_lines(app: App, saved: Saved) -> list[str]:
    memory = saved.memory
    future = words.fading(saved.fades_on, tier=memory.tier, pinned=memory.usage.pinned, today=today(app))
    first = "Known already, strengthened" if saved.reinforced else "Remembered"
    return [
        f"{first}: {one_line(memory.title)} ({memory.id})",
        f"  {whole(saved.path)}, {future}{' unless it is used' if saved.fades_on else ''}",
        *(f"  Similar: {one_line(each.title)} ({each.id})" for each in saved.similar),
        *(f"  Hint: {one_line(hint)}" for hint in saved.hints),
    ]


def update(
    context: typer.Context,
    name: _Memory,
    content: _NewText = None,
    title: take.Title = None,
    tags: take.Tags = None,
    entities: take.Entities = None,
    project: Annotated[
        str | None,
        typer.Option("--project", metavar="NAME", help="The project it belongs to; none if to all."),
    ] = None,
    source: take.Source = None,
    situation: take.Context = None,
    strength: take.Strength = None,
    half_life: take.HalfLife = None,
    kind: take.StandingKind = None,
    valid_from: take.ValidFrom = None,
    etag: _Etag = None,
    allow_secret: take.AllowSecret = False,
    vault: take.VaultOption = None,
    as_json: take.JsonOption = False,
) -> None:
    """Change a memory. Tags and names that are given replace the old ones."""
    from mnemex_vault.memories.editing import Revision

    session = Session.of(context, as_json=as_json)
    revision = Revision(
        content=None if content is None else text_from(content, session.stdin),
        title=title,
        tags=tags,
        entities=entities,
        project="" if project == _NO_PROJECT else project,
        source=source,
        context=situation,
        strength=strength,
        half_life_days=half_life,
        kind=kind,
        valid_from=valid_from,
        allow_secret=allow_secret,
    )
    if not revision:
        raise typer.BadParameter("nothing to change: give a text or an option")
    with session.open(vault) as app:
        updated = _updated(app, identify(app, name, working_folder=session.working_folder), revision, etag)
        done = "Changed" if updated.operation_id else "Unchanged"
        session.console.answer(updated_facts(updated), updated_lines(app, updated, done))


def _updated(app: App, memory_id: str, revision: Revision, etag: str | None) -> Updated:
    if revision.content is not None and etag is None:
        etag = app.memories.note(app.memories.memory_entry(memory_id)).etag
    return app.editing.update(memory_id, revision, etag=etag)


def adopt(
    context: typer.Context,
    paths: Annotated[
        list[str], typer.Argument(metavar="NOTE...", help="Path of a note that is no memory yet.", show_default=False)
    ],
    vault: take.VaultOption = None,
    as_json: take.JsonOption = False,
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
    """Return a changed memory for programs: the answer of the tool that changes one, and the links left behind."""
    from mnemex_vault.answers import memory

    return {**memory.updated(updated).answer.data(), "links_left": [entry.path for entry in updated.left_links]}


def updated_lines(app: App, updated: Updated, done: str) -> list[str]:
    """Return a changed memory for people."""
    memory = updated.memory
    future = words.fading(updated.fades_on, tier=memory.tier, pinned=memory.usage.pinned, today=today(app))
    return [
        f"{done}: {one_line(memory.title)} ({memory.id})",
        f"  {whole(updated.path)}, {future}",
        *left_lines(updated.left_links),
    ]


def touch(
    context: typer.Context,
    names: take.MemoryArgument,
    boost: Annotated[bool, typer.Option("--boost", help="Make it more important as well (strength + 0.1).")] = False,
    vault: take.VaultOption = None,
    as_json: take.JsonOption = False,
) -> None:
    """Use a memory now, which strengthens it."""
    from mnemex_vault.answers import use

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        ids = identified(app, names, working_folder=session.working_folder)
        outcome = each_of(ids, lambda memory_id: app.lifecycle.touch(memory_id, boost=boost))
        if outcome.done:
            lines = [line for each in outcome.done for line in _touched_lines(app, each)]
            session.console.answer([use.touched(each).answer for each in outcome.done], lines)
        outcome.tell(session.console)


def _touched_lines(app: App, touched: Touched) -> list[str]:
    usage, entry = touched.usage, touched.entry
    future = words.fading(touched.fades_on, tier=entry.tier, pinned=usage.pinned, today=today(app))
    lines = [
        f"Used: {one_line(entry.title)} ({entry.memory_id})",
        f"  score {touched.score_before:.2f} -> {touched.score:.2f}, {words.count(usage.use_count, 'use')}, {future}",
    ]
    if not touched.written:
        lines.append("  The note was changed a moment ago: the use counts now, and is written when the note is quiet.")
    return lines


def pin(
    context: typer.Context,
    names: take.MemoryArgument,
    off: Annotated[bool, typer.Option("--off", help="Let it fade again.")] = False,
    vault: take.VaultOption = None,
    as_json: take.JsonOption = False,
) -> None:
    """Protect a memory from fading."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        ids = identified(app, names, working_folder=session.working_folder)
        outcome = each_of(ids, lambda memory_id: app.editing.pin(memory_id, pinned=not off))
        if outcome.done:
            done = "Unpinned" if off else "Pinned"
            lines = [line for each in outcome.done for line in updated_lines(app, each, done)]
            session.console.answer([updated_facts(each) for each in outcome.done], lines)
        outcome.tell(session.console)


_From = Annotated[
    str,
    typer.Argument(
        metavar="MEMORY", autocompletion=completing.memories, help="Id, title or path of a memory.", show_default=False
    ),
]
_To = Annotated[
    str,
    typer.Argument(
        metavar="NOTE", autocompletion=completing.notes, help="The memory or note it leads to.", show_default=False
    ),
]
_Type = Annotated[RelationType, typer.Option("--type", help="How the first relates to the second.")]


def relate(
    context: typer.Context,
    source: _From,
    target: _To,
    kind: _Type = RelationType.RELATED,
    strength: Annotated[float, typer.Option("--strength", metavar="0..1", help="How strongly.")] = 1.0,
    remove: Annotated[bool, typer.Option("--remove", help="Take the relation away; the notes stay otherwise.")] = False,
    vault: take.VaultOption = None,
    as_json: take.JsonOption = False,
) -> None:
    """Relate a memory to another note. It becomes a wikilink in the first one's properties."""
    from mnemex_vault.answers import graph

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        ends = _ends(session, app, source, target)
        if remove:
            session.console.answer(*_removed(app, ends, kind))
            return
        edge, new = app.relations.create(*ends, kind, strength=strength)
        said = f"{'Related' if new else 'Related already'}: {_sentence(edge)}."
        session.console.answer(graph.related(edge, new=new).answer, [said])


def unrelate(
    context: typer.Context,
    source: _From,
    target: _To,
    kind: _Type = RelationType.RELATED,
    vault: take.VaultOption = None,
    as_json: take.JsonOption = False,
) -> None:
    """Remove a relation. The same as mnemex relate --remove."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        session.console.answer(*_removed(app, _ends(session, app, source, target), kind))


def _removed(app: App, ends: tuple[str, str], kind: RelationType) -> tuple[dict[str, object], list[str]]:
    from mnemex_vault.answers import graph

    edge = app.relations.delete(*ends, kind)
    return {**graph.unrelated(edge).answer.data(), **_facts(edge)}, [f"No longer related: {_sentence(edge)}."]


def _ends(session: Session, app: App, source: str, target: str) -> tuple[str, str]:
    folder = session.working_folder
    return (
        identify(app, source, working_folder=folder),
        identify(app, target, working_folder=folder, ordinary=True),
    )


def _facts(edge: Edge) -> dict[str, object]:
    return {
        "from": edge.source.item_id,
        "to": edge.target.item_id,
        "type": edge.type,
        "strength": edge.strength,
    }


def _sentence(edge: Edge) -> str:
    return f"{one_line(edge.source.title)} -- {edge.type} --> {one_line(edge.target.title)}"
