"""The text of a memory in the body of its note: given back exactly, up to one final newline.

In a note with CRLF line ends a text without CR is written with CRLF and read back with LF. A text that holds a CR is
written as it is; that such a body does not end like one with CRLF throughout tells the two apart.
"""

from __future__ import annotations

import re

from mnemex_vault.errors import InvalidInput, UnreadableNote
from mnemex_vault.notes import frontmatter

_LONE = re.compile(r"\r(?!\n)|(?<!\r)\n")
_FORBIDDEN = re.compile("[\x00\ud800-\udfff]")


def content_of(text: str) -> str:
    """Return the text that a note holds."""
    block = frontmatter.split(text)
    newline = block.newline if block else frontmatter.newline_of(text)
    body = text[block.body_start :] if block else text.removeprefix(frontmatter.BOM)
    return _decoded(body, newline)


def with_newline(content: str, newline: str = "\n") -> str:
    """Return the body for a text, one newline behind it; raises InvalidInput for NUL and lone surrogates."""
    if _FORBIDDEN.search(content):
        raise InvalidInput("content", "NUL and lone surrogates cannot be saved")
    if newline == "\n":
        return content + "\n"
    if "\r" not in content:
        return content.replace("\n", newline) + newline
    return content + (newline if content.endswith("\r") else "\n")


def replace_body(text: str, content: str) -> str:
    """Return the note with another text, its frontmatter byte for byte and its line ends kept.

    Raises UnreadableNote if the frontmatter is never closed, InvalidInput for a text that cannot be the body.
    """
    block = frontmatter.split(text)
    if block is None:
        return _without_frontmatter(text, content)
    head = text[: block.body_start]
    if not head.endswith("\n"):
        head += block.newline
    return head + with_newline(content, block.newline)


def _without_frontmatter(text: str, content: str) -> str:
    if frontmatter.is_unclosed(text):
        raise UnreadableNote("", "the frontmatter is opened and never closed")
    bom = frontmatter.BOM if text.startswith(frontmatter.BOM) else ""
    result = bom + with_newline(content, frontmatter.newline_of(text))
    if frontmatter.split(result) or frontmatter.is_unclosed(result):
        raise InvalidInput("content", "the text would be taken for frontmatter")
    return result


def _decoded(body: str, newline: str) -> str:
    if newline == "\n":
        return body.removesuffix("\n")
    if body.endswith("\n") and not body.endswith("\r\n"):
        return body[:-1]
    content = body.removesuffix("\r\n")
    return content if _LONE.search(content) else content.replace("\r\n", "\n")
