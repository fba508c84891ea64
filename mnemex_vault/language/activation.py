"""What a message asks of a memory: to keep something, to look something up, to confirm what is known.

Each sentence is judged for itself, and the surest one decides; at 0.5 and above a finding acts.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mnemex_vault.language.folding import fold
from mnemex_vault.language.intent import (
    Features,
    Intent,
    Judge,
    Veto,
    asks,
    asks_not_to_keep,
    features_of,
    is_known,
    is_refused,
    touched,
    vetoes,
)
from mnemex_vault.language.names import Entity, entities_of
from mnemex_vault.language.phrases import Phrasebook
from mnemex_vault.language.secrets import find_secrets
from mnemex_vault.language.sentences import Sentence, sentences_of, spellings
from mnemex_vault.language.tags import clean_tag
from mnemex_vault.language.tongues import spoken_in, tongues
from mnemex_vault.language.word_lists import Lexicon
from mnemex_vault.language.words import ADVERBS, EMPTY, MODALS, word_set

ACT_AT = 0.5
_MOST_TAGS = 3
_QUERY_WORDS = 12
# sentences this short are also judged together: "Yes. Same desk."
_TOGETHER = 3
_SHORT = 200
_MOST_TOLD = 2
_NOTHING = 0.001
_LIST_OF = {Intent.SAVE: "save", Intent.RECALL: "recall", Intent.CONFIRM: "reinforce"}
_BY_OWN_WORDS = 0.95
_ANYBODY = "Anna"
_LETTERS = re.compile(r"[^\W\d_]+")

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


@dataclass(frozen=True, slots=True)
class Heard:
    """A sentence, or several short ones together, and what the model sees of it."""

    sentence: Sentence
    features: Features

    @classmethod
    def of(cls, sentence: Sentence, lexicon: Lexicon) -> Heard:
        """Look at a sentence; one first name is like another."""
        own = _LETTERS.sub(lambda word: _ANYBODY if word[0] in lexicon.first_names else word[0], sentence.own)
        return cls(sentence, features_of(own, _lists_in(sentence, lexicon)))

    def confidence(self, intent: Intent) -> float:
        """Return how likely it is that the intent is in it."""
        return self.shown(intent)[0]

    def shown(self, intent: Intent) -> tuple[float, Intent]:
        """Return how likely an intent is and how it shows best: what is asked to be kept is to be saved as well."""
        ways = (Intent.SAVE, Intent.ASK) if intent is Intent.SAVE else (intent,)
        return max((Judge.load().confidence(each, self.features), each) for each in ways)


def heard_in(message: str, lexicon: Lexicon) -> list[Heard]:
    """Return the sentences of a message."""
    return [Heard.of(sentence, lexicon) for sentence in sentences_of(message)]


def save_finding(message: str, lexicon: Lexicon) -> SaveFinding:
    """Judge whether a message holds something lasting that is worth saving.

    >>> finding = save_finding("Maybe I prefer tabs", Lexicon.of())
    >>> finding.should_save, finding.strength, finding.tags
    (True, 0.5, ('preferences', 'programming'))
    """
    heard = heard_in(message, lexicon)
    forbidden = touched(vetoes_of(heard, lexicon))
    free = [each for each, veto in zip(heard, forbidden, strict=True) if veto is None]
    veto = next(filter(None, forbidden), None)
    best, confidence = _surest(free, Intent.SAVE, lexicon)
    if veto is not None and confidence < ACT_AT:
        return _vetoed(veto, confidence)
    signals = _signals(best, Intent.SAVE)
    strength, why = _strength(signals)
    return SaveFinding(
        should_save=confidence >= ACT_AT,
        confidence=confidence,
        entities=entities_of(message if veto is None else "\n".join(each.sentence.text for each in free), lexicon),
        tags=_tags(best.sentence if best else None, signals, lexicon),
        strength=strength,
        reasons=(*_reasons(best, Intent.SAVE, confidence, signals), why),
        signals=signals,
        sentence=best.sentence.text if best else "",
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What a text that is kept anyhow is about, and how strongly it was said."""

    entities: tuple[Entity, ...]
    tags: tuple[str, ...]
    strength: float


def description(text: str, lexicon: Lexicon) -> Description:
    """Return names, tags and strength of a text without judging whether it is worth keeping.

    Sentences that ask by a set phrase not to be kept give none.

    >>> description("I prefer tabs. Anna must never eat nuts, it is vital.", Lexicon.of()).strength
    2.0
    """
    said = sentences_of(text)
    refused = [Veto.REFUSED if asks_not_to_keep(each.text) else None for each in said]
    free = [each for each, veto in zip(said, touched(refused), strict=True) if veto is None]
    found = [(_told(each, lexicon), each) for each in free]
    best: tuple[dict[str, float], Sentence | None] = max(
        found, key=lambda told: (_strength(told[0])[0], len(told[0])), default=({}, None)
    )
    return Description(
        entities=entities_of(text if len(free) == len(said) else "\n".join(each.text for each in free), lexicon),
        tags=_tags(best[1], best[0], lexicon),
        strength=_strength(best[0])[0],
    )


def _told(sentence: Sentence, lexicon: Lexicon) -> dict[str, float]:
    told = dict.fromkeys((_named(name) for name in _lists_in(sentence, lexicon)), 1.0)
    return told | ({"request": 1.0} if Phrasebook.load().says("request", sentence.own) else {})


def vetoes_of(heard: Sequence[Heard], lexicon: Lexicon) -> list[Veto | None]:
    """Return what forbids keeping each sentence of one message."""
    secret = (bool(find_secrets(each.sentence.text)) for each in heard)
    found = vetoes([each.sentence.text for each in heard], [each.features for each in heard], secret)
    if Veto.REFUSED not in found and any(is_refused(each.features) for each in _together(heard, lexicon)):
        # what short sentences say only together is said by each
        found = [veto or Veto.REFUSED for veto in found]
    return found


def _vetoed(veto: Veto, confidence: float) -> SaveFinding:
    return SaveFinding(
        should_save=False,
        confidence=confidence,
        entities=(),
        tags=(),
        strength=NORMAL,
        reasons=(_VETOES[veto],),
        signals={"veto": -1.0},
        sentence="",
        veto=veto,
    )


def recall_finding(message: str, lexicon: Lexicon) -> RecallFinding:
    """Judge whether the answer to a message may depend on what is remembered of the person.

    >>> recall_finding("What's my dog's name?", Lexicon.of()).query
    "dog's name"
    """
    heard = heard_in(message, lexicon)
    vetoes_found = vetoes_of(heard, lexicon)
    own = [each for each, veto in zip(heard, vetoes_found, strict=True) if veto not in (Veto.PASTED, Veto.SECRET)]
    best, confidence = _surest(own, Intent.RECALL, lexicon)
    signals = _signals(best, Intent.RECALL)
    return RecallFinding(
        should_search=confidence >= ACT_AT,
        confidence=confidence,
        query=_query(best.sentence if best else None, lexicon),
        tags=_topics(best.sentence if best else None, lexicon),
        entities=entities_of("\n".join(each.sentence.text for each in own), lexicon),
        reasons=_reasons(best, Intent.RECALL, confidence, signals),
        signals=signals,
    )


def reinforce_finding(message: str, lexicon: Lexicon) -> ReinforceFinding:
    """Judge whether a message confirms something that is remembered.

    >>> reinforce_finding("Yes, that's still true.", Lexicon.of()).should_reinforce
    True
    """
    heard = heard_in(message, lexicon)
    free = [each for each, veto in zip(heard, touched(vetoes_of(heard, lexicon)), strict=True) if veto is None]
    best, confidence = _surest(free, Intent.CONFIRM, lexicon)
    signals = _signals(best, Intent.CONFIRM)
    return ReinforceFinding(
        should_reinforce=confidence >= ACT_AT,
        confidence=confidence,
        entities=entities_of(message, lexicon),
        reasons=_reasons(best, Intent.CONFIRM, confidence, signals),
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
    "save": "it asks to remember something",
    "recall": "it refers to something said before",
    "reinforce": "it confirms something known",
    "decision": "it states a decision",
    "preference": "it states a preference",
    "standing": "it gives an instruction for the future",
    "important": "it says that this is important",
    "critical": "it says that this is critical",
    "uncertain": "the speaker is not sure",
    "hypothetical": "it is only imagined",
    "passing": "it is about the moment",
    "general_question": "it is a general question",
    "ends asking": "it is a question",
}
# marks that are said to speak for saving only if they do
_LIST = "list "


def spans_of(message: str, lexicon: Lexicon) -> list[Heard]:
    """Return what a message is judged by: its sentences, and all of them together if they are few and short."""
    heard = heard_in(message, lexicon)
    return [*heard, *_together(heard, lexicon)]


def _together(heard: Sequence[Heard], lexicon: Lexicon) -> list[Heard]:
    text = " ".join(each.sentence.text for each in heard)
    return [Heard.of(Sentence.of(text), lexicon)] if 1 < len(heard) <= _TOGETHER and len(text) <= _SHORT else []


def _lists_in(sentence: Sentence, lexicon: Lexicon) -> list[str]:
    """Return the names of the lists of which a sentence has a phrase, with "asked" after them in a question."""
    found = lexicon.lists_in(sentence.said)
    found += [] if lexicon.first_names.isdisjoint(_LETTERS.findall(sentence.own)) else ["first_names"]
    return [f"{name} asked" for name in found] if asks(sentence.own) else found


def _surest(heard: Sequence[Heard], intent: Intent, lexicon: Lexicon) -> tuple[Heard | None, float]:
    """Return the sentence that shows the intent best, and how sure the message as a whole is."""
    if not heard:
        return None, _NOTHING
    own = next((each for each in heard if lexicon.adds(_LIST_OF[intent], each.sentence.said)), None)
    if own is not None:
        # what a person says it by is not to be guessed
        return own, max(_BY_OWN_WORDS, own.confidence(intent))
    sure = [each.confidence(intent) for each in heard]
    whole = [each.confidence(intent) for each in _together(heard, lexicon)]
    return heard[sure.index(max(sure))], max([*sure, *whole])


def _signals(span: Heard | None, intent: Intent) -> dict[str, float]:
    """Return the weights of the phrases and marks that were found, by name."""
    if span is None:
        return {}
    weights = Judge.load().weights[intent].marks
    named = {_named(mark): weights.get(mark, 0.0) for mark in span.features.marks}
    return {name: weight for name, weight in named.items() if name in _REASONS}


def _named(mark: str) -> str:
    return mark.removeprefix(_LIST).removesuffix(" asked")


def _reasons(span: Heard | None, intent: Intent, confidence: float, signals: Mapping[str, float]) -> tuple[str, ...]:
    if span is None:
        return ("nothing is said in it",)
    acts = confidence >= ACT_AT
    ordered = sorted(signals, key=lambda name: -abs(signals[name]))
    found = [_REASONS[name] for name in ordered if (signals[name] > 0) == acts]
    telling = Judge.load().weights[span.shown(intent)[1]].telling(span.features)
    found += [f"it says “{said}”" for said in telling[:_MOST_TOLD] if acts]
    unknown = () if acts or is_known(span.sentence.text) else ("this language is not known to me",)
    return (*unknown, *dict.fromkeys(found)) or ("nothing in it speaks for it",)


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
    empty = _EMPTY_WORDS.union(*_function_words(sentence.text))
    telling = [word for word in left if fold(word) not in empty and len(word) > 1]
    spelled = spellings(sentence.text)
    query = " ".join(spelled.get(word, word) for word in (telling or left)[:_QUERY_WORDS])
    return query.replace(" 's", "'s")


_EMPTY_WORDS = (EMPTY | ADVERBS | MODALS | _QUESTION_WORDS) - {"'s"}


def _function_words(text: str) -> Iterator[frozenset[str]]:
    known = tongues().by_code
    return (known[code].function_words for code in spoken_in(text).sure if code != "en")
