"""How far a long piece of work is, told to whoever shows it."""

from __future__ import annotations

from collections.abc import Callable

# so many of so many are done; what it raises ends the work, and what an operation had done until then is taken back
Progress = Callable[[int, int], None]
# the name of a piece of work -> who is to be told of its progress
Watch = Callable[[str], Progress]

# a change of notes, which can be given up, and what follows it, which must not
WRITING_NOTES = "Writing notes"
READING_NOTES = "Reading notes"


def unwatched(_work: str) -> Progress:
    """Return the progress that nobody looks at."""
    return unseen


def unseen(_done: int, _total: int) -> None:
    """Let it pass."""
