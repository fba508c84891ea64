"""The predecessors' files as years left them: versions, tombstones, damage, absurd values."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.memory import RelationType, Tier
from mnemex_vault.errors import InvalidInput
from mnemex_vault.importers.findings import Findings, Record
from mnemex_vault.importers.predecessor import DamagedRecord, Reading, connection, memory_record
from mnemex_vault.importers.source import read_stores, stores_at, usual_stores

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def line(**values: object) -> str:
    return json.dumps(values)


def store(folder: Path, memories: list[str], relations: list[str] | None = None) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "memories.jsonl").write_text("\n".join([*memories, ""]), "utf-8")
    if relations is not None:
        (folder / "relations.jsonl").write_text("\n".join([*relations, ""]), "utf-8")
    return folder


def read(path: Path) -> Findings:
    return read_stores(stores_at(path), zone=UTC)


def record(**values: object) -> Record:
    reading = Reading({"id": "a", "content": "text", **values}, "here")
    return memory_record(reading, undated=NOW, zone=UTC)


def contents(found: Findings) -> dict[str, str]:
    return {each.id: each.content for each in found.records}


@pytest.mark.parametrize(
    ("status", "promoted_to", "name"),
    [
        ("promoted", "stm-promoted/Invoices use net-30 terms.md", "Invoices use net-30 terms"),
        ("promoted", "C:\\Vault\\Invoices.md", "Invoices"),
        ("promoted", "Invoices", "Invoices"),
        ("promoted", None, None),
        ("promoted", 7, None),
        ("promoted", "stm-promoted/.md", None),
        ("active", "stm-promoted/Invoices.md", None),
    ],
)
def test_the_note_a_memory_was_promoted_to_gives_its_name(status: str, promoted_to: object, name: str | None) -> None:
    assert record(status=status, promoted_to=promoted_to).name == name


def test_the_last_version_counts_and_a_tombstone_removes(tmp_path: Path) -> None:
    lines = [
        line(id="a", content="first"),
        line(id="b", content="gone"),
        line(id="c", content="gone and back"),
        "",
        line(id="b", _deleted=True),
        line(id="c", _deleted=True),
        line(id="a", content="second"),
        line(id="c", content="back"),
    ]
    assert contents(read(store(tmp_path, lines))) == {"a": "second", "c": "back"}


DAMAGE = {
    "half a line": ('{"id": "x", "conte', "not JSON"),
    "no object": ("[1, 2]", "not an object"),
    "no id": (line(content="text"), "it has no id"),
    "no content": (line(id="x"), "it has no content"),
    "content of another type": (line(id="x", content=7), "it has no content"),
    "too deep": ("[" * 100_000, "not JSON"),
    "too long a number": ('{"id": "x", "content": "text", "use_count": ' + "9" * 5_000 + "}", "not JSON"),
}


@pytest.mark.parametrize(("bad", "reason"), DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_line_is_told_with_its_number_and_costs_only_itself(tmp_path: Path, bad: str, reason: str) -> None:
    found = read(store(tmp_path, [line(id="a", content="one"), bad, line(id="b", content="two")]))
    assert contents(found) == {"a": "one", "b": "two"}
    (problem,) = found.damaged
    assert str(problem).startswith(f"memories.jsonl:2: {reason}")


def test_bytes_that_are_no_utf8_cost_only_their_line(tmp_path: Path) -> None:
    (tmp_path / "memories.jsonl").write_bytes(
        b'\xef\xbb\xbf{"id": "a", "content": "one"}\r\n{"id": "b", "content": "\xff"}\n{"id": "c", "content": "three"}'
    )
    found = read(tmp_path)
    assert contents(found) == {"a": "one", "c": "three"}
    assert [str(problem) for problem in found.damaged] == [
        'memories.jsonl:2: not UTF-8 (byte 25): {"id": "b", "content": "\ufffd"}'
    ]


def test_an_earlier_version_stands_when_the_last_is_damaged(tmp_path: Path) -> None:
    found = read(store(tmp_path, [line(id="a", content="first"), '{"id": "a", "content": "sec']))
    assert contents(found) == {"a": "first"}


def test_twenty_damaged_lines_are_twenty_problems(tmp_path: Path) -> None:
    chance = random.Random(7)
    lines = [line(id=f"m{number}", content=f"text {number}") for number in range(300)]
    hit = sorted(chance.sample(range(300), 20))
    for number in hit:
        lines[number] = lines[number][: chance.randrange(1, len(lines[number]))]
    found = read(store(tmp_path, lines))
    assert [problem.place for problem in found.damaged] == [f"memories.jsonl:{number + 1}" for number in hit]
    assert len(found.records) == 280


def test_a_minimal_record_gets_the_defaults() -> None:
    found = record()
    assert (found.tier, found.usage.use_count, found.usage.strength) == (Tier.SHORT_TERM, 1, 1.0)
    assert (found.usage.created, found.usage.last_used) == (NOW, NOW)


ABSURD: list[tuple[dict[str, object], str]] = [
    ({"use_count": -3}, "use_count"),
    ({"use_count": "banana"}, "use_count"),
    ({"strength": "much"}, "strength"),
    ({"created_at": 1e300}, "created_at"),
    ({"last_used": True}, "last_used"),
    ({"status": "sleeping"}, "status"),
    ({"status": ["active"]}, "status"),
    ({"entities": {"a": 1}}, "entities"),
    ({"meta": "none"}, "meta"),
    ({"meta": {"tags": [1, "ops"]}}, "tags"),
]


@pytest.mark.parametrize(("values", "key"), ABSURD)
def test_an_absurd_value_becomes_the_default_and_is_remarked_on(values: dict[str, object], key: str) -> None:
    reading = Reading({"id": "a", "content": "text", **values}, "memories.jsonl:1")
    found = memory_record(reading, undated=NOW, zone=UTC)
    assert (found.usage.use_count, found.usage.strength, found.tier) == (1, 1.0, Tier.SHORT_TERM)
    assert [str(remark).startswith(f"memories.jsonl:1: {key} ") for remark in reading.remarks] == [True]


def test_strength_is_kept_within_its_limits() -> None:
    assert record(strength=7).usage.strength == 2.0
    assert record(strength=-1).usage.strength == 0.0


def test_days_of_use_are_counted_as_far_as_they_are_known() -> None:
    first = int(NOW.timestamp())
    assert record(created_at=first, last_used=first + 3600, use_count=5).usage.days_used == 1
    assert record(created_at=first, last_used=first + 90_000, use_count=5).usage.days_used == 2


def test_milliseconds_are_read_as_such() -> None:
    assert record(created_at=1_760_000_000_000).usage.created == datetime.fromtimestamp(1_760_000_000, UTC)


def test_metadata_has_its_place() -> None:
    meta = {"context": "planning", "extra": {"project": "atlas", "ticket": 7}}
    found = record(meta=meta)
    assert (found.project, found.context) == ("atlas", 'planning {"ticket": 7}')
    assert (
        record(meta={"source": 7, "mood": "calm"}, owner="Ada").context
        == '{"owner": "Ada", "mood": "calm", "source": 7}'
    )


def test_what_no_file_can_hold_is_shown_as_a_gap() -> None:
    reading = Reading({"id": "a", "content": "a\x00b\ud800"}, "here")
    assert memory_record(reading, undated=NOW, zone=UTC).content == "a\ufffdb\ufffd"
    assert len(reading.remarks) == 1


def test_an_id_that_a_note_cannot_bear_is_replaced_by_a_lasting_one() -> None:
    one, again = record(id="a/b: c"), record(id="a/b: c")
    assert one.id == again.id != record(id="a/b: d").id


def relation(**values: object) -> Mapping[str, object]:
    return {"id": "r", "from_memory_id": "a", "to_memory_id": "b", **values}


def test_a_type_that_is_not_ours_is_kept_as_metadata() -> None:
    found = connection(Reading(relation(relation_type="follows_from", metadata={"note": "x"}), "here"))
    assert (found.type, found.metadata) == (RelationType.RELATED, {"note": "x", "relation": "follows_from"})


@pytest.mark.parametrize("values", [{"to_memory_id": None}, {"to_memory_id": "a"}, {"from_memory_id": 3}, {"id": ""}])
def test_a_relation_without_two_ends_is_damaged(values: dict[str, object]) -> None:
    with pytest.raises(DamagedRecord):
        connection(Reading(relation(**values), "here"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=5,
)
KEYS = [
    "id",
    "content",
    "meta",
    "created_at",
    "last_used",
    "use_count",
    "strength",
    "status",
    "promoted_at",
    "entities",
    "last_review_at",
    "review_count",
    "cross_domain_count",
    "from_memory_id",
    "to_memory_id",
    "relation_type",
    "metadata",
]


@given(st.dictionaries(st.sampled_from(KEYS), json_values))
def test_no_record_however_absurd_is_more_than_damaged(values: dict[str, object]) -> None:
    for read_one in (lambda reading: memory_record(reading, undated=NOW, zone=UTC), connection):
        try:
            assert read_one(Reading(values, "here"))
        except DamagedRecord:
            continue


# databases


def database(path: Path, *rows: tuple[object, ...]) -> Path:
    with sqlite3.connect(path) as made:
        made.execute("CREATE TABLE memories (id TEXT, content TEXT, meta TEXT, entities TEXT)")
        made.executemany("INSERT INTO memories VALUES (?, ?, ?, ?)", rows)
    made.close()
    return path


def test_a_damaged_row_costs_only_itself(tmp_path: Path) -> None:
    path = database(
        tmp_path / "cortexgraph.db",
        ("a", "one", '{"tags": ["ops"]}', '["Ada"]'),
        ("b", "two", "{not json", "[]"),
        ("c", b"\xff", "{}", "[]"),
        ("d", "four", None, None),
    )
    found = read(path)
    assert contents(found) == {"a": "one", "d": "four"}
    assert (found.records[0].tags, found.records[0].entities) == (("ops",), ("Ada",))
    assert [problem.place for problem in found.damaged] == [f"cortexgraph.db:memories:{row}" for row in (2, 3)]


def test_what_is_only_in_the_write_ahead_log_is_read_and_the_log_stays(tmp_path: Path) -> None:
    path = database(tmp_path / "cortexgraph.db", ("a", "one", "{}", "[]"))
    writer = sqlite3.connect(path)
    writer.execute("PRAGMA journal_mode=WAL")
    writer.execute("INSERT INTO memories VALUES ('b', 'two', '{}', '[]')")
    writer.commit()
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir() if not each.name.endswith("-shm")}
    assert contents(read(path)) == {"a": "one", "b": "two"}
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir() if not each.name.endswith("-shm")} == before
    writer.close()


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    path = database(tmp_path / "cortexgraph.db", *((str(n), "text " * 50, "{}", "[]") for n in range(500)))
    data = bytearray(path.read_bytes())
    data[4096 : len(data)] = b"\x55" * (len(data) - 4096)
    path.write_bytes(data)
    with pytest.raises(InvalidInput, match=r"cortexgraph\.db"):
        read(path)


# places


def test_a_store_is_found_in_its_folder_in_the_folder_above_and_by_its_file(tmp_path: Path) -> None:
    folder = store(tmp_path / "theirs/jsonl", [line(id="a", content="one")], [line(**relation())])
    for path in (folder, folder.parent, folder / "memories.jsonl"):
        found = read(path)
        assert (len(found.records), len(found.connections)) == (1, 1)


@pytest.mark.parametrize("name", ["nothing", "empty"])
def test_where_there_is_no_store_it_says_so(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidInput, match=name):
        stores_at(tmp_path / name)


def test_of_a_memory_in_several_generations_the_newest_counts(tmp_path: Path) -> None:
    config = tmp_path / ".config"
    store(tmp_path / ".stm/jsonl", [line(id="a", content="oldest"), line(id="b", content="only here")])
    store(config / "mnemex/jsonl", [line(id="a", content="older")])
    store(config / "cortexgraph/jsonl", [line(id="a", content="newest")])
    found = read_stores(usual_stores(tmp_path, config, {}), zone=UTC)
    assert contents(found) == {"a": "newest", "b": "only here"}


def test_other_places_and_names_of_files_are_taken_from_their_variables(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    (folder / "mine.jsonl").write_text(line(id="a", content="one"))
    names = {"CORTEXGRAPH_STORAGE_PATH": "~/elsewhere", "CORTEXGRAPH_MEMORIES_FILENAME": "mine.jsonl"}
    (found,) = usual_stores(tmp_path, tmp_path / ".config", names)
    assert found.memories == folder / "mine.jsonl"
