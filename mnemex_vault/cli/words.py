"""Times, counts and strengths as people say them."""

from __future__ import annotations

from datetime import date, datetime

from mnemex_vault.domain.memory import Tier
from mnemex_vault.language.words import counted

_SOON_DAYS = 60
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


count = counted


def of(shown: int, total: int, one: str, many: str = "") -> str:
    """Return how many of all are shown, with their noun.

    >>> of(1, 1, "match", "matches"), of(1, 8, "match", "matches"), of(8, 8, "match", "matches")
    ('1 match', '1 of 8 matches', '8 matches')
    """
    return count(total, one, many) if shown == total else f"{shown:,} of {count(total, one, many)}"


def day(value: date, *, today: date) -> str:
    """Return a day, with the year unless it is this one.

    >>> day(date(2026, 12, 3), today=date(2026, 11, 29)), day(date(2027, 1, 3), today=date(2026, 11, 29))
    ('3 Dec', '3 Jan 2027')
    """
    return f"{value.day} {value:%b}" if value.year == today.year else f"{value.day} {value:%b %Y}"


def fading(fades_on: date | None, *, tier: Tier, pinned: bool, today: date) -> str:
    """Return what becomes of a memory that is left alone.

    >>> fading(date(2026, 12, 11), tier=Tier.SHORT_TERM, pinned=False, today=date(2026, 11, 29))
    'fades in 12 days'
    >>> fading(date(2026, 11, 1), tier=Tier.SHORT_TERM, pinned=False, today=date(2026, 11, 29))
    'faded on 1 Nov'
    """
    if tier is not Tier.SHORT_TERM:
        return "permanent" if tier is Tier.LONG_TERM else "archived"
    if pinned:
        return "pinned, does not fade"
    if fades_on is None:
        return "does not fade"
    days = (fades_on - today).days
    if days > _SOON_DAYS:
        return f"fades {day(fades_on, today=today)}"
    if days > 1:
        return f"fades in {days} days"
    return {1: "fades tomorrow", 0: "fades today"}.get(days, f"faded on {day(fades_on, today=today)}")


def ago(moment: datetime, *, now: datetime) -> str:
    """Return how long ago something was.

    >>> from datetime import UTC
    >>> now = datetime(2026, 11, 29, 12, tzinfo=UTC)
    >>> ago(datetime(2026, 11, 29, 11, 58, tzinfo=UTC), now=now), ago(datetime(2026, 11, 17, tzinfo=UTC), now=now)
    ('2 minutes ago', '12 days ago')
    """
    seconds = (now - moment).total_seconds()
    if seconds < _MINUTE:
        return "just now"
    if seconds < _HOUR:
        return f"{count(int(seconds // _MINUTE), 'minute')} ago"
    if seconds < _DAY:
        return f"{count(int(seconds // _HOUR), 'hour')} ago"
    days = int(seconds // _DAY)
    return f"{count(days, 'day')} ago" if days <= _SOON_DAYS else f"on {day(moment.date(), today=now.date())}"


def bar(share: float, *, width: int = 10) -> str:
    """Return a share between 0 and 1 as a bar; only nothing at all is an empty one.

    >>> bar(0.5, width=4), bar(0.001, width=4), bar(0.0, width=4)
    ('██░░', '█░░░', '░░░░')
    """
    full = min(width, max(round(share * width), 1 if share > 0 else 0))
    return "█" * full + "░" * (width - full)
