"""What stops automatic change: a vault that is away, emptied or in the middle of a change, a clock that jumped."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from dataclasses import asdict, dataclass, replace
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path

from mnemex_vault.clock import Clock
from mnemex_vault.disk.state import Moments, private_folder
from mnemex_vault.disk.vault import Layout, Vault
from mnemex_vault.errors import AutomationPaused, VaultUnavailable

# Whether the clock can be believed: between two looks at it time passes little by little.
#
# What grows old is archived or let go. A clock that stands wrong for a moment must not make everything old, and the
# owner of a laptop that lay in a drawer decides whether it did.

# a longer way from one look to the next is a jump
JUMP = timedelta(days=7)
# for so long the time after a jump has to agree with itself before it is believed
CONFIRMED_AFTER = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Timekeeping:
    """What the looks at the clock came to: its last time, and the jump that is not confirmed, if there is one.

    `before` is what the clock said ahead of the jump, `since` what it said right after.
    """

    last: datetime
    before: datetime | None = None
    since: datetime | None = None

    @property
    def believed(self) -> datetime:
        """Return the time by which things grow old: after a jump it stands still."""
        return self.before or self.last


def looked(known: Timekeeping | None, now: datetime) -> Timekeeping:
    """Return what is known after one more look.

    A jump is forgotten when the clock is back where it would be without it, or has agreed with itself for a week.

    >>> from datetime import UTC
    >>> noon = datetime(2026, 11, 30, 12, tzinfo=UTC)
    >>> looked(Timekeeping(noon), noon + timedelta(days=400)).believed == noon
    True
    """
    if known is None:
        return Timekeeping(now)
    is_back = known.before is not None and _agree(known.before, now)
    if not _agree(known.last, now) and not is_back:
        return Timekeeping(now, before=known.before or known.last, since=now)
    is_confirmed = known.since is not None and now - known.since >= CONFIRMED_AFTER
    return Timekeeping(now) if is_back or is_confirmed else replace(known, last=now)


def _agree(earlier: datetime, now: datetime) -> bool:
    return abs(now - earlier) <= JUMP


# Which memory folders the running processes of a vault go by: two that disagree would undo each other's work.


class LayoutClaims:
    """A file for each layout in use, locked by every process that uses it; a lock ends with its process."""

    def __init__(self, folder: Path) -> None:
        self._folder = private_folder(folder)
        self._mine: Path | None = None
        self._fd: int | None = None

    def claim(self, layout: Layout) -> None:
        """Tell the other processes which folders this one goes by; without a writable disk nobody is told."""
        text = json.dumps(asdict(layout), sort_keys=True)
        path = self._folder / f"{sha256(text.encode()).hexdigest()[:16]}.json"
        if path == self._mine:
            return
        self.release()
        with contextlib.suppress(OSError):
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            fcntl.flock(fd, fcntl.LOCK_SH)
            os.pwrite(fd, text.encode(), 0)
            self._mine, self._fd = path, fd

    def release(self) -> None:
        """Let go, as the end of the process does."""
        if self._fd is not None:
            os.close(self._fd)
        self._mine = self._fd = None

    def other(self) -> Layout | None:
        """Return the folders of another running process if they are not ours."""
        with contextlib.suppress(OSError):
            for path in sorted(self._folder.glob("*.json")):
                if path != self._mine and (found := _in_use(path)) is not None:
                    return found
        return None


def _in_use(path: Path) -> Layout | None:
    """Return the layout if some process holds it."""
    with contextlib.suppress(FileNotFoundError, ValueError, TypeError):
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return Layout(**json.loads(path.read_text("utf-8")))
        finally:
            os.close(fd)
    return None


# a laptop may lie in a drawer for a year; ten years are a broken clock
_SLEPT = timedelta(days=800)


class Looks:
    """The looks at the clock that were taken for one purpose, remembered among the `moments`."""

    def __init__(self, moments: Moments, name: str, *, clock: Clock) -> None:
        self._moments = moments
        self._names = (name, f"{name} before the jump", f"{name} after the jump")
        self._clock = clock

    def look(self, *, since: datetime | None = None) -> None:
        """Take a look; `since` counts as the one before if there was none."""
        known = self._known() or (Timekeeping(since) if since else None)
        self._keep(looked(known, self._clock()))

    def accept(self) -> None:
        """Believe the clock as it is."""
        self._keep(Timekeeping(self._clock()))

    def believed_time(self) -> datetime:
        """Return the time by which things grow old: that of the clock, or of the last look before a jump."""
        return looked(self._known(), self._clock()).believed

    def problem(self, *, slept: timedelta = timedelta()) -> str | None:
        """Return how the clock jumped, None if it can be believed, or if it went ahead by what may be `slept`."""
        known = looked(self._known(), self._clock())
        if known.before is None or timedelta() < known.last - known.before <= slept:
            return None
        way = "jumped ahead" if known.last > known.before else "went back"
        return f"the clock {way}: it was {known.before:%Y-%m-%d} and says {known.last:%Y-%m-%d}"

    def _known(self) -> Timekeeping | None:
        last, before, since = (self._moments.last(name) for name in self._names)
        return None if last is None else Timekeeping(last, before, since)

    def _keep(self, known: Timekeeping) -> None:
        self._moments.remember_all(dict(zip(self._names, (known.last, known.before, known.since), strict=True)))


class Guard:
    """Knows whether automatic change is safe now; says why not, and resumes by itself.

    `ageing` are the looks at the clock by which kept versions grow old: every program takes them, a server or not.
    """

    def __init__(self, vault: Vault, moments: Moments, claims: LayoutClaims, *, clock: Clock) -> None:
        self._vault = vault
        self._looks = Looks(moments, "seen", clock=clock)
        self.ageing = Looks(moments, "aged", clock=clock)
        self._claims = claims
        self._vault_problem: VaultUnavailable | None = None
        self._folder_problem: str | None = None
        self._format_problem: str | None = None

    def vault_is(self, problem: VaultUnavailable | None) -> None:
        """Take note of what the last look at the vault said."""
        self._vault_problem = problem

    def folders_are(self, layout: Layout, problem: str | None) -> None:
        """Take note of the memory folders in use, and of those that a person renamed."""
        self._claims.claim(layout)
        self._folder_problem = problem

    def format_is(self, problem: str | None) -> None:
        """Take note of a note format that this version does not know."""
        self._format_problem = problem

    def problem(self, *, of_clock: bool = True) -> str | None:
        """Return why automatic change is stopped, or None; a jump of the clock counts only if that is asked for."""
        if self._vault_problem is not None:
            return self._vault_problem.reason
        try:
            self._vault.check()
        except VaultUnavailable as error:
            return error.reason
        problem = self._format_problem or self._folder_problem or self._other_problem()
        return problem or (self._looks.problem() if of_clock else None)

    def check(self, *, asked: bool = False) -> None:
        """Take a look at the clock; raise AutomationPaused unless automatic change is safe.

        What a person `asked` for just now goes on after a leap ahead that a computer may have slept through.
        """
        self.beat()
        reason = self.problem(of_clock=False) or self._looks.problem(slept=_SLEPT if asked else timedelta())
        if reason is not None:
            raise AutomationPaused(self._vault.root, reason)

    def beat(self) -> None:
        """Take a look at the clock and remember it."""
        self._looks.look()

    def accept_clock(self) -> None:
        """Believe the clock as it is."""
        self._looks.accept()
        self.ageing.accept()

    def _other_problem(self) -> str | None:
        if (self._vault.root / ".git" / "index.lock").exists():
            return "git is at work in the vault"
        other = self._claims.other()
        if other is None:
            return None
        folders = f"{other.short_term}, {other.long_term} and {other.archive}"
        return f"another program on this vault goes by other memory folders ({folders}); give all the same settings"
