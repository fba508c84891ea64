"""What a message asks of a memory: to keep something, to look something up, to confirm what is known.

Each finding sums weighted signals, the sum s gives a confidence `1 / (1 + e^(2 - s))`, and it acts at 0.7 and above.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from mnemex_vault.domain.entities import Entity, entities_of
from mnemex_vault.domain.recall_intent import recall_signals, speaks_of_somebody
from mnemex_vault.domain.save_intent import save_signals
from mnemex_vault.domain.secrets import find_secrets
from mnemex_vault.domain.spoken import Sentence, sentences_of, spellings
from mnemex_vault.domain.tags import clean_tag
from mnemex_vault.domain.word_lists import Lexicon
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_titles import ADVERBS, EMPTY, MODALS
from mnemex_vault.language.vetoes import Veto, touched, vetoes

ACT_AT = 0.7
_BIAS = -2.0
_MOST_TAGS = 3
_QUERY_WORDS = 12

TENTATIVE, NORMAL, IMPORTANT, CRITICAL = 0.5, 1.0, 1.5, 2.0

_KIND_TAGS = {"preference": "preferences", "standing": "preferences", "decision": "decisions"}
_QUESTION_WORDS = word_set(
    """
    what which who whose whom where when why how tell remind remember recall know did does do was were have
    """
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SaveFinding:
    """Whether a message holds something to keep; `signals` are weights by name, `reasons` sentences for people.

    `veto` is what forbids to keep any of it.
    """

    should_save: bool
    confidence: float
    entities: tuple[Entity, ...]
    tags: tuple[str, ...]
    strength: float
    reasons: tuple[str, ...]
    signals: Mapping[str, float]
    sentence: str
    veto: Veto | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RecallFinding:
    """Whether an answer may depend on what is remembered, and what to search for."""

    should_search: bool
    confidence: float
    query: str
    tags: tuple[str, ...]
    entities: tuple[Entity, ...]
    reasons: tuple[str, ...]
    signals: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class ReinforceFinding:
    """Whether a message confirms something known; to mention a thing is not to confirm it."""

    should_reinforce: bool
    confidence: float
    entities: tuple[Entity, ...]
    reasons: tuple[str, ...]
    signals: Mapping[str, float]


def save_finding(message: str, lexicon: Lexicon) -> SaveFinding:
    """Judge whether a message holds something lasting that is worth saving.

    >>> finding = save_finding("Maybe I prefer tabs", Lexicon.of())
    >>> finding.should_save, finding.strength, finding.tags
    (True, 0.5, ('preferences', 'programming'))
    """
    said = sentences_of(message)
    forbidden = touched(vetoes_of(said))
    free = [sentence for sentence, veto in zip(said, forbidden, strict=True) if veto is None]
    veto = next(filter(None, forbidden), None)
    sentence, signals = _strongest(free, lexicon, save_signals)
    confidence = _confidence(signals)
    if veto is not None and confidence < ACT_AT:
        return _vetoed(veto, confidence)
    strength, why = _strength(signals)
    return SaveFinding(
        should_save=confidence >= ACT_AT,
        confidence=confidence,
        entities=entities_of(message if veto is None else "\n".join(each.text for each in free), lexicon),
        tags=_tags(sentence, signals, lexicon),
        strength=strength,
        reasons=(*_reasons(signals), why),
        signals=signals,
        sentence=sentence.text if sentence else "",
    )


def vetoes_of(sentences: Sequence[Sentence]) -> list[Veto | None]:
    """Return what forbids keeping each sentence of one message."""
    return vetoes([each.text for each in sentences], (bool(find_secrets(each.text)) for each in sentences))


def _vetoed(veto: Veto, confidence: float) -> SaveFinding:
    return SaveFinding(
        should_save=False,
        confidence=confidence,
        entities=(),
        tags=(),
        strength=NORMAL,
        reasons=(_VETOES[veto],),
        signals={"veto": _BIAS},
        sentence="",
        veto=veto,
    )


def recall_finding(message: str, lexicon: Lexicon) -> RecallFinding:
    """Judge whether the answer to a message may depend on what is remembered of the person.

    >>> recall_finding("What's my dog's name?", Lexicon.of()).query
    "dog's name"
    """
    said = sentences_of(message)
    own = [each for each, veto in zip(said, vetoes_of(said), strict=True) if veto not in (Veto.PASTED, Veto.SECRET)]
    acquainted = speaks_of_somebody(message, lexicon)

    def signals_of(sentence: Sentence, lexicon: Lexicon) -> dict[str, float]:
        return recall_signals(sentence, lexicon, acquainted=acquainted)

    sentence, signals = _strongest(own, lexicon, signals_of)
    confidence = _confidence(signals)
    return RecallFinding(
        should_search=confidence >= ACT_AT,
        confidence=confidence,
        query=_query(sentence, lexicon),
        tags=_topics(sentence, lexicon),
        entities=entities_of("\n".join(each.text for each in own), lexicon),
        reasons=_reasons(signals),
        signals=signals,
    )


def reinforce_finding(message: str, lexicon: Lexicon) -> ReinforceFinding:
    """Judge whether a message confirms something that is remembered.

    >>> reinforce_finding("Yes, that's still true.", Lexicon.of()).should_reinforce
    True
    """
    signals: dict[str, float] = {}
    said = sentences_of(message)
    for sentence, veto in zip(said, touched(vetoes_of(said)), strict=True):
        if veto is None and not sentence.asks and lexicon.find("reinforce", sentence.said):
            signals = {"confirmation": 4.0}
    return ReinforceFinding(
        should_reinforce=bool(signals),
        confidence=_confidence(signals),
        entities=entities_of(message, lexicon),
        reasons=_reasons(signals),
        signals=signals,
    )


_VETOES = {
    Veto.REFUSED: "it was asked not to be kept",
    Veto.PASTED: "it is quoted or pasted",
    Veto.FICTION: "it is made up",
    Veto.SECRET: "it holds a key or password",
}
_REASONS = {
    "request": "it asks to remember something",
    "decision": "it states a decision",
    "preference": "it states a preference",
    "lasting": "it states a lasting fact about the speaker or theirs",
    "standing": "it gives an instruction for the future",
    "correction": "it corrects something",
    "put_right": "it says what is right instead",
    "important": "it says that this is important",
    "critical": "it says that this is critical",
    "uncertain": "the speaker is not sure",
    "question": "it is a question",
    "hypothetical": "it is only imagined",
    "passing": "it is about the moment",
    "recall": "it refers to something said before",
    "personal": "it asks about the speaker or theirs",
    "depends": "the answer depends on the person",
    "known_person": "it asks about somebody by first name",
    "shared": "it asks about something that both are taken to know",
    "general": "it is a general question",
    "confirmation": "it confirms something known",
}


def _strongest(
    sentences: Sequence[Sentence], lexicon: Lexicon, signals_of: Callable[[Sentence, Lexicon], dict[str, float]]
) -> tuple[Sentence | None, dict[str, float]]:
    best: tuple[Sentence | None, dict[str, float]] = (None, {})
    for sentence in sentences:
        signals = signals_of(sentence, lexicon)
        if best[0] is None or _confidence(signals) > _confidence(best[1]):
            best = (sentence, signals)
    return best


def _confidence(signals: Mapping[str, float]) -> float:
    return 1 / (1 + math.exp(-(_BIAS + sum(signals.values()))))


def _reasons(signals: Mapping[str, float]) -> tuple[str, ...]:
    ordered = sorted(signals, key=lambda name: -abs(signals[name]))
    return tuple(_REASONS[name] for name in ordered) or ("nothing in it speaks for it",)


def _strength(signals: Mapping[str, float]) -> tuple[float, str]:
    if "uncertain" in signals:
        return TENTATIVE, "strength 0.5: tentative"
    if "critical" in signals:
        return CRITICAL, "strength 2.0: critical"
    if "important" in signals or "request" in signals:
        return IMPORTANT, "strength 1.5: important, or asked for"
    return NORMAL, "strength 1.0: normal"


def _tags(sentence: Sentence | None, signals: Mapping[str, float], lexicon: Lexicon) -> tuple[str, ...]:
    kinds = [tag for name, tag in _KIND_TAGS.items() if name in signals]
    return tuple(dict.fromkeys([*kinds, *_topics(sentence, lexicon)]))[:_MOST_TAGS]


def _topics(sentence: Sentence | None, lexicon: Lexicon) -> tuple[str, ...]:
    said = set(sentence.words) if sentence else set()
    named = [(-len(words & said), topic) for topic, words in lexicon.topics.items() if words & said]
    tags = (clean_tag(topic) for _, topic in sorted(named))
    return tuple(tag for tag in tags if tag)[:_MOST_TAGS]


def _query(sentence: Sentence | None, lexicon: Lexicon) -> str:
    """The telling words of a question, in the spelling of the person."""
    if sentence is None:
        return ""
    left = lexicon.without("recall", sentence.said).split()
    telling = [word for word in left if word not in _EMPTY_WORDS and len(word) > 1]
    spelled = spellings(sentence.text)
    query = " ".join(spelled.get(word, word) for word in (telling or left)[:_QUERY_WORDS])
    return query.replace(" 's", "'s")


_EMPTY_WORDS = (EMPTY | ADVERBS | MODALS | _QUESTION_WORDS) - {"'s"}
