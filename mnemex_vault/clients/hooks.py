"""The hooks of a client that run this program: at session start, before compaction, after an answer."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mnemex_vault.clients import jsonc
from mnemex_vault.clients.places import ClientName, System

_SECONDS = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """How a client writes hooks: its names of the moments, and whether a group or a type stands around the command."""

    events: Mapping[str, str]
    grouped: bool = False
    typed: bool = True
    version: int | None = None

    def entry(self, line: str) -> dict[str, object]:
        """Return the entry of a command line."""
        command: dict[str, object] = {"command": line, "timeout": _SECONDS}
        if self.typed:
            command = {"type": "command", **command}
        return {"hooks": [command]} if self.grouped else command


_ALL = {"SessionStart": "session-start", "PreCompact": "pre-compact", "Stop": "stop"}
SHAPES: Mapping[ClientName, Shape] = {
    ClientName.CLAUDE_CODE: Shape(events=_ALL, grouped=True),
    ClientName.CODEX: Shape(events=_ALL, grouped=True),
    ClientName.CURSOR: Shape(
        events={"sessionStart": "session-start", "preCompact": "pre-compact", "stop": "stop"}, typed=False, version=1
    ),
    # the format of its transcripts is not documented, so that only the brief can be given
    ClientName.VSCODE: Shape(events={"SessionStart": "session-start"}),
}


def hook_command(command: Sequence[str], event: str, vault: str, *, system: System) -> str:
    """Return the command line of a hook, as the shell of that system takes it.

    >>> hook_command(["/opt/mnemex"], "stop", "/My notes", system=System.LINUX)
    "/opt/mnemex hook stop --vault '/My notes'"
    """
    words = [*command, "hook", event, "--vault", vault]
    return subprocess.list2cmdline(words) if system is System.WINDOWS else shlex.join(words)


def with_hooks(client: ClientName, text: str, command: Sequence[str], vault: str, *, system: System) -> str:
    """Return a client's file with our hooks in place of earlier ones; hooks of others stay."""
    shape = SHAPES[client]
    if shape.version is not None and jsonc.value_at(text, ["version"]) is None:
        text = jsonc.put(text, ["version"], shape.version)
    for event, name in shape.events.items():
        line = hook_command(command, name, vault, system=system)
        if client is ClientName.CURSOR and line.startswith('"'):
            # Cursor gives the line to PowerShell, which takes a quoted program for a text
            line = f"& {line}"
        entry = shape.entry(line)
        if entry not in (jsonc.value_at(text, ["hooks", event]) or ()):
            text = jsonc.append(_without_hook(text, event, name), ["hooks", event], entry)
    return text


def without_hooks(client: ClientName, text: str) -> str:
    """Return a client's file without our hooks."""
    for event, name in SHAPES[client].events.items():
        text = _without_hook(text, event, name)
    return text


def _without_hook(text: str, event: str, name: str) -> str:
    entries = jsonc.value_at(text, ["hooks", event])
    for entry in entries if isinstance(entries, list) else []:
        if _is_ours(entry, name):
            text = jsonc.discard(text, ["hooks", event], entry)
    return text


def _is_ours(entry: Any, name: str) -> bool:
    """Tell whether an entry, or the group it is, runs nothing but our hook."""
    if not isinstance(entry, dict):
        return False
    hooks = entry.get("hooks", [entry])
    lines = [str(hook.get("command", "")) for hook in hooks or () if isinstance(hook, dict)]
    return bool(lines) and all("mnemex" in line and f" hook {name} --vault " in line for line in lines)
