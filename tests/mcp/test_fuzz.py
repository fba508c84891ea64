"""Calls made at random from the listing: every answer is whole, nothing is written elsewhere, nothing piles up.

`python -m tests.mcp.test_fuzz 100000` makes as many calls as wanted and prints what it saw; a second number goes on from
there, for a long run in parts.
"""

from __future__ import annotations

import gc
import json
import logging
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client

from mnemex_vault.app import App, open_app
from mnemex_vault.mcp.vault_server import build_server
from mnemex_vault.text.note import Note, NoteKind
from tests.mcp.generated import Generator

CALLS = 2_000
# a long run makes room now and then, since it is the calls that are tried and not the size of the vault
_MOST_NOTES = 400


class Noise(logging.Handler):
    """Keeps what was logged as an error or with a traceback."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.heard: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info or record.levelno >= logging.ERROR:
            self.heard.append(
                f"{record.getMessage()}: {record.exc_info[1].__cause__!r}"
                if record.exc_info and record.exc_info[1]
                else record.getMessage()
            )


def size() -> tuple[int, int, int]:
    """Return resident kilobytes, open files and threads of this process."""
    gc.collect()
    status = Path("/proc/self/status").read_text()
    resident = int(status.partition("VmRSS:")[2].split()[0])
    return resident, len(list(Path("/proc/self/fd").iterdir())), threading.active_count()


def check(result: Any) -> str:
    """Return the answer as JSON in UTF-8, which any answer must be."""
    text = json.dumps(result.model_dump(mode="json", by_alias=True), allow_nan=False, ensure_ascii=False)
    text.encode()
    return text


async def fuzz(app: App, count: int, *, seed: int) -> dict[str, int]:
    seen = {"calls": 0, "refused": 0, "unexpected": 0}
    async with Client(build_server(app)) as client:
        generator = Generator((await client.list_tools()).tools, seed)
        for name, arguments in generator.calls(count):
            try:
                json.dumps(arguments, ensure_ascii=False).encode()
            except UnicodeEncodeError:
                # half a character cannot travel: a client would send its escape, which the server's reader refuses
                arguments = json.loads(json.dumps(arguments, ensure_ascii=False).encode("utf-8", "replace"))
            result = await client.call_tool(name, arguments)
            text = check(result)
            seen["calls"] += 1
            seen["refused"] += bool(result.is_error)
            # an error we saw coming has words of its own behind the name of the tool
            seen["unexpected"] += f'Error executing tool {name}"' in text or "Traceback" in text
            made = (result.structured_content or {}).get("memory_id")
            if isinstance(made, str):
                generator.ids.append(made)
            if len(app.store.catalog) > _MOST_NOTES:
                make_room(app)
    return seen


def make_room(app: App) -> None:
    for entry in list(app.store.catalog)[:-50]:
        (app.root / entry.path).unlink(missing_ok=True)
    app.reconciler.reconcile(now=app.store.clock())


def check_vault(app: App) -> None:
    for entry in app.store.catalog:
        note = Note.parse(entry.path, (app.root / entry.path).read_bytes())
        assert note.kind is not NoteKind.UNREADABLE, (entry.path, note.problems)
        assert note.kind is not NoteKind.BINARY, entry.path


@pytest.fixture
def full_app(vault: Path, environ: dict[str, str]) -> Any:
    with open_app(vault, environ={**environ, "MNEMEX_TOOLS": "full"}) as app:
        yield app


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.row("I2", "I3", "I4", "I9")
def test_calls_at_random_get_whole_answers_and_break_nothing(full_app: App, tmp_path: Path) -> None:
    noise = Noise()
    logging.getLogger().addHandler(noise)
    try:
        anyio.run(lambda: fuzz(full_app, 200, seed=1))
        before = size()
        seen = anyio.run(lambda: fuzz(full_app, CALLS, seed=2))
        after = size()
    finally:
        logging.getLogger().removeHandler(noise)
    assert seen["calls"] == CALLS
    assert seen["refused"] > CALLS / 10
    assert seen["refused"] < CALLS
    assert (seen["unexpected"], noise.heard) == (0, [])
    check_vault(full_app)
    assert {path.name for path in tmp_path.iterdir()} <= {"Notes of Zoë", "state", "config", ".config"}
    # what is kept on purpose takes a kilobyte for each change; 5 KB lost with each call would show
    assert after[0] - before[0] < 10_000
    assert after[1] <= before[1] + 5
    assert after[2] <= before[2] + 5


def main(count: int, first: int = 0) -> None:
    noise = Noise()
    logging.getLogger().addHandler(noise)
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        vault.mkdir()
        environ = {"MNEMEX_STATE_PATH": f"{folder}/state", "MNEMEX_TOOLS": "full", "HOME": folder}
        with open_app(vault, environ=environ) as app:
            start, done = time.monotonic(), 0
            while done < count:
                seen = anyio.run(partial(fuzz, app, min(5_000, count - done), seed=first + done + 7))
                done += seen["calls"]
                line: dict[str, object] = {
                    **seen,
                    "done": done,
                    "size": size(),
                    # what is kept on purpose, and may grow until it is pruned
                    "operations": len(app.store.journal.operations()),
                    "seconds": round(time.monotonic() - start),
                }
                line["logged"] = sorted(set(noise.heard))[:5]
                sys.stdout.write(json.dumps(line) + "\n")
                sys.stdout.flush()
            check_vault(app)
    sys.stdout.write(f"logged: {noise.heard[:10]}\n")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
