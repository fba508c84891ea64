"""The Obsidian plugin that comes with the package: what a vault has of it, copying it there and taking it out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files as package_files
from pathlib import Path

from mnemex_vault.disk.files import Files
from mnemex_vault.disk.paths import PathRule
from mnemex_vault.disk.safeguards import Park
from mnemex_vault.errors import NoteNotFound, UnreadableNote

PLUGIN_ID = "mnemex-vault"
MANIFEST = "manifest.json"
# the manifest comes last: Obsidian takes a folder without one for no plugin
NAMES = ("main.js", "styles.css", MANIFEST)
# Obsidian's list of the plugins that are switched on; it is only read
_ENABLED = "community-plugins.json"
_NUMBERS = re.compile(r"\d+")


class Action(StrEnum):
    """What happens to a file of the plugin."""

    CREATE = "create"
    REPLACE = "replace"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Copy:
    """One file of the plugin in the vault; `before` is what a replacement displaces."""

    action: Action
    path: str
    data: bytes
    before: bytes = b""


@dataclass(frozen=True, slots=True)
class Installation:
    """What installing comes to; `found` is the version that the vault has, `newer` tells that it goes before ours."""

    folder: str
    version: str
    found: str | None
    newer: bool
    copies: Sequence[Copy]

    @property
    def changes(self) -> list[Copy]:
        """Return what would be written."""
        return [copy for copy in self.copies if copy.action is not Action.KEEP]


def shipped() -> dict[str, bytes]:
    """Return the files of the plugin by name, in the order in which they are to be written."""
    folder = package_files("mnemex_vault.vaultkit") / "plugin"
    return {name: (folder / name).read_bytes() for name in NAMES}


def plan(root: Path, config_folder: str, release: Mapping[str, bytes]) -> Installation:
    """Return what installing a release into the vault would do.

    Over a newer version nothing is written. Raises UnreadableNote when the folder holds another plugin, or one whose
    manifest cannot be read.
    """
    folder = f"{config_folder}/plugins/{PLUGIN_ID}"
    files = _files(root, config_folder)
    present = {name: _read(files, f"{folder}/{name}") for name in release}
    path = f"{folder}/{MANIFEST}"
    installed = present[MANIFEST]
    found = None if installed is None else _version(path, installed)
    version = _version(MANIFEST, release[MANIFEST])
    newer = found is not None and _order(found) > _order(version)
    copies = [] if newer else list(_copies(folder, release, present))
    return Installation(folder, version, found, newer, copies)


def present(root: Path, config_folder: str) -> dict[str, bytes]:
    """Return the files of our plugin that the vault has, by path; the manifest, which makes them a plugin, first.

    Raises UnreadableNote when the folder holds another plugin, or one whose manifest cannot be read.
    """
    folder = f"{config_folder}/plugins/{PLUGIN_ID}"
    files = _files(root, config_folder)
    found = {f"{folder}/{name}": _read(files, f"{folder}/{name}") for name in reversed(NAMES)}
    manifest = found[f"{folder}/{MANIFEST}"]
    if manifest is not None:
        _version(f"{folder}/{MANIFEST}", manifest)
    return {path: data for path, data in found.items() if data is not None}


def remove(there: Mapping[str, bytes], root: Path, config_folder: str, *, park: Park) -> None:
    """Take these files out of the vault; each goes to `park`. Raises NoteChanged if someone was quicker."""
    files = _files(root, config_folder)
    for path, data in there.items():
        files.remove(path, data, park=park)


def is_enabled(root: Path, config_folder: str) -> bool:
    """Tell whether Obsidian is told to load the plugin; a list that cannot be read tells nothing."""
    listed = _read(_files(root, config_folder), f"{config_folder}/{_ENABLED}")
    try:
        names = json.loads((listed or b"[]").decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return False
    return isinstance(names, list) and PLUGIN_ID in names


def install(installation: Installation, root: Path, config_folder: str, *, park: Park) -> None:
    """Write what was planned; files that are replaced go to `park`.

    Raises NoteExists or NoteChanged if someone was quicker, WriteFailed if the disk refuses; planning again continues.
    """
    files = _files(root, config_folder)
    with files.opened(installation.folder, make=True):
        pass
    for copy in installation.changes:
        if copy.action is Action.CREATE:
            files.create(copy.path, copy.data)
        else:
            files.replace(copy.path, copy.before, copy.data, park=park)


def _files(root: Path, config_folder: str) -> Files:
    return Files(root, rule=PathRule(suffixes=(*NAMES, _ENABLED), hidden=(config_folder,)))


def _read(files: Files, path: str) -> bytes | None:
    try:
        return files.read(path)[0]
    except NoteNotFound:
        return None


def _copies(folder: str, release: Mapping[str, bytes], present: Mapping[str, bytes | None]) -> Iterator[Copy]:
    for name, data in release.items():
        before, path = present[name], f"{folder}/{name}"
        if before is None:
            yield Copy(Action.CREATE, path, data)
        else:
            yield Copy(Action.KEEP if before == data else Action.REPLACE, path, data, before)


def _version(path: str, manifest: bytes) -> str:
    try:
        found = json.loads(manifest.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise UnreadableNote(path, "it is no JSON") from error
    if not isinstance(found, dict) or found.get("id") != PLUGIN_ID:
        raise UnreadableNote(path, "it belongs to another plugin")
    version = found.get("version")
    if not isinstance(version, str) or not _NUMBERS.search(version):
        raise UnreadableNote(path, "it names no version")
    return version


def _order(version: str) -> tuple[int, ...]:
    """Return what versions are compared by; zeros at the end do not count.

    >>> _order("0.10.1") > _order("0.9"), _order("1.0") == _order("1")
    (True, True)
    """
    numbers = [int(number[:9]) for number in _NUMBERS.findall(version)]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers)
