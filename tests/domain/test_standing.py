import pytest

from mnemex_vault.domain.spoken import sentences_of
from mnemex_vault.domain.standing import is_standing
from mnemex_vault.domain.word_lists import Lexicon

LEXICON = Lexicon.of()


@pytest.mark.parametrize(
    "text",
    [
        "Always show the units.",
        "Never round my figures.",
        "Write always in French.",
        "When you show me code, skip the imports.",
        "Whenever I ask for options, give me three.",
        "Could you please always give temperatures in Celsius?",
        "Keep replies under 100 words.",
        "Use British spelling in everything you write.",
        "Answer in one paragraph unless I ask for more.",
        "Skip the pleasantries when you write to me.",
        "Don't ever suggest vim to me.",
        "Don't call me sir.",
        "Don't sugarcoat things for me.",
        "Call me Max",
        "From now on use tabs",
        "Use tabs by default",
        "Speak French with me from now on.",
        "Metric units only please",
        "No emojis please",
        "No need to greet me every time",
        "Stop apologising all the time",
        "Be blunt with me.",
        "Bullet points over paragraphs please.",
        "Tea over coffee, any day.",
        "Use she/her for me, please.",
        "Window seat for me, always.",
    ],
)
def test_an_instruction_for_the_future_is_recognised(text: str) -> None:
    (sentence,) = sentences_of(text)
    assert is_standing(sentence, LEXICON)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Please",
        "Never mind",
        "Always is a long time.",
        "Call me later",
        "Always close the tags in this snippet.",
        "Sum the second column and always round up",
        "Write a dialogue about a man who never sleeps.",
        "Format it the way we always do it.",
        "When you see an error, what do you do?",
        "When I ran it, nothing happened",
        "No thanks please",
        "Stop it",
        "Stop this all the time",
        "Only please",
        "If only you knew, please",
        "Be careful",
        "Call the shop always open",
        "Call it what you always call it",
        "Keep the two replies",
        "Translate the reply",
        "Do not ever",
        "Do not call me",
        "Mind your always on time self",
    ],
)
def test_what_is_wanted_once_is_no_rule(text: str) -> None:
    assert not any(is_standing(sentence, LEXICON) for sentence in sentences_of(text))
