"""Files with one JSON text a line, read so that one bad line costs only itself."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from mnemex_vault.errors import NotPossible
from mnemex_vault.importers.archives import refuse_archive
from mnemex_vault.importers.findings import Problem, excerpt


def lines(path: Path) -> Iterator[tuple[str, dict[str, object] | Problem]]:
    """Yield place and object of every line that is not blank, or what is wrong with it.

    Raises InvalidInput if the file cannot be read, or is packed.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise NotPossible(str(path), f"cannot be read: {error.strerror}") from error
    refuse_archive(path, data)
    for number, line in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if line.strip():
            place = f"{path.name}:{number}"
            yield place, _parsed(place, line)


def _parsed(place: str, line: bytes) -> dict[str, object] | Problem:
    try:
        value = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        reason = f"not UTF-8 (byte {error.start + 1})"
    except json.JSONDecodeError as error:
        reason = f"not JSON ({error.msg} at character {error.pos + 1})"
    except (ValueError, RecursionError):
        reason = "not JSON that can be read"
    else:
        if isinstance(value, dict):
            return value
        reason = "not an object"
    return Problem(place, f"{reason}: {excerpt(line.decode('utf-8', 'replace'))}")
