"""Archives are told from stores and never opened: what unpacks one is asked how far, and where to."""

from __future__ import annotations

import tarfile
from pathlib import Path

from mnemex_vault.errors import NotPossible

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
