"""What all answers share: a view for programs, a text for a model, how much they say, and facts of notes."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, timedelta
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, ClassVar, Generic, TypeVar
from urllib.parse import quote

from mnemex_vault.domain.memory import Memory, Tier, Usage
from mnemex_vault.domain.scoring import review_priority
from mnemex_vault.errors import MnemexError
from mnemex_vault.language.sentences import cut_to
from mnemex_vault.language.words import counted
from mnemex_vault.memories import recalled
from mnemex_vault.memories.recalled import FRAME, Recalled, framed, indented, shorten

if TYPE_CHECKING:
    from pathlib import Path

    from mnemex_vault.app import App
    from mnemex_vault.memories.face import Entry, Memories


class _Absent:
    """Stands for a key that an answer does not have."""

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return "ABSENT"


# of any type, so that it can be the default of any key
ABSENT: Any = _Absent()


def key_of(name: str) -> str:
    """Return the key under which a field is sent; one that Python keeps for itself ends in a line there.

    >>> key_of("from_"), key_of("title")
    ('from', 'title')
    """
    return name.removesuffix("_")


@dataclass(frozen=True, kw_only=True)
class View:
    """Base of all that is answered; a key whose field is ABSENT is not sent."""

    # read by whoever makes a schema of it
    __pydantic_config__: ClassVar[Mapping[str, object]] = {"extra": "forbid", "alias_generator": key_of}

    def data(self) -> dict[str, Any]:
        """Return it as JSON has it: dictionaries and lists."""
        kind: Any = type(self)
        found = ((key, getattr(self, name)) for name, key in _keys(kind))
        return {key: as_data(each) for key, each in found if each is not ABSENT}


@dataclass(frozen=True, kw_only=True)
class Answer(View):
    """Base of what a call answers; `notice` is there if it holds text of notes."""

    notice: str | None = ABSENT


A = TypeVar("A", bound=Answer, covariant=True)


@dataclass(frozen=True)
class Told(Generic[A]):
    """An answer with what we say of it, and the notes that are told under it, marked as such in both voices."""

    answer: A
    said: str
    notes: Iterable[Recalled] = ()

    def voices(self) -> tuple[str, dict[str, Any]]:
        """Return the text for a model, and the keys for a program."""
        text = framed(self.said, self.notes)
        return text, (self.answer if text == self.said else replace(self.answer, notice=FRAME)).data()


@cache
def _keys(view: type[Any]) -> tuple[tuple[str, str], ...]:
    return tuple((field.name, key_of(field.name)) for field in fields(view))


def as_data(value: Any) -> Any:
    """Return what a view holds as JSON has it.

    >>> as_data([Answer(notice="from notes"), Answer(), ("a", 1)])
    [{'notice': 'from notes'}, {}, ['a', 1]]
    """
    if isinstance(value, View):
        return value.data()
    if isinstance(value, Mapping):
        return {key: as_data(each) for key, each in value.items()}
    return [as_data(each) for each in value] if isinstance(value, list | tuple) else value


@dataclass(frozen=True, kw_only=True)
class Pagination(View):
    """Where a page stands among all."""

    page: int
    page_size: int
    total_count: int
    total_pages: int
    has_more: bool
    has_previous: bool


def pagination(*, page: int, page_size: int, total: int) -> Pagination:
    """Return where a page stands.

    >>> pagination(page=2, page_size=10, total=21).total_pages
    3
    """
    pages = -(-total // page_size)
    return Pagination(
        page=page,
        page_size=page_size,
        total_count=total,
        total_pages=pages,
        has_more=page < pages,
        has_previous=page > 1,
    )


T = TypeVar("T")
V = TypeVar("V", bound=View)

# five thousand tokens of four characters: what an answer keeps to unless more was asked for
USUAL = 20_000
# what no answer exceeds, whatever was asked for and however long everything in the vault is
MOST = 80_000
# what an answer says beside its list
AROUND = 1_000
# what a list of many notes shows of each
_TITLE = 150
_LABELS = 300
_NAME = 120
_CUT = "..."
_NAMED = 5


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of notes an answer shows: for a model what its context bears, for anybody else everything."""

    everything: bool = False

    def at_most(self, number: int) -> float:
        """Return a number of characters or things that is never exceeded, if anything is bounded."""
        return math.inf if self.everything else number

    def first(self, found: Iterable[T], number: int) -> list[T]:
        """Return so many of what was found, or all."""
        return list(found if self.everything else islice(found, number))

    def title(self, title: str) -> str:
        """Return a title as a list of many notes shows it."""
        return title if self.everything else title_of(title)


FOR_A_MODEL = Bounds()
EVERYTHING = Bounds(everything=True)


def size_of(view: View) -> int:
    """Return how many characters a view takes as it is sent."""
    return len(json.dumps(view.data(), ensure_ascii=False, separators=(",", ":")))


def fitting(views: Iterable[V], room: float) -> list[V]:
    """Return the first views that take no more than this many characters together."""
    if room == math.inf:
        return list(views)
    shown: list[V] = []
    for view in views:
        room -= size_of(view) + 1
        if room < 0:
            break
        shown.append(view)
    return shown


def some(labels: Sequence[str], room: float = _LABELS) -> list[str]:
    """Return the first labels within a number of characters.

    >>> some(["tea", "coffee", "milk"], 12)
    ['tea', 'coffee']
    """
    shown = []
    for label in labels:
        room -= len(label)
        if room < 0:
            break
        shown.append(label)
    return shown


def listed(labels: Sequence[str], room: int = _LABELS) -> str:
    """Return labels as words of a sentence, those without room as a number.

    >>> listed(["tea", "coffee", "milk"], 12)
    'tea, coffee and 1 more'
    """
    shown = some(labels, room)
    more = f"{len(labels) - len(shown)} more" if len(labels) > len(shown) else ""
    return " and ".join(part for part in (", ".join(shown), more) if part)


def title_of(title: str) -> str:
    """Return a title as lists of many notes show it."""
    return _shortened(title, _TITLE)


def name_of(text: str) -> str:
    """Return what a caller called something, as a sentence can repeat it."""
    return _shortened(text, _NAME)


def _shortened(text: str, limit: int) -> str:
    return text if len(text) <= limit else cut_to(text, limit - len(_CUT)).rstrip() + _CUT


def within(text: str, room: float) -> str:
    """Return the beginning of a text that takes no more than this many characters, escaped as well as set off.

    >>> within("one two three", 11)
    'one t...'
    """
    if room == math.inf or length_of(text) <= room:
        return text
    room = int(room)
    begun = text[: max(0, room - len(_CUT))]
    while begun and length_of(begun) + len(_CUT) > room:
        begun = begun[: min(len(begun) - 1, len(begun) * max(0, room - len(_CUT)) // length_of(begun))]
    return cut_to(text, len(begun)).rstrip() + _CUT


def length_of(text: str) -> int:
    """Return the longer of a text's two forms: as JSON, and with each line indented."""
    return max(len(json.dumps(text, ensure_ascii=False)) - 2, len(indented(text)))


def bounded(text: str) -> str:
    """Return a text that no answer exceeds; one that is too long all the same ends with how much of it is left out."""
    if len(text) <= MOST:
        return text
    left_out = counted(len(text) - MOST + AROUND, "more character")
    return f"{text[: MOST - AROUND]}\n({left_out}, cut)"


def epoch(moment: datetime) -> int:
    """Return whole seconds since 1970."""
    return int(moment.timestamp())


def epoch_or_none(moment: datetime | None) -> int | None:
    """Return whole seconds since 1970, or None."""
    return None if moment is None else epoch(moment)


def day(value: date | None) -> str | None:
    """Return a day as ISO writes it, or None."""
    return None if value is None else value.isoformat()


def age_days(usage: Usage, *, now: datetime) -> float:
    """Return how long ago the memory was made, in days with one digit, never negative."""
    return round(max(0.0, (now - usage.created) / timedelta(days=1)), 1)


def origin_of(entry: Entry | Memory) -> str:
    """Return who wrote a note: a person unless the note says otherwise."""
    return recalled.origin_of(entry.origin)


def priority(app: App, score: float | None, tier: Tier) -> float | None:
    """Return how much a memory is worth showing again, None for what does not fade."""
    if score is None or tier is not Tier.SHORT_TERM:
        return None
    return round(review_priority(score, app.memories.policy), 4)


def beginning(memories: Memories, entry: Entry, length: int) -> str:
    """Return the beginning of a note, "" if it cannot be read (any more): what is said of the others is shown."""
    try:
        return shorten(memories.note(entry).content, length)
    except MnemexError:
        return ""


def obsidian_url(root: Path, path: str) -> str:
    """Return the link that opens a note in Obsidian.

    >>> from pathlib import Path
    >>> obsidian_url(Path("/notes/My vault"), "Memories/Was Zoë mag.md")
    'obsidian://open?vault=My%20vault&file=Memories%2FWas%20Zo%C3%AB%20mag'
    """
    return f"obsidian://open?vault={quote(root.name, safe='')}&file={quote(path.removesuffix('.md'), safe='')}"


def left_words(left: Sequence[Entry]) -> str:
    """Return a sentence on notes whose links could not follow a move, "" if all did."""
    if not left:
        return ""
    return f" Links in {counted(len(left), 'note')} could not be rewritten, and lead nowhere now."


def left_notes(left: Iterable[Entry]) -> Iterator[Recalled]:
    """Give the first notes whose links could not follow a move; a private one is not named."""
    for entry in [each for each in left if each.searchable][:_NAMED]:
        yield Recalled(mark="Not rewritten: ", name=entry.path, origin=origin_of(entry))
