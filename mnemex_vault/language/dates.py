"""Dates in words: the days, months and years that a text speaks of, as terms that notes and questions share.

A day gives `~2023-05-08`, its month `~2023-05`, its year `~2023`; the month and the day of any year are `~05` and
`~05-08`. No term made from a written word begins with a tilde.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import date, timedelta
from itertools import chain

from mnemex_vault.language.folding import fold
from mnemex_vault.language.tongues import tongues

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NUMBERS = {"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7}


def _month(group: str) -> str:
    short = r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    return rf"(?P<{group}>{short}|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"


def _year(group: str) -> str:
    return rf"(?:,?\s+(?P<{group}>(?:19|20)\d\d))"


def _day(group: str) -> str:
    return rf"(?P<{group}>[0-3]?\d)(?:st|nd|rd|th)?"


_FORMS = (
    r"(?P<y0>(?:19|20)\d\d)-(?P<m0>[01]\d)(?:-(?P<d0>[0-3]\d))?",
    rf"{_day('d1')}\s+(?:of\s+)?{_month('m1')}{_year('y1')}?",
    rf"{_month('m2')}\s+{_day('d2')}(?!\d){_year('y2')}?",
    rf"{_month('m3')}(?:\s+of)?{_year('y3')}",
    # a month alone is only one after such a word: "may" and "march" are verbs as well
    rf"(?:in|since|during|last|this|next|of|by|until|early|late|mid|from|to)\s+{_month('m4')}{_year('y4')}?",
    r"(?P<y5>(?:19|20)\d\d)",
    r"(?P<near>day before yesterday|yesterday|today|tonight|tomorrow|last night)",
    r"(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven)\s+(?P<ago>day|week|month|year)s?\s+ago",
    r"(?P<which>last|previous|past|this|next)\s+"
    r"(?P<what>week(?:end)?|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)",
)
# of a text in lower case: ignoring case takes twice the time
_MENTION = re.compile(rf"(?<![\w-])(?:{'|'.join(_FORMS)})(?![\w-])")
# a month's name is known by its number, or by the year behind it, not by itself: many are words as well
_OF = r"(?:d[eoi]l?\s+|van\s+)?"
_NAMED_DAY = re.compile(
    rf"(?<![\w-])(?P<d>[0-3]?\d)(?:\.|º|ª|er|:a|:e)?\s+{_OF}(?P<m>[^\W\d_]{{3,14}})\.?(?:,?\s+{_OF}(?P<y>(?:19|20)\d\d))?(?![\w-])"
)
_NAMED_MONTH = re.compile(rf"(?<![\w-])(?P<m>[^\W\d_]{{3,14}})\.?\s+{_OF}(?P<y>(?:19|20)\d\d)(?![\w-])")
_SIGNS = re.compile(r"(?:(?P<y>\d{4})\s?[年년]\s?)?(?P<m>\d{1,2})\s?[月월](?:\s?(?P<d>\d{1,2})\s?[日号號일])?")
_ENGLISH = re.compile(_month("m"), re.IGNORECASE)
_DIGITS_IN_A_ROW = re.compile(r"\d+")
_SPACE = re.compile(r"\s")
_LETTERS = re.compile(r"[a-z]+")
_YEAR = re.compile(r"\d{4}")
# a date with digits lies this near to them, but for the spaces that may be in it
_AROUND = 40
# without one of these a text names no date but by digits
_TELLING = frozenset({"yesterday", "today", "tonight", "tomorrow", "night", "ago", "week", "weekend", "month", "year"})
_TELLING |= set(_WEEKDAYS)
_DAY_BEFORE = re.compile(rf"(?<!\d)[0-3]?\d(?:\.|º|ª|er|:a|:e)?\s+{_OF}$")
_REACH = 12
_WHOLE_DAY = len("~2021-10-04")
_DIGITS = (
    re.compile(r"(?<![\w.-])(?P<y>(?:19|20)\d\d)[./](?P<m>[01]?\d)[./](?P<d>[0-3]?\d)(?![\w-])"),
    re.compile(r"(?<![\w.-])(?P<d>[0-3]?\d)\.\s?(?P<m>[01]?\d)\.\s?(?P<y>(?:19|20)\d\d)(?![\w-])"),
    re.compile(r"(?<![\w.-])(?P<y>(?:19|20)\d\d)(?P<m>[01]\d)(?P<d>[0-3]\d)(?![\w-])"),
)
_NEAR = {"day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_SHIFT = {"last": -1, "previous": -1, "past": -1, "this": 0, "next": 1}


def day_words(day: date) -> tuple[str, ...]:
    """Return all terms of one day.

    >>> day_words(date(2023, 5, 8))
    ('~2023', '~2023-05', '~2023-05-08', '~05', '~05-08')
    """
    year, month, iso = f"~{day.year:04}", f"~{day.year:04}-{day.month:02}", f"~{day.isoformat()}"
    return (year, month, iso, f"~{day.month:02}", f"~{day.month:02}-{day.day:02}")


def mentioned(text: str, today: date | None = None) -> Iterator[str]:
    """Yield the terms of the dates in a text; words such as "yesterday" count only if `today` is known.

    >>> list(mentioned("in May 2023, or on 2023-06-01"))
    ['~2023', '~2023-05', '~2023', '~2023-06', '~2023-06-01']
    >>> list(mentioned("yesterday", date(2024, 3, 1)))
    ['~2024', '~2024-02', '~2024-02-29']
    """
    text = text.lower()
    near = list(_around_digits(text))
    yield from _elsewhere(text, near)
    words = set(_LETTERS.findall(text))
    months = (word for word in words if word[:3] in _MONTHS and _ENGLISH.fullmatch(word))
    telling = not _TELLING.isdisjoint(words) or any(months)
    for start, end in [(0, len(text))] if telling else near:
        for match in _MENTION.finditer(text, start, end):
            found = {name: value for name, value in match.groupdict().items() if value}
            if "near" in found or "count" in found or "which" in found:
                if today is not None:
                    yield from _relative(found, today)
            else:
                yield from _absolute({name[0]: value for name, value in found.items()})


def _around_digits(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text near its digits, from word to word."""
    start = end = 0
    for match in _DIGITS_IN_A_ROW.finditer(text):
        if match.start() - _AROUND > end:
            if end:
                yield start, end
            start = max(0, text.rfind(" ", end, match.start() - _AROUND))
        if match.end() + _AROUND > end:
            following = _SPACE.search(text, match.end() + _AROUND)
            end = following.start() if following else len(text)
    if end:
        yield start, end


def span(text: str, today: date) -> tuple[date, date] | None:
    """Return the first and the last day of the time that a text names, None if it names none.

    >>> span("2024-02", date(2026, 1, 1)), span("yesterday", date(2024, 3, 1))
    ((datetime.date(2024, 2, 1), datetime.date(2024, 2, 29)), (datetime.date(2024, 2, 29), datetime.date(2024, 2, 29)))
    """
    named = [term[1:] for term in mentioned(text, today)]
    longest = max(map(len, named), default=0)
    try:
        # a month alone, as `05`, is of no certain year
        days = [_whole(term) for term in named if len(term) == longest and _YEAR.match(term)]
    except ValueError:
        return None
    return (min(first for first, _ in days), max(last for _, last in days)) if days else None


def _whole(term: str) -> tuple[date, date]:
    """Return the first and the last day of a day, a month or a year."""
    year, month, day = [int(part) for part in term.split("-")] + [0] * (2 - term.count("-"))
    if day:
        return date(year, month, day), date(year, month, day)
    following = date(year + month // 12, month % 12 + 1, 1) if month else date(year + 1, 1, 1)
    return date(year, month or 1, 1), following - timedelta(days=1)


def days_named(name: str) -> list[date]:
    """Return the days in the name of a note: a daily note is of that day, also when no year is asked for.

    >>> days_named("20211004 Meeting"), days_named("Plans for 2021")
    ([datetime.date(2021, 10, 4)], [])
    """
    found = []
    for term in dict.fromkeys(mentioned(name)):
        if len(term) == _WHOLE_DAY:
            with suppress(ValueError):
                found.append(date.fromisoformat(term[1:]))
    return found


def _elsewhere(text: str, near: Sequence[tuple[int, int]]) -> Iterator[str]:
    """Yield the terms of dates as other languages write them, and in digits only, from parts of a text.

    >>> [list(_elsewhere(text, [(0, 16)])) for text in ("4. oktober 2021", "2021年10月4日", "am 4. mai")]
    [['~2021', '~2021-10', '~2021-10-04'], ['~2021', '~2021-10', '~2021-10-04'], ['~05', '~05-04']]
    """
    named = tongues().months
    for form in (_NAMED_DAY, _NAMED_MONTH):
        for match in _found(form, text, near):
            found = {name: value for name, value in match.groupdict().items() if value}
            month = named.get(fold(found["m"]))
            # what English has as well is read with the rest
            if month and not _ENGLISH.fullmatch(found["m"]) and not (form is _NAMED_MONTH and _has_day(match)):
                yield from _absolute({**found, "m": str(month)})
    for form in (*_DIGITS, _SIGNS):
        for match in _found(form, text, near):
            yield from _absolute({name: value for name, value in match.groupdict().items() if value})


def _found(form: re.Pattern[str], text: str, near: Sequence[tuple[int, int]]) -> Iterator[re.Match[str]]:
    return chain.from_iterable(form.finditer(text, start, end) for start, end in near)


def _has_day(match: re.Match[str]) -> bool:
    """Tell whether a day stands before the name of a month."""
    return _DAY_BEFORE.search(match.string, max(0, match.start() - _REACH), match.start()) is not None


def _absolute(parts: dict[str, str]) -> Iterator[str]:
    year = int(parts["y"]) if "y" in parts else None
    month = _month_number(parts["m"]) if "m" in parts else None
    day = int(parts["d"]) if "d" in parts else None
    if year:
        yield f"~{year}"
    if month is None or not 1 <= month <= 12:
        return
    prefix = f"~{year}-{month:02}" if year else f"~{month:02}"
    yield prefix
    if day is not None and 1 <= day <= 31:
        yield f"{prefix}-{day:02}"


def _month_number(written: str) -> int:
    if written.isdigit():
        return int(written)
    return _MONTHS.index(written[:3]) + 1


def _relative(found: dict[str, str], today: date) -> Iterator[str]:
    try:
        yield from _shifted(found, today)
    except (ValueError, OverflowError):
        # before year 1 or after year 9999
        return


def _shifted(found: dict[str, str], today: date) -> Iterator[str]:
    if "near" in found:
        yield from _exact(today + timedelta(days=_NEAR[found["near"]]))
    elif "count" in found:
        count = _NUMBERS.get(found["count"]) or int(found["count"])
        yield from _period(found["ago"], -count, today)
    elif found["what"] in _WEEKDAYS:
        yield from _exact(_weekday(found["what"], found["which"], today))
    else:
        yield from _period(found["what"], _SHIFT[found["which"]], today)


def _exact(day: date) -> tuple[str, ...]:
    return day_words(day)[:3]


def _period(unit: str, shift: int, today: date) -> Iterator[str]:
    if unit == "day":
        yield from _exact(today + timedelta(days=shift))
    elif unit.startswith("week"):
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=shift)
        first = 5 if unit == "weekend" else 0
        yield from (f"~{(monday + timedelta(days=offset)).isoformat()}" for offset in range(first, 7))
    elif unit == "month":
        months = today.year * 12 + today.month - 1 + shift
        yield f"~{date(months // 12, months % 12 + 1, 1):%Y-%m}"
    else:
        yield f"~{date(today.year + shift, 1, 1).year:04}"


def _weekday(name: str, which: str, today: date) -> date:
    """Return the nearest such day in that direction; `this` is the one in the current week."""
    ahead = (_WEEKDAYS.index(name) - today.weekday()) % 7
    if which == "next":
        return today + timedelta(days=ahead or 7)
    if which == "this":
        return today - timedelta(days=today.weekday()) + timedelta(days=_WEEKDAYS.index(name))
    return today + timedelta(days=ahead - 7)
