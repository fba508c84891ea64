"""The tools that a client may use without asking each time, set in and taken out of its own file."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mnemex_vault.clients import jsonc, toml_text
from mnemex_vault.clients.places import ClientName

# what a person would have to allow in each conversation, and cannot lose anything by
ALLOWED_TOOLS = (
    "search_memory",
    "search_unified",
    "open_memories",
    "save_memory",
    "observe_memory_usage",
    "touch_memory",
)

_ZED_TOOLS = ("agent", "tool_permissions", "tools")
_ZED_ALLOWED = {"default": "allow"}
_ListEdit = Callable[[str, Sequence[str], object], str]


def with_permissions(client: ClientName, text: str, name: str) -> str:
    """Return a client's settings with the tools allowed that read and save."""
    match client:
        case ClientName.ZED:
            for tool in ALLOWED_TOOLS:
                text = jsonc.put(text, [*_ZED_TOOLS, f"mcp:{name}:{tool}"], _ZED_ALLOWED)
            return text
        case ClientName.CODEX:
            for tool in ALLOWED_TOOLS:
                text = toml_text.put_table(text, _codex_path(name, tool), {"approval_mode": "approve"})
            return text
    return _listed(jsonc.append, client, text, name)


def without_permissions(client: ClientName, text: str, name: str) -> str:
    """Return a client's settings without those permissions; another answer that a person gave stays."""
    match client:
        case ClientName.ZED:
            for tool in ALLOWED_TOOLS:
                path = [*_ZED_TOOLS, f"mcp:{name}:{tool}"]
                text = jsonc.drop(text, path) if jsonc.value_at(text, path) == _ZED_ALLOWED else text
            return text
        case ClientName.CODEX:
            # they stand in the server's own table and go with it
            return text
    return _listed(jsonc.discard, client, text, name)


def _codex_path(name: str, tool: str) -> list[str]:
    return ["mcp_servers", name, "tools", tool]


def _listed(edit: _ListEdit, client: ClientName, text: str, name: str) -> str:
    """Edit the list that Claude Code or Cursor keeps."""
    cursor = client is ClientName.CURSOR
    path = ["mcpAllowlist"] if cursor else ["permissions", "allow"]
    for tool in ALLOWED_TOOLS:
        text = edit(text, path, f"{name}:{tool}" if cursor else f"mcp__{name}__{tool}")
    return text
