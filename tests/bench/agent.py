"""Replays the written dialogues against a chat endpoint of your choice and prints how well it saves, recalls, observes.

    python tests/bench/agent.py --url http://localhost:11434/v1 --model some-model [--rules short|full|none]

The endpoint speaks the OpenAI chat API with tools; a key is read from the variable AGENT_API_KEY. Every dialogue has a
vault of its own in a temporary folder, and its tools are the real ones. Nothing but your endpoint is called.
"""

import argparse
import asyncio
import json
import os
import tempfile
import urllib.request
from collections import Counter
from pathlib import Path
from typing import Any

from mcp.client import Client
from mcp.types import TextContent

from mnemex_vault.app import open_app
from mnemex_vault.clients.connecting import FULL, SHORT
from mnemex_vault.mcp.vault_server import INSTRUCTIONS, build_server
from mnemex_vault.memories.draft import Draft

DIALOGUES = json.loads((Path(__file__).parents[1] / "vectors/dialogues.json").read_text("utf-8"))["dialogues"]
RULES = {"short": SHORT, "full": FULL, "none": ""}
ROUNDS = 6
SECONDS = 120
KINDS = ("save", "recall", "observe")


def kinds_of(calls: list[dict[str, Any]]) -> set[str]:
    """Return what a list of calls amounts to."""
    found = set()
    for call in calls:
        tool, arguments = call["tool"], call["arguments"]
        found |= {"save"} if tool == "save_memory" else set()
        found |= {"recall"} if tool in ("search_memory", "search_unified") else set()
        found |= {"observe"} if tool in ("observe_memory_usage", "touch_memory") or arguments.get("used_ids") else set()
    return found


class Endpoint:
    """A chat endpoint with tools."""

    def __init__(self, url: str, model: str) -> None:
        self._url = f"{url.rstrip('/')}/chat/completions"
        self._model = model
        self._key = os.environ.get("AGENT_API_KEY", "")

    def answer(self, messages: list[dict[str, Any]], tools: list[dict[str, Any]]) -> dict[str, Any]:
        """Return the message that the model gives next."""
        body = {"model": self._model, "messages": messages, "tools": tools, "temperature": 0}
        headers = {
            "Content-Type": "application/json",
            **({"Authorization": f"Bearer {self._key}"} if self._key else {}),
        }
        request = urllib.request.Request(self._url, json.dumps(body).encode(), headers)
        with urllib.request.urlopen(request, timeout=SECONDS) as answer:
            message: dict[str, Any] = json.load(answer)["choices"][0]["message"]
        return message


async def replay(dialogue: dict[str, Any], endpoint: Endpoint, rules: str) -> list[tuple[set[str], set[str]]]:
    """Return what was wanted and what was done, for each turn."""
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        vault.mkdir()
        with open_app(vault, environ={"MNEMEX_STATE_PATH": f"{folder}/state"}) as app:
            for text in dialogue["known"].values():
                app.collection.save(Draft(content=text))
            async with Client(build_server(app)) as client:
                tools = [
                    {
                        "type": "function",
                        "function": {
                            "name": tool.name,
                            "description": tool.description,
                            "parameters": tool.input_schema,
                        },
                    }
                    for tool in (await client.list_tools()).tools
                ]
                messages: list[dict[str, Any]] = [{"role": "system", "content": f"{rules}\n\n{INSTRUCTIONS}".strip()}]
                seen = []
                for turn in dialogue["turns"]:
                    messages.append({"role": "user", "content": turn["user"]})
                    done = await one_turn(client, endpoint, messages, tools)
                    seen.append((kinds_of(turn["calls"]), kinds_of(done)))
                return seen


async def one_turn(
    client: Client, endpoint: Endpoint, messages: list[dict[str, Any]], tools: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    """Let the model answer, with as many calls as it wants, and return them."""
    done = []
    for _ in range(ROUNDS):
        message = await asyncio.to_thread(endpoint.answer, messages, tools)
        messages.append(message)
        wanted = message.get("tool_calls") or []
        if not wanted:
            break
        for call in wanted:
            name = call["function"]["name"]
            arguments = json.loads(call["function"]["arguments"] or "{}")
            done.append({"tool": name, "arguments": arguments})
            result = await client.call_tool(name, arguments)
            text = "\n".join(block.text for block in result.content if isinstance(block, TextContent))
            messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
    return done


def figures(turns: list[tuple[set[str], set[str]]], kind: str) -> str:
    counted = Counter((kind in wanted, kind in done) for wanted, done in turns)
    right, false, missed = counted[True, True], counted[False, True], counted[True, False]
    precision, recall = right / max(1, right + false), right / max(1, right + missed)
    return f"{kind:<8} precision {precision:.2f}  recall {recall:.2f}  ({right} right, {false} false, {missed} missed)"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--url", required=True, help="base of the chat API, such as http://localhost:11434/v1")
    options.add_argument("--model", required=True)
    options.add_argument("--rules", choices=RULES, default="short", help="what the person's rules say")
    given = options.parse_args()
    endpoint = Endpoint(given.url, given.model)
    turns = []
    for dialogue in DIALOGUES:
        seen = asyncio.run(replay(dialogue, endpoint, RULES[given.rules]))
        turns += seen
        wrong = [
            f"turn {number}: wanted {sorted(w)}, did {sorted(d)}" for number, (w, d) in enumerate(seen, 1) if w != d
        ]
        print(f"{'ok ' if not wrong else '-- '}{dialogue['name']}{''.join(f'{chr(10)}     {line}' for line in wrong)}")
    for kind in KINDS:
        print(figures(turns, kind))


if __name__ == "__main__":
    main()
