"""What is to be done, and told, when work on files fails or the system refuses it."""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from mnemex_vault.errors import LinkInTheWay, MnemexError, NoteExists, NoteNotFound, UnreadableNote, WriteFailed

# What is to be done, and told, when a block that works on files fails.

logger = logging.getLogger(__name__)


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
