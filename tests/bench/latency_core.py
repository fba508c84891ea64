"""CPU time, size and memory of the text index, beside porter FTS5 in the same run.

    python -m tests.bench.latency_core [--notes 10000] [--locomo ARCHIVE.zip] [--json FILE]

Notes have about 137 words, made of sentences of the standard library's documentation (and of LoCoMo, if given), ten
to a session. Questions are five words that stand in one sentence and are no function words.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import re
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TypeVar

from mnemex_vault.index.analysis import Analyzer
from mnemex_vault.index.document import Document
from mnemex_vault.index.query import parse
from mnemex_vault.index.text_index import TextIndex
from tests.bench.corpus import TUNING, Sessions, conversation, notes, plain_document, sentences
from tests.bench.fts5 import Fts5

NOW = datetime(2026, 1, 1, tzinfo=UTC)
T = TypeVar("T")
BATCH = 500
FLUSH_AT = 2000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=10_000)
    parser.add_argument("--locomo", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    extra = []
    if options.locomo:
        extra = [turn.text for number in TUNING for turn in conversation(options.locomo, number).turns]
    figures = measure(options.notes, extra)
    for name, value in figures.items():
        print(f"| {name} | {value:g} |")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1))


def measure(count: int, extra: list[str]) -> dict[str, float]:
    figures: dict[str, float] = {"notes": count}
    before = resident()
    folder = Path(tempfile.mkdtemp())
    pairs, figures["build, notes/s"], figures["longest flush, ms"] = build(TextIndex(folder), count, extra)
    gc.collect()
    index = TextIndex(folder)
    figures["open, ms"] = timed(index.refresh)
    figures["index, MB"] = sum(path.stat().st_size for path in index.folder.iterdir()) / 1e6
    neighbours = Sessions.of(pairs)
    pool = sentences() + extra
    asked, fresh = questions(pool, 200, 1), questions(pool, 200, 2)
    note_times(figures, "search, first time", asked, lambda q: index.relevance(parse(q, now=NOW)))
    note_times(figures, "search", asked, lambda q: index.relevance(parse(q, now=NOW)))
    note_times(
        figures, "search with sessions", fresh, lambda q: index.relevance(parse(q, now=NOW), neighbours=neighbours)
    )
    figures["matches a question"] = statistics.mean(len(index.relevance(parse(q, now=NOW))) for q in fresh[:50])
    figures["RSS over start, MB"] = resident() - before
    saves(figures, index, pool)
    figures["segments"] = len(list(index.folder.glob("*.trm")))
    baseline(figures, count, extra, fresh)
    return {name: round(value, 2) for name, value in figures.items()}


def build(index: TextIndex, count: int, extra: list[str]) -> tuple[list[tuple[str, str]], float, float]:
    pairs: list[tuple[str, str]] = []
    batch: list[Document] = []
    longest = spent = 0.0
    for document, session in notes(count, extra):
        pairs.append((document.path, session))
        batch.append(document)
        if len(batch) == BATCH or len(pairs) == count:
            spent += timed(partial(index.stage, batch))
            batch = []
            if index.pending >= FLUSH_AT or len(pairs) == count:
                taken = timed(index.flush)
                spent += taken
                longest = max(longest, taken)
    return pairs, count / spent * 1000, longest


def saves(figures: dict[str, float], index: TextIndex, pool: list[str]) -> None:
    chance = random.Random(3)
    documents = [plain_document(f"New/{n}.md", f"zanzibar{n} " + " ".join(chance.sample(pool, 6))) for n in range(200)]

    def save(document: Document) -> None:
        index.stage([document])
        assert document.path in index.relevance(parse(document.body.split()[0], now=NOW))

    note_times(figures, "save to searchable", documents[:100], save)
    figures["flush of 100, ms"] = timed(index.flush)

    def commit(document: Document) -> None:
        index.stage([document])
        index.flush()

    note_times(figures, "flush of 1", documents[100:], commit)


def baseline(figures: dict[str, float], count: int, extra: list[str], asked: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        fts5 = Fts5(sqlite3.connect(Path(folder) / "fts5.db"))
        rows = [(document.path, document.title, document.body) for document, _ in notes(count, extra)]
        figures["FTS5: build, notes/s"] = count / timed(lambda: fts5.add(rows)) * 1000
        note_times(figures, "FTS5: search, first 10", asked, lambda q: fts5.search(q, 10))
        note_times(figures, "FTS5: search, all", asked, lambda q: fts5.search(q, count))
        note_times(figures, "FTS5: save", rows[:100], lambda row: fts5.add([row]))


def questions(pool: list[str], count: int, seed: int) -> list[str]:
    chance, analyzer = random.Random(seed), Analyzer()
    found: list[str] = []
    while len(found) < count:
        words = list(dict.fromkeys(re.findall("[A-Za-z]{3,}", chance.choice(pool))))
        words = [word for word in words if not any(each.stop for each in analyzer.words(word))]
        if len(words) >= 5:
            found.append(" ".join(chance.sample(words, 5)))
    return found


def timed(action: Callable[[], object]) -> float:
    start = time.process_time()
    action()
    return (time.process_time() - start) * 1000


def note_times(figures: dict[str, float], name: str, items: Iterable[T], action: Callable[[T], object]) -> None:
    times = sorted(timed(partial(action, item)) for item in items)
    figures[f"{name}, p50 ms"] = times[len(times) // 2]
    figures[f"{name}, p95 ms"] = times[len(times) * 95 // 100]


def resident() -> float:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6


if __name__ == "__main__":
    main()
