"""Whether a task or a choice cannot be done well without knowing the person it is for."""

from __future__ import annotations

from itertools import pairwise

from mnemex_vault.domain.aspect import Words
from mnemex_vault.domain.own_affairs import SPEAKERS, TASTE, names_own
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import AT_HOME, TEXT_IMPERATIVES

_CHOICES = word_set(
    """
    cook eat wear buy get give read watch play visit book order drink plant invite pack bring do make take choose pick
    call send write name go
    """
)
_USUAL = word_set("usual usually always normally preferred favourite")
# what is chosen for somebody depends on them; what is written for them need not
_CHOSEN_FOR = word_set("plan book recommend suggest pick choose find order reserve cook")
_OUR_TALK = word_set("discussion conversation talk chat session")
_ABOUT_ME = frozenset({("of", "me"), ("about", "me"), ("about", "us"), ("of", "us")})
_DECIDING = word_set("decide choose pick plan prepare")
_SUITING = word_set("suit suits fit fits")
_US = frozenset({"me", "us"})
_AS_USUAL = (
    " the usual ",
    " as usual ",
    " as always ",
    " the way i ",
    " the way we ",
    " like i always ",
    " like we always ",
)
_TOLD_TO = word_set("tell give show help teach let send ask explain get remind")


def depends_on_person(words: Words) -> bool:
    """Tell whether the words of a task need the person to be known; a text at hand needs no looking up.

    >>> depends_on_person(("plan", "my", "week")), depends_on_person(("translate", "my", "letter"))
    (True, False)
    """
    if not _OUR_TALK.isdisjoint(words) and "our" in words:
        return True
    if words[0] in TEXT_IMPERATIVES:
        return _as_usual(words)
    at_home = any(before == "the" and word in AT_HOME for before, word in pairwise(words))
    return at_home or is_for_speaker(words) or _to_taste(words) or _is_of_speaker(words)


def is_choice(words: Words) -> bool:
    """Tell whether a question asks what is best for the one who asks: "what should I cook"."""
    for at, word in enumerate(words[1:], start=1):
        if word in SPEAKERS and words[at - 1] in ("should", "shall"):
            return words[0] != "how" and not _CHOICES.isdisjoint(words[at + 1 : at + 2])
    return False


def is_for_speaker(words: Words) -> bool:
    """Tell whether something is meant for the speaker: "a book for me", "which one would suit us"."""
    pairs = list(pairwise(words))
    if any(before in _SUITING and word in _US for before, word in pairs):
        return True
    return any(
        pair in (("for", "me"), ("for", "us")) and words[at - 1] not in _TOLD_TO for at, pair in enumerate(pairs) if at
    )


def _is_of_speaker(words: Words) -> bool:
    """Who the task is about or done for: "write a bio of me", "help me decide", "recommend me a film"."""
    about = any(pair in _ABOUT_ME for pair in pairwise(words[2:]))
    helped = words[:2] == ("help", "me") and words[2:3] != () and words[2] in _DECIDING
    return about or helped or (words[0] in _CHOSEN_FOR and words[1:2] != () and words[1] in _US)


def _as_usual(words: Words) -> bool:
    said = f" {' '.join(words)} "
    return any(phrase in said for phrase in _AS_USUAL)


def _to_taste(words: Words) -> bool:
    """A task that needs the person's taste: "order my usual pizza", "pick one I like"."""
    liked = any(words[at] in SPEAKERS and TASTE & set(words[at + 1 : at + 3]) for at in range(2, len(words)))
    usual = _USUAL & set(words[1:]) and {"i", "we", "my", "our", "as"} & set(words)
    return names_own(words) or liked or bool(usual) or _as_usual(words)
