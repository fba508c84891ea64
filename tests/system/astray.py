"""Every text argument of every tool, resource and command, filled with paths that lead astray.

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
from urllib.parse import quote

import anyio
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from mnemex_vault.app import App, open_app
from mnemex_vault.cli.main import main, make_commands
from mnemex_vault.mcp.vault_server import build_server
from mnemex_vault.memories.draft import Draft

BEGIN = "/mark/begin"
CORPUS = Path(__file__).parents[1] / "vectors" / "security" / "traversal.json"
# waits for a client; the name of a host is no path
NOT_RUN = {"serve"}
# what must stand beside an argument so that its command goes as far as it can
BESIDE = {
    "action": "create", "content": "A fact about {}.", "texts": "Plan", "client": "cursor", "arguments": "<vault>", "marker_size": "7",
    "base": "<home>/base.md", "ours": "<home>/ours.md", "theirs": "<home>/theirs.md",
}  # fmt: skip
ALWAYS = {"client", "content", "folder"}
FOLDERS = {"init": "<vault>", "export": "<home>/exported"}
# forms that are not found by looking at one argument
FORMS = [
    ["note", "read", "{}"], ["note", "create", "{}", "x"], ["note", "list", "--folder", "{}"], ["try", "<vault>", "{}"],
    ["note", "create", "Plan", "x", "--folder", "{}"], ["note", "create", "Plan", "x", "--tag", "{}"],
    ["update", "<id>", "--title", "{}"], ["promote", "<id>", "--folder", "{}"], ["forget", "{}", "--purge", "--yes"],
    ["backup", "init"], ["backup", "snapshot", "--message", "{}"], ["backup", "restore", "{}"],
    ["backup", "restore", "--note", "{}"], ["backup", "restore", "--at", "{}", "--note", "{}"], ["backup", "{}"],
]  # fmt: skip


def forms() -> list[list[str]]:
    """Return a command line for every text argument of every command, `{}` in its place."""
    found = [
        form
        for name, command in make_commands().commands.items()
        if name not in NOT_RUN | {"try"}
        for form in _forms_of(name, command.params)
    ]
    # what is set in the vault holds for all that comes after it
    return sorted([*found, *FORMS], key=lambda form: form[0] == "init")


def _forms_of(name: str, parameters: list[Any]) -> Iterator[list[str]]:
    places = [each for each in parameters if each.param_type_name == "argument"]
    yes = ["--yes"] if name == "init" else []
    for chosen in parameters:
        if chosen.type_descriptor.annotation not in (str, list[str]):
            continue
        last = places.index(chosen) if chosen in places else -1
        beside = [each for at, each in enumerate(places) if at <= last or each.required or each.name in ALWAYS]
        line = ["{}" if each is chosen else _beside(name, each.name) for each in beside]
        yield [name, *line, *([] if chosen in places else [chosen.opts[0], "{}"]), *yes]


def _beside(command: str, argument: str) -> str:
    return FOLDERS.get(command, "<id>") if argument == "folder" else BESIDE.get(argument, "<id>")


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
        for text in texts:
            for name in (quote(text, safe=""), text):
                with contextlib.suppress(MCPError, ValueError):
                    await client.read_resource(f"memory://{name}")
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
    home = Path.home()
    if not home.is_relative_to(vault.parent):
        raise RuntimeError("commands that write a person's configuration need a home of their own")
    meant = {"<id>": memory_id, "<vault>": str(vault), "<home>": str(home)}
    for name in ("base.md", "ours.md", "theirs.md"):
        (home / name).write_text("---\nuse_count: 1\n---\nText.\n", encoding="utf-8")
    for number, form in enumerate(forms()):
        for text in texts[number % stride :: stride] if "{}" in " ".join(form) else texts[:1]:
            words = [_put(word, {**meant, "{}": text}) for word in form]
            quiet = io.StringIO()
            with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet), contextlib.suppress(SystemExit):
                main([*words, "--vault", str(vault)])
            calls += 1
    return calls


def _put(word: str, meant: dict[str, str]) -> str:
    for sign, value in meant.items():
        word = word.replace(sign, value)
    return word


def run(vault: Path, outside: Path) -> None:
    texts = payloads(outside)
    with open_app(vault, options={"tools": "full"}) as app:
        # what is loaded once, at the first use, is no business of the trace
        anyio.run(call_tools, app, texts[:1])
        memory_id = live_id(app)
        call_commands(vault, memory_id, texts[:1])
        with contextlib.suppress(OSError):
            Path(BEGIN).stat()
        storms = "--storms" in sys.argv
        tools = anyio.run(call_tools, app, texts, 1 if storms else 4)
    commands = call_commands(vault, memory_id, texts, 1 if storms else 12)
    sys.stdout.write(f"{tools} {commands}\n")


if __name__ == "__main__":
    run(Path(sys.argv[1]), Path(sys.argv[2]))
