"""A block of ours in a text that a person keeps: found by its marks, replaced or removed, the rest untouched."""

from __future__ import annotations

import re

BEGIN = "<!-- mnemex: begin (mnemex connect keeps this block; what you write outside of it stays) -->"
END = "<!-- mnemex: end -->"
_BLOCK = re.compile(r"<!-- mnemex: begin[^\n]*-->.*?<!-- mnemex: end -->[ \t]*\r?\n?", re.DOTALL)


def with_block(text: str, content: str) -> str:
    r"""Return the text with the block, in its place or at the end.

    >>> with_block("# Mine\n", "ours").endswith("# Mine\n\n" + BEGIN + "\nours\n" + END + "\n")
    True
    """
    newline = "\r\n" if "\r\n" in text else "\n"
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
