"""Reading and changing files of a vault so that nothing is torn, lost or overwritten unseen."""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from mnemex_vault.disk import native
from mnemex_vault.disk.batch import Batch
from mnemex_vault.disk.names import Names
from mnemex_vault.disk.native import Exchange, OpenFolder, Rename, StepHook, copy_attributes, no_hook
from mnemex_vault.disk.paths import PathRule, is_elsewhere, refuse_taken, stat_of
from mnemex_vault.disk.safeguards import (
    Park,
    Settled,
    TempName,
    digest,
    discarding,
    leaving_out_links,
    reading,
    settle,
    taking_back,
    writing,
    writing_name,
)
from mnemex_vault.errors import LinkInTheWay, NoteAway, NoteChanged, NoteNotFound, UnreadableNote, VaultUnavailable
from mnemex_vault.language.folding import name_key
from mnemex_vault.text.note import etag

# What tells that a file changed, and reading one that does not change meanwhile.

NOT_HERE = "it is not on this device yet"


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """What changes when a file changes, by all likelihood."""

    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int

    @classmethod
    def from_stat(cls, found: os.stat_result) -> Fingerprint:
        """Take the fingerprint of a file."""
        return cls(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def read_once(path: str, folder: int, name: str, limit: int, *, offloads: bool) -> tuple[bytes, Fingerprint] | None:
    """Read a file; None if it changed in between."""
    try:
        fd = native.open_regular(folder, name)
    except FileNotFoundError:
        if is_elsewhere(folder, name):
            raise NoteAway(path, NOT_HERE) from None
        raise
    try:
        found = os.fstat(fd)
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableNote(path, "it is not a file")
        if found.st_size > limit:
            raise UnreadableNote(path, f"it is larger than {limit} bytes")
        if offloads and found.st_size and not found.st_blocks:
            raise NoteAway(path, NOT_HERE)
        data = native.read_all(fd)
    finally:
        os.close(fd)
    before = Fingerprint.from_stat(found)
    after = Fingerprint.from_stat(os.stat(name, dir_fd=folder, follow_symlinks=False))
    return (data, before) if before == after and len(data) == before.size else None


READ_LIMIT = 8 << 20
_PAUSES = (0.0, 0.001, 0.003, 0.01, 0.03)
_NEW_NOTE_MODE = 0o666
# so many new notes are flushed with one call
_TOGETHER = 200
_NOTES_ONLY = PathRule()


class Files:
    """The files of one vault, named by their path in it with `/` between the parts.

    No call follows a symlink below the root. `exchange`, `rename` and `open_folder` are the system's means, the best
    that is there by default; `hook` is called after every step, for tests that crash between two. `offloads` tells
    that a file without blocks on the disk is one that iCloud would have to fetch first.
    """

    def __init__(
        self,
        root: Path,
        *,
        exchange: Exchange = native.exchange,
        rename: Rename = native.rename,
        open_folder: OpenFolder = native.open_folder,
        rule: PathRule = _NOTES_ONLY,
        hook: StepHook = no_hook,
        offloads: bool = sys.platform == "darwin",
        names: Names | None = None,
    ) -> None:
        self.root = root
        self.exchange = exchange
        self.rename = rename
        self._open_folder = open_folder
        self._rule = rule
        self._hook = hook
        self._offloads = offloads
        self._names = names or Names()

    def read(self, path: str, *, limit: int = READ_LIMIT) -> tuple[bytes, Fingerprint]:
        """Return the bytes of a note, none of them changed while they were read.

        Raises NoteNotFound, PathOutsideVault, and UnreadableNote when it is no file, too big or refused.
        """
        with reading(path), self._place(path) as (folder, name):
            for pause in _PAUSES:
                if pause:
                    time.sleep(pause)
                found = read_once(path, folder, name, limit, offloads=self._offloads)
                if found is not None:
                    return found
        raise UnreadableNote(path, "someone keeps writing it")

    def exists(self, path: str) -> bool:
        """Tell whether there is anything at the path, also a folder or link."""
        try:
            with reading(path), self._place(path) as (folder, name):
                os.stat(name, dir_fd=folder, follow_symlinks=False)
        except NoteNotFound:
            return False
        return True

    def fingerprint(self, path: str) -> Fingerprint:
        """Return the fingerprint of a file, or of its placeholder; raises NoteNotFound, UnreadableNote for no file."""
        with reading(path), self._place(path) as (folder, name):
            found = stat_of(folder, name)
        if not stat.S_ISREG(found.st_mode):
            raise UnreadableNote(path, "it is not a file")
        return Fingerprint.from_stat(found)

    def create(self, path: str, data: bytes) -> None:
        """Write a new note, whole or not at all; folders are made.

        Raises NoteExists also for a name that differs only in case or Unicode form, or is off-loaded to iCloud.
        """
        with writing(path), self._place(path, make=True) as (folder, name):
            self._names.refuse_twin(path, folder, name)
            temp = writing_name()
            native.write_new(folder, temp, data, mode=_NEW_NOTE_MODE)
            with discarding(folder, temp):
                self._hook("create: temp written")
                self.rename(folder, temp, folder, name)
            with taking_back(partial(_unlink_ours, folder, name, data)):
                self._hook("create: renamed")
                native.sync(folder)
            self._names.changed(folder)
            self._hook("create: flushed")

    def create_all(self, notes: Sequence[tuple[str, bytes]]) -> Iterator[str]:
        """Write new notes of one folder, each whole or not at all, flushing them together; yield each path once done.

        All are on the disk when the iteration ends. Raises as `create`; what was yielded before that is there.
        """
        with self.opened(notes[0][0].rpartition("/")[0], make=True) as folder:
            for start in range(0, len(notes), _TOGETHER):
                yield from self._create_together(folder, notes[start : start + _TOGETHER])
            with writing(notes[-1][0]):
                native.sync(folder)
        self._hook("create all: flushed")

    def _create_together(self, folder: int, notes: Sequence[tuple[str, bytes]]) -> Iterator[str]:
        temps: dict[str, str] = {}
        try:
            self._write_temps(folder, notes, temps)
            with writing(notes[0][0]):
                native.sync_files(folder, list(temps.values()))
            self._hook("create all: temps flushed")
            for path, _ in notes:
                with writing(path):
                    self.rename(folder, temps[path], folder, path.rpartition("/")[2])
                del temps[path]
                self._hook("create all: renamed")
                yield path
        finally:
            for temp in temps.values():
                with suppress(OSError):
                    os.unlink(temp, dir_fd=folder)

    def _write_temps(self, folder: int, notes: Sequence[tuple[str, bytes]], temps: dict[str, str]) -> None:
        taken = {name_key(name): name for name in os.listdir(folder)}
        for path, data in notes:
            *_, name = self._rule.parts(path)
            refuse_taken(path, name, taken)
            taken[name_key(name)] = name
            temp = writing_name()
            with writing(path):
                native.write_new(folder, temp, data, mode=_NEW_NOTE_MODE, flush=False)
            temps[path] = temp

    def replace(self, path: str, expected: bytes, data: bytes, *, park: Park) -> None:
        """Write a note over the version that was expected, keeping mode, owner and extended attributes.

        What the note held goes to `park`. A version that was not expected stays live: NoteChanged. Bytes that are
        there already are not written again.
        """
        with writing(path), self._place(path) as (folder, name):
            _require_writable(folder, name)
            _compare(path, folder, name, expected)
            if data == expected:
                return
            change = TempName.of(name, old=expected, new=data)
            temp = self._prepare(folder, name, change, data)
            with discarding(folder, temp):
                self._hook("replace: temp named")
                _compare(path, folder, name, expected)
                self._hook("replace: compared")
                self.exchange(folder, temp, name)
            with taking_back(partial(self._give_back, folder, name, temp, change)):
                settled = self._conclude(path, folder, name, temp, change, park)
            if settled.live != change.new:
                raise NoteChanged(path, expected=etag(expected), actual=etag(native.read_file(folder, name)))

    def _prepare(self, folder: int, name: str, change: TempName, data: bytes) -> str:
        writing, temp = writing_name(), change.fresh()
        source = native.open_regular(folder, name)
        try:
            native.write_new(folder, writing, data, prepare=partial(copy_attributes, source))
        finally:
            os.close(source)
        with discarding(folder, writing):
            self._hook("replace: temp written")
            os.rename(writing, temp, src_dir_fd=folder, dst_dir_fd=folder)
        return temp

    def _conclude(self, path: str, folder: int, name: str, temp: str, change: TempName, park: Park) -> Settled:
        """Look at what came out of the exchange, flush, and park it."""
        self._hook("replace: exchanged")
        settled = self._settle(path, folder, name, temp, change, park)
        native.sync(folder)
        self._hook("replace: flushed")
        park(folder, temp, path=path, data=settled.displaced)
        self._hook("replace: parked")
        return settled

    def _give_back(self, folder: int, name: str, temp: str, change: TempName) -> None:
        """Make the old text live again, if nothing but our change is to be taken back."""
        if digest(native.read_file(folder, name)) != change.new:
            return
        if _is_file(folder, temp) and digest(native.read_file(folder, temp)) != change.old:
            return
        # also when a link or a folder came out, that someone put in the note's place
        self.exchange(folder, temp, name)
        settled = settle(folder, temp, name, old=change.new, new=change.old, exchange=self.exchange)
        if settled.live == change.old and digest(settled.displaced) == change.new:
            os.unlink(temp, dir_fd=folder)

    def _settle(self, path: str, folder: int, name: str, temp: str, change: TempName, park: Park) -> Settled:
        try:
            return settle(folder, temp, name, old=change.old, new=change.new, exchange=self.exchange, hook=self._hook)
        except FileNotFoundError:
            # the person deleted the note after saving it once more: it stays deleted, that text stays in the journal
            park(folder, temp, path=path, data=native.read_file(folder, temp))
            raise

    def remove(self, path: str, expected: bytes, *, park: Park) -> None:
        """Take a note out of the vault if it is still the expected version; else NoteChanged and it stays."""
        with writing(path), self._place(path) as (folder, name):
            _compare(path, folder, name, expected)
            temp = TempName.of(name, old=expected, new=None).fresh()
            self.rename(folder, name, folder, temp)
            with taking_back(partial(self.rename, folder, temp, folder, name)):
                self._hook("remove: renamed")
                displaced = native.read_file(folder, temp)
                if displaced != expected:
                    raise NoteChanged(path, expected=etag(expected), actual=etag(displaced))
                native.sync(folder)
                park(folder, temp, path=path, data=displaced)
            self._hook("remove: parked")

    def erase(self, path: str) -> None:
        """Delete a file for good; nothing is kept, and only an explicit purge may ask for that."""
        with writing(path), self._place(path) as (folder, name):
            os.unlink(name, dir_fd=folder)
            native.sync(folder)

    def move(self, source: str, destination: str, *, park: Park, batch: Batch | None = None) -> None:
        """Rename a note, never over another; folders are made.

        Across file systems it is copied, verified and taken away. With a `batch` the folders are flushed with it.
        Raises NoteNotFound, NoteExists.
        """
        with writing(source, taken=destination), self._place(source) as (source_folder, name):
            _require_file(source, source_folder, name)
            with self._place(destination, make=True) as (folder, new_name):
                besides = name if os.path.sameopenfile(source_folder, folder) else None
                if batch is None:
                    self._names.refuse_twin(destination, folder, new_name, besides=besides)
                else:
                    refuse_taken(destination, new_name, batch.names(folder), besides=besides)
                self._move(source, source_folder, name, folder, new_name, park, batch)

    def _move(
        self, source: str, source_folder: int, name: str, folder: int, new_name: str, park: Park, batch: Batch | None
    ) -> None:
        try:
            self._rename_or_respell(source_folder, name, folder, new_name)
        except OSError as error:
            if error.errno != errno.EXDEV:
                raise
            self._move_across(source, source_folder, name, folder, new_name, park)
            return
        with taking_back(partial(self.rename, folder, new_name, source_folder, name)):
            self._hook("move: renamed")
            if batch is not None:
                batch.moved(source_folder, name, folder, new_name)
            else:
                native.sync(folder)
                native.sync(source_folder)
        self._names.changed(folder)
        self._hook("move: flushed")

    def _rename_or_respell(self, source_folder: int, name: str, folder: int, new_name: str) -> None:
        try:
            self.rename(source_folder, name, folder, new_name)
        except FileExistsError:
            # where case does not count the new spelling is the file itself
            if name_key(name) != name_key(new_name) or not _same_file(source_folder, name, folder, new_name):
                raise
            os.rename(name, new_name, src_dir_fd=source_folder, dst_dir_fd=folder)

    def _move_across(self, source: str, source_folder: int, name: str, folder: int, new_name: str, park: Park) -> None:
        data = native.read_file(source_folder, name)
        original = native.open_regular(source_folder, name)
        temp = writing_name()
        try:
            native.write_new(folder, temp, data, prepare=partial(copy_attributes, original, times=True))
        finally:
            os.close(original)
        with discarding(folder, temp):
            self.rename(folder, temp, folder, new_name)
        with taking_back(partial(_unlink_ours, folder, new_name, data)):
            native.sync(folder)
            self._hook("move: copied")
            if native.read_file(folder, new_name) != data:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            self.remove(source, data, park=park)

    @contextmanager
    def opened(self, folder: str, *, make: bool = False) -> Iterator[int]:
        """Open a folder of the vault ("" is the vault itself) for the length of a block."""
        parts = self._rule.folder_parts(folder)
        with self._opened_root() as root:
            with leaving_out_links(folder):
                fd = self._make_folder(root, parts) if make else self._open_folder(root, parts)
            try:
                yield fd
            finally:
                os.close(fd)

    @contextmanager
    def _place(self, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
        *_, name = self._rule.parts(path)
        with self.opened(path.rpartition("/")[0], make=make) as folder:
            yield folder, name

    @contextmanager
    def _opened_root(self) -> Iterator[int]:
        try:
            root = os.open(self.root, native.FOLDER_FLAGS)
        except OSError as error:
            if error.errno in (errno.EMFILE, errno.ENFILE):
                raise
            raise VaultUnavailable(self.root, error.strerror or "cannot be opened") from error
        try:
            yield root
        finally:
            os.close(root)

    def _make_folder(self, root: int, parts: tuple[str, ...]) -> int:
        try:
            return self._open_folder(root, parts)
        except FileNotFoundError:
            above = self._make_folder(root, parts[:-1])
        try:
            with suppress(FileExistsError):
                os.mkdir(parts[-1], dir_fd=above)
                native.sync(above)
        finally:
            os.close(above)
        return self._open_folder(root, parts)


def _compare(path: str, folder: int, name: str, expected: bytes) -> None:
    current = native.read_file(folder, name)
    if current != expected:
        raise NoteChanged(path, expected=etag(expected), actual=etag(current))


def _require_file(path: str, folder: int, name: str) -> None:
    if not _is_file(folder, name):
        raise LinkInTheWay(path)


def _is_file(folder: int, name: str) -> bool:
    return stat.S_ISREG(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode)


def _require_writable(folder: int, name: str) -> None:
    if not os.access(name, os.W_OK, dir_fd=folder, effective_ids=True):
        os.stat(name, dir_fd=folder, follow_symlinks=False)
        number = errno.EROFS if os.fstatvfs(folder).f_flag & os.ST_RDONLY else errno.EACCES
        raise OSError(number, os.strerror(number))


def _unlink_ours(folder: int, name: str, data: bytes) -> None:
    """Delete a file that we made, unless someone wrote into it."""
    if native.read_file(folder, name) == data:
        os.unlink(name, dir_fd=folder)


def _same_file(folder: int, name: str, other_folder: int, other: str) -> bool:
    one = os.stat(name, dir_fd=folder, follow_symlinks=False)
    two = os.stat(other, dir_fd=other_folder, follow_symlinks=False)
    return os.path.samestat(one, two)
