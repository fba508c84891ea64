from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.index.analysis import AskedWord
from mnemex_vault.index.query import Query, parse

NOW = datetime(2023, 5, 17, 9, tzinfo=UTC)


def ask(text: str) -> Query:
    return parse(text, now=NOW)


def test_words_are_terms_and_function_words_are_not() -> None:
    assert ask("What is the name of my dog?").terms == ("name", "dog")


def test_quotes_ask_for_a_phrase_and_its_words_count_as_well() -> None:
    query = ask('“spaced repetition” "to be"')
    assert [[word.term for word in phrase] for phrase in query.phrases] == [["spaced", "repetition"], ["to", "be"]]
    assert query.terms == ("spaced", "repetition")


def test_quotes_in_a_whole_question_cite_and_demand_nothing() -> None:
    query = ask('What did Anna think of "The Red Book"?')
    assert (query.phrases, query.terms) == ((), ("anna", "think", "red", "book"))
    assert {"red", "book"} <= query.quoted
    assert ask('"What did Anna think?"').phrases


@pytest.mark.parametrize(
    ("text", "field", "values"),
    [
        ("tag:work", "tags", ("work",)),
        ("tag:#Work/Plans", "tags", ("work/plans",)),
        ("Tag:Work tag:work", "tags", ("work",)),
        ("-tag:work", "excluded_tags", ("work",)),
        ('path:"My Projects/A"', "paths", ("my projects/a",)),
        ("-path:archive", "excluded_paths", ("archive",)),
        ("tier:long-term", "tiers", ("long-term",)),
        ("project:Mnemex", "projects", ("mnemex",)),
        ("apple -pear", "excluded", (AskedWord("pear", "pear"),)),
        ('apple -"red wine"', "excluded_phrases", ((AskedWord("red", "red"), AskedWord("wine", "wine")),)),
        ("optim*", "prefixes", ("optim",)),
        ("what happened yesterday", "date_words", ("~2023", "~2023-05", "~2023-05-16")),
    ],
)
def test_operators_fill_their_own_field(text: str, field: str, values: tuple[object, ...]) -> None:
    assert getattr(ask(text), field) == values


def test_a_word_with_a_tilde_is_no_word_that_must_be_spelled_so() -> None:
    assert [word.term for word in ask("colour~").fuzzy] == ["colour"]
    assert ask("colour~").terms == ()


@pytest.mark.parametrize("text", ["well-known", "a - b", "- list item", "-5 degrees", 'say "', "tag:", "-", '""', "*"])
def test_what_only_looks_like_an_operator_excludes_and_filters_nothing(text: str) -> None:
    query = ask(text)
    assert not query.filters
    assert query.phrases == ()


def test_a_query_knows_whether_it_asks_for_text_or_only_filters() -> None:
    assert ask("dog").asks
    assert ask("yesterday").asks
    assert not ask("tag:work").asks
    assert ask("tag:work").filters
    assert not ask("").asks


@given(st.text(alphabet=st.one_of(st.characters(), st.sampled_from('"-:*~#tagpathtier '))))
def test_parsing_never_fails(text: str) -> None:
    ask(text)
    ask(f'tag:{text} "{text} -{text} path:"{text}"')
