"""Whether the clock can be believed: between two looks at it time passes little by little.

What grows old is archived or let go. A clock that stands wrong for a moment must not make everything old, and the
owner of a laptop that lay in a drawer decides whether it did.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

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
