"""The difference of two texts, for people and programs that have to decide what to do about it."""

from __future__ import annotations

from difflib import unified_diff

_MAX_LINES = 200


def difference(before: bytes, after: bytes, *, names: tuple[str, str]) -> str:
    r"""Return a unified diff, cut after 200 lines.

    >>> print(difference(b"one\ntwo\n", b"one\n2\n", names=("expected", "found")))
    --- expected
    +++ found
    @@ -1,2 +1,2 @@
     one
    -two
    +2
    """
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    lines = list(unified_diff(old, new, *names, lineterm=""))
    if len(lines) > _MAX_LINES:
        lines[_MAX_LINES:] = [f"... {len(lines) - _MAX_LINES} more lines"]
    return "\n".join(lines)
