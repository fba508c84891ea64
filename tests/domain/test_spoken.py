import pytest

from mnemex_vault.domain.spoken import sentences_of, spoken_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I'm sure we’ve said it's Anna's", "i am sure we have said it is anna 's"),
        ("can't won't dont cannot", "can not will not do not can not"),
        ("What's up? Let's go", "what is up let us go"),
        ("e-mail CI/CD", "e-mail ci/cd"),
        ("O'Brien", "o'brien"),
        ("favorite", "favourite"),
    ],
)
def test_short_forms_are_written_out(text: str, words: str) -> None:
    assert " ".join(spoken_words(text)) == words


def test_a_sentence_has_clauses_a_label_and_may_ask() -> None:
    (sentence,) = sentences_of("Decision: we use Go, but my boss prefers Java - right?")
    assert sentence.label == "decision"
    assert [" ".join(clause) for clause in sentence.clauses] == [
        "decision",
        "we use go",
        "but my boss prefers java",
        "right",
    ]
    assert sentence.asks


def test_code_is_not_speech_and_marks_are_not_words() -> None:
    assert [sentence.said for sentence in sentences_of("**I** use:\n```\nmy code\n```\n- tabs")] == ["i use", "tabs"]


def test_only_the_ends_of_a_long_message_are_read() -> None:
    said = [sentence.said for sentence in sentences_of("First. " + "x. " * 20_000 + "\n\nLast.")]
    assert (said[0], said[-1]) == ("first", "last")
    assert len(said) < 10_000


def test_a_long_opening_is_no_label() -> None:
    (sentence,) = sentences_of("There is one thing that everybody here should know by now: tea")
    assert sentence.label == ""
