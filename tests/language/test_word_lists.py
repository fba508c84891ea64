import pytest

from mnemex_vault.language.word_lists import Lexicon, WordLists


def test_phrases_match_whole_words_in_any_short_form() -> None:
    lexicon = Lexicon.of(WordLists(save=("don't forget", "key")))
    assert lexicon.find("save", "please do not forget it") == "do not forget"
    assert lexicon.find("save", "the monkey eats") is None


def test_the_longest_phrase_is_reported() -> None:
    lexicon = Lexicon.of(WordLists(save=("keep", "keep in mind")))
    assert lexicon.find("save", "keep in mind that") == "keep in mind"


def test_phrases_of_unspaced_scripts_match_inside_a_run() -> None:
    lexicon = Lexicon.of(WordLists().extended({"save": ["记住"]}))
    assert lexicon.find("save", "请记住我的猫") == "记住"


def test_phrases_can_be_taken_out() -> None:
    assert Lexicon.of().without("uncertain", "maybe i prefer tabs") == "i prefer tabs"


def test_an_empty_list_matches_nothing() -> None:
    assert Lexicon.of(WordLists(save=())).find("save", "remember that") is None


def test_lists_and_topics_can_be_extended_and_keep_what_they_had() -> None:
    longer = WordLists().extended({"save": ["stash that"]}, {"boats": ["Sail"], "pets": ["ferret"]})
    assert "stash that" in longer.save
    assert "remember that" in longer.save
    assert longer.topics["boats"] == {"sail"}
    assert {"ferret", "dog"} <= longer.topics["pets"]


def test_a_list_that_does_not_exist_is_named() -> None:
    with pytest.raises(ValueError, match="no such word list: nope, topics"):
        WordLists().extended({"nope": ["a"], "topics": ["b"], "save": ["c"]})
