"""Uses of memories that are not yet written into their notes, kept so that none is lost."""

from __future__ import annotations

import threading
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import msgspec

from mnemex_vault.disk.safeguards import refused_as
from mnemex_vault.disk.state import private_folder
from mnemex_vault.history.append_log import AppendLog

_COMPACT_FROM = 200
_NAME = "the waiting uses"
# no use, but a person's yes that an edit was; it waits like a use until the note is quiet
APPROVAL = "approve"


@dataclass(frozen=True, slots=True)
class PendingUse:
    """One use; `kind` is "touch", "observe", "open", or `APPROVAL`."""

    id: str
    memory_id: str
    at: datetime
    kind: str
    boost: bool = False
    cross_domain: bool = False


class _Used(msgspec.Struct, tag="use", frozen=True):
    use: PendingUse


class _Written(msgspec.Struct, tag="written", frozen=True):
    ids: tuple[str, ...]


class PendingUses:
    """The uses that wait, shared by all processes of a vault."""

    def __init__(self, folder: Path, *, compact_from: int = _COMPACT_FROM) -> None:
        self._log: AppendLog[_Used | _Written] = AppendLog(private_folder(folder) / "uses.log", _Used | _Written)
        self._compact_from = compact_from
        self._mutex = threading.Lock()
        self._records: Sequence[_Used | _Written] = ()
        self._waiting: dict[str, PendingUse] = {}
        self._by_memory: dict[str, tuple[PendingUse, ...]] = {}

    def add(self, use: PendingUse) -> None:
        """Keep a use; it is on the disk when this returns. Raises WriteFailed."""
        with refused_as(_NAME):
            self._log.append([_Used(use)])

    def all(self) -> list[PendingUse]:
        """Return the uses that wait, in the order in which they were added."""
        with self._mutex:
            self._load()
            return list(self._waiting.values())

    def of(self, memory_id: str) -> tuple[PendingUse, ...]:
        """Return the uses of one memory that wait."""
        with self._mutex:
            self._load()
            return self._by_memory.get(memory_id, ())

    def remove(self, ids: Iterable[str]) -> None:
        """Forget uses that are written, or whose memory is gone."""
        gone = tuple(ids)
        if not gone:
            return
        with refused_as(_NAME):
            self._log.append([_Written(gone)])
            records = self._log.read()
            if len(records) > self._compact_from + 3 * len(_waiting(records)):
                self._log.rewrite(lambda present: [_Used(use) for use in _waiting(present).values()])

    def _load(self) -> None:
        records = self._log.read()
        if records is self._records:
            return
        self._records = records
        self._waiting = _waiting(records)
        grouped: defaultdict[str, list[PendingUse]] = defaultdict(list)
        for use in self._waiting.values():
            grouped[use.memory_id].append(use)
        self._by_memory = {memory_id: tuple(uses) for memory_id, uses in grouped.items()}


def _waiting(records: Iterable[_Used | _Written]) -> dict[str, PendingUse]:
    waiting: dict[str, PendingUse] = {}
    for record in records:
        if isinstance(record, _Used):
            waiting[record.use.id] = record.use
        else:
            for use_id in record.ids:
                waiting.pop(use_id, None)
    return waiting
