"""Facts that similar texts must share before they may be taken for the same: numbers, dates, negations, word order."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations

from mnemex_vault.domain.plain_text import plain_text
from mnemex_vault.domain.sentences import sentences
from mnemex_vault.domain.similarity import normalised, token_list
from mnemex_vault.domain.words_facts import DATE_WORDS, NEGATIONS, NUMBER_WORDS, OPPOSITES

_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CJK_NEGATION = re.compile(r"不|没|沒|无|無|非|未|ない|ません|なかった|ず(?=に)|않|없|못")
_MARKUP = re.compile(r"[*_`\[\]<>#~=\\%]")
_MARKS = ".,;:!?…。！？ \t*_\"'()"


def sentence_key(sentence: str) -> str:
    """Return what two wordings of the same sentence have in common.

    >>> sentence_key("I **like** tea!") == sentence_key("i like  tea.")
    True
    """
    plain = plain_text(sentence) if _MARKUP.search(sentence) else sentence
    return normalised(plain).strip(_MARKS)


def differs_in_facts(texts: Sequence[str]) -> tuple[str, ...]:
    """Return why these texts must not be merged without a person; empty if nothing speaks against it.

    Sentences that two texts share are left out of the comparison, and a text that only adds sentences contradicts none.

    >>> differs_in_facts(["The office is on floor 3", "The office is on floor 4"])
    ('they differ in a number: 3 / 4',)
    """
    reasons: list[str] = []
    for one, other in combinations(dict.fromkeys(texts), 2):
        reasons += _differences(*_unshared(one, other))
    return tuple(dict.fromkeys(reasons))


def _unshared(one: str, other: str) -> tuple[str, str]:
    said = [{sentence_key(sentence): sentence for sentence in sentences(text)} for text in (one, other)]
    here = [sentence for key, sentence in said[0].items() if key not in said[1]]
    there = [sentence for key, sentence in said[1].items() if key not in said[0]]
    return " \n".join(here), " \n".join(there)


def _differences(one: str, other: str) -> list[str]:
    if not one or not other:
        return []
    kinds: list[tuple[str, Callable[[str], Iterable[str]]]] = [
        ("a number", _numbers),
        ("a date", lambda text: (word for word in token_list(text) if word in DATE_WORDS)),
        ("a negation", _negations),
        ("an opposite", lambda text: (word for word in token_list(text) if word in OPPOSITES)),
    ]
    found = []
    for name, facts_of in kinds:
        here, there = sorted(facts_of(one)), sorted(facts_of(other))
        if here != there:
            found.append(f"they differ in {name}: {_shown(here)} / {_shown(there)}")
    if not found and _reordered(token_list(one), token_list(other)):
        found.append("they say the same words in another order")
    return found


def _shown(facts: list[str]) -> str:
    return ", ".join(facts) or "none"


def _numbers(text: str) -> Iterable[str]:
    digits = set(_NUMBER.findall(_THOUSANDS.sub("", normalised(text))))
    spelled = {NUMBER_WORDS[word] for word in token_list(text) if word in NUMBER_WORDS}
    return digits | spelled


def _negations(text: str) -> list[str]:
    """Every negation as the same word: "don't" and "do not" say the same."""
    words = [word for word in token_list(text) if word in NEGATIONS or word.replace("’", "'").endswith("n't")]
    return ["not"] * (len(words) + len(_CJK_NEGATION.findall(text)))


def _reordered(one: list[str], other: list[str]) -> bool:
    here, there = Counter(one), Counter(other)
    common = {word for word in here if here[word] == there[word] == 1}
    return [word for word in one if word in common] != [word for word in other if word in common]
