"""File names are legal everywhere, can be linked, and are unique without regard to case or normal form."""

import json
import random
import re
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from mnemex_vault.language.folding import name_key
from mnemex_vault.text.file_names import (
    MAX_CHARACTERS,
    UNTITLED,
    file_stem,
    is_conflict_copy,
    is_name_for,
    twins,
    unique_stem,
    units,
    unportable,
)
from mnemex_vault.text.links import links

SHARED: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "vectors" / "names.json").read_text())
FORBIDDEN = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f\x7f-\x9f]|%%')
DEVICES = {"con", "prn", "aux", "nul"} | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}


@pytest.mark.row("H11")
@pytest.mark.parametrize(
    ("title", "stem"),
    [
        ("a/b", "a-b"),
        ("C: drive", "C - drive"),
        ("09:23 - plan?", "09-23 - plan"),
        ("[[x]]", "x"),
        ("#1", "1"),
        ("...", UNTITLED),
        ("", UNTITLED),
        (" \n\t ", UNTITLED),
        ("???", UNTITLED),
        ("con", "Note con"),
        ("LPT1.txt", "Note LPT1.txt"),
        ("Console", "Console"),
        (".hidden", "hidden"),
        ("end. . ", "end"),
        ("two\nlines\there", "two lines here"),
        ("no\u00a0break\u3000space", "no break space"),
        ('say "hi"', "say 'hi'"),
        ("100%% sure %%%", "100% sure %"),
        ("E\u0301tude", "Étude"),
        ("right\u202eleft\u200b", "rightleft"),
        ("readme.md", "readme"),
        ("Deck.excalidraw.md", "Deck"),
        ("version 1.2", "version 1.2"),
        ("family 👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿", "family 👨‍👩‍👧‍👦 🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
        ("a\ud800b\uffffc", "abc"),
        ("dash -", "dash"),
    ],
)
def test_a_title_becomes_a_name_that_a_person_would_have_chosen(title: str, stem: str) -> None:
    assert file_stem(title) == stem


def test_a_long_title_is_cut_behind_a_word() -> None:
    assert file_stem("The quick brown fox jumps over the lazy dog and then sleeps until noon") == (
        "The quick brown fox jumps over the lazy dog and then sleeps"
    )
    assert file_stem("word " * 40) == "word word word word word word word word word word word word"


def test_a_name_leaves_room_for_what_sync_tools_append() -> None:
    assert file_stem("好" * 300) == "好" * 60
    assert len(file_stem("👨‍👩‍👧‍👦" * 30).encode()) <= 180


@pytest.mark.row("H10")
def test_visible_characters_are_not_cut_apart() -> None:
    family = "👨‍👩‍👧‍👦"
    assert set(regex.findall(r"\X", file_stem(family * 30))) == {family}
    assert 0 < len(file_stem("e" + "\u0301" * 300)) <= MAX_CHARACTERS


TITLES = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(["con", ".", " ", "%", ":", "-", ".md", "é", "e\u0301", "😀", "\u200d", "#", "好", "NUL"])
    ).map("".join),
    st.text("ab.% -:", max_size=80),
)


@pytest.mark.row("H10", "H11")
@given(TITLES)
@example("con .a")
@example("-.-.")
def test_every_name_is_legal_on_all_systems_and_as_a_link(title: str) -> None:
    stem = file_stem(title)
    assert 0 < len(stem) <= MAX_CHARACTERS
    assert len(f"{stem}.sync-conflict-20260102-030405-ABCDEFG.md".encode()) <= 255
    assert not FORBIDDEN.search(stem)
    assert stem == stem.strip()
    assert stem[0] != "."
    assert stem[-1] != "."
    assert not stem.lower().endswith((".md", ".excalidraw"))
    assert stem.split(".")[0].strip().lower() not in DEVICES
    assert unicodedata.is_normalized("NFC", stem)
    assert [link.target for link in links(f"[[{stem}]]")] == [stem]


@given(TITLES)
def test_a_name_is_its_own_name(title: str) -> None:
    stem = file_stem(title)
    assert file_stem(stem) == stem


@given(TITLES, st.integers(1, 12))
def test_names_made_one_after_another_are_unique(title: str, number: int) -> None:
    taken: set[str] = set()
    for _ in range(number):
        stem = unique_stem(title, taken.__contains__)
        assert len(stem) <= MAX_CHARACTERS
        assert name_key(stem) not in taken
        taken.add(name_key(stem))


def test_a_taken_name_gets_a_number() -> None:
    taken = {"plan", "plan 2"}
    assert unique_stem("Plan", taken.__contains__) == "Plan 3"
    long = "x" * 60
    assert unique_stem(long, {long}.__contains__) == "x" * 58 + " 2"


def test_names_are_compared_without_regard_to_case_and_normal_form() -> None:
    assert name_key("Straße ÉTUDE") == name_key("STRASSE e\u0301tude")
    assert name_key("a") != name_key("b")


@given(st.text(max_size=20))
def test_a_key_is_stable(name: str) -> None:
    assert name_key(name_key(name)) == name_key(name)
    assert name_key(unicodedata.normalize("NFD", name)) == name_key(unicodedata.normalize("NFC", name))


def test_a_megabyte_of_title_is_read_at_once() -> None:
    rng = random.Random(1)
    assert len(file_stem("".join(rng.choice(".md %") for _ in range(1_000_000)))) <= MAX_CHARACTERS


@pytest.mark.parametrize(
    ("path", "reasons"),
    [
        ("Work/Zoë's plan (draft) & more!.md", []),
        ("猫/🍅.md", []),
        ("What?.md", ["Windows and Android refuse ?"]),
        ('a:b|c/"x*.md', ['Windows and Android refuse : | " *', "no wikilink can name it, because of |"]),
        ("C#.md", ["no wikilink can name it, because of #"]),
        ("a [b] ^c %%.md", ["no wikilink can name it, because of [ ] ^ %%"]),
        ("line\nbreak.md", ["Windows and Android refuse U+000A"]),
        ("CON.md", ["Windows keeps the name CON.md for a device"]),
        ("aux/Note.md", ["Windows keeps the name aux for a device"]),
        ("Trailing./Tea /x.md", ["Windows drops the end of 'Trailing.'", "Windows drops the end of 'Tea '"]),
        ("é" * 130 + ".md", ["éééééééééééééééééééé… is too long for other systems"]),
        ("/".join(["folder"] * 40) + "/x.md", ["the path is too long for Windows"]),
        ("🍅" * 49 + "/" + "🍅" * 49 + ".md", []),
        ("🍅" * 50 + "/" + "🍅" * 50 + ".md", ["the path is too long for Windows"]),
    ],
)
def test_what_another_system_or_a_link_cannot_hold_is_named(path: str, reasons: list[str]) -> None:
    assert unportable(path) == reasons


def test_names_that_some_file_system_takes_for_one_are_twins() -> None:
    paths = ["Docker.md", "docker.md", "Work/A.md", "work/a.md", "Caf\u00e9.md", "Cafe\u0301.md", "Other/Docker.md"]
    assert twins(paths) == {"docker.md": "Docker.md", "work/a.md": "Work/A.md", "Caf\u00e9.md": "Cafe\u0301.md"}


# as Microsoft lists them: naming files, paths and namespaces
RESERVED = ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$", *(p + n for p in ("COM", "LPT") for n in "123456789¹²³")]
NEARLY = ["CONS", "ICON", "COM", "COM10", "LPT", "NULL", "AUX-1", "CON-FIG", "PRN2", "COM1A", "NUL_", "CONIN"]


@pytest.mark.parametrize("device", RESERVED)
@pytest.mark.parametrize("form", ["{}", "{}.txt", "{}.tar.gz", "{} .txt", "{}  ", "{}.", "{}. ."])
def test_a_device_of_windows_is_no_name_of_ours_in_any_form(device: str, form: str) -> None:
    for name in (form.format(device), form.format(device.lower()), form.format(device.title())):
        stem = file_stem(name)
        assert stem.split(".")[0].rstrip().upper() != device
        assert unportable(f"Work/{stem}.md") == []
        assert unportable(f"Work/{name}") != []
        assert unportable(f"{name}/Note.md") != []


@pytest.mark.parametrize("name", NEARLY)
def test_what_only_looks_like_a_device_keeps_its_name(name: str) -> None:
    assert file_stem(name) == name
    assert unportable(f"{name}/{name}.md") == []


def test_every_note_that_we_make_fits_into_a_path_of_windows_with_what_sync_tools_append() -> None:
    # 259 units, and a drive, a separator and a terminating zero beside them
    vault = "C:\\Users\\Someone\\Documents\\Obsidian\\A vault\\"
    for letter in ("x", "好", "🍅", "👨‍👩‍👧‍👦"):
        stem = unique_stem(letter * 300, lambda key: " 2" not in key)
        path = f"Memories/Archive/2026/{stem}.sync-conflict-20260102-030405-ABCDEFG.md"
        assert unportable(path) == []
        assert units(vault + path) <= 259


@pytest.mark.parametrize("name", ["end.", "end ", "end. .", ". ", "..."])
def test_what_windows_would_drop_is_not_made(name: str) -> None:
    assert not file_stem(name).endswith((" ", "."))
    assert unportable(f"{name}/x.md") != []


@pytest.mark.slow
def test_every_letter_is_one_name_with_what_any_file_system_takes_it_for() -> None:
    # NTFS and exFAT compare by upper case, APFS and ext4 by folded case, APFS and HFS+ by a decomposed form
    apart = []
    for letter in map(chr, (*range(0xD800), *range(0xE000, sys.maxunicode + 1))):
        forms = {letter.upper(), letter.lower(), letter.title(), letter.casefold()}
        forms |= {unicodedata.normalize(form, letter) for form in ("NFC", "NFD")}
        apart += [letter for form in forms if name_key(form) != name_key(letter)]
    # no file system knows Turkish
    assert apart == ["ı"]


@given(TITLES)
def test_a_name_is_found_again_as_a_mac_writes_it(title: str) -> None:
    stem = file_stem(title)
    decomposed = unicodedata.normalize("NFD", stem)
    assert is_name_for(decomposed, title)
    assert name_key(decomposed) == name_key(stem)
    assert unportable(f"{decomposed}.md") == [] or len(decomposed.encode()) > 250


@given(st.text(max_size=80))
def test_a_name_that_we_make_can_be_held_everywhere(title: str) -> None:
    assert unportable(f"{file_stem(title)}.md") == []


@pytest.mark.parametrize("case", SHARED, ids=lambda case: case["title"][:40])
def test_the_plugin_is_held_to_the_names_that_the_server_gives(case: dict[str, Any]) -> None:
    assert file_stem(case["title"]) == case["stem"]
    assert is_conflict_copy(f"Work/{case['title']}.md") is case["copy"]
