"""A server in a process of its own whose pipes are in our hands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from tests.waiting import PATIENCE

SERVE = "import sys; from mnemex_vault.mcp.server import main; main(sys.argv[1])"


def surroundings_in(folder: Path) -> dict[str, str]:
    return {
        "MNEMEX_STATE_PATH": str(folder / "state"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "MNEMEX_TIMEZONE": "UTC",
        "MNEMEX_QUIET_SECONDS": "1",
    }


def empty_folder(parent: Path) -> Path:
    root = parent / "vault"
    root.mkdir()
    return root


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

    def request(self, method: str, **parameters: object) -> int:
        """Ask, and return the id that the answer will bear."""
        self._last += 1
        message = {"jsonrpc": "2.0", "id": self._last, "method": method, "params": parameters}
        self.send(json.dumps(message).encode())
        return self._last

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
        """Give the exit code and the log of the process, once it ended."""
        code = self.process.wait(timeout=PATIENCE)
        assert self.stdout.read() == b""
        assert self.process.stderr
        return code, self.process.stderr.read().decode()


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
