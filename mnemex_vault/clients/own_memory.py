"""What a client remembers by itself, as far as its files tell, and how that and the vault live together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from mnemex_vault.clients import toml_text
from mnemex_vault.clients.places import ClientName, Machine, places
from mnemex_vault.errors import ConfigError

Read = Callable[[PurePath], str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnMemory:
    """A client's own memory: where it is, how many notes of how many projects it holds, and what to do about it."""

    path: str
    notes: int = 0
    projects: int = 0
    advice: str


def own_memory(client: ClientName, machine: Machine, *, read: Read) -> OwnMemory | None:
    """Return what a client that is installed remembers by itself, None if nothing is known of it."""
    finders: Mapping[ClientName, Callable[[Machine, Read], OwnMemory | None]] = {
        ClientName.CLAUDE_CODE: _claude_code,
        ClientName.CODEX: _codex,
        ClientName.CLAUDE_DESKTOP: _claude_desktop,
    }
    finder = finders.get(client)
    return finder(machine, read) if finder else None


def _claude_code(machine: Machine, _: Read) -> OwnMemory | None:
    rules = places(ClientName.CLAUDE_CODE, machine).rules
    own = Path(rules).parent if rules else Path()
    folders = [each for each in own.glob("projects/*/memory") if any(each.glob("*.md"))]
    if not folders:
        return None
    notes = sum(1 for folder in folders for _ in folder.glob("*.md"))
    return OwnMemory(
        path=str(own / "projects"),
        notes=notes,
        projects=len(folders),
        advice="It reads these and the vault beside each other. Take them in with: mnemex bridge claude-code",
    )


def _codex(machine: Machine, read: Read) -> OwnMemory | None:
    config = Path(places(ClientName.CODEX, machine).servers)
    folder = config.parent / "memories"
    notes = sum(1 for _ in folder.glob("*.md"))
    is_on = _is_on(read(config) or "")
    if not (notes or is_on):
        return None
    take_in = f"Take them in with: mnemex import {config.parent}" if notes else ""
    switch = (
        "While they are on it may pass over memory servers: set memories = false under [features] in config.toml."
        if is_on
        else "They are off now, and the vault is asked alone."
    )
    return OwnMemory(path=str(folder), notes=notes, advice=" ".join(filter(None, (switch, take_in))))


def _is_on(text: str) -> bool:
    try:
        features = toml_text.parse(text).get("features")
    except ConfigError:
        return False
    return isinstance(features, dict) and features.get("memories") is True


def _claude_desktop(machine: Machine, read: Read) -> OwnMemory | None:
    config = places(ClientName.CLAUDE_DESKTOP, machine).servers
    if read(config) is None:
        return None
    return OwnMemory(
        path="your account, in no file",
        advice="If it says that its memory is disabled it means that one: ask it to search mnemex. What it remembers "
        "comes with your data, which you ask for in its settings; then: mnemex import FILE",
    )
