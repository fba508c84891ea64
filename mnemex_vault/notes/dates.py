"""Times as notes hold them: local, without a zone, as Obsidian's Properties editor writes them."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from mnemex_vault.notes.yaml_scalars import Value

# outside these years a time is a slip of the pen or a placeholder
_YEARS = range(1900, 2201)
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SECONDS = tuple((datetime(year, 1, 1, tzinfo=UTC) - _EPOCH).total_seconds() for year in (_YEARS.start, _YEARS.stop))
# larger numbers of seconds lie beyond the year 5000, so that they are milliseconds
_MILLISECONDS_FROM = 1e11
_TIME = re.compile(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:(?:[Tt]|[ ]+)([0-9]{2}):([0-9]{2})(?::([0-9]{2})(?:[.,][0-9]+)?)?[ ]*(Z|z|[+-][0-9]{2}(?::?[0-9]{2})?)?)?"
)


def read_time(value: Value, zone: tzinfo) -> datetime | None:
    """Return an aware time in UTC, None for what is none or lies outside 1900..2200.

    Read are local times (of a repeated hour the first), `Z` and offsets, a date alone, epoch seconds and milliseconds.
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        moment = _from_text(value.strip(), zone) if isinstance(value, str) else _from_number(value)
    except ValueError:
        return None
    return moment if moment is not None and moment.year in _YEARS else None


def write_time(moment: datetime, zone: tzinfo, *, date_only: bool = False) -> str:
    """Return `YYYY-MM-DDTHH:mm:ss` in the zone, or the date alone.

    >>> write_time(datetime(2026, 11, 29, 21, 30, tzinfo=UTC), timezone(timedelta(hours=1)))
    '2026-11-29T22:30:00'
    """
    local = moment.astimezone(zone).replace(tzinfo=None)
    return local.date().isoformat() if date_only else local.isoformat(timespec="seconds")


def read_date(value: Value, zone: tzinfo) -> date | None:
    """Return the day of a time or date in the zone, None for what is none."""
    moment = read_time(value, zone)
    return moment.astimezone(zone).date() if moment else None


def file_time(seconds: float) -> datetime:
    """Return the time of a file in UTC from seconds after 1970; one outside 1900..2200 is moved to the nearest end.

    >>> file_time(86_400).isoformat(), file_time(10**30).isoformat()
    ('1970-01-02T00:00:00+00:00', '2200-12-31T23:59:59+00:00')
    """
    first, end = _SECONDS
    return _EPOCH + timedelta(seconds=min(max(seconds, first), end - 1))


def _from_number(value: float) -> datetime | None:
    # a division of whole numbers never overflows
    seconds = value // 1000 if abs(value) >= _MILLISECONDS_FROM else value
    first, end = _SECONDS
    return _EPOCH + timedelta(seconds=seconds) if first <= seconds < end else None


def _from_text(text: str, zone: tzinfo) -> datetime | None:
    match = _TIME.fullmatch(text)
    if not match:
        return None
    year, month, day, hour, minute, second = (int(part or 0) for part in match.groups()[:6])
    if year not in _YEARS:
        return None
    local = datetime.combine(date(year, month, day), time(hour, minute, second))
    return local.replace(tzinfo=_offset(match[7]) if match[7] else zone).astimezone(UTC)


def _offset(text: str) -> timezone:
    if text in "Zz":
        return UTC
    digits = text[1:].replace(":", "").ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(-offset if text[0] == "-" else offset)
