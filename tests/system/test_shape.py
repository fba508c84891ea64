"""Notes of every shape among good ones: each is served, listed or left out, and none holds up the rest."""

from __future__ import annotations

import os
import resource
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError
from mnemex_vault.memories.recall import Request
from tests.conftest import StandingClock
from tests.mcp.talking import Talk
from tests.system import faults
from tests.system.checking import found, notes_of
from tests.system.conftest import save

ODD = {
    "null": "~",
    "empty": "",
    "banana": "banana",
    "negative": "-1",
    "nan": ".nan",
    "infinite": ".inf",
    "huge": "1e999",
    "digits": "9" * 5000,
    "list": "[1, 2]",
    "nested": "{a: {b: c}}",
    "text": "'3'",
}


@pytest.mark.row("H1", "T4")
def test_odd_values_among_good_notes_hold_nothing_up_and_stay_as_they_are(
    app: App, vault: Path, clock: StandingClock
) -> None:
    for number in range(100):
        save(app, number)
    folder = vault / "Memories" / "Short-term"
    odd = {}
    for key in ("strength", "use_count", "last_used", "created", "tags", "pinned", "fades_on", "half_life_days"):
        for name, value in ODD.items():
            path = folder / f"Odd {key} {name}.md"
            path.write_text(f"---\n{key}: {value}\nmemory_id: odd-{key}-{name}\n---\nOdd garden.\n", "utf-8")
            odd[path] = path.read_bytes()
    clock.advance(days=30)
    app.follow(None)
    page = app.recall.search(Request(query="garden", size=100))
    assert page.total == 100 + len(odd)
    assert app.overview.status().short_term == 100 + len(odd)
    assert app.forgetting.plan().candidates
    app.forgetting.run(app.forgetting.plan(limit=3))
    listed = {finding.path for finding in app.overview.findings()}
    assert {f"Memories/Short-term/Odd {key} banana.md" for key in ("strength", "use_count", "created")} <= listed
    assert {path: path.read_bytes() for path in odd if path.exists()} == {
        path: data for path, data in odd.items() if path.exists()
    }
    for name in ODD:
        app.lifecycle.touch(f"odd-strength-{name}")
        entry = app.store.memory_entry(f"odd-strength-{name}")
        line = f"strength: {ODD[name]}".rstrip()
        assert line in (vault / entry.path).read_text("utf-8")


@pytest.mark.slow
@pytest.mark.row("T15", "H4", "H5")
def test_bad_notes_among_five_hundred_are_listed_once_and_read_once(app: App, vault: Path) -> None:
    for number in range(500):
        (vault / f"Note {number}.md").write_text(f"The omega {number}.\n")
    bad = {
        "Binary.md": b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20,
        "Utf16.md": "The omega.\n".encode("utf-16"),
        "Nul.md": b"The omega\x00\x00\x00.\n",
        "Broken.md": b"---\na: [\n---\nThe kappa.\n",
    }
    for name, data in bad.items():
        (vault / name).write_bytes(data)
    with (vault / "Huge.md").open("wb") as huge:
        huge.truncate(50 << 20)
    (vault / "One line.md").write_bytes(b"omega " * (10 << 20))
    (vault / "Long line.md").write_bytes(b"sigma " * (1 << 20))
    app.follow(None)
    listed = [finding.path for finding in app.overview.findings()]
    assert sorted(set(listed)) == sorted(listed)
    assert {"Binary.md", "Utf16.md", "Broken.md", "Huge.md", "One line.md"} <= set(listed)
    assert app.recall.search(Request(query="omega", ordinary=True)).total >= 500
    assert set(found(app, "kappa")) == {"Broken.md"}
    assert set(found(app, "sigma")) == {"Long line.md"}
    assert not app.follow(None)
    assert {name: (vault / name).read_bytes() for name in bad} == bad


@pytest.mark.row("H7")
def test_deep_folders_and_long_names_are_read_or_left_out(app: App, vault: Path) -> None:
    deep = vault
    for number in range(200):
        deep = deep / f"f{number}"
        deep.mkdir()
    (deep / "Deep.md").write_text("The rye grows.\n")
    (vault / f"{'n' * 252}.md").write_text("The rye grows.\n")
    folder = os.open(deep, os.O_RDONLY)
    try:
        # deeper than a path may be long
        for _ in range(20):
            os.mkdir("d" * 250, dir_fd=folder)
            below = os.open("d" * 250, os.O_RDONLY, dir_fd=folder)
            os.close(folder)
            folder = below
        note = os.open("Too deep.md", os.O_CREAT | os.O_WRONLY, 0o600, dir_fd=folder)
        os.write(note, b"The rye grows.\n")
        os.close(note)
    finally:
        os.close(folder)
    try:
        app.follow(None)
        assert {Path(path).name for path in found(app, "rye")} >= {"Deep.md", f"{'n' * 252}.md"}
        save(app, 1)
    finally:
        faults.programs("rm")
        os.spawnlp(os.P_WAIT, "rm", "rm", "-rf", str(vault / "f0"))


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.row("H6")
def test_a_large_vault_starts_and_is_scanned_within_bounds(vault: Path, environ: dict[str, str], storms: bool) -> None:
    count = 100_000 if storms else 2_000
    for number in range(count):
        folder = vault / f"{number % 100:02d}"
        folder.mkdir(exist_ok=True)
        (folder / f"Note {number}.md").write_text(
            f"---\ntags: [t{number % 50}]\n---\n# Heading {number}\n\nThe omega {number} of word{number % 977}, "
            f"word{number % 31} and [[Note {number // 2}]].\n"
        )

    def largest() -> int:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10

    def work(say: faults.Say) -> None:
        # a child begins as large as the run of tests that it was born in
        born = largest()
        with open_app(vault, environ=environ):
            say("indexed")
        with open_app(vault, environ=environ) as app:
            app.follow(None)
            assert app.recall.search(Request(query="omega 77", ordinary=True)).total == count
            say(str(largest() - born))

    with faults.child(work) as child:
        child.wait_for("indexed", seconds=1500)
        assert child.wait(200) == 0
        _, megabytes = child.said()
    assert int(megabytes) < (3000 if storms else 400)


@pytest.mark.row("T22")
def test_an_update_that_names_a_place_in_a_note_is_refused(app: App, vault: Path) -> None:
    memory_id = save(app, 1)
    before = {path: path.read_bytes() for path in notes_of(vault)}
    for place in ({"heading": "Plan"}, {"section": "Plan"}, {"line": 3}, {"append": "more"}):
        refusal = Talk(app).refusal("update_memory", memory_id=memory_id, **place)
        assert next(iter(place)) in refusal
    assert {path: path.read_bytes() for path in notes_of(vault)} == before


@pytest.mark.row("T9")
@pytest.mark.parametrize(
    "head",
    [
        "---\nmemory_id: mine\n---\n",
        "\ufeff---\nmemory_id: mine\n---\n",
        "---\r\nmemory_id: mine\r\n---\r\n",
        "---\nmemory_id: mine\n",
        " ---\nmemory_id: mine\n---\n",
        "---\nmemory_id: mine\nmemory_id: mine\n---\n",
        "---\n\tmemory_id: mine\n---\n",
    ],
)
def test_no_change_adds_a_second_block_of_frontmatter(app: App, vault: Path, clock: StandingClock, head: str) -> None:
    path = vault / "Memories" / "Short-term" / "Mine.md"
    path.parent.mkdir(parents=True)
    data = f"{head}The rye grows.\n".encode()
    path.write_bytes(data)
    clock.advance(minutes=1)
    app.follow(None)
    try:
        app.lifecycle.touch("mine")
        candidate = app.lifecycle.promotion_candidate("mine", now=clock(), force=True)
        app.lifecycle.promote([candidate] if candidate else [])
        entry = app.store.memory_entry("mine")
        assert entry.tier is Tier.LONG_TERM
        text = (vault / entry.path).read_bytes()
        assert text.count(b"---") == 2
        assert text.count(b"memory_id") == 1
    except MnemexError:
        assert path.read_bytes() == data
