import pytest

from mnemex_vault.domain.recall_intent import recall_signals
from mnemex_vault.domain.spoken import sentences_of
from mnemex_vault.domain.word_lists import Lexicon

LEXICON = Lexicon.of()


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        ("What did I say about tea?", {"recall", "personal"}),
        ("Remind me what Anna likes", {"recall"}),
        ("Remind me how to tie a knot", set()),
        ("As we discussed, go on", {"recall"}),
        ("What's my dog's name?", {"personal"}),
        ("Why is my code slow?", {"general"}),
        ("Where do I keep the keys?", {"personal"}),
        ("What do I need for pancakes?", set()),
        ("What am I missing here?", set()),
        ("Did we ever fix the bug?", {"personal"}),
        ("Did we fix the bug?", set()),
        ("Can I eat nuts?", {"personal"}),
        ("Can I use tabs in Go?", set()),
        ("Should I?", set()),
        ("How do I sort a list?", {"general"}),
        ("How do I like my tea?", {"personal"}),
        ("How long do we usually wait?", {"personal"}),
        ("How do I usually commute?", {"personal"}),
        ("What should I cook?", {"depends"}),
        ("What should I think?", set()),
        ("Is there a gift for me?", {"depends"}),
        ("Can you explain it for me?", {"depends"}),
        ("Does Anna eat fish?", {"known_person"}),
        ("When is the deadline?", {"shared"}),
        ("What is the capital of the region?", {"general"}),
        ("What is the big idea with the deadline and the rest?", set()),
        ("What was a deadline?", set()),
        ("Is the deadline near?", set()),
        ("Plan a trip for us", {"depends"}),
        ("Order the usual, as always", {"depends"}),
        ("Choose a place we would like", {"depends"}),
        ("Translate my letter", set()),
        ("Write a poem", set()),
        ("Always write it for me", set()),
        ("Remember that my dog is old", set()),
        ("My dog is old", set()),
        ("?", set()),
        ("Tea?", set()),
        ("Are we?", set()),
    ],
)
def test_each_sentence_carries_the_signals_a_person_would_name(text: str, signals: set[str]) -> None:
    found = {name for sentence in sentences_of(text) for name in recall_signals(sentence, LEXICON)}
    assert found == signals
