"""The changes of notes as values: what a use case decides, before anything is done."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Create:
    """A new note; there must be none at the path, nor one whose name differs only in case or Unicode form."""

    path: str
    text: str

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths that it concerns."""
        return (self.path,)


@dataclass(frozen=True, slots=True)
class Update:
    """A new text for a note, computed from the text that it has when it is written.

    `change` may be called several times, whenever someone else wrote the note in between; it must not depend on
    anything else. With `expected_etag` only that version is changed.
    """

    path: str
    change: Callable[[str], str]
    expected_etag: str | None = None

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths that it concerns."""
        return (self.path,)


@dataclass(frozen=True, slots=True)
class Move:
    """Another path for a note, where there must be none."""

    path: str
    to: str

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths that it concerns."""
        return (self.path, self.to)


@dataclass(frozen=True, slots=True)
class Trash:
    """A note that goes where Obsidian's settings say."""

    path: str

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths that it concerns."""
        return (self.path,)


Change = Create | Update | Move | Trash
