"""Files with one JSON text a line, read so that one bad line costs only itself; archives are told and never opened."""

from __future__ import annotations

import json
import tarfile
from collections.abc import Iterator
from pathlib import Path

from mnemex_vault.errors import NotPossible
from mnemex_vault.importers.findings import Problem, excerpt

# Archives are told from stores and never opened: what unpacks one is asked how far, and where to.

_BEGINNINGS = {
    b"PK\x03\x04": "zip",
    b"PK\x05\x06": "zip",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\0": "xz",
    b"\x28\xb5\x2f\xfd": "zstandard",
    b"7z\xbc\xaf\x27\x1c": "7z",
    b"Rar!\x1a\x07": "rar",
}


def refuse_archive(path: Path, start: bytes) -> None:
    """Raise InvalidInput if a file that begins so is an archive or compressed."""
    kind = next((name for beginning, name in _BEGINNINGS.items() if start.startswith(beginning)), None)
    if kind is None and _is_tar(start):
        kind = "tar"
    if kind is not None:
        raise NotPossible(str(path), f"is packed ({kind}); unpack it, and name what is in it")


def _is_tar(start: bytes) -> bool:
    try:
        tarfile.TarInfo.frombuf(start[: tarfile.BLOCKSIZE], "utf-8", "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True


# Files with one JSON text a line, read so that one bad line costs only itself.


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
