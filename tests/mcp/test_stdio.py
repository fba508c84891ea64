"""The real server in a process of its own, driven over its pipes."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from mnemex_vault.notes.note import Note
from tests.mcp.talking import structured, text_of
from tests.waiting import wait_until

ROOT = Path(__file__).parents[2]
SERVE = "import sys; from mnemex_vault.mcp.server import main; main(sys.argv[1])"
Call = Callable[..., Awaitable[dict[str, Any]]]


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    return {
        "MNEMEX_STATE_PATH": str(tmp_path / "state"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "MNEMEX_TIMEZONE": "UTC",
        "MNEMEX_QUIET_SECONDS": "1",
    }


def empty_folder(parent: Path) -> Path:
    root = parent / "vault"
    root.mkdir()
    return root


def folder_with_spaces_and_accents(parent: Path) -> Path:
    root = parent / "Zoë’s  nötes & more"
    root.mkdir()
    return root


def copy_of_the_sample(parent: Path) -> Path:
    return Path(shutil.copytree(ROOT / "sample-vault", parent / "sample"))


@asynccontextmanager
async def connected(root: Path, surroundings: dict[str, str], log: TextIO) -> AsyncIterator[Call]:
    parameters = StdioServerParameters(command=sys.executable, args=["-c", SERVE, str(root)], env=surroundings)
    async with Client(stdio_client(parameters, errlog=log)) as client:

        async def call(tool: str, **arguments: object) -> dict[str, Any]:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, text_of(result)
            return structured(result)

        yield call


async def within(seconds: float, is_true: Callable[[], Awaitable[bool]]) -> None:
    with anyio.fail_after(seconds):
        while not await is_true():
            await anyio.sleep(0.02)


def frontmatter(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("---\n")[1]


@pytest.mark.parametrize("make", [empty_folder, folder_with_spaces_and_accents, copy_of_the_sample])
def test_a_memory_lives_with_its_note(
    tmp_path: Path, surroundings: dict[str, str], make: Callable[[Path], Path]
) -> None:
    with (tmp_path / "log").open("w", encoding="utf-8") as log:
        anyio.run(live, make(tmp_path), surroundings, log)


async def live(root: Path, surroundings: dict[str, str], log: TextIO) -> None:
    async with connected(root, surroundings, log) as call:
        saved = await call(
            "save_memory",
            content="The aqueduct of Quillfeather carries forty litres.",
            title="Quillfeather aqueduct",
            tags=["water"],
            session="old works",
        )
        note = root / saved["path"]
        assert note.relative_to(root).as_posix() == "Memories/Short-term/Quillfeather aqueduct.md"
        reads_like_the_note_format(note, saved)
        friend = root / "Waterworks.md"
        friend.write_text("See [[Quillfeather aqueduct]].\n", encoding="utf-8")

        async def finds(query: str) -> list[str]:
            return [item["id"] for item in (await call("search_memory", query=query))["results"]]

        memory_id = saved["memory_id"]
        assert await finds("quillfeather") == [memory_id]

        edited = note.read_text(encoding="utf-8").replace("forty litres", "sixty buckets")
        note.write_text(edited, encoding="utf-8")
        await within(1, partial(is_found, finds, "buckets", memory_id))
        assert memory_id not in await finds("litres")

        await touched(call, note, memory_id)
        await promoted_by_hand(call, root, note, memory_id, friend)
        (root / "Memories/Long-term" / note.name).unlink()
        await within(1, partial(is_gone, finds, "quillfeather", memory_id))
        assert (await call("open_memories", memory_ids=[memory_id]))["not_found"] == [memory_id]


def reads_like_the_note_format(note: Path, saved: dict[str, Any]) -> None:
    text = note.read_text(encoding="utf-8")
    keys = [line.split(":")[0] for line in frontmatter(note).splitlines() if not line.startswith(" ")]
    assert [key for key in keys if key != "entities"] == [
        "tags", "origin", "pinned", "fades_on", "created", "last_used", "use_count", "strength", "session", "memory_id",
    ]  # fmt: skip
    assert text.endswith("---\nThe aqueduct of Quillfeather carries forty litres.\n")
    assert Note.parse("x.md", note.read_bytes()).values["memory_id"] == saved["memory_id"]
    assert "session: old works" in text


async def is_found(finds: Callable[[str], Awaitable[list[str]]], query: str, memory_id: str) -> bool:
    return memory_id in await finds(query)


async def is_gone(finds: Callable[[str], Awaitable[list[str]]], query: str, memory_id: str) -> bool:
    return memory_id not in await finds(query)


async def touched(call: Call, note: Path, memory_id: str) -> None:
    """The answer has the new score at once; the note has the use soon after the quiet time, in our lines only."""
    before = note.read_text(encoding="utf-8")
    answer = await call("touch_memory", memory_id=memory_id)
    assert answer["use_count"] == 2
    assert answer["new_score"] > answer["old_score"]

    async def is_written() -> bool:
        return "use_count: 2" in note.read_text(encoding="utf-8")

    await within(1 + 2 + 1, is_written)
    after = note.read_text(encoding="utf-8")
    changed = {line.split(":")[0] for line in set(before.splitlines()) ^ set(after.splitlines())}
    assert changed <= {"use_count", "last_used", "fades_on"}


async def promoted_by_hand(call: Call, root: Path, note: Path, memory_id: str, friend: Path) -> None:
    (root / "Memories/Long-term").mkdir(parents=True, exist_ok=True)
    note.rename(root / "Memories/Long-term" / note.name)

    async def is_promoted() -> bool:
        opened = (await call("open_memories", memory_ids=[memory_id]))["memories"]
        return [(note["tier"], note["status"]) for note in opened] == [("long-term", "promoted")]

    await within(1, is_promoted)
    assert friend.read_text(encoding="utf-8") == "See [[Quillfeather aqueduct]].\n"
    assert [path.name for path in root.rglob("Quillfeather aqueduct.md")] == [note.name]


class Pipe:
    """A server whose pipes are in our hands."""

    def __init__(self, root: Path, surroundings: dict[str, str], *, code: str = SERVE) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, str(root)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, **surroundings, "PYTHONWARNINGS": "always"},
        )
        assert self.process.stdin
        assert self.process.stdout
        self.stdin, self.stdout = self.process.stdin, self.process.stdout
        self._last = 0

    def send(self, line: bytes) -> None:
        self.stdin.write(line + b"\n")
        self.stdin.flush()

    def request(self, method: str, **parameters: object) -> None:
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": parameters}
        self.send(json.dumps(message).encode())

    def answer(self) -> dict[str, Any]:
        """Give the next line, which is JSON-RPC and nothing else."""
        line = self.stdout.readline()
        assert line, self.process.communicate()[1].decode()
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        assert isinstance(message, dict)
        return message

    def greet(self, version: str = "2025-06-18") -> dict[str, Any]:
        client = {"name": "test", "version": "1"}
        self.request("initialize", protocolVersion=version, capabilities={}, clientInfo=client)
        greeting = self.answer()
        self.send(b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
        return greeting

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        self.request("tools/call", name=tool, arguments=arguments)
        result = self.answer()["result"]
        assert isinstance(result, dict)
        return result

    def end(self) -> tuple[int, str]:
        """Give the exit code and the log; fail unless the process ended within two seconds."""
        code = self.process.wait(timeout=2)
        assert self.stdout.read() == b""
        assert self.process.stderr
        return code, self.process.stderr.read().decode()


@pytest.fixture
def pipe(tmp_path: Path, surroundings: dict[str, str]) -> Iterator[Pipe]:
    pipe = Pipe(empty_folder(tmp_path), surroundings)
    yield pipe
    dispose(pipe)


def dispose(pipe: Pipe) -> None:
    pipe.process.kill()
    pipe.process.wait()
    for stream in (pipe.stdin, pipe.stdout, pipe.process.stderr):
        if stream and not stream.closed:
            # what could not be sent any more
            try:
                stream.close()
            except BrokenPipeError:
                continue


def test_it_introduces_itself_with_when_to_save_and_recall(pipe: Pipe) -> None:
    result = pipe.greet()["result"]
    assert result["serverInfo"]["name"] == "mnemex-vault"
    assert "search_memory" in result["instructions"]
    assert result["capabilities"]["tools"] is not None


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_clients_of_every_protocol_version_are_served(pipe: Pipe, version: str) -> None:
    assert pipe.greet(version)["result"]["protocolVersion"] == version
    pipe.request("tools/list")
    assert "save_memory" in {tool["name"] for tool in pipe.answer()["result"]["tools"]}
    assert not pipe.call("save_memory", content="Old clients remember too.")["isError"]


@pytest.mark.row("T34")
def test_it_ends_when_the_client_closes_its_input(pipe: Pipe) -> None:
    pipe.greet()
    pipe.call("save_memory", content="Saved before the end.")
    pipe.stdin.close()
    code, log = pipe.end()
    assert code == 0
    assert "Traceback" not in log
    assert "Fatal" not in log


@pytest.mark.row("A10")
def test_it_ends_on_sigterm_while_its_input_is_open(pipe: Pipe) -> None:
    pipe.greet()
    pipe.process.send_signal(signal.SIGTERM)
    code, log = pipe.end()
    assert code == 0
    assert "Traceback" not in log
    assert "Fatal" not in log


@pytest.mark.row("A10", "A11", "T34")
@pytest.mark.parametrize("how", ["sigterm", "eof"])
def test_a_call_under_way_is_finished_or_not_begun(
    pipe: Pipe, tmp_path: Path, surroundings: dict[str, str], how: str
) -> None:
    pipe.greet()
    for number in range(30):
        pipe.request(
            "tools/call", name="save_memory", arguments={"content": f"Fact {number}. " + "word " * 500 + "end"}
        )
    pipe.answer()
    if how == "eof":
        pipe.stdin.close()
    else:
        pipe.process.send_signal(signal.SIGTERM)
    # two seconds are promised; thirty calls at once on a busy machine of two cores are late
    pipe.process.wait(timeout=4)
    notes = list((tmp_path / "vault").rglob("*.md"))
    assert notes
    for note in notes:
        assert note.read_text(encoding="utf-8").endswith("word end\n")
    left = [path for path in (tmp_path / "vault").rglob("*") if path.is_file() and path not in notes]
    assert not left


def test_a_client_that_stops_reading_ends_it_without_a_traceback(pipe: Pipe) -> None:
    pipe.greet()
    pipe.stdout.close()
    pipe.request("ping")
    pipe.request("ping")
    wait_until(lambda: pipe.process.poll() is not None, seconds=3)
    assert pipe.process.stderr
    assert "Traceback" not in pipe.process.stderr.read().decode()


@pytest.mark.row("T33")
def test_nothing_but_the_protocol_reaches_stdout(tmp_path: Path, surroundings: dict[str, str]) -> None:
    chatty = (
        "import sys, os, threading, warnings\n"
        "import mnemex_vault.mcp.server as server, mnemex_vault.mcp.session as session\n"
        "current = session.SessionName.current\n"
        "def noisy(self, **times):\n"
        "    print('printed in a call'); os.write(1, b'written to the descriptor\\n'); os.system('echo from a child')\n"
        "    warnings.warn('warned'); sys.stdout.flush()\n"
        "    return current(self, **times)\n"
        "session.SessionName.current = noisy\n"
        "sys.meta_path.insert(0, type('Noise', (), {'find_spec': lambda *_: print('imported')})())\n"
        "server.main(sys.argv[1])\n"
    )
    pipe = Pipe(empty_folder(tmp_path), surroundings, code=chatty)
    try:
        pipe.greet()
        assert not pipe.call("save_memory", content="Saved among noise.")["isError"]
        pipe.stdin.close()
        _, log = pipe.end()
        for noise in ("imported", "printed in a call", "written to the descriptor", "from a child", "warned"):
            assert noise in log
    finally:
        dispose(pipe)


@pytest.mark.parametrize(
    "line",
    [
        b"garbage",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"jsonrpc":"2.0","id":7}',
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":8,"method":"no/such/method"}',
    ],
    ids=["text", "truncated", "batch", "no-utf8", "no-method", "deep", "unknown-method"],
)
def test_a_broken_message_does_not_end_it(pipe: Pipe, line: bytes) -> None:
    pipe.greet()
    pipe.send(line)
    pipe.request("ping")
    answers = [pipe.answer()]
    while answers[-1].get("id") != 2:
        answers.append(pipe.answer())
    assert answers[-1]["result"] == {}


def test_numbers_that_json_does_not_have_are_refused(pipe: Pipe, tmp_path: Path) -> None:
    pipe.greet()
    for name in (b"strength", b"half_life_days"):
        for number in (b"NaN", b"Infinity", b"-Infinity", b"1e999"):
            arguments = b'{"content":"x","' + name + b'":' + number + b"}"
            pipe.send(
                b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"save_memory","arguments":'
                + arguments
                + b"}}"
            )
            answer = pipe.answer()
            assert "error" in answer or answer["result"]["isError"], number
    assert not list((tmp_path / "vault").rglob("*"))


def test_half_characters_are_refused(pipe: Pipe, tmp_path: Path) -> None:
    pipe.greet()
    pipe.send(
        b'{"jsonrpc":"2.0","id":9,"method":"tools/call",'
        b'"params":{"name":"save_memory","arguments":{"content":"\\ud800 half"}}}'
    )
    pipe.request("ping")
    answer = pipe.answer()
    assert "error" in answer or answer["result"] == {} or answer["result"]["isError"]
    assert not list((tmp_path / "vault").rglob("*"))


@pytest.mark.parametrize("kind", ["missing", "file"])
def test_a_vault_that_is_none_is_told_by_the_tools(tmp_path: Path, surroundings: dict[str, str], kind: str) -> None:
    root = tmp_path / "no vault"
    if kind == "file":
        root.write_text("a file", encoding="utf-8")
    pipe = Pipe(root, surroundings)
    try:
        pipe.greet()
        result = pipe.call("search_memory", query="x")
        assert result["isError"]
        assert "cannot be used now" in result["content"][0]["text"]
        assert kind == "file" or not root.exists()
    finally:
        dispose(pipe)


def test_it_answers_before_a_large_vault_is_indexed(tmp_path: Path, surroundings: dict[str, str]) -> None:
    root = empty_folder(tmp_path)
    for number in range(1_500):
        (root / f"Note {number}.md").write_text(f"# Note {number}\n" + "many words here " * 40, encoding="utf-8")
    start = time.monotonic()
    pipe = Pipe(root, surroundings)
    try:
        pipe.greet()
        greeted = time.monotonic() - start
        found = pipe.call("search_unified", query="note 1499", limit=1)
        searched = time.monotonic() - start
        assert found["structuredContent"]["results"][0]["title"] == "Note 1499"
        assert greeted < searched
    finally:
        dispose(pipe)
