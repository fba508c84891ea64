from __future__ import annotations

import pytest

from mnemex_vault.clients.toml_text import drop_table, parse, put_table
from mnemex_vault.errors import ConfigError

PATH = ["mcp_servers", "mnemex"]
STARTED = {"command": r"C:\Tools\mnemex.exe", "args": ["serve", "--vault", 'C:\\Zoë\'s "notes"']}
KEPT = """# mine
model = "gpt" # the best

[mcp_servers.other]
command = "npx"

# about the profile
[profiles.fast]
model = "small"
"""


@pytest.mark.parametrize("text", ["", KEPT, KEPT.replace("\n", "\r\n"), 'model = "x"'])
def test_a_table_is_added_and_taken_out_again(text: str) -> None:
    changed = put_table(text, PATH, STARTED)
    assert changed.startswith(text)
    assert parse(changed)["mcp_servers"]["mnemex"] == STARTED
    assert drop_table(changed, PATH).rstrip("\r\n") == text.rstrip("\r\n")
    assert drop_table(text, PATH) == text


def test_a_table_is_replaced_where_it_is_and_other_keys_stay() -> None:
    text = KEPT.replace(
        "# about", '[mcp_servers.mnemex]\ncommand = "old" \n# slow disk\nstartup_timeout_sec = 20\n'
        '[mcp_servers.mnemex.env]\nMNEMEX_TOOLS = "full"\n\n# about'
    )  # fmt: skip
    changed = put_table(text, PATH, STARTED)
    assert parse(changed)["mcp_servers"]["mnemex"] == {
        **STARTED, "startup_timeout_sec": 20, "env": {"MNEMEX_TOOLS": "full"}
    }  # fmt: skip
    assert "# slow disk\n" in changed
    assert changed.endswith('\n\n# about the profile\n[profiles.fast]\nmodel = "small"\n')
    assert drop_table(changed, PATH) == KEPT.replace("# about", "\n# about", 1)


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { mnemex = { command = "x" } }\n',
        '[mcp_servers]\nmnemex = { command = "x" } # mine\n',
        '[mcp_servers.mnemex]\ncommand = """\nx"""\n',
        '[mcp_servers.mnemex]\ncommand = "x"\nargs = [\n  "a", # first\n]\n\n# about\n[b]\n',
    ],
)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_table_is_changed_however_a_person_wrote_it(text: str, newline: str) -> None:
    text = text.replace("\n", newline)
    changed = put_table(text, PATH, STARTED)
    assert parse(changed)["mcp_servers"]["mnemex"] == STARTED
    assert changed.count("\n") == changed.count(newline)
    assert changed.count("#") >= text.count("#") - text.count("first")
    assert put_table(changed, PATH, STARTED) == changed


@pytest.mark.parametrize("text", ["model = \n", '[[mcp_servers]]\nname = "x"\n'])
def test_what_cannot_be_changed_safely_is_refused(text: str) -> None:
    with pytest.raises(ConfigError):
        put_table(text, PATH, STARTED)


def test_a_table_below_a_server_stands_with_it() -> None:
    text = put_table(KEPT.replace("# about", '[mcp_servers.mnemex]\ncommand = "m"\n\n# about'), PATH, STARTED)
    below = put_table(put_table(text, [*PATH, "tools", "a"], {"mode": "x"}), [*PATH, "tools", "b"], {"mode": "y"})
    assert parse(below)["mcp_servers"]["mnemex"] == {**STARTED, "tools": {"a": {"mode": "x"}, "b": {"mode": "y"}}}
    assert below.index("[mcp_servers.mnemex.tools.b]") < below.index("# about")
    assert put_table(below, PATH, STARTED) == below
    assert put_table(below, [*PATH, "tools", "a"], {"mode": "x"}) == below
    assert "mnemex" not in drop_table(below, PATH)
