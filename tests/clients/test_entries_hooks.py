from __future__ import annotations

import json

import pytest

from mnemex_vault.clients.entries import SHAPES, with_hooks, without_hooks
from mnemex_vault.clients.places import ClientName, System

OLD = ["/old/mnemex"]
NEW = ["/new/mnemex"]


@pytest.mark.parametrize("client", SHAPES)
@pytest.mark.parametrize("text", ["", '{"hooks": {}}', '{\n  // mine\n  "hooks": {"Other": [{"command": "x"}]},\n}\n'])
def test_hooks_are_replaced_and_taken_out_and_those_of_others_stay(client: ClientName, text: str) -> None:
    first = with_hooks(client, text, OLD, "/My notes", system=System.LINUX)
    second = with_hooks(client, first, NEW, "/My notes", system=System.LINUX)
    assert "/old/" not in second
    assert second.count("/new/mnemex hook") == len(SHAPES[client].events)
    assert with_hooks(client, second, NEW, "/My notes", system=System.LINUX) == second
    left = without_hooks(client, second)
    assert "mnemex" not in left
    assert ('"Other": [{"command": "x"}]' in left) == ("Other" in text)
    assert ("// mine" in left) == ("// mine" in text)


@pytest.mark.parametrize(
    ("client", "start"),
    [(ClientName.CURSOR, '& "C:\\A b\\mnemex.exe" hook'), (ClientName.CODEX, '"C:\\A b\\mnemex.exe" hook')],
)
def test_powershell_is_told_to_run_a_quoted_program(client: ClientName, start: str) -> None:
    text = with_hooks(client, "", [r"C:\A b\mnemex.exe"], r"C:\V", system=System.WINDOWS)
    event = next(iter(SHAPES[client].events))
    entry = json.loads(text)["hooks"][event][0]
    line = entry.get("command") or entry["hooks"][0]["command"]
    assert line.startswith(start)
