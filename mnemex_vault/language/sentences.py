"""Text taken apart: markdown as a reader sees it, its statements and sentences, and these as lists of plain words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import takewhile
from typing import Any

from mnemex_vault.language.words import DANGLING, WRITTEN_OUT, word_set

# Markdown as a reader sees it: the words without the marks.

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


# Where a text may be cut: between two signs, as a reader of its script sees them.

_LONGEST_SIGN = 40
# signs are looked at from the last space on, or from here where there is none
_LOOK_BACK = 400


@cache
def _sign() -> Any:
    # imported by the first text that is cut: a server shows its tools without it
    import regex

    # vowels of Thai and Lao that are written before their consonant belong to it
    return regex.compile(r"[\u0e40-\u0e44\u0ec0-\u0ec4]*\X")


def cuts(text: str, start: int = 0) -> Iterator[int]:
    """Yield the places from `start` on at which a text may be cut.

    >>> list(cuts("ae\u0301เชียง"))
    [1, 3, 6, 7, 8]
    """
    return (sign.end() for sign in _sign().finditer(text, start))


def cut_to(text: str, room: int) -> str:
    """Return a text, or as much of its beginning as has room, cut between two signs.

    >>> cut_to("ae\u0301b", 2), cut_to("one two", 5)
    ('a', 'one t')
    """
    if len(text) <= room or text[max(0, room - 1) : room + 1].isascii():
        return text[:room]
    start = max(text.rfind(" ", 0, room) + 1, room - _LOOK_BACK, 0)
    seen = text[: room + _LONGEST_SIGN]
    return text[: max(takewhile(room.__ge__, cuts(seen, start)), default=start or room)]


# Text taken apart: code blocks, headings, list items, statements and their sentences.

_FENCE = re.compile(r"\s{0,3}(`{3,}|~{3,})")
_HEADING = re.compile(r"\s{0,3}(#{1,6})\s+(.*)")
_ITEM = re.compile(r"\s*(?:>\s?)*\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+)?(?:\[[ xX]\]\s+)?(?:\[![\w-]+\][+-]?\s*)?")
_RULE = re.compile(r"\s*(?:[-*_=]\s*){3,}$")
_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’»)\]*_]*+(?=\s)|[。！？]+[」』）”]*")
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:e\.g|i\.e|cf|vs|etc|approx|ca|no|nr|st|mr|mrs|ms|dr|prof|sr|jr|inc|ltd|fig|min|tel|ext|vol|z\.b|d\.h|bzw|usw|[^\W\d_])\.$",
    re.I,
)
# a line at least this long was probably wrapped by an editor
_WRAPPED = 60


class Kind(StrEnum):
    """What a block of text is."""

    CODE = "code"
    HEADING = "heading"
    ITEM = "item"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of text; `text` is without its marker, `raw` as it stands, `level` that of a heading."""

    kind: Kind
    text: str
    raw: str
    level: int = 0


def blocks(text: str) -> Iterator[Block]:
    r"""Yield the blocks of a text in order; lines that an editor wrapped are one block.

    >>> [(block.kind.value, block.text) for block in blocks("# Stack\n- Go\nIt is\nfast.")]
    [('heading', 'Stack'), ('item', 'Go'), ('text', 'It is fast.')]
    """
    pending: Block | None = None
    for block in _line_blocks(text):
        if pending is not None and _continues(pending, block):
            pending = Block(pending.kind, f"{pending.text} {block.text}", f"{pending.raw}\n{block.raw}")
            continue
        if pending is not None and pending.text:
            yield pending
        pending = block
    if pending is not None and pending.text:
        yield pending


def _line_blocks(text: str) -> Iterator[Block]:
    lines = iter(text.splitlines())
    for line in lines:
        fence = _FENCE.match(line)
        if fence:
            yield _code(line, fence[1], lines)
        else:
            yield _line_block(line)


def _code(first: str, mark: str, lines: Iterator[str]) -> Block:
    body = []
    raw = [first]
    for line in lines:
        raw.append(line)
        if line.strip().startswith(mark) and not line.strip().strip(mark[0]):
            break
        body.append(line)
    # of a fence with nothing in it the word after its mark is all that is said
    return Block(Kind.CODE, "\n".join(body).strip("\n") or first.strip(f"{mark} "), "\n".join(raw))


def _line_block(line: str) -> Block:
    heading = _HEADING.match(line)
    if heading:
        text, _, closing = heading[2].rstrip().rpartition(" ")
        closed = closing and not closing.strip("#")
        return Block(Kind.HEADING, text.rstrip() if closed else heading[2].strip(), line, len(heading[1]))
    if _RULE.match(line):
        return Block(Kind.TEXT, "", line)
    marker = _ITEM.match(line)
    start = marker.end() if marker else 0
    kind = Kind.ITEM if line[:start].strip() else Kind.TEXT
    return Block(kind, line[start:].strip(), line)


def _continues(block: Block, following: Block) -> bool:
    if following.kind is not Kind.TEXT or block.kind not in (Kind.TEXT, Kind.ITEM):
        return False
    if not block.text or not following.text or block.text[-1] in ".!?:;。！？":
        return False
    last_line = block.raw.rsplit("\n", 1)[-1]
    unfinished = last_line.rsplit(None, 1)[-1].lower() in DANGLING
    return unfinished or following.text[0].islower() or len(last_line) >= _WRAPPED


def split_sentences(text: str) -> list[str]:
    """Return the sentences of one statement, each with its closing mark.

    >>> split_sentences("Dr. Adams uses v1.2, e.g. at work. So do I! 私は猫が好き。犬も。")
    ['Dr. Adams uses v1.2, e.g. at work.', 'So do I!', '私は猫が好き。', '犬も。']
    """
    found = []
    start = 0
    for end in _END.finditer(text):
        if end[0] == "." and _ABBREVIATION.search(text, max(start, end.end() - 12), end.end()):
            continue
        found.append(text[start : end.end()].strip())
        start = end.end()
    found.append(text[start:].strip())
    return [sentence for sentence in found if sentence]


def sentences(text: str) -> list[str]:
    """Return all sentences of a text; a code block counts as one."""
    found: list[str] = []
    for block in blocks(text):
        if block.kind is Kind.CODE:
            found.append(block.text)
        else:
            found.extend(split_sentences(block.text))
    return found


# Sentences as lists of plain words: short forms written out, case and marks gone.

# what somebody wants stands at the beginning or the end of a long message
_HEAD = 16_000
_TAIL = 4_000

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?(?:[-/_][^\W_]+)*")
_QUOTED = re.compile(
    r"""“[^”\n]{1,200}”|"[^"\n]{1,200}"|(?<![\w’'])‘[^’\n]{1,200}’(?!\w)|(?<![\w’'])'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w)){1,200}'(?!\w)"""
)
_SUFFIXES = {"n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_IS_AFTER = word_set("what who where when how why which it that this there here he she name")
_WOULD = re.compile(r"\bid(?=\s+(?:rather|prefer|love|like)\b)")
# words by which a message is understood, and so worth reading with a slip of the fingers in them
_TELLING = word_set("remember reminder prefer preference favourite allergic decided important always")


@dataclass(frozen=True, slots=True)
class Sentence:
    """What was said: the text, what of it is not quoted, and its words."""

    text: str
    own: str
    words: tuple[str, ...]

    @classmethod
    def of(cls, text: str) -> Sentence:
        """Read a sentence."""
        own = _QUOTED.sub(_without_quotation, text)
        return cls(text, own, spoken_words(own))

    @property
    def said(self) -> str:
        """The words joined by single spaces, as phrases are matched."""
        return " ".join(self.words)


def spoken_words(text: str) -> tuple[str, ...]:
    """Return the words in lower case, short forms written out.

    >>> spoken_words("I don't think it's Anna's, let's see")
    ('i', 'do', 'not', 'think', 'it', 'is', 'anna', "'s", 'let', 'us', 'see')
    """
    found: list[str] = []
    for match in _WORD.finditer(_WOULD.sub("i'd", text.casefold())):
        found += _written_out(match[0].replace("’", "'"))
    return tuple(found)


def spellings(text: str) -> dict[str, str]:
    """Return how each spoken word is spelled in a text.

    >>> spellings("What's Anna's IBAN?")
    {'what': 'What', 'anna': 'Anna', 'iban': 'IBAN'}
    """
    stems = (re.split("['’]", match[0])[0] for match in _WORD.finditer(text))
    return {stem.casefold(): stem for stem in stems}


def sentences_of(message: str) -> list[Sentence]:
    """Return what is said in the beginning and the end of a message; code and quoted lines are left out."""
    text = message if len(message) <= _HEAD + _TAIL else f"{message[:_HEAD]}\n\n{message[-_TAIL:]}"
    return [
        Sentence.of(part)
        for block in blocks(text)
        if block.kind is not Kind.CODE and not block.raw.lstrip().startswith(">")
        for part in split_sentences(plain_text(block.text))
    ]


def _without_quotation(match: re.Match[str]) -> str:
    """What somebody is quoted with says nothing about the speaker; a single word in quotes is a name."""
    return ' "" ' if " " in match[0].strip() else match[0]


def _written_out(word: str) -> tuple[str, ...]:
    if word in WRITTEN_OUT:
        return WRITTEN_OUT[word]
    if "'" not in word:
        return (_SLIPS.get(word, word),)
    for suffix, full in _SUFFIXES.items():
        if word.endswith(suffix) and len(word) > len(suffix):
            return (word.removesuffix(suffix), full)
    if word.endswith("'s"):
        stem = word.removesuffix("'s")
        return (stem, "is" if stem in _IS_AFTER else "'s")
    return (word,)


def _slips(word: str) -> set[str]:
    """Return the word with one inner letter left out, one doubled, or two neighbours swapped."""
    inner = range(1, len(word) - 1)
    left_out = {word[:at] + word[at + 1 :] for at in inner}
    doubled = {word[:at] + word[at] + word[at:] for at in inner}
    swapped = {word[:at] + word[at + 1] + word[at] + word[at + 2 :] for at in inner}
    return (left_out | doubled | swapped) - {word}


_SLIPS = {slip: word for word in _TELLING for slip in _slips(word)}
