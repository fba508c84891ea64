"""The package's only look at the clock, and at its zone; everything else takes `now`, a `Clock`, or a zone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta, tzinfo

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the current time, aware, in UTC."""
    return datetime.now(UTC)


class MachineZone(tzinfo):
    """The rules of the computer's own zone, daylight saving included; `fold` tells repeated hours apart."""

    def utcoffset(self, when: datetime | None) -> timedelta | None:
        """Return the offset at a local time."""
        return None if when is None else when.replace(tzinfo=None).astimezone().utcoffset()

    def dst(self, _when: datetime | None) -> timedelta | None:
        """Return None: how much of the offset is daylight saving is not known."""
        return None

    def tzname(self, when: datetime | None) -> str | None:
        """Return the short name at a local time."""
        return None if when is None else when.replace(tzinfo=None).astimezone().tzname()

    def fromutc(self, when: datetime) -> datetime:
        """Return the local time of a UTC time that carries this zone."""
        there = when.replace(tzinfo=UTC).astimezone()
        local = there.replace(tzinfo=self, fold=0)
        return local if local.utcoffset() == there.utcoffset() else local.replace(fold=1)
