"""Months in an hour: three servers on one vault under mixed calls; `python -m tests.bench.soak [--calls 200000]`.

A clock that all servers go by runs on with every call, over six months in all. Each server has a client that searches,
opens, uses, saves, updates, relates, archives, restores, promotes and undoes; for every memory that it saves beyond the
size of the vault it throws an old one away, so that what grows is not the vault. Upkeep and retention run by
themselves. The work is cut into slices: between them the second server is restarted in order and the third is killed
in the middle of a save, and what the first one takes is measured; it is never restarted.

In the end every memory that was saved and not thrown away must be there once, and the index must be that of a rebuild.
"""

from __future__ import annotations

import argparse
import json
import mmap
import os
import random
import re
import struct
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from mnemex_vault.app import App, make_app, open_app
from mnemex_vault.mcp.vault_server import build_server
from mnemex_vault.service import Service
from tests.bench.corpus import sentences
from tests.bench.latency_core import questions
from tests.bench.scale import middle, resident, spent, write_vault
from tests.mcp.piped import Pipe, dispose
from tests.system.checking import check_vault, facts, found, notes_of

MONTHS = timedelta(days=183)
SLICES = 10
SERVERS = 3
_TOLERANCE = 1e-6
WITHOUT_INDEX = re.compile(r"the index is not ready \((.*?)\)")
SERVE = "import sys; from tests.bench.soak import serve; serve(sys.argv[1])"
# of a hundred calls; what is saved is forgotten again, so that a vault stays as large as it was
MIX = {
    "search": 42,
    "open": 8,
    "observe": 14,
    "touch": 8,
    "save": 10,
    "update": 5,
    "archive": 2,
    "relate": 3,
    "judge": 3,
    "recall": 2,
    "status": 1,
    "gc": 1,
    "promote": 1,
}


class SharedClock:
    """A time that several processes read, from a file of eight bytes."""

    def __init__(self, path: Path, *, start: datetime | None = None) -> None:
        if start is not None:
            path.write_bytes(struct.pack("d", start.timestamp()))
        with path.open("r+b") as file:
            self._seconds = mmap.mmap(file.fileno(), 8)
        self._mutex = threading.Lock()

    def __call__(self) -> datetime:
        return datetime.fromtimestamp(struct.unpack("d", self._seconds[:8])[0], UTC)

    def advance(self, span: timedelta) -> None:
        with self._mutex:
            self._seconds[:8] = struct.pack("d", (self() + span).timestamp())


def serve(vault: str) -> None:
    """Serve a vault over the pipes of this process, by the shared clock."""
    log = os.open(os.environ["SOAK_LOG"], os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    os.dup2(log, 2)
    service = Service(make_app(vault, clock=SharedClock(Path(os.environ["SOAK_CLOCK"]))))
    service.start()
    try:
        build_server(service).run("stdio")
    finally:
        service.close()


@dataclass(slots=True)
class Slice:
    """What a tenth of the work took: of the first server, and the wall time of all calls."""

    calls: int
    notes: int
    resident_mb: float
    descriptors: int
    threads: int
    journal_mb: float
    index_mb: float
    cpu_ms: float
    p50_ms: float
    p99_ms: float
    slowest: str


@dataclass(slots=True)
class Report:
    """What happened; `refused` are answers that were errors, `missing` and `doubled` must be nothing.

    `without_index` are answers for which the notes themselves were looked through: right, but slow.
    """

    notes: int
    calls: int = 0
    days: float = 0.0
    kinds: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    without_index: Counter[str] = field(default_factory=Counter)
    slices: list[Slice] = field(default_factory=list)
    operations: int = 0
    missing: int = 0
    doubled: int = 0
    index_differs: str = ""
    seconds: float = 0.0

    @property
    def growth(self) -> float:
        """Return by which share the memory of the first server grew after the first slice."""
        return self.slices[-1].resident_mb / self.slices[0].resident_mb - 1

    @property
    def sound(self) -> bool:
        """Tell whether nothing was lost, doubled or refused; how long anything took does not count."""
        return not (self.missing or self.doubled or self.index_differs or self.refused)


class Client:
    """What one client does, and what it knows to be there."""

    def __init__(self, which: int, world: World) -> None:
        self.which, self.world = which, world
        self.chance = random.Random(which)
        self.pipe = world.server(which)
        self.times: list[tuple[float, str]] = []
        self.kept: deque[tuple[str, str]] = deque()
        self.known: list[str] = []
        self._found: list[str] = []
        self._number = 0
        self._spent = 0.0

    def work(self, calls: int) -> None:
        kinds = self.chance.choices(list(MIX), list(MIX.values()), k=calls)
        for kind in kinds:
            self.world.pass_time()
            getattr(self, f"_{kind}")()
            self.world.count(kind)

    def call(self, tool: str, **arguments: object) -> dict[str, Any]:
        start = time.perf_counter()
        result = self.pipe.call(tool, **arguments)
        self.times.append(((time.perf_counter() - start) * 1000, tool))
        text = result["content"][0]["text"]
        if result["isError"]:
            self.world.refuse(f"{tool}: {text[:120]}")
        if unindexed := WITHOUT_INDEX.search(text):
            self.world.without_index(f"{tool}: {unindexed[1]}")
        return result.get("structuredContent") or {}

    def restart(self, *, kill: bool) -> None:
        """End the server in order, or in the middle of a save, which may be there afterwards or not."""
        if kill:
            token, arguments = self._new()
            self.pipe.request("tools/call", name="save_memory", arguments=arguments)
            self.world.maybe.add(token)
            self.pipe.process.kill()
        else:
            self.close()
        dispose(self.pipe)
        self.pipe = self.world.server(self.which)
        self._spent = 0.0

    def close(self) -> None:
        self.pipe.stdin.close()
        self.pipe.end()

    def dispose(self) -> None:
        dispose(self.pipe)

    def cpu_since(self) -> float:
        now = spent(self.pipe.process.pid)
        before, self._spent = self._spent, now
        return now - before

    def _new(self) -> tuple[str, dict[str, object]]:
        self._number += 1
        token = f"kept-{self.which}-{self._number}-end"
        text = " ".join(self.chance.sample(self.world.sentences, self.chance.randint(1, 6)))
        return token, {"content": f"{text} {token}", "title": f"Kept {self.which} {self._number}"}

    def _save(self) -> None:
        token, arguments = self._new()
        answer = self.call("save_memory", **arguments)
        if answer.get("success"):
            self.kept.append((answer["memory_id"], token))
            self.known.append(answer["memory_id"])
        if len(self.kept) > self.world.most_kept:
            memory_id, _ = self.kept.popleft()
            self.known.remove(memory_id)
            self._throw_away(memory_id)

    def _throw_away(self, memory_id: str) -> None:
        """Put it in the trash; what upkeep has archived by now the person deletes by hand."""
        archived_at = self._archived_at(memory_id)
        if archived_at:
            (self.world.vault / archived_at).unlink()
        else:
            self.call("forget_memory", memory_id=memory_id, to_trash=True)

    def _archived_at(self, memory_id: str) -> str:
        answer = self.call("open_memories", memory_ids=[memory_id])
        return "".join(each["path"] for each in answer.get("memories", []) if each["status"] == "archived")

    def _one(self) -> str | None:
        """Some memories are used much more than others."""
        if not self.known:
            return None
        return self.known[-min(int(self.chance.paretovariate(0.5)), len(self.known))]

    def _search(self) -> None:
        answer = self.call("search_memory", query=self.chance.choice(self.world.questions), limit=10)
        self._found = [each["id"] for each in answer.get("results", []) if not each["id"].startswith("note:")]

    def _open(self) -> None:
        if one := self._one():
            self.call("open_memories", memory_ids=[one])

    def _observe(self) -> None:
        if self._found:
            self.call("observe_memory_usage", memory_ids=self._found[:3], context_tags=["soak"])

    def _touch(self) -> None:
        if one := self._one():
            self.call("touch_memory", memory_id=one)

    def _update(self) -> None:
        if one := self._one():
            answer = self.call("update_memory", memory_id=one, tags=[f"tag{self.chance.randrange(20)}"])
            if answer.get("operation_id") and self.chance.random() < 0.3:
                self.call("undo", operation_id=answer["operation_id"])

    def _archive(self) -> None:
        if one := self._one():
            if not self._archived_at(one):
                self.call("forget_memory", memory_id=one)
            self.call("restore_memory", memory_id=one)

    def _relate(self) -> None:
        one, other = self._one(), self._one()
        if one and other and one != other:
            self.call("create_relation", from_memory_id=one, to_memory_id=other, relation_type="related")

    def _judge(self) -> None:
        self.call("analyze_message", message=f"Remember: {self.chance.choice(self.world.sentences)}"[:2_000])

    def _recall(self) -> None:
        self.call("auto_recall_process_message", message=self.chance.choice(self.world.questions))

    def _status(self) -> None:
        self.call("vault_status")

    def _gc(self) -> None:
        self.call("gc", limit=10)

    def _promote(self) -> None:
        self.call("promote_memory", auto_detect=True, dry_run=True)


class World:
    """The vault, the clock, and what the clients share."""

    def __init__(self, folder: Path, notes: int, calls: int) -> None:
        self.folder, self.vault = folder, folder / "vault"
        self.report = Report(notes=notes)
        self.sentences = [each for each in sentences() if "password" not in each.lower()]
        self.questions = questions(self.sentences, 300, 2)
        self.maybe: set[str] = set()
        self.most_kept = max(20, notes // 20)
        # a longer step is a jump of the clock, after which upkeep waits
        self._step = min(MONTHS / calls, timedelta(hours=1))
        self._mutex = threading.Lock()
        write_vault(self.vault, notes)
        (self.vault / ".obsidian").mkdir()
        (self.vault / ".obsidian/app.json").write_text('{"trashOption": "local"}')
        self.start = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
        self.clock = SharedClock(folder / "clock", start=self.start)
        self.environ = {
            "MNEMEX_STATE_PATH": str(folder / "state"),
            "XDG_CONFIG_HOME": str(folder / "config"),
            "MNEMEX_TIMEZONE": "UTC",
            "MNEMEX_TOOL_SET": "full",
            "MNEMEX_UPKEEP": "promote,review,archive",
            "SOAK_CLOCK": str(folder / "clock"),
        }

    def server(self, which: int) -> Pipe:
        pipe = Pipe(self.vault, self.environ | {"SOAK_LOG": str(self.folder / f"log{which}")}, code=SERVE)
        pipe.greet()
        # how long a start takes is told elsewhere
        pipe.call("search_memory", query=self.questions[which])
        return pipe

    def pass_time(self) -> None:
        self.clock.advance(self._step)

    def count(self, kind: str) -> None:
        with self._mutex:
            self.report.kinds[kind] += 1
            self.report.calls += 1

    def refuse(self, reason: str) -> None:
        with self._mutex:
            self.report.refused[reason] += 1

    def without_index(self, reason: str) -> None:
        with self._mutex:
            self.report.without_index[reason] += 1

    def size_mb(self, name: str) -> float:
        files = (path for path in (self.folder / "state").glob(f"*/{name}/**/*"))
        return round(sum(size for path in files if (size := _size(path))) / 1e6, 2)

    def examine(self, clients: list[Client]) -> None:
        """Compare what is in the vault with what was kept, and the index with one made anew."""
        seen: Counter[str] = Counter()
        for path in notes_of(self.vault):
            seen.update(word for word in path.read_text("utf-8").split() if word.startswith("kept-"))
        expected = {token for client in clients for _, token in client.kept}
        self.report.missing = sum(not seen[token] for token in expected)
        self.report.doubled = sum(count > 1 for count in seen.values()) + len(seen.keys() - expected - self.maybe)
        check_vault(self.vault)
        with open_app(self.vault, clock=self.clock, environ=self.environ, options={"timezone": "UTC"}) as app:
            self.report.operations = len(app.store.journal.operations())
            self.report.index_differs = self._difference(app)

    def _difference(self, app: App) -> str:
        """Return in what the index is not that of a rebuild; sums of fractions depend on their order a little."""
        environ = self.environ | {"MNEMEX_STATE_PATH": str(self.folder / "anew")}
        with open_app(self.vault, clock=self.clock, environ=environ, options={"read_only": True}) as again:
            if facts(app) != facts(again):
                return "the facts of notes differ"
            for words in ("kept", *self.questions[:5]):
                here, there = found(app, words), found(again, words)
                if here.keys() != there.keys() or any(abs(here[path] - there[path]) > _TOLERANCE for path in here):
                    return f"the search for {words!r} differs"
        return ""


def _size(path: Path) -> int:
    """Return the size of a file, 0 of one that is gone by now."""
    try:
        return path.stat().st_size if path.is_file() else 0
    except FileNotFoundError:
        return 0


def measure(world: World, clients: list[Client]) -> Slice:
    first = clients[0].pipe.process.pid
    calls = [each for client in clients for each in client.times]
    times = [milliseconds for milliseconds, _ in calls]
    cpu = sum(client.cpu_since() for client in clients)
    for client in clients:
        client.times = []
    return Slice(
        calls=len(times),
        notes=len(notes_of(world.vault)),
        resident_mb=round(resident(first), 1),
        descriptors=len([*Path(f"/proc/{first}/fd").iterdir()]),
        threads=len([*Path(f"/proc/{first}/task").iterdir()]),
        journal_mb=world.size_mb("journal"),
        index_mb=world.size_mb("index"),
        cpu_ms=round(cpu / max(1, len(times)), 1),
        p50_ms=round(middle(times), 1),
        p99_ms=round(middle(times, 0.99), 1),
        slowest=", ".join(f"{tool} {milliseconds:,.0f}" for milliseconds, tool in sorted(calls, reverse=True)[:3]),
    )


@contextmanager
def living(world: World) -> Iterator[list[Client]]:
    """Start a server for each client, and end what is left of them."""
    with ExitStack() as stack:
        clients = []
        for which in range(SERVERS):
            clients.append(Client(which, world))
            stack.callback(clients[-1].dispose)
        yield clients


def soak(
    folder: Path, *, notes: int, calls: int, slices: int = SLICES, tell: Callable[[Slice], None] = lambda _: None
) -> Report:
    """Let three servers live through six months of calls, and report."""
    started = time.perf_counter()
    world = World(folder, notes, calls)
    with living(world) as clients, ThreadPoolExecutor(SERVERS) as pool:
        for number in range(slices):
            share = calls * (number + 1) // slices - calls * number // slices
            list(pool.map(lambda client, share=share: client.work(share // SERVERS), clients))
            world.report.slices.append(measure(world, clients))
            tell(world.report.slices[-1])
            if number + 1 < slices:
                clients[1].restart(kill=False)
                clients[2].restart(kill=True)
        for client in clients:
            client.close()
        world.report.days = round((world.clock() - world.start) / timedelta(days=1), 1)
        world.examine(clients)
    world.report.seconds = round(time.perf_counter() - started, 1)
    return world.report


def _print_slice(part: Slice) -> None:
    print(
        f"| {' | '.join(value if isinstance(value, str) else f'{value:,}' for value in asdict(part).values())} |",
        flush=True,
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=200_000)
    parser.add_argument("--notes", type=int, default=2_000)
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    names = [name.replace("_", " ") for name in Slice.__dataclass_fields__]
    print(f"| {' | '.join(names)} |\n|{'---|' * len(names)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="mnemex-soak-") as folder:
        report = soak(Path(folder), notes=given.notes, calls=given.calls, tell=_print_slice)
    print(f"\n{report.calls:,} calls over {report.days} days in {report.seconds:,} s; {report.operations:,} operations")
    print(f"memory of the first server after the first slice: {report.growth:+.1%}")
    print(
        f"memories missing {report.missing}, doubled {report.doubled}; index: {report.index_differs or 'as a rebuild'}"
    )
    print(f"refused: {dict(report.refused) or 'nothing'}")
    print(f"answered without the index: {dict(report.without_index) or 'nothing'}")
    if given.json:
        given.json.write_text(json.dumps(asdict(report), indent=1))
    return 0 if report.sound and report.growth <= 0.1 else 1


if __name__ == "__main__":
    sys.exit(main())
