"""The memory folders of a vault, as paths from its top."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from mnemex_vault.notes.paths import within

DEFAULT_ROOT = "Memories"


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Folders with forward slashes; `root` holds the settings note and is empty for the top of the vault."""

    root: str = DEFAULT_ROOT
    short_term: str = f"{DEFAULT_ROOT}/Short-term"
    long_term: str = f"{DEFAULT_ROOT}/Long-term"
    archive: str = f"{DEFAULT_ROOT}/Archive"

    @classmethod
    def below(
        cls, root: str, *, short_term: str | None = None, long_term: str | None = None, archive: str | None = None
    ) -> Layout:
        """Return the folders: given ones as they are, the others by their usual names below `root`.

        >>> Layout.below("Brain", long_term="Knowledge").long_term, Layout.below("").archive
        ('Knowledge', 'Archive')
        """
        prefix = f"{root}/" if root else ""
        return cls(
            root=root,
            short_term=short_term or f"{prefix}Short-term",
            long_term=long_term or f"{prefix}Long-term",
            archive=archive or f"{prefix}Archive",
        )

    def folders(self) -> tuple[str, str, str]:
        """Return the three tier folders."""
        return self.short_term, self.long_term, self.archive

    def clash(self) -> str | None:
        """Return why two folders cannot be told apart, or None."""
        for one, other in combinations(self.folders(), 2):
            if within(one, [other]) or within(other, [one]):
                return f"the memory folders {one} and {other} must lie apart"
        return None
