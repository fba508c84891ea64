"""`save`: remembering something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.facts import today
from mnemex_vault.cli.input import text_from
from mnemex_vault.cli.memory_options import AllowSecret, Context, Entities, HalfLife, Source, Strength, Tags, Title
from mnemex_vault.cli.naming import identify
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line, whole
from mnemex_vault.cli.session import Session

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.saving import Saved

Content = Annotated[
    str | None,
    typer.Argument(metavar="TEXT", help="The text; `-` or none reads it from the input.", show_default=False),
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
    allow_secret: AllowSecret = False,
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
            tags=tags or None,
            entities=entities or None,
            project=project,
            source=source,
            context=situation,
            strength=strength,
            pinned=pinned,
            half_life_days=half_life,
            supersedes=[identify(app, name, working_folder=session.working_folder) for name in supersedes or ()],
            origin=origin,
            on_duplicate=on_duplicate,
            allow_secret=allow_secret,
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
        f"  {whole(saved.path)}, {future}{' unless it is used' if saved.fades_on else ''}",
        *(f"  Similar: {one_line(each.title)} ({each.id})" for each in saved.similar),
        *(f"  Hint: {one_line(hint)}" for hint in saved.hints),
    ]
