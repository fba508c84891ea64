"""A server over HTTP in a process of its own, and clients that talk with it."""

from __future__ import annotations

import http.client
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import httpx2 as httpx
from mcp.client import Client
from mcp.client.session import ElicitationFnT
from mcp.client.streamable_http import streamable_http_client
from mcp.types import Implementation

from tests.waiting import PATIENCE

T = TypeVar("T")

NEWEST = "2026-07-28"
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}},
}

FADED_NOTE = """---
created: 2021-01-05T10:00:00
last_used: 2021-01-05T10:00:00
use_count: 1
memory_id: old{number:07}
---
An old thing, number {number}.
"""


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

    def head(self, **more: str) -> bytes:
        """Give the beginning of a request, to go on by hand."""
        headers = {**self.headers, **_named(more)}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"POST /mcp HTTP/1.1\r\n{lines}\r\n".encode()

    def post(self, body: bytes | None = None, **changed: str | None) -> tuple[int, bytes]:
        sent = {name: value for name, value in {**self.headers, **_named(changed)}.items() if value is not None}
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)) as connection:
            connection.request("POST", "/mcp", body or json.dumps(HELLO).encode(), sent)
            with connection.getresponse() as answer:
                return answer.status, answer.read()

    def save(self, content: str, **changed: str | None) -> int:
        """Save a memory by a single request, as the newest protocol has it; give the status."""
        meta = {
            "io.modelcontextprotocol/protocolVersion": NEWEST,
            "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        call = {"name": "save_memory", "arguments": {"content": content}, "_meta": meta}
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}).encode()
        headers = {"Mcp_Protocol_Version": NEWEST, "Mcp_Method": "tools/call", "Mcp_Name": "save_memory"}
        return self.post(body, **{**headers, **changed})[0]

    def notes(self) -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in self.root.rglob("*.md")}


def _named(headers: Mapping[str, T]) -> dict[str, T]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


@contextmanager
def serving(root: Path, state: Path, *more: str) -> Iterator[Served]:
    environ = {**os.environ, "MNEMEX_STATE_PATH": str(state), "MNEMEX_TIMEZONE": "UTC", "XDG_CONFIG_HOME": str(state)}
    command = [sys.executable, "-m", "mnemex_vault", "serve", "--http", "--port", "0", "--vault", str(root), *more]
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


@asynccontextmanager
async def client_of(
    served: Served, *, mode: str = "auto", name: str = "test", answers: ElicitationFnT | None = None
) -> AsyncIterator[Client]:
    async with httpx.AsyncClient(headers={"Authorization": f"Bearer {served.token}"}, timeout=PATIENCE) as carrier:
        transport = streamable_http_client(f"http://127.0.0.1:{served.port}/mcp", http_client=carrier)
        named = Implementation(name=name, version="1")
        async with Client(transport, mode=mode, client_info=named, elicitation_callback=answers) as client:
            yield client
