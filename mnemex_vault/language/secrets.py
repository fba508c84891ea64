"""Find what must not be remembered: keys, tokens, private keys, passwords; and refuse it unless the caller insists."""

from __future__ import annotations

import base64
import binascii
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise

from mnemex_vault.errors import SecretFound

# The shapes of keys and tokens: what they begin with, how long they are, what they are made of.


@dataclass(frozen=True, slots=True)
class Shape:
    """One kind of secret; the group `body` of the pattern is the part that must look random."""

    kind: str
    pattern: re.Pattern[str]


def _rows(*rows: tuple[str, str]) -> tuple[Shape, ...]:
    return tuple(Shape(kind, re.compile(pattern)) for kind, pattern in rows)


# each begins with fixed signs, so that looking for all of them stays fast
SHAPES = _rows(
    (
        "private key",
        r"-----BEGIN (?:(?!PRIVATE)[A-Z0-9]+ )*+PRIVATE KEY(?: BLOCK)?-----(?:\\r|\\n|\s)++"
        r"(?:[A-Za-z-]+: [^\n]*\n|\s)*+(?P<body>[A-Za-z0-9+/=]{16,})",
    ),
    ("private key", r"Private-Lines: \d+\s+(?P<body>[A-Za-z0-9+/=]{32,})"),
    ("private key", r"AGE-SECRET-KEY-1(?P<body>[0-9A-Z]{58})"),
    ("private key", r"[xyz]prv(?P<body>[1-9A-HJ-NP-Za-km-z]{107,108})"),
    ("AWS key", r"A(?:KIA|SIA|BIA|CCA)(?P<body>[A-Z2-7]{16})"),
    ("GitHub token", r"gh[pousr]_(?P<body>[A-Za-z0-9]{36,251})"),
    ("GitHub token", r"github_pat_(?P<body>[A-Za-z0-9]{22}_[A-Za-z0-9]{59})"),
    (
        "GitLab token",
        r"gl(?:pat|dt|rt|ptt|cbt|soat|ft|agent|imt|ffct)-(?P<body>[A-Za-z0-9_-]{20,300}(?:\.[0-9a-z.]{9,12})?)",
    ),
    ("Anthropic key", r"sk-ant-[a-z]{3,8}\d\d-(?P<body>[A-Za-z0-9_-]{40,})"),
    ("OpenRouter key", r"sk-or-v1-(?P<body>[0-9a-f]{64})"),
    ("OpenAI key", r"sk-(?:proj|svcacct|admin|None|service)-(?P<body>[A-Za-z0-9_-]{20,})"),
    ("OpenAI key", r"sk-(?P<body>[A-Za-z0-9]{32,64})"),
    ("Groq key", r"gsk_(?P<body>[A-Za-z0-9]{52})"),
    ("xAI key", r"xai-(?P<body>[A-Za-z0-9]{80})"),
    ("Hugging Face token", r"hf_(?P<body>[A-Za-z0-9]{34,40})"),
    ("Replicate token", r"r8_(?P<body>[A-Za-z0-9]{37,40})"),
    ("Perplexity key", r"pplx-(?P<body>[A-Za-z0-9]{48,56})"),
    ("LangSmith key", r"lsv2_(?:pt|sk)_(?P<body>[0-9a-f]{32}_[0-9a-f]{10})"),
    ("Tavily key", r"tvly-(?:dev-|prod-)?(?P<body>[A-Za-z0-9]{32})"),
    ("Pinecone key", r"pcsk_(?P<body>[A-Za-z0-9]{5,6}_[A-Za-z0-9]{63})"),
    ("ElevenLabs key", r"sk_(?P<body>[0-9a-f]{48})"),
    ("Google key", r"AIza(?P<body>[A-Za-z0-9_-]{35})"),
    ("Google token", r"ya29\.(?P<body>[A-Za-z0-9_-]{20,})"),
    ("Google token", r"GOCSPX-(?P<body>[A-Za-z0-9_-]{28})"),
    ("Slack token", r"xox[abceoprs]-(?P<body>(?:\d+-)*[A-Za-z0-9-]{10,})"),
    ("Slack token", r"xapp-\d-[A-Z0-9]+-\d+-(?P<body>[a-f0-9]{40,})"),
    ("webhook", r"https://hooks\.slack\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/(?P<body>[A-Za-z0-9]{20,})"),
    ("webhook", r"https://(?:ptb\.|canary\.)?discord(?:app)?\.com/api/webhooks/\d+/(?P<body>[A-Za-z0-9_-]{60,})"),
    ("Discord token", r"[MNO][A-Za-z0-9]{23,27}\.[A-Za-z0-9_-]{6}\.(?P<body>[A-Za-z0-9_-]{27,38})"),
    ("Telegram token", r"\d{8,10}:(?P<body>AA[A-Za-z0-9_-]{33})"),
    ("Stripe key", r"[sr]k_(?:live|test)_(?P<body>[A-Za-z0-9]{24,})"),
    ("webhook", r"whsec_(?P<body>[A-Za-z0-9+/]{32,})"),
    ("Twilio key", r"SK(?P<body>[0-9a-f]{32})"),
    ("SendGrid key", r"SG\.(?P<body>[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43})"),
    ("Mailgun key", r"key-(?P<body>[0-9a-f]{32})"),
    ("Resend key", r"re_(?P<body>[A-Za-z0-9]{8}_[A-Za-z0-9]{24})"),
    ("npm token", r"npm_(?P<body>[A-Za-z0-9]{36})"),
    ("PyPI token", r"pypi-AgE(?P<body>[A-Za-z0-9_-]{50,})"),
    ("RubyGems key", r"rubygems_(?P<body>[0-9a-f]{48})"),
    ("Docker token", r"dckr_(?:pat|oat)_(?P<body>[A-Za-z0-9_-]{27,32})"),
    ("DigitalOcean token", r"do[opr]_v1_(?P<body>[0-9a-f]{64})"),
    ("Azure key", r"(?:AccountKey|SharedAccessKey)=(?P<body>[A-Za-z0-9+/]{43,86}=+)"),
    ("Shopify token", r"shp(?:at|ca|pa|ss)_(?P<body>[0-9a-fA-F]{32})"),
    ("Square token", r"sq0(?:atp|csp|idp)-(?P<body>[A-Za-z0-9_-]{22,43})"),
    ("Linear key", r"lin_(?:api|oauth)_(?P<body>[A-Za-z0-9]{40,64})"),
    ("Notion token", r"(?:secret_(?=[A-Za-z0-9]{43}\b)|ntn_)(?P<body>[A-Za-z0-9]{43,50})"),
    ("Figma token", r"fig[dou]_?(?P<body>[A-Za-z0-9_-]{40,})"),
    ("Grafana token", r"glsa_(?P<body>[A-Za-z0-9]{32}_[0-9a-fA-F]{8})"),
    ("New Relic key", r"NRAK-(?P<body>[A-Z0-9]{27})"),
    ("Databricks token", r"dapi(?P<body>[0-9a-f]{32})"),
    ("Doppler token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?(?P<body>[A-Za-z0-9]{40,44})"),
    ("HashiCorp token", r"hv[sbr]\.(?P<body>[A-Za-z0-9_-]{24,})"),
    ("HashiCorp token", r"[A-Za-z0-9]{14}\.atlasv1\.(?P<body>[A-Za-z0-9_=-]{60,70})"),
    ("Pulumi token", r"pul-(?P<body>[0-9a-f]{40})"),
    ("Supabase key", r"(?:sbp_|sb_secret_)(?P<body>[A-Za-z0-9_-]{31,50})"),
    ("Netlify token", r"nf[pcou]_(?P<body>[A-Za-z0-9]{36})"),
    ("Airtable token", r"pat(?P<body>[A-Za-z0-9]{14}\.[0-9a-f]{64})"),
    ("Postman key", r"PMAK-(?P<body>[0-9a-f]{24}-[0-9a-f]{34})"),
    ("Atlassian token", r"AT(?:ATT|CTT|BBT)3(?P<body>[A-Za-z0-9_=-]{60,})"),
    ("Heroku key", r"HRKU-(?P<body>[A-Za-z0-9_-]{36,66})"),
    ("1Password token", r"ops_eyJ(?P<body>[A-Za-z0-9+/=_-]{100,})"),
    ("Tailscale key", r"tskey-(?:[a-z]+-)?[A-Za-z0-9]+-(?P<body>[A-Za-z0-9]{20,})"),
    ("Sentry token", r"sntry[su]_(?P<body>[A-Za-z0-9+/=_-]{60,})"),
    ("Fly token", r"(?:FlyV1 )?fm[12][a-z]?_(?P<body>[A-Za-z0-9+/=,_-]{60,})"),
    ("PlanetScale token", r"pscale_(?:tkn|pw|oauth)_(?P<body>[A-Za-z0-9_.-]{32,64})"),
    ("Cloudflare key", r"v1\.0-(?P<body>[0-9a-f]{24}-[0-9a-f]{100,})"),
    ("Cloudflare token", r"cf(?:at|ut|k)_(?P<body>[A-Za-z0-9]{40,})"),
    (
        "access token",
        r"eyJ(?<![A-Za-z0-9_-]eyJ)[A-Za-z0-9_-]{8,}+\."
        r"(?P<body>eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{16,}+)",
    ),
)


# Find what must not be remembered: keys, tokens, private keys, passwords.
#
# The shape decides: a fixed beginning, a length, an alphabet, and that the rest looks random. Fillers such as `xxxx`
# or `YOUR_KEY` and the examples of documentation are no secrets.

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


# Secrets are not remembered unless the caller insists.

_SHOWN = 5


def refuse_secrets(
    fields: Iterable[tuple[str, object]],
    *,
    can_be_kept: bool = True,
    may_pass: Callable[[str], bool] = lambda _: False,
) -> None:
    """Raise SecretFound, which never repeats the secret, for the first of the named values that holds one.

    Values may be texts, or lists and mappings with texts in them; `can_be_kept` tells whether the caller has a way to
    insist, and `may_pass` decides on a text that seems to hold a secret.
    """
    for field, value in fields:
        for text in _texts(value):
            found = find_secrets(text)
            if found and not may_pass(text):
                raise SecretFound(field, [secret.place for secret in found[:_SHOWN]], can_be_kept=can_be_kept)


def _texts(value: object) -> Iterator[str]:
    """Yield every text in a value, and a mapping also as JSON: what it calls a password need not look like one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for pair in value.items() for part in pair for text in _texts(part))
        yield json.dumps(dict(value), ensure_ascii=False, default=str)
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (text for each in value for text in _texts(each))
