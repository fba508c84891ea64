"""Recall of the text index on LoCoMo, beside porter FTS5 in the same run.

    python -m tests.bench.retrieval_core ARCHIVE.zip [--json FILE]

One turn is one note, written with the time of its session; the question is the query, categories 1 to 4 count.
Weights were tuned on conversations 26, 41 and 47 only; 30 and 42 are reported apart.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mnemex_vault.index.query import parse
from mnemex_vault.index.relevance import Neighbours
from mnemex_vault.index.text_index import TextIndex
from tests.bench.corpus import HELD_OUT, TUNING, Conversation, Sessions, conversation, document, merged
from tests.bench.fts5 import Fts5

Search = Callable[[str], list[str]]


@dataclass(slots=True)
class Figures:
    questions: int = 0
    recall_10: float = 0
    recall_5: float = 0
    mrr: float = 0
    seconds: float = 0

    def add(self, search: Search, talk: Conversation) -> None:
        for question in talk.questions:
            start = time.process_time()
            top = search(question.text)[:10]
            self.seconds += time.process_time() - start
            self.questions += 1
            self.recall_10 += len(question.evidence & set(top)) / len(question.evidence)
            self.recall_5 += len(question.evidence & set(top[:5])) / len(question.evidence)
            self.mrr += next((1 / rank for rank, path in enumerate(top, 1) if path in question.evidence), 0)

    def row(self) -> dict[str, float]:
        count = max(1, self.questions)
        return {
            "questions": self.questions,
            "recall@10": round(self.recall_10 / count, 4),
            "recall@5": round(self.recall_5 / count, 4),
            "mrr": round(self.mrr / count, 4),
            "cpu ms": round(1000 * self.seconds / count, 2),
        }


def ours(talk: Conversation, neighbours: Neighbours | None) -> Search:
    index = TextIndex(Path(tempfile.mkdtemp()))
    index.stage(document(turn) for turn in talk.turns)
    index.flush()
    now = talk.end

    def search(question: str) -> list[str]:
        relevance = index.relevance(parse(question, now=now), neighbours=neighbours)
        return sorted(relevance, key=lambda path: (-relevance[path], path))

    return search


def porter(talk: Conversation) -> Search:
    baseline = Fts5(sqlite3.connect(":memory:"))
    baseline.add((turn.path, "", turn.text) for turn in talk.turns)
    return lambda question: baseline.search(question, 10)


def sessions(talk: Conversation) -> Sessions:
    return Sessions.of([(turn.path, turn.session) for turn in talk.turns])


def one_session(talk: Conversation) -> Sessions:
    return Sessions.of([(turn.path, "default") for turn in talk.turns])


SYSTEMS: dict[str, Callable[[Conversation], Search]] = {
    "porter FTS5, OR, stop words": porter,
    "ours, isolated notes": lambda talk: ours(talk, Sessions.of([])),
    "ours, one session for all": lambda talk: ours(talk, one_session(talk)),
    "ours, with sessions": lambda talk: ours(talk, sessions(talk)),
}


def measure(groups: dict[str, list[Conversation]]) -> dict[str, dict[str, dict[str, float]]]:
    table: dict[str, dict[str, dict[str, float]]] = {}
    for group, talks in groups.items():
        for name, make in SYSTEMS.items():
            figures = Figures()
            for talk in talks:
                figures.add(make(talk), talk)
            table.setdefault(group, {})[name] = figures.row()
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    talks = {number: conversation(options.archive, number) for number in (*TUNING, *HELD_OUT)}
    groups = {
        "tuning (26, 41, 47)": [talks[number] for number in TUNING],
        "held out (30, 42)": [talks[number] for number in HELD_OUT],
        "all five in one vault": [merged(list(talks.values()))],
    }
    table = measure(groups)
    print("| conversations | system | questions | R@10 | R@5 | MRR | CPU ms |\n|---|---|---|---|---|---|---|")
    for group, systems in table.items():
        for name, row in systems.items():
            print(f"| {group} | {name} | " + " | ".join(f"{value:g}" for value in row.values()) + " |")
    if options.json:
        options.json.write_text(json.dumps(table, indent=1))


if __name__ == "__main__":
    main()
