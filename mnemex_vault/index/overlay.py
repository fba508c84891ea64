"""What is searchable but not committed yet: staged notes, analysed, in memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from mnemex_vault.index.document import WeightedText


@dataclass(frozen=True, slots=True)
class Staged:
    """A staged version of a note, or its removal; `serial` tells a later version from an earlier one."""

    serial: int
    text: WeightedText | None


class Overlay:
    """Staged notes by path and by term. Not safe for several threads at once."""

    def __init__(self) -> None:
        self._staged: dict[str, Staged] = {}
        self._terms: dict[str, dict[str, float]] = {}
        self.serial = 0
        self.count = 0

    def __len__(self) -> int:
        return len(self._staged)

    def __contains__(self, path: str) -> bool:
        return path in self._staged

    def __iter__(self) -> Iterator[str]:
        return iter(self._staged)

    def put(self, path: str, text: WeightedText | None) -> None:
        """Take in a version of a note; None is its removal."""
        self.drop(path)
        self.serial += 1
        self._staged[path] = Staged(self.serial, text)
        if text is None:
            return
        self.count += 1
        for term, weight in text.terms.items():
            self._terms.setdefault(term, {})[path] = weight

    def drop(self, path: str, staged: Staged | None = None) -> None:
        """Forget a note; with `staged`, only if that is still its version."""
        found = self._staged.get(path)
        if found is None or (staged is not None and found is not staged):
            return
        del self._staged[path]
        if found.text is None:
            return
        self.count -= 1
        for term in found.text.terms:
            paths = self._terms[term]
            del paths[path]
            if not paths:
                del self._terms[term]

    def batch(self) -> dict[str, Staged]:
        """Return all that is staged now."""
        return dict(self._staged)

    def get(self, path: str) -> WeightedText | None:
        """Return the staged text of a note."""
        found = self._staged.get(path)
        return found.text if found else None

    def texts(self) -> Iterator[WeightedText]:
        """Yield the staged texts."""
        return (staged.text for staged in self._staged.values() if staged.text is not None)

    def postings(self, term: str) -> Mapping[str, float]:
        """Return the staged notes that have a term, with their weights."""
        return self._terms.get(term, {})

    def any_of(self, terms: tuple[tuple[str, float], ...]) -> Mapping[str, float]:
        """Return the staged notes that have any of these terms (term, worth), with the best of their weights."""
        found = [(self.postings(term), worth) for term, worth in terms if term in self._terms]
        if len(found) == 1 and found[0][1] == 1.0:
            return found[0][0]
        best: dict[str, float] = {}
        for postings, worth in found:
            for path, weight in postings.items():
                best[path] = max(best.get(path, 0.0), weight * worth)
        return best

    def terms_from(self, prefix: str) -> Iterator[str]:
        """Yield the terms that begin like this."""
        return (term for term in self._terms if term.startswith(prefix))
