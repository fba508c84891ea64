"""What a group of changes comes to, found out before the first is made."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import assert_never

from mnemex_vault.errors import InvalidInput, NoteChanged, NoteExists, NoteNotFound, PathOutsideVault, UnreadableNote
from mnemex_vault.history.changes import Change, Create, Move, Trash, Update
from mnemex_vault.history.difference import difference
from mnemex_vault.history.journal import Journal, Step
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.files import Files
from mnemex_vault.notes.paths import fold
from mnemex_vault.notes.vault import TRASH, Vault


@dataclass(frozen=True, slots=True)
class Planned:
    """A step with the bytes before and after it; `rewrite` gives the bytes after for another version of the note.

    With `expected` only the version with that etag may be changed.
    """

    step: Step
    before: bytes | None = None
    after: bytes | None = None
    rewrite: Callable[[bytes], bytes] | None = None
    expected: str | None = None


def files_for(vault: Vault, *paths: str) -> Files:
    """Return what opens these paths: only the steps of an undo lead into the trash folder."""
    return vault.trashed if any(path.startswith(TRASH + "/") for path in paths) else vault.files


class Foresight:
    """The notes as they will be after the steps planned so far."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._notes: dict[str, bytes | None] = {}

    def read(self, path: str) -> bytes:
        """Return a note; raises NoteNotFound."""
        if path not in self._notes:
            self._notes[path] = files_for(self._vault, path).read(path)[0]
        data = self._notes[path]
        if data is None:
            raise NoteNotFound(path)
        return data

    def exists(self, path: str) -> bool:
        """Tell whether anything is at the path."""
        if path in self._notes:
            return self._notes[path] is not None
        return files_for(self._vault, path).exists(path)

    def put(self, path: str, data: bytes | None) -> None:
        """Note what a step does to a path."""
        self._notes[path] = data


def plan(vault: Vault, journal: Journal, changes: Iterable[Change]) -> list[Planned]:
    """Compute every step; whatever can be refused is refused here, with nothing written.

    An update that changes nothing is left out.
    """
    foresight = Foresight(vault)
    planned = []
    for change in changes:
        for path in change.paths:
            if not vault.may_change(path):
                raise PathOutsideVault(path)
        item = _plan_one(foresight, journal, change)
        if item.step.kind != "update" or item.before != item.after:
            planned.append(item)
    return planned


def _plan_one(foresight: Foresight, journal: Journal, change: Change) -> Planned:
    match change:
        case Create(path, text):
            return plan_create(foresight, path, encoded(text))
        case Update():
            return _plan_update(foresight, journal, change)
        case Move(path, to):
            return plan_move(foresight, path, to)
        case Trash(path):
            return plan_trash(foresight, path)
        case _:
            assert_never(change)


def plan_create(foresight: Foresight, path: str, data: bytes) -> Planned:
    """Plan a new note."""
    if foresight.exists(path):
        raise NoteExists(path)
    foresight.put(path, data)
    return Planned(Step("create", path, after=etag(data)), after=data)


def plan_move(foresight: Foresight, path: str, to: str) -> Planned:
    """Plan another path for a note."""
    data = foresight.read(path)
    if fold(path) != fold(to) and foresight.exists(to):
        raise NoteExists(to)
    foresight.put(path, None)
    foresight.put(to, data)
    return Planned(Step("move", path, to, before=etag(data), after=etag(data)), before=data, after=data)


def plan_trash(foresight: Foresight, path: str) -> Planned:
    """Plan to trash a note."""
    data = foresight.read(path)
    foresight.put(path, None)
    return Planned(Step("trash", path, before=etag(data)), before=data)


def plan_rewrite(
    foresight: Foresight, path: str, rewrite: Callable[[bytes], bytes], *, expected: str | None = None
) -> Planned:
    """Plan a new text for a note."""
    before = foresight.read(path)
    after = rewrite(before)
    foresight.put(path, after)
    step = Step("update", path, before=etag(before), after=etag(after))
    return Planned(step, before=before, after=after, rewrite=rewrite, expected=expected)


def _plan_update(foresight: Foresight, journal: Journal, update: Update) -> Planned:
    def rewrite(data: bytes) -> bytes:
        try:
            return encoded(update.change(decoded(update.path, data)))
        except UnreadableNote as error:
            # changes are functions of text and do not know where it stands
            raise error if error.path else UnreadableNote(update.path, error.reason) from error

    current = foresight.read(update.path)
    if update.expected_etag not in (None, etag(current)):
        raise stale(journal, update.path, update.expected_etag or "", current, rewrite)
    return plan_rewrite(foresight, update.path, rewrite, expected=update.expected_etag)


def stale(
    journal: Journal, path: str, expected: str, current: bytes, rewrite: Callable[[bytes], bytes] | None = None
) -> NoteChanged:
    """Return the error for a version that is no longer there.

    Its difference is what changed since the expected version if the journal knows that, else what the refused
    change would do to the note as it is now.
    """
    known = journal.image(expected)
    if known is not None:
        text = difference(known, current, names=("the version expected", "the note now"))
    elif rewrite is not None:
        text = difference(current, rewrite(current), names=("the note now", "with the refused change"))
    else:
        text = ""
    return NoteChanged(path, expected=expected, actual=etag(current), difference=text)


def encoded(text: str) -> bytes:
    """Return the bytes of a text; raises InvalidInput for what is no text."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("text", "it holds half of a surrogate pair") from error


def decoded(path: str, data: bytes) -> str:
    """Return the text of a note, a byte order mark included; raises UnreadableNote."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UnreadableNote(path, "it is not UTF-8") from error
