"""Clocks that jump, zones that change, file times from another age."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemex_vault.app import App, make_app
from mnemex_vault.service import ROUND, Service, Slices
from tests.conftest import StandingClock
from tests.system import faults
from tests.system.checking import found, notes_of
from tests.system.conftest import Opened, save
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
JUMP = """
import os, sys
from mnemex_vault.app import open_app
from mnemex_vault.errors import AutomationPaused
from mnemex_vault.memories.recall import Request
from mnemex_vault.memories.upkeep import Step
stamp = os.environ["FAKETIME_TIMESTAMP_FILE"]
def set_clock(to): open(stamp, "w").write(to + "\\n")
with open_app(sys.argv[1]) as app:
    app.guard.check()
    set_clock(sys.argv[2])
    assert abs(app.store.clock().year - int(sys.argv[3])) <= 1, app.store.clock()
    for work in (lambda: app.upkeep.run(list(Step), dry_run=False), lambda: app.forgetting.run(app.forgetting.plan())):
        try: work()
        except AutomationPaused as error: print(error.reason)
    print(app.retention.prune_if_due())
    hits = app.recall.search(Request(query="garden", size=50)).hits
    print(len(hits), all(hit.score >= 0 for hit in hits))
    set_clock("+0")
    app.guard.check()
"""


@pytest.mark.row("D1", "D2")
@pytest.mark.parametrize(
    ("jump", "years", "words"),
    [pytest.param("-2190d", -6, "went back", marks=pytest.mark.slow), ("+3650d", 10, "jumped ahead")],
)
def test_a_clock_that_jumps_stops_automatic_change_until_it_is_right_again(
    vault: Path, environ: dict[str, str], opened: Opened, tmp_path: Path, jump: str, years: int, words: str
) -> None:
    libraries = [*Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), *Path("/usr/lib").glob("faketime/lib*MT*")]
    faults.need(libraries, "libfaketime")
    with opened() as app:
        for number in range(12):
            save(app, number)
    before = {path: path.read_bytes() for path in notes_of(vault)}
    stamp = tmp_path / "clock"
    stamp.write_text("+0\n")
    fake = {
        "LD_PRELOAD": str(libraries[0]),
        "FAKETIME_TIMESTAMP_FILE": str(stamp),
        "FAKETIME_NO_CACHE": "1",
        "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }
    year = str((datetime.now(UTC) + timedelta(days=365 * years)).year)
    command = [sys.executable, "-c", JUMP, str(vault), jump, year]
    ran = subprocess.run(
        command, env={**os.environ, **environ, **fake}, capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert ran.returncode == 0, ran.stderr
    first, second, pruned, searched = ran.stdout.splitlines()
    assert words in first
    assert words in second
    assert (pruned, searched) == ("0", "12 True")
    assert {path: path.read_bytes() for path in notes_of(vault)} == before


@pytest.mark.row("D4")
@pytest.mark.parametrize("now", ["2026-03-29T00:59:59", "2026-10-25T00:30:00", "2028-02-29T12:00:00"])
def test_scores_and_order_do_not_depend_on_the_zone_of_the_machine(
    vault: Path, environ: dict[str, str], now: str
) -> None:
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)

    def scores(zone: str) -> list[str]:
        def work(say: faults.Say) -> None:
            os.environ["TZ"] = zone
            clock = StandingClock(moment)
            app = make_app(vault, clock=clock, environ=environ, options={"timezone": "Europe/Berlin"})
            app.catch_up()
            if not app.store.catalog.memories():
                for number in range(3):
                    save(app, number)
                    clock.advance(minutes=31)
            clock.now = moment + timedelta(days=1)
            entries = sorted(app.store.catalog.memories(), key=lambda entry: -app.store.score(entry, now=clock()))
            say(" ".join(f"{entry.title}={app.store.score(entry, now=clock()):.6f}" for entry in entries))

        with faults.child(work) as child:
            assert child.wait() == 0
            return child.said()

    found_here = scores("Europe/Berlin")
    assert found_here == scores("America/New_York") == scores("Asia/Kolkata") == scores("UTC")
    # an error of an hour is accepted for a time within a repeated hour
    assert all(float(each.split("=")[1]) > 0.6 for each in found_here[0].split("Fact")[1:])


@pytest.mark.row("D5")
def test_a_tool_that_puts_the_time_back_hides_no_edit(app: App, vault: Path) -> None:
    note = vault / "Plan.md"
    note.write_text("alpha one\n")
    app.follow(None)
    times = note.stat()
    note.write_text("omega one\n")
    os.utime(note, ns=(times.st_atime_ns, times.st_mtime_ns))
    app.follow(None)
    assert set(found(app, "omega")) == {"Plan.md"}
    assert found(app, "alpha") == {}


@pytest.mark.row("D5")
def test_every_note_is_read_again_within_a_day(app: App, vault: Path) -> None:
    for number in range(30):
        (vault / f"{number:02d}.md").write_text("alpha one\n")
    app.follow(None)
    for number in range(30):
        (vault / f"{number:02d}.md").write_text("omega one\n")
    slices = Slices(app.store.catalog, app.reconciler)
    shares = [slices.next(now=app.store.clock(), since=ROUND / 10).changed for _ in range(10)]
    assert [len(share) for share in shares] == [3] * 10
    assert len(found(app, "omega")) == 30


@pytest.mark.row("D6")
@pytest.mark.parametrize("seconds", [0, 1, 4_323_000_000, -86_400, 253_402_300_799])
def test_file_times_of_another_age_are_no_hindrance(app: App, vault: Path, seconds: int) -> None:
    memory_id = save(app, 1)
    path = vault / app.store.memory_entry(memory_id).path
    (vault / "Plan.md").write_text("The pond.\n")
    for each in (path, vault / "Plan.md"):
        try:
            os.utime(each, (seconds, seconds))
        except OverflowError:
            pytest.skip("needs a file system that knows such times")
    app.follow(None)
    assert len(found(app, "garden")) == 1
    assert len(found(app, "pond")) == 1
    app.lifecycle.touch(memory_id)
    assert app.store.usage(app.store.memory_entry(memory_id)).use_count == 2


@pytest.mark.row("D7")
def test_a_server_goes_on_after_a_suspension(vault: Path, environ: dict[str, str]) -> None:
    def work(say: faults.Say) -> None:
        service = Service(make_app(vault, environ=environ, options={"timezone": "UTC"}))
        service.start()
        assert service.wait_ready(PATIENCE)
        say("ready")
        while not found(service.app, "rye"):
            signal.sigtimedwait([], 0.02)
        say("found")
        service.close()

    with faults.child(work) as child:
        child.wait_for("ready")
        child.signal(signal.SIGSTOP)
        (vault / "Plan.md").write_text("The rye grows.\n")
        signal.sigtimedwait([], 1.5)
        child.signal(signal.SIGCONT)
        child.wait_for("found")
        assert child.wait() == 0
