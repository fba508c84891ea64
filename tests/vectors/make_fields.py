"""The plugin's `fields.ts`, made from the table of frontmatter keys: `python -m tests.vectors.make_fields`."""

from __future__ import annotations

from pathlib import Path

from mnemex_vault.text.keys import FIELDS

PLACE = Path(__file__).parents[2] / "obsidian-plugin/src/notes/fields.ts"
HEAD = """\
/** Made from `mnemex_vault/text/keys.py` by `python -m tests.vectors.make_fields`; change it there. */

/** The keys of a memory in the order in which a new note is written, each with Obsidian's type of the property. */
"""


def fields_ts() -> str:
    rows = "".join(f'  {row.key}: "{row.holds.of_obsidian}",\n' for row in FIELDS)
    return f"{HEAD}export const FIELDS: Readonly<Record<string, string>> = {{\n{rows}}};\n"


if __name__ == "__main__":
    PLACE.write_text(fields_ts(), encoding="utf-8")
