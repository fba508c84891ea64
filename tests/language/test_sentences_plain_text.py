import pytest

from mnemex_vault.language.sentences import plain_text


@pytest.mark.parametrize(
    ("markdown", "text"),
    [
        ("**bold** and *light* and ***both*** and ~~gone~~ ==seen==", "bold and light and both and gone seen"),
        ("_under_ but snake_case_name", "under but snake_case_name"),
        ("[text](https://a.example 'title') ![alt](b.png)", "text alt"),
        ("[](https://a.example)", "https://a.example"),
        ("<https://a.example> <b>x</b> <!-- no --> %%hidden%%", "https://a.example x"),
        ("[[Note]] [[Note|name]] [[#Part]] ![[Embed]]", "Note name Part Embed"),
        ("`code` and ``more``", "code and more"),
        ("a footnote[^1] and \\*stars\\*", "a footnote and *stars*"),
        ("#tag but C# and issue #5 and a&#b", "tag but C# and issue #5 and a&#b"),
        ("2 * 3 * 4 = 24", "2 * 3 * 4 = 24"),
    ],
)
def test_marks_go_and_words_stay(markdown: str, text: str) -> None:
    assert plain_text(markdown) == text
