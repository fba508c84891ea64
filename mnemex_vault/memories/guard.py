"""What stops automatic change: a vault that is away, emptied or in the middle of a change, a clock that jumped."""

from __future__ import annotations

from datetime import timedelta

from mnemex_vault.clock import Clock
from mnemex_vault.errors import AutomationPaused, VaultUnavailable
from mnemex_vault.memories.layouts import LayoutClaims
from mnemex_vault.memories.moments import Moments
from mnemex_vault.notes.vault import Layout, Vault

BACKWARD = timedelta(days=1)
# a laptop may lie in a drawer for a year; ten years are a broken clock
FORWARD = timedelta(days=800)
_SEEN = "seen"


class Guard:
    """Knows whether automatic change is safe now; says why not, and resumes by itself."""

    def __init__(self, vault: Vault, moments: Moments, claims: LayoutClaims, *, clock: Clock) -> None:
        self._vault = vault
        self._moments = moments
        self._claims = claims
        self._clock = clock
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

    def problem(self) -> str | None:
        """Return why automatic change is stopped, or None."""
        if self._vault_problem is not None:
            return self._vault_problem.reason
        try:
            self._vault.check()
        except VaultUnavailable as error:
            return error.reason
        return self._format_problem or self._folder_problem or self._other_problem() or self._clock_problem()

    def check(self) -> None:
        """Raise AutomationPaused unless automatic change is safe; otherwise remember the time."""
        reason = self.problem()
        if reason is not None:
            raise AutomationPaused(self._vault.root, reason)
        self.beat()

    def beat(self) -> None:
        """Remember that the clock was fine now."""
        if self._clock_problem() is None:
            self.accept_clock()

    def accept_clock(self) -> None:
        """Believe the clock as it is."""
        self._moments.remember(_SEEN, self._clock())

    def _other_problem(self) -> str | None:
        if (self._vault.root / ".git" / "index.lock").exists():
            return "git is at work in the vault"
        other = self._claims.other()
        if other is None:
            return None
        folders = f"{other.short_term}, {other.long_term} and {other.archive}"
        return f"another program on this vault goes by other memory folders ({folders}); give all the same settings"

    def _clock_problem(self) -> str | None:
        seen = self._moments.last(_SEEN)
        if seen is None:
            return None
        now = self._clock()
        if now < seen - BACKWARD:
            return f"the clock went back: it was {seen:%Y-%m-%d} and says {now:%Y-%m-%d}"
        if now > seen + FORWARD:
            return f"the clock jumped ahead: it was {seen:%Y-%m-%d} and says {now:%Y-%m-%d}"
        return None
