"""What a setting's value may be: reading it from text or YAML, and saying its limits to people.

`read` takes text (environment, options) or a YAML value (settings note) and raises ValueError with a reason.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar
from zoneinfo import ZoneInfo, available_timezones

from mnemex_vault.disk.paths import within

T_co = TypeVar("T_co", covariant=True)
S = TypeVar("S", bound=str)

_YES = {"true", "1", "yes", "on"}
_NO = {"false", "0", "no", "off"}
_FORBIDDEN_IN_FOLDER = re.compile(r'[\\:*?"<>|\x00-\x1f\x7f]')
WHOLE_VAULT = "/"
# bytes that a name may have on the usual file systems
_LONGEST_NAME = 255


class Kind(Protocol[T_co]):
    """Reads and describes the values of one setting."""

    def read(self, raw: object) -> T_co:
        """Return the value, or raise ValueError with a reason."""
        ...

    def describe(self) -> str:
        """Return type and limits in a few words."""
        ...


def _text(raw: object) -> str:
    if isinstance(raw, bool) or not isinstance(raw, (str, int, float)):
        raise ValueError("must be a text")
    return str(raw).strip()


@dataclass(frozen=True, slots=True)
class Switch:
    """True or false."""

    def read(self, raw: object) -> bool:
        """Read a boolean, or a usual word for it."""
        if isinstance(raw, bool):
            return raw
        word = str(raw).strip().casefold()
        if word in _YES | _NO:
            return word in _YES
        raise ValueError("must be true or false")

    def describe(self) -> str:
        """Return the type."""
        return "true or false"


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A finite number within limits, both included unless `above`."""

    low: float = 0.0
    high: float = math.inf
    above: bool = False
    unit: str = ""

    def read(self, raw: object) -> float:
        """Read a number."""
        try:
            value = float(_text(raw))
        except ValueError:
            raise ValueError(f"must be {self.describe()}") from None
        if not math.isfinite(value) or not self._within(value):
            raise ValueError(f"must be {self.describe()}")
        return value

    def _within(self, value: float) -> bool:
        return (value > self.low if self.above else value >= self.low) and value <= self.high

    def describe(self) -> str:
        """Return the limits and the unit.

        >>> Number(high=1).describe(), Number(above=True, unit="days").describe()
        ('a number from 0 to 1', 'a number above 0 (days)')
        """
        return f"a number {_limits(self.low, self.high, above=self.above)}{f' ({self.unit})' if self.unit else ''}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """A whole number within limits, both included."""

    low: int = 0
    high: int | None = None
    unit: str = ""

    def read(self, raw: object) -> int:
        """Read a whole number; 5.0 is one."""
        high = math.inf if self.high is None else self.high
        try:
            value = float(_text(raw))
        except ValueError:
            raise ValueError(f"must be {self.describe()}") from None
        if not self.low <= value <= high or not value.is_integer():
            raise ValueError(f"must be {self.describe()}")
        return int(value)

    def describe(self) -> str:
        """Return the limits and the unit."""
        high = math.inf if self.high is None else self.high
        return f"a whole number {_limits(self.low, high)}{f' ({self.unit})' if self.unit else ''}"


def _limits(low: float, high: float, *, above: bool = False) -> str:
    if above:
        return f"above {low:g}" if high == math.inf else f"above {low:g}, at most {high:g}"
    return f"from {low:g} on" if high == math.inf else f"from {low:g} to {high:g}"


def _folded(word: str) -> str:
    return word.casefold().replace("-", "_")


@dataclass(frozen=True, slots=True)
class Choice(Generic[S]):
    """One of some words, without regard to case, hyphen or underscore."""

    words: tuple[S, ...]

    def read(self, raw: object) -> S:
        """Read one of the words."""
        wanted = _folded(_text(raw))
        for word in self.words:
            if _folded(word) == wanted:
                return word
        raise ValueError(f"must be {self.describe()}")

    def describe(self) -> str:
        """Return the words."""
        return "one of " + ", ".join(f"`{word}`" for word in self.words)


@dataclass(frozen=True, slots=True)
class Text:
    """A one-line text; `what` says what it names."""

    what: str = "a text"

    def read(self, raw: object) -> str:
        """Read a text without control characters."""
        value = _text(raw)
        if any(ord(character) < 32 for character in value):
            raise ValueError("must be a single line")
        return value

    def describe(self) -> str:
        """Return what it names."""
        return self.what


@dataclass(frozen=True, slots=True)
class Zone:
    """The IANA name of a time zone."""

    def read(self, raw: object) -> str:
        """Read a name that the time zone database knows, in capitals or not."""
        name = _text(raw)
        try:
            ZoneInfo(name)
        except (ValueError, OSError, LookupError):
            # whether capitals count is otherwise left to the file system that holds the database
            for known in available_timezones():
                if known.casefold() == name.casefold():
                    return known
            raise ValueError("must be a time zone such as Europe/Berlin") from None
        return name

    def describe(self) -> str:
        """Return an example."""
        return "a time zone such as `Europe/Berlin`"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of the vault, with forward slashes."""

    def read(self, raw: object) -> str:
        """Read a path that stays inside the vault and out of hidden folders."""
        return folder_path(_text(raw))

    def describe(self) -> str:
        """Return the type."""
        return "a folder in the vault"


def folder_path(text: str) -> str:
    """Return the path without outer slashes and doubled ones.

    >>> folder_path("/Work//Notes/")
    'Work/Notes'
    """
    parts = [part.strip() for part in text.split("/") if part.strip()]
    if not parts:
        raise ValueError("must name a folder")
    for part in parts:
        if part.startswith(".") or part.endswith(".") or _FORBIDDEN_IN_FOLDER.search(part):
            raise ValueError(f"{part!r} cannot be part of a folder's path")
        if len(part.encode()) > _LONGEST_NAME:
            raise ValueError("is too long for the name of a folder")
    return "/".join(parts)


@dataclass(frozen=True, slots=True)
class Words(Generic[S]):
    """A set of words out of some, in their given order; the word `none` alone is the empty set."""

    words: tuple[S, ...]

    def read(self, raw: object) -> tuple[S, ...]:
        """Read a list or a text with commas."""
        choice = Choice(self.words)
        chosen = {choice.read(item) for item in _items(raw)}
        return tuple(word for word in self.words if word in chosen)

    def describe(self) -> str:
        """Return the words."""
        return "a list of " + ", ".join(f"`{word}`" for word in self.words) + "; or `none`"


@dataclass(frozen=True, slots=True)
class Scope:
    """Folders and all below them; `/` is the whole vault, the empty list no folder."""

    def read(self, raw: object) -> tuple[str, ...]:
        """Read a list or a text with commas; `none` alone is the empty list, `/` swallows the rest."""
        items = _items(raw)
        if any(item.strip("/") == "" or item == "*" for item in items):
            return (WHOLE_VAULT,)
        return tuple(dict.fromkeys(folder_path(item) for item in items))

    def describe(self) -> str:
        """Return the type and its special words."""
        return "a list of folders; `/` is the whole vault, `none` no folder"


def _items(raw: object) -> list[str]:
    if isinstance(raw, str):
        items = [item.strip() for item in raw.split(",")]
    elif isinstance(raw, Iterable):
        items = [_text(item) for item in raw]
    else:
        raise ValueError("must be a list")
    items = [item for item in items if item]
    return [] if [item.casefold() for item in items] == ["none"] else items


def narrower(one: tuple[str, ...], other: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folders that both scopes allow.

    >>> narrower(("Work", "Home"), ("Work/Plans", "Home", "Diary"))
    ('Home', 'Work/Plans')
    """
    kept = [folder for folder in one if within(folder, other)] + [folder for folder in other if within(folder, one)]
    return tuple(dict.fromkeys(kept))
