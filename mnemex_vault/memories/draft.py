"""What a caller wants remembered, checked before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from mnemex_vault.domain.memory import MAX_CONTENT, MAX_STRENGTH, NO_KIND, Kind
from mnemex_vault.errors import InvalidInput
from mnemex_vault.language.dates import span
from mnemex_vault.language.tags import clean_name, clean_tag

ORIGINS = ("user", "ai", "web", "import")
KINDS = (*Kind, NO_KIND)
ON_DUPLICATE = ("reinforce", "save", "refuse")
MAX_TAGS = 50
MAX_ENTITIES = 100
MAX_LABEL = 100
MAX_SOURCE = 500
MAX_CONTEXT = 1_000
MAX_TITLE = 500
_MAX_HALF_LIFE_DAYS = 36_500


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a caller wants remembered; raises InvalidInput for what cannot be.

    Tags, entities, strength, kind and `valid_from` (a time in words) that are None are found in the text; the kind
    "none" says that it has none.
    """

    content: str
    title: str | None = None
    tags: Sequence[str] | None = ()
    entities: Sequence[str] | None = ()
    source: str | None = None
    context: str | None = None
    project: str | None = None
    session: str | None = None
    origin: str = "ai"
    pinned: bool = False
    half_life_days: float | None = None
    strength: float | None = 1.0
    kind: str | None = None
    valid_from: str | None = None
    supersedes: Sequence[str] = ()
    on_duplicate: str = "reinforce"
    allow_secret: bool = False

    def __post_init__(self) -> None:
        if not self.content.strip():
            raise InvalidInput("content", "is empty; give the sentence to remember")
        check_text("content", self.content, MAX_CONTENT)
        for name, limit in (("title", MAX_TITLE), ("source", MAX_SOURCE), ("context", MAX_CONTEXT)):
            check_text(name, getattr(self, name) or "", limit)
        check_text("project", self.project or "", MAX_LABEL)
        check_text("session", self.session or "", MAX_SOURCE)
        check_labels("tags", self.tags or (), MAX_TAGS)
        check_labels("entities", self.entities or (), MAX_ENTITIES)
        check_choice("origin", self.origin, ORIGINS)
        check_kind(self.kind)
        check_choice("on_duplicate", self.on_duplicate, ON_DUPLICATE)
        if self.strength is not None:
            check_strength(self.strength)
        check_half_life(self.half_life_days)

    def texts(self) -> Iterable[tuple[str, str | None]]:
        """Return all that will stand in the note, by field."""
        yield from ((name, getattr(self, name)) for name in ("content", "title", "source", "context"))
        yield from ((name, getattr(self, name)) for name in ("project", "session"))
        yield from (("tags", tag) for tag in self.tags or ())
        yield from (("entities", name) for name in self.entities or ())


def clean_tags(tags: Iterable[str], *, prefix: str = "") -> tuple[str, ...]:
    """Return legal tags, each once, below the prefix."""
    cleaned = (clean_tag(tag) for tag in tags)
    stem = f"{prefix.strip('/')}/" if prefix.strip("/") else ""
    return tuple(dict.fromkeys(tag if tag.startswith(stem) else stem + tag for tag in cleaned if tag))


def clean_labels(labels: Iterable[str]) -> tuple[str, ...]:
    """Return names on one line, each once."""
    return tuple(dict.fromkeys(name for label in labels if (name := clean_name(label))))


def check_text(field: str, text: str, limit: int) -> None:
    """Raise InvalidInput for a text that is too long or that no file can hold."""
    if len(text) > limit:
        raise too_long(field, len(text), limit)
    if "\x00" in text:
        raise InvalidInput(field, "holds a NUL character")
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise InvalidInput(field, "holds half of a character (a lone surrogate)")


def too_long(field: str, length: int, limit: int) -> InvalidInput:
    """Return the error for a text with so many characters."""
    return InvalidInput(field, f"has {length:,} characters; at most {limit:,} fit")


def check_labels(field: str, labels: Sequence[str], limit: int) -> None:
    """Raise InvalidInput for too many labels or one that is too long."""
    if len(labels) > limit:
        raise InvalidInput(field, f"has {len(labels)} items; at most {limit}")
    for label in labels:
        check_text(field, label, MAX_LABEL)


def check_choice(field: str, value: str, allowed: Sequence[str]) -> None:
    """Raise InvalidInput for a value that is not one of the allowed ones."""
    if value not in allowed:
        raise InvalidInput(field, f"is {value!r}; use one of {', '.join(allowed)}")


def check_kind(value: str | None) -> None:
    """Raise InvalidInput for a kind that there is not."""
    if value is not None:
        check_choice("kind", value, KINDS)


def as_kind(value: str | None) -> Kind | None:
    """Return the kind that a word names."""
    return None if value in (None, NO_KIND) else Kind(value)


def check_strength(value: float) -> None:
    """Raise InvalidInput unless the strength lies between 0 and 2."""
    if not 0 <= value <= MAX_STRENGTH:
        raise InvalidInput("strength", f"is {value}; it lies between 0 and 2 (0.5 tentative, 1 normal, 2 critical)")


def check_half_life(value: float | None) -> None:
    """Raise InvalidInput unless the half-life is positive and sane."""
    if value is not None and not 0 < value <= _MAX_HALF_LIFE_DAYS:
        raise InvalidInput("half_life_days", f"is {value}; give days, above 0 and at most 36500")


def days_of(field: str, text: str, *, today: date) -> tuple[date, date]:
    """Return the first and the last day of the time that a text names; raises InvalidInput if it names none."""
    named = span(text, today)
    if named is None:
        raise InvalidInput(field, "names no day; give one such as 2026-05-03, or a month or year")
    return named
