"""What in a sentence speaks for saving it, and what against."""

from __future__ import annotations

import re

from mnemex_vault.domain.asking import ASKING_VERBS, asks_back, begins_as_question, is_imagined, is_question
from mnemex_vault.domain.aspect import Aspect
from mnemex_vault.domain.correction import correction_signals
from mnemex_vault.domain.keeping_requests import KEEPING, requests_saving
from mnemex_vault.domain.speaker import aspect_of, without_leads
from mnemex_vault.domain.spoken import Sentence
from mnemex_vault.domain.standing import is_standing
from mnemex_vault.domain.word_lists import Lexicon
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import IMPERATIVES

_IMPORTANT_LABELS = word_set("important critical crucial vital attention point matters priority essential")
_INTRODUCTIONS = (
    "this is",
    "pay attention",
    "under no circumstances",
    "never ever",
    "key point",
    "must not forget",
)
_IMPERSONAL = (("the", "team"), ("the", "board"), ("the", "family"), ("it", "was"), ("it", "is"), ("the", "plan"))
_DECISION_LABELS = frozenset(
    {
        "decision",
        "decided",
        "ok decided",
        "so decided",
        "final decision",
        "decision made",
        "final call",
        "change of plan",
        "change of plans",
    }
)
_DECIDING = word_set("decided agreed chose going settled picked switching sticking migrating")
_IS_SETTLED = re.compile(r" (?:that|it) is (?:settled|decided|final|a done deal) ")
_DECIDED_ON = word_set("to on with that against for from by in")
_IMAGINED = word_set("if suppose assuming say imagine unless")
_SOON = re.compile(r" in (?:\w+ ){1,3}(?:seconds?|minutes?|hours?) ")
_NO_HEDGES = frozenset({("i", "believe", "in"), ("i", "think", "about"), ("i", "think", "of"), ("i", "think", "in")})
_SETTLING = word_set(
    """
    use keep switch stick drop name adopt choose pick settle agree standardise standardize
    """
)

WEIGHTS = {
    "request": 5.0,
    "decision": 4.0,
    "preference": 4.0,
    "lasting": 4.0,
    "standing": 4.0,
    "correction": 1.5,
    "put_right": 3.0,
    "important": 3.5,
    "critical": 4.0,
    "uncertain": -0.5,
    "question": -6.0,
    "hypothetical": -5.0,
    "passing": -3.5,
}


def save_signals(sentence: Sentence, lexicon: Lexicon) -> dict[str, float]:
    """Return the weights of all signals in a sentence by name."""
    found = {"request"} if requests_saving(sentence, lexicon) else set()
    if is_question(sentence):
        found |= _stated_before(sentence, lexicon)
        if is_standing(sentence, lexicon) and sentence.words[:1] != ("do",):
            found.add("standing")
        return _weighed(found | _softened(sentence, lexicon) if found else {"question"})
    if _hands_over_text(sentence):
        return _weighed(found)
    found |= _statements(sentence.clauses, lexicon) | _labelled(sentence, lexicon)
    if is_standing(sentence, lexicon):
        found.add("standing")
    found |= _emphasis(sentence, lexicon) | correction_signals(sentence)
    if found & {"request", "lasting", "preference", "decision", "standing", "correction"}:
        found |= _softened(sentence, lexicon)
    if not found and any(aspect_of(clause) is Aspect.PASSING for clause in sentence.clauses):
        found.add("passing")
    return _weighed(found)


def _hands_over_text(sentence: Sentence) -> bool:
    """Tell whether what follows a colon is the text to work on: "correct this sentence: I lives here"."""
    first = sentence.label.split(" ")[0]
    return first in IMPERATIVES - KEEPING and sentence.label not in _DECISION_LABELS


def _softened(sentence: Sentence, lexicon: Lexicon) -> set[str]:
    found = {"hypothetical"} if is_imagined(sentence, lexicon) else set()
    return found | ({"uncertain"} if lexicon.find("uncertain", sentence.said) else set())


def _stated_before(sentence: Sentence, lexicon: Lexicon) -> set[str]:
    """What the clauses before a question tell: "I'm vegan, can you suggest a dish?"."""
    asked = sentence.clauses[-1:]
    if not asked or asks_back(sentence) or not (begins_as_question(asked[0]) or asked[0][0] in ASKING_VERBS):
        return set()
    told = [clause for clause in sentence.clauses[:-1] if clause[0] not in _IMAGINED and not begins_as_question(clause)]
    return _statements(tuple(told), lexicon)


def _weighed(names: set[str]) -> dict[str, float]:
    return {name: weight for name, weight in WEIGHTS.items() if name in names}


def _statements(clauses: tuple[tuple[str, ...], ...], lexicon: Lexicon) -> set[str]:
    found: set[str] = set()
    for clause in clauses:
        found |= _told(_without_hedges(clause, lexicon), lexicon)
    if not found and len(clauses) > 1 and all(aspect_of(clause) is None for clause in clauses):
        # a list was taken for clauses: "just me and my son"
        joined = tuple(word for clause in clauses for word in clause)
        found |= _told(_without_hedges(joined, lexicon), lexicon) - {"preference"}
    return found


def _labelled(sentence: Sentence, lexicon: Lexicon) -> set[str]:
    if sentence.label in _DECISION_LABELS or _IS_SETTLED.search(f" {sentence.said} "):
        return {"decision"}
    if sentence.label in ("preference", "user preference"):
        return {"preference"}
    own = sentence.label.startswith(("my ", "our "))
    return {"lasting"} if own and not _statements(sentence.clauses, lexicon) else set()


def _told(clause: tuple[str, ...], lexicon: Lexicon) -> set[str]:
    said = " ".join(clause)
    aspect = aspect_of(clause)
    decision = lexicon.find("decision", said)
    if decision and " " in decision and without_leads(clause)[:1] in (("i",), ("we",)):
        return {"decision"}
    if aspect is Aspect.PASSING or (aspect is Aspect.LASTING and _is_of_the_moment(said, lexicon)):
        return set()
    found = {aspect.value} if aspect else set()
    if (decision and (aspect or _ours(clause))) or _proposes(clause):
        found.add("decision")
    if aspect and lexicon.find("preference", said) and clause[0] in ("i", "we"):
        found.add("preference")
    return found


def _is_of_the_moment(said: str, lexicon: Lexicon) -> bool:
    return lexicon.find("passing", said) is not None or _SOON.search(f" {said} ") is not None


def _ours(clause: tuple[str, ...]) -> bool:
    """A decision without "we": "the team agreed", "let's go with B", "decided to wait", "it was decided"."""
    words = without_leads(clause)
    bare = words[0] in _DECIDING and words[1:2] and words[1] in _DECIDED_ON
    return words[:2] in _IMPERSONAL or words[:1] == ("team",) or bool(bare)


def _proposes(clause: tuple[str, ...]) -> bool:
    """What is proposed as settled: "let's use Postgres", not "let's keep going"."""
    words = without_leads(clause)
    if words[:2] != ("let", "us") or len(words) < 4:
        return False
    return (words[2] in _SETTLING and words[3] != "up" and not words[3].endswith("ing")) or words[2:4] in (
        ("go", "with"),
        ("go", "for"),
    )


def _without_hedges(clause: tuple[str, ...], lexicon: Lexicon) -> tuple[str, ...]:
    said = " ".join(clause)
    # doubt that is the verb itself cannot be taken out: "I'm not sure", "I believe in"
    if clause[:3] in _NO_HEDGES or (lexicon.find("uncertain", said) or "").startswith(("not", "un")):
        return clause
    return tuple(lexicon.without("uncertain", said).split()) or clause


def _emphasis(sentence: Sentence, lexicon: Lexicon) -> set[str]:
    """Importance counts where it is said of what follows, not of anything in the world."""
    said = sentence.said
    critical, important = lexicon.find("critical", said), lexicon.find("important", said)
    stressed = critical or important
    if stressed is None:
        return set()
    told = without_leads(sentence.words)
    opening = " ".join(told[:6])
    introduces = opening.startswith(_INTRODUCTIONS) or (opening.startswith("it is") and f"{stressed} that" in said)
    if not (sentence.label.split(" ")[-1] in _IMPORTANT_LABELS or introduces or _speaks_of_own(sentence)):
        return set()
    return {"critical"} if critical else {"important"}


def _speaks_of_own(sentence: Sentence) -> bool:
    return any(aspect_of(clause) in (Aspect.LASTING, Aspect.PREFERENCE, Aspect.DECISION) for clause in sentence.clauses)
