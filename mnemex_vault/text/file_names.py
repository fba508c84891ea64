"""File names: those a person would have chosen, legal on every system and in a link; and which are notes to us."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, count, takewhile

import regex

from mnemex_vault.language.folding import name_key
from mnemex_vault.language.sentences import cuts

# Which files of a vault are notes to us.

_CONFLICT_COPY = re.compile(
    r"\.sync-conflict-\d{8}-\d{6}(-[A-Z0-9]{1,16})?$"  # Syncthing
    r"|\([^()]*conflicted copy[^()]*\)( ?\(?\d{1,3}\)?)?$",  # Obsidian Sync, Dropbox, Nextcloud, and our own
    re.IGNORECASE,
)
# what iCloud, Google Drive, OneDrive and file managers put behind a name that is taken
_NUMBERED_COPY = re.compile(r" ?\(\d{1,3}\)| \d{1,3}| (- )?copy( \(?\d{1,3}\)?)?|-[A-Z0-9-]{1,15}", re.IGNORECASE)
_NOT_NOTES = ".excalidraw.md"
# hidden files, and what office programs and Syncthing put beside a file while they write it
_FOREIGN_TEMP = (".", "~$", "~syncthing~")


def is_conflict_copy(path: str) -> bool:
    """Tell whether a sync tool, or we, put a second version of a note here.

    >>> is_conflict_copy("Work/Tea.sync-conflict-20260102-120000-ABCDEFG.md"), is_conflict_copy("Tea.md")
    (True, False)
    """
    if "conflict" not in path.lower():
        return False
    stem, _, suffix = path.rpartition("/")[2].rpartition(".")
    return suffix.lower() == "md" and _CONFLICT_COPY.search(stem) is not None


def original_path(path: str) -> str:
    """Return the path of the note that a conflict copy was made of, by its name.

    >>> original_path("Work/Tea (Bob's conflicted copy 2026-01-02).md")
    'Work/Tea.md'
    """
    stem, dot, suffix = path.rpartition(".")
    return f"{_CONFLICT_COPY.sub('', stem).rstrip()}{dot}{suffix}"


def may_be_copy(path: str, *, original: str) -> bool:
    """Tell whether a tool may have given a copy of the original this name; only what the notes say can prove it.

    >>> may_be_copy("Tea (1).md", original="Tea.md"), may_be_copy("Tea 2.md", original="Tea.md")
    (True, True)
    >>> may_be_copy("Tea time.md", original="Tea.md"), may_be_copy("Work/Tea 2.md", original="Tea.md")
    (False, False)
    """
    (stem, _, suffix), (start, _, original_suffix) = path.rpartition("."), original.rpartition(".")
    same_kind = suffix.lower() == original_suffix.lower() and stem.startswith(start)
    return same_kind and _NUMBERED_COPY.fullmatch(stem[len(start) :]) is not None


def is_note_name(name: str) -> bool:
    """Tell whether a file of this name is a note of any kind, a conflict copy included."""
    lowered = name.lower()
    return lowered.endswith(".md") and not lowered.startswith(_FOREIGN_TEMP) and not lowered.endswith(_NOT_NOTES)


def is_canvas_name(name: str) -> bool:
    """Tell whether a file of this name is one of Obsidian's canvases."""
    return name.lower().endswith(".canvas") and not name.startswith(".")


# File names that a person would have chosen: legal on every system, and as the target of a wikilink.

MAX_CHARACTERS = 60
# three bytes a character: leaves room for what sync tools append, and stays below the 255 bytes of a name
_MAX_BYTES = 180
# of a longer title nothing could reach the name
_MAX_READ = 1_000
UNTITLED = "Untitled"

_DASHES = regex.compile(r"[/\\|:]")
_PERCENTS = regex.compile(r"%+")
_COLON = regex.compile(r":+ ")
_REMOVED = regex.compile(
    r"[<>*?#^\[\]\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]"
    # invisible characters go, except those that join emoji, flags and letters of some scripts
    r"|[\p{Cf}--[\u200c\u200d\U000e0020-\U000e007f]]",
    regex.V1,
)
# the endings by which Obsidian and its plugins would take the note for another kind of file
_ENDINGS = regex.compile(r"(?:\.(?:md|excalidraw|canvas|base))+$", regex.IGNORECASE)
# without these no name says that a sync tool made a copy
_COPY_SIGNS = regex.compile(r"[()]|\.(?=sync-conflict)", regex.IGNORECASE)
_DEVICE = regex.compile(
    r"(?:con|prn|aux|nul|clock\$|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?: *\..*)?", regex.IGNORECASE
)
_REFUSED = regex.compile(r'[<>:"|?*\\\x00-\x1f\x7f]')
_BREAKING = regex.compile(r"[#^\[\]|]|%%")
# the bytes that Linux and Android hold in a name
_MAX_NAME = 255
# Windows holds 259 units of UTF-16 in a whole path: this leaves room for the vault's folder
_MAX_PATH = 200
_NUMBER = regex.compile(r" ([1-9][0-9]{0,8})$")


def file_stem(title: str) -> str:
    """Return the title as a file name without `.md`, at most 60 characters, never empty.

    >>> file_stem("Meeting 09:23: plan A/B?"), file_stem("  "), file_stem("con")
    ('Meeting 09-23 - plan A-B', 'Untitled', 'Note con')
    """
    return _fitted(_legal(title), MAX_CHARACTERS) or UNTITLED


def unique_stem(title: str, taken: Callable[[str], bool]) -> str:
    """Return the first of `title`, `title 2`, `title 3` ... that is free; `taken` is asked with a `name_key`."""
    stem = file_stem(title)
    numbered = (_numbered(stem, number) for number in count(2))
    return next(name for name in chain([stem], numbered) if not taken(name_key(name)))


def first_free(stems: Sequence[str], taken: Callable[[str], bool]) -> str:
    """Return the first of these names that is free, else the last with a number; `taken` as in `unique_stem`."""
    return next((stem for stem in stems if not taken(name_key(stem))), None) or unique_stem(stems[-1], taken)


def is_name_for(stem: str, title: str) -> bool:
    """Tell whether a file was given this name, numbered or not, because of the title.

    >>> is_name_for("Plan A-B 2", "Plan A/B"), is_name_for("Plan", "Plan A/B")
    (True, False)
    """
    made, number = file_stem(title), _NUMBER.search(stem)
    names = [made] if number is None else [made, _numbered(made, int(number[1]))]
    return unicodedata.normalize("NFC", stem) in names


def unportable(path: str) -> list[str]:
    """Return why other systems cannot hold a path of the vault, or links cannot name it; empty if all can.

    >>> unportable("Work/Plan.md"), unportable("What?.md")
    ([], ['Windows and Android refuse ?'])
    """
    parts = path.split("/")
    found = [
        *_signs(_REFUSED.findall(path), "Windows and Android refuse {}"),
        *_signs(_BREAKING.findall(path), "no wikilink can name it, because of {}"),
        *(f"Windows keeps the name {part} for a device" for part in parts if _DEVICE.fullmatch(part)),
        *(f"Windows drops the end of {part!r}" for part in parts if part.endswith((" ", "."))),
        *(f"{part[:20]}… is too long for other systems" for part in parts if _too_long(part)),
    ]
    return [*found, "the path is too long for Windows"] if units(path) > _MAX_PATH else found


def units(text: str) -> int:
    """Return the length as Windows counts it, to which most emoji are two.

    >>> units("a"), units("日"), units("🍅")
    (1, 1, 2)
    """
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def _signs(found: Iterable[str], sentence: str) -> list[str]:
    signs = " ".join(sign if sign.isprintable() else f"U+{ord(sign):04X}" for sign in dict.fromkeys(found))
    return [sentence.format(signs)] if signs else []


def _too_long(part: str) -> bool:
    return len(part.encode("utf-8", "surrogatepass")) > _MAX_NAME


def twins(paths: Iterable[str]) -> dict[str, str]:
    """Return the paths that some file system takes for another one, each with that one.

    >>> twins(["Docker.md", "docker.md", "Tea.md"])
    {'docker.md': 'Docker.md'}
    """
    first: dict[str, str] = {}
    return {path: other for path in sorted(paths) if (other := first.setdefault(name_key(path), path)) != path}


def _legal(title: str) -> str:
    # white space of every kind, line breaks and no-break spaces too, becomes one space
    text = " ".join(unicodedata.normalize("NFC", title[:_MAX_READ]).split())
    text = _COLON.sub(" - ", text.replace('"', "'"))
    text = _PERCENTS.sub("%", _REMOVED.sub("", _DASHES.sub("-", text)))
    text = _trimmed(unicodedata.normalize("NFC", " ".join(text.split())))
    return f"Note {text}" if _DEVICE.fullmatch(text) else text


def _trimmed(text: str) -> str:
    """Strip what a name may not begin or end with, until nothing changes."""
    while True:
        shorter = _ENDINGS.sub("", text.rstrip(". ").lstrip(". ").rstrip("-").rstrip())
        if is_conflict_copy(f"{shorter}.md"):
            shorter = _COPY_SIGNS.sub("", shorter)
        if shorter == text:
            return text
        text = shorter


def _numbered(stem: str, number: int) -> str:
    suffix = f" {number}"
    return _fitted(stem, MAX_CHARACTERS - len(suffix)) + suffix


def _fitted(text: str, limit: int) -> str:
    """Cut at the end of a word if one lies in the last third, else between two visible characters."""
    if _fits(text, limit):
        return text
    end = max(takewhile(lambda end: _fits(text[:end], limit), cuts(text)), default=0)
    # one character with more accents than a name can hold has no boundary to cut at
    cut = text[:end] or text[: limit // 3]
    space = cut.rfind(" ")
    if space > len(cut) * 2 / 3 and not text[len(cut) : len(cut) + 1].isspace():
        cut = cut[:space]
    return _trimmed(cut)


def _fits(text: str, limit: int) -> bool:
    return len(text) <= limit and len(text.encode("utf-8")) <= _MAX_BYTES
