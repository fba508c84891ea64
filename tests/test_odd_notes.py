"""Notes as strange as real vaults hold them go through the whole: scanned, searched, used, promoted, examined."""

from __future__ import annotations

import base64
import json
from pathlib import Path

import pytest

from mnemex_vault.app import App
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError
from mnemex_vault.memories.recall import Request
from tests.conftest import StandingClock

VECTORS = Path(__file__).parent / "vectors"
ODD = json.loads((VECTORS / "odd-notes.json").read_text("utf-8"))
OURS = ("last_used", "use_count", "days_used", "fades_on", "promoted", "pinned", "strength", "approved")


def data_of(note: dict[str, str]) -> bytes:
    return base64.b64decode(note["bytes_base64"]) if "bytes_base64" in note else note["text"].encode()


@pytest.fixture
def odd_vault(vault: Path) -> Path:
    for note in ODD:
        path = vault / note["name"]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data_of(note))
    return vault


def files(vault: Path) -> dict[str, bytes]:
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*") if path.is_file()}


def test_odd_notes_are_scanned_searched_and_examined_without_a_changed_byte(
    odd_vault: Path, app: App, clock: StandingClock
) -> None:
    before = files(odd_vault)
    app.follow(None)
    for word in ("text", "OS", "Curve", "status", "Tree"):
        app.recall.previews(app.recall.search(Request(query=word, ordinary=True)).hits)
    findings = {finding.path for finding in app.overview.findings()}
    assert {"Twice.md", "Merge.md", "Missing Colon.md", "Locked Note.md", "Bad Escape.md"} <= findings
    assert files(odd_vault) == before


def test_an_odd_note_cannot_be_used_promoted_or_forgotten(odd_vault: Path, app: App, clock: StandingClock) -> None:
    app.follow(None)
    before = files(odd_vault)
    for entry in list(app.store.catalog):
        for verb in (app.lifecycle.touch, app.lifecycle.forget, app.lifecycle.demote):
            with pytest.raises(MnemexError):
                verb(f"note:{entry.path}")
    assert files(odd_vault) == before


def is_memory(path: Path) -> bool:
    expected = json.loads(path.with_suffix(".json").read_text("utf-8"))
    return expected.get("memory") is not None and expected["kind"] == "memory"


MEMORIES = sorted(path for path in (VECTORS / "notes").glob("*.md") if is_memory(path))
REFUSED = {"json-block"}


@pytest.mark.slow
@pytest.mark.parametrize("source", MEMORIES, ids=lambda path: path.stem)
def test_only_our_lines_of_an_odd_memory_change_when_it_is_used_and_promoted(
    source: Path, vault: Path, app: App, clock: StandingClock
) -> None:
    note = vault / "Memories" / "Short-term" / source.name
    note.parent.mkdir(parents=True)
    data = source.read_bytes()
    note.write_bytes(data)
    app.follow(None)
    (entry,) = app.store.catalog.memories()
    memory_id = entry.memory_id or ""
    clock.advance(days=1)
    if source.stem in REFUSED:
        assert not app.lifecycle.touch(memory_id).written
        assert note.read_bytes() == data
        return
    app.lifecycle.touch(memory_id)
    candidate = app.lifecycle.promotion_candidate(memory_id, now=clock(), force=True, by_person=True)
    assert candidate is not None
    (moved,) = app.lifecycle.promote([candidate])
    assert app.store.memory_entry(memory_id).tier is Tier.LONG_TERM
    before, after = data.split(b"\n"), (vault / moved.path).read_bytes().split(b"\n")
    foreign = [line for line in before if not line.lstrip(b"\xef\xbb\xbf'\"").startswith(tuple(map(str.encode, OURS)))]
    kept = [line for line in after if not line.lstrip(b"\xef\xbb\xbf'\"").startswith(tuple(map(str.encode, OURS)))]
    assert kept == foreign


LEGIBLE = {
    "nul": b"The heron\0 nests by the [[Weir]].\n",
    "nul below properties": b"---\ntags: [birds]\n---\nThe heron nests by the [[Weir]].\n\0\0\0\0\0\0\0\0",
    "prose between the fences": b"---\nThe heron nests by the [[Weir]].\n---\nMore.\n",
    "list between the fences": b"---\n- The heron\n- nests by the [[Weir]]\n---\nMore.\n",
    "template between the fences": b"---\ncreated: {{date}}\nabout: {{title}}\n---\nThe heron nests by the [[Weir]].\n",
    "merge markers": b"---\n<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> theirs\n---\nThe heron nests by the [[Weir]].\n",
    "broken properties": b"---\nabout: heron: nests\n---\nBy the [[Weir]].\n",
    "never closed": b"---\nThe heron nests by the [[Weir]].\n",
    "latin-1": "Caf\xe9 heron nests by the [[Weir]].\n".encode("latin-1"),
    "utf-16": "The heron nests by the [[Weir]].\n".encode("utf-16"),
    "utf-16, big end first": b"\xfe\xff" + "The heron nests by the [[Weir]].\n".encode("utf-16-be"),
}


@pytest.mark.parametrize("name", LEGIBLE)
def test_text_that_is_no_proper_note_is_found_shown_and_left_as_it_is(name: str, vault: Path, app: App) -> None:
    note, data = vault / "Odd.md", LEGIBLE[name]
    note.write_bytes(data)
    (vault / "Weir.md").write_text("A weir.\n")
    app.follow(None)
    assert app.recall.search(Request(query="heron nests", ordinary=True)).hits[0].entry.path == "Odd.md"
    (opened,), missing = app.collection.open(["note:Odd.md"])
    assert not missing
    assert "heron" in opened.note.content
    assert "\0" not in opened.note.content
    assert not opened.note.values
    weir = app.store.catalog.get("Weir.md")
    assert weir is not None
    assert [entry.path for entry in app.store.catalog.linking_to(weir)] == ["Odd.md"]
    assert [(each.trouble.value, each.path) for each in app.overview.findings()] == [("unreadable", "Odd.md")]
    with pytest.raises(MnemexError):
        app.editing.adopt("Odd.md")
    assert note.read_bytes() == data


@pytest.mark.parametrize(
    "text", ["---\ntags: private\n---\nheron\0\n", "heron #private\0\n", "---\nprivate heron\n---\n"]
)
def test_in_doubt_such_a_note_is_private(text: str, vault: Path, app: App) -> None:
    (vault / "Odd.md").write_bytes(text.encode())
    app.follow(None)
    assert app.recall.search(Request(query="heron", ordinary=True)).hits == []


def test_a_picture_with_the_name_of_a_note_is_never_searched(vault: Path, app: App) -> None:
    (vault / "Picture.md").write_bytes(b"\x89PNG heron" + bytes(range(256)) * 20)
    app.follow(None)
    assert app.recall.search(Request(query="heron", ordinary=True)).hits == []
    assert [(each.trouble.value, each.detail) for each in app.overview.findings()] == [
        ("cannot be read", "it is no text in UTF-8")
    ]
