"""What ChatGPT and Claude hand over when a person asks for their data: conversations, and what was remembered.

The download is read where it lies, a zip or the folder of what was in it: nothing is unpacked to disk, one conversation
at a time is held in memory, and what is bigger than any person's talk is refused.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import IO, Any

import ijson

from mnemex_vault.errors import NotPossible
from mnemex_vault.importers.findings import Problem, speakable
from mnemex_vault.text.values import read_time

_PART = re.compile(r"(?:^|/)(conversations|memories|projects)(?:[-_]\d+)?(?:\.json$|/[^/]+\.json$)")
_MAY_REMEMBER = re.compile(r"memor[^/]*\.json$", re.IGNORECASE)
_MEMORY_KEYS: Mapping[str, type] = {"conversations_memory": str, "project_memories": dict, "memory_files": list}
_MOST_MEMBERS = 20_000
_MOST_BYTES = 16 << 30
_SMALL = 64 << 20
_MOST_RATIO = 250
_ONE_CONVERSATION = 64 << 20
_DEEPEST = 100
# ChatGPT keeps a memory by a message to this tool
_MEMORY_TOOL = "bio"
_INSTRUCTIONS = "user_editable_context"
_FENCED = re.compile(r"```\n?(.*?)\n?```", re.DOTALL)
Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What was written in a conversation by the person, or by the assistant to remember it.

    `kept` needs no judging: it was put down as a memory, or as instructions for every conversation.
    """

    id: str
    text: str
    at: datetime | None
    by_person: bool = True
    kept: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """One conversation; `service` is whose export it is from."""

    id: str
    title: str
    service: str
    at: datetime | None
    said: tuple[Said, ...]
    place: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A text that a service kept about the person, or that the person gave to a project there."""

    text: str
    place: str
    title: str = ""
    project: str | None = None
    at: datetime | None = None
    by_person: bool = False


@dataclass(slots=True)
class Export:
    """A download; `problems` grows while it is read and tells what was left out, and why.

    Raises NotPossible for what holds neither conversations nor memories, or more than a service would put into it.
    """

    path: Path
    problems: list[Problem] = field(default_factory=list)

    def __post_init__(self) -> None:
        if not is_export(self.path):
            raise NotPossible(str(self.path), "holds no conversations.json and no memories.json, zipped or not")

    def conversations(self) -> Iterator[Conversation]:
        """Yield every conversation that a person did not ask to forget, in the order of the export."""
        unwanted = 0
        for place, value in self._values("conversations"):
            if value.get("is_do_not_remember"):
                unwanted += 1
                continue
            read = _chatgpt if "mapping" in value else _claude if "chat_messages" in value else None
            if read is None:
                self.problems.append(Problem(place, "is no conversation of ChatGPT or Claude"))
            else:
                yield read(value, place)
        if unwanted:
            self.problems.append(Problem(self.path.name, f"conversations that were not to be remembered: {unwanted}"))

    def remembered(self) -> Iterator[Remembered]:
        """Yield what Claude kept about the person and each project, and the person's instructions of projects."""
        projects: dict[str, str] = {}
        for place, value in self._values("projects"):
            name = _line(value.get("name"))
            projects[str(value.get("uuid"))] = name
            if _text(value.get("prompt_template")):
                instructions = _text(value["prompt_template"])
                yield Remembered(text=instructions, place=place, title=name, project=name or None, by_person=True)
            documents = value.get("docs")
            if isinstance(documents, list) and documents:
                self.problems.append(Problem(place, f"documents of the project {name!r} left out: {len(documents)}"))
        for place, value in self._values("memories"):
            self.problems += (Problem(place, f"{key} is not known, and was left out") for key in _unknown_texts(value))
            yield from _claude_memories(value, place, projects)
        for name, _ in _files(self.path):
            if _MAY_REMEMBER.search(name) and not _PART.search(name):
                self.problems.append(Problem(name, "may hold memories in a form that is not known, and was left out"))

    def _values(self, kind: str) -> Iterator[tuple[str, Json]]:
        """Yield every object of the files of a kind, each with its place."""
        for name, opened in self._parts(kind):
            try:
                with closing(opened()) as file:
                    yield from self._objects(name, file)
            except (OSError, zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
                self.problems.append(Problem(name, f"cannot be read: {error}"))

    def _parts(self, kind: str) -> Iterator[tuple[str, Callable[[], IO[bytes]]]]:
        for name, opened in _files(self.path):
            found = _PART.search(name)
            if found and found[1] == kind:
                yield name, opened

    def _objects(self, name: str, file: IO[bytes]) -> Iterator[tuple[str, Json]]:
        stream = _Bounded(file)
        events = ijson.parse(_shallow(ijson.basic_parse(io.BufferedReader(stream), use_float=True)))
        found = ijson.items(events, "item" if stream.is_list else "")
        number = 0
        try:
            for number, value in enumerate(found, 1):
                stream.start_over()
                if isinstance(value, dict):
                    yield f"{name}:{number}", value
                else:
                    self.problems.append(Problem(f"{name}:{number}", "is not an object"))
        except (ijson.JSONError, UnicodeDecodeError, _Unreasonable) as error:
            self.problems.append(Problem(f"{name}:{number + 1}", f"cannot be read from here on: {error}"))


def is_export(path: Path) -> bool:
    """Tell whether a zip, folder or file is named as what a service hands over; raises as `Export`."""
    return any(_PART.search(name) for name, _ in _files(path))


def _files(path: Path) -> Iterator[tuple[str, Callable[[], IO[bytes]]]]:
    """Yield name and opener of each file in a zip, or below a folder and in the zips there, or the file itself.

    An opener works until the next one is asked for.
    """
    if path.is_dir():
        for each in sorted(islice(path.rglob("*"), _MOST_MEMBERS)):
            if each.suffix.lower() == ".zip":
                yield from ((f"{each.name}/{name}", opened) for name, opened in _members(each))
            elif each.is_file() and not each.is_symlink():
                yield each.relative_to(path).as_posix(), lambda each=each: each.open("rb")  # type: ignore[misc]
    elif zipfile.is_zipfile(path):
        yield from _members(path)
    else:
        yield path.name, lambda: path.open("rb")


def _members(path: Path) -> Iterator[tuple[str, Callable[[], IO[bytes]]]]:
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            _refuse_bomb(path, members)
            for member in members:
                yield member.filename, lambda member=member: archive.open(member)  # type: ignore[misc]
    except zipfile.BadZipFile as error:
        raise NotPossible(str(path), f"is no whole zip: {error}; download it once more") from error


def _refuse_bomb(path: Path, members: Iterable[zipfile.ZipInfo]) -> None:
    """Raise NotPossible for a zip that no service makes: too many files, too much in them, or packed beyond reason."""
    sizes = [(member.file_size, member.compress_size) for member in members]
    packed = any(size > _SMALL and size > _MOST_RATIO * compressed for size, compressed in sizes)
    if len(sizes) > _MOST_MEMBERS or sum(size for size, _ in sizes) > _MOST_BYTES or packed:
        raise NotPossible(str(path), "is no export: it holds more than a service would put into one")


class _Unreasonable(Exception):
    """What no service writes: too long, or too deep."""


def _shallow(events: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """Yield the events of a JSON text; raises _Unreasonable where it is nested deeper than any conversation."""
    depth = 0
    for event in events:
        depth += (event[0] in ("start_map", "start_array")) - (event[0] in ("end_map", "end_array"))
        if depth > _DEEPEST:
            raise _Unreasonable(f"it is nested more than {_DEEPEST} deep")
        yield event


class _Bounded(io.RawIOBase):
    """A stream that gives up when one thing in it goes on for too long; a mark at its beginning is left out."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        start = file.read(1 << 12).removeprefix(b"\xef\xbb\xbf")
        self.is_list = start.lstrip().startswith(b"[")
        self._start = start
        self._since = 0

    def start_over(self) -> None:
        """Begin to count anew, for the next thing."""
        self._since = 0

    def readable(self) -> bool:
        """Tell that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill the buffer. Raises _Unreasonable."""
        data = self._start[: len(buffer)] or self._file.read(len(buffer))
        self._start = self._start[len(data) :]
        self._since += len(data)
        if self._since > _ONE_CONVERSATION:
            raise _Unreasonable(f"a conversation of more than {_ONE_CONVERSATION >> 20} MB")
        buffer[: len(data)] = data
        return len(data)


def _text(value: object) -> str:
    return speakable(value).strip() if isinstance(value, str) else ""


def _line(value: object) -> str:
    return " ".join(_text(value).split())


def _time(value: object) -> datetime | None:
    return read_time(value, UTC) if isinstance(value, str | int | float) else None


def _chatgpt(value: Json, place: str) -> Conversation:
    shown = _shown_branch(value)
    # what was put down as a memory was so in any branch
    in_sight = {id(node) for node in shown}
    others = (node for node in _nodes(value) if id(node) not in in_sight)
    kept = (said for node in others if (said := _chatgpt_said(node)) is not None and said.kept)
    found = (*kept, *(_chatgpt_said(node) for node in shown))
    return Conversation(
        id=str(value.get("conversation_id") or value.get("id") or place),
        title=_line(value.get("title")),
        service="ChatGPT",
        at=_time(value.get("create_time")),
        said=tuple(said for said in found if said is not None),
        place=place,
    )


def _nodes(value: Json) -> list[Json]:
    nodes = value.get("mapping")
    return [node for node in nodes.values() if isinstance(node, dict)] if isinstance(nodes, dict) else []


def _shown_branch(value: Json) -> list[Json]:
    """Return the messages from the first to the one that was shown last; other branches were replaced by these."""
    nodes = value.get("mapping")
    if not isinstance(nodes, dict):
        return []
    branch: dict[str, Json] = {}
    at: object = value.get("current_node")
    while isinstance(at, str) and at not in branch and isinstance(nodes.get(at), dict):
        branch[at] = nodes[at]
        at = nodes[at].get("parent")
    return [*reversed(branch.values())] if branch else _nodes(value)


def _chatgpt_said(node: Json) -> Said | None:
    message = node.get("message")
    if not isinstance(message, dict):
        return None
    author, content = message.get("author"), message.get("content")
    role = author.get("role") if isinstance(author, dict) else None
    put_down = role == "assistant" and message.get("recipient") == _MEMORY_TOOL
    if not isinstance(content, dict) or not (role == "user" or put_down):
        return None
    text = "\n".join(filter(None, _chatgpt_texts(content)))
    if not text:
        return None
    return Said(
        id=str(message.get("id") or ""),
        text=text,
        at=_time(message.get("create_time")),
        by_person=not put_down,
        kept=put_down or content.get("content_type") == _INSTRUCTIONS,
    )


def _chatgpt_texts(content: Json) -> Iterator[str]:
    """Yield the words of a message; of the person's standing instructions those within the service's frame."""
    if content.get("content_type") == _INSTRUCTIONS:
        for key in ("user_profile", "user_instructions"):
            text = _text(content.get(key))
            framed = _FENCED.search(text)
            yield framed[1].strip() if framed else text
        return
    parts = content.get("parts")
    yield from (_text(part) for part in parts or () if isinstance(parts, list))


def _claude(value: Json, place: str) -> Conversation:
    messages = value.get("chat_messages")
    found = (_claude_said(each) for each in messages or () if isinstance(messages, list) and isinstance(each, dict))
    return Conversation(
        id=str(value.get("uuid") or place),
        title=_line(value.get("name")),
        service="Claude",
        at=_time(value.get("created_at")),
        said=tuple(said for said in found if said is not None),
        place=place,
    )


def _claude_said(message: Json) -> Said | None:
    if message.get("sender") not in ("human", "user"):
        return None
    content = message.get("content")
    blocks = [each for each in content if isinstance(each, dict)] if isinstance(content, list) else []
    text = "\n".join(filter(None, (_text(each.get("text")) for each in blocks))) or _text(message.get("text"))
    if not text:
        return None
    return Said(id=str(message.get("uuid") or ""), text=text, at=_time(message.get("created_at")))


def _unknown_texts(value: Json) -> Iterator[str]:
    """Yield the keys of what was kept that hold more than an id or a time, and are not read."""
    for key, kept in value.items():
        holds_words = " " in kept.strip() if isinstance(kept, str) else bool(kept) and isinstance(kept, dict | list)
        if holds_words and not isinstance(kept, _MEMORY_KEYS.get(key, ())):
            yield key


def _claude_memories(value: Json, place: str, projects: Mapping[str, str]) -> Iterator[Remembered]:
    if _text(value.get("conversations_memory")):
        yield Remembered(text=_text(value["conversations_memory"]), place=place)
    kept = value.get("project_memories")
    for project, text in kept.items() if isinstance(kept, dict) else ():
        if _text(text):
            name = projects.get(project, "")
            yield Remembered(text=_text(text), place=f"{place} project {name or project}", project=name or None)
    kept = value.get("memory_files")
    for file in kept if isinstance(kept, list) else ():
        if isinstance(file, dict) and _text(file.get("content")):
            name = _line(file.get("path")).strip("/")
            at = _time(file.get("updated_at"))
            yield Remembered(text=_text(file["content"]), place=f"{place} {name}", title=_stem(name), at=at)


def _stem(name: str) -> str:
    return name.rpartition("/")[2].removesuffix(".md").replace("_", " ").replace("-", " ")
