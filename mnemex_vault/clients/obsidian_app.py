"""The vaults that Obsidian knows on this computer."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import PurePath
from typing import Any

from mnemex_vault.clients.places import Machine, System

_NAME = "obsidian.json"


def lists(machine: Machine) -> list[PurePath]:
    """Return the files in which Obsidian may list its vaults: as installed, as a Flatpak, as a Snap."""
    found = [machine.settings / "obsidian" / _NAME]
    if machine.system is System.LINUX:
        found.append(machine.home / ".var/app/md.obsidian.Obsidian/config/obsidian" / _NAME)
        found.append(machine.home / "snap/obsidian/current/.config/obsidian" / _NAME)
    return found


def known_vaults(machine: Machine, *, read: Callable[[PurePath], str | None]) -> list[str]:
    """Return the folders of the vaults, the one that was opened last first; a damaged list says nothing."""
    opened: dict[str, float] = {}
    for path in lists(machine):
        for vault in _vaults(read(path)):
            folder, moment = vault.get("path"), vault.get("ts")
            if isinstance(folder, str) and folder:
                opened.setdefault(folder, moment if isinstance(moment, int | float) else 0)
    return sorted(opened, key=lambda folder: -opened[folder])


def _vaults(text: str | None) -> list[dict[str, Any]]:
    try:
        listed = json.loads(text or "{}")
    except ValueError:
        return []
    vaults = listed.get("vaults") if isinstance(listed, dict) else None
    return [vault for vault in vaults.values() if isinstance(vault, dict)] if isinstance(vaults, dict) else []
