"""Find what must not be remembered: keys, tokens, private keys, passwords.

The shape decides: a fixed beginning, a length, an alphabet, and that the rest looks random. Fillers such as `xxxx` or
`YOUR_KEY` and the examples of documentation are no secrets.
"""

from __future__ import annotations

import base64
import binascii
import math
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from mnemex_vault.domain.secret_shapes import SHAPES

_SURROUNDED = re.compile(r"[A-Za-z0-9_+/]")
_WORDS = (
    r"pass(?:word|wd|phrase|code)?|pwd|passwort|kennwort|mot de passe|contraseña|senha|パスワード|密码|"
    r"secret|(?:api|access|auth|account|secret|private|encryption|signing|master|client|app)[ _-]?"
    r"(?:key|token|secret|password)(?:[ _-](?:id|key))?|token|credentials?"
)
_NAMED = re.compile(
    rf"(?<![A-Za-z])(?:{_WORDS})[\"'`*]{{0,3}}[ \t]{{0,4}}"
    r"(?::=|=>|[:=：]|\b(?:is|was|lautet|ist|est|es)\b)[ \t]{0,4}(?P<quote>[\"'`*]{0,3})(?P<body>[^\s\"'`]{6,200})",
    re.IGNORECASE,
)
_BEARER = re.compile(r"\b(?:Bearer|Basic|Token)\s{1,4}(?P<body>[A-Za-z0-9+/=._~-]{16,2000})")
_NETRC = re.compile(r"\blogin\s{1,4}\S{1,100}\s{1,4}password\s{1,4}(?P<body>\S{6,200})")
_ADDRESS = re.compile(
    r"(?<![A-Za-z0-9])[A-Za-z][A-Za-z0-9+.-]{1,20}://(?P<user>[^\s/:@\"'<>`]{0,100}):(?P<body>[^\s/@\"'<>`]{3,200})@[\w\[]"
)
_FILLER = re.compile(
    r"example|sample|dummy|placeholder|change[_-]?me|your|xxxx|redacted|insert|replace|todo|fake|foobar|lorem|here|"
    r"mysecret|mypass|supersecret|secretstr|secret[_-]?key|not[_-]a|hidden|censored|\.\.\.|…|\*\*|----|____|<|>|test[_-]?(?:key|token)",
    re.IGNORECASE,
)
_COMMON = re.compile(
    r"pass(?:word|wd)?\d{0,4}|pwd|pw|secret|token|user(?:name)?|admin|root|postgres|guest|none|null|true|false|"
    r"1password|bitwarden|keepass(?:xc)?\w{0,4}|sha-?\d+.*|md5.*|argon2.*|bcrypt.*|scrypt.*|pbkdf2.*|base64.*|oauth2?.*|"
    r"utf-?8|uuid.*|https?:.*|\d+[-_]?(?:bit|byte|char|digit|word|day|hour|minute|time|letter|month|year|week)\w*|"
    r"v?\d+(?:\.\d+)+\S*|\d{1,4}[-/.:]\d{1,2}\S*|[a-z]{1,12}-\d{1,4}",
    re.IGNORECASE,
)
_CODE = re.compile(r"[(\[{$%#&|;]|[A-Za-z_]\.[A-Za-z_]|::|->")
_LEAST_ENTROPY = 3.0
_LONG = 16
# what vendors print in their documentation
_PRINTED = ("4eC39HqLyjWDarjtT1zdp7dc", "BQokikJOvBiI2HlWgH4olfQ2", "16C7e42F292c6912E7710c838347Ae178B4a")
_EXAMPLE_PEOPLE = (b"John Doe", b"1234567890", b"Jane Doe", b"example.")


@dataclass(frozen=True, slots=True)
class Secret:
    """Where a secret stands, never what it is; line and column count from 1."""

    kind: str
    start: int
    end: int
    line: int
    column: int

    @property
    def place(self) -> str:
        """Return kind and place in words."""
        return f"{self.kind} in line {self.line}, column {self.column}"


def find_secrets(text: str) -> list[Secret]:
    """Return the secrets of a text in the order in which they stand; linear in its length.

    >>> [secret.place for secret in find_secrets("Key: ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5")]
    ['GitHub token in line 1, column 6']
    >>> find_secrets("Key: ghp_" + "x" * 36), find_secrets("password: YOUR_PASSWORD")
    ([], [])
    """
    found: list[Secret] = []
    line, line_start, seen, end = 1, 0, 0, 0
    for start, stop, kind in sorted((*_keys(text), *_passwords(text)), key=lambda span: (span[0], -span[1])):
        if start < end:
            continue
        line += text.count("\n", seen, start)
        line_start = max(line_start, text.rfind("\n", seen, start) + 1)
        found.append(Secret(kind, start, stop, line, start - line_start + 1))
        seen, end = start, stop
    return found


def _keys(text: str) -> Iterator[tuple[int, int, str]]:
    for shape in SHAPES:
        for match in shape.pattern.finditer(text):
            if _stands_alone(text, match) and _is_random(match["body"]) and not _is_example_token(match[0]):
                yield match.start(), match.end(), shape.kind


def _passwords(text: str) -> Iterator[tuple[int, int, str]]:
    for match in _BEARER.finditer(text):
        if _is_random(match["body"]) and _classes(match["body"]) >= 2:
            yield match.start("body"), match.end(), "access token"
    for match in _ADDRESS.finditer(text):
        if match["body"] != match["user"] and not _is_filler(match["body"]) and match["body"][0] not in "$%{[":
            yield match.start("body"), match.end("body"), "password in an address"
    for pattern in (_NAMED, _NETRC):
        for match in pattern.finditer(text):
            if _is_password(match["body"].rstrip(".,;)"), quoted=bool(match.groupdict().get("quote"))):
                yield match.start("body"), match.end("body"), "password or key"


def _stands_alone(text: str, match: re.Match[str]) -> bool:
    """Tell whether the match is no part of something longer, such as an image in base64."""
    before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
    return not (_SURROUNDED.match(before) or (_SURROUNDED.match(after) and match[0][-1].isalnum()))


def _is_random(body: str) -> bool:
    return not (_is_filler(body) or _is_spelled_out(body)) and entropy(body) >= min(_LEAST_ENTROPY, _reachable(body))


def _reachable(body: str) -> float:
    # a short text cannot reach more than the logarithm of its length
    return 0.7 * math.log2(len(body))


def entropy(text: str) -> float:
    """Return the bits a character carries, by how often each occurs.

    >>> entropy("aaaa"), entropy("abcd")
    (0.0, 2.0)
    """
    counts = Counter(text).values()
    return sum(count / len(text) * math.log2(len(text) / count) for count in counts)


def _is_filler(body: str) -> bool:
    """Tell whether a person put this where a secret belongs, or counted up."""
    if _FILLER.search(body) or _COMMON.fullmatch(body) or body in _PRINTED:
        return True
    steps = sum(1 for one, next_one in pairwise(body) if ord(next_one) - ord(one) in (0, 1))
    return steps > 0.5 * (len(body) - 1)


def _is_spelled_out(body: str) -> bool:
    """Tell whether the text is words with hyphens: what is random has digits or capitals in between."""
    return body.replace("-", "").replace("_", "").isalpha() and (body.islower() or body.isupper())


def _is_example_token(token: str) -> bool:
    """Tell whether a token is signed for the invented people of documentation."""
    if not token.startswith("eyJ"):
        return False
    payload = token.split(".")[1]
    try:
        said = base64.urlsafe_b64decode(payload + "=" * (-len(payload) % 4))
    except (binascii.Error, ValueError):
        return False
    return any(person in said for person in _EXAMPLE_PEOPLE)


def _is_password(body: str, *, quoted: bool) -> bool:
    if len(body) < 6 or _is_filler(body) or _is_spelled_out(body) or body[0] in "$<{[%(":
        return False
    if not quoted and _CODE.search(body) and not body[-1].isalnum():
        return False
    if not quoted and _CODE.search(body) and len(body) > _LONG:
        return False
    return any(map(str.isdigit, body)) and any(map(str.isalpha, body)) and entropy(body) >= 0.6 * math.log2(len(body))


def _classes(body: str) -> int:
    return sum(any(map(kind, body)) for kind in (str.islower, str.isupper, str.isdigit))
