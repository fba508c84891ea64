"""Notes whose text a sync service keeps elsewhere: they are told of, come back as they were, and are never changed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.errors import MnemexError, NoteAway, NoteExists
from mnemex_vault.history.steps import Create
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.recall import Request
from mnemex_vault.text.note import NoteKind
from tests.conftest import StandingClock
from tests.mcp.talking import Talk


def to_icloud(note: Path) -> None:
    note.with_name(f".{note.name}.icloud").write_bytes(b"bplist00")
    note.unlink()


def to_nextcloud(note: Path) -> None:
    note.with_name(f"{note.name}.nextcloud").write_bytes(b" ")
    note.unlink()


def to_nothing(note: Path) -> None:
    note.write_bytes(b"")


def to_a_hole(note: Path) -> None:
    with note.open("wb") as file:
        file.truncate(400)


WAYS = [to_icloud, to_nextcloud, to_nothing, to_a_hole]


@pytest.mark.parametrize("send_away", WAYS)
def test_a_memory_that_is_elsewhere_is_named_everywhere_and_comes_back(
    send_away: Callable[[Path], None], vault: Path, app: App, clock: StandingClock, environ: dict[str, str]
) -> None:
    saved = app.collection.save(Draft(content="The heron nests by the weir.", title="Heron"))
    app.collection.save(Draft(content="The kettle is blue."))
    note = vault / saved.path
    data = note.read_bytes()
    send_away(note)
    present = {path.name: path.read_bytes() for path in note.parent.iterdir()}
    app.follow({saved.path})
    app.follow(None)
    status = app.overview.status()
    assert (status.away, status.problems) == (1, 1)
    (finding,) = app.overview.findings()
    assert (finding.trouble.value, finding.path) == ("not on this device", saved.path)
    assert finding.detail.startswith("it is not on this device yet")
    opened, missing = app.collection.open([saved.memory.id])
    assert (opened, missing) == ([], [saved.memory.id])
    assert isinstance(app.collection.refusal(saved.memory.id), NoteAway)
    talk = Talk(app)
    told = talk.call("open_memories", memory_ids=[saved.memory.id, "unknown"])
    assert (told["not_here"], told["not_found"]) == ([saved.memory.id], ["unknown"])
    assert "Not on this device yet" in talk.text("open_memories", memory_ids=[saved.memory.id])
    assert "not on this device" in talk.refusal("update_memory", memory_id=saved.memory.id, strength=2.0)
    assert "1 note not on this device yet" in talk.call("vault_status")["message"]
    assert app.recall.previews(app.recall.search(Request(query="heron")).hits) == []
    for verb in (app.lifecycle.touch, app.lifecycle.forget):
        with pytest.raises(MnemexError):
            verb(saved.memory.id)
    with pytest.raises((NoteExists, MnemexError)):
        app.store.commit("save", [Create(saved.path, "x")], summary="x", now=clock())
    assert {path.name: path.read_bytes() for path in note.parent.iterdir()} == present
    with open_app(vault, clock=clock, environ=environ, options={"timezone": "UTC"}) as again:
        assert again.overview.status().away == 1
        assert again.store.catalog.by_id(saved.memory.id)
    for placeholder in (f".{note.name}.icloud", f"{note.name}.nextcloud"):
        note.with_name(placeholder).unlink(missing_ok=True)
    note.write_bytes(data)
    app.follow(None)
    assert app.overview.status().away == 0
    assert app.collection.open([saved.memory.id])[0][0].note.content == "The heron nests by the weir."
    assert [hit.entry.title for hit in app.recall.search(Request(query="heron")).hits] == ["Heron"]


@pytest.mark.parametrize("send_away", [to_icloud, to_nextcloud])
def test_many_memories_that_are_elsewhere_are_no_losses(
    send_away: Callable[[Path], None], vault: Path, app: App
) -> None:
    paths = [app.collection.save(Draft(content=f"Fact number {number}.")).path for number in range(12)]
    for path in paths:
        send_away(vault / path)
    app.follow(None)
    assert app.overview.status().away == len(paths)
    assert app.guard.problem() is None


def test_a_placeholder_that_nobody_knew_before_is_counted(vault: Path, app: App) -> None:
    (vault / "Work").mkdir()
    (vault / "Work" / ".Plan.md.icloud").write_bytes(b"bplist00")
    (vault / "Work" / "Here.md").write_text("Here.\n")
    (vault / "Work" / ".Here.md.icloud").write_bytes(b"bplist00")
    (vault / "Work" / ".photo.jpg.icloud").write_bytes(b"bplist00")
    app.follow(None)
    assert {entry.path: entry.kind for entry in app.store.catalog} == {
        "Work/Plan.md": NoteKind.AWAY,
        "Work/Here.md": NoteKind.ORDINARY,
    }
    assert app.collection.open(["note:Work/Plan.md"])[1] == ["note:Work/Plan.md"]


def test_an_empty_note_that_never_was_a_memory_is_just_empty(vault: Path, app: App) -> None:
    (vault / "Untitled.md").write_bytes(b"")
    app.follow(None)
    assert app.overview.status().away == 0
