"""A conversation with a server that was started as clients start it."""

from __future__ import annotations

import json
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.waiting import PATIENCE


class Talk:
    """A client on the pipes of the server, which notes every line that the server writes."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._number = 0

    def ask(self, method: str, **params: object) -> dict[str, Any]:
        self._number += 1
        self._send({"jsonrpc": "2.0", "id": self._number, "method": method, "params": params})
        while True:
            answer = self._line()
            if answer.get("id") == self._number:
                assert "result" in answer, answer
                result = answer["result"]
                assert isinstance(result, dict)
                return result

    def greet(self) -> dict[str, Any]:
        client = {"name": "a client", "version": "1"}
        greeting = self.ask("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=client)
        self.tell("notifications/initialized")
        return greeting

    def tell(self, method: str) -> None:
        self._send({"jsonrpc": "2.0", "method": method})

    def tool(self, name: str, **arguments: object) -> dict[str, Any]:
        """Call a tool, and again while the answer is that the vault is still being opened: a busy machine needs long."""
        deadline = time.monotonic() + PATIENCE
        result = self.ask("tools/call", name=name, arguments=arguments)
        while "still being opened" in str(result) and time.monotonic() < deadline:
            result = self.ask("tools/call", name=name, arguments=arguments)
        assert not result.get("isError"), result
        structured = result["structuredContent"]
        assert isinstance(structured, dict)
        return structured

    def _send(self, message: dict[str, object]) -> None:
        assert self._process.stdin
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def _line(self) -> dict[str, Any]:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, self._process.communicate()[1]
        message = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        assert isinstance(message, dict)
        return message


@contextmanager
def talk_with(command: Sequence[str | Path], environ: Mapping[str, str]) -> Iterator[Talk]:
    """Start a server, greet it, and see it end well when its input is closed."""
    with subprocess.Popen(
        list(map(str, command)),
        env=dict(environ),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as server:
        try:
            talk = Talk(server)
            talk.greet()
            yield talk
            assert server.stdin
            server.stdin.close()
            assert server.wait(timeout=PATIENCE) == 0
            assert server.stdout
            assert server.stdout.read() == ""
        finally:
            server.kill()
