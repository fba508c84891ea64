"""Sentences as lists of plain words: short forms written out, case and marks gone."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mnemex_vault.domain.plain_text import plain_text
from mnemex_vault.domain.sentences import Kind, blocks, split_sentences
from mnemex_vault.domain.words import word_set

# what somebody wants stands at the beginning or the end of a long message
_HEAD = 16_000
_TAIL = 4_000

_WORD = re.compile(r"[^\W_]+(?:['’][^\W\d_]+)?(?:[-/_][^\W_]+)*")
_QUOTED = re.compile(
    r"""“[^”\n]{1,200}”|"[^"\n]{1,200}"|(?<![\w’'])‘[^’\n]{1,200}’(?!\w)|(?<![\w’'])'(?=\S)(?:[^'\n]|(?<=\w)'(?=\w)){1,200}'(?!\w)"""
)
_SUFFIXES = {"n't": "not", "'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_WHOLE = {
    "can't": ("can", "not"),
    "cannot": ("can", "not"),
    "won't": ("will", "not"),
    "shan't": ("shall", "not"),
    "let's": ("let", "us"),
    "gonna": ("going", "to"),
    "im": ("i", "am"),
    "ive": ("i", "have"),
    "dont": ("do", "not"),
    "didnt": ("did", "not"),
    "doesnt": ("does", "not"),
    "cant": ("can", "not"),
    "wont": ("will", "not"),
    "isnt": ("is", "not"),
    "whats": ("what", "is"),
    "wheres": ("where", "is"),
    "whos": ("who", "is"),
    "thats": ("that", "is"),
    "weve": ("we", "have"),
    "youre": ("you", "are"),
    "youve": ("you", "have"),
    "theyre": ("they", "are"),
    "arent": ("are", "not"),
    "wasnt": ("was", "not"),
    "werent": ("were", "not"),
    "hasnt": ("has", "not"),
    "havent": ("have", "not"),
    "couldnt": ("could", "not"),
    "wouldnt": ("would", "not"),
    "shouldnt": ("should", "not"),
    "hows": ("how", "is"),
    "wanna": ("want", "to"),
    "gotta": ("have", "to"),
    "u": ("you",),
    "ur": ("your",),
    "plz": ("please",),
    "pls": ("please",),
    "favor": ("favour",),
    "favors": ("favours",),
    "favorite": ("favourite",),
    "favorites": ("favourites",),
}
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
    if word in _WHOLE:
        return _WHOLE[word]
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
