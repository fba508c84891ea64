import pytest

from mnemex_vault.domain.save_intent import save_signals
from mnemex_vault.domain.spoken import sentences_of
from mnemex_vault.domain.word_lists import Lexicon

LEXICON = Lexicon.of()


@pytest.mark.parametrize(
    ("text", "signals"),
    [
        ("Remember that Anna is vegan", {"request"}),
        ("Remember Anna is vegan", {"request"}),
        ("Note: the gate is closed", {"request"}),
        ("FYI the gate is closed", {"request"}),
        ("Can you remember that Anna is vegan?", {"request"}),
        ("Do you remember that film?", {"question"}),
        ("I can't remember that name", {"passing"}),
        ("Remember when we met", set()),
        ("Remember me", set()),
        ("Preference: short answers", {"preference"}),
        ("Decision: dates are UTC", {"decision"}),
        ("My birthday: 3 May", {"lasting"}),
        ("We settled on Go", {"decision"}),
        ("The team agreed to wait", {"decision"}),
        ("Team agreed to wait", {"decision"}),
        ("It was decided that we wait", {"decision"}),
        ("Decided to wait", {"decision"}),
        ("They decided to wait", set()),
        ("Let's use Postgres here", {"decision"}),
        ("Let's go with option B", {"decision"}),
        ("Let's keep going then", set()),
        ("Let's go", set()),
        ("Let's pick up the pace", set()),
        ("I like tea", {"preference"}),
        ("I'm not sure what you mean", {"passing"}),
        ("I believe in tests", {"lasting"}),
        ("We live here today", set()),
        ("Always use type hints", {"standing"}),
        ("Never mind", set()),
        ("Never mind that", set()),
        ("Always brush your teeth", set()),
        ("Call me Max", {"standing"}),
        ("Call me later", set()),
        ("Call me", set()),
        ("From now on use British spelling", {"standing"}),
        ("Please never use emojis", {"standing"}),
        ("Use tabs by default", {"standing"}),
        ("Do not use emojis from now on", {"standing"}),
        ("Stop using emojis anymore", {"standing"}),
        ("He never sleeps", set()),
        ("Important: never deploy on Fridays", {"important"}),
        ("It is critical that data stays here", {"critical"}),
        ("This is crucial", {"important"}),
        ("Exercise is important", set()),
        ("It is important to sleep", set()),
        ("Our data is critical", {"lasting", "critical"}),
        ("No, my name has a K", {"lasting", "correction"}),
        ("Actually, it is on Monday the 4th", {"correction"}),
        ("No", set()),
        ("That is not right, we use Redis", {"lasting", "correction"}),
        ("Maybe I like tea", {"preference", "uncertain"}),
        ("Imagine: my dog is called Rex", {"lasting", "hypothetical"}),
        ("I'm tired", {"passing"}),
        ("I'm vegan, can you suggest a dish?", {"lasting"}),
        ("I've had two operations; is running a bad idea?", {"lasting"}),
        ("I suppose I prefer tea", {"preference"}),
        ("If I had a dog, would it bark?", {"question"}),
        ("You remember my allergy, right?", {"question"}),
        ("I'll remember this", {"passing"}),
        ("Remember my allergy?", {"question"}),
        ("Don't forget to add tests", set()),
        ("Don't forget to call my mother", {"request", "lasting"}),
        ("I will make sure to note that", {"passing"}),
        ("Make the button blue and don't forget the hover state", set()),
        ("Make sure you don't forget that Ida is seven", {"request"}),
        ("Translate 'I have always lived here' into Dutch", set()),
        ("Correct this: I has lived here", set()),
        ("Change of plan: we meet at Lou's", {"decision", "lasting"}),
        ("I take the course, that is settled", {"decision", "lasting"}),
        ("It's just me and my son at home", {"lasting"}),
        ("Our meeting starts in ten minutes", set()),
        ("Could you always use tabs?", {"standing"}),
        ("What is tea?", {"question"}),
        ("Tea is green", set()),
    ],
)
def test_each_sentence_carries_the_signals_a_person_would_name(text: str, signals: set[str]) -> None:
    (sentence,) = sentences_of(text)
    found = set(save_signals(sentence, LEXICON))
    assert found - {"uncertain"} == signals - {"uncertain"}
    assert signals <= found


def test_words_without_a_letter_carry_no_signal() -> None:
    (sentence,) = sentences_of("!!")
    assert save_signals(sentence, LEXICON) == {}
