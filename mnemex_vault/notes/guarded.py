"""What is to be done, and told, when a block that works on files fails."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress

from mnemex_vault.errors import NoteExists, NoteNotFound, PathOutsideVault, UnreadableNote, WriteFailed


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
            raise PathOutsideVault(path) from error
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
