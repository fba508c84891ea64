"""Five people who share a vault through a git remote; run `python -m tests.bench.team [--days 14] [--notes 200] [--json]`.

The remote is a bare repository behind `git daemon`. Every day each person uses, edits, saves and moves memories, and on
most days commits, merges what the others pushed with the merge driver, and pushes; now and then somebody else is faster,
the push is refused, and it is done again. In the end every clone must have every sentence, once, every count must be the
sum of all uses, and `mnemex history --team` must name for each saved memory who learnt it.
"""

from __future__ import annotations

import random
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from mnemex_vault.app import open_app
from mnemex_vault.backup.team import Team
from tests.bench.devices import Clock, Device, Report, World, clone, furnish, merging, run
from tests.waiting import wait_until

PEOPLE = ("Ada", "Ben", "Zoë", "Jürgen", "渡辺")
EVERYTHING = 1_000_000


@dataclass(slots=True)
class TeamReport(Report):
    """What must be zero besides: memories of which the history names nobody, or another person."""

    people: int = len(PEOPLE)
    pushes_refused: int = 0
    learnt: int = 0
    wrongly_attributed: int = 0

    @property
    def sound(self) -> bool:
        return super(TeamReport, self).sound and not self.wrongly_attributed


class Member(Device):
    """One of the team; `faster` is who pushes between their merge and their push."""

    faster: Member | None = None

    def push(self) -> None:
        assert isinstance(self.report, TeamReport)
        if self.faster is not None:
            faster, self.faster = self.faster, None
            faster.sync()
        command = ["git", "push", "--quiet", "origin", "HEAD:main"]
        done = subprocess.run(command, cwd=self.root, capture_output=True, check=False)
        if done.returncode:
            self.report.pushes_refused += 1
            self.sync()

    def git(self, *arguments: str, check: bool = True) -> str:
        if arguments[0] == "push":
            self.push()
            return ""
        return super().git(*arguments, check=check)


@contextmanager
def git_daemon(folder: Path) -> Iterator[str]:
    """Serve the repositories of a folder on the loopback interface, and give their address."""
    for _ in range(10):
        with socket.create_server(("127.0.0.1", 0)) as found:
            port = found.getsockname()[1]
        options = ["--reuseaddr", "--listen=127.0.0.1", f"--port={port}", f"--base-path={folder}"]
        command = ["git", "daemon", "--export-all", "--enable=receive-pack", *options, str(folder)]
        with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:

            def listens(port: int = port) -> bool:
                with socket.socket() as connection:
                    return connection.connect_ex(("127.0.0.1", port)) == 0

            try:
                wait_until(lambda: process.poll() is not None or listens())
                if process.poll() is None:
                    yield f"git://127.0.0.1:{port}"
                    return
            finally:
                process.terminate()
    raise RuntimeError("git daemon does not start")


def found(folder: Path, notes: int, world: World) -> None:
    """Make the vault and the bare repository that all clone."""
    first, hub = folder / "first", folder / "team.git"
    first.mkdir()
    furnish(first, notes, world)
    who = ["-c", "user.name=Founder", "-c", "user.email=founder@example.org", "-c", "commit.gpgSign=false"]
    for command in (
        ["git", "-C", str(first), "init", "--quiet", "--initial-branch=main"],
        ["git", "-C", str(first), "add", "--all"],
        ["git", "-C", str(first), *who, "commit", "-qm", "start"],
        ["git", "clone", "--quiet", "--bare", str(first), str(hub)],
    ):
        subprocess.run(command, check=True, capture_output=True)


def attribute(member: Member, report: TeamReport) -> None:
    """Compare whom the history names with who it was; the name of a sentence tells."""
    learnt = {
        each.title: each.who
        for each in Team(member.app.memories.files).contributions(limit=EVERYTHING)
        if each.kind == "learnt" and each.title.startswith("Learned by-")
    }
    report.learnt = len(learnt)
    saved = {path.stem for path in (member.root / "Memories").rglob("Learned by-*.md")}
    report.wrongly_attributed += len(saved - learnt.keys())
    report.wrongly_attributed += sum(PEOPLE[int(title.split("-")[1])] != who for title, who in learnt.items())


def simulate(folder: Path, *, notes: int, days: int, uses: int, seed: int = 1) -> TeamReport:
    """Let five people live for some days, bring all together, and report."""
    started = time.perf_counter()
    report = TeamReport(notes=notes, days=days)
    world, chance = World(report), random.Random(seed)
    found(folder, notes, world)
    with ExitStack() as stack:
        address, port = stack.enter_context(git_daemon(folder)), stack.enter_context(merging())
        members = []
        for number, name in enumerate(PEOPLE):
            root, clock = folder / name, Clock()
            clone(f"{address}/team.git", root, port)
            environ = {"MNEMEX_STATE_PATH": str(folder / f"state{number}")}
            app = stack.enter_context(open_app(root, clock=clock, environ=environ, options={"quiet_seconds": 0}))
            members.append(Member(number, root, app, clock, random.Random(seed * 10 + number), world))
        for day in range(days):
            for member in chance.sample(members, len(members)):
                member.live(day, uses)
                if chance.random() < 0.7:
                    others = [other for other in members if other is not member]
                    member.faster = chance.choice(others) if chance.random() < 0.2 else None
                    member.sync()
        for member in [*members, *members]:
            member.sync()
        for member in members:
            member.examine()
            attribute(member, report)
        report.unlike = len({member.git("rev-parse", "HEAD^{tree}") for member in members}) - 1
    report.seconds = round(time.perf_counter() - started, 1)
    return report


def main() -> int:
    return run(simulate, __doc__, days=14, uses_of="of each person")


if __name__ == "__main__":
    sys.exit(main())
