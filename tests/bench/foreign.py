"""How well a running server finds what it was not tuned on, beside a porter FTS5 in the same run.

    python -m tests.bench.foreign REPOSITORIES LOCOMO.zip [--sets beam realtalk] [--split tuning] [--json FILE]

`foreign_sets` says what REPOSITORIES holds and how the sets are split. Weights may be tuned on the split `tuning` only;
`report` is for totals, and its questions are not looked at one by one. Each set gets a new vault, a real server and the
question as it is; R@10 is the share of the evidence among the first ten, *shown* the share of the evidence of which the
first 6,000 characters of the answer (about 1,500 tokens) hold at least 200 in a row, or all that there are. The ratio
to FTS5 comes with the lower end of a paired bootstrap of 95 %.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import sqlite3
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path

from mcp import Client, StdioServerParameters, stdio_client

from tests.bench.corpus import Question, Turn
from tests.bench.foreign_sets import RULES, SETS, Vault, beam_updates, corrected, load
from tests.bench.fts5 import Fts5
from tests.bench.retrieval import write_notes

ANSWER = 6_000
PIECE = 200
SAMPLES = 1_000
# these are measured with the sessions of their conversations and once more without
IN_SESSIONS = ("beam", "realtalk", "locomo", "locomo-one", "observations", "memdaily")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]+")


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question found, with both systems."""

    category: str
    ours: float
    fts5: float
    shown: float


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    questions: int
    ours: float
    fts5: float
    ratio: float
    lowest_ratio: float
    shown: float


async def ask(
    folder: Path, questions: Sequence[str], tool: str, environ: dict[str, str]
) -> list[tuple[list[str], str]]:
    """Return for each question the ids of the first ten hits and the text of the answer."""
    server = StdioServerParameters(
        command=sys.executable,
        args=["-m", "mnemex_vault", "serve", "--vault", str(folder / "vault")],
        env=os.environ | {"MNEMEX_STATE_PATH": str(folder / "state"), "MNEMEX_TIMEZONE": "UTC"} | environ,
    )
    answers = []
    async with Client(stdio_client(server)) as client:
        for question in questions:
            result = await client.call_tool(tool, {"query": question})
            found = (result.structured_content or {}).get("results", [])
            text = "".join(block.text for block in result.content if block.type == "text")
            answers.append(([item["id"] for item in found][:10], text[:ANSWER]))
    return answers


def ours(vault: Vault, questions: Sequence[str], environ: dict[str, str]) -> Iterator[tuple[list[str], str]]:
    """Yield for each question the paths of the first ten hits and the beginning of the answer."""
    with tempfile.TemporaryDirectory(prefix="mnemex-bench-") as base:
        folder = Path(base)
        paths = written(folder / "vault", vault)
        tool = "search_unified" if vault.ordinary else "search_memory"
        for ids, text in asyncio.run(ask(folder, questions, tool, environ)):
            yield [paths.get(each, each) for each in ids], text


def written(root: Path, vault: Vault) -> dict[str, str]:
    """Write a vault; return the path in the set of each id that a hit can have."""
    if not vault.ordinary:
        ids = write_notes(root, vault.talk.turns, lambda turn: turn.session or None)
        return {memory_id: path for path, memory_id in ids.items()}
    for turn in vault.talk.turns:
        target = root / turn.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(turn.text, "utf-8")
    return {f"note:{turn.path}": turn.path for turn in vault.talk.turns}


def fts5(vault: Vault, questions: Iterable[str]) -> Iterator[list[str]]:
    base = Fts5(sqlite3.connect(":memory:"))
    base.add(
        (turn.path, Path(turn.path).stem if vault.ordinary else "", paired(turn.text)) for turn in vault.talk.turns
    )
    for question in questions:
        yield base.search(paired(question), 10)


def paired(text: str) -> str:
    """Write scripts without spaces as pairs of characters, as is usual with FTS5."""
    return _UNSPACED.sub(lambda m: f" {' '.join(m[0][i : i + 2] for i in range(max(1, len(m[0]) - 1)))} ", text)


def without_sessions(vault: Vault) -> Vault:
    turns = tuple(replace(turn, session="") for turn in vault.talk.turns)
    return replace(vault, talk=replace(vault.talk, turns=turns))


def measured(vault: Vault, environ: dict[str, str]) -> Iterator[Asked]:
    questions = vault.talk.questions
    asked = [question.text for question in questions]
    texts = {turn.path: turn for turn in vault.talk.turns}
    answers = zip(questions, ours(vault, asked, environ), fts5(vault, asked), strict=True)
    for question, (found, text), theirs in answers:
        shown = sum(is_shown(texts[path], text) for path in question.evidence) / len(question.evidence)
        yield Asked(str(question.category), share(question, found), share(question, theirs), shown)


def share(question: Question, found: Iterable[str]) -> float:
    return len(question.evidence & set(found)) / len(question.evidence)


def is_shown(turn: Turn, answer: str) -> bool:
    """Tell whether an answer holds enough of a note in one piece."""
    own, answer = " ".join(turn.text.split()), " ".join(answer.split())
    if len(own) <= PIECE:
        return own in answer
    return any(own[start : start + PIECE] in answer for start in range(0, len(own) - PIECE, PIECE // 8))


def row(name: str, asked: Sequence[Asked]) -> Row:
    """Return the means, and the ratio of both systems with the lower end of its bootstrap."""
    count = len(asked)
    chance = random.Random(1)
    ratios = []
    for _ in range(SAMPLES):
        drawn = chance.choices(asked, k=count)
        theirs = sum(each.fts5 for each in drawn)
        ratios.append(sum(each.ours for each in drawn) / theirs if theirs else 1.0)
    mine, theirs, shown = (sum(getattr(each, part) for each in asked) / count for part in ("ours", "fts5", "shown"))
    lowest = sorted(ratios)[int(0.025 * SAMPLES)]
    return Row(name, count, mine, theirs, mine / theirs if theirs else 1.0, lowest, shown)


def rows_of(name: str, vaults: Sequence[Vault], environ: dict[str, str]) -> Iterator[Row]:
    """Yield the row of a set, and one for each of its vaults where these are different tests, and each category."""
    by_group: defaultdict[str, list[Asked]] = defaultdict(list)
    for vault in vaults:
        for each in measured(vault, environ):
            if name.startswith("beam") and each.category in RULES:
                by_group["the rules of BEAM"].append(each)
                continue
            by_group[vault.name if name in ("beside", "within") else name].append(each)
            by_group[f"{name}: {each.category}"].append(each)
    yield from (row(group, asked) for group, asked in sorted(by_group.items()))


# No client sends a question as it was asked: three queries each, as an assistant would write them, by one hand that had
# not seen the evidence.


def rewritten() -> dict[str, list[str]]:
    """Return the queries for some questions of the tuning splits, by the beginning of the hash of the question."""
    lines = Path(__file__).with_name("rewritten.txt").read_text("utf-8").splitlines()
    return {key: queries for key, *queries in (line.split(" | ") for line in lines)}


def rewritten_rows(name: str, vaults: Sequence[Vault], environ: dict[str, str]) -> Iterator[Row]:
    """Yield what is found by the question, by one query for it, and by all three together."""
    known = rewritten()
    rows: dict[str, list[Asked]] = {}
    for vault in vaults:
        questions = [(q, known[key]) for q in vault.talk.questions if (key := _key(q.text)) in known]
        texts = [text for question, queries in questions for text in (question.text, *queries)]
        mine = iter([found for found, _ in ours(vault, texts, environ)] if texts else [])
        theirs = fts5(vault, texts)
        for question, queries in questions:
            pages = [(next(mine), next(theirs)) for _ in range(1 + len(queries))]
            shares = [[share(question, found) for found in pair] for pair in pages]
            together = [share(question, [path for page in pages[1:] for path in page[which]]) for which in (0, 1)]
            for label, (a, b) in (("as asked", shares[0]), ("within three calls", together)):
                rows.setdefault(f"{name}, {label}", []).append(Asked(str(question.category), a, b, 0.0))
            each = [Asked(str(question.category), a, b, 0.0) for a, b in shares[1:]]
            rows.setdefault(f"{name}, rewritten", []).extend(each)
    yield from (row(label, asked) for label, asked in rows.items())


def _key(text: str) -> str:
    return sha256(text.encode()).hexdigest()[:10]


def updates(repositories: Path, split: str) -> tuple[int, int, int]:
    """Return for how many of BEAM's updated facts the new statement comes before the old one, of these how many have
    both among the first ten, and of how many."""
    first = both = count = 0
    for vault, cases in beam_updates(repositories, split):
        for (_, old, new), (found, _) in zip(cases, ours(vault, [case[0] for case in cases], {}), strict=True):
            places = [min((found.index(p) for p in paths if p in found), default=len(found)) for paths in (old, new)]
            newer_first = places[1] < places[0]
            first, count = first + newer_first, count + 1
            both += newer_first and places[0] < len(found)
    return first, both, count


def variants_of(name: str, options: argparse.Namespace) -> Iterator[tuple[str, list[Vault]]]:
    """Yield the vaults of a set, those of conversations once more without their sessions."""
    vaults = load(name, options.repositories, options.archive, options.split)
    if options.corrected and name.startswith("locomo"):
        vaults = corrected(vaults, options.repositories)
    yield name, vaults
    if name in IN_SESSIONS:
        yield f"{name}, alone", [without_sessions(vault) for vault in vaults]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("repositories", type=Path)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--sets", nargs="+", choices=[*SETS, "updates"], default=[*SETS, "updates"])
    parser.add_argument("--split", choices=["tuning", "report"], default="tuning")
    parser.add_argument("--categories", action="store_true", help="a row for each kind of question as well")
    parser.add_argument("--corrected", action="store_true", help="LoCoMo with the evidence that its audit names")
    parser.add_argument("--rewritten", action="store_true", help="the queries of rewritten.txt (locomo, realtalk)")
    parser.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting of the server")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    environ = dict(setting.split("=", 1) for setting in options.set)
    print("| set | questions | R@10 | FTS5 | ratio | at least | shown |\n|---|---|---|---|---|---|---|", flush=True)
    rows: list[Row] = []
    for name in options.sets:
        if name == "updates":
            first, both, count = updates(options.repositories, options.split)
            told = f"{first} of {count}, {both} with both among the first ten"
            print(f"| updated facts of BEAM before the old ones | {count} | {told} |||||", flush=True)
            continue
        for variant, chosen in variants_of(name, options):
            for each in (rewritten_rows if options.rewritten else rows_of)(variant, chosen, environ):
                if options.categories or ": " not in each.name:
                    rows.append(each)
                    figures = f"{each.ours:.3f} | {each.fts5:.3f} | {each.ratio:.2f} | {each.lowest_ratio:.2f}"
                    print(f"| {each.name} | {each.questions} | {figures} | {each.shown:.3f} |", flush=True)
    if options.json:
        options.json.write_text(json.dumps([asdict(each) for each in rows], indent=1))


if __name__ == "__main__":
    main()
