"""Whatever a source says is in the vault afterwards or named in the report; once, and taken back by one undo."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import tempfile
import unicodedata
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemex_vault.app import App, open_app
from mnemex_vault.cli.bring_in import Job, report_facts
from mnemex_vault.importers.bringing_in import Importer
from mnemex_vault.importers.findings import Findings
from mnemex_vault.importers.markdown_folder import read_markdown
from mnemex_vault.importers.memory_server import read_memory_server
from mnemex_vault.importers.source import read_source
from mnemex_vault.memories.draft import Draft
from tests.conftest import StandingClock

# one name in spellings that a program tells apart and a file system may not
NAMES = (
    "Anna",
    "anna",
    "Anna ",
    "Ａｎｎａ",
    "Zoe\u0308",
    "Zo\u00eb",
    "Tea/Time",
    "Straße",
    "STRASSE",
    "con",
    "猫",
    "a" * 90,
)
TOKEN = re.compile(r"q[0-9]{3}q")


class Words:
    """Gives sentences, each with a word that no other has."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.number = 100

    def sentence(self) -> str:
        self.number += 1
        return f"She {self.random.choice(['plays', 'likes', 'left'])} q{self.number}q."

    def sentences(self, most: int = 3) -> list[str]:
        return [self.sentence() for _ in range(self.random.randrange(most + 1))]

    def name(self) -> str:
        return self.random.choice(NAMES)


Source = Callable[[Words, Path], Path]


def graph_items(words: Words) -> list[dict[str, object]]:
    random = words.random
    items: list[dict[str, object]] = []
    for _ in range(random.randrange(1, 9)):
        said: object = [
            *words.sentences(),
            *([{"content": words.sentence(), "at": 7}] if random.random() < 0.2 else []),
            *([None, 5] if random.random() < 0.1 else []),
        ]
        entity: dict[str, object] = {"name": words.name(), "entityType": random.choice(["person", "cat", "", None])}
        entity["observations"] = words.sentence() if random.random() < 0.1 else said
        if random.random() < 0.2:
            entity["note"] = {"deep": [words.sentence()]}
        if random.random() < 0.1:
            del entity["name"]
        items.append({"type": random.choice(["entity"] * 9 + ["task"]), **entity})
    items += random.choices(items, k=random.randrange(2))
    for _ in range(random.randrange(5)):
        kind = random.choice(["knows", "supports", words.sentence()])
        items.append({"type": "relation", "from": words.name(), "to": words.name(), "relationType": kind})
    random.shuffle(items)
    return items


def graph_lines(words: Words, root: Path) -> Path:
    lines = [json.dumps(item, ensure_ascii=words.random.random() < 0.5) for item in graph_items(words)]
    if words.random.random() < 0.3:
        lines.append(json.dumps({"type": "entity", "name": words.sentence()})[:-1])
    path = root / "memory.json"
    path.write_text("\n".join([json.dumps({"type": "entity", "name": "First"}), *lines]), "utf-8")
    return path


def graph_whole(words: Words, root: Path) -> Path:
    items = [item for item in graph_items(words) if item["type"] != "task"]
    whole = {
        key: [{name: item[name] for name in item if name != "type"} for item in items if item["type"] == kind]
        for key, kind in (("entities", "entity"), ("relations", "relation"))
    }
    path = root / "memory.json"
    path.write_text(json.dumps(whole), "utf-8")
    return path


def markdown(words: Words, root: Path) -> Path:
    random, folder = words.random, root / "notes"
    for _ in range(random.randrange(1, 8)):
        name = words.name().replace("/", "-").strip()
        name += random.choice(["", "", ".sync-conflict-20260102-120000-ABCDEFG", " (conflicted copy)"])
        path = folder / random.choice(["", "deep"]) / f"{name}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_text(markdown_note(words), "utf-8")
    originals = sorted(folder.rglob("*.md"))
    if random.random() < 0.3:
        copy = originals[0].with_name(f"{originals[0].stem}.sync-conflict-20260102-120000-ABCDEFG.md")
        copy.write_bytes(originals[0].read_bytes() + random.choice([b"", words.sentence().encode()]))
    if random.random() < 0.2:
        (folder / "binary q099q.md").write_bytes(b"\0")
    if random.random() < 0.2:
        (folder / "link q098q.md").symlink_to(originals[0])
    return folder


def markdown_note(words: Words) -> str:
    random = words.random
    keys = {
        "permalink": random.choice(["p/one", "p/two"]),
        "memory_id": random.choice(["idone", "bad id"]),
        "title": random.choice([words.name(), words.sentence()]),
        "context": random.choice([words.sentence(), f"{{a: {words.sentence()}}}"]),
        "origin": words.sentence(),
        "mood": f"[{words.sentence()}]",
        "created": random.choice(["2026-01-02", words.sentence()]),
        "date": words.sentence(),
        "modified": words.sentence(),
        "related": f'["[[{words.name()}]]"]',
        "mnemex": "false",
        "kanban-plugin": "board",
    }
    chosen = [key for key in keys if random.random() < 0.25]
    head = "".join(f"{key}: {keys[key]}\n" for key in chosen)
    body = "\n".join([*words.sentences(), *([f"- knows [[{words.name()}]] (why)"] if random.random() < 0.3 else [])])
    tag = "\n#private\n" if random.random() < 0.1 else ""
    return f"---\n{head}---\n{body}{tag}\n" if head else body + tag


def stored_lines(words: Words) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    random = words.random
    memories: list[dict[str, object]] = []
    for _ in range(random.randrange(1, 10)):
        record: dict[str, object] = {"id": random.choice(["a", "A", "b", "Zoe\u0308", "c"])}
        record["content"] = random.choice([words.sentence(), words.sentence(), "", " ".join(words.sentences(2))])
        record["status"] = random.choice(["active", "promoted", "archived", "odd"])
        record["meta"] = {"context": random.choice([words.sentence(), None, {"a": words.sentence()}])}
        if random.random() < 0.3:
            record["meta"] = {"extra": {"why": words.sentence()}, "mood": words.sentence()}
        if random.random() < 0.1:
            del record["id"]
        memories.append(record)
    memories += random.choices(memories, k=random.randrange(2))
    relations: list[dict[str, object]] = [
        {
            "id": f"r{number}",
            "from_memory_id": random.choice(["a", "b", "gone"]),
            "to_memory_id": random.choice(["a", "b", "c"]),
            "relation_type": random.choice(["supports", "related", "odd one"]),
            "metadata": random.choice([{}, {"why": words.sentence()}, {"relation": words.sentence()}]),
        }
        for number in range(random.randrange(5))
    ]
    return memories, relations


def jsonl(words: Words, root: Path) -> Path:
    memories, relations = stored_lines(words)
    for name, items in (("memories", memories), ("relations", relations)):
        (root / f"{name}.jsonl").write_text("".join(json.dumps(item) + "\n" for item in items), "utf-8")
    return root


def sqlite(words: Words, root: Path) -> Path:
    jsonl(words, root)
    memories, relations = stored_lines(words)
    with sqlite3.connect(root / "cortexgraph.db") as store:
        store.execute("CREATE TABLE memories (id TEXT, content TEXT, meta TEXT, status TEXT)")
        for item in memories:
            row = (item.get("id"), item["content"], json.dumps(item["meta"]), item["status"])
            store.execute("INSERT INTO memories VALUES (?, ?, ?, ?)", row)
        names = ["id", "from_memory_id", "to_memory_id", "relation_type", "metadata"]
        store.execute(f"CREATE TABLE relations ({', '.join(names)})")
        for item in relations:
            row_of = [*(item[name] for name in names[:-1]), json.dumps(item["metadata"])]
            store.execute("INSERT INTO relations VALUES (?, ?, ?, ?, ?)", row_of)
    store.close()
    return root


def told_by(folder: Path) -> set[str]:
    """Return the words that must not be lost: all that stand in files or their names."""
    texts = [path.name + path.read_bytes().decode("utf-8", "replace") for path in folder.rglob("*") if path.is_file()]
    return {token for text in texts for token in TOKEN.findall(text)}


def bring_in(app: App, source: Path) -> dict[str, object]:
    found = read_source(source, zone=app.zone)
    plan, operation = Importer(app.memories).run(found, summary="a test")
    return report_facts(Job(found, [str(source)]), plan, operation, dry_run=False)


def snapshot(vault: Path) -> dict[str, bytes]:
    return {path.relative_to(vault).as_posix(): path.read_bytes() for path in vault.rglob("*") if path.is_file()}


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("write", [graph_lines, graph_whole, markdown, jsonl, sqlite])
def test_every_sentence_of_a_source_is_in_the_vault_or_in_the_report(
    write: Source, clock: StandingClock, full: bool, storms: bool
) -> None:
    @settings(max_examples=600 if storms else 30 if full else 5)
    @given(st.integers(0, 1 << 32))
    def check(seed: int) -> None:
        base = Path(tempfile.mkdtemp(prefix="mnemex-import-"))
        vault, source_root = base / "Vault", base / "Source"
        vault.mkdir()
        source_root.mkdir()
        (vault / "Anna.md").write_text("A note of the person.\n", "utf-8")
        source = write(Words(Random(seed)), source_root)
        environ = {"MNEMEX_STATE_PATH": str(base / "state"), "XDG_CONFIG_HOME": str(base / "config")}
        with open_app(vault, clock=clock, environ=environ, options={"timezone": "UTC"}) as app:
            before = snapshot(vault)
            report = bring_in(app, source)
            after = snapshot(vault)
            held = "\n".join(text.decode() for text in after.values()) + json.dumps(report, ensure_ascii=False)
            assert told_by(source_root) <= set(TOKEN.findall(held))
            again = bring_in(app, source)
            assert again["operation_id"] is None
            assert snapshot(vault) == after
            if report["operation_id"]:
                app.history.undo(str(report["operation_id"]))
            assert snapshot(vault) == before
        shutil.rmtree(base)

    check()


def imported(app: App, found: Findings) -> list[str]:
    Importer(app.memories).run(found, summary="a test")
    return sorted(app.store.memory(entry).content for entry in app.store.catalog.memories())


@pytest.mark.parametrize(
    ("later", "content"),
    [
        ({"observations": ["lives in Graz"]}, "Anna (person):\n- plays cello\n- lives in Graz"),
        ({"observations": []}, "Anna (person):\n- plays cello"),
        (
            {"entityType": "friend", "observations": ["lives in Graz"]},
            "Anna (person, friend):\n- plays cello\n- lives in Graz",
        ),
        ({"observations": ["plays cello"]}, "Anna (person):\n- plays cello"),
    ],
)
def test_a_name_that_a_graph_has_twice_is_one_memory_with_all_that_is_said(
    app: App, tmp_path: Path, later: dict[str, object], content: str
) -> None:
    first = {"type": "entity", "name": "Anna", "entityType": "person", "observations": ["plays cello"]}
    path = tmp_path / "memory.json"
    path.write_text("\n".join(json.dumps(each) for each in (first, {**first, **later})), "utf-8")
    assert imported(app, read_memory_server(path)) == [content]


def test_a_relation_follows_a_name_in_another_spelling(app: App, tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    names = [unicodedata.normalize("NFC", "Zoë"), "Graz"]
    entities = [{"type": "entity", "name": name, "observations": ["x"]} for name in names]
    relation = {"type": "relation", "from": unicodedata.normalize("NFD", "Zoë"), "to": "graz", "relationType": "likes"}
    path.write_text("\n".join(json.dumps(each) for each in [*entities, relation]), "utf-8")
    plan, _ = Importer(app.memories).run(read_memory_server(path), summary="a test")
    assert (plan.relations, plan.remarks) == (1, ())


@pytest.mark.parametrize("key", ["permalink", "memory_id"])
def test_two_notes_under_one_id_are_two_memories_and_told(app: App, tmp_path: Path, key: str) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    for name in ("Cello", "Graz"):
        (root / f"{name}.md").write_text(f"---\n{key}: same\n---\nThe text on {name}.\n", "utf-8")
    plan, _ = Importer(app.memories).run(read_markdown(root, zone=app.zone), summary="a test")
    assert len(plan.created) == 2
    [told] = [str(remark) for remark in plan.remarks]
    assert told.startswith("Graz.md: bears the id of Cello.md")
    assert not Importer(app.memories).plan(read_markdown(root, zone=app.zone)).steps


@pytest.mark.parametrize("copy", ["Tea.sync-conflict-20260102-120000-ABCDEFG.md", "Tea (conflicted copy).md"])
def test_a_conflict_copy_comes_beside_its_original_under_a_plain_name(app: App, tmp_path: Path, copy: str) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "Tea.md").write_text("---\nmemory_id: tea\n---\nGreen.\n", "utf-8")
    (root / copy).write_text("---\nmemory_id: tea\n---\nBlack.\n", "utf-8")
    assert imported(app, read_markdown(root, zone=app.zone)) == ["Black.", "Green."]
    assert app.store.memory_entry("tea").title == "Tea"
    assert app.store.memory(app.store.memory_entry("tea")).content == "Green."


def test_a_memory_named_like_a_conflict_copy_is_a_memory(app: App) -> None:
    saved = app.collection.save(Draft(content="Milk first.", title="Tea (conflicted copy)"))
    assert [entry.title for entry in app.store.catalog.memories()] == ["Tea (conflicted copy)"]
    assert saved.memory.id


def test_what_the_vault_does_not_say_of_a_known_memory_is_told(app: App, tmp_path: Path) -> None:
    path = tmp_path / "memory.json"
    anna = {"type": "entity", "name": "Anna", "observations": ["plays cello"]}
    path.write_text(json.dumps(anna), "utf-8")
    imported(app, read_memory_server(path))
    path.write_text(json.dumps({**anna, "observations": ["plays cello", "lives in Graz"]}), "utf-8")
    plan, operation = Importer(app.memories).run(read_memory_server(path), summary="a test")
    assert operation is None
    [told] = [str(remark) for remark in plan.remarks]
    assert told.endswith("does not say: - lives in Graz")


@pytest.mark.parametrize("seconds", [10**12, -(10**11), 0])
@pytest.mark.parametrize("name", ["graph.jsonl", "Tea.md"])
def test_a_file_may_bear_any_time(app: App, name: str, seconds: int) -> None:
    text = "She plays q101q."
    entity = {"type": "entity", "name": "Anna", "entityType": "person", "observations": [text]}
    # most file systems on disks hold no such time, one in memory does
    with tempfile.TemporaryDirectory(dir="/dev/shm" if Path("/dev/shm").is_dir() else None) as folder:
        path = Path(folder) / name
        path.write_text(json.dumps(entity) if name.endswith("jsonl") else text, "utf-8")
        os.utime(path, (seconds, seconds))
        read = read_memory_server(path) if name.endswith("jsonl") else read_markdown(path.parent, zone=app.zone)
        [said] = imported(app, read)
    assert said.endswith(text)
