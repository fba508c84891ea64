from __future__ import annotations

import pytest

from mnemex_vault.clients.places import ClientName, Machine, places

LINUX = Machine.of("linux", "/home/zoe", {})
MACOS = Machine.of("darwin", "/Users/zoe", {})
WINDOWS = Machine.of("win32", r"C:\Users\Zoe", {"APPDATA": r"D:\Roaming"})


@pytest.mark.parametrize(
    ("client", "linux", "macos", "windows"),
    [
        (
            ClientName.CLAUDE_DESKTOP,
            "/home/zoe/.config/Claude/claude_desktop_config.json",
            "/Users/zoe/Library/Application Support/Claude/claude_desktop_config.json",
            r"D:\Roaming\Claude\claude_desktop_config.json",
        ),
        (ClientName.CLAUDE_CODE, "/home/zoe/.claude.json", "/Users/zoe/.claude.json", r"C:\Users\Zoe\.claude.json"),
        (ClientName.CURSOR, "/home/zoe/.cursor/mcp.json", "/Users/zoe/.cursor/mcp.json", r"C:\Users\Zoe\.cursor\mcp.json"),
        (
            ClientName.VSCODE,
            "/home/zoe/.config/Code/User/mcp.json",
            "/Users/zoe/Library/Application Support/Code/User/mcp.json",
            r"D:\Roaming\Code\User\mcp.json",
        ),
        (
            ClientName.WINDSURF,
            "/home/zoe/.codeium/windsurf/mcp_config.json",
            "/Users/zoe/.codeium/windsurf/mcp_config.json",
            r"C:\Users\Zoe\.codeium\windsurf\mcp_config.json",
        ),
        (
            ClientName.CODEX,
            "/home/zoe/.codex/config.toml",
            "/Users/zoe/.codex/config.toml",
            r"C:\Users\Zoe\.codex\config.toml",
        ),
        (
            ClientName.ZED,
            "/home/zoe/.config/zed/settings.json",
            "/Users/zoe/.config/zed/settings.json",
            r"D:\Roaming\Zed\settings.json",
        ),
    ],
)  # fmt: skip
def test_each_client_has_its_place_on_each_system(client: ClientName, linux: str, macos: str, windows: str) -> None:
    assert [str(places(client, machine).servers) for machine in (LINUX, MACOS, WINDOWS)] == [linux, macos, windows]


def test_variables_that_move_a_place_are_followed_if_they_are_absolute() -> None:
    moved = Machine.of("linux", "/home/zoe", {"CODEX_HOME": "/srv/codex", "XDG_CONFIG_HOME": "relative"})
    assert str(places(ClientName.CODEX, moved).servers) == "/srv/codex/config.toml"
    assert str(places(ClientName.ZED, moved).servers) == "/home/zoe/.config/zed/settings.json"
