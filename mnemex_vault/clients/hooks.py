"""The hooks of Claude Code that run this program: at session start, before compaction, after an answer."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from typing import Any

from mnemex_vault.clients import jsonc
from mnemex_vault.clients.places import System

EVENTS = {"SessionStart": "session-start", "PreCompact": "pre-compact", "Stop": "stop"}
_SECONDS = 30


def hook_command(command: Sequence[str], event: str, vault: str, *, system: System) -> str:
    """Return the command line of a hook, as the shell of that system takes it.

    >>> hook_command(["/opt/mnemex"], "stop", "/My notes", system=System.LINUX)
    "/opt/mnemex hook stop --vault '/My notes'"
    """
    words = [*command, "hook", event, "--vault", vault]
    return subprocess.list2cmdline(words) if system is System.WINDOWS else shlex.join(words)


def with_hooks(text: str, command: Sequence[str], vault: str, *, system: System) -> str:
    """Return the settings with our hooks in place of earlier ones; hooks of others stay."""
    for event, name in EVENTS.items():
        line = hook_command(command, name, vault, system=system)
        entry = {"hooks": [{"type": "command", "command": line, "timeout": _SECONDS}]}
        if entry not in (jsonc.value_at(text, ["hooks", event]) or ()):
            text = jsonc.append(_without_hook(text, event, name), ["hooks", event], entry)
    return text


def without_hooks(text: str) -> str:
    """Return the settings without our hooks."""
    for event, name in EVENTS.items():
        text = _without_hook(text, event, name)
    return text


def _without_hook(text: str, event: str, name: str) -> str:
    entries = jsonc.value_at(text, ["hooks", event])
    for entry in entries if isinstance(entries, list) else []:
        if _is_ours(entry, name):
            text = jsonc.discard(text, ["hooks", event], entry)
    return text


def _is_ours(entry: Any, name: str) -> bool:
    """Tell whether an entry runs nothing but our hook."""
    hooks = entry.get("hooks") if isinstance(entry, dict) else None
    lines = [str(hook.get("command", "")) for hook in hooks or () if isinstance(hook, dict)]
    return bool(lines) and all("mnemex" in line and f" hook {name} --vault " in line for line in lines)
