"""Names in a text, found without a model: technologies, people, organisations, code, links.

Capitals alone prove nothing at the start of a sentence, nor in languages that capitalise every noun.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

import regex

from mnemex_vault.language.folding import fold
from mnemex_vault.language.sentences import Kind, blocks, split_sentences
from mnemex_vault.language.tongues import spoken_in, tongues
from mnemex_vault.language.word_lists import NO_NAMES, ORGANISATION_ENDINGS, RELATIONS, TITLES, Lexicon
from mnemex_vault.language.words import ADVERBS, EMPTY, MODALS, VERBS

MOST_ENTITIES = 10
_LOOK_AT = 20_000
_LONGEST_NAME = 60
_FEW = 2
_MOST = 0.7

_WORD = r"[\p{L}\p{N}][\p{L}\p{N}\p{M}_]*+(?:['’.&/+-](?=[\p{L}\p{N}])[\p{L}\p{N}\p{M}_]++)*+"
_TOKEN = regex.compile(
    r"(?P<link>!?\[\[[^\[\]\n]{1,160}\]\])"
    r"|(?P<code>`[^`\n]{1,60}`)"
    r"|(?P<url>https?://[^\s<>\"')\]]+)"
    r"|(?P<mail>[\p{L}\p{N}][\w.+-]{0,63}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4})"
    r"|(?P<handle>(?<![\w@])@[A-Za-z][\w-]{1,38})"
    rf"|(?P<call>{_WORD})(?=\(\))"
    rf"|(?P<word>(?<!\w)\.?{_WORD}(?:\+\+|\#(?!\w))?)"
    r"|(?P<mark>[^\s\w])"
)
_UNSPACED = r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]"
# "私はPythonが" has no space between the scripts
_SEAM = regex.compile(rf"(?<={_UNSPACED})(?=[A-Za-z0-9])|(?<=[A-Za-z0-9])(?={_UNSPACED})")
_IDENTIFIER = regex.compile(
    r"[a-z]+(?:[A-Z][a-z0-9]*)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+"
    r"|[\w-]+\.(?:py|js|ts|tsx|jsx|md|json|ya?ml|toml|rs|go|java|rb|sh|sql|css|html|txt|csv|ini|env|lock)|\.env"
)
_ORDINARY = EMPTY | ADVERBS | MODALS | VERBS | NO_NAMES


class EntityKind(StrEnum):
    """What a name stands for, as far as a word list can tell."""

    TECHNOLOGY = "technology"
    CONCEPT = "concept"
    PERSON = "person"
    ORGANISATION = "organisation"
    CODE = "code"
    LINK = "link"
    NAME = "name"


# kinds that capitals alone suggest, which a recogniser knows better
_GUESSED = frozenset({EntityKind.NAME, EntityKind.PERSON, EntityKind.ORGANISATION})


@dataclass(frozen=True, slots=True)
class Entity:
    """A name in its usual spelling; `key` is the same for every spelling."""

    name: str
    kind: EntityKind

    @property
    def key(self) -> str:
        """The name without differences of case."""
        return self.name.casefold()


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of a sentence; `first` tells that anything there has a capital, `empty` that it is a function word."""

    kind: str
    text: str
    first: bool
    empty: bool


def entities_of(text: str, lexicon: Lexicon) -> tuple[Entity, ...]:
    """Return up to ten names in the order of their first mention.

    >>> [entity.key for entity in entities_of("Use JWT for auth, says Anna", Lexicon.of())]
    ['jwt', 'auth', 'anna']
    """
    found: dict[str, Entity] = {}
    for block in blocks(text[:_LOOK_AT]):
        if block.kind is Kind.CODE:
            continue
        for entity in _in_block(block.text, lexicon):
            found.setdefault(entity.key, entity)
        found = _with_recognised(found, block.text, lexicon)
        if len(found) >= MOST_ENTITIES:
            break
    entities = list(found.values())
    if lexicon.recognise is not None:
        said = text.casefold()
        entities.sort(key=lambda entity: said.find(entity.key) % (len(said) + 1))
    return tuple(entities[:MOST_ENTITIES])


def _with_recognised(found: dict[str, Entity], text: str, lexicon: Lexicon) -> dict[str, Entity]:
    """Add what a recogniser finds; the longer name stands for its parts, and its kind for what was only a name."""
    for entity in lexicon.recognise(text) if lexicon.recognise is not None else ():
        if not _is_name(entity.name):
            continue
        longer = [key for key in found if key != entity.key and f" {entity.key} " in f" {key} "]
        parts = [key for key in found if key != entity.key and f" {key} " in f" {entity.key} "]
        known = found.get(entity.key)
        if longer or any(found[key].kind not in _GUESSED for key in parts):
            continue
        if known is None or known.kind is EntityKind.NAME:
            found = {key: name for key, name in found.items() if key not in parts} | {entity.key: entity}
    return found


def _is_name(name: str) -> bool:
    """Tell whether a recogniser's find can be a name: short, on one line, and more than common words."""
    return 1 < len(name) <= _LONGEST_NAME and name.isprintable() and not _ORDINARY.issuperset(name.casefold().split())


def _in_block(text: str, lexicon: Lexicon) -> Iterator[Entity]:
    languages = spoken_in(text).best
    known = tongues().by_code
    nouns = any(known[code].capitals for code in languages)
    empty = frozenset[str]().union(*(known[code].function_words for code in languages))
    for sentence in split_sentences(text):
        tokens = _tokens(sentence, empty)
        capitals_count = not nouns and not _mostly_capitals(tokens, sure=bool(languages))
        yield from _in_sentence(tokens, lexicon, capitals_count)


def _mostly_capitals(tokens: Sequence[_Token], *, sure: bool) -> bool:
    """Tell whether capitals say nothing: all is written in them, or most words begin so in who knows what language."""
    words = [token.text for token in tokens if token.kind == "word"]
    if len(words) > _FEW and " ".join(words).isupper():
        return True
    return not sure and len(words) > _FEW and sum(word[0].isupper() for word in words) > _MOST * len(words)


def _tokens(sentence: str, function_words: Collection[str]) -> list[_Token]:
    found = []
    first = True
    for match in _TOKEN.finditer(_SEAM.sub(" ", sentence)):
        kind = str(match.lastgroup)
        found.append(_Token(kind, match[0], first, fold(match[0]) in function_words))
        # after a colon or an opening quote a capital may be that of a new sentence
        first = (first and kind == "mark") or match[0] in (":", "“", "„")
    return found


def _in_sentence(tokens: list[_Token], lexicon: Lexicon, capitals_count: bool) -> Iterator[Entity]:
    at = 0
    while at < len(tokens):
        step, entity = _at(tokens, at, lexicon, capitals_count)
        if entity is not None:
            yield entity
        at += step


def _at(tokens: list[_Token], at: int, lexicon: Lexicon, capitals_count: bool) -> tuple[int, Entity | None]:
    token = tokens[at]
    if token.kind != "word":
        return 1, _marked(token)
    known = _known(tokens, at, lexicon)
    if known is not None:
        return known
    if _IDENTIFIER.fullmatch(token.text):
        return 1, Entity(token.text, EntityKind.CODE)
    return _proper(tokens, at, lexicon, capitals_count)


def _marked(token: _Token) -> Entity | None:
    """Names that the writer marked as such."""
    if token.kind == "link":
        name = regex.split(r"[|#]", token.text.strip("![]"))[0].strip()
        return Entity(name, EntityKind.LINK) if name else None
    if token.kind == "code":
        inner = token.text.strip("`").strip()
        return Entity(inner, EntityKind.CODE) if regex.fullmatch(r"[\w.@/:+#-]{2,40}", inner) else None
    if token.kind == "url":
        host = regex.sub(r"^https?://(?:www\.)?", "", token.text)
        return Entity(regex.split(r"[/?#:]", host)[0], EntityKind.NAME)
    if token.kind == "call":
        return Entity(token.text, EntityKind.CODE)
    return Entity(token.text, EntityKind.PERSON) if token.kind in ("mail", "handle") else None


def _known(tokens: list[_Token], at: int, lexicon: Lexicon) -> tuple[int, Entity] | None:
    for size in (3, 2, 1):
        part = tokens[at : at + size]
        phrase = " ".join(token.text for token in part)
        name = lexicon.technologies.get(phrase.casefold())
        if name is not None and len(part) == size:
            return size, Entity(name, EntityKind.TECHNOLOGY)
    word = tokens[at].text
    if word in lexicon.ambiguous and not tokens[at].first:
        return 1, Entity(word, EntityKind.TECHNOLOGY)
    if word.casefold() in lexicon.concepts:
        return 1, Entity(word.casefold(), EntityKind.CONCEPT)
    return None


def _proper(tokens: list[_Token], at: int, lexicon: Lexicon, capitals_count: bool) -> tuple[int, Entity | None]:
    run = _institution(tokens, at) or [_bare(token.text) for token in _run(tokens, at, lexicon)]
    if not run:
        return 1, _called(tokens, at)
    before = [token.text.lower() for token in tokens[max(0, at - 2) : at] if token.text != "."][-1:]
    name = " ".join(run)
    if (len(run) > 1 and {run[0], run[-1]} & ORGANISATION_ENDINGS) or name in lexicon.organisations:
        return len(run), Entity(name, EntityKind.ORGANISATION)
    if run[0] in lexicon.first_names or set(before) & (TITLES | RELATIONS):
        return len(run), Entity(name, EntityKind.PERSON)
    if (len(run) == 1 and tokens[at].first) or not capitals_count:
        return len(run), None
    return len(run), Entity(name, EntityKind.NAME)


def _run(tokens: list[_Token], at: int, lexicon: Lexicon) -> list[_Token]:
    """Capitalised words side by side; a common word at the start of a sentence is not one of them."""
    found = []
    for token in tokens[at : at + 4]:
        text = token.text
        ordinary = _bare(text).lower().rstrip(".") in (_ORDINARY if token.first else NO_NAMES)
        ordinary = ordinary or (token.first and token.empty)
        if token.kind != "word" or not text[0].isupper() or ordinary or text.lower() in TITLES:
            break
        if _known([token], 0, lexicon) or len(text) < 2 or (text.isupper() and len(text) > 6):
            break
        found.append(token)
        if text.endswith(("'s", "’s")):
            break
    return found


def _institution(tokens: list[_Token], at: int) -> list[str]:
    """A name such as "University of Zurich"."""
    part = [token.text for token in tokens[at : at + 3]]
    named = part[0] in ORGANISATION_ENDINGS and part[1:2] == ["of"] and part[-1][0].isupper()
    return part if named else []


def _called(tokens: list[_Token], at: int) -> Entity | None:
    """A name in small letters after "called" or "named"."""
    word = tokens[at].text
    introduced = at > 0 and tokens[at - 1].text.lower() in ("called", "named")
    return Entity(word, EntityKind.NAME) if introduced and word.lower() not in _ORDINARY else None


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s")
