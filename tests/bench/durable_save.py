"""What durability costs: a save beside a plain write of the same bytes, in turns, in the same run.

    python tests/bench/durable_save.py [--count 300] [--notes 200] [--json]

A durable save is `Store.commit` of a new note of 2 KB: journalled, flushed to the disk with its folder, indexed. A
durable write is `Files.create` alone; the plain write flushes nothing. A memory saved is `collection.save` of one
sentence, with duplicates, tags and entities looked for. Times are milliseconds of the wall clock.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

from mnemex_vault.app import open_app
from mnemex_vault.history.steps import Create
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision

GOAL_MS = 10.0
_SYLLABLES = "ba de fi go lu mar nel por quin ras sol tam ver wil zan".split()


Times = list[tuple[float, float]]


def timed(times: Times, work: Callable[[], object]) -> None:
    """Note how long the work took by the wall clock, and how much of that on the processor."""
    wall, processor = perf_counter(), process_time()
    work()
    times.append((1000 * (perf_counter() - wall), 1000 * (process_time() - processor)))


def measure(folder: Path, count: int, notes: int) -> Mapping[str, Times]:
    vault, plain = folder / "vault", folder / "plain"
    vault.mkdir()
    plain.mkdir()
    environ = {"MNEMEX_STATE_PATH": str(folder / "state"), "XDG_CONFIG_HOME": str(folder / "config")}
    chance = random.Random(1)
    results: defaultdict[str, Times] = defaultdict(list)
    with open_app(vault, environ=environ, options={"timezone": "UTC"}) as app:
        for number in range(notes):
            app.collection.save(Draft(content=prose(chance, 15), title=f"Note {number}"))
        app.store.text.flush()
        for number in range(count):
            text = f"---\nmemory_id: bench{number}\n---\n{prose(chance, 250)}\n"
            paths = (plain / f"{number}.md", f"Plain/{number}.md", f"Kept/{number}.md")
            timed(results["plain write"], partial(paths[0].write_text, text))
            timed(results["durable write"], partial(app.store.vault.files.create, paths[1], text.encode()))
            step = Create(paths[2], text)
            now = app.store.clock()
            timed(results["durable save"], partial(app.store.commit, "save", [step], summary="bench", now=now))
            draft = Draft(content=prose(chance, 15), title=f"Fact {number}", tags=None, entities=None, strength=None)
            timed(results["memory saved"], partial(app.collection.save, draft))
            timed(results["use counted"], partial(app.lifecycle.touch, f"bench{number}"))
            revision = Revision(tags=["changed"])
            timed(results["memory updated"], partial(app.editing.update, f"bench{number}", revision))
    return results


def prose(chance: random.Random, words: int) -> str:
    """Return words that no other text has in this order."""
    return (
        " ".join("".join(chance.choices(_SYLLABLES, k=chance.randint(1, 3))) for _ in range(words)).capitalize() + "."
    )


def row(times: Times) -> dict[str, float]:
    wall, processor = (sorted(each) for each in zip(*times, strict=True))
    middle, high = len(times) // 2, min(len(times) - 1, int(len(times) * 0.95))
    return {"p50": wall[middle], "p95": wall[high], "cpu_p50": processor[middle]}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--notes", type=int, default=200, help="notes in the vault before")
    parser.add_argument("--folder", type=Path, help="where the vault is made; default a temporary folder")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=arguments.folder) as folder:
        results = measure(Path(folder), arguments.count, arguments.notes)
    table = {name: row(times) for name, times in results.items()}
    if arguments.json:
        print(json.dumps(table))
    else:
        print(f"{'':<16} {'p50 ms':>8} {'p95 ms':>8} {'of it CPU':>10}")
        for name, found in table.items():
            print(f"{name:<16} {found['p50']:>8.2f} {found['p95']:>8.2f} {found['cpu_p50']:>10.2f}")
        good = table["durable save"]["p50"] <= GOAL_MS
        print(f"a durable save takes at most {GOAL_MS:g} ms at p50: {'yes' if good else 'NO'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
