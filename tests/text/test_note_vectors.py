"""The notes in tests/vectors/notes, read as their JSON says; the plugin's tests load the same files."""

import json
from datetime import UTC, datetime
from math import isfinite
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mnemex_vault.domain.memory import Memory, Tier
from mnemex_vault.text.note import Note, NoteKind

VECTORS = Path(__file__).parents[1] / "vectors" / "notes"
NAMES = sorted(path.stem for path in VECTORS.glob("*.json"))
ZONE = ZoneInfo("Europe/Berlin")
UNDATED = datetime(2026, 12, 1, tzinfo=UTC)


def load(name: str) -> tuple[dict[str, Any], Note]:
    expected = json.loads((VECTORS / f"{name}.json").read_text("utf-8"))
    return expected, Note.parse(expected["path"], (VECTORS / f"{name}.md").read_bytes())


def as_json(value: object) -> object:
    if isinstance(value, dict):
        return {key: as_json(item) for key, item in value.items()}
    if isinstance(value, list):
        return [as_json(item) for item in value]
    if isinstance(value, float) and not isfinite(value):
        return {"$number": {"inf": "Infinity", "-inf": "-Infinity"}.get(str(value), "NaN")}
    return value


def memory_as_json(memory: Memory) -> dict[str, object]:
    usage = memory.usage

    def moment(value: datetime | None) -> str | None:
        return value.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if value else None

    return {
        "title": memory.title,
        "content": memory.content,
        "tags": list(memory.tags),
        "aliases": list(memory.aliases),
        "entities": list(memory.entities),
        "relations": [[item.type.value, item.target, item.strength, dict(item.metadata)] for item in memory.relations],
        "project": memory.project,
        "source": memory.source,
        "context": memory.context,
        "origin": memory.origin,
        "session": memory.session,
        "created": moment(usage.created),
        "last_used": moment(usage.last_used),
        "use_count": usage.use_count,
        "days_used": usage.days_used,
        "strength": usage.strength,
        "pinned": usage.pinned,
        "half_life_days": usage.half_life_days,
        "promoted": moment(usage.promoted),
        "review_count": usage.review_count,
        "last_review": moment(usage.last_review),
        "cross_domain_count": usage.cross_domain_count,
        "id": memory.id,
    }


def test_there_are_enough_of_them() -> None:
    assert len(NAMES) >= 30


@pytest.mark.row("H2")
@pytest.mark.parametrize("name", NAMES)
def test_a_note_is_read_as_its_vector_says(name: str) -> None:
    expected, note = load(name)
    assert note.kind is NoteKind(expected["kind"]), note.problems
    assert (note.unreadable_because == "") is expected["readable"]
    if expected["readable"]:
        assert as_json(dict(note.values)) == expected["values"]
        assert list(note.values) == list(expected["values"])
    assert len(note.problems) == expected["problems"], note.problems
    if "tags" in expected:
        assert list(note.tags) == expected["tags"]


@pytest.mark.parametrize("name", NAMES)
def test_its_memory_is_read_as_its_vector_says(name: str) -> None:
    expected, note = load(name)
    if expected["memory"] is None:
        assert note.kind is not NoteKind.MEMORY
        return
    memory = note.memory(tier=Tier.SHORT_TERM, zone=ZONE, undated=UNDATED)
    assert memory_as_json(memory) == expected["memory"]


def is_utf_8(data: bytes) -> bool:
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


@pytest.mark.parametrize("name", NAMES)
def test_its_text_is_its_bytes(name: str) -> None:
    _, note = load(name)
    data = (VECTORS / f"{name}.md").read_bytes()
    if is_utf_8(data):
        assert note.text.encode() == data
    else:
        assert note.unreadable_because
