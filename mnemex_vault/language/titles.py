"""The title a person would have chosen for a memory."""

from __future__ import annotations

import re
from itertools import islice

import regex

from mnemex_vault.language.sentences import Block, Kind, blocks, cut_to, plain_text, split_sentences
from mnemex_vault.language.words import (
    ADVERBS,
    EMPTY,
    GENERIC_HEADINGS,
    LOWER_CASE_NAMES,
    MODALS,
    PARTICIPLES,
    PASTS,
    VERBS,
)

# Sentences in the first person as another person would note them: "I prefer tea" is "Prefers tea".

_SHORT = {"m": "am", "ve": "have", "d": "would", "ll": "will"}
_SUBJECT = re.compile(r"i(?:['’](m|ve|d|ll))?\s+(.+)", re.I | re.S)
_USER = re.compile(r"(?:the\s+)?user\s+(.+)", re.I | re.S)
_WE_DECIDED = re.compile(r"we(?:['’]ve|\s+have)?\s+((?:decided|agreed|chose|settled|picked)\b.+)", re.I | re.S)
_IRREGULAR = {"do": "does", "have": "has", "go": "goes"}
_NO_PASTS = frozenset({"breed", "speed", "bleed", "exceed", "proceed", "succeed", "embed", "shred"})
_ARTICLE = re.compile(r"an?\s+", re.I)


def third_person(sentence: str) -> str:
    """Return the sentence without its first-person subject; others, and other languages, come back as they are.

    >>> third_person("I always use tabs"), third_person("I'm allergic to nuts"), third_person("I gatti sono neri")
    ('always uses tabs', 'allergic to nuts', 'I gatti sono neri')
    """
    decided = _WE_DECIDED.fullmatch(sentence)
    if decided:
        return decided[1]
    user = _USER.fullmatch(sentence)
    if user:
        return _of_user(user[1]) or sentence
    own = _SUBJECT.fullmatch(sentence)
    if not own:
        return sentence
    return _predicate(f"{_SHORT[own[1].lower()]} {own[2]}" if own[1] else own[2]) or sentence


def _of_user(predicate: str) -> str | None:
    first, _, rest = predicate.partition(" ")
    word = first.lower()
    if word in ("is", "am"):
        return _being(rest)
    known = is_third(word) or word in MODALS or word in ADVERBS or word in ("has", "doesn't", "isn't") or is_past(word)
    return predicate if known else None


def _predicate(text: str) -> str | None:
    first, _, rest = text.partition(" ")
    word = first.lower().replace("’", "'")
    if word == "am":
        return _being(rest)
    if word == "have":
        return _having(rest)
    if word in ("don't", "do") and (word == "don't" or rest.startswith("not ")):
        return f"doesn't {rest.removeprefix('not ')}"
    return _plain(first, word, rest)


def _plain(first: str, word: str, rest: str) -> str | None:
    if word in ADVERBS:
        following = _predicate(rest) if rest else None
        return f"{first} {following}" if following else None
    if word in MODALS or word == "haven't" or is_past(word):
        return f"{first} {rest}".strip()
    return f"{_third(word)} {rest}".strip() if word in VERBS else None


def _being(rest: str) -> str | None:
    article = _ARTICLE.match(rest)
    return (rest[article.end() :] if article else rest) or None


def _having(rest: str) -> str:
    word, _, more = rest.partition(" ")
    if word == "got" and more:
        return f"has {more}"
    done = word != "been" and (word in PARTICIPLES or is_past(word)) and more
    return rest if done else f"has {rest}"


def is_third(word: str) -> bool:
    """Tell whether a word is a known verb in the third person."""
    return word in _THIRDS


def is_past(word: str) -> bool:
    """Tell whether a word looks like a verb in the past."""
    return word in PASTS or (word.endswith("ed") and word not in VERBS | _NO_PASTS and len(word) > 4)


def _third(verb: str) -> str:
    if verb in _IRREGULAR:
        return _IRREGULAR[verb]
    if verb.endswith(("s", "sh", "ch", "x", "z", "o")):
        return verb + "es"
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + "s"


_THIRDS = frozenset(_third(verb) for verb in VERBS)


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
# letters of scripts that part words by spaces, read backwards
_SPACED_LETTERS = regex.compile(r"(?r)[\p{Latin}\p{Greek}\p{Cyrillic}\p{Arabic}\p{Hebrew}\p{N}]+$")
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
    kept = cut_to(text, room)
    marks = [match.start() for match in _MARK.finditer(kept) if match.start() > room * 2 // 3]
    words = kept if text[len(kept)].isspace() else kept.rpartition(" ")[0]
    if len(words) <= room // 2:
        words = _to_a_seam(kept, text[len(kept)])
    return f"{_tidy(kept[: marks[-1]] if marks else words)}{CUT}"


def _to_a_seam(kept: str, following: str) -> str:
    """Return a beginning without spaces, without the part of a word of letters that stand in words."""
    whole = _SPACED_LETTERS.sub("", kept) if _SPACED_LETTERS.match(following) else kept
    return whole if len(whole) > MAX_TITLE // 3 else kept


def _capitalised(text: str) -> str:
    first = text.split(" ", 1)[0]
    letters = first.rstrip(",:").replace("'", "").replace("’", "")
    if letters.isalpha() and letters.islower() and letters not in LOWER_CASE_NAMES:
        return text[0].upper() + text[1:]
    return text
