"""What looking after many memories costs; run `python -m tests.bench.upkeep [--memories 10000] [--json]`.

CPU seconds of one process: clusters, near duplicates, a dry run of gc, the graph, the review queue; and promoting a
thousand notes of which every one is linked by path, so that every link has to be written anew.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import Tier
from tests.bench.corpus import sentences

PROMOTED = 1_000
NOW = datetime.now(UTC).replace(microsecond=0) + timedelta(days=1)
NOTE = """---
tags:
  - topic{topic}
origin: ai
pinned: false
created: {created:%Y-%m-%dT%H:%M:%S}
last_used: {used:%Y-%m-%dT%H:%M:%S}
use_count: {count}
strength: 1
memory_id: m{number:07}
---
{content}
"""


def furnish(vault: Path, memories: int, *, seed: int = 1) -> None:
    """Write memories of one or two sentences, one in ten nearly as another says, and notes that link to a thousand."""
    chance = random.Random(seed)
    pool = sentences()
    folder = vault / "Memories/Short-term"
    folder.mkdir(parents=True)
    contents: list[str] = []
    for number in range(memories):
        if contents and chance.random() < 0.1:
            content = f"{chance.choice(contents)} Indeed."
        else:
            content = " ".join(chance.sample(pool, chance.choice((1, 1, 2))))
        contents.append(content)
        used = NOW - timedelta(days=chance.uniform(0, 90))
        text = NOTE.format(
            topic=number % 40,
            created=used - timedelta(days=chance.uniform(0, 30)),
            used=used,
            count=chance.choice((1, 1, 1, 2, 5)),
            number=number,
            content=content,
        )
        (folder / f"Memory {number}.md").write_text(text, encoding="utf-8")
    (vault / "Lists").mkdir()
    for start in range(0, PROMOTED, 10):
        links = [f"- [[Memories/Short-term/Memory {start + at}|it]]" for at in range(10)]
        (vault / f"Lists/List {start}.md").write_text("\n".join(links) + "\n", encoding="utf-8")


def cpu(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def elapsed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def promote(app: App, count: int) -> None:
    now = app.store.clock()
    plans = [
        app.lifecycle.promotion_candidate(f"m{number:07}", now=now, force=True)
        for number in range(min(PROMOTED, count))
    ]
    moved = app.lifecycle.promote([plan for plan in plans if plan])
    assert len(moved) == min(PROMOTED, count)


def measure(memories: int) -> dict[str, float]:
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        furnish(vault, memories)
        environ = {"MNEMEX_STATE_PATH": f"{folder}/state", "MNEMEX_TIMEZONE": "UTC", "HOME": folder}
        with open_app(vault, clock=lambda: NOW, environ=environ) as app:
            return figures(app, memories)


def figures(app: App, memories: int) -> dict[str, float]:
    app.forgetting.plan()
    return {
        "clusters, CPU s": cpu(app.consolidation.clusters),
        "near duplicates, CPU s": cpu(lambda: app.consolidation.duplicates(threshold=0.88)),
        "gc dry run, CPU ms": min(cpu(app.forgetting.plan) for _ in range(5)) * 1_000,
        "review queue, CPU ms": cpu(app.review.queue) * 1_000,
        "a page of the graph, CPU ms": cpu(lambda: app.relations.graph([Tier.SHORT_TERM])) * 1_000,
        "status, CPU ms": cpu(app.overview.status) * 1_000,
        f"promotion of {min(PROMOTED, memories)} linked notes, s": elapsed(lambda: promote(app, memories)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=10_000)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    found = measure(given.memories)
    if given.json:
        print(json.dumps({"memories": given.memories, **found}))
        return
    print(f"{given.memories:,} memories")
    for name, value in found.items():
        print(f"  {name:<48} {value:>10.2f}")


if __name__ == "__main__":
    main()
