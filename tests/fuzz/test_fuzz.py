"""A bounded run of every fuzz target: the seeds, and texts made of their pieces."""

from __future__ import annotations

import random

import pytest

from tests.fuzz.targets import NOTES, SEEDS, TARGETS

SIGNS = [b"---\n", b": ", b"- ", b"[[", b"]]", b"<%", b"```", b"\xe2\x81\xa0", b"\r\n", b'"', b"'", b"&a", b"*a", b"!!x", b"\xff",
         b"2024-13-45", b"javascript:", b"password: ", b"ghp_", b"\n", b" ", b"#", b"|", b"\\"]  # fmt: skip


def corpus() -> list[bytes]:
    return [path.read_bytes() for path in sorted([*SEEDS.iterdir(), *NOTES.glob("*.md")])]


def mutated(chance: random.Random, seeds: list[bytes]) -> bytes:
    data = bytearray(chance.choice(seeds))
    for _ in range(chance.choice([1, 2, 4, 8])):
        at = chance.randrange(len(data) + 1)
        match chance.randrange(4):
            case 0:
                data[at:at] = chance.choice(SIGNS)
            case 1:
                del data[at : at + chance.choice([1, 4, 20])]
            case 2:
                other = chance.choice(seeds)
                start = chance.randrange(len(other) + 1)
                data[at:at] = other[start : start + chance.choice([1, 10, 60])]
            case 3:
                data[at : at + 1] = bytes([chance.randrange(256)])
    return bytes(data[:20_000])


@pytest.mark.parametrize("name", TARGETS)
def test_seeds_and_their_mutations_hold(name: str, full: bool) -> None:
    seeds, chance = corpus(), random.Random(11)
    for data in seeds if full else chance.sample(seeds, 20):
        TARGETS[name](data)
    for _ in range(1_500 if full else 40):
        TARGETS[name](mutated(chance, seeds))
