"""Options that every command has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def folder_named(text: str) -> Path:
    """Read the name of a folder; an empty one is no name for the working folder, but a variable that was not set."""
    if not text.strip():
        raise typer.BadParameter("is empty; the working folder is called .")
    return Path(text)


VaultOption = Annotated[
    Path | None,
    typer.Option(
        "--vault",
        metavar="FOLDER",
        parser=folder_named,
        help="The vault; else MNEMEX_VAULT_PATH, else the one `init` remembered.",
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
MemoryArgument = Annotated[
    list[str], typer.Argument(metavar="MEMORY...", help="Id, title or path of a memory.", show_default=False)
]
