"""Values of frontmatter in all the spellings people use: lists, tags, wikilinks, numbers, yes and no."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping

from mnemex_vault.notes.yaml_scalars import Value, number_text, resolve

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
