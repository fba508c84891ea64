"""Layers of settings, made one: defaults < preset < settings note < .env < environment < options.

In a layer that may not loosen (the settings note, a foreign .env) a safety setting only tightens what the others say.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import cast

from mnemex_vault.errors import BadSetting
from mnemex_vault.memories.rules import Rules
from mnemex_vault.settings.kinds import WHOLE_VAULT
from mnemex_vault.settings.locations import DEFAULT_ROOT
from mnemex_vault.settings.table import OWN_PREFIX, PRESETS, TABLE, Preset, Setting, Settings

# The part of the settings that the use cases go by.


def rules_of(settings: Settings) -> Rules:
    """Return the part of the settings that the use cases go by."""
    return Rules(
        policy=settings.policy(),
        decay_clock=settings.decay_clock,
        zone=settings.zone(),
        short_term_weight=settings.search_stm_weight,
        long_term_weight=settings.search_ltm_weight,
        preview_length=settings.search_preview_length,
        review_blend_ratio=settings.review_blend_ratio,
        gc_max_share=settings.gc_max_share,
        quiet_seconds=settings.quiet_seconds,
        auto_reinforce=settings.auto_reinforce,
        use_on_open=settings.use_on_open,
        read_only=settings.read_only,
        read_paths=_scope(settings.read_paths),
        write_paths=_scope(settings.write_paths),
        tag_prefix=settings.tag_prefix or "",
        detect_secrets=settings.detect_secrets,
        neutralise=settings.neutralise_active_content,
        approve=settings.approve,
        supersede=settings.supersede,
    )


def _scope(folders: tuple[str, ...]) -> tuple[str, ...] | None:
    return None if WHOLE_VAULT in folders else folders


# our own names that are no settings, and the predecessors' that only `migrate` reads
_OTHER_VARIABLES = frozenset(
    {
        "MNEMEX_VAULT_PATH",
        "MNEMEX_STATE_PATH",
        "MNEMEX_STORAGE_PATH",
        "MNEMEX_STORAGE_BACKEND",
        "MNEMEX_SQLITE_PATH",
        "MNEMEX_SEMANTIC_LO",
        "MNEMEX_LTM_INDEX_MAX_AGE_SECONDS",
        "MNEMEX_MEMORIES_FILENAME",
        "MNEMEX_RELATIONS_FILENAME",
    }
)
_SHOWN = 40
# in place of a settings note that nobody has read yet
_CAUTIOUS: Mapping[str, object] = {"read_paths": (), "upkeep": ()}


class Origin(StrEnum):
    """Where a value came from."""

    DEFAULT = "default"
    PRESET = "preset"
    NOTE = "settings note"
    DOTENV = ".env"
    ENVIRONMENT = "environment"
    OPTION = "option"


@dataclass(frozen=True, slots=True)
class Loaded:
    """The settings in force, where each came from, and what was wrong with the settings note.

    `note` holds the note's accepted values, None if there was no note.
    """

    settings: Settings
    origins: Mapping[str, Origin]
    warnings: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()
    note: Mapping[str, object] | None = None


@dataclass(slots=True)
class _Layer:
    origin: Origin
    loosens: bool = True
    values: dict[str, object] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def load(
    *,
    note: Mapping[str, object] | None = None,
    dotenv: Mapping[str, str] | None = None,
    environ: Mapping[str, str] | None = None,
    options: Mapping[str, object] | None = None,
    previous: Loaded | None = None,
    dotenv_loosens: bool = True,
    root: str = DEFAULT_ROOT,
    unreadable: str = "",
) -> Loaded:
    """Return the settings made of all layers; an option of None counts as not given.

    A bad value in the note is a problem in the answer, and `previous`'s value for it stays; anywhere else it raises
    ConfigError with all that is wrong. Bad values under a name of another program are warnings. `root` is the folder
    of the settings note, below which folders that are not given lie. `unreadable` says why a settings note that is
    there cannot be read: what it last said then holds, and if that is not known, nothing is read or done unasked.
    """
    layers = [
        _unread_note_layer(unreadable, previous) if unreadable else _note_layer(note or {}, previous),
        _environment_layer(Origin.DOTENV, dotenv or {}, loosens=dotenv_loosens),
        _environment_layer(Origin.ENVIRONMENT, environ or {}),
        _option_layer(options or {}),
    ]
    errors = [problem for layer in layers[1:] for problem in layer.problems]
    if errors:
        raise BadSetting(errors)
    settings, origins = _merge(layers)
    if settings.conflicts(root):
        settings, origins = _without_conflicts(layers, settings, root)
    return Loaded(
        settings=settings,
        origins=origins,
        warnings=tuple(dict.fromkeys(warning for layer in layers for warning in layer.warnings)),
        problems=tuple(layers[0].problems),
        note=None if note is None and not unreadable else layers[0].values,
    )


def _without_conflicts(layers: list[_Layer], settings: Settings, root: str) -> tuple[Settings, dict[str, Origin]]:
    """Drop the note's part in what does not fit together; what is left of it is an error."""
    note = layers[0]
    for names, message in settings.conflicts(root):
        given = [note.values.pop(name, None) for name in names]
        if any(value is not None for value in given):
            note.problems.append(message)
    settings, origins = _merge(layers)
    if remaining := settings.conflicts(root):
        raise BadSetting([message for _, message in remaining])
    return settings, origins


def _merge(layers: Iterable[_Layer]) -> tuple[Settings, dict[str, Origin]]:
    layers = list(layers)
    preset = next((layer.values["preset"] for layer in reversed(layers) if "preset" in layer.values), "balanced")
    base = _Layer(Origin.PRESET, values=dict(PRESETS[cast(Preset, preset)]))
    values: dict[str, object] = {}
    origins = dict.fromkeys(TABLE, Origin.DEFAULT)
    for row in TABLE.values():
        for layer in _in_order(row, [base, *layers]):
            if row.name not in layer.values:
                continue
            value, current = layer.values[row.name], values.get(row.name, row.default)
            if row.tighten is not None and not layer.loosens:
                value = row.tighten(current, value)
                if value == current:
                    continue
            values[row.name] = value
            origins[row.name] = layer.origin
    # the values were read by the kinds of the table, so their types are those of the fields
    return replace(Settings(), **values), origins  # type: ignore[arg-type]


def _in_order(row: Setting, layers: list[_Layer]) -> list[_Layer]:
    """Return the layers in the order they apply: of a safety setting, those that only tighten come last."""
    return layers if row.tighten is None else sorted(layers, key=lambda layer: not layer.loosens)


def _unread_note_layer(reason: str, previous: Loaded | None) -> _Layer:
    values = _CAUTIOUS if previous is None or previous.note is None else previous.note
    return _Layer(Origin.NOTE, loosens=False, values=dict(values), problems=[f"the settings note: {reason}"])


def _note_layer(note: Mapping[str, object], previous: Loaded | None) -> _Layer:
    layer = _Layer(Origin.NOTE, loosens=False)
    last_good = (previous.note if previous else None) or {}
    for key, raw in note.items():
        if key in TABLE:
            _read_note_value(layer, TABLE[key], raw, last_good)
        elif near := difflib.get_close_matches(key, TABLE, n=1, cutoff=0.85):
            layer.problems.append(f"{key} is not a setting; {near[0]} is")
    return layer


def _read_note_value(layer: _Layer, row: Setting, raw: object, last_good: Mapping[str, object]) -> None:
    if raw is None or (isinstance(raw, str) and not raw.strip()):
        return
    try:
        value = row.kind.read(raw)
    except ValueError as error:
        layer.problems.append(_problem(row.name, raw, error))
        if row.name in last_good:
            layer.values[row.name] = last_good[row.name]
        return
    layer.values[row.name] = value
    if row.tighten is not None and row.tighten(row.default, value) != value:
        layer.problems.append(f"{row.name}: the settings note can only make this stricter")


def _environment_layer(origin: Origin, variables: Mapping[str, str], *, loosens: bool = True) -> _Layer:
    layer = _Layer(origin, loosens=loosens)
    for row in TABLE.values():
        _read_variables(layer, row, variables)
    known = _OTHER_VARIABLES | {variable for row in TABLE.values() for variable in row.variables}
    for name in sorted(variables):
        if name.startswith(OWN_PREFIX) and name not in known:
            near = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
            layer.warnings.append(f"{name} is not a setting{f'; did you mean {near[0]}?' if near else ''}")
    return layer


def _read_variables(layer: _Layer, row: Setting, variables: Mapping[str, str]) -> None:
    """Take the first name that is set and good; a bad value under a name that is not ours is passed over."""
    for name in row.variables:
        text = variables.get(name, "").strip()
        if not text:
            continue
        try:
            layer.values[row.name] = row.kind.read(text)
        except ValueError as error:
            if not name.startswith(OWN_PREFIX):
                layer.warnings.append(f"{_problem(name, text, error)}; ignored")
                continue
            layer.problems.append(_problem(name, text, error))
        return


def _option_layer(options: Mapping[str, object]) -> _Layer:
    layer = _Layer(Origin.OPTION)
    for name, raw in options.items():
        if raw is None:
            continue
        if name not in TABLE:
            layer.problems.append(f"{name} is not a setting")
            continue
        try:
            layer.values[name] = TABLE[name].kind.read(raw)
        except ValueError as error:
            layer.problems.append(_problem(name, raw, error))
    return layer


def _problem(name: str, raw: object, error: ValueError) -> str:
    shown = str(raw)
    shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
    return f"{name}: {shown!r} {error}"
