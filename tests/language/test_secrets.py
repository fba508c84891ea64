"""Keys and passwords are found by their shape; what only looks like one is let through."""

from __future__ import annotations

import json
import random
import re
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemex_vault.language.secrets import find_secrets

SECURITY = Path(__file__).parents[1] / "vectors" / "security"
CORPUS = json.loads((SECURITY / "secrets.json").read_text(encoding="utf-8"))
SLOW = json.loads((SECURITY / "slow.json").read_text(encoding="utf-8"))
ALPHABETS = {
    "alnum": string.ascii_letters + string.digits,
    "hex": "0123456789abcdef",
    "upper": string.ascii_uppercase + string.digits,
    "base32": string.ascii_uppercase + "234567",
    "digit": string.digits,
    "url": string.ascii_letters + string.digits + "_-",
    "b64": string.ascii_letters + string.digits + "+/",
}
FRAMES = ["{}", "Remember this: {} please", "a\nb\n{}\nc", "`{}`", "({})", '"{}"']


def filled(shape: str, chance: random.Random) -> str:
    def fill(match: re.Match[str]) -> str:
        letters = ALPHABETS[match[1]]
        body = "".join(chance.choices(letters, k=int(match[2])))
        # no vendor's token ends in a hyphen, at which a sentence would be taken to go on
        return body[:-1] + chance.choice(letters.rstrip("-"))

    return re.sub(r"\{(\w+):(\d+)\}", fill, shape)


def secrets() -> Iterator[tuple[str, str]]:
    chance = random.Random(9)
    for kind, shape in CORPUS["secrets"]:
        for frame in FRAMES:
            yield kind, frame.replace("{}", filled(shape, chance))


def lookalikes() -> list[str]:
    """Give those written down, and as many hashes, identifiers and images at random as there are secrets."""
    chance = random.Random(10)
    made = ["{hex:40}", "{hex:64}", "{hex:32}", "{hex:8}-{hex:4}-{hex:4}-{hex:4}-{hex:12}", "{upper:26}", "{url:11}"]
    images = ["data:image/png;base64,{b64:3000}==", "{b64:200}", "sha512-{b64:86}==", "version {digit:2}.{digit:2}"]
    return [*CORPUS["lookalikes"], *(filled(shape, chance) for shape in (made + images) * 40)]


@pytest.mark.row("J6", "S17")
def test_at_least_95_of_100_findings_are_secrets_and_hardly_one_is_missed() -> None:
    real = list(secrets())
    missed = [text for _, text in real if not find_secrets(text)]
    false = [text for text in lookalikes() if find_secrets(text)]
    found = len(real) - len(missed)
    assert found / (found + len(false)) >= 0.95, false
    assert not false
    assert len(missed) / len(real) <= 0.01, missed


@pytest.mark.parametrize(("kind", "shape"), CORPUS["secrets"])
def test_each_kind_is_named(kind: str, shape: str) -> None:
    text = f"First line.\nNote: {filled(shape, random.Random(1))}"
    found = find_secrets(text)
    assert [secret.kind for secret in found] == [kind]
    assert found[0].line >= 2


@pytest.mark.parametrize("text", CORPUS["lookalikes"])
def test_what_only_looks_like_a_secret_is_none(text: str) -> None:
    assert find_secrets(text) == []


def test_a_finding_says_where_and_never_what() -> None:
    secret = "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
    [found] = find_secrets(f"One line.\nToken {secret}.")
    assert (found.line, found.column) == (2, 7)
    assert secret not in repr(found)
    assert "aB3d" not in found.place


def test_a_token_whose_middle_cannot_be_decoded_is_still_one() -> None:
    chance = random.Random(3)
    parts = ("eyJ" + "".join(chance.choices(string.ascii_letters + string.digits, k=size)) for size in (20, 18, 40))
    assert [found.kind for found in find_secrets(".".join(parts))] == ["access token"]


def test_several_secrets_are_found_in_order() -> None:
    one, other = "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5", "hunter2"
    kinds = [secret.kind for secret in find_secrets(f"{one}\npassword: {other}\n{one}")]
    assert kinds == ["GitHub token", "password or key", "GitHub token"]


@pytest.mark.row("J8", "S11")
@pytest.mark.parametrize("piece", SLOW["secrets"])
def test_a_secret_behind_a_long_text_of_anything_is_found(piece: str) -> None:
    text = piece * (100_000 // len(piece)) + "\n\nghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5\n"
    assert "GitHub token" in [found.kind for found in find_secrets(text)]
