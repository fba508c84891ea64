from __future__ import annotations

import re

import pytest

from mnemex_vault.language.folding import fold
from mnemex_vault.language.stems import Stems
from mnemex_vault.language.tongues import Spoken, spoken, tongues


def languages_of(text: str) -> Spoken:
    return spoken((fold(word), word.lower()) for word in re.findall(r"\w+", text))


@pytest.mark.parametrize(
    ("code", "text"),
    [
        ("en", "She told me that the keys are with her brother."),
        ("de", "Die Schlüssel sind bei ihrem Bruder, nicht bei mir."),
        ("nl", "De sleutels zijn bij haar broer en niet bij mij."),
        ("sv", "Nycklarna finns hos hennes bror och inte hos mig."),
        ("fr", "Les clés sont chez son frère, pas chez moi."),
        ("es", "Las llaves están con su hermano y no conmigo."),
        ("pt", "As chaves estão com o irmão dela, não comigo."),
        ("it", "Le chiavi sono da suo fratello e non da me."),
        ("pl", "Klucze są u jej brata, a nie u mnie."),
        ("ru", "Ключи у её брата, а не у меня."),
        ("ar", "المفاتيح مع أخيها وليست معي في البيت"),
    ],
)
def test_a_sentence_is_told_to_be_in_its_language(code: str, text: str) -> None:
    assert code in languages_of(text).best


def test_a_text_without_evidence_may_be_in_every_language_of_its_script() -> None:
    found = languages_of("Penicillin")
    assert found.sure == ()
    assert {"en", "de", "fr"} <= set(found.of("penicillin"))
    assert "ru" not in found.of("penicillin")


def test_foreign_words_in_another_script_are_taken_for_english() -> None:
    assert languages_of("У меня нет deadlines").of("deadlines") == ("en",)


@pytest.mark.parametrize(
    ("code", "forms"),
    [
        ("en", "run running ran runs"),
        ("de", "Haus Häuser Häusern"),
        ("nl", "huis huizen"),
        ("sv", "bok böcker boken"),
        ("fr", "journal journaux"),
        ("es", "luz luces"),
        ("pt", "canção canções cancao cancoes"),
        ("it", "amico amici amica amiche"),
        ("pl", "książka książki książkami"),
        ("ru", "книга книги книгами"),
        ("ar", "كتاب الكتاب كتب"),
    ],
)
def test_forms_of_a_word_have_one_stem_in_its_language(code: str, forms: str) -> None:
    stems = Stems()
    assert len({stems.of(form.lower(), [code]) for form in forms.split()}) == 1


def test_every_language_has_function_words_and_a_stemmer_that_is_there() -> None:
    for tongue in tongues().by_code.values():
        assert len(tongue.function_words) > 40
        assert Stems().of("word", [tongue.code])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("أحمد", "احمد"),
        ("مدرسة", "مدرسه"),
        ("القُرآن", "القرآن"),
        ("مرحبـــا", "مرحبا"),
        ("٤٥", "45"),
        ("שָׁלוֹם", "שלום"),
        ("зелёный", "зеленый"),
        ("data\u00adbase", "database"),
        ("İSTANBUL", "istanbul"),
    ],
)
def test_spellings_of_one_word_fold_alike(one: str, other: str) -> None:
    from mnemex_vault.language.folding import seen

    assert fold(seen(one)) == fold(seen(other))


def test_letters_of_cyrillic_stay_letters_of_their_own() -> None:
    assert fold("мой") != fold("мои")
