"""What clients asked of the vault in their last conversations: numbers, projects and ids, never a word of it."""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypedDict, Unpack

import msgspec

from mnemex_vault.disk.state import keep_newest, private_folder, replace_private
from mnemex_vault.errors import ConfigError, WriteFailed
from mnemex_vault.language.folding import name_key

# the folder of the state in which they are
CONVERSATIONS = "conversations"
_APART = "apart.txt"
_MOST = 200
_MOST_IDS = 50
_MOST_NAME = 60
UNKNOWN = "unknown"


class Event(TypedDict, total=False):
    """Something that a client did: a search (`fitted` if it found an answer), a brief, a report of what was used."""

    project: str | None
    asked: bool
    fitted: bool
    briefed: bool
    relied: Collection[str]


class Conversation(msgspec.Struct, frozen=True, kw_only=True):
    """One conversation of a client.

    `asked` counts searches, `fitted` those that found an answer, `briefed` briefs, `relied` names the memories that
    answers relied on, each with the project that was talked about then. The counts are exact, of memories the latest
    are kept; `project` is the one that was told last.
    """

    client: str
    begun: datetime
    last: datetime
    project: str | None = None
    asked: int = 0
    fitted: int = 0
    briefed: int = 0
    used: int = 0
    relied: tuple[tuple[str, str | None], ...] = ()

    def and_then(self, event: Event, *, now: datetime) -> Conversation:
        """Return the conversation after one more thing happened."""
        project = _name(event.get("project") or self.project or "") or None
        relied = [(_name(memory_id), project) for memory_id in event.get("relied", ())]
        latest = (*(each for each in self.relied if each not in relied), *dict.fromkeys(relied))
        return Conversation(
            client=self.client,
            begun=self.begun,
            last=now,
            project=project,
            asked=self.asked + event.get("asked", False),
            fitted=self.fitted + event.get("fitted", False),
            briefed=self.briefed + event.get("briefed", False),
            used=self.used + len(relied),
            relied=latest[-_MOST_IDS:],
        )


class Conversations:
    """The last conversations, each in a small private file; losing one costs nothing but the knowledge of it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()

    def note(self, client: str, name: str, *, now: datetime, **event: Unpack[Event]) -> None:
        """Remember that something happened in a conversation; a disk that refuses is no reason to stop."""
        client = _name(client) or UNKNOWN
        digest = hashlib.sha256("\n".join((client, name)).encode("utf-8", "replace")).hexdigest()
        path = self._folder / f"{digest[:20]}.json"
        with self._lock, contextlib.suppress(OSError, ConfigError):
            known = _read(path)
            if known is None:
                private_folder(self._folder)
                keep_newest(self._folder, _MOST - 1)
            conversation = known or Conversation(client=client, begun=now, last=now)
            replace_private(path, msgspec.json.encode(conversation.and_then(event, now=now)).decode())

    def all(self) -> list[Conversation]:
        """Return the conversations, the latest first."""
        found = (_read(path) for path in self._folder.glob("*.json"))
        return sorted((each for each in found if each), key=lambda each: each.last, reverse=True)

    def projects_of(self) -> Mapping[str, Mapping[str, str]]:
        """Return by memory the projects of conversations that relied on it, as they are spelled by their keys."""
        projects: defaultdict[str, dict[str, str]] = defaultdict(dict)
        for each in self.all():
            for memory_id, project in each.relied:
                if project:
                    projects[memory_id].setdefault(name_key(project), project)
        return projects

    def apart(self) -> frozenset[str]:
        """Return the memories that a person wants to stay with their project, however many rely on them."""
        try:
            return frozenset((self._folder / _APART).read_text("utf-8").split())
        except (OSError, UnicodeDecodeError):
            return frozenset()

    def keep_apart(self, memory_id: str) -> None:
        """Note that a memory is to stay with its project; raises WriteFailed."""
        with self._lock:
            private_folder(self._folder)
            try:
                replace_private(self._folder / _APART, "\n".join(sorted({*self.apart(), memory_id})) + "\n")
            except OSError as error:
                raise WriteFailed(str(self._folder / _APART), error.strerror or type(error).__name__) from error


@dataclass(frozen=True, slots=True, kw_only=True)
class Consulted:
    """What conversations of one client asked together, since when."""

    client: str
    since: datetime
    conversations: int
    asked: int
    fitted: int
    briefed: int
    used: int


def by_client(conversations: Iterable[Conversation]) -> list[Consulted]:
    """Return what each client asked, the one that asked last first."""
    grouped: defaultdict[str, list[Conversation]] = defaultdict(list)
    for each in conversations:
        grouped[each.client].append(each)
    return [
        Consulted(
            client=client,
            since=min(each.begun for each in theirs),
            conversations=len(theirs),
            asked=sum(each.asked for each in theirs),
            fitted=sum(each.fitted for each in theirs),
            briefed=sum(each.briefed for each in theirs),
            used=sum(each.used for each in theirs),
        )
        for client, theirs in grouped.items()
    ]


def _name(text: str) -> str:
    """Return a name on one line and of bounded length, as every file can hold it."""
    return " ".join(text.split())[:_MOST_NAME].encode("utf-8", "replace").decode("utf-8")


def _read(path: Path) -> Conversation | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Conversation)
    except (OSError, msgspec.DecodeError):
        return None
