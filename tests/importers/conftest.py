"""Stores that the predecessors' own packages wrote, with what those packages read back."""

from __future__ import annotations

import json
import os
import subprocess
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

STORES = Path(__file__).with_name("stores")
WRITER = Path(__file__).with_name("write_predecessor_store.py")
# a Python in which the package is installed, to write stores of the full size
PYTHONS = {"cortexgraph": "MNEMEX_TEST_CORTEXGRAPH_PYTHON", "mnemex": "MNEMEX_TEST_MNEMEX_PYTHON"}
KINDS = ["cortexgraph jsonl", "cortexgraph sqlite", "mnemex jsonl"]
ARCHIVES = {"cortexgraph": "cortexgraph-1.2.1.tar.xz", "mnemex": "mnemex-0.5.7.tar.xz"}


@dataclass(frozen=True)
class Predecessor:
    """A store of a predecessor, and what its own program says is in it."""

    path: Path
    memories: dict[str, dict[str, Any]]
    relations: list[dict[str, Any]]


def written_by(package: str, folder: Path, *, full: bool) -> Path:
    """Return a folder with what the package wrote: now and in full size if it is there, else a smaller one."""
    python = os.environ.get(PYTHONS[package])
    if full and python:
        environ = {**os.environ, "HOME": str(folder.parent), "XDG_CONFIG_HOME": str(folder.parent / "config")}
        subprocess.run([python, str(WRITER), package, str(folder)], check=True, env=environ, capture_output=True)
        return folder
    with tarfile.open(STORES / ARCHIVES[package]) as archive:
        archive.extractall(folder, filter="data")
    return folder


def store_of(kind: str, folder: Path, *, full: bool) -> Predecessor:
    """Return a store of this kind, one of `KINDS`, written into the folder."""
    package, form = kind.split()
    written_by(package, folder, full=full)
    told = json.loads((folder / f"{form}-expected.json").read_text("utf-8"))
    return Predecessor(folder / form, {each["id"]: each for each in told["memories"]}, told["relations"])
