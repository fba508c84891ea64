from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.clients import jsonc
from mnemex_vault.errors import ConfigError

ENTRY = {"command": "/opt/mnemex", "args": ["serve", "--vault", "/My notes"], "env": {}}
KEPT = """{
  // servers that I use
  "theme": "dark", /* really */ "size": 12,
  "mcpServers": {
    "other": { "command": "npx", "args": ["-y", "x // no comment"] }, // keep me
  },
  "list": [1, 2, 3,],
}
"""


def test_an_entry_goes_beside_the_others_and_every_other_byte_stays() -> None:
    changed = jsonc.put(KEPT, ["mcpServers", "mnemex"], ENTRY)
    head, tail = KEPT.split("// keep me\n")
    assert changed.startswith(head + '// keep me\n    "mnemex": {\n      "command": "/opt/mnemex",\n')
    assert changed.endswith("\n    },\n" + tail)
    assert jsonc.value_at(changed, ["mcpServers", "mnemex"]) == ENTRY
    assert jsonc.drop(changed, ["mcpServers", "mnemex"]) == KEPT


@pytest.mark.parametrize(
    "text",
    [
        '{"a":1}',
        '{ "a": 1, "mcpServers": {"x": {}} }',
        '{\n\t"a": 1\n}\n',
        '{\r\n  "a": 1 // one\r\n}\r\n',
        '\ufeff{\n    "a": [1, 2],\n    "mcpServers": {\n        "x": {"y": null}\n    }\n}',
        '// first\n{\n  "a": 1,\n}\n// last\n',
    ],
)
def test_taking_out_what_was_put_in_gives_the_same_bytes(text: str) -> None:
    text = text if "mcpServers" in text else jsonc.put(text, ["mcpServers", "first"], {"command": "x"})
    changed = jsonc.put(text, ["mcpServers", "mnemex"], ENTRY)
    assert jsonc.value_at(changed, ["mcpServers", "mnemex"]) == ENTRY
    assert ("\r\n" in text) == ("\r\n" in changed)
    assert jsonc.drop(changed, ["mcpServers", "mnemex"]) == text


def test_an_empty_file_becomes_an_object() -> None:
    assert json.loads(jsonc.put("", ["mcpServers", "mnemex"], ENTRY)) == {"mcpServers": {"mnemex": ENTRY}}
    assert json.loads(jsonc.put(" \n", ["a"], 1)) == {"a": 1}
    assert json.loads(jsonc.put("{}", ["a", "b"], 1)) == {"a": {"b": 1}}


def test_a_comment_in_an_empty_object_stays() -> None:
    changed = jsonc.put('{\n  "servers": {\n    // none yet\n  }\n}', ["servers", "mnemex"], 1)
    assert "// none yet" in changed
    assert jsonc.parse(changed).value == {"servers": {"mnemex": 1}}


def test_setting_the_same_value_changes_nothing() -> None:
    assert jsonc.put('{"a": { "b" : 1 }}', ["a"], {"b": 1}) == '{"a": { "b" : 1 }}'


@pytest.mark.parametrize("text", ["[", '{"a" 1}', '{"a": 1} x', "{'a': 1}", '{"a": 1 "b": 2}', "{,}", '{"a": "\n"}'])
def test_what_is_no_json_is_refused_with_its_line(text: str) -> None:
    with pytest.raises(ConfigError, match=r"line [12] is not valid JSON"):
        jsonc.put(text, ["b"], 1)


def test_a_member_that_is_no_object_is_not_overwritten() -> None:
    with pytest.raises(ConfigError, match="a is not an object"):
        jsonc.put('{"a": []}', ["a", "b"], 1)
    with pytest.raises(ConfigError, match="a is not a list"):
        jsonc.append('{"a": {}}', ["a"], 1)


def test_items_are_appended_once_and_taken_out() -> None:
    text = '{"permissions": {"allow": ["Read"]}}'
    once = jsonc.append(text, ["permissions", "allow"], "Write")
    assert jsonc.append(once, ["permissions", "allow"], "Write") == once
    assert jsonc.discard(once, ["permissions", "allow"], "Write") == text
    assert jsonc.append("{}", ["a"], 1).replace(" ", "").replace("\n", "") == '{"a":[1]}'


KEYS = st.text(min_size=1, max_size=5)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)


@given(st.dictionaries(KEYS, VALUES, max_size=4), KEYS, VALUES, st.sampled_from([None, 2, "\t"]), st.booleans())
def test_any_member_can_be_set_and_dropped(
    there: dict[str, Any], key: str, value: Any, indent: int | str | None, windows: bool
) -> None:
    text = json.dumps(there, indent=indent)
    text = text.replace("\n", "\r\n") if windows else text
    changed = jsonc.put(text, [key], value)
    assert jsonc.parse(changed).value == {**there, key: value} == json.loads(changed)
    others = {name: each for name, each in there.items() if name != key}
    dropped = jsonc.drop(changed, [key])
    assert json.loads(dropped) == others
    if key not in there and there:
        assert dropped == text
