"""Whether a question names somebody or something that both are taken to know: "when is the deadline"."""

from __future__ import annotations

from itertools import pairwise

from mnemex_vault.domain.asking import ASKING_VERBS
from mnemex_vault.domain.aspect import Words
from mnemex_vault.domain.own_affairs import SPEAKERS
from mnemex_vault.domain.spoken import Sentence, spellings
from mnemex_vault.domain.third_person import is_past
from mnemex_vault.domain.word_lists import Lexicon
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import AT_HOME, PRIVATE_NOUNS, SHARED_NOUNS

_LONGEST = 10
_ASKING = word_set("what when where who which")
_OF_LIFE = word_set("want like love need prefer eat drink study live say tell promise ask hate enjoy wear bring")
_ATTRIBUTES = word_set(
    """
    surname name birthday number phone address size email age wife husband mother father sister brother job diet
    allergy allergies team company employer role handle email e-mail
    """
)
_THAT_WAS = frozenset({("was", "the"), ("were", "the")})
_ORDINALS = word_set("first second third last most best worst only point")


def is_about_shared(words: Words, sentence: Sentence) -> bool:
    """Tell whether the words of a question name a thing that only the two can mean."""
    if len(words) > _LONGEST or words[0] not in _ASKING or words[1:2] == () or words[1] not in ASKING_VERBS:
        return False
    if any(before == "the" and word in AT_HOME for before, word in pairwise(words)):
        return True
    if words[1:3] in _THAT_WAS and _is_small_thing(words[3:], sentence):
        return True
    at = words.index("the") if "the" in words[:3] else -1
    nouns = PRIVATE_NOUNS if "of" in words else SHARED_NOUNS
    return at > 0 and not nouns.isdisjoint(words[at + 1 :])


def _is_small_thing(named: Words, sentence: Sentence) -> bool:
    """Something without a name in the world: "what was the shelf width", not "what was the Silk Road"."""
    named = named[:-1] if named[-1:] in (("called",), ("named",)) else named
    proper = any(spelling[0].isupper() for spelling in list(spellings(sentence.text).values())[1:])
    if proper or not 0 < len(named) < 4:
        return False
    ranked = not _ORDINALS.isdisjoint(named) or named[0].endswith("est")
    return not ranked and not is_past(named[-1]) and "of" not in named


def is_about_somebody(words: Words, sentence: Sentence, lexicon: Lexicon) -> bool:
    """Tell whether the words of a question ask about a person by a name of no list: "what did Aoife want"."""
    spelled = spellings(sentence.text)
    for at in range(1, len(words) - 1):
        word = words[at]
        if word in SPEAKERS or word in lexicon.technologies or not spelled.get(word, word)[0].isupper():
            continue
        lives = words[at - 1] in ("did", "does") and words[at + 1] in _OF_LIFE
        owns = words[at + 1] == "'s" and not _ATTRIBUTES.isdisjoint(words[at + 2 : at + 4])
        if lives or owns:
            return True
    return False
