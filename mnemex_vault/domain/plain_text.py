"""Markdown as a reader sees it: the words without the marks."""

from __future__ import annotations

import re

_IMAGE_OR_LINK = re.compile(r"!?\[([^\[\]]*)\]\(<?([^()\s<>]*+)>?[^()]*+\)")
_WIKILINK = re.compile(r"!?\[\[([^\[\]|#]*)(#[^\[\]|]*)?(?:\|([^\[\]]*))?\]\]")
_HTML = re.compile(r"</?[A-Za-z][^<>]{0,200}>|<!--.{0,500}?-->|%%.{0,500}?%%", re.S)
_AUTOLINK = re.compile(r"<(https?://[^<>\s]+)>")
_CODE = re.compile(r"(?<!`)(`{1,8})(?!`)([^`]+)\1")
_STARS = re.compile(r"(?<!\\)(\*{1,3}|~~|==)(?=\S)([^*~=\n]{1,400}?)(?<=\S)\1")
_UNDERSCORES = re.compile(r"(?<![\w_])(_{1,3})(?=\S)([^_\n]{1,400}?)(?<=\S)\1(?![\w_])")
_FOOTNOTE = re.compile(r"\[\^[^\[\]\s]+\]")
_TAG = re.compile(r"(?<![\w#&/])#(?=[^\W\d_])")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")


def plain_text(markdown: str) -> str:
    """Return one line of text without links' targets, emphasis, code marks and HTML.

    >>> plain_text("Use **[[Postgres|PostgreSQL]]** with `psql`, see [the docs](https://example.org) #db")
    'Use PostgreSQL with psql, see the docs db'
    """
    text = _AUTOLINK.sub(r"\1", markdown)
    text = _HTML.sub(" ", text)
    text = _WIKILINK.sub(lambda match: match[3] or match[1] or (match[2] or "")[1:], text)
    text = _IMAGE_OR_LINK.sub(lambda match: match[1] or match[2], text)
    text = _FOOTNOTE.sub("", text)
    text = _CODE.sub(r"\2", text)
    text = _UNDERSCORES.sub(r"\2", _STARS.sub(r"\2", _STARS.sub(r"\2", text)))
    text = _TAG.sub("", text)
    return " ".join(_ESCAPE.sub(r"\1", text).split())
