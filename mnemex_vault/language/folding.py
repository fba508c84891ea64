"""Spellings that mean the same: one form for all cases, accents, compatibility forms, optional marks and digits."""

from __future__ import annotations

import re
import unicodedata

# what may stand inside a word without being seen; joiners between pictures are part of them
_INVISIBLE = re.compile(r"[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]|(?<=\w)[\u200c\u200d](?=\w)")
# vowel signs, cantillation and the stretching of Arabic and Hebrew
_OPTIONAL_MARKS = re.compile(
    r"[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06ed]"
)
# a breve or diaeresis makes another letter of Cyrillic, other accents do not
_ACCENTS = re.compile(r"(?<![\u0400-\u04ff])[\u0300-\u036f]|[\u0300\u0301]")
_ONE_LETTER = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "æ": "ae", "œ": "oe", "ı": "i", "þ": "th", "ħ": "h"}
    | {"ё": "е"}
    | dict.fromkeys("أإآٱ", "ا")
    | {"ى": "ي", "ی": "ي", "ئ": "ي", "ک": "ك", "ة": "ه", "ؤ": "و", "ء": ""}
    | dict(zip("ךםןףץ", "כמנפצ", strict=True))
)


def seen(text: str) -> str:
    r"""Return the text composed, and without characters inside words that are not seen.

    >>> seen("data\u00adbase")
    'database'
    """
    return text if text.isascii() else _INVISIBLE.sub("", unicodedata.normalize("NFC", text))


def fold(text: str) -> str:
    """Return the text without case, accents, optional marks and compatibility forms.

    >>> fold("Ｃafé Ångström STRASSE straße"), fold("مدرسةُ ٤٥"), fold("Йод, ёлка")
    ('cafe angstrom strasse strasse', 'مدرسه 45', 'йод, елка')
    """
    if text.isascii():
        return text.lower()
    # compatibility forms such as mathematical letters get their case only by being decomposed
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    plain = _ACCENTS.sub("", _OPTIONAL_MARKS.sub("", decomposed.translate(_ONE_LETTER)))
    return _digits(unicodedata.normalize("NFC", plain).translate(_ONE_LETTER))


def _digits(text: str) -> str:
    if text.isascii() or not any(character.isdecimal() for character in text):
        return text
    return "".join(str(unicodedata.decimal(each)) if each.isdecimal() else each for each in text)


# When two names are one.


def name_key(name: str) -> str:
    r"""Return what two names share if file systems or Obsidian may take them for one: normal form, case folded.

    >>> name_key("E\u0301tude") == name_key("étude")
    True
    """
    if name.isascii():
        return name.lower()
    folded = unicodedata.normalize("NFC", unicodedata.normalize("NFD", name).casefold())
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", folded).casefold())
