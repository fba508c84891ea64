from __future__ import annotations

import random
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.similarity import jaccard, tokens
from mnemex_vault.index.text_index import TextIndex
from tests.index.texts import note

SYLLABLES = ["ba", "de", "fi", "go", "lu", "mar", "nel", "por"]


def everything(_path: str) -> bool:
    return True


def filled(folder: Path, texts: dict[str, str], *, committed: int) -> TextIndex:
    """Return an index of which the first so many notes are committed, the others staged."""
    index = TextIndex(folder)
    for place, (path, body) in enumerate(texts.items()):
        if place == committed:
            index.flush()
        index.stage([note(path, body)])
    return index


def prose(chance: random.Random, words: int) -> list[str]:
    return ["".join(chance.choices(SYLLABLES, k=chance.randint(1, 3))) for _ in range(words)]


def test_the_most_similar_come_first_and_others_not_at_all(tmp_path: Path) -> None:
    texts = {
        "a.md": "The dentist is on floor 3 of the Mill Street house",
        "b.md": "The dentist is on floor 4",
        "c.md": "The doctor drives to the harbour on Mondays",
    }
    index = filled(tmp_path, texts, committed=2)
    asked = "The dentist is on floor 5 of the Mill Street house"
    assert [*index.alike(asked, everything, threshold=0.4, count=3)] == ["a.md", "b.md"]
    assert [*index.alike(asked, everything, threshold=0.4, count=1)] == ["a.md"]
    assert [*index.alike(asked, lambda path: path != "a.md", threshold=0.4, count=3)] == ["b.md"]
    assert [*index.alike("", everything, threshold=0.4, count=3)] == []


def test_a_removed_note_is_like_nothing(tmp_path: Path) -> None:
    index = filled(tmp_path, {"a.md": "zebra river", "b.md": "lion"}, committed=2)
    index.flush()
    index.stage([], ["a.md"])
    assert [*index.alike("zebra river", everything, threshold=0.4, count=3)] == []


def test_among_many_notes_of_the_same_words_the_like_one_is_found(tmp_path: Path) -> None:
    chance = random.Random(5)
    texts = {f"{number}.md": prose(chance, 25) for number in range(600)}
    index = filled(tmp_path, {path: " ".join(words) for path, words in texts.items()}, committed=500)
    found = 0
    for path, words in list(texts.items())[::6]:
        changed = " ".join([*prose(chance, 5), *words[5:]])
        found += path in index.alike(changed, everything, threshold=0.35, count=6)
    assert found >= 99


ANIMALS = ["zebra", "lion", "okapi", "gnu", "panda", "koala"]
TEXTS = st.lists(st.sampled_from(ANIMALS), min_size=1, max_size=8).map(" ".join)


@given(st.lists(TEXTS, min_size=1, max_size=6), TEXTS, st.integers(0, 6))
def test_in_a_small_vault_it_is_exactly_the_similar_ones(bodies: list[str], text: str, committed: int) -> None:
    texts = {f"{number}.md": body for number, body in enumerate(bodies)}
    similarity = {path: jaccard(tokens(text), tokens(body)) for path, body in texts.items()}
    with tempfile.TemporaryDirectory() as folder:
        index = filled(Path(folder), texts, committed=committed)
        found = index.alike(text, everything, threshold=0.5, count=10)
    assert set(found) == {path for path, value in similarity.items() if value >= 0.5}
    assert list(found.values()) == sorted((similarity[path] for path in found), reverse=True)
