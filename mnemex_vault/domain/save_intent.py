"""What in a sentence speaks for saving it, and what against."""

from __future__ import annotations

from mnemex_vault.domain.asking import is_question
from mnemex_vault.domain.predicates import Aspect
from mnemex_vault.domain.speaker import AUXILIARIES, aspect_of, without_leads
from mnemex_vault.domain.spoken import Sentence
from mnemex_vault.domain.word_lists import Lexicon
from mnemex_vault.domain.words import word_set
from mnemex_vault.domain.words_grammar import IMPERATIVES
from mnemex_vault.domain.words_titles import VERBS

_REQUEST_LABELS = frozenset(
    {
        "remember",
        "note",
        "please note",
        "reminder",
        "memo",
        "fact",
        "fyi",
        "note to self",
        "for the record",
        "remember this",
        "save this",
    }
)
_IMPORTANT_LABELS = frozenset({"important", "very important", "critical", "crucial", "vital", "key point", "attention"})
_CORRECTIONS = frozenset({"no", "nope", "actually", "correction", "wrong", "incorrect"})
_INTRODUCTIONS = (
    "this is",
    "pay attention",
    "under no circumstances",
    "never ever",
    "key point",
    "must not forget",
)
_IMPERSONAL = (("the", "team"), ("it", "was"), ("it", "is"), ("the", "plan"))
_DECIDING = word_set("decided agreed chose going settled picked switching sticking migrating")
_REMEMBERING = frozenset({"not", "i", "we", "they", "he", "she"})
_LOOKING_BACK = word_set("when what where who which how why me us")
_SETTLING = word_set(
    """
    use keep switch stick drop name adopt choose pick settle agree standardise standardize
    """
)
_NOT_A_RULE = frozenset({"mind", "heard", "ending", "a", "been", "again", "had", "the", "seen", "good", "nice"})

WEIGHTS = {
    "request": 5.0,
    "decision": 4.0,
    "preference": 4.0,
    "lasting": 4.0,
    "standing": 4.0,
    "correction": 1.5,
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
        return _weighed(found or {"question"})
    said = sentence.said
    found |= _statements(sentence, lexicon)
    if is_standing(sentence.words, lexicon):
        found.add("standing")
    found |= _emphasis(sentence, lexicon)
    if found & {"request", "lasting", "preference", "decision", "standing"} or _corrects(sentence):
        found |= {name for name in ("hypothetical", "uncertain") if lexicon.find(name, said)}
        if _corrects(sentence):
            found.add("correction")
    if not found and any(aspect_of(clause) is Aspect.PASSING for clause in sentence.clauses):
        found.add("passing")
    return _weighed(found)


def _weighed(names: set[str]) -> dict[str, float]:
    return {name: weight for name, weight in WEIGHTS.items() if name in names}


def requests_saving(sentence: Sentence, lexicon: Lexicon) -> bool:
    """Tell whether a sentence asks to keep something."""
    if sentence.label in _REQUEST_LABELS or sentence.words[:1] in (("fyi",), ("nb",)) or _says_remember(sentence):
        return True
    phrase = lexicon.find("save", sentence.said)
    if phrase is None:
        return False
    # "I can't remember that name" and "Do you remember that film?" ask for nothing to be kept
    before = sentence.said.partition(phrase)[0].split()[-3:]
    return _REMEMBERING.isdisjoint(before) and before[-2:] not in (["do", "you"], ["did", "you"])


def _says_remember(sentence: Sentence) -> bool:
    """A plain "remember Anna is vegan"; "remember when we met" looks back."""
    words = without_leads(sentence.words)
    told = words[0] == "remember" and len(words) > 3 if words else False
    return told and words[1] not in _LOOKING_BACK and not AUXILIARIES.isdisjoint(words[2:])


def _statements(sentence: Sentence, lexicon: Lexicon) -> set[str]:
    found: set[str] = set()
    for clause in sentence.clauses:
        certain = _without_hedges(clause, lexicon)
        found |= _told(certain, lexicon)
    if sentence.label in ("decision", "decided"):
        found.add("decision")
    if sentence.label in ("preference", "user preference"):
        found.add("preference")
    if sentence.label.startswith(("my ", "our ")) and not found:
        found.add("lasting")
    return found


def _told(clause: tuple[str, ...], lexicon: Lexicon) -> set[str]:
    said = " ".join(clause)
    aspect = aspect_of(clause)
    decision = lexicon.find("decision", said)
    if decision and " " in decision and clause[0] in ("i", "we"):
        return {"decision"}
    if aspect is Aspect.PASSING or (aspect is Aspect.LASTING and lexicon.find("passing", said)):
        return set()
    found = {aspect.value} if aspect else set()
    if (decision and (aspect or _ours(clause))) or _proposes(clause):
        found.add("decision")
    if aspect and lexicon.find("preference", said) and clause[0] in ("i", "we"):
        found.add("preference")
    return found


def _ours(clause: tuple[str, ...]) -> bool:
    """A decision without "we": "the team agreed", "let's go with B", "decided to wait", "it was decided"."""
    words = without_leads(clause)
    return words[:2] in _IMPERSONAL or words[:1] == ("team",) or words[0] in _DECIDING


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
    if clause[:3] == ("i", "believe", "in") or (lexicon.find("uncertain", said) or "").startswith(("not", "un")):
        return clause
    return tuple(lexicon.without("uncertain", said).split()) or clause


def is_standing(words: tuple[str, ...], lexicon: Lexicon) -> bool:
    """Tell whether the words are an instruction for the future."""
    told = without_leads(words)
    if not told or {"your", "yourself"} & set(told) or lexicon.find("standing", " ".join(told)) is None:
        return False
    if told[0] in ("always", "never"):
        return len(told) > 2 and told[1] not in _NOT_A_RULE and (told[1] in IMPERATIVES or told[1] in VERBS)
    if told[0] in ("call", "address"):
        return (
            told[1:2] == ("me",)
            and len(told) > 2
            and told[2] not in ("back", "when", "later", "if", "tomorrow", "at", "a", "crazy")
        )
    opening = " ".join(told[:4])
    if lexicon.find("standing", opening) and told[0] in ("from", "going", "in", "by", "whenever", "every", "each"):
        return True
    return (told[0] in IMPERATIVES and _always(told)) or _for_good(told)


def _always(told: tuple[str, ...]) -> bool:
    return not {"always", "never", "whenever"}.isdisjoint(told) and "as always" not in " ".join(told)


def _for_good(told: tuple[str, ...]) -> bool:
    """An instruction that ends with how long it holds."""
    imperative = told[0] in IMPERATIVES or told[:2] == ("do", "not")
    return imperative and (
        told[-3:] == ("from", "now", "on") or told[-2:] == ("by", "default") or told[-1] == "anymore"
    )


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
    if not (sentence.label in _IMPORTANT_LABELS or introduces or _speaks_of_own(sentence)):
        return set()
    return {"critical"} if critical else {"important"}


def _speaks_of_own(sentence: Sentence) -> bool:
    return any(aspect_of(clause) in (Aspect.LASTING, Aspect.PREFERENCE, Aspect.DECISION) for clause in sentence.clauses)


def _corrects(sentence: Sentence) -> bool:
    words = sentence.words
    opens = bool(words) and (
        words[0] in _CORRECTIONS
        or words[:3] in (("that", "is", "wrong"), ("that", "is", "incorrect"), ("that", "is", "not"))
    )
    return opens and len(words) > 4
