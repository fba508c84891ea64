"""Three devices that share a vault through git; run `python -m tests.bench.devices [--notes 10000] [--days 30] [--json]`.

Every day each device uses, edits, saves, promotes and archives memories, and on most days it commits, merges what the
others pushed, with the merge driver, and pushes. In the end every device must have every sentence that was written on
any, once, and every count must be the sum of all uses. A conflict in a text is resolved as a careful person would: both
sides stay; when both devices moved a note, it stays long-term.
"""

from __future__ import annotations

import argparse
import json
import random
import shlex
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

from mnemex_vault.app import App, open_app
from mnemex_vault.backup.merge_driver import earlier_in_git, merge_files
from mnemex_vault.domain.memory import Tier
from mnemex_vault.memories.draft import Draft
from mnemex_vault.text import frontmatter
from mnemex_vault.text.note import Note

START = datetime.now(UTC).replace(hour=6, minute=0, second=0, microsecond=0) + timedelta(days=2)
# the clocks of real devices differ
CLOCKS = (timedelta(), timedelta(seconds=95), timedelta(seconds=-140))
MARKERS = ("<<<<<<< ", "=======", ">>>>>>> ", "||||||| ")
# git starts it for every note that both sides changed; the merging is done here, where everything is loaded already
DRIVER = """import os, socket, sys
link = socket.create_connection(("127.0.0.1", int(sys.argv[1])))
heads = " ".join(name for name in os.environ if name.startswith("GITHEAD_"))
link.sendall("\\0".join([os.getcwd(), heads, *sys.argv[2:]]).encode() + b"\\n")
sys.exit(int(link.makefile().readline() or 2))
"""
NOTE = """---
tags:
  - topic{topic}
origin: ai
pinned: false
created: 2026-11-01T08:00:00
last_used: 2026-11-01T08:00:00
use_count: 1
strength: 1
memory_id: m{number:07}
---
Fact {number} is about topic {topic}. text-{number}-a

It was told by a friend, and it may matter again. text-{number}-b
"""


@dataclass(slots=True)
class Report:
    """What happened, and what must be zero: lost and doubled sentences, wrong counts, conflicts in frontmatter."""

    notes: int = 0
    days: int = 0
    uses: int = 0
    edits: int = 0
    saves: int = 0
    moves: int = 0
    merges: int = 0
    conflicts_in_texts: int = 0
    conflicts_of_moves: int = 0
    conflicts_in_frontmatter: int = 0
    lost: int = 0
    doubled: int = 0
    counter_errors: int = 0
    unlike: int = 0
    seconds: float = 0.0

    @property
    def sound(self) -> bool:
        return not (self.lost or self.doubled or self.counter_errors or self.unlike or self.conflicts_in_frontmatter)


@dataclass(slots=True)
class World:
    """What is true whatever the devices know: how often each memory was used, and in which every sentence stands."""

    report: Report
    uses: Counter[str] = field(default_factory=Counter)
    sentences: dict[str, str] = field(default_factory=dict)

    def written(self, device: int, memory_id: str) -> str:
        token = f"by-{device}-{len(self.sentences)}"
        self.sentences[token] = memory_id
        return token


@dataclass(slots=True)
class Clock:
    now: datetime = START

    def __call__(self) -> datetime:
        return self.now


class Person:
    """Somebody at a device with an app of its own; `moving` is how likely they move a memory on a day."""

    moving = 0.4

    def __init__(self, number: int, root: Path, app: App, clock: Clock, chance: random.Random, world: World) -> None:
        self.number, self.root, self.app, self.clock = number, root, app, clock
        self.chance, self.world, self.report = chance, world, world.report
        ids = count()
        app.store.new_id = lambda: f"d{number}x{next(ids):07}"

    def live(self, day: int, uses: int) -> None:
        self.clock.now = (
            START + timedelta(days=day, minutes=self.chance.randrange(600)) + CLOCKS[self.number % len(CLOCKS)]
        )
        known = sorted(entry.memory_id or "" for entry in self.app.store.catalog.memories())
        for _ in range(uses):
            self._use(self._favourite(known))
        for _ in range(max(1, uses // 3)):
            self._edit(self._favourite(known))
        self._save()
        if self.chance.random() < self.moving:
            self._move(self._favourite(known))

    def _favourite(self, known: list[str]) -> str:
        """Some memories are used again and again, on all devices."""
        return known[min(int(self.chance.paretovariate(0.6)) - 1, len(known) - 1)]

    def _use(self, memory_id: str) -> None:
        self.clock.now += timedelta(seconds=self.chance.randrange(1, 900))
        self.app.lifecycle.touch(memory_id)
        self.world.uses[memory_id] += 1
        self.report.uses += 1

    def _edit(self, memory_id: str) -> None:
        """Put a sentence somewhere into the text, as a person does in an editor."""
        entry = self.app.store.memory_entry(memory_id)
        path = self.root / entry.path
        text = path.read_text("utf-8")
        block = frontmatter.split(text)
        assert block is not None
        parts = text[block.body_start :].rstrip("\n").split("\n\n")
        parts.insert(
            self.chance.randint(0, len(parts)), f"A person added this. {self.world.written(self.number, memory_id)}"
        )
        path.write_text(text[: block.body_start] + "\n\n".join(parts) + "\n", "utf-8")
        self.app.follow({entry.path})
        self.report.edits += 1

    def _save(self) -> None:
        token = self.world.written(self.number, "")
        draft = Draft(content=f"The assistant learned something. {token}", title=f"Learned {token}")
        saved = self.app.collection.save(draft, used_ids=())
        self.world.uses[saved.memory.id] += 0
        self.world.sentences[token] = saved.memory.id
        self.report.saves += 1

    def _move(self, memory_id: str) -> None:
        entry = self.app.store.memory_entry(memory_id)
        if entry.tier is Tier.SHORT_TERM:
            self.app.lifecycle.forget(memory_id) if self.number == 0 else self.app.review.promote(memory_id)
            self.report.moves += 1

    def _notes(self) -> Iterator[tuple[str, str]]:
        for path in sorted((self.root / "Memories").rglob("*.md")):
            yield str(path.relative_to(self.root)), path.read_text("utf-8")

    def examine(self) -> None:
        """Compare what this device has with what is true."""
        seen: Counter[str] = Counter()
        counts: dict[str, object] = {}
        for path, text in self._notes():
            note = Note.parse(path, text.encode())
            seen.update(word for word in text.split() if word.startswith(("by-", "text-")))
            self.report.doubled += note.memory_id in counts
            counts[note.memory_id or path] = note.values.get("use_count")
        # the title of a saved note is not in its text, so every sentence stands exactly once
        self.report.lost += sum(not seen[token] for token in self.world.sentences)
        self.report.doubled += sum(count > 1 for count in seen.values())
        expected = {memory_id: 1 + uses for memory_id, uses in self.world.uses.items()}
        self.report.counter_errors += sum(counts.get(memory_id) != count for memory_id, count in expected.items())


class Device(Person):
    """A device that shares the vault as a clone."""

    def git(self, *arguments: str, check: bool = True) -> str:
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, check=False)
        if check and done.returncode:
            raise RuntimeError(f"git {shlex.join(arguments)}: {done.stderr.decode()}{done.stdout.decode()}")
        return done.stdout.decode()

    def sync(self) -> None:
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "-m", "What happened")
        self.git("fetch", "--quiet", "origin")
        self.git("merge", "--quiet", "--no-edit", "origin/main", check=False)
        self.report.merges += 1
        self._resolve()
        self.git("push", "--quiet", "origin", "HEAD:main")
        self.app.follow(None)

    def _resolve(self) -> None:
        stages = self._unmerged()
        if not stages:
            return
        moved = {path for path, found in stages.items() if found.keys() != {"1", "2", "3"}}
        for path in stages.keys() - moved:
            self._resolve_text(path)
        if moved:
            self._resolve_moves(stages, moved)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--no-edit")

    def _unmerged(self) -> dict[str, dict[str, str]]:
        found: dict[str, dict[str, str]] = {}
        for line in self.git("ls-files", "--unmerged", "-z").split("\0"):
            if line:
                facts, _, path = line.partition("\t")
                _, blob, stage = facts.split()
                found.setdefault(path, {})[stage] = blob
        return found

    def _resolve_text(self, path: str) -> None:
        text = (self.root / path).read_text("utf-8")
        if any(line.startswith(MARKERS) for line in text.partition("\n---\n")[0].splitlines()):
            self.report.conflicts_in_frontmatter += 1
        self.report.conflicts_in_texts += 1
        self._keep_both(path, text)

    def _keep_both(self, path: str, text: str) -> None:
        lines = [line for line in text.splitlines(keepends=True) if not line.startswith(MARKERS)]
        (self.root / path).write_text("".join(lines), "utf-8")

    def _resolve_moves(self, stages: dict[str, dict[str, str]], moved: set[str]) -> None:
        """Of several places of one note keep the long-term one, with what is in all of them."""
        places: dict[str, list[str]] = {}
        for path, text in self._notes():
            memory_id = Note.parse(path, text.encode()).memory_id
            if memory_id:
                places.setdefault(memory_id, []).append(path)
        bases = {path: found["1"] for path, found in stages.items() if "1" in found}
        for paths in places.values():
            if not moved.intersection(paths):
                continue
            self.report.conflicts_of_moves += 1
            kept, *others = sorted(paths, key=lambda path: ("Long-term" not in path, "Archive" not in path))
            for other in others:
                self._join(kept, other, bases)
                (self.root / other).unlink()
            self._keep_both(kept, (self.root / kept).read_text("utf-8"))

    def _join(self, kept: str, other: str, bases: dict[str, str]) -> None:
        """Merge the two unless git has put the merged text at both places already."""
        ours, theirs = ((self.root / path).read_bytes() for path in (kept, other))
        name = kept.rpartition("/")[2]
        base = next((blob for path, blob in bases.items() if path.rpartition("/")[2] == name), None)
        if ours == theirs or base is None:
            return
        with tempfile.TemporaryDirectory() as folder:
            files = [Path(folder) / each for each in ("base", "ours", "theirs")]
            for file, data in zip(files, (self.git("cat-file", "blob", base).encode(), ours, theirs), strict=True):
                file.write_bytes(data)
            merge_files(*files, path=kept)
            (self.root / kept).write_bytes(files[1].read_bytes())


def furnish(vault: Path, notes: int, world: World) -> None:
    folder = vault / "Memories/Short-term"
    folder.mkdir(parents=True)
    (vault / "Memories/Settings.md").write_text("---\nmnemex: settings\ntimezone: UTC\n---\n")
    (vault / ".gitattributes").write_text("*.md merge=mnemex\n")
    for number in range(notes):
        text = NOTE.format(number=number, topic=number % 40)
        (folder / f"Memory {number}.md").write_text(text, "utf-8")
        world.uses[f"m{number:07}"] = 0
        world.sentences.update({f"text-{number}-{part}": f"m{number:07}" for part in "ab"})


class Merging(socketserver.StreamRequestHandler):
    """Does what git asks of the merge driver."""

    def handle(self) -> None:
        where, heads, base, ours, theirs, size, path = self.rfile.readline().decode().rstrip("\n").split("\0")
        files = [Path(where) / each for each in (base, ours, theirs)]
        earlier = earlier_in_git(Path(where), dict.fromkeys(heads.split(), ""))
        left = merge_files(files[0], files[1], files[2], path=path, marker_size=int(size), earlier=earlier)
        self.wfile.write(b"%d\n" % bool(left))


@contextmanager
def merging() -> Iterator[int]:
    """Serve the merge driver and yield its port."""
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Merging) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


def clone(source: Path | str, root: Path, port: int) -> None:
    def git(*arguments: str) -> None:
        subprocess.run(["git", *arguments], check=True, capture_output=True)

    git("clone", "--quiet", str(source), str(root))
    driver = f"{shlex.quote(sys.executable)} -I -S -c {shlex.quote(DRIVER)} {port} %O %A %B %L %P"
    for name, value in {
        "user.name": root.name,
        "user.email": f"{root.name}@example.org",
        "merge.mnemex.driver": driver,
        "merge.renameLimit": "20000",
        "commit.gpgSign": "false",
        "gc.auto": "0",
    }.items():
        git("-C", str(root), "config", name, value)


def simulate(folder: Path, *, notes: int, days: int, uses: int, seed: int = 1) -> Report:
    """Let three devices live for some days, bring all together, and report."""
    started = time.perf_counter()
    report = Report(notes=notes, days=days)
    world, chance = World(report), random.Random(seed)
    first, hub = folder / "first", folder / "hub.git"
    first.mkdir()
    furnish(first, notes, world)
    for command in (
        ["git", "-C", str(first), "init", "--quiet", "--initial-branch=main"],
        ["git", "-C", str(first), "add", "--all"],
        ["git", "-C", str(first), "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "start"],
        ["git", "clone", "--quiet", "--bare", str(first), str(hub)],
    ):
        subprocess.run(command, check=True, capture_output=True)
    with ExitStack() as stack:
        devices = []
        port = stack.enter_context(merging())
        for number in range(len(CLOCKS)):
            root, clock = folder / f"device{number}", Clock()
            clone(hub, root, port)
            environ = {"MNEMEX_STATE_PATH": str(folder / f"state{number}")}
            app = stack.enter_context(open_app(root, clock=clock, environ=environ, options={"quiet_seconds": 0}))
            devices.append(Device(number, root, app, clock, random.Random(seed * 10 + number), world))
        for day in range(days):
            for device in chance.sample(devices, len(devices)):
                device.live(day, uses)
                if chance.random() < 0.7:
                    device.sync()
        for device in [*devices, *devices]:
            device.sync()
        for device in devices:
            device.examine()
        trees = {device.git("rev-parse", "HEAD^{tree}") for device in devices}
        report.unlike = len(trees) - 1
    report.seconds = round(time.perf_counter() - started, 1)
    return report


def main() -> int:
    return run(simulate, __doc__, days=30, uses_of="on each device")


def run(simulated: Callable[..., Report], told: str | None, *, days: int, uses_of: str) -> int:
    """Simulate by the arguments of the command line, and print what came of it; 1 if something went wrong."""
    parser = argparse.ArgumentParser(description=told)
    parser.add_argument("--notes", type=int, default=200)
    parser.add_argument("--days", type=int, default=days)
    parser.add_argument("--uses", type=int, default=10, help=f"uses a day {uses_of}")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = simulated(Path(folder), notes=given.notes, days=given.days, uses=given.uses, seed=given.seed)
    if given.json:
        print(json.dumps(asdict(report)))
    else:
        for name, value in asdict(report).items():
            print(f"  {name.replace('_', ' '):<26} {value:>10,}")
    return 0 if report.sound else 1


if __name__ == "__main__":
    sys.exit(main())
