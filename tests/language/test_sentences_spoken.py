import pytest

from mnemex_vault.language.sentences import sentences_of, spoken_words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("I'm sure we’ve said it's Anna's", "i am sure we have said it is anna 's"),
        ("can't won't dont cannot", "can not will not do not can not"),
        ("What's up? Let's go", "what is up let us go"),
        ("e-mail CI/CD", "e-mail ci/cd"),
        ("O'Brien", "o'brien"),
        ("favorite", "favourite"),
        ("can u remeber i alwyas prefr tea pls", "can you remember i always prefer tea please"),
        ("remembers preferred my_list", "remembers preferred my_list"),
        ("id rather walk, my id is 4", "i would rather walk my id is 4"),
    ],
)
def test_short_forms_are_written_out(text: str, words: str) -> None:
    assert " ".join(spoken_words(text)) == words


def test_code_is_not_speech_and_marks_are_not_words() -> None:
    assert [sentence.said for sentence in sentences_of("**I** use:\n```\nmy code\n```\n- tabs")] == ["i use", "tabs"]


def test_only_the_ends_of_a_long_message_are_read() -> None:
    said = [sentence.said for sentence in sentences_of("First. " + "x. " * 20_000 + "\n\nLast.")]
    assert (said[0], said[-1]) == ("first", "last")
    assert len(said) < 10_000


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Translate 'I live here' please", "translate please"),
        ("He said “I live here” twice", "he said twice"),
        ('Say "my dog is old"', "say"),
        ("My dog is called 'Rex', the dogs' food isn't 'cheap'", "my dog is called rex the dogs food is not cheap"),
    ],
)
def test_what_somebody_is_quoted_with_is_not_said(text: str, said: str) -> None:
    (sentence,) = sentences_of(text)
    assert sentence.said == said
