import pytest

from mnemex_vault.language.hints import hints


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("He prefers Go.", ["'he' has no name"]),
        ("Her birthday is in May", ["'her' has no name"]),
        ("Remember that they decided to leave", ["'they' has no name"]),
        ("She told him so", ["'she' has no name", "'him' has no name"]),
        ("It is slow", ["'it' has no name"]),
        ("This has a bug", ["'this' has no name"]),
        ("He likes it. He does.", ["'he' has no name"]),
        ("I fly to Tokyo tomorrow", ["'tomorrow' has no date"]),
        ("Yesterday's meeting was long", ["'yesterday' has no date"]),
        ("We ship next week", ["'next week' has no date"]),
        ("The deadline is in two weeks", ["'in two weeks' has no date"]),
        ("Anna left three days ago", ["'three days ago' has no date"]),
        ("On Friday we ship", ["'Friday' has no date"]),
        ("Anna came last Friday", ["'last friday' has no date"]),
        ("明天我要去北京", ["'明天' has no date"]),
        ("He arrives today", ["'he' has no name", "'today' has no date"]),
    ],
)
def test_what_a_reader_would_not_understand_is_named(content: str, expected: list[str]) -> None:
    assert list(hints(content)) == expected


@pytest.mark.parametrize(
    "content",
    [
        "",
        "I prefer tabs",
        "Hij legt het her en der neer en is dan weg",
        "Ich weiß nicht, wo das her kommt",
        "Han bor her i byen og er ikke gift",
        "Anna lives in Rome; she likes tea",
        "My sister lives in Rome; she likes tea",
        "Developers said they hate meetings",
        "It is important that we test",
        "It's raining",
        "I play chess on Fridays and swim every Monday",
        "We ship next week (2026-03-01)",
        "Tomorrow, 3 March 2026, we ship",
        "Call `tomorrow()`",
        "```\nhe = tomorrow\n```",
        "Мы едем в Рим",
        "me he mudado con Andrea",
        "te he contado demasiado",
        "Le lendemain nous sommes partis",
    ],
)
def test_a_text_that_stands_alone_gets_no_hint(content: str) -> None:
    assert hints(content) == ()


def test_there_are_never_more_than_five_hints() -> None:
    text = "He and she and they met him and her today, tomorrow, yesterday and next week"
    assert len(hints(text)) == 5
