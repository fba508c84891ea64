"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from mnemex_vault.cli import completing


def folder_named(text: str) -> Path:
    """Read the name of a folder; an empty one is no name for the working folder, but a variable that was not set."""
    if not text.strip():
        raise typer.BadParameter("is empty; the working folder is called .")
    return Path(text)


def again(name: str, value: object) -> list[str]:
    """Return an option as it was given, for a command that goes on from this one; nothing if it was not."""
    return [] if value is None else [name, str(value)]


def named_once(argument: Path | None, option: Path | None) -> Path | None:
    """Return the vault that was named as an argument or with --vault; raises BadParameter for both."""
    if argument and option:
        raise typer.BadParameter("give the vault once: as an argument or with --vault")
    return argument or option


def vault_argument(meaning: str) -> Any:
    """Make the argument that names a vault, with what it means to the command."""
    return typer.Argument(
        metavar="[VAULT]",
        parser=folder_named,
        autocompletion=completing.vaults,
        help=meaning,
        show_default=False,
    )


def memories_argument(else_meant: str) -> Any:
    """Make the argument that names memories, with what is meant where none is named."""
    return typer.Argument(
        metavar="[MEMORY]...",
        autocompletion=completing.memories,
        help=f"Id, title or path of a memory; without, {else_meant}.",
    )


VaultOption = Annotated[
    Path | None,
    typer.Option(
        "--vault",
        metavar="FOLDER",
        parser=folder_named,
        autocompletion=completing.vaults,
        help="The vault; else MNEMEX_VAULT_PATH, the one you are in, or that of `mnemex use`.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
MemoryArgument = Annotated[
    list[str],
    typer.Argument(
        metavar="MEMORY...",
        autocompletion=completing.memories,
        help="Id, title or path of a memory.",
        show_default=False,
    ),
]
NoteArgument = Annotated[
    str,
    typer.Argument(
        metavar="NOTE",
        autocompletion=completing.notes,
        help="Id, title or path of a memory or note.",
        show_default=False,
    ),
]
LimitOption = Annotated[int, typer.Option("--limit", "-n", metavar="N", min=1, help="At most so many.")]


Tags = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", autocompletion=completing.tags, help="A tag; may be given several times."),
]
Entities = Annotated[
    list[str] | None,
    typer.Option("--entity", metavar="NAME", help="A person, project or thing it names; may be given several times."),
]
Title = Annotated[str | None, typer.Option("--title", metavar="TEXT", help="Its title, which names the note.")]
AsOf = Annotated[
    str | None, typer.Option("--as-of", metavar="DAY", help="As it was known on a day, such as 2026-05-03.")
]
Source = Annotated[str | None, typer.Option("--source", metavar="TEXT", help="Where it comes from.")]
Context = Annotated[str | None, typer.Option("--context", metavar="TEXT", help="The situation it was saved in.")]
Strength = Annotated[
    float | None,
    typer.Option("--strength", metavar="0..2", help="Its importance: 0.5 tentative, 1 normal, 2 critical."),
]
AllowSecret = Annotated[bool, typer.Option("--allow-secret", help="Keep it even if it looks like a key or password.")]
StandingKind = Annotated[
    str | None,
    typer.Option(
        "--kind", metavar="KIND", help="What never fades: rule, preference, identity or safety; none if it may."
    ),
]
ValidFrom = Annotated[
    str | None, typer.Option("--valid-from", metavar="TIME", help="Since when it is so, such as 2019 or 2026-05-03.")
]
HalfLife = Annotated[
    float | None, typer.Option("--half-life", metavar="DAYS", help="A half-life of its own in place of the vault's.")
]
