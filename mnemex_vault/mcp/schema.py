"""JSON schemas as small as they can be: every client sends them to the model in every conversation."""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]
_NULL = {"type": "null"}


def input_schema(schema: Schema) -> Schema:
    """Return the schema of arguments without titles, and without null, which means an argument is not given.

    >>> input_schema({"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None}}})
    {'properties': {'a': {'type': 'string'}}, 'additionalProperties': False}
    """
    return {**_compact(schema, keep_null=False), "additionalProperties": False}


def output_schema(schema: Schema | None) -> Schema | None:
    """Return the schema of an answer without titles and defaults.

    >>> output_schema({"properties": {"a": {"anyOf": [{"type": "string"}, {"type": "null"}], "title": "A"}}})
    {'properties': {'a': {'type': ['string', 'null']}}}
    """
    return None if schema is None else _compact(schema, keep_null=True)


def _compact(schema: Schema, *, keep_null: bool) -> Schema:
    small: Schema = {}
    for key, value in schema.items():
        if key == "title" or (key == "default" and (keep_null or value is None)):
            continue
        if key in ("description", "additionalProperties") and keep_null and not isinstance(value, dict):
            continue
        small[key] = _compact_value(key, value, keep_null=keep_null)
    return _without_alternatives(small, keep_null=keep_null)


def _compact_value(key: str, value: Any, *, keep_null: bool) -> Any:
    if key in ("properties", "$defs"):
        return {name: _compact(each, keep_null=keep_null) for name, each in value.items()}
    if key == "anyOf":
        return [_compact(each, keep_null=keep_null) for each in value]
    return _compact(value, keep_null=keep_null) if key == "items" else value


def _without_alternatives(schema: Schema, *, keep_null: bool) -> Schema:
    """Fold a choice between one schema and null into that schema."""
    choices = schema.get("anyOf")
    if choices is None or _NULL not in choices:
        return schema
    others = [choice for choice in choices if choice != _NULL]
    rest = {key: value for key, value in schema.items() if key != "anyOf"}
    if len(others) != 1:
        return {**rest, "anyOf": choices if keep_null else others}
    only = others[0]
    if keep_null and "type" not in only:
        return schema
    return {**only, **rest, "type": [only["type"], "null"]} if keep_null else {**only, **rest}
