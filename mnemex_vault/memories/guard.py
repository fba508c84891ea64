"""What stops automatic change: a vault that is away, emptied or in the middle of a change, a clock that jumped."""

from __future__ import annotations

from datetime import datetime, timedelta

from mnemex_vault.clock import Clock
from mnemex_vault.domain.timekeeping import Timekeeping, looked
from mnemex_vault.errors import AutomationPaused, VaultUnavailable
from mnemex_vault.memories.layouts import LayoutClaims
from mnemex_vault.memories.moments import Moments
from mnemex_vault.notes.vault import Layout, Vault

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
