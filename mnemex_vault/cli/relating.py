"""`relate` and `unrelate`: how memories belong together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import completing
from mnemex_vault.cli.naming import identify
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line
from mnemex_vault.cli.session import Session
from mnemex_vault.domain.memory import RelationType

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.graph import Edge

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
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Relate a memory to another note. It becomes a wikilink in the first one's properties."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        ends = _ends(session, app, source, target)
        if remove:
            session.console.answer(*_removed(app, ends, kind))
            return
        edge, new = app.relations.create(*ends, kind, strength=strength)
        said = f"{'Related' if new else 'Related already'}: {_sentence(edge)}."
        session.console.answer({**_facts(edge), "created": new}, [said])


def unrelate(
    context: typer.Context,
    source: _From,
    target: _To,
    kind: _Type = RelationType.RELATED,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Remove a relation. The same as mnemex relate --remove."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        session.console.answer(*_removed(app, _ends(session, app, source, target), kind))


def _removed(app: App, ends: tuple[str, str], kind: RelationType) -> tuple[dict[str, object], list[str]]:
    edge = app.relations.delete(*ends, kind)
    return _facts(edge), [f"No longer related: {_sentence(edge)}."]


def _ends(session: Session, app: App, source: str, target: str) -> tuple[str, str]:
    folder = session.working_folder
    return (
        identify(app, source, working_folder=folder),
        identify(app, target, working_folder=folder, ordinary=True),
    )


def _facts(edge: Edge) -> dict[str, object]:

    return {
        "relation_id": edge.id,
        "from": edge.source.item_id,
        "to": edge.target.item_id,
        "type": edge.type,
        "strength": edge.strength,
    }


def _sentence(edge: Edge) -> str:
    return f"{one_line(edge.source.title)} -- {edge.type} --> {one_line(edge.target.title)}"
