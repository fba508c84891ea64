import hashlib
import json
from pathlib import Path
from typing import TypedDict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.language.activation import recall_finding, reinforce_finding, save_finding
from mnemex_vault.language.word_lists import Lexicon


class Labelled(TypedDict):
    text: str
    save: bool
    recall: bool
    kind: str
    frozen: bool


VECTORS = Path(__file__).parents[1] / "vectors" / "activation.json"
SENTENCES: list[Labelled] = json.loads(VECTORS.read_text(encoding="utf-8"))["sentences"]
FRESH: list[Labelled] = json.loads((VECTORS.parent / "activation_fresh.json").read_text(encoding="utf-8"))["sentences"]
FROZEN = [row for row in SENTENCES if row.get("frozen")]
LEXICON = Lexicon.of()


def saves(text: str) -> bool:
    return save_finding(text, LEXICON).should_save


def recalls(text: str) -> bool:
    return recall_finding(text, LEXICON).should_search


def test_the_labelled_sentences_are_three_hundred_and_a_hundred_of_them_never_change() -> None:
    assert len({row["text"] for row in SENTENCES}) == 300
    digest = hashlib.sha256(json.dumps(FROZEN, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
    assert (len(FROZEN), digest[:16]) == (100, "6ab7cae7e07f0d0e")


def test_the_fresh_messages_never_change() -> None:
    digest = hashlib.sha256(json.dumps(FRESH, ensure_ascii=False, sort_keys=True).encode()).hexdigest()
    assert (len(FRESH), digest[:16]) == (868, "d8672d064d3a9e0d")


@pytest.mark.parametrize("labelled", [SENTENCES, FRESH], ids=["all", "fresh"])
def test_small_talk_and_general_questions_are_not_saved(labelled: list[Labelled]) -> None:
    rows = [row for row in labelled if row["kind"] in ("small talk", "general question")]
    false = [row["text"] for row in rows if saves(row["text"])]
    assert len(rows) >= 50
    assert len(false) <= 0.02 * len(rows), false


def test_a_lasting_fact_about_the_speaker_needs_no_trigger_word() -> None:
    finding = save_finding("My sister Clara lives in Lyon.", LEXICON)
    assert finding.should_save
    assert not finding.signals
    assert not saves("Her sister Clara lives in Lyon, says the article.")


def test_what_is_said_with_doubt_is_saved_as_tentative() -> None:
    finding = save_finding("Maybe I prefer tabs", LEXICON)
    assert (finding.should_save, finding.strength) == (True, 0.5)


@pytest.mark.parametrize(
    ("text", "strength"),
    [
        ("I prefer tabs", 1.0),
        ("Remember that I prefer tabs", 1.5),
        ("Important: never deploy on Fridays", 1.5),
        ("Critical: our backups must stay in the EU", 2.0),
        ("I'm severely allergic to nuts", 2.0),
        ("Remember that I might move", 0.5),
    ],
)
def test_strength_follows_how_it_was_said(text: str, strength: float) -> None:
    finding = save_finding(text, LEXICON)
    assert (finding.should_save, finding.strength) == (True, strength)
    assert f"strength {strength}" in finding.reasons[-1]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("I prefer tabs", ("preferences", "programming")),
        ("We decided to use PostgreSQL as our database", ("decisions", "database")),
        ("My dog eats meat", ("food", "pets")),
        ("I am left-handed", ()),
    ],
)
def test_tags_name_the_kind_and_the_topic(text: str, tags: tuple[str, ...]) -> None:
    assert save_finding(text, LEXICON).tags == tags


def test_the_most_telling_sentence_of_a_message_decides() -> None:
    finding = save_finding("Hi there! It is late. I'm allergic to nuts. How does a bloom filter work?", LEXICON)
    assert finding.should_save
    assert finding.sentence == "I'm allergic to nuts."


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("What did I say about TypeScript?", "TypeScript"),
        ("What's my dog's name?", "dog's name"),
        ("Remind me what Anna is allergic to", "Anna allergic"),
        ("Do you remember?", ""),
    ],
)
def test_a_query_holds_the_telling_words(text: str, query: str) -> None:
    finding = recall_finding(text, LEXICON)
    assert (finding.should_search, finding.query) == (True, query)


def test_a_question_of_nothing_but_small_words_is_its_own_query() -> None:
    assert recall_finding("How are we?", LEXICON).query == "How are we"


def test_recall_names_tags_and_entities_too() -> None:
    finding = recall_finding("Which database did we choose for the Falcon API, Postgres?", LEXICON)
    assert finding.tags == ("database", "api")
    assert {entity.key for entity in finding.entities} >= {"falcon", "postgres"}
    assert "it is a question" in finding.reasons


@pytest.mark.parametrize("text", ["Yes, that's still true.", "You're right, good memory!", "I still prefer tabs"])
def test_confirming_reinforces(text: str) -> None:
    finding = reinforce_finding(text, LEXICON)
    assert finding.should_reinforce
    assert finding.reasons


@pytest.mark.parametrize("text", ["I prefer tabs", "Is that still true?", "TypeScript", ""])
def test_merely_mentioning_reinforces_nothing(text: str) -> None:
    finding = reinforce_finding(text, LEXICON)
    assert not finding.should_reinforce
    assert finding.confidence < 0.4


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "🎉🎉",
        "Я люблю чай?",
        "\x00\ud800",
        "```\ncode\n```",
        "?",
        "!?",
        "'",
    ],
)
def test_what_says_nothing_is_neither_saved_nor_looked_up(text: str) -> None:
    assert not saves(text)
    assert not recalls(text)


@given(st.text(max_size=200) | st.text("iI'm my?. aweolstvrdn:,", max_size=120))
def test_any_text_gets_a_finding(text: str) -> None:
    save, recall = save_finding(text, LEXICON), recall_finding(text, LEXICON)
    assert 0 < save.confidence < 1
    assert 0 < recall.confidence < 1
    assert save.strength in (0.5, 1.0, 1.5, 2.0)
    assert save.reasons
    assert recall.reasons
    assert len(save.tags) <= 3
    assert len(save.entities) <= 10
