"""Write a store with a predecessor's own package, and beside it what that package reads back.

Not a test: to be run by a Python that has `cortexgraph` or `mnemex` installed, not by that of this project:

    python write_predecessor_store.py cortexgraph FOLDER [MEMORIES RELATIONS]
"""

from __future__ import annotations

import importlib
import json
import random
import sys
import uuid
from pathlib import Path
from typing import Any

START = 1_735_700_000
DAY = 86_400
WHO = ["Anna", "Bilal", "Chiara", "Dmitri", "Eun-ji", "Farah", "Goran", "Hye", "Inès", "Jürgen", "Kateřina", "Луиза"]
DOES = ["prefers", "decided on", "reviews", "keeps", "migrates", "documents", "measures", "avoids", "pairs on", "owns"]
WHAT = [
    "the nightly export",
    "a PostgreSQL upgrade",
    "the café budget",
    "green tea after lunch",
    "the design of Kiezkarte",
    "JWT for the gateway",
    "日本語のメニュー",
    "the on-call rota",
    "TypeScript in strict mode",
    "walnut bread",
]
WHEN = [
    "on Mondays",
    "since the audit",
    "before 02:00",
    "until the summer",
    "in room 4.12",
    "for the pilot",
    "with care",
]
TAGS = ["ops", "exports", "preferences", "project/atlas", "finance", "food", "decision", "backend", "people", "tea"]
TYPES = ["related", "causes", "supports", "contradicts", "has_decision", "consolidated_from"]


def identity(chance: random.Random) -> str:
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def memory(models: Any, chance: random.Random, number: int) -> Any:
    text = f"{chance.choice(WHO)} {chance.choice(DOES)} {chance.choice(WHAT)} {chance.choice(WHEN)}, case {number}."
    if number % 50 == 0:
        text += '\n\n- first: "point" — 50 %\n- second\n\n```python\nprint("x: [[y]] #z")\n```\n'
    created = START + chance.randrange(500 * DAY)
    used = chance.randrange(12)
    reviews = chance.randrange(3)
    status = chance.choices(["active", "promoted", "archived"], [7, 2, 1])[0]
    last_used = created + (chance.randrange(90 * DAY) if used else 0)
    return models.Memory(
        id=identity(chance),
        content=text,
        meta=models.MemoryMetadata(
            tags=chance.sample(TAGS, chance.randrange(4)),
            source=chance.choice([None, "standup", "mail: re: plans", "https://example.org/a?b=c#d"]),
            context=chance.choice([None, "backup planning", 'said "as is": yes, no']),
            extra=chance.choice([{}, {}, {"project": "atlas"}, {"ticket": 7, "labels": ["a", "b"]}]),
        ),
        created_at=created,
        last_used=last_used,
        use_count=used,
        strength=round(chance.uniform(0.5, 2.0), 3),
        status=models.MemoryStatus(status),
        promoted_at=last_used + 60 if status == "promoted" else None,
        promoted_to=f"stm-promoted/case {number}.md" if status == "promoted" else None,
        embed=[0.25, -0.5] if number % 40 == 0 else None,
        entities=chance.sample(WHO, chance.randrange(3)),
        review_priority=chance.choice([0.0, 0.5]),
        last_review_at=created + 3600 if reviews else None,
        review_count=reviews,
        cross_domain_count=chance.randrange(2) if reviews else 0,
    )


def relation(models: Any, chance: random.Random, ends: tuple[str, str], kind: str) -> Any:
    return models.Relation(
        id=identity(chance),
        from_memory_id=ends[0],
        to_memory_id=ends[1],
        relation_type=kind,
        strength=chance.choice([1.0, 1.0, 0.8, round(chance.random(), 2)]),
        created_at=START + chance.randrange(500 * DAY),
        metadata=chance.choice([{}, {}, {"note": "same ledger"}, {"cluster_id": "c1", "cluster_cohesion": 0.91}]),
    )


def write(store: Any, models: Any, memories: int, relations: int) -> None:
    """Fill a store as years of use would: saved, touched again, deleted."""
    chance = random.Random(20261129)
    made = [memory(models, chance, number) for number in range(memories + memories // 20)]
    for each in made[: memories // 2]:
        store.save_memory(each)
    store.save_memories_batch(made[memories // 2 :])
    kept, gone = made[:memories], made[memories:]
    for each in chance.sample(kept, memories // 4):
        store.update_memory(each.id, last_used=each.last_used + 60, use_count=each.use_count + 1)
    ids = [each.id for each in made]
    keys: dict[tuple[str, str, str], None] = {}
    while len(keys) < relations + relations // 20:
        source, target = chance.sample(ids[:memories], 2)
        keys[source, target, chance.choice(TYPES)] = None
    links = [relation(models, chance, (source, target), kind) for source, target, kind in keys]
    for link in links:
        store.create_relation(link)
    for link in links[relations:]:
        store.delete_relation(link.id)
    for each in gone:
        store.delete_memory(each.id)


def expected(store: Any) -> dict[str, object]:
    graph = store.get_all_relations()
    memories = store.list_memories(limit=None)
    return {
        "memories": [json.loads(each.model_dump_json(exclude={"embed"})) for each in memories],
        "relations": [json.loads(each.model_dump_json()) for each in graph],
    }


def main(package: str, folder: Path, memories: int = 2_000, relations: int = 3_000) -> None:
    models = importlib.import_module(f"{package}.storage.models")
    kinds = {"jsonl": ("jsonl_storage", "JSONLStorage"), "sqlite": ("sqlite_storage", "SQLiteStorage")}
    for kind, (module, name) in kinds.items():
        try:
            storage = getattr(importlib.import_module(f"{package}.storage.{module}"), name)
        except ModuleNotFoundError:
            continue
        place = folder / kind
        place.mkdir(parents=True)
        store = storage(place)
        store.connect()
        write(store, models, memories, relations)
        store.close()
        store.connect()
        (folder / f"{kind}-expected.json").write_text(json.dumps(expected(store)), encoding="utf-8")
        store.close()


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), *map(int, sys.argv[3:5]))
