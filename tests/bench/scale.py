"""Latency, size and start-up of the whole program at several sizes of a vault, beside porter FTS5 in the same run.

    python -m tests.bench.scale [--notes 1000 10000 50000] [--json FILE]

Every size has a process and a vault of its own. Notes have about 137 words, made of sentences of the standard
library's documentation, ten to a session. Times are milliseconds: of the processor where it says CPU, else of the wall
clock, which says little on a busy machine. A save is `collection.save`; the durable write beside it makes a note of
the same bytes in the same folder, in turns. The bare server has one tool of the same SDK and does nothing else; what a
server spends until its tools are listed is read from the kernel, in all its threads.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC
from functools import partial
from pathlib import Path
from typing import Any

from mcp import Client, StdioServerParameters, stdio_client

from mnemex_vault.app import App, make_app
from mnemex_vault.domain.memory import Memory, Usage
from mnemex_vault.index.document import Document
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.recall import Request
from mnemex_vault.service import Service
from mnemex_vault.text.fields import new_memory_id, render
from tests.bench.corpus import notes, sentences
from tests.bench.fts5 import Fts5
from tests.bench.latency_core import questions

SIZES = (1_000, 10_000, 50_000)
STARTS = 5
EDITS = 20
SAVES = 40
BARE = """
from mcp.server.mcpserver import MCPServer

server = MCPServer("bare")


@server.tool()
def echo(text: str) -> str:
    return text


server.run("stdio")
"""

Figures = dict[str, float]
Clock = Callable[[], float]


def timed(action: Callable[[], object], clock: Clock = time.process_time) -> float:
    start = clock()
    action()
    return (clock() - start) * 1000


def middle(values: Sequence[float], share: float = 0.5) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * share))]


def resident(pid: int | str = "self") -> float:
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def write_vault(root: Path, count: int) -> None:
    choose = random.Random(1).choice
    folder = root / "Memories" / "Short-term"
    folder.mkdir(parents=True)
    for document, session in notes(count, []):
        memory = memory_of(document, session, new_memory_id(choose))
        stem = document.path.rpartition("/")[2].removesuffix(".md")
        (folder / f"{stem}.md").write_text(render(memory, zone=UTC, fades_on=None, stem=stem), "utf-8")


def memory_of(document: Document, session: str, memory_id: str) -> Memory:
    assert document.created
    usage = Usage(created=document.created, last_used=document.created)
    return Memory(
        id=memory_id, title=document.title, content=document.body, usage=usage, tags=document.tags, session=session
    )


def inside(base: Path, count: int) -> Figures:
    """Measure what can be measured within the process, in a vault that no index knows."""
    figures: Figures = {"notes": count}
    environ = {"MNEMEX_STATE_PATH": str(base / "state"), "MNEMEX_TIMEZONE": "UTC"}
    before = resident()

    def opened() -> App:
        return make_app(base / "vault", environ=environ)

    app = opened()
    spent = timed(app.catch_up) + timed(app.store.text.flush)
    figures["first index, notes/s of CPU"] = count / spent * 1000
    gc.collect()
    figures["RSS after the first index, MB"] = resident()
    figures["of it before, MB"] = before
    app.close()
    app = opened()
    figures["catch up with an unchanged vault, CPU ms"] = timed(app.catch_up)
    figures["reconcile unchanged, CPU ms"] = middle([timed(lambda: app.follow(None)) for _ in range(5)])
    searches(figures, app)
    saves(figures, app)
    edits(figures, app, base / "vault" / "Memories" / "Short-term")
    saves_meanwhile(figures, make_app(base / "vault", environ=environ | {"MNEMEX_STATE_PATH": str(base / "anew")}))
    return figures


def searches(figures: Figures, app: App) -> None:
    asked = questions(sentences(), 100, 2)

    def search(question: str) -> None:
        app.recall.search(Request(query=question))

    times = [timed(partial(search, question)) for question in asked]
    figures["search, CPU ms p50"], figures["search, CPU ms p95"] = middle(times), middle(times, 0.95)
    figures["the same again, CPU ms p50"] = middle([timed(partial(search, question)) for question in asked])


def saves(figures: Figures, app: App) -> None:
    chance, pool = random.Random(3), sentences()
    whole: list[float] = []
    durable: list[float] = []
    whole_wall: list[float] = []
    durable_wall: list[float] = []
    for number in range(SAVES):
        word = unheard_of("zanzi", number)
        text = f"{word} " + " ".join(chance.sample(pool, 3))
        start, wall = time.process_time(), time.perf_counter()
        saved = app.collection.save(
            Draft(content=text, title=f"Saved {number}", tags=None, entities=None, strength=None)
        )
        whole.append((time.process_time() - start) * 1000)
        whole_wall.append((time.perf_counter() - wall) * 1000)
        [hit, *_] = app.recall.search(Request(query=word)).hits
        assert hit.entry.path == saved.path
        data = app.store.vault.files.read(saved.path)[0]
        other = saved.path.replace("Saved ", "Durable ")
        start, wall = time.process_time(), time.perf_counter()
        app.store.vault.files.create(other, data)
        durable.append((time.process_time() - start) * 1000)
        durable_wall.append((time.perf_counter() - wall) * 1000)
    figures["save to searchable, CPU ms p50"] = middle(whole)
    figures["durable write alone, CPU ms p50"] = middle(durable)
    figures["save beyond the durable write, CPU ms p50"] = middle(whole) - middle(durable)
    figures["save to searchable, wall ms p50"] = middle(whole_wall)
    figures["durable write alone, wall ms p50"] = middle(durable_wall)


def saves_meanwhile(figures: Figures, app: App) -> None:
    """Save while a first index is made, and find what was saved."""
    service = Service(app)
    service.start()
    times: list[float] = []
    while len(times) < SAVES and not service.ready.is_set():
        word = unheard_of("timbuk", len(times))
        draft = Draft(content=f"{word} was saved meanwhile", title=f"Meanwhile {len(times)}")
        times.append(timed(partial(app.collection.save, draft), time.perf_counter))
        assert app.recall.search(Request(query=word)).hits
    service.close()
    figures["save during the first index, wall ms p50"] = middle(times)
    figures["save during the first index, wall ms p95"] = middle(times, 0.95)


def unheard_of(beginning: str, number: int) -> str:
    """Return a word that no other number gives a part of."""
    return beginning + "".join("abcdefghij"[int(digit)] for digit in f"{number:03}") + "x"


def edits(figures: Figures, app: App, folder: Path) -> None:
    """Append a word to a note, and ask for it until it is found."""
    service = Service(app)
    service.start()
    service.wait_ready(600)
    times = []
    paths = sorted(folder.glob("note *.md"))[:EDITS]
    for number, path in enumerate(paths):
        word = unheard_of("madaga", number)
        with path.open("a", encoding="utf-8") as file:
            file.write(f"\n{word}\n")
        start = time.perf_counter()
        while not app.recall.search(Request(query=word)).hits:
            time.sleep(0.005)
            assert time.perf_counter() - start < 60
        times.append((time.perf_counter() - start) * 1000)
    service.close()
    figures["edit by hand to found, wall ms p50"] = middle(times)
    figures["edit by hand to found, wall ms p95"] = middle(times, 0.95)


def baseline(base: Path, count: int) -> Figures:
    figures: Figures = {}
    fts5 = Fts5(sqlite3.connect(base / "fts5.db"))
    rows = [(document.path, document.title, document.body) for document, _ in notes(count, [])]
    figures["FTS5: build, notes/s of CPU"] = count / timed(lambda: fts5.add(rows)) * 1000
    asked = questions(sentences(), 100, 2)
    figures["FTS5: search, CPU ms p50"] = middle([timed(partial(fts5.search, question, 10)) for question in asked])
    figures["FTS5: save, CPU ms p50"] = middle([timed(partial(fts5.add, [row])) for row in rows[:SAVES]])
    return figures


def children() -> set[int]:
    tasks = Path("/proc/self/task").glob("*/children")
    return {int(pid) for task in tasks for pid in task.read_text().split()}


def spent(pid: int) -> float:
    """Return the milliseconds of the processor that all threads of a process had, also those that have ended."""
    # the clock of another process, as clock_getcpuclockid(3) of Linux numbers it
    return time.clock_gettime((~pid << 3) | 2) * 1000


@dataclass(frozen=True)
class Start:
    """Milliseconds from spawn to the list of tools, of the first call after that, and RSS when idle."""

    listed: float
    listed_cpu: float
    called: float
    called_cpu: float
    resident: float


async def start(server: StdioServerParameters, first_call: tuple[str, dict[str, Any]]) -> Start:
    others = children()
    spawned = time.perf_counter()
    async with Client(stdio_client(server)) as client:
        await client.list_tools()
        listed = time.perf_counter()
        [pid] = children() - others
        cpu = spent(pid)
        await client.call_tool(*first_call)
        called, called_cpu = time.perf_counter(), spent(pid) - cpu
        await asyncio.sleep(1)
        return Start((listed - spawned) * 1000, cpu, (called - listed) * 1000, called_cpu, resident(pid))


def starts(base: Path) -> Figures:
    """Start both servers in turns."""
    environ = os.environ | {"MNEMEX_STATE_PATH": str(base / "state"), "MNEMEX_TIMEZONE": "UTC"}
    arguments = ["-m", "mnemex_vault", "serve", "--vault", str(base / "vault")]
    bare = base / "bare.py"
    bare.write_text(BARE)
    ours = StdioServerParameters(command=sys.executable, args=arguments, env=environ)
    theirs = StdioServerParameters(command=sys.executable, args=[str(bare)], env=dict(os.environ))
    pairs = [
        (
            asyncio.run(start(ours, ("search_memory", {"query": "how does the parser read lines"}))),
            asyncio.run(start(theirs, ("echo", {"text": "hello"}))),
        )
        for _ in range(STARTS)
    ]
    mine, bare_ones = ([pair[side] for pair in pairs] for side in (0, 1))
    return {
        "spawn to tools/list, wall ms p50": middle([each.listed for each in mine]),
        "the same of the bare server": middle([each.listed for each in bare_ones]),
        "ratio of the two": middle([each.listed / other.listed for each, other in pairs]),
        "spawn to tools/list, CPU ms p50": middle([each.listed_cpu for each in mine]),
        "CPU of the bare server": middle([each.listed_cpu for each in bare_ones]),
        "ratio of CPU": middle([each.listed_cpu / other.listed_cpu for each, other in pairs]),
        "first search after that, wall ms p50": middle([each.called for each in mine]),
        "first search after that, CPU ms p50": middle([each.called_cpu for each in mine]),
        "RSS of the server, idle, MB": middle([each.resident for each in mine]),
        "RSS of the bare server, MB": middle([each.resident for each in bare_ones]),
    }


def measure(count: int) -> Figures:
    with tempfile.TemporaryDirectory(prefix="mnemex-scale-") as folder:
        base = Path(folder)
        write_vault(base / "vault", count)
        figures: Figures = {}
        for part in ("inside", "baseline"):
            command = [sys.executable, "-m", "tests.bench.scale", "--part", part, str(count), folder]
            figures |= json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
        return figures | starts(base)


def print_table(columns: Sequence[Figures]) -> None:
    sizes = " | ".join(f"{column['notes']:,.0f}" for column in columns)
    print(f"| notes | {sizes} |")
    print("|---|" + "---|" * len(columns))
    for name in [name for name in columns[0] if name != "notes"]:
        digits = 2 if name.startswith("ratio") else 1
        values = " | ".join(f"{column[name]:,.{digits}f}" for column in columns)
        print(f"| {name} | {values} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--part", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        part, count, base = options.part
        measured = inside if part == "inside" else baseline
        print(json.dumps(measured(Path(base), int(count))))
        return
    columns = [measure(count) for count in options.notes]
    print_table(columns)
    if options.json:
        options.json.write_text(json.dumps(columns, indent=1))


if __name__ == "__main__":
    main()
