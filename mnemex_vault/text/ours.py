"""What is ours in a text that somebody else keeps: found by its marks, put in, taken out, the rest untouched."""

from __future__ import annotations

import re
from collections.abc import Callable

# A block between two marks.

BEGIN = "<!-- mnemex: begin (mnemex connect keeps this block; what you write outside of it stays) -->"
END = "<!-- mnemex: end -->"
_BLOCK = re.compile(r"<!-- mnemex: begin[^\n]*-->.*?<!-- mnemex: end -->[ \t]*\r?\n?", re.DOTALL)


def with_block(text: str, content: str) -> str:
    r"""Return the text with the block, in its place or at the end.

    >>> with_block("# Mine\n", "ours").endswith("# Mine\n\n" + BEGIN + "\nours\n" + END + "\n")
    True
    """
    newline = newline_of(text)
    block = newline.join([BEGIN, *content.strip("\n").split("\n"), END]) + newline
    if _BLOCK.search(text):
        return _BLOCK.sub(lambda _: block, text, count=1)
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return text + gap + block


def without_block(text: str) -> str:
    r"""Return the text without the block and the blank line that set it off.

    >>> without_block(with_block("# Mine\n", "ours"))
    '# Mine\n'
    """
    match = _BLOCK.search(text)
    if match is None:
        return text
    before, after = text[: match.start()], text[match.end() :]
    return (re.sub(r"(\r?\n)\r?\n\Z", r"\1", before) if not after else before) + after


def newline_of(text: str) -> str:
    """Return how the lines of a text end."""
    return "\r\n" if "\r\n" in text else "\n"


# One line that lets a client read a file of ours with the person's own text. It stands at the top, where it can be put
# and taken away whatever the text ends with.

BRIEF_NAME = "claude-code.md"
BRIEF_FOLDER = "bridge"
_MARK = "\ufeff"
_IMPORT = re.compile(
    rf"^(?P<mark>{_MARK}?)@(?P<path>[^\s]*/[0-9a-f]{{20}}/{BRIEF_FOLDER}/{re.escape(BRIEF_NAME)})(?:\r?\n|\Z)",
    re.MULTILINE,
)


def with_import(text: str, path: str) -> str:
    r"""Return the text with a line that imports a file of ours.

    >>> with_import("\ufeffMine", "/state/00000000000000000000/bridge/claude-code.md")
    '\ufeff@/state/00000000000000000000/bridge/claude-code.md\nMine'
    """
    if path in imports_in(text):
        return text
    mark = _MARK if text.startswith(_MARK) else ""
    return f"{mark}@{path}{newline_of(text)}{text.removeprefix(mark)}"


def without_imports(text: str) -> str:
    """Return the text without the lines that import files of ours."""
    return _IMPORT.sub(lambda match: match["mark"], text)


def imports_in(text: str) -> list[str]:
    """Return the files of ours that a text imports."""
    return [match["path"] for match in _IMPORT.finditer(text)]


# The brief in such a file, and lines of a brief that somebody copied.

BRIEF_MARK = "<!-- mnemex: brief"
_TOLD = re.compile(r"^[ \t]*[-*+][ \t]+\[(?P<id>[A-Za-z0-9_-]{1,64})\][ \t]+\u201c[^\n]*(?:\n|\Z)", re.MULTILINE)


def without_ours(text: str, knows: Callable[[str], bool]) -> str:
    r"""Return what in a text is not ours: no brief, no block, no line of a brief that tells a memory known by its id.

    >>> without_ours("Mine.\n- [k7q2x4dhw9] \u201cTea.\u201d\n", lambda memory_id: True)
    'Mine.\n'
    """
    if text.lstrip(f"{_MARK} \r\n").startswith(BRIEF_MARK):
        return ""
    without = _TOLD.sub(lambda match: "" if knows(match["id"]) else match[0], _BLOCK.sub("", text))
    return without_imports(without)


def never_imported(text: str) -> str:
    """Return the text so that no client takes a name after an `@` in it for a file to import."""
    return re.sub(r"(?<!\w)@(?=\S)", "@\u2060", text)
