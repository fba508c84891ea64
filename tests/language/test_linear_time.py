from collections.abc import Callable

import pytest

from mnemex_vault.domain.merging import differs_in_facts, merged_text
from mnemex_vault.domain.similarity import normalised, tokens
from mnemex_vault.language.hints import hints
from mnemex_vault.language.titles import title_of

READERS: dict[str, Callable[[str], object]] = {
    "title": title_of,
    "hints": hints,
    "tokens": tokens,
    "normalised": normalised,
    "merge": lambda text: merged_text([text, text + "x"]),
    "facts": lambda text: differs_in_facts([text, text + "x"]),
}
PIECES = [
    ".", "#", "[", "*", "'", "1", "` ", "`", "。", "# ", "[](", "[^", "<!--", " ", "a_", " #a", "%%", "he ", "漢", "1,000",
    "x:\n- ",
]  # fmt: skip


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("piece", PIECES)
def test_a_long_memory_of_one_repeated_piece_is_read(reader: str, piece: str) -> None:
    text = "# " + piece * (8_000 // len(piece)) + "!"
    READERS[reader](text)
    READERS[reader](text[2:])
