"""Text of a stranger made inert in a note, and given back exactly.

What a plugin would run, or Obsidian load or open by itself, is broken by one invisible character (a word joiner), put
where it parts the sign from its meaning. A word joiner that the text has itself is doubled. So the escape can always
be undone, and a note that a person reads looks as it was written.
"""

from __future__ import annotations

import html
import re
import string
from functools import cache

JOINER = "\u2060"

# what highlighting knows and no plugin runs or draws; every other name of a code block might call a plugin
_PLAIN_LANGUAGES = (
    "asm|awk|bash|bat|c|clojure|cpp|cs|csharp|css|csv|dart|diff|dockerfile|elixir|elm|erlang|fish|fortran|fsharp|go|"
    "graphql|groovy|haskell|hcl|html|http|ini|java|javascript|js|json|json5|jsonc|jsx|julia|kotlin|latex|less|lisp|log|"
    "lua|makefile|markdown|matlab|md|nginx|nim|nix|ocaml|pascal|perl|php|plaintext|powershell|prolog|proto|ps1|py|"
    "python|r|regex|rs|ruby|rust|sass|scala|scheme|scss|sh|shell|sql|swift|tcl|tex|text|toml|ts|tsx|txt|typescript|vb|"
    "vim|xml|yaml|yml|zig|zsh"
)
# elements that load, run, float over the page or change how the rest is read; others are harmless without attributes
_ACTIVE_ELEMENTS = (
    "a|applet|area|audio|base|body|button|canvas|dialog|embed|form|frame|frameset|head|html|iframe|image|img|input|"
    "link|listing|map|marquee|math|meta|noembed|noframes|noscript|object|option|param|picture|plaintext|portal|script|"
    "select|slot|source|style|svg|template|textarea|title|track|video|xmp"
)
_GAP = r"[\x00-\x20\\]*"
_ACTING_SCHEMES = "|".join(_GAP.join(word) for word in ("javascript", "vbscript", "file", "obsidian", "data"))

# each alternative ends where a joiner is put; quantifiers are possessive or look at a run of
# signs only from its beginning, so that the time is linear
_ACTIVE = rf"""
      (?P<own>{JOINER}+)
    | (?P<entity>&)(?=(?P<reference>\#[xX]?[0-9a-fA-F]{{1,12}}|[A-Za-z]{{2,12}}))
    # Templater, HTML, comments; plain web links and bare elements without effect stay
    | <(?=[%!?/A-Za-z])(?!https?://|mailto:|[\w.+-]+@[\w.-]+>)(?!/?(?!(?:{_ACTIVE_ELEMENTS})\b)[A-Za-z][\w-]*[ ]?/?>)
    # images and embeds become links
    | !(?=\[)
    # a code block, unless its language is a plain one
    | (?:(?<!`)`{{3,}}+|(?<!~)~{{3,}}+)(?=[ \t]*[^\s`~])(?![ \t]*(?:{_PLAIN_LANGUAGES})[ \t]*(?:\r?\n|$))
    # queries and inputs in a line
    | (?<!`)`++(?=\s*+(?:\$?=|(?:input|view|button)[\[-]|dice|dv[:\s]|jsv?:))
    # addresses that act, wherever they stand; other programs only where a link leads to them
    | (?<![A-Za-z0-9])(?:{_ACTING_SCHEMES})(?={_GAP}:)
    | (?:\]\([ \t\n]*<?|\]:[ \t\n]*<?|<)(?!(?:https?|mailto|tel):)[A-Za-z][A-Za-z0-9+.-]*(?=\\?:(?!\s))
    # what MathJax could load or open
    | \\(?=(?:style|href|require|bbox|class|cssId|data|unicode)\b)
    """
_SPELLING = frozenset(f":+.-{string.ascii_letters}{string.digits}")
_JOINERS = re.compile(f"{JOINER}+")


STRANGERS = frozenset({"ai", "web", "import"})


def is_strangers(origin: str | None) -> bool:
    """Tell whether a text of this origin was written by somebody other than the person."""
    return origin in STRANGERS


def as_written(text: str, origin: str | None, *, neutralise: bool) -> str:
    """Return a text as it is to stand in a note: a person's own untouched, a stranger's inert if that is wanted."""
    if not is_strangers(origin):
        return text
    return inert(text) if neutralise else with_joiners_doubled(text)


def as_given(text: str, origin: str | None) -> str:
    """Return the text that `as_written` put into a note."""
    return original(text) if is_strangers(origin) else text


def inert(text: str) -> str:
    r"""Return the text with everything broken that could become active in Obsidian.

    >>> ascii(inert("<% tp.date.now() %> ![[Plan]] `$= 1`"))
    "'<\\u2060% tp.date.now() %> !\\u2060[[Plan]] `\\u2060$= 1`'"
    """
    return _active().sub(_broken, text)


@cache
def _active() -> re.Pattern[str]:
    """Return what finds all that could become active; it takes long to make, and few programs need it."""
    return re.compile(_ACTIVE, re.VERBOSE | re.IGNORECASE)


def with_joiners_doubled(text: str) -> str:
    """Return the text as it is, but so that `original` gives it back."""
    return text.replace(JOINER, JOINER * 2)


def original(text: str) -> str:
    """Return the text from which `inert` or `with_joiners_doubled` made this."""
    if JOINER not in text:
        return text
    return _JOINERS.sub(lambda run: JOINER * (len(run[0]) // 2), text)


def _broken(match: re.Match[str]) -> str:
    sign, kind = match[0], match.lastgroup
    if kind is None:
        return sign + JOINER
    if kind == "own":
        return sign * 2
    return sign + JOINER if _spells_an_address(match["reference"]) else sign


def _spells_an_address(reference: str) -> bool:
    """Tell whether a character reference gives what the name of a language or an address is made of."""
    meant = html.unescape(f"&{reference};")
    return all(character in _SPELLING or character <= " " for character in meant)
