"""Three devices that share a vault through Syncthing; run `python -m tests.bench.syncthing [--notes 1000] [--rounds 10]`.

The program is the real one, three daemons on the loopback interface that reach nothing else, each with a home, a vault,
a server and a person of its own. In every round all devices are paused, and everybody uses, edits, saves, promotes,
archives, renames and deletes; then the devices meet, Syncthing makes its conflict copies, and each device in turn
joins the copies whose common version it knows. In the end every sentence and every use is counted, on every device.
What could not be joined must be named by `doctor`.

Two parts more: a daemon is killed in the middle of a transfer, and a whole vault arrives on a new device while its
server runs. `syncthing` must be installed; nothing is waited for but what its REST interface tells.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from mnemex_vault.app import make_app
from mnemex_vault.memories.healing import rough_counts
from mnemex_vault.memories.recall import Request
from mnemex_vault.memories.status import Trouble
from mnemex_vault.service import Service
from mnemex_vault.text.file_names import is_conflict_copy
from mnemex_vault.text.note import Note
from tests.bench import devices
from tests.bench.devices import CLOCKS, Clock, Person, furnish
from tests.waiting import wait_until

FOLDER = "vault"
# a busy machine hashes and sends slowly
PATIENCE = 1_800.0
_PAUSE = 0.1
FOREVER = timedelta(days=36_500)
CONFIG = """<configuration version="36">
  <folder id="{folder}" label="" path="{vault}" type="sendreceive" rescanIntervalS="3600" fsWatcherEnabled="true"
          fsWatcherDelayS="1" ignorePerms="false" autoNormalize="true">{members}
    <maxConflicts>10</maxConflicts>
  </folder>
  {devices}
  <gui enabled="true" tls="false"><address>{gui}</address><apikey>{key}</apikey></gui>
  <options>
    <listenAddress>{listen}</listenAddress>
    <globalAnnounceEnabled>false</globalAnnounceEnabled>
    <localAnnounceEnabled>false</localAnnounceEnabled>
    <relaysEnabled>false</relaysEnabled>
    <natEnabled>false</natEnabled>
    <stunServer></stunServer>
    <startBrowser>false</startBrowser>
    <urAccepted>-1</urAccepted>
    <autoUpgradeIntervalH>0</autoUpgradeIntervalH>
    <crashReportingEnabled>false</crashReportingEnabled>
    <reconnectionIntervalS>1</reconnectionIntervalS>
    <maxRecvKbps>{kbps}</maxRecvKbps>
    <limitBandwidthInLan>true</limitBandwidthInLan>
    <setLowPriority>false</setLowPriority>
  </options>
</configuration>
"""
_DEVICE = '<device id="{0}" name="{1}" compression="never"><address>tcp://{2}:22000</address></device>'


class Daemon:
    """A Syncthing with a home and an address of its own, and the vault it shares."""

    key = "a key that only this machine sees"

    def __init__(self, home: Path, vault: Path, number: int) -> None:
        self.home, self.vault = home, vault
        # every process has addresses of its own on the loopback interface, so that no port is taken
        self.address = f"127.{os.getpid() >> 8 & 255}.{os.getpid() & 255}.{number + 2}"
        self.process: subprocess.Popen[bytes] | None = None
        options = ["--no-default-folder", "--skip-port-probing"]
        subprocess.run(["syncthing", "generate", f"--home={home}", *options], check=True, capture_output=True)
        found = ElementTree.parse(home / "config.xml").find("device")
        assert found is not None
        self.id = found.attrib["id"]
        vault.mkdir(parents=True, exist_ok=True)
        (vault / ".stfolder").mkdir()

    def share_with(self, daemons: Sequence[Daemon], *, at_most_kbps: int = 0) -> None:
        """Write the configuration for a folder that all of these share; it receives `at_most` so much, if not 0."""
        members = "".join(f'<device id="{each.id}"/>' for each in daemons)
        known = "\n  ".join(_DEVICE.format(each.id, each.home.name, each.address) for each in daemons)
        text = CONFIG.format(
            folder=FOLDER,
            vault=self.vault,
            members=members,
            devices=known,
            gui=f"{self.address}:8384",
            key=self.key,
            listen=f"tcp://{self.address}:22000",
            kbps=at_most_kbps,
        )
        (self.home / "config.xml").write_text(text)

    def start(self) -> None:
        command = ["syncthing", "serve", f"--home={self.home}", "--no-browser", "--no-restart", "--no-upgrade"]
        with (self.home / "log").open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        wait_until(self._answers, seconds=PATIENCE, pause_seconds=_PAUSE)

    def _answers(self) -> bool:
        assert self.process is not None
        assert self.process.poll() is None, (self.home / "log").read_text()[-2_000:]
        try:
            return bool(self.rest("system/ping"))
        except (urllib.error.URLError, ConnectionError):
            return False

    def end(self, *, kill: bool = False) -> None:
        if self.process is not None:
            self.process.kill() if kill else self.process.terminate()
            self.process.wait()
        self.process = None

    def rest(self, path: str, body: object = None, *, method: str = "") -> Any:
        """Ask the REST interface; a method with no body changes something as well."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"http://{self.address}:8384/rest/{path}", data, method=method or None)
        request.add_header("X-API-Key", self.key)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            text = answer.read()
        return json.loads(text) if text.strip() else None

    def log(self) -> str:
        return (self.home / "log").read_text("utf-8")

    def pause(self) -> None:
        self.rest("system/pause", method="POST")

    def resume(self) -> None:
        self.rest("system/resume", method="POST")

    def scan(self) -> None:
        """Let it look at all files now; returns when it has."""
        self.rest(f"db/scan?folder={FOLDER}", method="POST")

    def is_idle(self) -> bool:
        status = self.rest(f"db/status?folder={FOLDER}")
        return status["state"] == "idle" and not status["needTotalItems"] and not status["pullErrors"]

    def has_given(self, other: Daemon) -> bool:
        """Tell whether the other one has all of what this one knows."""
        done = self.rest(f"db/completion?folder={FOLDER}&device={other.id}")
        return done["completion"] == 100 and not done["needItems"] and not done["needDeletes"]

    def tree(self) -> dict[str, bytes]:
        return {str(path.relative_to(self.vault)): path.read_bytes() for path in _files(self.vault)}


def _files(vault: Path) -> Iterator[Path]:
    return (path for path in vault.rglob("*") if path.is_file() and not path.name.startswith(".syncthing."))


def temporary(vault: Path) -> list[Path]:
    """Return what Syncthing has not finished."""
    return sorted(path for path in vault.rglob(".syncthing.*.tmp"))


@contextmanager
def running(folder: Path, count: int) -> Iterator[list[Daemon]]:
    """Start daemons that know each other, and end them."""
    daemons = [Daemon(folder / f"home{number}", folder / f"device{number}", number) for number in range(count)]
    for daemon in daemons:
        daemon.share_with(daemons)
    with ExitStack() as stack:
        for daemon in daemons:
            stack.callback(daemon.end)
            daemon.start()
        yield daemons


def settle(daemons: Sequence[Daemon]) -> None:
    """Let all find what changed, and wait until every one has what the others have."""
    for daemon in daemons:
        daemon.scan()
    wait_until(lambda: _is_settled(daemons), seconds=PATIENCE, pause_seconds=_PAUSE)


def _is_settled(daemons: Sequence[Daemon]) -> bool:
    if not all(daemon.is_idle() for daemon in daemons):
        return False
    if not all(one.has_given(other) for one in daemons for other in daemons if one is not other):
        return False
    try:
        first, *others = (daemon.tree() for daemon in daemons)
    except FileNotFoundError:
        return False
    return all(other == first for other in others)


@dataclass(slots=True)
class Report(devices.Report):
    """What happened besides: `copies` that Syncthing made, how many were joined, and what is left to a person.

    Memories with two notes are `named` by `doctor`, and so are counts that two devices may have added to.
    """

    renames: int = 0
    deletions: int = 0
    copies: int = 0
    joined: int = 0
    joined_roughly: int = 0
    left: Counter[str] = field(default_factory=Counter)
    named: int = 0
    rough_counts: int = 0
    unnamed_copies: int = 0
    temporary_indexed: int = 0
    dropped_by_syncthing: int = 0

    @property
    def sound(self) -> bool:
        return super(Report, self).sound and not (self.unnamed_copies or self.temporary_indexed)


@dataclass(slots=True)
class World(devices.World):
    """What is true, and which memories a person deleted on some device: those may be gone, or not."""

    deleted: set[str] = field(default_factory=set)
    # those of which `doctor` says on some device that they may have been used more often
    rough: set[str] = field(default_factory=set)

    @property
    def syncthing(self) -> Report:
        assert isinstance(self.report, Report)
        return self.report


class Member(Person):
    """A person with a server of their own, who also renames and deletes notes by hand."""

    moving = 0.6
    world: World

    def __init__(self, daemon: Daemon, number: int, service: Service, clock: Clock, seed: int, world: World) -> None:
        super().__init__(number, daemon.vault, service.app, clock, random.Random(seed * 10 + number), world)
        self.daemon, self.service, self.named_by_doctor = daemon, service, set[str]()

    def live(self, day: int, uses: int) -> None:
        super().live(day, uses)
        known = sorted(entry.memory_id or "" for entry in self.app.store.catalog.memories())
        if self.chance.random() < 0.5:
            self._rename(self._favourite(known))
        if self.chance.random() < 0.3:
            self._delete(self.chance.choice(known))

    def _rename(self, memory_id: str) -> None:
        path = self.root / self.app.store.memory_entry(memory_id).path
        if not is_conflict_copy(path.name):
            path.rename(path.with_name(f"{path.stem.partition(' as ')[0]} as {self.number} calls it.md"))
            self.app.follow(None)
            self.world.syncthing.renames += 1

    def _delete(self, memory_id: str) -> None:
        (self.root / self.app.store.memory_entry(memory_id).path).unlink()
        self.app.follow(None)
        self.world.deleted.add(memory_id)
        self.world.syncthing.deletions += 1

    def heal(self, *, patience: timedelta) -> None:
        """Join the copies; with patience only those of which this device knows for certain what they were made of."""
        self.clock.now += timedelta(minutes=30)
        healing = self.app.healer.heal(patience=patience)
        self.world.syncthing.joined += len(healing.healed)
        self.world.syncthing.joined_roughly += sum(not each.exact for each in healing.healed)

    def examine(self) -> None:
        """Compare what this device has with what is true; what `doctor` names is not counted, but must be there."""
        notes = [(path, Note.parse(path, text.encode()), text) for path, text in self._notes()]
        places = defaultdict(list)
        for path, note, text in notes:
            places[note.memory_id or path].append((path, note, text))
        report = self.world.syncthing
        findings = list(self.app.overview.findings())
        reported = {each.path for each in findings if each.trouble in (Trouble.CONFLICT, Trouble.SAME_ID)}
        seen: Counter[str] = Counter()
        for memory_id, found in places.items():
            words = [_sentences(text) for _, _, text in found]
            if len(found) > 1:
                report.named += 1
                report.unnamed_copies += not any(path in reported for path, _, _ in found)
                seen.update({word for each in words for word in each})
                continue
            seen.update(word for each in words for word in each)
            self._compare_count(memory_id, found[0][1])
        kept = [token for token, memory_id in self.world.sentences.items() if memory_id not in self.world.deleted]
        report.lost += sum(not seen[token] for token in kept)
        report.doubled += sum(count > 1 for count in seen.values())
        report.temporary_indexed += sum("syncthing" in entry.path for entry in self.app.store.catalog)

    def _compare_count(self, memory_id: str, note: Note) -> None:
        report = self.world.syncthing
        if memory_id in self.world.uses and memory_id not in self.world.deleted:
            wrong = note.values.get("use_count") != 1 + self.world.uses[memory_id]
            named = memory_id in self.world.rough
            report.counter_errors += wrong and not named
            report.rough_counts += wrong and named


def _sentences(text: str) -> list[str]:
    return [word for word in text.split() if word.startswith(("by-", "text-"))]


@contextmanager
def member(daemon: Daemon, number: int, folder: Path, world: World, seed: int) -> Iterator[Member]:
    environ = {"MNEMEX_STATE_PATH": str(folder / f"state{number}"), "XDG_CONFIG_HOME": str(folder / "config")}
    clock = Clock()
    options = {"quiet_seconds": 0, "upkeep": "none", "timezone": "UTC"}
    service = Service(make_app(daemon.vault, clock=clock, environ=environ, options=options))
    service.start()
    try:
        wait_until(service.ready.is_set, seconds=PATIENCE)
        yield Member(daemon, number, service, clock, seed, world)
    finally:
        service.close()


def simulate(folder: Path, *, notes: int, rounds: int, uses: int, seed: int = 1) -> Report:
    """Let three devices live apart and meet, some times, and report."""
    started = time.perf_counter()
    report = Report(notes=notes, days=rounds)
    world = World(report)
    furnish(folder / "device0", notes, world)
    (folder / "device0/.gitattributes").unlink()
    (folder / "device0/.obsidian").mkdir()
    (folder / "device0/.obsidian/app.json").write_text('{"trashOption": "local"}')
    with running(folder, len(CLOCKS)) as daemons, ExitStack() as stack:
        settle(daemons)
        members = [stack.enter_context(member(each, n, folder, world, seed)) for n, each in enumerate(daemons)]
        for day in range(rounds):
            live_apart(members, day, uses)
            report.copies += len(conflict_copies(daemons[0]))
            for each, patience in [*((each, FOREVER) for each in members), (members[day % len(members)], timedelta())]:
                each.heal(patience=patience)
                meet(members)
        for each in members:
            world.rough |= {entry.memory_id or "" for entry in rough_counts(each.app.store)}
        for each in members:
            each.examine()
        report.dropped_by_syncthing = sum(each.log().count("already a conflict copy") for each in daemons)
        report.left.update(left.reason for left in members[0].app.healer.heal(dry_run=True).left)
    report.seconds = round(time.perf_counter() - started, 1)
    return report


def live_apart(members: Sequence[Member], day: int, uses: int) -> None:
    """Let everybody live for a day while no device hears of another, then let them meet."""
    daemons = [each.daemon for each in members]
    for daemon in daemons:
        daemon.pause()
    for each in members:
        each.live(day, uses)
    for daemon in daemons:
        daemon.scan()
    # two copies that were made in the same second have one name, and of those Syncthing keeps one
    for number, daemon in enumerate(daemons, 1):
        daemon.resume()
        settle(daemons[:number])
    meet(members)


def meet(members: Sequence[Member]) -> None:
    """Let all devices come to the same, and their servers follow."""
    settle([each.daemon for each in members])
    for each in members:
        each.app.follow(None)


def interrupt(folder: Path, *, megabytes: int = 3) -> Interruption:
    """Kill a daemon while a large note comes in slowly, look at what the server makes of it, and let it come."""
    found = Interruption()
    with running(folder, 2) as daemons, ExitStack() as stack:
        here, there = daemons
        there.end()
        there.share_with(daemons, at_most_kbps=300)
        there.start()
        follower = stack.enter_context(member(there, 1, folder, World(Report()), 1))
        text = "".join(f"Line {number} of a long report that is sent slowly.\n" for number in range(20_000 * megabytes))
        (here.vault / "Report.md").write_text(text)
        (here.vault / "Small.md").write_text("A gondola is a boat.\n")
        here.scan()
        wait_until(lambda: _is_coming(there.vault), seconds=PATIENCE, pause_seconds=_PAUSE)
        there.end(kill=True)
        found.temporary = len(temporary(there.vault))
        follower.app.follow(None)
        found.indexed_meanwhile = sum("Report" in entry.path for entry in follower.app.store.catalog)
        found.complaints = sum("syncthing" in each.path for each in follower.app.overview.findings())
        there.share_with(daemons)
        there.start()
        settle(daemons)
        follower.app.follow(None)
        entry = follower.app.store.catalog.get("Report.md")
        found.whole = entry is not None and (there.vault / "Report.md").read_text() == text
        found.left_over = len(temporary(there.vault))
    return found


def _is_coming(vault: Path) -> bool:
    return any(path.name.startswith(".syncthing.Report") for path in temporary(vault))


@dataclass(slots=True)
class Interruption:
    """What was seen of a transfer that was cut off."""

    temporary: int = 0
    indexed_meanwhile: int = 0
    complaints: int = 0
    whole: bool = False
    left_over: int = 0

    @property
    def sound(self) -> bool:
        return bool(self.temporary) and self.whole and not (self.indexed_meanwhile or self.complaints or self.left_over)


def arrive(folder: Path, *, notes: int) -> Arrival:
    """Let a whole vault come to a new device whose server runs."""
    started = time.perf_counter()
    world = World(Report())
    furnish(folder / "device0", notes, world)
    found = Arrival(notes=notes)
    with running(folder, 2) as daemons, ExitStack() as stack:
        follower = stack.enter_context(member(daemons[1], 1, folder, world, 1))
        settle(daemons)
        found.seconds_to_arrive = round(time.perf_counter() - started, 1)
        catalog = follower.app.store.catalog
        wait_until(lambda: len(catalog.memories()) == notes, seconds=PATIENCE, pause_seconds=_PAUSE)
        follower.app.store.text.flush()
        found.known = len(catalog.memories())
        found.problems = len(list(follower.app.overview.findings()))
        numbers = random.Random(1).sample(range(notes), min(notes, 50))
        found.found = sum(_finds(follower, f"text-{number}-a", f"m{number:07}") for number in numbers) / len(numbers)
        found.paused = follower.app.guard.problem(of_clock=False) or ""
    found.seconds = round(time.perf_counter() - started, 1)
    return found


def _finds(who: Member, words: str, memory_id: str) -> bool:
    hits = who.app.recall.search(Request(query=f'"{words}"')).hits
    return any(hit.entry.memory_id == memory_id for hit in hits)


@dataclass(slots=True)
class Arrival:
    """What a server made of a vault that came while it ran; `found` is the share of asked notes that a search found."""

    notes: int
    known: int = 0
    problems: int = 0
    found: float = 0.0
    paused: str = ""
    seconds_to_arrive: float = 0.0
    seconds: float = 0.0

    @property
    def sound(self) -> bool:
        return self.known == self.notes and not self.problems and self.found == 1 and not self.paused


def conflict_copies(daemon: Daemon) -> list[Path]:
    return [path for path in daemon.vault.rglob("*.md") if is_conflict_copy(path.name) and ".trash" not in path.parts]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--uses", type=int, default=6, help="uses in a round on each device")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--arriving", type=int, default=10_000, help="notes that come to a new device")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mnemex-syncthing-") as folder:
        base = Path(folder)
        apart = partial(simulate, notes=given.notes, rounds=given.rounds, uses=given.uses, seed=given.seed)
        sound = [_told(apart(base / "apart")), _told(interrupt(base / "cut off"))]
        sound.append(_told(arrive(base / "new", notes=given.arriving)))
    return 0 if all(sound) else 1


def _told(part: Report | Interruption | Arrival) -> bool:
    print(type(part).__name__)
    for name, value in asdict(part).items():
        print(f"  {name.replace('_', ' '):<26} {value}", flush=True)
    return part.sound


if __name__ == "__main__":
    sys.exit(main())
