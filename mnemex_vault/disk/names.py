"""Whether a folder holds a name already, or one that some system takes for the same.

Listing a folder of many thousand notes costs more than writing one. So a large folder that is asked about again is
watched: the system then tells of every name that comes. Its time of change says whether the system told of all.
"""

from __future__ import annotations

import os
import weakref
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from threading import Lock

from mnemex_vault.disk import native
from mnemex_vault.disk.paths import names_for
from mnemex_vault.errors import NoteExists
from mnemex_vault.language.folding import name_key

# listing fewer names takes less than a millisecond
_WORTH_WATCHING = 1_000
_MOST_NEW = 4_096

FolderKey = tuple[int, int]


def key_of(folder: int) -> FolderKey:
    """Return what tells an open folder from all others."""
    found = os.fstat(folder)
    return found.st_dev, found.st_ino


@dataclass(slots=True)
class _Held:
    """Hashes of the folded names a folder had when it was listed, in order, and of those that came since.

    A name that has gone stays among them until the folder is listed anew. `changed` is when the folder had changed at
    the last look, `told` whether the system told of a change since.
    """

    listed: array[int]
    changed: tuple[int, int]
    new: set[int] = field(default_factory=set)
    told: bool = False

    def may_hold(self, folded: str) -> bool:
        """Tell whether the folder may hold a name of this folded form; False is certain."""
        wanted = hash(folded)
        place = bisect_left(self.listed, wanted)
        return wanted in self.new or (place < len(self.listed) and self.listed[place] == wanted)


class Names:
    """The names in folders, as far as they can be known without listing them.

    Folders of fewer names than `worth_watching` are always listed, and so are all on file systems that others may
    change without this system's knowledge.
    """

    def __init__(self, *, worth_watching: int = _WORTH_WATCHING) -> None:
        self._worth_watching = worth_watching
        self._lock = Lock()
        self._events: int | None = None
        self._large: set[FolderKey] = set()
        self._watches: dict[FolderKey, int] = {}
        self._held: dict[int, _Held] = {}

    def refuse_twin(self, path: str, folder: int, name: str, *, besides: str | None = None) -> None:
        """Raise NoteExists if an open folder holds a twin of the name, or its placeholder; `besides` does not count."""
        forms = [name_key(each) for each in (name, *names_for(name))]
        with self._lock:
            if self._surely_lacks(folder, forms):
                return
            names, folded = self._list(folder)
        if set(forms).isdisjoint(folded):
            return
        wanted, *placeholders = forms
        for other, form in zip(names, folded, strict=True):
            if form in placeholders:
                raise NoteExists(path)
            if form == wanted and other != besides:
                raise NoteExists(path.removesuffix(name) + other)

    def changed(self, folder: int) -> None:
        """Take note that we changed a folder, so that its time of change tells of others again."""
        with self._lock:
            self._know(folder)

    def _surely_lacks(self, folder: int, forms: Iterable[str]) -> bool:
        held = self._know(folder)
        return held is not None and not any(map(held.may_hold, forms))

    def _know(self, folder: int) -> _Held | None:
        """Return what is known of a folder up to now, None if it is not known for certain."""
        watch = self._watches.get(key_of(folder)) if self._watches else None
        if watch is None:
            return None
        self._take_in()
        held, changed = self._held.get(watch), _changed(folder)
        if held is None:
            return None
        if len(held.new) > _MOST_NEW or (held.changed != changed and not held.told):
            del self._held[watch]
            return None
        held.changed, held.told = changed, False
        return held

    def _list(self, folder: int) -> tuple[Sequence[str], Sequence[str]]:
        """Return the names of a folder and their folded forms, and hold them if it is watched."""
        # whatever comes from here on is told, and what came before is in the list
        watch, changed = self._watch(folder), _changed(folder)
        names = os.listdir(folder)
        # nearly all names are plain
        folded = [name.lower() if name.isascii() else name_key(name) for name in names]
        if watch is not None:
            self._held[watch] = _Held(array("q", sorted(map(hash, folded))), changed)
        elif len(names) >= self._worth_watching:
            self._large.add(key_of(folder))
        return names, folded

    def _watch(self, folder: int) -> int | None:
        """Let the system tell of a folder that was found to be large, and is asked about once more."""
        key = key_of(folder)
        if key not in self._large or not native.tells_of_names(folder):
            return None
        try:
            if self._events is None:
                self._events = native.open_events()
                weakref.finalize(self, os.close, self._events)
            self._watches[key] = native.watch(self._events, folder)
        except OSError:
            # there are only so many watches for all programs of a person
            return None
        self._take_in()
        return self._watches[key]

    def _take_in(self) -> None:
        if self._events is None:
            return
        for event in native.read_events(self._events):
            if event.lost:
                self._held.clear()
            elif event.ended:
                self._held.pop(event.watch, None)
                self._watches = {key: watch for key, watch in self._watches.items() if watch != event.watch}
            elif event.watch in self._held:
                held = self._held[event.watch]
                held.told = True
                if event.came:
                    held.new.add(hash(name_key(event.name)))


def _changed(folder: int) -> tuple[int, int]:
    found = os.fstat(folder)
    return found.st_mtime_ns, found.st_ctime_ns
