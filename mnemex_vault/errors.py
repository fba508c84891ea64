"""Every error that a caller may want to handle; each carries its data in attributes.

    MnemexError
      ConfigError              problems: all of them, not only the first
        BadSetting             a value that can never be used
      InvalidInput             field, reason
        NotPossible            the value is understood, and refused as things are
          SecretFound          places: kind and place of each, never the secret
      VaultUnavailable         root, reason
        VaultEmptied           known, found
        AutomationPaused       reason: no automatic change for now
        VaultNotSetUp          root: a folder that nobody made a vault
      NoteError                path
        NoteNotFound           path or memory_id
        NoteExists             path
        NoteChanged            path, expected and actual etag, difference
        UnreadableNote         path, reason
          NoteAway             its text is not on this device yet
        PathOutsideVault       path
          LinkInTheWay         the vault as it is leads out of itself there
        DuplicateId            memory_id, paths
      NotAllowed               reason: read-only mode, scope, a missing confirmation
      WriteFailed              path, reason: the disk refused; nothing was changed
      LockTimeout              name, seconds
      IndexUnavailable         reason
      ModelUnavailable         folder, reason
      OperationNotFound        operation_id
      UndoRefused              operation_id, path, difference

Programmer mistakes (a naive datetime, a negative age) are `ValueError`, not `MnemexError`.
Only the command line and the MCP server turn these into text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, TypeVar

T = TypeVar("T")
R = TypeVar("R")


class MnemexError(Exception):
    """Base of all errors of this package."""


class ConfigError(MnemexError):
    """Settings that cannot be used."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("; ".join(problems))
        self.problems = tuple(problems)


class BadSetting(ConfigError):
    """Values of settings or of the environment that can never be used."""


class InvalidInput(MnemexError):
    """An argument that cannot be accepted."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class NotPossible(InvalidInput):
    """An argument that is understood, and refused as things are: what it names is missing, or in another state."""


class SecretFound(NotPossible):
    """A text that holds what looks like a key or password; `can_be_kept` if the caller may insist."""

    def __init__(self, field: str, places: Sequence[str], *, can_be_kept: bool = True) -> None:
        super().__init__(field, f"holds what looks like a secret: {'; '.join(places)}")
        self.places = tuple(places)
        self.can_be_kept = can_be_kept


class VaultUnavailable(MnemexError):
    """The vault is missing, unmounted or unreadable."""

    def __init__(self, root: Path, reason: str) -> None:
        super().__init__(f"{root}: {reason}")
        self.root = root
        self.reason = reason


class VaultEmptied(VaultUnavailable):
    """Most of the known notes disappeared at once."""

    def __init__(self, root: Path, *, known: int, found: int) -> None:
        super().__init__(root, f"only {found} of {known} known notes are there")
        self.known = known
        self.found = found


class AutomationPaused(VaultUnavailable):
    """A guard stopped automatic change; explicit calls still work."""


class VaultNotSetUp(VaultUnavailable):
    """Nobody made the folder a vault, so nothing is written into it."""

    def __init__(self, root: Path) -> None:
        super().__init__(root, "is not set up as a vault; nothing was written")


class NoteError(MnemexError):
    """An error about one note."""

    def __init__(self, path: str, message: str) -> None:
        super().__init__(message)
        self.path = path


class NoteNotFound(NoteError):
    """No note at this path, or no memory with this id."""

    def __init__(self, path: str = "", *, memory_id: str = "") -> None:
        super().__init__(path, f"no memory with id {memory_id}" if memory_id else f"no note at {path}")
        self.memory_id = memory_id


class NoteExists(NoteError):
    """Something is already at the path."""

    def __init__(self, path: str) -> None:
        super().__init__(path, f"{path} exists already")


class NoteChanged(NoteError):
    """The note is not the version that was expected; nothing was written."""

    def __init__(self, path: str, *, expected: str, actual: str, difference: str = "") -> None:
        super().__init__(path, f"{path} changed in the meantime")
        self.expected = expected
        self.actual = actual
        self.difference = difference


class UnreadableNote(NoteError):
    """The note cannot be parsed or is not text; it is left alone."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(path, f"{path}: {reason}" if path else reason)
        self.reason = reason


class NoteAway(UnreadableNote):
    """The text of the note is not on this device yet: a sync service keeps it elsewhere."""


class PathOutsideVault(NoteError):
    """The path leads out of the vault or into a place that is not ours."""

    def __init__(self, path: str) -> None:
        super().__init__(path, f"{path!r} is not a path inside the vault")


class LinkInTheWay(PathOutsideVault):
    """The path is one of the vault, but a link, or something that is no file or folder, stands in its way."""


class DuplicateId(NoteError):
    """Several notes carry the same memory id."""

    def __init__(self, memory_id: str, paths: Sequence[str]) -> None:
        super().__init__(paths[0], f"{memory_id} is the id of {len(paths)} notes: {', '.join(paths)}")
        self.memory_id = memory_id
        self.paths = tuple(paths)


class NotAllowed(MnemexError):
    """The settings or a missing confirmation forbid this."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class WriteFailed(MnemexError):
    """The disk refused a write; the note is as it was."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path = path
        self.reason = reason


class LockTimeout(MnemexError):
    """Another process held a lock for too long."""

    def __init__(self, name: str, seconds: float) -> None:
        super().__init__(f"the {name} lock was not free within {seconds:g} s")
        self.name = name
        self.seconds = seconds


class IndexUnavailable(MnemexError):
    """The search index cannot be used now."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ModelUnavailable(MnemexError):
    """A model for comparing by meaning or for finding names cannot be used."""

    def __init__(self, folder: Path, reason: str) -> None:
        super().__init__(f"{folder}: {reason}")
        self.folder = folder
        self.reason = reason


class OperationNotFound(MnemexError):
    """The journal knows no such operation."""

    def __init__(self, operation_id: str) -> None:
        super().__init__(f"no operation {operation_id}")
        self.operation_id = operation_id


class UndoRefused(MnemexError):
    """A note was changed since the operation, and undoing would lose that change; or what `reason` says."""

    def __init__(self, operation_id: str, path: str, difference: str, *, reason: str = "") -> None:
        super().__init__(reason or f"{path} was changed after {operation_id}; undoing would lose that")
        self.operation_id = operation_id
        self.path = path
        self.difference = difference


# Of many things, those that can be done.


@dataclass(slots=True)
class AsManyAsCan(Generic[T, R]):
    """What became of several things: an answer for each operation, and why the others were left as they were."""

    done: list[R] = field(default_factory=list)
    failed: list[tuple[T, MnemexError]] = field(default_factory=list)


def as_many_as_can(
    items: Sequence[T], verb: Callable[[Sequence[T]], R], names: Callable[[T], Iterable[str]]
) -> AsManyAsCan[T, R]:
    """Do something with many as one operation, without those for which it cannot be done.

    `names` are the ids and paths by which an error tells which one it is about; when it is about none of them, each
    is tried alone. What concerns all of them is raised: read-only mode, a vault that is away, a lock.
    """
    outcome: AsManyAsCan[T, R] = AsManyAsCan()
    left = list(items)
    while left:
        try:
            outcome.done.append(verb(left))
            break
        except (NoteError, WriteFailed, InvalidInput) as error:
            about = {getattr(error, "path", ""), getattr(error, "memory_id", "")} - {""}
            meant = left if len(left) == 1 else [each for each in left if about & {*names(each)}]
            outcome.failed += [(each, error) for each in meant]
            alone = [] if meant else [as_many_as_can([each], verb, names) for each in left]
            left = [each for each in left if each not in meant] if meant else []
            outcome.done += [answer for each in alone for answer in each.done]
            outcome.failed += [failure for each in alone for failure in each.failed]
    return outcome
