"""What holds of the labelled messages that intent is learned from."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parents[1] / "vectors" / "messages").glob("*.txt"))
LANGUAGES = {"ar", "de", "en", "es", "fr", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv", "zh"}


def rows(path: Path) -> list[tuple[str, str]]:
    return [(label, text) for label, text in (line.split(" ", 1) for line in path.read_text("utf-8").splitlines())]


def test_every_language_has_messages_to_learn_from_and_others_that_are_held_out() -> None:
    counts = Counter(path.name[:2] for path in FILES for _ in rows(path))
    assert set(counts) == LANGUAGES
    assert min(counts.values()) >= 250
    assert counts["en"] >= 2_500
    assert {path.name[2:] for path in FILES} == {"_train.txt", "_heldout.txt", "_sealed.txt", "_fresh.txt"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_labels_are_known_and_a_refusal_asks_for_nothing(path: Path) -> None:
    # s worth saving, q asked to be saved, r to be looked up, f confirms, x asked not to be kept, n none of them
    assert {label for label, _ in rows(path)} <= {"s", "q", "r", "f", "n", "x", "sr", "sf", "fr"}


def test_no_message_is_both_learned_from_and_held_out() -> None:
    learned = {text.casefold() for path in FILES if "train" in path.name for _, text in rows(path)}
    held_out = {text.casefold() for path in FILES if "train" not in path.name for _, text in rows(path)}
    assert learned & held_out == set()
    assert len(held_out) >= 2_000
