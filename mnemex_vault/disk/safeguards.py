"""What keeps every text safe while a note is written: the files beside it, what came out, what is told of refusals."""

from __future__ import annotations

import errno
import logging
import os
import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from mnemex_vault.disk import native
from mnemex_vault.disk.native import Exchange, StepHook, no_hook
from mnemex_vault.errors import LinkInTheWay, MnemexError, NoteExists, NoteNotFound, UnreadableNote, WriteFailed
from mnemex_vault.text.note import etag

logger = logging.getLogger(__name__)

# The names of the files that stand beside a note while it is written.
#
# `.mnemex-writing-RANDOM.tmp` is a new text that is not complete yet and was never a note. Once complete it is named
# `.mnemex-OLD-NEW-NAME-RANDOM.tmp` after the text it expects to find, the text it brings and the note it is meant
# for, each the first twelve characters of a hash: after a crash that tells what it is without any journal.

_PATTERN = re.compile(r"\.mnemex-([0-9a-f]{12})-([0-9a-f]{12})-([0-9a-f]{12})-[0-9a-z-]+\.tmp")
_WRITING = re.compile(r"\.mnemex-writing-[0-9a-z-]+\.tmp")
NOTHING = "0" * 12


def digest(data: bytes) -> str:
    """Return the short form of an etag that stands in names."""
    return etag(data)[:12]


@dataclass(frozen=True, slots=True)
class TempName:
    """What the name of a complete temp file says; `new` is twelve zeros if the note is to be removed."""

    old: str
    new: str
    note: str

    @classmethod
    def parse(cls, name: str) -> TempName | None:
        """Read a file name; None if it is not the name of a complete temp file."""
        match = _PATTERN.fullmatch(name)
        return cls(*match.groups()) if match else None

    @classmethod
    def of(cls, note: str, *, old: bytes, new: bytes | None) -> TempName:
        """Describe the change of a note, given its file name, from one text to another or to nothing."""
        return cls(digest(old), NOTHING if new is None else digest(new), name_digest(note))

    def fresh(self) -> str:
        """Return a file name that says this and that nothing else has."""
        return f".mnemex-{self.old}-{self.new}-{self.note}-{secrets.token_hex(4)}.tmp"


class Park(Protocol):
    """Takes a displaced file out of a vault folder once its bytes are safe."""

    def __call__(self, folder: int, temp: str, *, path: str, data: bytes) -> None:
        """Take the file `temp` of an open folder, that was the note at `path` and holds `data`."""


def name_digest(note: str) -> str:
    """Return the short hash of a note's file name."""
    return sha256(note.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def writing_name() -> str:
    """Return a name for a text that is not complete yet."""
    return f".mnemex-writing-{secrets.token_hex(8)}.tmp"


def is_incomplete(name: str) -> bool:
    """Tell whether a file was left in the middle of being written by us, and so never was a note."""
    return _WRITING.fullmatch(name) is not None


def is_temp(name: str) -> bool:
    """Tell whether a file stands beside a note only while that is written."""
    return is_incomplete(name) or _PATTERN.fullmatch(name) is not None


# After an exchange: look at what came out, and never leave a version displaced that nobody has seen.

# an editor would have to save between two of our system calls this many times in a row
_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Settled:
    """How it ended: `displaced` is what the temp file holds now, `live` the digest of what the note holds."""

    displaced: bytes
    live: str


def settle(
    folder: int, temp: str, name: str, *, old: str, new: str, exchange: Exchange, hook: StepHook = no_hook
) -> Settled:
    """Exchange back until what came out is what was thought to be live, so that the latest foreign save stands.

    Called when `temp` and the note have been exchanged once: the note is thought to hold `new`, and `temp` is
    expected to hold `old`. FileNotFoundError from the exchange means that the note was deleted meanwhile.
    """
    believed, offered = old, new
    for _ in range(_ROUNDS):
        displaced = native.read_file(folder, temp)
        found = digest(displaced)
        if found == believed:
            return Settled(displaced, offered)
        hook("foreign version found")
        believed, offered = offered, found
        exchange(folder, temp, name)
        hook("exchanged back")
    # the temp file stays, and the next start puts its text in sight
    raise BlockingIOError(errno.EAGAIN, "someone keeps writing the note")


# What is to be done, and told, when a block that works on files fails.


@contextmanager
def discarding(folder: int, temp: str) -> Iterator[None]:
    """Take away a temp file that never was a note if the block fails."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            os.unlink(temp, dir_fd=folder)
        raise


@contextmanager
def taking_back(inverse: Callable[[], None]) -> Iterator[None]:
    """Undo the step before, as well as that goes, if the block fails."""
    try:
        yield
    except BaseException:
        with suppress(OSError):
            inverse()
        raise


@contextmanager
def leaving_out_links(path: str) -> Iterator[None]:
    """Tell of a link, or a file in place of a folder, as PathOutsideVault."""
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENOTDIR):
            raise LinkInTheWay(path) from error
        raise


@contextmanager
def reading(path: str) -> Iterator[None]:
    """Tell of what the system refuses as NoteNotFound, PathOutsideVault or UnreadableNote."""
    try:
        with leaving_out_links(path):
            yield
    except FileNotFoundError as error:
        raise NoteNotFound(path) from error
    except OSError as error:
        raise UnreadableNote(path, error.strerror or str(error)) from error


@contextmanager
def understanding(path: str) -> Iterator[None]:
    """Tell of everything that what stands in a note makes go wrong as UnreadableNote."""
    try:
        yield
    except MnemexError:
        raise
    except Exception as error:
        # What people and programs put into a note, and what a parser makes of it, is no closed list. Values that are
        # known to be odd have their defaults; this is the one net for all else, so that no note stops any work on
        # another. The message of the error may quote the note, which may be private: only its kind is told.
        logger.debug("%s", path, exc_info=True)
        raise UnreadableNote(path, f"reading it failed ({type(error).__name__})") from error


@contextmanager
def writing(path: str, *, taken: str | None = None) -> Iterator[None]:
    """Tell of what the system refuses as NoteNotFound, NoteExists (at `taken`), PathOutsideVault or WriteFailed."""
    try:
        with leaving_out_links(path):
            yield
    except FileNotFoundError as error:
        raise NoteNotFound(path) from error
    except FileExistsError as error:
        raise NoteExists(taken or path) from error
    except OSError as error:
        raise WriteFailed(path, error.strerror or str(error)) from error


# What to do when the system refuses.


@contextmanager
def refused_as(what: str) -> Iterator[None]:
    """Turn an OSError into WriteFailed about `what`."""
    try:
        yield
    except OSError as error:
        raise WriteFailed(what, error.strerror or str(error)) from error


@contextmanager
def waiting(what: str) -> Iterator[None]:
    """Leave something for the next start if the system refuses it now, and say so in the log."""
    try:
        yield
    except (MnemexError, OSError) as error:
        logger.warning("%s must wait: %s", what, error)
