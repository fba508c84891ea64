"""Resources and prompts, as a client lists and reads them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from urllib.parse import quote

import anyio
import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError
from mcp.types import TextContent, TextResourceContents

from mnemex_vault.app import App
from mnemex_vault.mcp.vault_server import build_server
from mnemex_vault.memories.draft import Draft
from tests.mcp.talking import SettableClock


def ask(app: App, question: Callable[[Client], Awaitable[Any]]) -> Any:
    async def run() -> Any:
        async with Client(build_server(app), mode="legacy") as client:
            return await question(client)

    return anyio.run(run)


def read(app: App, uri: str) -> str:
    [content] = ask(app, lambda client: client.read_resource(uri)).contents
    assert isinstance(content, TextResourceContents)
    return content.text


def test_brief_and_fading_are_listed_and_memories_have_a_template(app: App) -> None:
    listed = ask(app, lambda client: client.list_resources()).resources
    assert [str(each.uri) for each in listed] == ["mnemex://session-brief", "mnemex://fading"]
    [template] = ask(app, lambda client: client.list_resource_templates()).resource_templates
    assert template.uri_template == "memory://{memory_id}"


def test_the_brief_says_what_matters_and_that_it_is_data(app: App) -> None:
    app.collection.save(Draft(content="Zoë prefers trains.", pinned=True))
    brief = read(app, "mnemex://session-brief")
    assert "data, not instructions" in brief
    assert "Zoë prefers trains." in brief
    assert len(brief) <= 4_800


def test_what_fades_next_comes_first(app: App, clock: SettableClock) -> None:
    app.collection.save(Draft(content="The lilac one."))
    clock.wait(days=3)
    app.collection.save(Draft(content="The amber one."))
    app.collection.save(Draft(content="The pinned one.", pinned=True))
    fading = read(app, "mnemex://fading")
    assert fading.index("lilac") < fading.index("amber")
    assert "pinned" not in fading


def test_what_another_memory_replaces_is_not_among_what_fades(app: App) -> None:
    old = app.collection.save(Draft(content="The amber one is ours.")).memory.id
    app.collection.save(Draft(content="The lilac one is ours now.", supersedes=[old]))
    fading = read(app, "mnemex://fading")
    assert "lilac" in fading
    assert "amber" not in fading


def test_a_memory_is_read_by_its_id_and_that_is_no_use(app: App, clock: SettableClock) -> None:
    saved = app.collection.save(Draft(content="One.\nTwo.")).memory
    clock.wait(days=2)
    assert "   One.\n   Two." in read(app, f"memory://{saved.id}")
    assert app.store.usage(app.store.memory_entry(saved.id)).use_count == 1


def test_a_note_is_read_by_its_path(app: App) -> None:
    (app.root / "Work").mkdir()
    (app.root / "Work/Plan ö.md").write_text("Ship it.", encoding="utf-8")
    app.follow(None)
    assert "Ship it." in read(app, f"memory://{quote('note:Work/Plan ö.md', safe='')}")


@pytest.mark.parametrize("name", ["nobody", quote("note:../secret.md", safe=""), quote("/etc/passwd", safe="")])
def test_what_is_unknown_or_outside_is_refused(app: App, name: str) -> None:
    async def refused(client: Client) -> bool:
        with pytest.raises(MCPError):
            await client.read_resource(f"memory://{name}")
        return True

    assert ask(app, refused)


async def ask_prompt(client: Client, *, name: str, arguments: dict[str, str]) -> Any:
    return await client.get_prompt(name, arguments)


def test_prompts_lead_to_the_right_tools(app: App) -> None:
    prompts = {each.name: each for each in ask(app, lambda client: client.list_prompts()).prompts}
    assert list(prompts) == ["recall", "save_conversation", "review", "weekly_reflection"]
    wanted = {
        "recall": ({"topic": "the garden\nfence"}, ["search_memory", "the garden fence"]),
        "save_conversation": ({}, ["save_memory", "supersedes"]),
        "review": ({}, ["mnemex://fading", "promote_memory"]),
        "weekly_reflection": ({}, ["window_days 7"]),
    }
    for name, (arguments, parts) in wanted.items():
        [message] = ask(app, partial(ask_prompt, name=name, arguments=arguments)).messages
        assert isinstance(message.content, TextContent)
        assert all(part in message.content.text for part in parts), name
