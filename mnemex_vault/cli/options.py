"""Options that every command has."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

VaultOption = Annotated[
    Path | None,
    typer.Option(
        "--vault", metavar="FOLDER", help="The vault; else MNEMEX_VAULT_PATH, else the one `init` remembered."
    ),
]
JsonOption = Annotated[bool, typer.Option("--json", help="Answer in JSON, for programs.")]
MemoryArgument = Annotated[
    list[str], typer.Argument(metavar="MEMORY...", help="Id, title or path of a memory.", show_default=False)
]
