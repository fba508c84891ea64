"""Before many notes change the person is asked, in the way of each protocol; a client that cannot ask confirms."""

from __future__ import annotations

from typing import Literal

import anyio
import pytest
from mcp.client import Client
from mcp.client.context import ClientRequestContext
from mcp.client.session import ElicitationFnT
from mcp.types import CallToolResult, ElicitRequestParams, ElicitResult, InputRequiredResult, InputResponses

from mnemex_vault.app import App
from mnemex_vault.mcp.vault_server import build_server
from mnemex_vault.memories.draft import Draft
from tests.mcp.talking import SettableClock, text_of

OLDER, NEWEST = "legacy", "2026-07-28"
MANY = {"dry_run": False, "limit": 12}
Action = Literal["accept", "decline", "cancel"]


@pytest.fixture
def faded(app: App, clock: SettableClock) -> App:
    for number in range(14):
        app.collection.save(Draft(content=f"Box {number * 7919} holds the letter {number}.", kind="none"))
    clock.wait(days=90)
    return app


def saying(action: Action, agree: bool, questions: list[str]) -> ElicitationFnT:
    async def answer(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        questions.append(params.message)
        return ElicitResult(action=action, content={"agree": agree} if action == "accept" else None)

    return answer


def tidied(app: App, mode: str, answers: ElicitationFnT | None, **arguments: object) -> CallToolResult:
    async def call() -> CallToolResult:
        async with Client(build_server(app), mode=mode, elicitation_callback=answers) as client:
            return await client.call_tool("gc", {**MANY, **arguments})

    return anyio.run(call)


@pytest.mark.parametrize("mode", [OLDER, NEWEST])
def test_a_change_of_many_notes_asks_the_person_once(faded: App, mode: str) -> None:
    questions: list[str] = []
    result = tidied(faded, mode, saying("accept", True, questions))
    assert questions == ["Archive faded memories: 12 notes would change. Go ahead?"]
    assert "12 memories below the forget level went" in text_of(result)
    assert faded.overview.status().archived == 12


@pytest.mark.parametrize("mode", [OLDER, NEWEST])
@pytest.mark.parametrize(("action", "agree"), [("accept", False), ("decline", False), ("cancel", False)])
def test_without_a_yes_nothing_changes(faded: App, mode: str, action: Action, agree: bool) -> None:
    result = tidied(faded, mode, saying(action, agree, []))
    assert result.is_error
    assert "did not agree; nothing was changed" in text_of(result)
    assert faded.overview.status().archived == 0


@pytest.mark.parametrize("mode", [OLDER, NEWEST])
def test_a_client_that_cannot_ask_is_told_to_confirm(faded: App, mode: str) -> None:
    result = tidied(faded, mode, None)
    assert result.is_error
    assert "ask the user, then call again with confirm=true" in text_of(result)
    assert faded.overview.status().archived == 0
    assert not tidied(faded, mode, None, confirm=True).is_error
    assert faded.overview.status().archived == 12


@pytest.mark.parametrize("mode", [OLDER, NEWEST])
def test_few_notes_need_no_question(faded: App, mode: str) -> None:
    questions: list[str] = []
    assert not tidied(faded, mode, saying("decline", False, questions), limit=10).is_error
    assert questions == []
    assert faded.overview.status().archived == 10


def test_a_yes_that_nobody_was_asked_for_or_to_another_question_is_none(faded: App) -> None:
    yes: InputResponses = {"agreement": ElicitResult(action="accept", content={"agree": True})}
    everything = {"dry_run": False, "limit": 14}

    async def call() -> None:
        async with Client(build_server(faded), mode=NEWEST, elicitation_callback=saying("accept", True, [])) as client:

            async def call_tool(state: str | None) -> CallToolResult | InputRequiredResult:
                return await client.session.call_tool(
                    "gc", everything, input_responses=yes, request_state=state, allow_input_required=True
                )

            asked = await call_tool(None)
            assert isinstance(asked, InputRequiredResult)
            for entry in faded.store.catalog.memories()[:2]:
                faded.lifecycle.touch(entry.memory_id or "")
            again = await call_tool(asked.request_state)
            assert isinstance(again, InputRequiredResult)
            assert faded.overview.status().archived == 0
            done = await call_tool(again.request_state)
            assert isinstance(done, CallToolResult)

    anyio.run(call)
    assert faded.overview.status().archived == 12
