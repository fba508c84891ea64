"""A quick look into a catalog's file, for who cannot wait until the catalog is read."""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator
from pathlib import Path

CATALOG_NAME = "catalog-v1.log"
_GENERATED = b'"kind":"generated"'


def generated_paths(file: Path) -> set[str]:
    """Return the paths of the notes that are, or once were, made by us; an unreadable file has none."""
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return set(_paths(data))
    except (OSError, ValueError):
        # mmap takes no empty file
        return set()


def _paths(data: mmap.mmap) -> Iterator[str]:
    position = data.find(_GENERATED)
    while position >= 0:
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        line = data[data.rfind(b"\n", 0, position) + 1 : end]
        yield from _path_in(line.partition(b" ")[2])
        position = data.find(_GENERATED, end)


def _path_in(record: bytes) -> Iterator[str]:
    try:
        path = json.loads(record)["path"]
    except (ValueError, LookupError, TypeError):
        # a damaged line; the catalog leaves it out as well
        return
    if isinstance(path, str):
        yield path
