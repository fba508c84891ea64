"""Real faults for real processes: system calls that fail or kill, small disks, power cuts, other users.

Where the machine lacks a means, the test is skipped with a reason that begins with "needs".
"""

from __future__ import annotations

import ctypes
import fcntl
import os
import shutil
import signal
import subprocess
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import BinaryIO

import pytest

from tests.waiting import PATIENCE, wait_until

SHUTDOWN = 0x8004587D  # FS_IOC_SHUTDOWN
JOURNAL_FLUSHED, JOURNAL_LOST = 1, 2
Say = Callable[[str], None]


def need(available: object, what: str) -> None:
    if not available:
        pytest.skip(f"needs {what}")


def need_root() -> None:
    need(os.geteuid() == 0, "root")


@dataclass
class Child:
    """A forked process; `said` are the whole lines it wrote."""

    pid: int
    out: BinaryIO
    _buffer: bytes = field(default=b"", init=False)
    _code: int | None = field(default=None, init=False)

    def poll(self) -> int | None:
        """Return the exit code (minus the signal) once it has ended."""
        if self._code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self._code = os.waitstatus_to_exitcode(status) if pid else None
        return self._code

    def wait(self, seconds: float = PATIENCE) -> int:
        wait_until(lambda: self.poll() is not None, seconds=seconds)
        assert self._code is not None
        return self._code

    def signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        self.signal(signal.SIGKILL)
        self.wait()

    def said(self) -> list[str]:
        self._buffer += self.out.read() or b""
        return self._buffer.decode().split("\n")[:-1]

    def wait_for(self, line: str, seconds: float = PATIENCE) -> None:
        wait_until(lambda: line in self.said() or self.poll() is not None, seconds=seconds)
        assert line in self.said(), f"it said {self.said()[-3:]} and ended with {self.poll()}"

    def close(self) -> None:
        self.kill()
        self.out.close()


@contextmanager
def child(work: Callable[[Say], None], *, stopped: bool = False) -> Iterator[Child]:
    """Fork a process that does the work; with `stopped` it waits for SIGCONT as soon as the work says "ready"."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    pid = os.fork()
    if pid == 0:
        os.close(reading)
        code = 1

        def say(line: str) -> None:
            os.write(writing, line.encode() + b"\n")
            if stopped and line == "ready":
                os.kill(os.getpid(), signal.SIGSTOP)

        try:
            work(say)
            code = 0
        except BaseException:
            traceback.print_exc()
            raise
        finally:
            os._exit(code)
    os.close(writing)
    started = Child(pid, os.fdopen(reading, "rb", buffering=0))
    try:
        if stopped:
            started.wait_for("ready")
            wait_until(lambda: _state_of(pid) == "T")
        yield started
    finally:
        started.close()


def _state_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]


@cache
def _can_trace() -> bool:
    if shutil.which("strace") is None:
        return False
    command = ["strace", "-f", "-o", "/dev/null", "-e", "inject=getppid:error=EPERM", "true"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def need_strace() -> None:
    need(_can_trace(), "strace with permission to trace")


@contextmanager
def injected(target: Child, *injections: str) -> Iterator[None]:
    """Let system calls of a stopped child go wrong as `strace -e inject=` says, and let it continue."""
    need_strace()
    calls = ",".join(dict.fromkeys(each.partition(":")[0] for each in injections))
    options = [part for each in injections for part in ("-e", f"inject={each}")]
    command = ["strace", "-f", "-p", str(target.pid), "-o", "/dev/null", "-e", f"trace={calls}", *options]
    tracer = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_until(lambda: _tracer_of(target.pid) == tracer.pid)
        target.signal(signal.SIGCONT)
        yield
    finally:
        target.kill()
        tracer.terminate()
        tracer.wait()


def _tracer_of(pid: int) -> int:
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("TracerPid:"):
            return int(line.split()[1])
    return 0


def _run(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


@cache
def _can_mount() -> bool:
    script = "mount -t tmpfs -o size=64k none /mnt && umount /mnt"
    command = ["unshare", "--mount", "sh", "-c", script]
    return os.geteuid() == 0 and subprocess.run(command, capture_output=True, check=False).returncode == 0


def need_mounts() -> None:
    need(_can_mount(), "root with permission to mount")


@contextmanager
def small_disk(place: Path, size: str) -> Iterator[Path]:
    """Mount a small disk in memory at a folder."""
    need_mounts()
    place.mkdir(exist_ok=True)
    _run("mount", "-t", "tmpfs", "-o", f"size={size},mode=0700", "none", place)
    try:
        yield place
    finally:
        _run("umount", "-l", place)


@contextmanager
def read_only_mount(place: Path) -> Iterator[None]:
    """Make a folder read-only, for root too."""
    need_mounts()
    _run("mount", "--bind", place, place)
    try:
        _run("mount", "-o", "remount,bind,ro", place)
        yield
    finally:
        _run("umount", "-l", place)


class Disk:
    """A file system in a file, whose power can be cut."""

    def __init__(self, image: Path, kind: str, place: Path) -> None:
        need(
            os.geteuid() == 0 and Path("/dev/loop-control").exists() and shutil.which("losetup"),
            "root and loop devices",
        )
        need(shutil.which(f"mkfs.{kind}"), f"mkfs.{kind}")
        self.place = place
        self._image, self._kind = image, kind
        place.mkdir(exist_ok=True)
        with image.open("wb") as file:
            file.truncate((320 if kind == "xfs" else 64) << 20)
        _run(f"mkfs.{kind}", "-q", image)

    @contextmanager
    def mounted(self) -> Iterator[None]:
        mount = subprocess.run(["mount", "-o", "loop", self._image, self.place], capture_output=True, check=False)
        need(mount.returncode == 0, f"permission to mount {self._kind}")
        try:
            yield
        finally:
            _run("umount", self.place)

    def cut_power(self, how: int) -> None:
        """Lose what was not flushed."""
        fd = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(fd, SHUTDOWN, ctypes.c_uint32(how))
        finally:
            os.close(fd)


def programs(*names: str) -> None:
    for name in names:
        need(shutil.which(name), name)
