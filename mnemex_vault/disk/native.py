"""The system calls that a note's safety rests on, and what stands in for them where they are missing."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import os
import stat
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

Exchange = Callable[[int, str, str], None]
Rename = Callable[[int, str, int, str], None]
OpenFolder = Callable[[int, tuple[str, ...]], int]

# symbol, flag for "never replace", flag for "exchange"
_RENAME = {"linux": ("renameat2", 1, 2), "darwin": ("renameatx_np", 4, 2)}
_OPENAT2 = 437
_RESOLVE_STRICTLY = 0x02 | 0x04 | 0x08  # no magic links, no symlinks, beneath the folder
_UNSUPPORTED = frozenset({errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM, errno.ENOTTY, errno.EMLINK})
_CHUNK = 1 << 16
# file systems of the local disk, on which one call flushes all files for certain: ext, XFS, Btrfs, F2FS, tmpfs
_FLUSHED_AT_ONCE = frozenset({0xEF53, 0x58465342, 0x9123683E, 0xF2F52010, 0x01021994})
# and those in which no name comes without this system's knowledge: the layers of a container as well
_TELL_OF_NAMES = _FLUSHED_AT_ONCE | {0x794C7630}
_STATFS_BYTES = 512
_ATTEMPTS = 20
FOLDER_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC


class _OpenHow(ctypes.Structure):
    _fields_ = (("flags", ctypes.c_uint64), ("mode", ctypes.c_uint64), ("resolve", ctypes.c_uint64))


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _failed(name: str) -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number), name)


def _rename(source_folder: int, source: str, folder: int, name: str, *, exchange: bool) -> None:
    symbol, no_replace_flag, exchange_flag = _RENAME.get(sys.platform, ("", 0, 0))
    call = getattr(_libc(), symbol, None) if symbol else None
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS), name)
    flag = exchange_flag if exchange else no_replace_flag
    if call(source_folder, os.fsencode(source), folder, os.fsencode(name), ctypes.c_uint(flag)) != 0:
        raise _failed(name)


def exchange_names(folder: int, one: str, other: str) -> None:
    """Swap two files in one atomic step."""
    _rename(folder, one, folder, other, exchange=True)


def exchange_by_link(folder: int, one: str, other: str) -> None:
    """Swap where there is no exchange: `other` gets a second name and is then replaced.

    Between the two steps a save in place is kept, one by rename is lost: some microseconds.
    """
    _replace_keeping(folder, one, other, _linked(folder, one, other))


def _linked(folder: int, one: str, other: str) -> str:
    aside = f"{one[:-4]}-aside.tmp"
    for _ in range(_ATTEMPTS):
        try:
            os.link(other, aside, src_dir_fd=folder, dst_dir_fd=folder, follow_symlinks=False)
        except FileNotFoundError:
            # also told of a file that is being replaced in this moment; one that is gone fails here
            os.stat(other, dir_fd=folder, follow_symlinks=False)
        else:
            return aside
    raise _restless(other)


def _replace_keeping(folder: int, one: str, other: str, aside: str) -> None:
    """Rename `one` over `other`, of which `aside` is a second name or copy, and that to `one`."""
    try:
        os.rename(one, other, src_dir_fd=folder, dst_dir_fd=folder)
    except OSError:
        os.unlink(aside, dir_fd=folder)
        raise
    os.rename(aside, one, src_dir_fd=folder, dst_dir_fd=folder)


def _restless(name: str) -> OSError:
    return BlockingIOError(errno.EAGAIN, "someone keeps writing the file", name)


def exchange_by_copy(folder: int, one: str, other: str) -> None:
    """Swap where files cannot be linked: `other` is copied, looked at once more, and replaced.

    Whatever is saved between that look and the replacement is lost: the weakest of the three.
    """
    _replace_keeping(folder, one, other, _copied(folder, one, other))


def _copied(folder: int, one: str, other: str) -> str:
    aside = f"{one[:-4]}-aside.tmp"
    for _ in range(_ATTEMPTS):
        data = read_file(folder, other)
        write_new(folder, aside, data)
        if read_file(folder, other) == data:
            return aside
        os.unlink(aside, dir_fd=folder)
    raise _restless(other)


def rename_no_replace(source_folder: int, source: str, folder: int, name: str) -> None:
    """Rename in one atomic step; FileExistsError if the name is taken."""
    _rename(source_folder, source, folder, name, exchange=False)


def rename_by_link(source_folder: int, source: str, folder: int, name: str) -> None:
    """Link under the new name, which fails if it is taken, then take the old name away."""
    os.link(source, name, src_dir_fd=source_folder, dst_dir_fd=folder, follow_symlinks=False)
    os.unlink(source, dir_fd=source_folder)


def rename_by_claim(source_folder: int, source: str, folder: int, name: str) -> None:
    """Claim the new name with an empty file, which fails if it is taken, then rename over that."""
    os.close(os.open(name, os.O_CREAT | os.O_EXCL | os.O_WRONLY | os.O_CLOEXEC, 0o600, dir_fd=folder))
    try:
        os.rename(source, name, src_dir_fd=source_folder, dst_dir_fd=folder)
    except OSError:
        os.unlink(name, dir_fd=folder)
        raise


def exchange(
    folder: int,
    one: str,
    other: str,
    *,
    means: Sequence[Exchange] = (exchange_names, exchange_by_link, exchange_by_copy),
) -> None:
    """Swap two files by the first of these means that the file system has."""
    for attempt in means[:-1]:
        try:
            return attempt(folder, one, other)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
    return means[-1](folder, one, other)


def rename(
    source_folder: int,
    source: str,
    folder: int,
    name: str,
    *,
    means: Sequence[Rename] = (rename_no_replace, rename_by_link, rename_by_claim),
) -> None:
    """Rename without replacing by the first of these means that the file system has."""
    for attempt in means[:-1]:
        try:
            return attempt(source_folder, source, folder, name)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise
    return means[-1](source_folder, source, folder, name)


def open_beneath(root: int, parts: tuple[str, ...]) -> int:
    """Open the folder in one step in which nobody can slip in a link (openat2)."""
    if not parts:
        return os.dup(root)
    if not sys.platform.startswith("linux"):
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    how = _OpenHow(flags=FOLDER_FLAGS, mode=0, resolve=_RESOLVE_STRICTLY)
    path = os.fsencode("/".join(parts))
    opened = _libc().syscall(
        ctypes.c_long(_OPENAT2), ctypes.c_int(root), path, ctypes.byref(how), ctypes.c_size_t(ctypes.sizeof(how))
    )
    if opened < 0:
        raise _failed("/".join(parts))
    return int(opened)


def open_step_by_step(root: int, parts: tuple[str, ...]) -> int:
    """Open the folder one part at a time, refusing links at each."""
    folder = os.dup(root)
    for part in parts:
        try:
            below = os.open(part, FOLDER_FLAGS | os.O_NOFOLLOW, dir_fd=folder)
        finally:
            os.close(folder)
        folder = below
    return folder


def open_folder(
    root: int, parts: tuple[str, ...], *, means: tuple[OpenFolder, OpenFolder] = (open_beneath, open_step_by_step)
) -> int:
    """Open a folder below `root` in one step where the system can do that."""
    try:
        return means[0](root, parts)
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise
    return means[1](root, parts)


def open_regular(folder: int, name: str) -> int:
    """Open a file for reading without following a link or waiting for a pipe."""
    return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=folder)


def read_all(fd: int) -> bytes:
    """Read an open file from the start to its end."""
    chunks, offset = [], 0
    while chunk := os.pread(fd, _CHUNK, offset):
        chunks.append(chunk)
        offset += len(chunk)
    return b"".join(chunks)


def read_file(folder: int, name: str) -> bytes:
    """Read a file as it is now; whether someone is writing it is not looked at."""
    fd = open_regular(folder, name)
    try:
        return read_all(fd)
    finally:
        os.close(fd)


def write_all(fd: int, data: bytes) -> None:
    """Write all bytes, however many calls the system needs."""
    view = memoryview(data)
    while view:
        view = view[os.write(fd, view) :]


def write_new(
    folder: int,
    name: str,
    data: bytes,
    *,
    mode: int = 0o600,
    prepare: Callable[[int], None] | None = None,
    flush: bool = True,
) -> None:
    """Create a file and flush it; `prepare` sets its attributes before that. On any failure no file is left.

    Without `flush` the caller flushes it, with others, by `sync_files`.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    fd = os.open(name, flags, mode, dir_fd=folder)
    try:
        write_all(fd, data)
        if prepare:
            prepare(fd)
        if flush:
            sync(fd)
    except BaseException:
        os.unlink(name, dir_fd=folder)
        raise
    finally:
        os.close(fd)


def sync(fd: int) -> None:
    """Flush a file or folder to the disk itself; folders that cannot be flushed are left to the system."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:
        with suppress(OSError):
            fcntl.fcntl(fd, full)
            return
    try:
        os.fsync(fd)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.EOPNOTSUPP):
            raise


def sync_folder(path: Path) -> None:
    """Flush a folder to the disk itself; raises OSError."""
    folder = os.open(path, FOLDER_FLAGS)
    try:
        sync(folder)
    finally:
        os.close(folder)


def sync_files(folder: int, names: Sequence[str]) -> None:
    """Flush these files of an open folder to the disk itself, with one call where the file system has that."""
    if _sync_file_system(folder):
        return
    for name in names:
        fd = open_regular(folder, name)
        try:
            sync(fd)
        finally:
            os.close(fd)


def _sync_file_system(folder: int) -> bool:
    """Flush the whole file system; False where it has no such call or might not mean it."""
    call = getattr(_libc(), "syncfs", None) if sys.platform.startswith("linux") else None
    if call is None or _file_system_type(folder) not in _FLUSHED_AT_ONCE:
        return False
    if call(folder) != 0:
        raise _failed("syncfs")
    return True


def _file_system_type(folder: int) -> int:
    """Return the number by which Linux names the file system, the first field of its `struct statfs`."""
    found = ctypes.create_string_buffer(_STATFS_BYTES)
    if _libc().fstatfs(folder, found) != 0:
        return 0
    return int(ctypes.c_long.from_buffer(found).value) & 0xFFFFFFFF


def give_back_memory() -> None:
    """Return to the system what the C library keeps of freed memory, where it can be told to."""
    trim = getattr(_libc(), "malloc_trim", None)
    if trim is not None:
        trim(0)


# What the system tells of names that come to a folder and go from it (inotify).

_CREATED, _MOVED_TO, _MOVED_FROM, _DELETED = 0x100, 0x80, 0x40, 0x200
_LOST, _ENDED = 0x4000, 0x8000
_EVENT = struct.Struct("iIII")


class NameEvent(NamedTuple):
    """A name that came or went; or `ended`: nothing more will be told of the folder; or `lost`: some were not told."""

    watch: int
    kind: int
    name: str

    @property
    def came(self) -> bool:
        """Tell whether a name came."""
        return bool(self.kind & (_CREATED | _MOVED_TO))

    @property
    def ended(self) -> bool:
        """Tell whether nothing more will be told of the folder."""
        return bool(self.kind & _ENDED)

    @property
    def lost(self) -> bool:
        """Tell whether events of any folder were lost."""
        return bool(self.kind & _LOST)


def tells_of_names(folder: int) -> bool:
    """Tell whether the system knows of every name that comes to a folder, whoever brings it."""
    return sys.platform.startswith("linux") and _file_system_type(folder) in _TELL_OF_NAMES


def open_events() -> int:
    """Open a queue of events; raises OSError where the system has none, or none left."""
    call = getattr(_libc(), "inotify_init1", None)
    if call is None:
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    queue = call(os.O_NONBLOCK | os.O_CLOEXEC)
    if queue < 0:
        raise _failed("inotify_init1")
    return int(queue)


def watch(queue: int, folder: int) -> int:
    """Have the events of an open folder told to a queue; return the number that they bear. Raises OSError."""
    # an open folder has a name of its own here, which leads to it wherever it is moved
    name = f"/proc/self/fd/{folder}".encode()
    number = _libc().inotify_add_watch(queue, name, ctypes.c_uint32(_CREATED | _MOVED_TO | _MOVED_FROM | _DELETED))
    if number < 0:
        raise _failed("inotify_add_watch")
    return int(number)


def read_events(queue: int) -> Iterator[NameEvent]:
    """Yield what has been told by now, in order; a change is told before the call that makes it returns."""
    while True:
        try:
            data = os.read(queue, _CHUNK)
        except BlockingIOError:
            return
        place = 0
        while place < len(data):
            number, kind, _, length = _EVENT.unpack_from(data, place)
            place += _EVENT.size + length
            yield NameEvent(number, kind, os.fsdecode(data[place - length : place].rstrip(b"\0")))


# What a file carries besides its bytes.


def copy_attributes(source: int, target: int, *, times: bool = False) -> None:
    """Give an open file the mode, owner and extended attributes of another, as far as the system allows."""
    wanted, found = os.fstat(source), os.fstat(target)
    if (wanted.st_uid, wanted.st_gid) != (found.st_uid, found.st_gid):
        with suppress(PermissionError):
            os.fchown(target, -1, wanted.st_gid)
            os.fchown(target, wanted.st_uid, -1)
    os.fchmod(target, stat.S_IMODE(wanted.st_mode))
    if hasattr(os, "listxattr"):
        _copy_extended(source, target)
    if times:
        os.utime(target, ns=(wanted.st_atime_ns, wanted.st_mtime_ns))


def _copy_extended(source: int, target: int) -> None:
    with suppress(OSError):
        for name in os.listxattr(source):
            with suppress(OSError):
                os.setxattr(target, name, os.getxattr(source, name))


# A call between any two steps of a change, where a test can let the process die.

StepHook = Callable[[str], None]


def no_hook(step: str) -> None:
    """Do nothing between two steps."""
