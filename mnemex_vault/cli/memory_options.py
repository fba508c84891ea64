"""Options that say how a memory is kept."""

from __future__ import annotations

from typing import Annotated

import typer

from mnemex_vault.cli import completing

Tags = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", autocompletion=completing.tags, help="A tag; may be given several times."),
]
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
AllowSecret = Annotated[bool, typer.Option("--allow-secret", help="Keep it even if it looks like a key or password.")]
HalfLife = Annotated[
    float | None, typer.Option("--half-life", metavar="DAYS", help="A half-life of its own in place of the vault's.")
]
