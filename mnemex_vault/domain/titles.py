"""The title a person would have chosen for a memory."""

from __future__ import annotations

from itertools import islice

import regex

from mnemex_vault.domain.plain_text import plain_text
from mnemex_vault.domain.sentences import Block, Kind, blocks, split_sentences
from mnemex_vault.domain.third_person import third_person
from mnemex_vault.domain.words_titles import EMPTY, GENERIC_HEADINGS, LOWER_CASE_NAMES

MAX_TITLE = 60
UNTITLED = "Untitled memory"
CUT = "…"
# a title comes from the beginning of a text, however long it is
_LOOK_AT = 6_000
_BLOCKS = 20
_SENTENCES = 5

_URL = regex.compile(r"(?:https?://|www\.)[^\s<>\"]+")
_QUOTES = regex.compile(r"[\"“”„«»‹›「」『』]|(?<!\w)['‘]([^'’]{1,80})['’](?!\w)")
_EDGE_TAGS = regex.compile(r"^(?:#[\p{L}\p{N}_/-]+\s+)+(?=\S)|(?:\s+#(?=[\p{N}_/-]*\p{L})[\p{L}\p{N}_/-]+)+$")
_LEAD = regex.compile(
    r"(?:(?:please|ok(?:ay)?|so|also|and|btw|by\s+the\s+way|just\s+so\s+you\s+know|actually|well|hey|hi|hello|claude|for\s+the\s+record"
    r"|for\s+future\s+reference|going\s+forward|from\s+now\s+on|as\s+(?:a\s+)?(?:note|reminder))\b\s*[,:!]\s*|please\s+"
    r"|(?:can|could|would|will)\s+you\s+(?=(?:please\s+)?(?:remember|note|save|store|keep)\b)"
    r"|(?:don['’]?t|do\s+not|never)\s+forget\s*(?::|,|that\b|to\b)\s*"
    r"|(?:always\s+)?(?:remember|note|recall|memori[sz]e|be\s+aware|take\s+note|keep\s+in\s+mind|bear\s+in\s+mind|make\s+a\s+note)"
    r"(?:\s+(?:this|the\s+following|for\s+(?:me|later|next\s+time)))?\s*(?:[:,]|\s-|\b(?:that|to|of)\b)\s*"
    r"|(?:save|store|record|log|write\s+down)\s+(?:this|the\s+following|that)(?:\s+(?:down|for\s+(?:me|later)))?\s*(?:[:,]|\s-)\s*"
    r"|(?:note(?:\s+to\s+self)?|reminder|remember|important|fyi|info|tip|warning|correction|memo|memory|todo|to-do|update|fact|nb|n\.b\.|p\.?s|tl;?dr"
    r"|user\s+preference|preference)\s*(?::|\s-)\s*"
    r"|merke?\s+dir\s*:\s*|bitte\s+(?=merk)|(?:rappelle-toi|souviens-toi|n['’]oublie\s+pas)\s*(?::|que\b|de\b)\s*"
    r"|(?:recuerda|no\s+olvides)\s*(?::|que\b)\s*|(?:请|請)?(?:记住|記住|记得|記得)[:：,，]?\s*|(?:覚えておいて|メモ)[:：、。]\s*)",
    regex.I,
)
_TAIL = regex.compile(r"(?:を覚えて(?:おいて)?(?:ください)?|,?\s+please)$", regex.I)
_COMMENT = regex.compile(r"\s*(?:#!.*|#+|//+|--+|/\*+|\*+/?|<!--|;+|\"\"\")\s*")
_EDGES = r"[\s\p{Pd}\p{Po}\p{Pc}|=~^`$<>]"
_LEADING = regex.compile(
    rf"^(?:(?!(?:[@#&%/]|(?<!\.)\.)\w){_EDGES}|[\p{{So}}\p{{Sk}}\uFE0F\u200D](?=.*[\p{{L}}\p{{N}}])|[)\]}}])+"
)
# read backwards, so that it looks at the end of the text only
_TRAILING = regex.compile(rf"(?r)(?:(?<!\b[CF])(?:{_EDGES}|[(\[{{])|(?<=\b[CF])(?!#){_EDGES})+$")
_LETTER = regex.compile(r"\p{L}")
# where a clause may end, in any script
_MARK = regex.compile(r"[,;:—–(](?=\s)|\s[—–(-]|[，、；：،؛।]")
_GRAPHEME = regex.compile(r"\X")
_LONGEST_GRAPHEME = 40
_WORD = regex.compile(r"[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}+#_]|['’.-](?=[\p{L}\p{N}]))*")


def title_of(content: str) -> str:
    """Return what a text says first, whole in at most 60 characters, or cut between two words with an ellipsis.

    >>> title_of("Remember that I prefer TypeScript over JavaScript.")
    'Prefers TypeScript over JavaScript'
    """
    start = list(islice(blocks(content[:_LOOK_AT]), _BLOCKS))
    for source in _sources(start):
        title = _phrase(source)
        if title:
            return title
    return _cut(_tidy(plain_text(content[:_LOOK_AT]))) or UNTITLED


def _sources(start: list[Block]) -> list[str]:
    """Give the places a title may come from, best first: a heading, a telling sentence, any sentence, code."""
    heading = _heading(start)
    said = [part for block in start if block.kind in (Kind.TEXT, Kind.ITEM) for part in split_sentences(_spoken(block))]
    telling = [part for part in said[:_SENTENCES] if _tells(part)]
    code = [_COMMENT.sub("", line) for block in start if block.kind is Kind.CODE for line in block.text.splitlines()]
    generic = [plain_text(block.text) for block in start if block.kind is Kind.HEADING]
    return [*heading, *telling[:1], *said[:_SENTENCES], *filter(None, code), *generic]


def _spoken(block: Block) -> str:
    return plain_text(_EDGE_TAGS.sub("", block.text.strip()))


def _heading(start: list[Block]) -> list[str]:
    for position, block in enumerate(start):
        if block.kind is Kind.HEADING and (position == 0 or block.level == 1):
            text = plain_text(block.text)
            words = (word.lower() for word in _WORD.findall(text))
            return [] if all(word in GENERIC_HEADINGS or not _LETTER.search(word) for word in words) else [text]
    return []


def _tells(sentence: str) -> bool:
    rest = _without_lead(sentence)
    return any(word.lower() not in EMPTY for word in _WORD.findall(rest))


def _phrase(sentence: str) -> str:
    text = _URL.sub(lambda match: _address_words(match[0]), sentence)
    return _cut(_capitalised(third_person(_without_lead(_tidy(text)))))


def _address_words(url: str) -> str:
    """Return what a web address points to, in words."""
    host, _, path = regex.sub(r"^(?:https?://)?(?:www\.)?", "", url).partition("/")
    parts = [part for part in regex.split(r"[?#]", path)[0].split("/") if part]
    last = regex.sub(r"\.\w{1,5}$", "", parts[-1]) if parts else ""
    return f"{host} {regex.sub(r'[-_+%]+', ' ', last)}".strip()


def _without_lead(text: str) -> str:
    for _ in range(4):
        shorter = _LEAD.sub("", text, count=1) if _LEAD.match(text) else text
        if shorter == text or not _WORD.search(shorter):
            break
        text = shorter
    return text


def _tidy(text: str) -> str:
    text = _TAIL.sub("", _QUOTES.sub(r"\1", " ".join(text.split())))
    text = _LEADING.sub("", text)
    closing = "" if any(mark in text for mark in "([{") else ")]}"
    while True:
        shorter = _TRAILING.sub("", text).rstrip(closing or " ")
        if shorter == text:
            return text
        text = shorter


def _cut(text: str) -> str:
    """Return a text whole if it has room, else its beginning with an ellipsis.

    The beginning ends at a mark near its end, else with a word, else, where no word ends, with a grapheme.
    """
    if len(text) <= MAX_TITLE:
        return text
    room = MAX_TITLE - len(CUT)
    ends = [match.end() for match in _GRAPHEME.finditer(text[: MAX_TITLE + _LONGEST_GRAPHEME]) if match.end() <= room]
    kept = text[: ends[-1] if ends else room]
    marks = [match.start() for match in _MARK.finditer(kept) if match.start() > room * 2 // 3]
    words = kept if text[len(kept)].isspace() else kept.rpartition(" ")[0]
    return f"{_tidy(kept[: marks[-1]] if marks else words if len(words) > room // 2 else kept)}{CUT}"


def _capitalised(text: str) -> str:
    first = text.split(" ", 1)[0]
    letters = first.rstrip(",:").replace("'", "").replace("’", "")
    if letters.isalpha() and letters.islower() and letters not in LOWER_CASE_NAMES:
        return text[0].upper() + text[1:]
    return text
