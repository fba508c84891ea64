"""The real server over HTTP, in a process of its own: who is refused, and many clients at once."""

from __future__ import annotations

import http.client
import json
import os
import re
import signal
import socket
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import httpx2 as httpx
import pytest
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from mnemex_vault.errors import ConfigError
from mnemex_vault.mcp.http_token import keep_token, token_file

HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}


@dataclass(frozen=True)
class Served:
    process: subprocess.Popen[str]
    port: int
    token: str
    root: Path

    @property
    def headers(self) -> dict[str, str]:
        return {
            "Host": f"127.0.0.1:{self.port}",
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }

    def post(self, body: bytes | None = None, **changed: str | None) -> tuple[int, bytes]:
        headers = {**self.headers, **{name.replace("_", "-"): value for name, value in changed.items()}}
        sent = {name: value for name, value in headers.items() if value is not None}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            connection.request("POST", "/mcp", body or json.dumps(HELLO).encode(), sent)
            with connection.getresponse() as answer:
                return answer.status, answer.read()


@contextmanager
def serving(root: Path, state: Path) -> Iterator[Served]:
    environ = {**os.environ, "MNEMEX_STATE_PATH": str(state), "MNEMEX_TIMEZONE": "UTC", "XDG_CONFIG_HOME": str(state)}
    command = [sys.executable, "-m", "mnemex_vault", "serve", "--http", "--port", "0", "--vault", str(root)]
    with subprocess.Popen(command, env=environ, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stderr
        line = process.stderr.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/mcp, token in (.*)$", line)
        assert found, line
        kept = Path(found[2])
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        token = kept.read_text("ascii").strip()
        assert token not in line
        try:
            yield Served(process, int(found[1]), token, root)
        finally:
            process.kill()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("http")
    root = folder / "vault"
    root.mkdir()
    with serving(root, folder / "state") as running:
        yield running


def test_a_request_with_the_token_is_answered(served: Served) -> None:
    status, body = served.post()
    assert status == 200
    assert b"mnemex-vault" in body


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"Host": "evil.example:80"}, 421),
        ({"Host": "127.0.0.1"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Authorization": None}, 401),
        ({"Authorization": "Bearer wrong"}, 401),
        ({"Authorization": "Basic eDp5"}, 401),
    ],
)
def test_who_is_not_meant_is_refused_and_nothing_is_done(
    served: Served, changed: dict[str, str | None], status: int
) -> None:
    call = {**HELLO, "method": "tools/call", "params": {"name": "save_memory", "arguments": {"content": "x"}}}
    assert served.post(json.dumps(call).encode(), **changed)[0] == status
    assert not list(served.root.rglob("*.md"))


def test_an_origin_of_its_own_is_welcome(served: Served) -> None:
    assert served.post(Origin=f"http://localhost:{served.port}")[0] == 200


def test_a_body_of_20_megabytes_is_refused_before_it_is_read(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as connection:
        head = "".join(f"{name}: {value}\r\n" for name, value in served.headers.items())
        connection.sendall(f"POST /mcp HTTP/1.1\r\n{head}Content-Length: 20971520\r\n\r\n".encode())
        assert b" 413 " in connection.recv(4_096)


def test_a_body_without_a_length_is_cut_off_at_the_limit(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=10) as connection:
        head = "".join(f"{name}: {value}\r\n" for name, value in served.headers.items())
        connection.sendall(f"POST /mcp HTTP/1.1\r\n{head}Transfer-Encoding: chunked\r\n\r\n".encode())
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        answer = b""
        try:
            for _ in range(40):
                connection.sendall(chunk)
            answer = connection.recv(4_096)
        except ConnectionError:
            answer = b" 413 " if served.process.poll() is None else b""
        assert b" 413 " in answer
    assert served.post()[0] == 200


async def shop(served: Served, number: int) -> int:
    """Do 200 calls as one client does; return how many went wrong."""
    wrong = 0
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {served.token}"}, timeout=60) as carrier:
        address = f"http://127.0.0.1:{served.port}/mcp"
        async with Client(streamable_http_client(address, http_client=carrier)) as client:
            for turn in range(200):
                if turn % 10 == 0:
                    content = f"Client {number} keeps parcel {turn} in the shed."
                    result = await client.call_tool("save_memory", {"content": content})
                elif turn % 3:
                    result = await client.call_tool("search_memory", {"query": "parcel shed", "top_k": 3})
                else:
                    result = await client.call_tool("search_memory", {})
                wrong += bool(result.is_error)
    return wrong


def test_eight_clients_with_200_calls_each_meet_no_error(served: Served) -> None:
    wrong: list[int] = []

    async def all_at_once() -> None:
        async with anyio.create_task_group() as group:
            for number in range(8):
                group.start_soon(one, number)

    async def one(number: int) -> None:
        wrong.append(await shop(served, number))

    anyio.run(all_at_once)
    assert wrong == [0] * 8
    assert len(list(served.root.rglob("Short-term/*.md"))) == 160


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_when_told_to_even_with_a_request_that_never_ends(tmp_path: Path, number: signal.Signals) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    with serving(root, tmp_path / "state") as served:
        assert served.post()[0] == 200
        with socket.create_connection(("127.0.0.1", served.port), timeout=10) as slow:
            head = "".join(f"{name}: {value}\r\n" for name, value in served.headers.items())
            slow.sendall(f"POST /mcp HTTP/1.1\r\n{head}Content-Length: 100\r\n\r\n{{".encode())
            begun = time.monotonic()
            served.process.send_signal(number)
            served.process.wait(timeout=10)
            assert time.monotonic() - begun < 6
        assert served.process.stdout
        assert served.process.stdout.read() == ""


def test_a_token_that_others_can_read_is_refused(tmp_path: Path) -> None:
    token = keep_token(tmp_path)
    assert keep_token(tmp_path) == token
    token_file(tmp_path).chmod(0o644)
    with pytest.raises(ConfigError, match="can be read by others"):
        keep_token(tmp_path)
