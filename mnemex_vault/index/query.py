"""What a person or an assistant asks for: words, phrases, dates in words, and filters."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from itertools import chain

from mnemex_vault.errors import InvalidInput
from mnemex_vault.index.analysis import Analyzer, AskedWord, encodable, spoken_in
from mnemex_vault.language.dates import mentioned, span
from mnemex_vault.language.folding import fold
from mnemex_vault.language.tags import label_key, tag_key
from mnemex_vault.language.tongues import Spoken

_FILTER = re.compile(
    r"(?P<minus>-?)(?P<name>tag|path|tier|project|after|before|created):(?:\"(?P<quoted>[^\"]+)\"|(?P<bare>\S+))", re.I
)
# a filter is cleaned as what is saved
_CLEANED: dict[str, Callable[[str], str]] = {"tag": tag_key, "project": label_key}
_PHRASE = re.compile(r"(?P<minus>(?<!\S)-)?\"(?P<phrase>[^\"]+)\"")
_EXCLUDED = re.compile(r"(?<!\S)-(?P<word>[^\W\d_][^\s\"]*)")
_PREFIX = re.compile(r"(?<!\S)(?P<word>\w{2,})\*(?!\S)")
_FUZZY = re.compile(r"(?<!\S)(?P<word>\w{2,})~(?!\S)")
# filters on the day on which a note was made
_TIMES = frozenset({"after", "before", "created"})
_NO_LANGUAGE = Spoken({})
# who asks a whole question quotes what somebody said or what a book is called
_ASKED = ("?", "？", "؟")


@dataclass(frozen=True, slots=True)
class Query:
    """A parsed question; `languages` are those that it may be in.

    A note matches if it has any of `words`, `prefixes`, `fuzzy` or `date_words`, all `phrases` and all that the
    filters ask for, and nothing that is excluded. `cited` are words quoted in a question: nothing else stands for them,
    but no note needs to have them. `pieces` are pairs of characters with a part of a function word,
    which say a little of what stands beside it. `fuzzy` stand for what is nearly spelled like them as well. `tiers` and
    `projects` name alternatives, and are for the caller like `excluded_projects` and the days from `since` to `until`,
    on which a note was made.
    """

    words: tuple[AskedWord, ...] = ()
    pieces: tuple[str, ...] = ()
    phrases: tuple[tuple[AskedWord, ...], ...] = ()
    cited: tuple[AskedWord, ...] = ()
    prefixes: tuple[str, ...] = ()
    fuzzy: tuple[AskedWord, ...] = ()
    date_words: tuple[str, ...] = ()
    excluded: tuple[AskedWord, ...] = ()
    excluded_phrases: tuple[tuple[AskedWord, ...], ...] = ()
    tags: tuple[str, ...] = ()
    excluded_tags: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    excluded_paths: tuple[str, ...] = ()
    tiers: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    excluded_projects: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    languages: Spoken = _NO_LANGUAGE

    @property
    def terms(self) -> tuple[str, ...]:
        """Return the words as terms of the index."""
        return tuple(word.term for word in self.words)

    @property
    def quoted(self) -> frozenset[str]:
        """Return the terms of all words that are quoted."""
        return frozenset(word.term for phrase in (*self.phrases, self.cited) for word in phrase)

    @property
    def asks(self) -> bool:
        """Tell whether it asks for any text, rather than only filter."""
        return bool(self.words or self.phrases or self.prefixes or self.fuzzy or self.date_words)

    @property
    def filters(self) -> bool:
        """Tell whether notes are told apart by more than the words asked for."""
        return bool(self.tags or self.excluded_tags or self.paths or self.excluded_paths or self.tiers) or bool(
            self.projects
            or self.excluded_projects
            or self.excluded
            or self.excluded_phrases
            or self.since
            or self.until
        )


@dataclass(slots=True)
class _Collected:
    today: date
    question: bool
    filters: dict[str, list[str]] = field(default_factory=dict)
    phrases: dict[str, list[str]] = field(default_factory=dict)
    excluded: list[str] = field(default_factory=list)
    prefixes: list[str] = field(default_factory=list)
    fuzzy: list[str] = field(default_factory=list)


def parse(text: str, *, now: datetime) -> Query:
    """Return what a text asks for; anything odd in it is read as words.

    >>> from datetime import UTC
    >>> q = parse('running "spaced repetition" tag:learning -draft', now=datetime(2023, 5, 8, tzinfo=UTC))
    >>> q.terms, [word.term for word in q.phrases[0]], q.tags
    (('running', 'spaced', 'repetition'), ['spaced', 'repetition'], ('learning',))
    """
    collected = _Collected(now.date(), text.rstrip().endswith(_ASKED))
    text = encodable(text).replace("“", '"').replace("”", '"').replace("„", '"')
    rest = _FILTER.sub(lambda match: _filter(match, collected), text)
    rest = _PHRASE.sub(lambda match: _phrase(match, collected), rest)
    rest = _EXCLUDED.sub(lambda match: _keep(collected.excluded, match), rest)
    rest = _PREFIX.sub(lambda match: _keep(collected.prefixes, match), rest)
    rest = _FUZZY.sub(lambda match: _keep(collected.fuzzy, match), rest)
    return _query(rest, collected, now)


def made_between(query: Query, *, after: str | None, before: str | None, now: datetime) -> Query:
    """Return a query for notes made since the first day of a time, and before another; raises InvalidInput.

    >>> from datetime import UTC
    >>> made_between(Query(), after="2023-05", before=None, now=datetime(2024, 1, 1, tzinfo=UTC)).since
    datetime.date(2023, 5, 1)
    """
    days = {name: span(text, now.date()) for name, text in (("after", after), ("before", before)) if text}
    for name, named in days.items():
        if named is None:
            raise InvalidInput(name, "names no day, month or year; write 2024-05-01, 2024-05 or yesterday")
    first, last = days.get("after"), days.get("before")
    since = [day for day in (query.since, first and first[0]) if day]
    until = [day for day in (query.until, last and last[0] - timedelta(days=1)) if day]
    return replace(query, since=max(since, default=None), until=min(until, default=None))


def _filter(match: re.Match[str], collected: _Collected) -> str:
    value, name = match["quoted"] or match["bare"].strip(",;"), match["name"].lower()
    if name in _TIMES and (match["minus"] or span(value, collected.today) is None):
        # what names no time is a word like others
        return match.group()
    cleaned = _CLEANED.get(name, str.strip)(value)
    collected.filters.setdefault(match["minus"] + name, []).append(fold(cleaned))
    return " "


def _phrase(match: re.Match[str], collected: _Collected) -> str:
    collected.phrases.setdefault("-" if match["minus"] else "", []).append(match["phrase"])
    return " " if match["minus"] else f" {match['phrase']} "


def _keep(words: list[str], match: re.Match[str]) -> str:
    words.append(match["word"])
    return " "


def _days(collected: _Collected) -> tuple[date | None, date | None]:
    """Return the first and the last day on which a note may have been made, as far as the filters say."""

    def spans(name: str) -> list[tuple[date, date]]:
        return [days for value in collected.filters.get(name, ()) if (days := span(value, collected.today))]

    first = [days[0] for name in ("after", "created") for days in spans(name)]
    last = [days[0] - timedelta(days=1) for days in spans("before")] + [days[1] for days in spans("created")]
    return max(first, default=None), min(last, default=None)


def _query(rest: str, collected: _Collected, now: datetime) -> Query:
    analyzer = Analyzer()

    def phrases(sign: str) -> tuple[tuple[AskedWord, ...], ...]:
        sequences = (tuple(analyzer.asked_parts(phrase)) for phrase in collected.phrases.get(sign, ()))
        return tuple(sequence for sequence in sequences if sequence)

    def filters(name: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(value for value in collected.filters.get(name, ()) if value))

    since, until = _days(collected)
    untold = (word for word in analyzer.words(rest) if not word.telling)
    quoted = phrases("")
    return Query(
        words=tuple(analyzer.query_words(rest)),
        pieces=tuple(dict.fromkeys(pair for word in untold for pair in word.others)),
        phrases=() if collected.question else quoted,
        cited=tuple(dict.fromkeys(chain.from_iterable(quoted))) if collected.question else (),
        prefixes=tuple(dict.fromkeys(fold(word) for word in collected.prefixes)),
        fuzzy=tuple(dict.fromkeys(w for word in collected.fuzzy for w in analyzer.query_words(word))),
        date_words=tuple(dict.fromkeys(mentioned(rest, now.date()))),
        excluded=tuple(dict.fromkeys(w for word in collected.excluded for w in analyzer.asked_parts(word))),
        excluded_phrases=phrases("-"),
        tags=filters("tag"),
        excluded_tags=filters("-tag"),
        paths=filters("path"),
        excluded_paths=filters("-path"),
        tiers=filters("tier"),
        projects=filters("project"),
        excluded_projects=filters("-project"),
        since=since,
        until=until,
        languages=spoken_in(analyzer.words(rest)),
    )
