from __future__ import annotations

import os
import signal
import threading
from pathlib import Path

import pytest

from mnemex_vault.disk.vault import VaultLock
from mnemex_vault.errors import LockTimeout, WriteFailed
from tests.waiting import PATIENCE


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "vault.lock"


def test_a_thread_may_take_it_again_and_lets_go_at_the_end(path: Path) -> None:
    lock = VaultLock(path)
    with lock, lock:
        pass
    with VaultLock(path, timeout=0):
        pass


def test_it_is_let_go_after_an_error(path: Path) -> None:
    lock = VaultLock(path)
    with pytest.raises(ZeroDivisionError), lock:
        raise ZeroDivisionError
    with VaultLock(path, timeout=0):
        pass


def test_another_thread_waits_and_gives_up_in_time(path: Path) -> None:
    lock = VaultLock(path, timeout=0.05)
    caught: list[LockTimeout] = []

    def work() -> None:
        try:
            with lock:
                pass
        except LockTimeout as error:
            caught.append(error)

    with lock:
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    assert [(error.name, error.seconds) for error in caught] == [("vault", 0.05)]
    with lock:
        pass


@pytest.mark.row("G3")
def test_another_process_keeps_it_until_it_is_killed(path: Path) -> None:
    ready, told = os.pipe()
    child = os.fork()
    if child == 0:
        with VaultLock(path):
            os.write(told, b"x")
            signal.pause()
    os.read(ready, 1)
    waiting = VaultLock(path, timeout=0.05)
    with pytest.raises(LockTimeout), waiting:
        pass
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    with VaultLock(path, timeout=PATIENCE):
        pass
    with waiting:
        pass


def test_threads_never_work_at_the_same_time(path: Path) -> None:
    lock = VaultLock(path)
    inside = 0
    most = 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(20):
            with lock:
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_a_place_where_there_can_be_no_lock_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    lock = VaultLock(tmp_path / "file" / "vault.lock", timeout=0)
    for _ in range(2):
        with pytest.raises(WriteFailed), lock:
            pass
