import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.merging import merged_text
from mnemex_vault.language.sentences import sentences


@pytest.mark.parametrize(
    ("texts", "merged"),
    [
        (["I like tea.", "i like  tea!"], "I like tea."),
        (["I like tea.", "I like tea. Ben too."], "I like tea.\n\nBen too."),
        (["- tea\n- milk", "- milk\n- sugar. Milk too."], "- tea\n- milk\n\n- sugar. Milk too."),
        (["- tea. Black.", "- tea. Green."], "- tea. Black.\n\n- Green."),
        (["# A\n\nX", "# A\nX\nY"], "# A\n\nX\n\n# A\n\nY"),
        (["# A\n## B\nX", "# C\n## B\nX"], "# A\n\n## B\n\nX\n\n# C\n\n## B\n\nX"),
        (["# Buy milk", "# Buy milk\n\n# Call Anna"], "# Buy milk\n\n# Call Anna"),
        (["# A\n## B\nX\n## C\nY", "# A\n## B\nX\n## C\nZ"], "# A\n\n## B\n\nX\n\n## C\n\nY\n\n# A\n\n## C\n\nZ"),
        (["## Anna\nLikes tea", "## Ben\nLikes tea"], "## Anna\n\nLikes tea\n\n## Ben\n\nLikes tea"),
        (["## Anna\nLikes tea", "## Anna\nLikes tea"], "## Anna\n\nLikes tea"),
        (
            ["Anna sings. She likes it.", "Cleo rides. She likes it."],
            "Anna sings. She likes it.\n\nCleo rides. She likes it.",
        ),
        (["Anna likes:\n- tea", "Ben likes:\n- tea"], "Anna likes:\n- tea\n\nBen likes:\n- tea"),
        (["```\na\n\nb\n```", "See:\n\n```\na\n\nb\n```"], "```\na\n\nb\n```\n\nSee:"),
        (["| a |\n|---|\n| 1 |", "| a |\n|---|\n| 2 |"], "| a |\n|---|\n| 1 |\n\n| a |\n|---|\n| 2 |"),
        (["- a\n  - x", "- a\n  - y"], "- a\n  - x\n\n- a\n  - y"),
        (["We chose A\nbecause it is fast.", "We took B\nbecause it is fast."], None),
        (["```\nopen", "```\nopen"], "```\nopen"),
        (["我喜欢茶。", "我喜欢茶。我住在北京。"], "我喜欢茶。\n\n我住在北京。"),
        (["", "a"], "a"),
        (["#", "# "], "#"),
        (["---", "x"], "---\n\nx"),
        ([], ""),
    ],
)
def test_every_distinct_sentence_is_said_once(texts: list[str], merged: str | None) -> None:
    assert merged_text(texts) == (merged if merged is not None else "\n\n".join(texts))


statements = st.lists(st.sampled_from(["Anna sings.", "Ben rides!", "Cleo is 3.", "Dan cooks?", "Tea"]), min_size=1)


@given(st.lists(st.tuples(statements, st.sampled_from([" ", "\n", "\n\n", "\n- "])), max_size=5))
def test_no_sentence_is_lost_and_none_is_repeated(texts: list[tuple[list[str], str]]) -> None:
    # a statement without a closing mark would run into the next one
    written = [mark.join(said).replace("Tea ", "Tea. ") for said, mark in texts]
    told = {sentence.rstrip(".") for text in written for sentence in sentences(text)}
    result = [sentence.rstrip(".") for sentence in sentences(merged_text(written))]
    assert set(result) == told
    assert len(result) == len(told)
