"""Versions of one note: how two differ, and one without a change that later ones were built on."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher, unified_diff

from mnemex_vault.text.frontmatter import edit, split
from mnemex_vault.text.note import Note
from mnemex_vault.text.yaml_core import Value

_MAX_LINES = 200
# what we write by ourselves as a memory is used, promoted or fades
_COUNTED = frozenset(
    ("last_used", "use_count", "days_used", "review_count", "last_review", "cross_domain_count", "promoted", "fades_on")
)
_OURS = _COUNTED | {"strength"}

Edit = tuple[int, int, Sequence[bytes]]


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


def carry_over_fields(path: str, base: bytes, wanted: bytes, current: bytes) -> bytes | None:
    """Do what `carry_over` does by properties.

    What we counted since goes on where it was counted before, and leaves with its key where it was not.

    None where both changed another property, or the same lines of the text; raises UnreadableNote.
    """
    texts = [data.decode("utf-8", "surrogateescape") for data in (base, wanted, current)]
    old, new, now = (Note.parse(path, data).values for data in (base, wanted, current))
    changes: dict[str, Value] = {}
    # a note that is no memory has no use for what we counted
    passed_over = frozenset() if "memory_id" in new else _OURS
    for key in {*old, *now} - passed_over:
        if now.get(key) in (old.get(key), new.get(key)):
            continue
        if new.get(key) == old.get(key) or (key in _COUNTED and key in new):
            changes[key] = now.get(key)
        else:
            return None
    bodies = [_body(text).encode("utf-8", "surrogateescape") for text in texts]
    body = carry_over(*bodies)
    if body is None:
        return None
    head = texts[1].removesuffix(_body(texts[1])) + body.decode("utf-8", "surrogateescape")
    return edit(head, changes).encode("utf-8", "surrogateescape")


def _body(text: str) -> str:
    block = split(text)
    return text[block.body_start :] if block else text
