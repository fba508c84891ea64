"""The settings as documentation: `python -m mnemex_vault.vaultkit.settings_docs page|env` prints either file."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import groupby

from mnemex_vault.settings import PRESETS, TABLE, Setting
from mnemex_vault.vaultkit.settings_note import plain, value_text

_INTRODUCTION = """\
# Settings

This page is made from the table in `mnemex_vault/settings/table.py`.

## Where a setting is read

Each layer goes before the ones above it:

1. the default, or that of the `preset`;
2. the settings note in the vault (`Memories/Settings.md`, or wherever the note with the property `mnemex: settings` \
lies), under the name of the setting: `decay_beta: 0.5`;
3. `.env` in `~/.config/mnemex` (`$XDG_CONFIG_HOME/mnemex`), or if there is none in the current folder;
4. the environment, in capitals with a prefix: `MNEMEX_DECAY_BETA=0.5`;
5. options of a command.

`mnemex status --settings` shows every value and where it came from. An empty value counts as not set. Lists are \
written with commas in the environment and as lists in the note. An unknown `MNEMEX_` name is a warning.

A value that cannot be used stops the program with one message for all such values. In the settings note it does not: \
`mnemex status` shows it, and the last good value stays. The settings note takes effect as soon as it is changed.

**Safety settings** (marked *safety*) can only be tightened by the settings note and by a `.env` in the current \
folder, which may belong to someone else's project: of what they say and what all other layers say, the stricter holds.

The names of the predecessors are read where ours is not set: the prefixes `CORTEXGRAPH_` and `STM_`, and the names \
in the last column. A value that cannot be used is only a warning under such a name.

## Vault and state

| variable | meaning |
|---|---|
| `MNEMEX_VAULT_PATH`, else `LTM_VAULT_PATH` | the vault, if no `--vault` is given; else the one in whose folder \
you are, else that of `mnemex use`; set to an empty text they are an error, and no other vault is taken |
| `MNEMEX_STATE_PATH` | the folder for index, journal and pending uses; default: the user's state folder of the \
platform |
"""
_ENV_INTRODUCTION = """\
# Settings of Mnemex Vault. Copy this file to ~/.config/mnemex/.env and take the "#" away from what you want to set.
# docs/settings.md explains the layers; the settings note in the vault is usually the better place.

# The vault, if no --vault is given
#MNEMEX_VAULT_PATH=

# Where index and journal are kept
#MNEMEX_STATE_PATH=
"""


def page() -> str:
    """Return docs/settings.md."""
    return "".join([_INTRODUCTION, _presets(), *_tables()])


def env_example() -> str:
    """Return .env.example."""
    parts = [_ENV_INTRODUCTION]
    for group, rows in groupby(TABLE.values(), key=lambda row: row.group):
        parts.append(f"\n# --- {group} ---\n")
        parts.extend(_env_entry(row) for row in rows)
    return "".join(parts)


def _presets() -> str:
    names = list(dict.fromkeys(name for values in PRESETS.values() for name in values))
    lines = [
        "\n## Presets\n\n",
        f"| preset | {' | '.join(f'`{name}`' for name in names)} |\n",
        f"|---|{'---|' * len(names)}\n",
    ]
    for preset, values in PRESETS.items():
        cells = [plain(values.get(name, TABLE[name].default)) for name in names]
        lines.append(f"| `{preset}` | {' | '.join(cells)} |\n")
    lines.append("\nA preset changes defaults only: a setting that is given in any layer goes before it.\n")
    return "".join(lines)


def _tables() -> Iterator[str]:
    for group, rows in groupby(TABLE.values(), key=lambda row: row.group):
        yield f"\n## {group}\n\n| setting | default | value | meaning | also read |\n|---|---|---|---|---|\n"
        yield from (_line(row) for row in rows)


def _line(row: Setting) -> str:
    safety = " *Safety.*" if row.tighten else ""
    inherited = ", ".join(f"`{name}`" for name in row.inherited)
    return f"| `{row.name}` | {value_text(row)} | {row.kind.describe()} | {row.meaning}{safety} | {inherited} |\n"


def _env_entry(row: Setting) -> str:
    default = "" if row.default is None else plain(row.default)
    unset = f" Not set: {row.unset}." if row.default is None else ""
    text = f"{row.meaning}{unset} ({row.kind.describe()})".replace("`", "")
    return f"\n# {text}\n#{row.variables[0]}={default}\n"


def main(arguments: list[str]) -> int:
    """Print the file that is asked for; return 2 for any other wish."""
    texts = {"page": page, "env": env_example}
    if len(arguments) != 1 or arguments[0] not in texts:
        sys.stderr.write("usage: python -m mnemex_vault.vaultkit.settings_docs page|env\n")
        return 2
    sys.stdout.write(texts[arguments[0]]())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
