"""Taking back one change of a text while keeping a later change of other lines."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

Edit = tuple[int, int, Sequence[bytes]]


def carry_over(base: bytes, wanted: bytes, current: bytes) -> bytes | None:
    r"""Return `wanted` with what changed from `base` to `current`, None where both changed the same lines.

    >>> carry_over(b"a: 1\n\nnew\n", b"a: 1\n\nold\n", b"a: 2\n\nnew\n")
    b'a: 2\n\nold\n'
    >>> carry_over(b"new\n", b"old\n", b"newer\n") is None
    True
    """
    lines = base.splitlines(keepends=True)
    edits = sorted(_edits(lines, wanted) + _edits(lines, current), key=lambda edit: edit[:2])
    result: list[bytes] = []
    position = 0
    for index, (start, end, replacement) in enumerate(edits):
        if start < position or (index and edits[index - 1][:2] == (start, end)):
            return None
        result += lines[position:start]
        result += replacement
        position = end
    return b"".join(result + lines[position:])


def _edits(lines: Sequence[bytes], text: bytes) -> list[Edit]:
    """Return which lines are replaced by which; a final line without an end counts as a line of its own."""
    other = text.splitlines(keepends=True)
    matcher = SequenceMatcher(None, lines, other, autojunk=False)
    return [
        (start, end, other[new_start:new_end])
        for operation, start, end, new_start, new_end in matcher.get_opcodes()
        if operation != "equal"
    ]
