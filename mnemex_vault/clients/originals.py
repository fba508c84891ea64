"""What a client's files held before ours, kept so that taking it out gives every byte back."""

from __future__ import annotations

import hashlib
from pathlib import Path, PurePath

import msgspec

from mnemex_vault.notes.state import private_folder, replace_private

_NAME_LENGTH = 20


class Original(msgspec.Struct, frozen=True, kw_only=True):
    """A file before ours came into it.

    `before` is its text, None if there was no file; `after` the digest of what we wrote last; `servers` the names
    under which we are in it; `folders` those that had to be made for it, the innermost first.
    """

    before: str | None
    after: str
    servers: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()

    def is_untouched(self, text: str | None) -> bool:
        """Tell whether a file still is what we wrote."""
        return text is not None and digest(text) == self.after


class Originals:
    """The originals of all files that hold something of ours, in a folder for this person alone."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def get(self, path: PurePath) -> Original | None:
        """Return what is known of a file, None if nothing is or it cannot be read."""
        try:
            return msgspec.json.decode(self._file(path).read_bytes(), type=Original)
        except (OSError, msgspec.DecodeError):
            return None

    def put(self, path: PurePath, original: Original | None) -> None:
        """Keep or, with None, forget what a file held; raises OSError, and ConfigError for a folder of others."""
        if original is None:
            self._file(path).unlink(missing_ok=True)
            return
        private_folder(self._folder)
        replace_private(self._file(path), msgspec.json.encode(original).decode())

    def _file(self, path: PurePath) -> Path:
        return self._folder / f"{digest(str(path))[:_NAME_LENGTH]}.json"


def digest(text: str) -> str:
    """Return a key for a text."""
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()
