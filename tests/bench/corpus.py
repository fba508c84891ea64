"""Texts to measure with: LoCoMo conversations (a path, never shipped) and notes made of Python's own documentation."""

from __future__ import annotations

import ast
import json
import random
import re
import sysconfig
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from mnemex_vault.index.document import Document

TUNING = (26, 41, 47)
HELD_OUT = (30, 42)


@dataclass(frozen=True, slots=True)
class Turn:
    path: str
    session: str
    speaker: str
    text: str
    created: datetime


@dataclass(frozen=True, slots=True)
class Question:
    text: str
    evidence: frozenset[str]
    category: int | str


@dataclass(frozen=True, slots=True)
class Conversation:
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @property
    def end(self) -> datetime:
        return max(turn.created for turn in self.turns)


def conversation(archive: Path, number: int) -> Conversation:
    """Read one conversation of the LoCoMo archive, with questions of the categories 1 to 4 that have evidence."""
    data = json.loads(zipfile.ZipFile(archive).read(f"{number}.json"))
    turns = tuple(_turns(data.get("conversation", data), number))
    known = {turn.path for turn in turns}
    questions = [
        Question(item["question"], evidence_of(item.get("evidence", ()), number) & known, item["category"])
        for item in data["qa"]
        if item["category"] != 5
    ]
    return Conversation(turns, tuple(question for question in questions if question.evidence))


def merged(conversations: list[Conversation]) -> Conversation:
    """Put several conversations into one vault."""
    turns = tuple(turn for each in conversations for turn in each.turns)
    return Conversation(turns, tuple(question for each in conversations for question in each.questions))


def _turns(data: dict[str, object], number: int) -> Iterator[Turn]:
    session = 1
    while f"session_{session}_date_time" in data:
        written = str(data[f"session_{session}_date_time"]).replace(" on ", " ")
        start = datetime.strptime(written, "%I:%M %p %d %B, %Y").replace(tzinfo=UTC)
        turns = data.get(f"session_{session}") or []
        assert isinstance(turns, list)
        for position, turn in enumerate(turns):
            text = f"{turn['speaker']}: {turn['text']}"
            if turn.get("blip_caption"):
                text += f" [image: {turn['blip_caption']}]"
            path = _path(number, turn["dia_id"])
            created = start + timedelta(seconds=position)
            yield Turn(path, f"{number} session {session}", turn["speaker"], text, created)
        session += 1


def _path(number: int, dialogue_id: str) -> str:
    session, turn = (int(part) for part in re.findall(r"\d+", dialogue_id)[:2])
    return f"{number}/D{session}-{turn}.md"


def evidence_of(written: Iterable[str], number: int) -> frozenset[str]:
    """Return the paths of turns by their ids, also of such as `D8:6; D9:17` and `D:11:26`."""
    found = re.findall(r"D:?\s*(\d+):(\d+)", " ".join(str(item) for item in written))
    return frozenset(f"{number}/D{int(session)}-{int(turn)}.md" for session, turn in found)


def document(turn: Turn) -> Document:
    """Return a turn as a memory: named after its beginning, with the time of its session."""
    return plain_document(turn.path, turn.text, created=turn.created)


def plain_document(path: str, body: str, *, created: datetime | None = None, tags: tuple[str, ...] = ()) -> Document:
    """Return a note named after the beginning of its text."""
    return Document(
        path=path,
        etag=str(hash(body)),
        title=body[:60].rsplit(" ", 1)[0],
        aliases=(),
        tags=tags,
        entities=(),
        headings=(),
        body=body,
        source=None,
        created=created,
        project=None,
    )


@dataclass(slots=True)
class Sessions:
    """Neighbours by session only."""

    names: dict[str, str]
    members: dict[str, list[str]]
    places: dict[str, int]

    @classmethod
    def of(cls, pairs: list[tuple[str, str]]) -> Sessions:
        """Build from (path, session) in the order of saving."""
        members: dict[str, list[str]] = {}
        for path, name in pairs:
            members.setdefault(name, []).append(path)
        places = {path: place for paths in members.values() for place, path in enumerate(paths)}
        return cls(dict(pairs), members, places)

    def session_of(self, path: str) -> str | None:
        return self.names.get(path)

    def session(self, name: str) -> list[str]:
        return self.members[name]

    def place(self, path: str) -> int:
        return self.places[path]


def sentences() -> list[str]:
    """Return sentences of the standard library's docstrings and comments, always in the same order."""
    found: dict[str, None] = {}
    for source in sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py")):
        text = source.read_text(encoding="utf-8", errors="replace")
        comments = " ".join(re.findall(r"#\s+(.*)", text))
        try:
            tree = ast.parse(text)
        except SyntaxError:
            continue
        nodes = (n for n in ast.walk(tree) if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef))
        docs = " ".join(ast.get_docstring(node) or "" for node in nodes)
        for sentence in re.split(r"(?<=[.!?])\s+", f"{docs} {comments}"):
            words = sentence.split()
            if 4 <= len(words) <= 40:
                found[" ".join(words)] = None
    return list(found)


def notes(count: int, extra: list[str], seed: int = 1) -> Iterator[tuple[Document, str]]:
    """Yield notes of about 137 words with a session each of ten, made of sentences in random order."""
    chance = random.Random(seed)
    pool = sentences() + extra
    start = datetime(2024, 1, 1, tzinfo=UTC)
    for number in range(count):
        body: list[str] = []
        words, wanted = 0, max(15, int(chance.gauss(137, 60)))
        while words < wanted:
            sentence = chance.choice(pool)
            body.append(sentence)
            words += len(sentence.split())
        created = start + timedelta(minutes=17 * number)
        path = f"Notes/{number % 100:02}/note {number}.md"
        text = " ".join(body)
        tags = (f"topic{number % 37}",)
        yield plain_document(path, text, created=created, tags=tags), f"session {number // 10}"
