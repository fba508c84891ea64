"""Settings in the `.env` files of the predecessors, as properties of the settings note."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from mnemex_vault.errors import NotPossible
from mnemex_vault.history.steps import Create, Update
from mnemex_vault.importers.findings import Problem
from mnemex_vault.importers.source import PREFIXES
from mnemex_vault.settings import DEFAULT_ROOT, TABLE, Setting, load
from mnemex_vault.settings.locations import parse_dotenv
from mnemex_vault.text import frontmatter
from mnemex_vault.text.yaml_core import Value
from mnemex_vault.vaultkit.init import Present, settings_place
from mnemex_vault.vaultkit.settings_note import settings_note

FILE = ".env"
# theirs is the name of a model to be downloaded, ours a folder
_NOT_TAKEN = frozenset({"embed_model", "enable_embeddings"})
# names without a prefix that no other program uses
_UNPREFIXED = ("LTM_",)


@dataclass(frozen=True, slots=True)
class EnvSettings:
    """The settings that differ from the defaults, and what was not taken over."""

    chosen: Mapping[str, object]
    remarks: tuple[Problem, ...] = ()


def usual_files(config: Path, working_folder: Path) -> list[Path]:
    """Return the predecessors' files that are there, the oldest generation first."""
    candidates = [config / name / FILE for name in ("stm", "mnemex", "cortexgraph")]
    return [path for path in (working_folder / FILE, *candidates) if path.is_file() and _is_theirs(read_env(path))]


def read_env(path: Path) -> dict[str, str]:
    """Return the variables of a file; raises InvalidInput if it cannot be read."""
    try:
        return parse_dotenv(path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError as error:
        raise NotPossible(str(path), "is not UTF-8") from error
    except OSError as error:
        raise NotPossible(str(path), f"cannot be read: {error.strerror}") from error


def _is_theirs(variables: Mapping[str, str]) -> bool:
    return any(name.startswith((*PREFIXES, *_UNPREFIXED)) for name in variables)


def settings_of(variables: Mapping[str, str], *, place: str) -> EnvSettings:
    """Return what the variables say, as far as a settings note can hold it; `place` names them in remarks."""
    chosen: dict[str, object] = {}
    remarks: list[Problem] = []
    for row in TABLE.values():
        for name in _names(row):
            text = variables.get(name, "").strip()
            if not text:
                continue
            value, problem = _value(row, text)
            if problem:
                remarks.append(Problem(place, f"{name} {problem}"))
            elif value != row.default:
                chosen[row.name] = value
            break
    loaded = load(note=chosen)
    remarks += [Problem(place, f"{problem}; left out") for problem in loaded.problems]
    kept = {name: value for name, value in chosen.items() if name in (loaded.note or {})}
    return EnvSettings(kept, tuple(remarks))


def _names(row: Setting) -> tuple[str, ...]:
    """Return the names of a setting, the newest generation first."""
    if row.name in _NOT_TAKEN:
        return ()
    return (*(prefix + row.name.upper() for prefix in reversed(PREFIXES)), *row.inherited)


def _value(row: Setting, text: str) -> tuple[object, str]:
    try:
        value = row.kind.read(text)
    except ValueError as error:
        return None, f"{text!r:.40} {error}; left out"
    if row.tighten is not None and row.tighten(row.default, value) != value:
        return None, f"makes things less safe, which a note may not; set {row.variables[0]} if you want it"
    return value, ""


def settings_step(chosen: Mapping[str, object], present: Present) -> Create | Update:
    """Return the change that puts settings into the settings note; what stands there already stays."""
    if present.settings_note is None:
        return Create(settings_place(present, DEFAULT_ROOT), settings_note(chosen))
    values: dict[str, Value] = {name: _property(value) for name, value in chosen.items()}

    def change(text: str) -> str:
        present = frontmatter.read(text)
        return frontmatter.edit(text, {name: value for name, value in values.items() if present.get(name) is None})

    return Update(present.settings_note, change)


def _property(value: object) -> Value:
    if isinstance(value, tuple):
        return [str(item) for item in value]
    return value if isinstance(value, str | int | float | bool) else str(value)
