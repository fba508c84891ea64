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
        ("Remember that idea with the sensors? ", {"recall"}),
        ("We settled on a name for the boat, which one?", {"recall"}),
        ("We had a plan for the attic, what was it", {"recall"}),
        ("You gave me a list of names, can I see it again?", {"recall"}),
        ("Ignore what I said about oak", set()),
        ("I mentioned a good roofer once", {"recall"}),
        ("I told you so", set()),
        ("Moments like these remind me how much it matters", set()),
        ("What I said was helpful", set()),
        ("What was the name of that dentist I liked?", {"personal"}),
        ("Do you still have the number you gave me?", set()),
        ("What did they offer us?", {"personal"}),
        ("Who recommended that physio to me?", {"personal"}),
        ("When is mum's birthday?", {"personal"}),
        ("What does my name mean?", {"general"}),
        ("How are we able to see?", set()),
        ("Why do we dream?", {"general"}),
        ("How many cars do I have?", {"personal"}),
        ("How do I tell my mother?", {"personal"}),
        ("Do we have a contract?", {"personal"}),
        ("Do I have to go?", set()),
        ("What would I enjoy?", {"personal"}),
        ("Must I go?", set()),
        ("How many people live in my country on average?", {"general"}),
        ("What do I pack for the usual trip?", {"personal"}),
        ("What was the shelf width?", {"shared"}),
        ("What was the tile shop called?", {"shared"}),
        ("What was the Silk Road?", set()),
        ("What was the first computer?", set()),
        ("Where are the kids?", {"shared"}),
        ("What did Aoife want to study?", {"known_person"}),
        ("What's Paulo's surname?", {"known_person"}),
        ("What does Python need?", {"general"}),
        ("Who wrote about Anna?", {"general"}),
        ("If I lived in Tokyo, would I pay rent?", set()),
        ("Our oven is small, can I bake bread in it?", set()),
        ("Summarise our discussion about the loan", {"depends"}),
        ("Format this the way we always do it", {"depends"}),
        ("Plan me a trip", {"depends"}),
        ("Help me decide", {"depends"}),
        ("Write a bio of me", {"depends"}),
        ("Find something for the kids", {"depends"}),
        ("Which one would suit me?", {"depends"}),
        ("What should it be?", set()),
        ("?", set()),
        ("Tea?", set()),
        ("Are we?", set()),
    ],
)
def test_each_sentence_carries_the_signals_a_person_would_name(text: str, signals: set[str]) -> None:
    found = {name for sentence in sentences_of(text) for name in recall_signals(sentence, LEXICON)}
    assert found == signals


def test_she_is_known_where_the_message_names_her() -> None:
    (sentence,) = sentences_of("What does she like?")
    assert recall_signals(sentence, LEXICON, acquainted=True) == {"known_person": 3.5}
    assert recall_signals(sentence, LEXICON) == {"general": -5.0}
