"""`list` and `open`: all memories in an order, and one of them in a program of the person's."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.cli.conftest import Run, Saver
from tests.conftest import StandingClock

TEXTS = ["Zora moved to Graz last week.", "Anna went to a cello class yesterday.", "Ben had tea at noon."]


@pytest.fixture
def three(run: Run, saved: Saver, clock: StandingClock) -> None:
    ids = []
    for text in TEXTS:
        ids.append(saved(text))
        clock.advance(days=1)
    run("touch", ids[0])
    clock.advance(days=1)


@pytest.mark.parametrize(
    ("sort", "initials"), [("created", "BAZ"), ("title", "ABZ"), ("last-used", "ZBA"), ("score", "ZBA")]
)
def test_memories_are_listed_in_the_order_that_is_asked_for(sort: str, initials: str, run: Run, three: None) -> None:
    for options, expected in (([], initials), (["--reverse"], initials[::-1]), (["-n", "1"], initials[:1])):
        told = run("list", "--sort", sort, *options, "--json").data
        assert "".join(each["title"][0] for each in told["memories"]) == expected
        assert told["total"] == 3
    assert run("list", "--sort", sort, "--limit", "1").out.count("\n1 of 3 memories.\n") == 1


def test_forgotten_ones_are_listed_on_request(run: Run, saved: Saver) -> None:
    assert run("list").out == "There is no memory yet.\n"
    run("forget", saved())
    assert run("list", "--json").data["total"] == 0
    assert run("list", "--archived").out.endswith("\n1 memory.\n")


def test_memories_are_listed_by_tag_and_by_what_lies_below_it(run: Run, saved: Saver) -> None:
    for text, tag in zip(TEXTS, ("home", "music/cello", "Music"), strict=True):
        saved(text, "--tag", tag)
    told = run("list", "--tag", "#music", "--json").data
    assert {each["title"][0] for each in told["memories"]} == {"A", "B"}
    assert run("list", "--tag", "home", "--tag", "music/cello", "--json").data["total"] == 2
    assert run("list", "--tag", "mus").out == "No memory has such a tag.\n"


def test_without_a_screen_the_address_is_printed(run: Run, saved: Saver, vault: Path) -> None:
    saved("Zoë likes tea & cake.")
    (vault / "Ideas.md").write_text("Tea", "utf-8")
    address, place = run("open", "Zoë likes tea & cake").out.splitlines()
    assert unquote(address) == f"obsidian://open?vault={vault.name}&file=Memories/Short-term/Zoë likes tea & cake"
    assert Path(place).is_file()
    assert run("open", "Ideas", "--json").data == {
        "path": "Ideas.md",
        "file": str(vault / "Ideas.md"),
        "obsidian_url": "obsidian://open?vault=My%20vault&file=Ideas",
        "opened": False,
    }
    assert run("open", "nobody").code == 1


@pytest.mark.skipif(sys.platform != "linux", reason="xdg-open")
@pytest.mark.parametrize(("code", "said"), [(0, "Opened in Obsidian"), (3, "obsidian://open")])
def test_with_a_screen_obsidian_is_asked_for(code: int, said: str, run: Run, saved: Saver, tmp_path: Path) -> None:
    saved()
    opener = tmp_path / "bin/xdg-open"
    opener.parent.mkdir()
    opener.write_text(f'#!/bin/sh\necho "$1" > "{tmp_path}/asked"\nexit {code}\n')
    opener.chmod(0o755)
    outcome = run("open", "Anna plays the cello on Mondays", PATH=f"{opener.parent}:/usr/bin:/bin", DISPLAY=":0")
    assert outcome.code == 0
    assert said in outcome.out
    assert (tmp_path / "asked").read_text().startswith("obsidian://open?vault=My%20vault&file=")


def test_the_editor_gets_the_file_and_what_it_changes_is_found(run: Run, saved: Saver, tmp_path: Path) -> None:
    saved()
    script = tmp_path / "an editor.py"
    script.write_text(
        "import sys, pathlib\np = pathlib.Path(sys.argv[1])\np.write_text(p.read_text('utf-8').replace('cello', 'oboe'), 'utf-8')"
    )
    editor = shlex.join([sys.executable, str(script)])
    assert run("open", "Anna plays the cello on Mondays", "--editor", EDITOR=editor).code == 0
    assert "oboe" in run("search", "oboe").out


def test_an_editor_that_is_not_named_or_fails_is_told(run: Run, saved: Saver) -> None:
    saved()
    unnamed = run("open", "Anna plays the cello on Mondays", "-e")
    assert unnamed.code == 0
    assert unnamed.out.endswith("Anna plays the cello on Mondays.md\n")
    assert "set EDITOR" in unnamed.err
    assert run("open", "Anna plays the cello on Mondays", "-e", EDITOR="no-such-editor").code == 1
    assert run("open", "Anna plays the cello on Mondays", "-e", EDITOR="false").code == 1
