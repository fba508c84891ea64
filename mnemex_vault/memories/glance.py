"""A quick look at a vault's notes, for who cannot wait until the vault is opened."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from mnemex_vault.index.generated_log import CATALOG_NAME, generated_paths

if TYPE_CHECKING:
    from mnemex_vault.index.entry import Entry


def known_notes(state: Path) -> list[Entry]:
    """Return the notes as the index knew them last."""
    from mnemex_vault.index.catalog_file import CatalogFile

    return CatalogFile(state / "index" / CATALOG_NAME).load()


def known_generated(state: Path) -> Iterable[str]:
    """Return the paths of the notes that are, or once were, made by us; the settings note is among them."""
    return generated_paths(state / "index" / CATALOG_NAME)
