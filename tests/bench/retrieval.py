"""How well `search_memory` of a running server finds the evidence of LoCoMo questions, beside a porter FTS5.

Run `python -m tests.bench.retrieval LOCOMO.zip [--model FOLDER]`. LoCoMo (CC BY-NC 4.0) is not shipped; give the path to an archive
with one JSON file a conversation. Every turn becomes a note with `session` and `created`, in a new vault; each question
is asked as it is. R@k is the share of the evidence among the first k, averaged over questions of the categories 1 to 4.
With a model (a folder as for the setting `embed_model`), all vectors are made before the first question.
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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC
from pathlib import Path

from mcp import Client, StdioServerParameters, stdio_client

from mnemex_vault.domain.memory import Memory, Usage
from mnemex_vault.text.fields import new_memory_id, render
from tests.bench.corpus import HELD_OUT, TUNING, Conversation, Turn, conversation, merged

STOP = frozenset(
    "a an and are as at be been but by can could did do does for from had has have how i if in is it its of on or s"
    " she he her his they their that the this to was were what when where which who whom whose why will with would you"
    " your".split()
)


@dataclass(frozen=True, slots=True)
class Figures:
    system: str
    vault: str
    questions: int
    recall_5: float
    recall_10: float
    mrr: float


def write_notes(root: Path, turns: Sequence[Turn], session_of: Callable[[Turn], str | None]) -> dict[str, str]:
    """Write each turn as a note; return the memory id of each turn."""
    choose = random.Random(1).choice
    ids = {}
    for turn in turns:
        stem = turn.path.replace("/", " ").removesuffix(".md")
        usage = Usage(created=turn.created, last_used=turn.created)
        title = turn.text[:60].rsplit(" ", 1)[0]
        memory = Memory(id=new_memory_id(choose), title=title, content=turn.text, usage=usage, session=session_of(turn))
        path = root / "Memories" / "Short-term" / f"{stem}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(render(memory, zone=UTC, fades_on=None, stem=stem), "utf-8")
        ids[turn.path] = memory.id
    return ids


@contextmanager
def vault(turns: Sequence[Turn], session_of: Callable[[Turn], str | None]) -> Iterator[tuple[Path, dict[str, str]]]:
    with tempfile.TemporaryDirectory(prefix="mnemex-bench-") as base:
        root = Path(base) / "vault"
        yield root, write_notes(root, turns, session_of)


async def ask(root: Path, questions: Sequence[str], model: Path | None) -> list[list[str]]:
    """Ask a real server over stdio; return the ids of the first ten hits of each question."""
    environ = os.environ | {"MNEMEX_STATE_PATH": str(root.parent / "state"), "MNEMEX_TIMEZONE": "UTC"}
    if model:
        environ |= {"MNEMEX_TOOLS": "full", "MNEMEX_ENABLE_EMBEDDINGS": "true", "MNEMEX_EMBED_MODEL": str(model)}
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "mnemex_vault", "serve", "--vault", str(root)], env=environ
    )
    answers = []
    async with Client(stdio_client(server)) as client:
        if model:
            made = (await client.call_tool("backfill_embeddings", {})).structured_content or {}
            if not made.get("success") or made["memories_without_embeddings"]:
                raise RuntimeError(f"not all vectors were made: {made}")
        for question in questions:
            result = await client.call_tool("search_memory", {"query": question, "limit": 10, "preview_length": 1})
            answer = result.structured_content or {}
            answers.append([item["id"] for item in answer.get("results", [])])
    return answers


def measured(system: str, name: str, ranked: Sequence[Sequence[str]], evidence: Sequence[frozenset[str]]) -> Figures:
    def recall(k: int) -> float:
        shares = [len(wanted & set(found[:k])) / len(wanted) for found, wanted in zip(ranked, evidence, strict=True)]
        return sum(shares) / len(shares)

    ranks = [
        next((1 / place for place, found in enumerate(page, 1) if found in wanted), 0.0)
        for page, wanted in zip(ranked, evidence, strict=True)
    ]
    return Figures(system, name, len(ranked), recall(5), recall(10), sum(ranks) / len(ranks))


def ours(
    name: str,
    conversations: Sequence[Conversation],
    session_of: Callable[[Turn], str | None],
    model: Path | None = None,
) -> Figures:
    pages: list[list[str]] = []
    evidence: list[frozenset[str]] = []
    for each in conversations:
        with vault(each.turns, session_of) as (root, ids):
            pages += asyncio.run(ask(root, [question.text for question in each.questions], model))
            evidence += [frozenset(ids[path] for path in question.evidence) for question in each.questions]
    return measured("mnemex-vault, with a model" if model else "mnemex-vault", name, pages, evidence)


def fts5(name: str, conversations: Sequence[Conversation]) -> Figures:
    pages: list[list[str]] = []
    evidence: list[frozenset[str]] = []
    for each in conversations:
        base = sqlite3.connect(":memory:")
        base.execute("create virtual table notes using fts5(path unindexed, body, tokenize='porter unicode61')")
        base.executemany("insert into notes values (?, ?)", [(turn.path, turn.text) for turn in each.turns])
        for question in each.questions:
            words = [word for word in re.findall(r"\w+", question.text.lower()) if word not in STOP]
            match = " OR ".join(f'"{word}"' for word in words) or '""'
            rows = base.execute("select path from notes where notes match ? order by rank limit 10", (match,))
            pages.append([path for (path,) in rows])
            evidence.append(question.evidence)
    return measured("FTS5 porter, OR, stop words", name, pages, evidence)


def run(archive: Path, *, quick: bool, model: Path | None) -> list[Figures]:
    held_out = [conversation(archive, number) for number in HELD_OUT]
    own: Callable[[Turn], str | None] = lambda turn: turn.session  # noqa: E731
    rows = [
        fts5("conversations 30 and 42", held_out),
        ours("conversations 30 and 42", held_out, own),
    ]
    if model:
        rows.append(ours("conversations 30 and 42", held_out, own, model))
    if quick:
        return rows
    everything = merged([conversation(archive, number) for number in (*TUNING, *HELD_OUT)])
    alone: Callable[[Turn], str | None] = lambda turn: None  # noqa: E731
    rows += [
        fts5("all five in one vault", [everything]),
        ours("all five in one vault", [everything], own),
        ours("30 and 42, isolated notes", held_out, alone),
        ours("30 and 42, one session for all", held_out, lambda turn: "conversation"),
    ]
    if model:
        rows.append(ours("all five in one vault", [everything], own, model))
        rows.append(ours("30 and 42, isolated notes", held_out, alone, model))
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("archive", type=Path)
    parser.add_argument("--quick", action="store_true", help="only the held-out conversations with sessions")
    parser.add_argument("--model", type=Path, help="a folder with a model, for the rows with comparing by meaning")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    rows = run(options.archive, quick=options.quick, model=options.model)
    print("| system | vault | questions | R@5 | R@10 | MRR |\n|---|---|---|---|---|---|")
    for row in rows:
        figures = f"{row.recall_5:.3f} | {row.recall_10:.3f} | {row.mrr:.3f}"
        print(f"| {row.system} | {row.vault} | {row.questions} | {figures} |")
    if options.json:
        options.json.write_text(json.dumps([asdict(row) for row in rows], indent=1))


if __name__ == "__main__":
    main()
