"""How the time of reading grows with the length of what is read: `python -m tests.bench.linear [--length 1000000]`.

Each reader meets long texts of one repeated piece, at a quarter, a half and all of the length. Printed are the piece
that takes longest, its milliseconds on the processor at full length, and the largest growth by a doubling: 2 is linear.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from pathlib import Path
from time import process_time

from mnemex_vault.domain.merging import differs_in_facts, merged_text
from mnemex_vault.domain.similarity import near_duplicates, tokens
from mnemex_vault.errors import UnreadableNote
from mnemex_vault.language.hints import hints
from mnemex_vault.language.secrets import find_secrets
from mnemex_vault.language.titles import title_of
from mnemex_vault.text import frontmatter
from mnemex_vault.text.inert_text import inert, original
from mnemex_vault.text.links import links

SLOW = json.loads((Path(__file__).parents[1] / "vectors" / "security" / "slow.json").read_text(encoding="utf-8"))
TEXT_PIECES = [".", "#", "[", "*", "'", "1", "` ", "。", "[](", "<!--", " ", "a_", " #a", "%%", "he ", "漢", "1,000"]
YAML_PIECES = ["[", "- ", "&a [*a] ", "[[a]]", "'[[a]]' ", "# [[a]] "]
LARGEST_NOTE = 50_000
MILLISECOND = 1000

Reader = Callable[[str], object]


def read_frontmatter(text: str) -> object:
    """Read the text as a value of the frontmatter."""
    try:
        return frontmatter.read(f"---\na: {text}\n---\n")
    except UnreadableNote as refusal:
        return refusal


READERS: dict[str, tuple[Reader, list[str], int]] = {
    "links": (lambda text: links("#t [[x]] `c` " + text), SLOW["links"], 1_000_000),
    "links in blocks": (lambda text: links("#t [[x]] `c`\n\n" + text), SLOW["blocks"], 200_000),
    "inert and back": (lambda text: original(inert(text)), SLOW["escape"], 1_000_000),
    "secrets": (find_secrets, SLOW["secrets"], 1_000_000),
    "frontmatter": (read_frontmatter, YAML_PIECES, 64_000),
    "title": (title_of, TEXT_PIECES, LARGEST_NOTE),
    "hints": (hints, TEXT_PIECES, LARGEST_NOTE),
    "tokens": (tokens, TEXT_PIECES, LARGEST_NOTE),
    "merge": (lambda text: merged_text([text, text + "x"]), TEXT_PIECES, LARGEST_NOTE),
    "facts": (lambda text: differs_in_facts([text, text + "x"]), TEXT_PIECES, LARGEST_NOTE),
}


def milliseconds(work: Callable[[], object]) -> float:
    """Return the lesser of two times on the processor."""
    times = []
    for _ in range(2):
        began = process_time()
        work()
        times.append(MILLISECOND * (process_time() - began))
    return min(times)


def growing(reader: Reader, piece: str, length: int) -> list[float]:
    """Return the times at a quarter, a half and all of the length."""
    return [milliseconds(partial(reader, piece * (size // len(piece)))) for size in (length // 4, length // 2, length)]


def growth(times: list[float]) -> float:
    """Return the largest growth by a doubling; what takes under ten milliseconds says nothing."""
    return max((after / before for before, after in pairwise(times) if before > 10), default=0.0)


def memories(count: int) -> dict[str, str]:
    """Make memories of words as they are used, every tenth nearly another."""
    rnd = random.Random(7)
    vocabulary = [f"word{number}" for number in range(5_000)]
    weights = [1 / (number + 1) for number in range(5_000)]
    texts: list[str] = []
    for number in range(count):
        words = rnd.choices(vocabulary, weights, k=rnd.randint(6, 40))
        if number % 10 == 9:
            words = [*texts[rnd.randrange(number)].split()[:-1], rnd.choice(vocabulary)]
        texts.append(" ".join(words))
    return {f"m{number}": text for number, text in enumerate(texts)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--length", type=int, help="characters at most; without it what each reader may meet")
    wanted = parser.parse_args().length
    # what the collector of garbage does is not ours
    gc.disable()
    print(f"{'reader':18} {'characters':>10} {'ms':>8} {'x 2':>6}  slowest piece")
    for name, (reader, pieces, most) in READERS.items():
        length = min(most, wanted or most)
        measured = {piece: growing(reader, piece, length) for piece in pieces}
        piece = max(measured, key=lambda piece: measured[piece][-1])
        worst = max(growth(times) for times in measured.values())
        print(f"{name:18} {length:10} {measured[piece][-1]:8.1f} {worst:6.2f}  {piece!r}")
    compared = partial(near_duplicates, threshold=0.75)
    times = [milliseconds(partial(compared, memories(count))) for count in (2_500, 5_000, 10_000)]
    print(f"{'near duplicates':18} {'10000 notes':>10} {times[-1]:8.1f} {growth(times):6.2f}")


if __name__ == "__main__":
    main()
