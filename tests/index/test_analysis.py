from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.index.analysis import STEM, Analyzer, spoken_in
from mnemex_vault.language.folding import fold


def indexed(text: str) -> set[str]:
    analyzer = Analyzer()
    words = list(analyzer.words(text))
    table = analyzer.terms(spoken_in(words))
    return {term for word in words for term in table[word]}


def found(question: str, text: str) -> bool:
    """Tell whether every word of the question is found in the text, as it is or by its stem."""
    analyzer, terms = Analyzer(), indexed(text)
    languages = {*spoken_in(analyzer.words(text)).sure, *spoken_in(analyzer.words(question)).sure} or {"en"}
    return all(
        {word.term, *(prefix + stem for stem in analyzer.stems.of(word.written, languages) for prefix in ("", STEM))}
        & terms
        for word in analyzer.query_words(question)
    )


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("running", "He ran and runs."),
        ("children", "my child"),
        ("bought", "buying a car"),
        ("cafe", "Das Café in ZÜRICH"),
        ("Zürich", "zurich"),
        ("Łódź", "lodz"),
        ("strasse", "Straße"),
        ("ﬁne", "fine"),
        ("text_index.py", "see src/index/text_index.py for it"),
        ("index", "see src/index/text_index.py for it"),
        ("src/index/text_index.py", "see src/index/text_index.py for it"),
        ("TextIndex", "class TextIndex:"),
        ("text_index", "class TextIndex:"),
        ("textIndex", "text-index"),
        ("index", "class TextIndex:"),
        ("email", "an e-mail"),
        ("spaced-repetition", "spaced repetition and spaced-repetition"),
        ("repetition", "spaced-repetition"),
        ("2.7.4", "whoosh v2.7.4"),
        ("v2.7.4", "whoosh v2.7.4"),
        ("2.7", "whoosh 2.7.4"),
        ("python", "python3"),
        ("C++", "C++ and Rust"),
        ("C#", "written in C#"),
        ("1000", "costs $1,000"),
        ("example.com", "https://example.com/path"),
        ("AT&T", "a phone of AT&T"),
        ("caroline", "Caroline's dog"),
        ("amour", "l'amour"),
        ("東京", "私は東京に住んでいます"),
        ("猫", "黒猫がいる"),
        ("한국", "나는 한국어를 배운다"),
        ("ประเทศ", "ประเทศไทย"),
        ("नमस्ते", "नमस्ते दुनिया"),
        ("🎉", "party 🎉!"),
    ],
)
def test_a_question_meets_the_text_it_means(question: str, text: str) -> None:
    assert found(question, text)


@pytest.mark.parametrize(("question", "text"), [("e-mail", "an email"), ("HTTPResponse", "getHTTPResponse()")])
def test_a_compound_meets_another_that_shares_a_part(question: str, text: str) -> None:
    assert set(Analyzer().query_terms(question)) & indexed(text)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("2.7.4", "version 2.7.5"),
        ("東京", "京東"),
        ("C++", "vitamin C"),
        ("art", "party"),
    ],
)
def test_a_question_does_not_meet_what_only_looks_alike(question: str, text: str) -> None:
    assert not found(question, text)


def test_function_words_are_left_out_of_questions_unless_there_is_nothing_else() -> None:
    analyzer = Analyzer()
    assert analyzer.query_terms("When did she say that she would go to the zoo?") == ["go", "zoo"]
    assert analyzer.query_terms("who is it") == ["who", "is", "it"]
    assert analyzer.query_terms("isn't don't") != []


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("奶奶的生日是什么时候？", ["奶奶", "生日"]),
        ("对于我拥有的手机，以下哪个是最可能的描述？", ["拥有", "手机", "描述"]),
        ("母の誕生日について教えてください", ["母", "誕生", "生日"]),
        ("什么", ["什", "么"]),
    ],
)
def test_function_words_are_left_out_of_questions_without_spaces_as_well(question: str, terms: list[str]) -> None:
    assert Analyzer().query_terms(question) == terms


def test_words_come_in_the_order_of_the_text() -> None:
    mains = [word.main for word in Analyzer().words("Alpha beta/gamma delta")]
    assert mains == ["alpha", "beta", "gamma", "delta"]


def test_encoded_data_makes_no_endless_terms() -> None:
    forms = indexed("QUJD" * 10_000 + " " + "1." * 10_000 + "1")
    assert max(map(len, forms)) <= 100
    assert len(forms) < 50


@given(st.text())
def test_any_text_can_be_analysed_and_its_terms_are_not_empty(text: str) -> None:
    assert all(form for form in indexed(text))


@given(st.text(alphabet=st.characters(categories=["Lu", "Ll", "Lo", "Nd", "Zs"]), max_size=40))
def test_every_text_is_found_by_itself(text: str) -> None:
    assert found(text, text)


@given(st.text())
def test_folding_twice_changes_nothing_more(text: str) -> None:
    assert fold(fold(text)) == fold(text)
