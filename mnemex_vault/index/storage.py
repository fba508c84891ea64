"""The Whoosh index as a folder: private, checked against a manifest before it is unpickled; and its schema."""

from __future__ import annotations

import hashlib
import json
import os
import re
import secrets
import shutil
import weakref
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from struct import Struct
from typing import BinaryIO

from whoosh.codec.whoosh3 import W3Codec
from whoosh.columns import VarBytesColumn
from whoosh.fields import COLUMN, FieldType, Schema
from whoosh.filedb.filestore import FileStorage
from whoosh.filedb.structfile import BufferFile, StructFile
from whoosh.formats import Format
from whoosh.util.filelock import LockBase

from mnemex_vault.disk.state import private_folder, write_private
from mnemex_vault.errors import ConfigError, IndexUnavailable

# The Whoosh schema: one list of weighted terms a note, its tags, and two columns of what is known of each note.

# a new number whenever analysis, schema or layout change: an index of another version is left alone
SCHEMA_VERSION = 5

_BLOCK = 1024

PLACES = Struct("<Q")

TEXT = "text"
TAGS = "tags"
NOTE = "note"
SEQUENCE = "sequence"


class Weights(Format):  # type: ignore[misc]
    """A posting is a document and a weight, so that long lists are read quickly."""

    posting_size = 0

    def word_values(
        self, value: Sequence[tuple[str, float, bytes]], _analyzer: object, **_: object
    ) -> Iterator[tuple[str, int, float, bytes]]:
        """Yield the postings of one document from terms that are weighted already."""
        return ((term, 1, weight, places) for term, weight, places in value)

    def decode_weight(self, _valuestring: bytes) -> float:
        """Return the weight of a posting that carries none of its own."""
        return 1.0


class Places(Weights):
    """A posting has besides the places of the term in the document, a bit for each stretch."""

    posting_size = PLACES.size


class WeightedTerms(FieldType):  # type: ignore[misc]
    """A field that takes `(term, weight, places)`; analysis happens before."""

    __inittypes__: dict[str, type] = {}  # noqa: RUF012  Whoosh reads it from the class

    def __init__(self, posting: Weights) -> None:
        super().__init__(format=posting, analyzer=None)


def make_codec() -> W3Codec:
    """Return how segments are written: long blocks, read as a whole, and no lengths of fields, which are ours."""
    codec = W3Codec(blocklimit=_BLOCK)
    codec.length_stats = False
    return codec


def make_schema() -> Schema:
    """Return the schema; the columns hold bytes."""
    return Schema(
        **{
            TEXT: WeightedTerms(Places()),
            TAGS: WeightedTerms(Weights()),
            NOTE: COLUMN(VarBytesColumn()),
            SEQUENCE: COLUMN(VarBytesColumn()),
        }
    )


# The folder of the index: private, and every file checked against a manifest before anything in it is unpickled.

_MANIFEST = "manifest.json"
_TOC = re.compile(r"_\w+_\d+\.toc")
_SEGMENT_FILE = re.compile(r"\w+_[0-9a-z]+\.[\w.]+")
_LOCKS = "LOCK"
_DIGEST = "sha256"
# of postings a question needs a few blocks; with smaller files too many would be open
_STAYS_ON_DISK = 1 << 20
_IDENTITY = "identity"


class DamagedIndex(Exception):
    """A file of the index is not what was written."""


class FileOnDisk(StructFile):  # type: ignore[misc]
    """A file that stays open, and can be read on when another process removes it.

    Before each look at it, its size and time of change tell whether it is still what was compared with its digest.
    """

    def __init__(self, file: BinaryIO, name: str) -> None:
        super().__init__(file, name=name)
        self._name = name
        self._compared = self._now()

    def seek(self, *place: int) -> int:
        """Go to a place; raises DamagedIndex if someone changed the file."""
        if self._now() != self._compared:
            raise DamagedIndex(self._name)
        return int(super().seek(*place))

    def _now(self) -> tuple[int, int]:
        found = os.fstat(self.file.fileno())
        return found.st_size, found.st_mtime_ns


class CheckedStorage(FileStorage):  # type: ignore[misc]
    """Files that are compared with their digests when they are opened; large ones of postings stay on disk.

    The manifest is written just before the table of contents that names the files becomes visible, so that a
    process that dies in between leaves the last generation whole.
    """

    supports_mmap = False

    def __init__(self, folder: Path) -> None:
        super().__init__(str(folder), supports_mmap=False)
        self._root = folder
        self._digests: dict[str, str] = {}

    def open_file(self, name: str, **_: object) -> StructFile:
        """Return the content of a file; raises DamagedIndex, or FileNotFoundError if a writer removed it."""
        descriptor = os.open(self._root / name, os.O_RDONLY | os.O_CLOEXEC)
        try:
            # open as long as somebody holds it
            file = open(descriptor, "rb", closefd=False)  # noqa: SIM115
        except IsADirectoryError as error:
            os.close(descriptor)
            raise DamagedIndex(name) from error
        weakref.finalize(file, os.close, descriptor)
        if not name.endswith(W3Codec.POSTS_EXT) or os.fstat(descriptor).st_size < _STAYS_ON_DISK:
            data = file.read()
            self._check_digest(name, _digest(data))
            return BufferFile(data, name=name)
        opened = FileOnDisk(file, name)
        self._check_digest(name, hashlib.file_digest(file, _DIGEST).hexdigest())
        return opened

    def _check_digest(self, name: str, digest: str) -> None:
        if self._digests.get(name) != digest:
            self._digests = self._load()
            if self._digests.get(name) != digest:
                raise DamagedIndex(name)

    def check(self, segments: Iterable[str]) -> None:
        """Read every file of these segments; raises as `open_file`."""
        names = tuple(f"_{segment}." for segment in segments)
        for name in self._load():
            if any(part in name for part in names):
                self.open_file(name)

    def create_file(self, name: str, **options: object) -> StructFile:
        """Return a new file, for its owner only."""
        (self._root / name).touch(mode=0o600)
        return super().create_file(name, **options)

    def lock(self, name: str) -> LockBase:
        """Return a lock whose file is for its owner only."""
        (self._root / name).touch(mode=0o600)
        return super().lock(name)

    def rename_file(self, oldname: str, newname: str, safe: bool = False) -> None:
        """Rename; a new table of contents is first entered into the manifest, with the files it names."""
        if _TOC.fullmatch(newname):
            self._enter(oldname, newname)
        super().rename_file(oldname, newname, safe=safe)

    def clear(self) -> None:
        """Remove everything but the locks; the caller holds the write lock."""
        for path in self._root.iterdir():
            if path.name.endswith(_LOCKS):
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
        self._digests = {}

    def identify(self) -> None:
        """Give an index that begins anew an identity of its own."""
        write_private(self._root / _IDENTITY, secrets.token_hex(8))

    def identity(self) -> str:
        """Return the identity of this index, "" for one without."""
        try:
            return (self._root / _IDENTITY).read_text()
        except (OSError, ValueError):
            return ""

    def holds_data(self) -> bool:
        """Tell whether there are files of an index."""
        return any(_TOC.fullmatch(path.name) or _SEGMENT_FILE.fullmatch(path.name) for path in self._root.iterdir())

    def _load(self) -> dict[str, str]:
        try:
            entries = json.loads((self._root / _MANIFEST).read_bytes())
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise DamagedIndex(_MANIFEST) from error
        if not isinstance(entries, dict):
            raise DamagedIndex(_MANIFEST)
        return {str(name): str(digest) for name, digest in entries.items()}

    def _enter(self, temporary: str, toc: str) -> None:
        present = {path.name for path in self._root.iterdir() if path.is_file()}
        digests = {name: digest for name, digest in self._load().items() if name in present}
        for name in present - digests.keys():
            if _SEGMENT_FILE.fullmatch(name):
                digests[name] = _digest((self._root / name).read_bytes())
        digests[toc] = _digest((self._root / temporary).read_bytes())
        new = self._root / f"{_MANIFEST}.new"
        write_private(new, json.dumps(digests))
        new.replace(self._root / _MANIFEST)
        self._digests = digests


def own_folder(folder: Path) -> None:
    """Make the folder, for its owner only; raises IndexUnavailable if it is a link or belongs to someone else."""
    try:
        private_folder(folder)
    except ConfigError as error:
        raise IndexUnavailable("; ".join(error.problems)) from error


def _digest(data: bytes) -> str:
    return hashlib.new(_DIGEST, data).hexdigest()
