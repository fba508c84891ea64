"""What stops automatic change: a vault that is away or emptied, and a clock that jumped."""

from __future__ import annotations

import contextlib
import json
import os
from datetime import datetime, timedelta
from pathlib import Path

from mnemex_vault.clock import Clock
from mnemex_vault.errors import AutomationPaused, VaultUnavailable
from mnemex_vault.notes.vault import Vault

BACKWARD = timedelta(days=1)
# a laptop may lie in a drawer for a year; ten years are a broken clock
FORWARD = timedelta(days=800)


class Guard:
    """Knows whether automatic change is safe now; says why not, and resumes by itself."""

    def __init__(self, vault: Vault, heartbeat: Path, *, clock: Clock) -> None:
        self._vault = vault
        self._heartbeat = heartbeat
        self._clock = clock
        self._vault_problem: VaultUnavailable | None = None
        self._folder_problem: str | None = None

    def vault_is(self, problem: VaultUnavailable | None) -> None:
        """Take note of what the last look at the vault said."""
        self._vault_problem = problem

    def folders_are(self, problem: str | None) -> None:
        """Take note of memory folders that a person renamed."""
        self._folder_problem = problem

    def problem(self) -> str | None:
        """Return why automatic change is stopped, or None."""
        if self._vault_problem is not None:
            return self._vault_problem.reason
        try:
            self._vault.check()
        except VaultUnavailable as error:
            return error.reason
        return self._folder_problem or self._clock_problem()

    def check(self) -> None:
        """Raise AutomationPaused unless automatic change is safe; otherwise remember the time."""
        reason = self.problem()
        if reason is not None:
            raise AutomationPaused(self._vault.root, reason)
        self.beat()

    def beat(self) -> None:
        """Remember that the clock was fine now."""
        now = self._clock()
        if self._clock_problem() is None:
            _write(self._heartbeat, now)

    def accept_clock(self) -> None:
        """Believe the clock as it is."""
        _write(self._heartbeat, self._clock())

    def _clock_problem(self) -> str | None:
        seen = _read(self._heartbeat)
        if seen is None:
            return None
        now = self._clock()
        if now < seen - BACKWARD:
            return f"the clock went back: it was {seen:%Y-%m-%d} and says {now:%Y-%m-%d}"
        if now > seen + FORWARD:
            return f"the clock jumped ahead: it was {seen:%Y-%m-%d} and says {now:%Y-%m-%d}"
        return None


def _read(path: Path) -> datetime | None:
    with contextlib.suppress(OSError, ValueError, TypeError, KeyError):
        moment = datetime.fromisoformat(json.loads(path.read_text("utf-8"))["seen"])
        return moment if moment.tzinfo else None
    return None


def _write(path: Path, now: datetime) -> None:
    temporary = path.with_suffix(f".{os.getpid()}.new")
    with contextlib.suppress(OSError):
        temporary.write_text(json.dumps({"seen": now.isoformat()}), "utf-8")
        temporary.replace(path)
