"""The walks of `docs/architecture.md` are what happens: each line is called while the line above it runs."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.service import Service
from tests.mcp.talking import Talk

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "mnemex_vault"
Call = tuple[str, str]
NOTE = """---
pinned: false
created: {before:%Y-%m-%dT%H:%M:%S}
last_used: {before:%Y-%m-%dT%H:%M:%S}
use_count: 9
days_used: 4
strength: 1.5
memory_id: kettle0001
---
The kettle whistles on the stove.
"""


def walks() -> dict[str, list[tuple[Call, Call]]]:
    """Return of each walk what calls what, by file and function."""
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    found: dict[str, list[tuple[Call, Call]]] = {}
    section = text.partition("<!-- walks -->")[2].partition("\n## ")[0]
    above: dict[int, Call] = {}
    name = ""
    for line in section.splitlines():
        if heading := re.match(r"\*\*(.+?)\*\*", line):
            name = heading[1]
        elif step := re.match(r"( *)\* `([\w/]+\.py)` `(\w+)`", line):
            above[len(step[1])] = (step[2], step[3])
            if step[1]:
                found.setdefault(name, []).append((above[len(step[1]) - 2], (step[2], step[3])))
    return found


WALKS = walks()
NAMED = {call for steps in WALKS.values() for pair in steps for call in pair}


def call_of(frame: FrameType) -> Call | None:
    path = frame.f_code.co_filename
    if not path.startswith(f"{PACKAGE}/"):
        return None
    return path.removeprefix(f"{PACKAGE}/"), frame.f_code.co_name


@contextmanager
def followed() -> Iterator[set[tuple[Call, Call]]]:
    """Collect which of the named calls happen while which others run."""
    seen: set[tuple[Call, Call]] = set()

    def look(frame: FrameType, event: str, _arg: object) -> None:
        if event != "call" or (call := call_of(frame)) not in NAMED or call is None:
            return
        outer = frame.f_back
        while outer:
            if (caller := call_of(outer)) in NAMED and caller is not None:
                seen.add((caller, call))
            outer = outer.f_back

    threading.setprofile(look)
    sys.setprofile(look)
    try:
        yield seen
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[tuple[set[tuple[Call, Call]], App, Talk]]:
    vault = tmp_path / "vault"
    (vault / "Memories/Short-term").mkdir(parents=True)
    note = vault / "Memories/Short-term/Kettle.md"
    note.write_text(NOTE.format(before=datetime.now(UTC) - timedelta(hours=1)), encoding="utf-8")
    with followed() as seen, open_app(vault, environ={"MNEMEX_STATE_PATH": str(tmp_path / "state")}) as app:
        app.follow(None)
        yield seen, app, Talk(app)


@pytest.mark.parametrize("walk", WALKS)
def test_the_walk_is_what_happens(walk: str, seen: tuple[set[tuple[Call, Call]], App, Talk]) -> None:
    calls, app, talk = seen
    match walk:
        case "Save":
            talk.call("save_memory", content="Tea is drunk at four, without milk, with Ada.")
        case "Search":
            talk.call("search_memory", query="kettle")
        case "An edit by hand":
            (app.root / "Memories/Short-term/By hand.md").write_text("Written by hand.", encoding="utf-8")
            Service(app)._look({"Memories/Short-term/By hand.md"})
        case "Promote":
            talk.call("promote_memory", memory_id="kettle0001")
        case _:
            talk.call("promote_memory", memory_id="kettle0001")
            talk.call("undo")
    assert [step for step in WALKS[walk] if step not in calls] == []
