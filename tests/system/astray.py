"""Every text argument of every tool and of the commands on memories, filled with paths that lead astray.

Run under strace by test_security.py: `python -m tests.system.astray VAULT OUTSIDE`.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
from mcp.client import Client

from mnemex_vault.app import App, open_app
from mnemex_vault.cli.main import main
from mnemex_vault.mcp.vault_server import build_server
from mnemex_vault.memories.draft import Draft

BEGIN = "/mark/begin"
CORPUS = Path(__file__).parents[1] / "vectors" / "security" / "traversal.json"
COMMANDS = [
    ["show", "{}"], ["search", "{}"], ["save", "{}"], ["save", "A fact.", "--title", "{}"], ["note", "read", "{}"],
    ["save", "Another fact.", "--project", "{}"], ["save", "A third fact.", "--tag", "{}"], ["note", "create", "{}", "x"],
    ["save", "A fourth fact.", "--supersedes", "{}"], ["save", "A fifth fact.", "--entity", "{}"], ["note", "list", "{}"],
    ["update", "{}", "New text."], ["update", "<id>", "--title", "{}"], ["touch", "{}"], ["pin", "{}"],
    ["promote", "{}"], ["promote", "<id>", "--folder", "{}"], ["demote", "{}"], ["forget", "{}"], ["restore", "{}"],
    ["relate", "{}", "<id>"], ["relate", "<id>", "{}"], ["adopt", "{}"], ["undo", "{}"], ["forget", "{}", "--purge", "--yes"],
]  # fmt: skip


def payloads(outside: Path) -> list[str]:
    found: list[str] = json.loads(CORPUS.read_text(encoding="utf-8"))["payloads"]
    return [each.replace("{outside}", str(outside)) for each in found]


def texts_of(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield each argument that takes a text or texts, with a function that puts one in its place."""
    for name, each in schema["properties"].items():
        kinds = [each, *each.get("anyOf", ())]
        if any(kind.get("type") == "string" and not {"enum", "const"} & kind.keys() for kind in kinds):
            yield name, lambda text: text
        elif any(kind.get("type") == "array" and "enum" not in kind.get("items", {}) for kind in kinds):
            yield name, lambda text: [text]
        elif any(kind.get("type") == "object" for kind in kinds):
            yield name, lambda text: {"path": text, text: "x"}


def needed(schema: dict[str, Any], memory_id: str) -> dict[str, Any]:
    """Return what a call needs at least."""
    # so that every call goes as far as it can
    given: dict[str, Any] = {"title": "Tea", "pinned": True} if "etag" in schema["properties"] else {}
    for name in schema.get("required", ()):
        each = schema["properties"][name]
        texts = memory_id if name.endswith("_id") or name.endswith("_ids") else f"A fact about {name}."
        given[name] = each["enum"][0] if "enum" in each else [texts] if each.get("type") == "array" else texts
    return given


def live_id(app: App) -> str:
    """Return the id of a short-term memory, a new one only if the last was let go."""
    return app.collection.save(Draft(content="The tea is green.", title="Tea")).memory.id


async def call_tools(app: App, texts: list[str], stride: int = 1) -> int:
    """Try every text, or every so many beginning with another one for each argument."""
    calls = arguments = 0
    async with Client(build_server(app)) as client:
        for tool in (await client.list_tools()).tools:
            for name, wrap in texts_of(tool.input_schema):
                arguments += 1
                for text in texts[arguments % stride :: stride]:
                    given = needed(tool.input_schema, live_id(app)) | {name: wrap(text)}
                    if "dry_run" in tool.input_schema["properties"]:
                        given["dry_run"] = False
                    if tool.name == "promote_memory":
                        given = {"memory_id": live_id(app), "force": True} | given
                    await client.call_tool(tool.name, given)
                    calls += 1
    return calls


def call_commands(vault: Path, memory_id: str, texts: list[str], stride: int = 1) -> int:
    calls = 0
    for number, command in enumerate(COMMANDS):
        for text in texts[number % stride :: stride]:
            words = [text if word == "{}" else memory_id if word == "<id>" else word for word in command]
            quiet = io.StringIO()
            with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet), contextlib.suppress(SystemExit):
                main([*words, "--vault", str(vault)])
            calls += 1
    return calls


def run(vault: Path, outside: Path) -> None:
    texts = payloads(outside)
    with open_app(vault, options={"tools": "full"}) as app:
        # what is loaded once, at the first use, is no business of the trace
        anyio.run(call_tools, app, texts[:1])
        memory_id = live_id(app)
        call_commands(vault, memory_id, texts[:1])
        with contextlib.suppress(OSError):
            Path(BEGIN).stat()
        full = "--full" in sys.argv
        tools = anyio.run(call_tools, app, texts, 1 if full else 4)
    commands = call_commands(vault, memory_id, texts, 1 if full else 8)
    sys.stdout.write(f"{tools} {commands}\n")


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]))
