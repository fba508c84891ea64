from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.language.activation import recall_finding, reinforce_finding, save_finding
from mnemex_vault.language.intent import Intent, Judge, features_of, is_known, packed, unpacked
from mnemex_vault.language.word_lists import Lexicon, WordLists

LEXICON = Lexicon.of()
HELD_OUT = [
    (path.name[:2], label, text.replace("\\n", "\n"))
    for path in sorted((Path(__file__).parents[1] / "vectors" / "messages").glob("*_heldout.txt"))
    for label, text in (line.split(" ", 1) for line in path.read_text("utf-8").splitlines())
]
LANGUAGES = sorted({language for language, _, _ in HELD_OUT})
JUDGED: list[tuple[str, Callable[[str], bool]]] = [
    ("sq", lambda text: save_finding(text, LEXICON).should_save),
    ("r", lambda text: recall_finding(text, LEXICON).should_search),
    ("f", lambda text: reinforce_finding(text, LEXICON).should_reinforce),
]


def f1(rows: list[tuple[str, str, str]], letters: str, acts: Callable[[str], bool]) -> float:
    found = [(bool(set(letters) & set(label)), acts(text)) for _, label, text in rows]
    return 2 * sum(wanted and got for wanted, got in found) / sum(wanted + got for wanted, got in found)


@pytest.mark.parametrize(
    ("which", "english", "others"),
    [(0, 0.85, 0.8), *(pytest.param(*each, marks=pytest.mark.slow) for each in [(1, 0.75, 0.6), (2, 0.6, 0.6)])],
)
def test_intent_is_recognised_in_messages_that_were_held_out(which: int, english: float, others: float) -> None:
    letters, acts = JUDGED[which]
    assert f1([row for row in HELD_OUT if row[0] == "en"], letters, acts) >= english
    assert f1([row for row in HELD_OUT if row[0] != "en"], letters, acts) >= others


def test_explicit_requests_are_heard_in_fourteen_languages() -> None:
    asked = [text for _, label, text in HELD_OUT if label == "q"]
    missed = [text for text in asked if not save_finding(text, LEXICON).should_save]
    assert len(missed) <= 0.05 * len(asked), missed


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_asked_not_to_be_kept_is_saved_in_no_language(language: str) -> None:
    refused = [text for code, label, text in HELD_OUT if code == language and label == "x"]
    assert not any(save_finding(text, LEXICON).should_save for text in refused)


@pytest.mark.parametrize(
    "text",
    [
        "Merk dir, dass ich keine Pilze mag.",
        "Recuerda que no como carne.",
        "Retiens que je ne mange pas de porc.",
        "请记住我不吃肉。",
        "肉を食べないことを覚えておいて。",
        "고기 안 먹는 거 기억해 줘.",
        "Запомни, что я не ем мясо.",
        "Don't forget that I am vegetarian",
        "our tests run with `pnpm vitest run`, CI needs Node 22",
    ],
)
def test_these_are_worth_saving(text: str) -> None:
    assert save_finding(text, LEXICON).should_save


def test_a_finding_says_in_words_of_people_why() -> None:
    reasons = save_finding("From now on I want metric units, remember that.", LEXICON).reasons
    assert "it asks to remember something" in reasons
    assert any(reason.startswith("it says “") for reason in reasons)


def test_a_language_that_was_not_learned_is_said_to_be_unknown() -> None:
    text = "Köpeğimin adı Pamuk, çok seviyorum."
    assert not is_known(text)
    assert save_finding(text, LEXICON).reasons[0] == "this language is not known to me"
    assert all(map(is_known, ["Mein Hund heißt Rex.", "我的狗叫豆豆", "내 개 이름은 콩이야", "Мою собаку зовут Рекс"]))


def test_words_that_a_person_adds_count_like_those_of_the_same_list() -> None:
    own = Lexicon.of(WordLists().extended({"save": ["zettelkasten please"], "reinforce": ["bingo bongo"]}))
    assert save_finding("Zettelkasten please: the gate code", own).confidence > (
        save_finding("Zettelkasten please: the gate code", LEXICON).confidence
    )
    assert reinforce_finding("bingo bongo", own).confidence > reinforce_finding("bingo bongo", LEXICON).confidence


def test_weights_are_read_as_they_were_written() -> None:
    judge = Judge.load()
    again = Judge({Intent(name): weights for name, weights in unpacked(packed(judge.weights)).items()})
    features = features_of("Remember that I prefer tabs")
    for intent in Intent:
        assert again.confidence(intent, features) == pytest.approx(judge.confidence(intent, features), abs=1e-6)


@given(st.text(max_size=200))
def test_any_sentence_gets_a_confidence(text: str) -> None:
    features = features_of(text)
    assert all(0 < Judge.load().confidence(intent, features) < 1 for intent in Intent)
