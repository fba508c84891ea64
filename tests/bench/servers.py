"""What one, three and eight servers on one vault cost; `python -m tests.bench.servers [--notes 10000] [--servers 1 3 8]`.

Memory is the share of each process (PSS), what several have in common divided among them. Idle time is what the kernel
counts in all threads while nobody asks anything. In the storm every server saves and searches at the same time as the
others: the wall time of a save holds its waits for the lock of the vault. A start is from spawn to the answer of a
first search, by an index that another server keeps, beside the bare server of `tests.bench.scale`, in turns.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

from mcp import StdioServerParameters

from mnemex_vault.app import open_app
from tests.bench.scale import BARE, Figures, middle, print_table, spent, start, write_vault
from tests.mcp.piped import Pipe, dispose

SAVES = 20
STARTS = 5


def pss(pid: int) -> float:
    """Return the megabytes that a process takes, its share of what it has in common with others included."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1000


@contextmanager
def serving(base: Path, count: int) -> Iterator[list[Pipe]]:
    with ExitStack() as stack:
        pipes = []
        for _ in range(count):
            pipes.append(Pipe(base / "vault", surroundings(base)))
            stack.callback(dispose, pipes[-1])
            pipes[-1].greet()
            pipes[-1].call("search_memory", query="how does the parser read lines")
        yield pipes


def surroundings(base: Path) -> dict[str, str]:
    return {
        "MNEMEX_STATE_PATH": str(base / "state"),
        "XDG_CONFIG_HOME": str(base / "config"),
        "MNEMEX_TIMEZONE": "UTC",
    }


def together(base: Path, count: int, idle_seconds: float) -> Figures:
    with serving(base, count) as pipes:
        pids = [pipe.process.pid for pipe in pipes]
        figures: Figures = {"servers": count, "notes": len(list((base / "vault").rglob("*.md")))}
        figures["share of a core of one idle server, %"] = idle(pids, idle_seconds)
        figures["memory of one server (PSS), MB"] = sum(map(pss, pids)) / count
        figures["memory of all, MB"] = sum(map(pss, pids))
        before = sum(map(spent, pids))
        with ThreadPoolExecutor(count) as pool:
            times = [each for found in pool.map(storm, pipes, range(count)) for each in found]
        figures["save among all others, wall ms p50"] = middle(times)
        figures["save among all others, wall ms p95"] = middle(times, 0.95)
        figures["save and search, CPU ms of all servers"] = (sum(map(spent, pids)) - before) / len(times)
        return figures


def idle(pids: Sequence[int], seconds: float) -> float:
    """Return how much of a core one of them takes while nobody asks."""
    before = sum(map(spent, pids))
    started = time.monotonic()
    threading.Event().wait(seconds)
    return (sum(map(spent, pids)) - before) / ((time.monotonic() - started) * 1000) / len(pids) * 100


def storm(pipe: Pipe, which: int) -> list[float]:
    times = []
    for number in range(SAVES):
        begun = time.perf_counter()
        answer = pipe.call("save_memory", content=f"Server {which} of process {pipe.process.pid} keeps fact {number}.")
        times.append((time.perf_counter() - begun) * 1000)
        assert not answer["isError"], answer
        pipe.call("search_memory", query=f"fact {number}")
    return times


def second_start(base: Path) -> Figures:
    """Start a server beside one that runs, and the bare one."""
    bare = base / "bare.py"
    bare.write_text(BARE)
    arguments = ["-m", "mnemex_vault", "serve", "--vault", str(base / "vault")]
    ours = StdioServerParameters(command=sys.executable, args=arguments, env={**os.environ, **surroundings(base)})
    theirs = StdioServerParameters(command=sys.executable, args=[str(bare)], env=dict(os.environ))
    with serving(base, 1):
        pairs = [
            (
                asyncio.run(start(ours, ("search_memory", {"query": "how does the parser read lines"}))),
                asyncio.run(start(theirs, ("echo", {"text": "hello"}))),
            )
            for _ in range(STARTS)
        ]
    return {
        "second server to its first answer, CPU ms": middle([one.listed_cpu + one.called_cpu for one, _ in pairs]),
        "of it beyond the bare server, CPU ms": middle(
            [one.listed_cpu + one.called_cpu - other.listed_cpu - other.called_cpu for one, other in pairs]
        ),
        "of it beyond the bare server, wall ms": middle(
            [one.listed + one.called - other.listed - other.called for one, other in pairs]
        ),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--servers", type=int, nargs="+", default=[1, 3, 8])
    parser.add_argument("--idle-seconds", type=float, default=60.0)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mnemex-servers-") as folder:
        base = Path(folder)
        write_vault(base / "vault", given.notes)
        with open_app(base / "vault", environ=surroundings(base)):
            starts = second_start(base)
        print_table([together(base, count, given.idle_seconds) for count in given.servers])
    print()
    for name, value in starts.items():
        print(f"{name}: {value:,.0f}")


if __name__ == "__main__":
    main()
