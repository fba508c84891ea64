"""What a person named to import: found out by looking at it."""

from __future__ import annotations

import json
from datetime import tzinfo
from enum import StrEnum
from pathlib import Path

from mnemex_vault.errors import InvalidInput, NotPossible
from mnemex_vault.importers.findings import Findings
from mnemex_vault.importers.markdown_folder import read_markdown
from mnemex_vault.importers.memory_server import read_memory_server
from mnemex_vault.importers.places import read_stores, stores_at

_LOOKED_AT = 1 << 16


class Kind(StrEnum):
    """The kinds of stores that can be imported."""

    MNEMEX = "mnemex"
    MEMORY_SERVER = "memory-server"
    MARKDOWN = "markdown"


def kind_of(path: Path) -> Kind:
    """Return what a file or folder holds; raises InvalidInput if nothing is there."""
    if not path.exists():
        raise NotPossible(str(path), "is not there")
    if path.is_file():
        return Kind.MEMORY_SERVER if _is_graph(path) else Kind.MNEMEX
    try:
        stores_at(path)
    except InvalidInput:
        return Kind.MARKDOWN
    return Kind.MNEMEX


def _is_graph(path: Path) -> bool:
    """Tell whether the first thing in a file is a part of the reference server's graph."""
    try:
        with path.open("rb") as file:
            start = file.read(_LOOKED_AT).decode("utf-8-sig", "ignore").lstrip()
    except OSError as error:
        raise NotPossible(str(path), f"cannot be read: {error.strerror}") from error
    for line in start.splitlines():
        try:
            value = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict):
            return value.get("type") in ("entity", "relation") or "relations" in value
    return '"entityType"' in start


def read_source(path: Path, *, zone: tzinfo, kind: Kind | None = None) -> Findings:
    """Return what a file or folder holds. Raises InvalidInput for what cannot be read at all."""
    match kind or kind_of(path):
        case Kind.MNEMEX:
            return read_stores(stores_at(path), zone=zone)
        case Kind.MEMORY_SERVER:
            if not path.is_file():
                raise NotPossible(str(path), "is not the file of a memory server")
            return read_memory_server(path)
        case Kind.MARKDOWN:
            if not path.is_dir():
                raise NotPossible(str(path), "is not a folder")
            return read_markdown(path, zone=zone)
