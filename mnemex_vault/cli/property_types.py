"""Keys that the vault's own property types define otherwise than memories use them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

_SIZE_LIMIT = 1 << 20
_LISTS = ("entities", "relation_details")
_DATE_TIMES = ("created", "last_used", "last_review", "promoted")
_NUMBERS = ("half_life_days", "use_count", "days_used", "strength", "review_count", "cross_domain_count")
_TEXTS = ("project", "source", "context", "origin", "session", "memory_id")
_WORDS = {
    "multitext": "list",
    "datetime": "date & time",
    "checkbox": "checkbox",
    "number": "number",
    "text": "text",
    "date": "date",
    "tags": "tags",
    "aliases": "aliases",
}


def our_types() -> dict[str, str]:
    """Return the type of each key of a memory, by Obsidian's own names."""
    from mnemex_vault.text.keys import RELATION_KEYS

    lists = [*(relation.value for relation in RELATION_KEYS), *_LISTS]
    return {
        "tags": "tags",
        "aliases": "aliases",
        "pinned": "checkbox",
        "fades_on": "date",
        **dict.fromkeys(lists, "multitext"),
        **dict.fromkeys(_DATE_TIMES, "datetime"),
        **dict.fromkeys(_NUMBERS, "number"),
        **dict.fromkeys(_TEXTS, "text"),
    }


def clashes(root: Path, config_folder: str) -> list[str]:
    """Return a sentence for each key that the vault types otherwise; settings that cannot be read say nothing."""
    theirs = {key.casefold(): kind for key, kind in _types(root / config_folder / "types.json").items()}
    return [
        f"{key} is a {_words(theirs[key])} in this vault and a {_words(ours)} in memories"
        for key, ours in our_types().items()
        if theirs.get(key, ours) != ours
    ]


def _words(kind: str) -> str:
    return _WORDS.get(kind, kind)


def _types(path: Path) -> Mapping[str, str]:
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(_SIZE_LIMIT).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    types = found.get("types") if isinstance(found, dict) else None
    return {key: kind for key, kind in types.items() if isinstance(kind, str)} if isinstance(types, dict) else {}
