"""A key in any argument of any tool that writes: refused with kind and place, and nowhere to be found afterwards."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.memories.draft import Draft
from tests.mcp.talking import SettableClock, Talk, structured, text_of
from tests.system.astray import needed, texts_of

TOKEN = "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
# what is asked is written nowhere
ASKING = {"query", "message"}


@pytest.fixture
def full_app(vault: Path, environ: dict[str, str], clock: SettableClock) -> Iterator[App]:
    with open_app(vault, environ={**environ, "MNEMEX_TOOLS": "full"}, clock=clock) as app:
        yield app


def arguments_with(talk: Talk, memory_id: str, text: str) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield tool, argument and a call in which this argument alone holds the text."""
    for tool in talk.listing():
        for name, wrap in texts_of(tool.input_schema):
            yield tool.name, name, needed(tool.input_schema, memory_id) | {name: wrap(text)}


def files_with(folder: Path, text: str) -> list[Path]:
    return [
        path
        for path in folder.rglob("*")
        if text in path.name or (path.is_file() and text.encode() in path.read_bytes())
    ]


@pytest.mark.row("J6", "S17", "S19")
@pytest.mark.parametrize(
    ("secret", "kind"), [(TOKEN, "GitHub token"), ("the password is tr0ub4dor&3x", "password or key")]
)
def test_no_argument_of_a_tool_lets_a_secret_through(
    full_app: App, tmp_path: Path, caplog: pytest.LogCaptureFixture, secret: str, kind: str
) -> None:
    caplog.set_level(logging.DEBUG)
    talk = Talk(full_app)
    memory_id = full_app.collection.save(Draft(content="The tea is green.")).memory.id
    tried = set()
    word = secret.rpartition(" ")[2]
    for tool, name, call in arguments_with(talk, memory_id, f"Tea. {secret}"):
        result = talk.raw(tool, **call)
        if name in ASKING:
            continue
        tried.add((tool, name))
        said = text_of(result)
        assert result.is_error, (tool, name, said)
        assert f"{name}: holds what looks like a secret: {kind} in line 1, column" in said, (tool, name, said)
        assert word not in said, (tool, name)
        assert ("allow_secret=true" in said) == (tool in ("save_memory", "update_memory"))
    assert len(tried) > 30
    assert {("forget_memory", "reason"), ("create_relation", "metadata"), ("save_memory", "session")} <= tried
    full_app.store.text.flush()
    full_app.close()
    assert files_with(tmp_path, word) == []
    assert word not in caplog.text


def test_a_secret_that_the_user_insists_on_is_kept_and_a_setting_switches_the_search_off(
    full_app: App, vault: Path, environ: dict[str, str], clock: SettableClock
) -> None:
    talk = Talk(full_app)
    kept = talk.call("save_memory", content=f"The token is {TOKEN}.", source=TOKEN, allow_secret=True)
    talk.call("update_memory", memory_id=kept["memory_id"], context=TOKEN, allow_secret=True)
    assert TOKEN in (vault / kept["path"]).read_text(encoding="utf-8")
    with open_app(vault, environ={**environ, "MNEMEX_DETECT_SECRETS": "false"}, clock=clock) as app:
        answer = structured(Talk(app).raw("forget_memory", memory_id=kept["memory_id"], reason=TOKEN))
    assert answer["path"].startswith("Memories/Archive")


def test_a_secret_that_is_looked_for_is_looked_for(full_app: App) -> None:
    full_app.collection.save(Draft(content=f"The token is {TOKEN}.", allow_secret=True))
    assert Talk(full_app).call("search_memory", query=TOKEN)["count"] == 1


def test_a_note_may_be_called_by_its_name_whatever_that_looks_like(full_app: App, vault: Path) -> None:
    (vault / "The token is abc123def.md").write_text("A plan.", encoding="utf-8")
    full_app.follow(None)
    talk = Talk(full_app)
    saved = talk.call("save_memory", content="The tea is green.")["memory_id"]
    name = "note:The token is abc123def.md"
    assert talk.call("open_memories", memory_ids=[name])["memories"][0]["content"] == "A plan."
    assert talk.call("create_relation", from_memory_id=saved, to_memory_id=name, relation_type="related")["success"]
    assert "holds what looks like a secret" in talk.refusal("touch_memory", memory_id=f"{name}.bak")
