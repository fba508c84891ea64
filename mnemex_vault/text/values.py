"""Values of frontmatter in all the spellings people use: lists, tags, wikilinks, numbers, yes and no, times."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo

from mnemex_vault.text.yaml_core import Value, number_text, resolve

# Values of frontmatter in all the spellings people use: lists, tags, wikilinks, numbers, yes and no.

ID_PATTERN = re.compile(r"[A-Za-z0-9_-]{1,64}")
_WIKILINK = re.compile(r"!?\[\[([^\[\]|\n]+?)\\?(?:\|[^\n]*)?\]\]")
_TAG_SEPARATOR = re.compile(r"[,\s]+")
_TAG_KEYS = frozenset({"tags", "tag"})
_YES = frozenset({"true", "yes", "on", "y", "1"})
_NO = frozenset({"false", "no", "off", "n", "0"})


def memory_id(value: Value) -> str | None:
    """Return the id that a value holds, None if it is none; digits alone are an id, too."""
    text = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    return text if isinstance(text, str) and ID_PATTERN.fullmatch(text) else None


def texts(value: Value) -> list[str]:
    """Return the texts of a list or single value; numbers become texts, what is nested or empty is left out."""
    return list(dict.fromkeys(_texts(value)))


def _texts(value: Value) -> Iterator[str]:
    for item in value if isinstance(value, list) else [value]:
        if isinstance(item, bool):
            yield str(item).lower()
        elif isinstance(item, (int, float)):
            yield number_text(item)
        elif isinstance(item, str) and item.strip():
            yield item.strip()


def tag_list(value: Value) -> tuple[str, ...]:
    """Return tags without `#` from a list, a text with commas or spaces, a number or null.

    >>> tag_list("#one, two/three four"), tag_list(["#a", 2024, None])
    (('one', 'two/three', 'four'), ('a', '2024'))
    """
    parts: list[str] = _TAG_SEPARATOR.split(value) if isinstance(value, str) else texts(value)
    return tuple(dict.fromkeys(tag for part in parts if (tag := part.strip().lstrip("#"))))


def property_tags(values: Mapping[str, Value]) -> tuple[str, ...]:
    """Return the tags of all keys that Obsidian took for tags in any version: `tags`, `Tags`, `tag`."""
    found = (tag for key, value in values.items() if key.lower() in _TAG_KEYS for tag in tag_list(value))
    return tuple(dict.fromkeys(found))


def alias_list(value: Value) -> tuple[str, ...]:
    """Return aliases from a list, a text with commas, a number or null."""
    parts: list[Value] = (
        [*value.split(",")] if isinstance(value, str) else [value] if not isinstance(value, list) else value
    )
    return tuple(texts(parts))


def entity_list(value: Value) -> tuple[str, ...]:
    """Return the names in a list of texts and wikilinks, without brackets."""
    names = (link_name(text) or text for text in texts(_without_nested_links(value)))
    return tuple(dict.fromkeys(names))


def targets(value: Value) -> list[str]:
    """Return the targets of a list of wikilinks, also of one that was written without quotation marks."""
    names = (link_name(text) for text in texts(_without_nested_links(value)))
    return list(dict.fromkeys(name for name in names if name))


def link_name(text: str) -> str | None:
    """Return the target of a text that is one wikilink, None if it is none.

    >>> link_name("[[Note#Part|shown]]"), link_name("Note")
    ('Note#Part', None)
    """
    match = _WIKILINK.fullmatch(text.strip())
    return match[1].strip() or None if match else None


def _without_nested_links(value: Value) -> Value:
    """Turn the nested lists that YAML makes of an unquoted `[[link]]` back into links."""
    if not isinstance(value, list):
        return value
    if len(value) == 1 and isinstance(value[0], list) and not any(isinstance(item, list) for item in value[0]):
        return [_bracketed(value[0])]
    return [_bracketed(item[0]) if isinstance(item, list) and len(item) == 1 else item for item in value]


def _bracketed(item: Value) -> Value:
    return f"[[{', '.join(texts(item))}]]"


def as_number(value: object) -> float | None:
    """Return a finite number, also from a quoted one."""
    if isinstance(value, str):
        value = resolve(value.strip())
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def as_checkbox(value: Value) -> bool | None:
    """Return what a checkbox or a word for yes or no says, None if it says neither.

    >>> as_checkbox("Yes"), as_checkbox(False), as_checkbox("banana")
    (True, False, None)
    """
    word = str(value).strip().lower()
    return True if word in _YES else False if word in _NO else None


# Times as notes hold them: local, without a zone, as Obsidian's Properties editor writes them.

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
