"""One table of a TOML file, set or removed without moving a byte more."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from typing import Any

from mnemex_vault.errors import ConfigError

# a server is a table in the table of servers
_TOP = 2
_HEADER = re.compile(r"^[ \t]*\[\[?[ \t]*(.+?)[ \t]*\]\]?[ \t]*(?:#[^\r\n]*)?\r?$", re.MULTILINE)


def parse(text: str) -> dict[str, Any]:
    """Return the values; raises ConfigError saying what is wrong where."""
    try:
        return tomllib.loads(text.removeprefix("\ufeff"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([f"it is not valid TOML: {error}"]) from error


def put_table(text: str, path: Sequence[str], values: Mapping[str, object]) -> str:
    r"""Return the text with a table of texts and lists of texts; other keys of one that is there stay.

    Raises ConfigError if the table is written in a way that cannot be replaced safely.

    >>> put_table('model = "x"\n', ["servers", "a"], {"args": ["b"]})
    'model = "x"\n\n[servers.a]\nargs = ["b"]\n'
    """
    newline = "\r\n" if "\r\n" in text else "\n"
    if _has(parse(text), path):
        own = _at(parse(text), path)
        new = {name: value for name, value in values.items() if own.get(name) != value}
        return _checked(text, _edited(text, path, new) if new else text, path, {**own, **values})
    place = _parent_end(text, path) if len(path) > _TOP else len(text)
    before, rest = text[:place], text[place:]
    gap = "" if not before else newline if before.endswith("\n") else newline * 2
    return _checked(text, before + gap + _written(path, values, newline) + rest, path, dict(values))


def _edited(text: str, path: Sequence[str], values: Mapping[str, object]) -> str:
    """Return the text with these values in a table that is there, however it is written."""
    import tomlkit

    # what is added has plain line ends
    windows = text.replace("\r\n", "\n").replace("\n", "\r\n") == text
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    plain = text.removeprefix(mark)
    document: Any = tomlkit.parse(plain.replace("\r\n", "\n") if windows else plain)
    table = document
    for key in path:
        table = table[key]
    # the library counts what stands above the next table to this one, and would add behind it
    body = table.value.body if isinstance(table, tomlkit.items.Table) else []
    above_next = []
    while body and body[-1][0] is None:
        above_next.append(body.pop())
    for name, value in values.items():
        table[name] = _item(value)
    body.extend(reversed(above_next))
    changed = tomlkit.dumps(document)
    return mark + (changed.replace("\n", "\r\n") if windows else changed)


def _written(path: Sequence[str], values: Mapping[str, object], newline: str) -> str:
    """Return a table as a text of its own.

    The library would put it, and take it out, together with the comment above the next table.
    """
    import tomlkit

    table = tomlkit.table()
    for name, value in values.items():
        table[name] = _item(value)
    header = ".".join(tomlkit.key(name).as_string() for name in path)
    return f"[{header}]\n{table.as_string()}".replace("\n", newline)


def _item(value: object) -> Any:
    import tomlkit

    if isinstance(value, str) and "\\" in value and "'" not in value and value.isprintable():
        # backslashes of Windows stay readable in a literal text
        return tomlkit.string(value, literal=True)
    return tomlkit.item([_item(each) for each in value] if isinstance(value, list | tuple) else value)


def _parent_end(text: str, path: Sequence[str]) -> int:
    """Return where the nearest table around this one ends, so that what belongs together stands together."""
    ends = (
        _span(text, path[:size])[1] for size in range(len(path) - 1, _TOP - 1, -1) if _has(parse(text), path[:size])
    )
    return next(ends, len(text))


def drop_table(text: str, path: Sequence[str]) -> str:
    """Return the text without the table and the tables below it; raises ConfigError as `put_table`."""
    start, end = _span(text, path)
    before, after = text[:start], text[end:]
    if start != end and not after.strip():
        # the blank line that set the table off goes with it
        before = re.sub(r"(\r?\n)\r?\n\Z", r"\1", before)
    return _checked(text, before + after, path, None)


def _span(text: str, path: Sequence[str]) -> tuple[int, int]:
    """Return where the table and its tables below stand, with nothing of what follows; equal ends if nowhere."""
    if not _has(parse(text), path):
        return len(text), len(text)
    wanted = list(path)
    headers = [(match.start(), _parts(match[1])) for match in _HEADER.finditer(text)]
    mine = [index for index, (_, parts) in enumerate(headers) if parts[: len(wanted)] == wanted]
    if not mine or mine != list(range(mine[0], mine[-1] + 1)):
        raise ConfigError([f"{'.'.join(path)} is written in a way that cannot be changed safely; change it by hand"])
    start = headers[mine[0]][0]
    end = headers[mine[-1] + 1][0] if mine[-1] + 1 < len(headers) else len(text)
    return start, start + len(_own_lines(text[start:end]))


def _own_lines(part: str) -> str:
    """The part without the comments and blank lines at its end, which belong to what follows."""
    lines = part.splitlines(keepends=True)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return "".join(lines)


def _parts(header: str) -> list[str]:
    try:
        found: Any = tomllib.loads(f"[{header}]")
    except tomllib.TOMLDecodeError:
        return []
    parts = []
    while found:
        [(name, found)] = found.items()
        parts.append(name)
    return parts


def _has(values: Mapping[str, Any], path: Sequence[str]) -> bool:
    found: Any = values
    for key in path:
        if not isinstance(found, dict) or key not in found:
            return False
        found = found[key]
    return True


def _checked(before: str, after: str, path: Sequence[str], wanted: object) -> str:
    """Return the changed text if nothing but the table differs."""
    old, new = parse(before), parse(after)
    if _take(new, path) != wanted:
        raise ConfigError([f"{'.'.join(path)} could not be changed safely; change it by hand"])
    _take(old, path)
    if _without_empty(old) != _without_empty(new):
        raise ConfigError([f"{'.'.join(path)} could not be changed safely; change it by hand"])
    return after


def _at(values: Mapping[str, Any], path: Sequence[str]) -> dict[str, Any]:
    found: Any = values
    for key in path:
        found = found[key]
    return dict(found) if isinstance(found, dict) else {}


def _take(values: dict[str, Any], path: Sequence[str]) -> object:
    if not _has(values, path):
        return None
    found: Any = values
    for key in path[:-1]:
        found = found[key]
    taken: object = found.pop(path[-1])
    return taken


def _without_empty(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without tables that hold nothing, at any depth."""
    inner = {name: _without_empty(value) if isinstance(value, dict) else value for name, value in values.items()}
    return {name: value for name, value in inner.items() if value != {}}
