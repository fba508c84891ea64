"""An answer in its two voices: a view for programs, whose keys are a promise, and a text for a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache
from typing import Any, ClassVar, Generic, TypeVar

from mnemex_vault.memories.recalled import FRAME, Recalled, framed


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
