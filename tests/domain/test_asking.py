import pytest

from mnemex_vault.domain.asking import is_question
from mnemex_vault.domain.spoken import sentences_of


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        ("Tea?", True),
        ("お茶ですか？", True),
        ("what is tea", True),
        ("ok so how does it work", True),
        ("how many are there", True),
        ("When I sleep I dream", False),
        ("is it late", True),
        ("do not go", False),
        ("can you come", True),
        ("Why", False),
        ("I sleep", False),
    ],
)
def test_questions_are_told_by_mark_or_opening(text: str, asks: bool) -> None:
    (sentence,) = sentences_of(text)
    assert is_question(sentence) is asks
