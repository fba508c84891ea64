"""The settings note: properties that hold for this vault, and what each setting means in plain words."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import groupby

from mnemex_vault.settings import TABLE, Setting, load
from mnemex_vault.text import frontmatter
from mnemex_vault.text.yaml_core import Value

# How defaults and values of settings are written for people.


def value_text(row: Setting) -> str:
    """Return the default as people write it, or in words if nothing is set."""
    return row.unset if row.default is None else f"`{plain(row.default)}`"


def plain(value: object) -> str:
    """Return a value as it is written in an environment variable.

    >>> plain(True), plain(3.0), plain(1.603e-05), plain(("promote", "review")), plain(())
    ('true', '3', '1.603e-05', 'promote, review', 'none')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return str(value)


FILE_NAME = "Settings.md"
PROPERTY = "mnemex"
PROPERTY_VALUE = "settings"

# what `init` asks about stands in the note from the start
_ALWAYS = ("timezone", "preset", "upkeep", "read_paths")

_INTRODUCTION = """\
This note says how the memories in this vault behave. Change a property above and it holds at once, on every device \
that has this vault. A value that cannot be used is reported by `mnemex status`, and the last good one stays.

The folder of this note is the home of the memories: new ones lie in `Short-term`, lasting ones in `Long-term`, \
forgotten ones in `Archive`. You may rename or move it as a whole. To keep one of the three elsewhere, name its folder \
in `short_term_folder`, `long_term_folder` or `archive_folder`, as a path from the top of the vault.

* `timezone` is the zone in which dates in notes are meant.
* `preset` is a set of defaults: `balanced`, `personal`, `development`, `research`, `high-velocity`, `decisions` or \
`tidy`.
* `upkeep` lists what may be done by itself: `promote` makes permanent what is used again and again, `review` writes \
the note *Review* once a week, `archive` puts away what has faded. Nothing is ever deleted by itself.
* `read_paths` lists the folders of ordinary notes that an assistant may read: `/` is the whole vault, an empty list \
no folder. Memories can always be read, notes tagged `#private` never.

The settings under *Safety* can only be made stricter here, never looser.

## Every setting

Add any of these as a property of this note.
"""


def settings_note(chosen: Mapping[str, object]) -> str:
    """Return the text of a new settings note with the chosen values; raises ConfigError for those that are none."""
    return frontmatter.compose(_properties(chosen), f"{_INTRODUCTION}{_explanations()}")


def _properties(chosen: Mapping[str, object]) -> dict[str, Value]:
    settings = load(options=chosen).settings
    properties: dict[str, Value] = {PROPERTY: PROPERTY_VALUE}
    for name in dict.fromkeys([*_ALWAYS, *chosen]):
        value = getattr(settings, name)
        if value is not None:
            properties[name] = list(value) if isinstance(value, tuple) else value
    return properties


def _explanations() -> str:
    parts = []
    for group, rows in groupby(TABLE.values(), key=lambda row: row.group):
        lines = "\n".join(_explanation(row) for row in rows)
        parts.append(f"\n### {group}\n\n{lines}\n")
    return "".join(parts)


def _explanation(row: Setting) -> str:
    return f"* `{row.name}`: {row.meaning} Default: {value_text(row)}."
