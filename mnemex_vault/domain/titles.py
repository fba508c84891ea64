"""The title a person would have chosen for a memory."""

from __future__ import annotations

from itertools import islice

import regex

from mnemex_vault.domain.plain_text import plain_text
from mnemex_vault.domain.sentences import Block, Kind, blocks, split_sentences
from mnemex_vault.domain.third_person import third_person
from mnemex_vault.domain.words_titles import DANGLING, EMPTY, GENERIC_HEADINGS, LOWER_CASE_NAMES

MAX_TITLE = 60
UNTITLED = "Untitled memory"
# a title comes from the beginning of a text, however long it is
_LOOK_AT = 6_000
_BLOCKS = 20
_SENTENCES = 5
_SHORTEST_CLAUSE = 22

_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_DAY = r"[0-3]?\d(?:st|nd|rd|th)?"
_WEEKDAY = r"(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s+)?"
_DATE = regex.compile(
    rf"(?:\b(?:on|since|by|until|from|as\s+of|before|after|dated|at)\s+)?[\[(]?\b{_WEEKDAY}"
    rf"(?:\d{{4}}[-/]\d{{1,2}}[-/]\d{{1,2}}(?:[T ]\d{{1,2}}:\d{{2}}(?::\d{{2}})?(?:Z|[+-]\d{{2}}:?\d{{2}})?)?"
    rf"|\d{{1,2}}[./]\d{{1,2}}[./]\d{{4}}|{_DAY}\s+(?:of\s+)?{_MONTH}(?:,?\s+\d{{4}})?\b|{_MONTH}\s+{_DAY}\b(?:,?\s+\d{{4}})?)"
    r"[\])]?",
    regex.I,
)
_CJK_DATE = regex.compile(r"(?:\d{4}年)?\d{1,2}月\d{1,2}[日号號](?:に|から)?")
_ID = regex.compile(
    r"\(?\b(?:id[:=]?\s*)?(?:[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|(?=[a-f]*\d)[0-9a-f]{12,64})\b\)?:?", regex.I
)
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
    r"|(?:i\s+(?:think|believe|guess|feel\s+like)|it\s+is\s+important|it['’]s\s+important|i\s+want\s+you\s+to\s+(?:know|remember))\s+(?:that\s+)?"
    r"(?=(?:i|we|my|our|the|it)\b)"
    r"|here(?:['’]s|\s+(?:is|are))\b[^:.]{0,60}:\s+"
    r"|merke?\s+dir\s*:\s*|bitte\s+(?=merk)|(?:rappelle-toi|souviens-toi|n['’]oublie\s+pas)\s*(?::|que\b|de\b)\s*"
    r"|(?:recuerda|no\s+olvides)\s*(?::|que\b)\s*|(?:请|請)?(?:记住|記住|记得|記得)[:：,，]?\s*|(?:覚えておいて|メモ)[:：、。]\s*)",
    regex.I,
)
_TAIL = regex.compile(r"(?:を覚えて(?:おいて)?(?:ください)?|,?\s+please)$", regex.I)
_SUBORDINATE = regex.compile(
    r"^(?:when|whenever|if|while|after|before|because|since|although|though|for|in|on|at|during|as|with)\b[^,]{3,200},\s+(?=.{15})",
    regex.I,
)
_CLAUSE = regex.compile(
    r"[;:—–(]|\s-\s|,\s|[，、；：]|\s(?:because|since|so|which|when|while|although|after|before|if|unless|but|and|with)\s",
    regex.I,
)
_PREPOSITION = regex.compile(r"\s(?:about|as|at|by|for|from|in|into|of|on|over|per|through|to|under|via)\s", regex.I)
_COMMENT = regex.compile(r"\s*(?:#!.*|#+|//+|--+|/\*+|\*+/?|<!--|;+|\"\"\")\s*")
_EDGES = r"[\s\p{Pd}\p{Po}\p{Pc}|=~^`$<>]"
_LEADING = regex.compile(
    rf"^(?:(?!(?:[@#&%/]|(?<!\.)\.)\w){_EDGES}|[\p{{So}}\p{{Sk}}\uFE0F\u200D](?=.*[\p{{L}}\p{{N}}])|[)\]}}])+"
)
# read backwards, so that it looks at the end of the text only
_TRAILING = regex.compile(rf"(?r)(?:(?<!\b[CF])(?:{_EDGES}|[(\[{{])|(?<=\b[CF])(?!#){_EDGES})+$")
_WORD = regex.compile(r"[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}+#_]|['’.-](?=[\p{L}\p{N}]))*")


def title_of(content: str) -> str:
    """Return a phrase of 1 to 60 characters: no markdown, id, date or closing punctuation in it.

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
            words = [word.lower() for word in _WORD.findall(_without_dates(text))]
            return [] if all(word in GENERIC_HEADINGS for word in words) else [text]
    return []


def _tells(sentence: str) -> bool:
    rest = _without_lead(sentence)
    return any(word.lower() not in EMPTY for word in _WORD.findall(rest))


def _phrase(sentence: str) -> str:
    text = _link_words(_without_dates(sentence))
    text = third_person(_without_lead(_tidy(text)))
    if len(text) > MAX_TITLE:
        text = third_person(_SUBORDINATE.sub("", text, count=1))
    return _capitalised(_shortened(_tidy(text)))


def _without_dates(text: str) -> str:
    shorter = _ID.sub(" ", _CJK_DATE.sub(" ", _DATE.sub(" ", text)))
    if shorter == text:
        return text
    shorter = regex.sub(r"\s+([,.;:!?])", r"\1", " ".join(shorter.split()))
    return _without_dangling(_tidy(regex.sub(r"[,;](?=[,;])", "", shorter)))


def _link_words(text: str) -> str:
    """Leave a web address out, or say what it points to if it is all there is."""
    if not _URL.search(text):
        return text
    rest = _tidy(_URL.sub(" ", text))
    if len(_WORD.findall(rest)) >= 2:
        return _without_dangling(rest)
    return str(_URL.sub(lambda match: _address_words(match[0]), text))


def _address_words(url: str) -> str:
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


def _shortened(text: str) -> str:
    if len(text) <= MAX_TITLE:
        return text
    for boundary in (_CLAUSE, _PREPOSITION):
        ends = [match.start() for match in boundary.finditer(text[: MAX_TITLE + 2])]
        fitting = [end for end in ends if _SHORTEST_CLAUSE <= end <= MAX_TITLE]
        if fitting:
            return _without_dangling(_tidy(text[: fitting[-1]]))
    return _without_dangling(_cut(text))


def _cut(text: str) -> str:
    """Cut on a word boundary, or between graphemes where there is none."""
    if len(text) <= MAX_TITLE:
        return text
    words = text[: MAX_TITLE + 1].rsplit(None, 1)[0]
    if len(words) <= MAX_TITLE and len(words) > _SHORTEST_CLAUSE // 2:
        return _tidy(words)
    ends = [grapheme.end() for grapheme in regex.finditer(r"\X", text[: MAX_TITLE + 1])]
    return _tidy(text[: max((end for end in ends if end <= MAX_TITLE), default=MAX_TITLE)])


def _without_dangling(text: str) -> str:
    words = text.split(" ")
    while len(words) > 1 and words[-1].lower() in DANGLING:
        words.pop()
    return _tidy(" ".join(words))


def _capitalised(text: str) -> str:
    first = text.split(" ", 1)[0]
    letters = first.rstrip(",:").replace("'", "").replace("’", "")
    if letters.isalpha() and letters.islower() and letters not in LOWER_CASE_NAMES:
        return text[0].upper() + text[1:]
    return text
