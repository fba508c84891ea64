"""Questions in fourteen languages, beside porter FTS5 in the same run: is the one right note among the first five?

    python -m tests.bench.languages [--half develop|report|all] [--pooled] [--missed] [--json FILE]

Each line of `languages_data/*.txt` is a question and the note that answers it, written before the search could do any
of this. Notes with odd line numbers were looked at while building, even ones are the report. All notes of a language
lie in one vault, with --pooled those of all languages; they are asked through the application.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mnemex_vault.app import open_app
from mnemex_vault.memories.recall import Request
from tests.bench.fts5 import Fts5

DATA = Path(__file__).parent / "languages_data"
FIRST = 5
Search = Callable[[str], list[str]]


@dataclass(frozen=True, slots=True)
class Pair:
    language: str
    number: int
    kind: str
    question: str
    note: str

    @property
    def path(self) -> str:
        return f"{self.language}-{self.number:02}.md"

    @property
    def half(self) -> str:
        return "develop" if self.number % 2 else "report"


def pairs(languages: Iterable[str] = ()) -> Iterator[Pair]:
    for file in sorted(DATA.glob("*.txt")):
        if not languages or file.stem in languages:
            for number, line in enumerate(file.read_text("utf-8").splitlines(), 1):
                kind, question, note = line.split(" | ")
                yield Pair(file.stem, number, kind, question, note)


def found(all_pairs: list[Pair], half: str) -> Iterator[tuple[Pair, bool, bool]]:
    """Yield each pair that is asked, and whether we and FTS5 have its note among the first."""
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder, "vault")
        vault.mkdir()
        for pair in all_pairs:
            (vault / pair.path).write_text(pair.note + "\n", "utf-8")
        baseline = Fts5(sqlite3.connect(":memory:"))
        baseline.add((pair.path, "", pair.note) for pair in all_pairs)
        with open_app(vault, environ={"MNEMEX_STATE_PATH": str(Path(folder, "state"))}) as app:
            for pair in all_pairs:
                if half in ("all", pair.half):
                    hits = app.recall.search(Request(query=pair.question, ordinary=True)).hits[:FIRST]
                    ours = any(hit.entry.path == pair.path for hit in hits)
                    yield pair, ours, pair.path in baseline.search(pair.question, FIRST)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=["develop", "report", "all"], default="report")
    parser.add_argument("--pooled", action="store_true")
    parser.add_argument("--missed", action="store_true", help="print the questions of the development half that miss")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    vaults: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs():
        vaults["all" if options.pooled else pair.language].append(pair)
    results = [result for vault in vaults.values() for result in found(vault, options.half)]
    table = {
        "language": tabled(results, lambda pair: pair.language),
        "kind": tabled(results, lambda pair: pair.kind),
        "all": tabled(results, lambda _: "all"),
    }
    print("| | questions | ours | FTS5 |\n|---|---|---|---|")
    for rows in table.values():
        for name, (count, ours, theirs) in rows.items():
            print(f"| {name} | {count} | {ours / count:.2f} | {theirs / count:.2f} |")
    if options.missed:
        for pair, ours, _ in results:
            if not ours and pair.half == "develop":
                print(f"{pair.language} {pair.kind}: {pair.question} -> {pair.note}")
    if options.json:
        options.json.write_text(json.dumps(table, indent=1))


def tabled(results: Iterable[tuple[Pair, bool, bool]], key: Callable[[Pair], str]) -> dict[str, tuple[int, int, int]]:
    counts: defaultdict[str, tuple[int, int, int]] = defaultdict(lambda: (0, 0, 0))
    for pair, ours, theirs in results:
        count, hits, others = counts[key(pair)]
        counts[key(pair)] = count + 1, hits + ours, others + theirs
    return dict(counts)


if __name__ == "__main__":
    main()
