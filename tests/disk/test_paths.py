from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.disk.paths import PathRule, refuse_taken
from mnemex_vault.errors import NoteExists, PathOutsideVault
from mnemex_vault.language.folding import name_key

ASTRAY = [
    "",
    ".md",
    "/etc/passwd.md",
    "../x.md",
    "a/../../x.md",
    "a/..",
    "./x.md",
    "a//x.md",
    "a/",
    "..\\x.md",
    "a\\x.md",
    "C:/x.md",
    "c:/Users/x.md",
    "\\\\server\\share\\x.md",
    "//server/share/x.md",
    "%2e%2e/x.md",
    "a/%2E%2E/x.md",
    "%2e/x.md",
    "x\0.md",
    "x.md\0.txt",
    ".obsidian/plugins/x/main.md",
    ".git/x.md",
    "a/.hidden/x.md",
    ".x.md",
    ".trash/x.md",
    "x.txt",
    "x",
    "x.md.txt",
    "bad\udcff.md",
]


@pytest.mark.parametrize("path", ASTRAY)
def test_a_path_that_leads_astray_is_refused(path: str) -> None:
    with pytest.raises(PathOutsideVault):
        PathRule().parts(path)


@pytest.mark.parametrize(
    "path", ["a.md", "A/b c/é.md", "10:30 Meeting.md", "Q: what.md", "a/b..c.md", "x.MD", "100%.md"]
)
def test_an_ordinary_path_is_split(path: str) -> None:
    assert "/".join(PathRule().parts(path)) == path


def test_a_dot_folder_may_be_allowed_by_name_with_what_lies_in_it_but_nothing_hidden_deeper() -> None:
    rule = PathRule(suffixes=(".md", ".json"), hidden=(".trash", ".obsidian/plugins/ours"))
    assert rule.parts(".trash/x.md") == (".trash", "x.md")
    assert rule.parts(".obsidian/plugins/ours/data.json")[-1] == "data.json"
    for path in (".trash/.x.md", ".trashed/x.md", ".obsidian/app.json", ".obsidian/plugins/theirs/data.json"):
        with pytest.raises(PathOutsideVault):
            rule.parts(path)


def test_the_vault_itself_is_a_folder() -> None:
    assert PathRule().folder_parts("") == ()
    assert PathRule().folder_parts("a/b") == ("a", "b")


@given(st.text())
def test_whatever_passes_has_no_part_that_climbs_or_hides(path: str) -> None:
    try:
        parts = PathRule().parts(path)
    except PathOutsideVault:
        return
    assert parts
    assert not any(part in ("", ".", "..") or part.startswith(".") for part in parts)


@given(st.text())
def test_case_and_unicode_form_do_not_count_when_names_are_compared(name: str) -> None:
    assert name_key(unicodedata.normalize("NFD", name)) == name_key(unicodedata.normalize("NFC", name))
    assert name_key(name_key(name)) == name_key(name)


# what a folder holds, and a name that is wanted in it: Windows and macOS would take the two for one
@pytest.mark.parametrize(
    ("there", "wanted"),
    [
        ("Tea.md", "tea.MD"),
        ("Caf\u00e9.md", "Cafe\u0301.md"),
        ("CAFE\u0301.md", "caf\u00e9.md"),
        ("\u01c4emper.md", "\u01c6emper.md"),
        ("Ωmega.md", "\u03c9mega.md"),
        ("\u212bngstr\u00f6m.md", "\u00e5ngstr\u00f6m.md"),
        (".Tea.md.icloud", "tea.md"),
        ("TEA.md.nextcloud", "Tea.md"),
    ],
)
def test_a_name_that_another_system_takes_for_one_that_is_there_is_refused(there: str, wanted: str) -> None:
    taken = {name_key(name): name for name in ("Other.md", there)}
    with pytest.raises(NoteExists):
        refuse_taken(f"Work/{wanted}", wanted, taken)
    refuse_taken(f"Work/{wanted}", wanted, {name_key("Other.md"): "Other.md"})


@pytest.mark.parametrize(("there", "wanted"), [("tea.md", "Tea.md"), ("Cafe\u0301.md", "Caf\u00e9.md")])
def test_a_note_may_change_the_case_and_form_of_its_own_name(there: str, wanted: str) -> None:
    refuse_taken(f"Work/{wanted}", wanted, {name_key(there): there}, besides=there)


def test_names_that_every_system_tells_apart_may_stand_side_by_side() -> None:
    taken = {name_key(name): name for name in ("Resume.md", "I.md", "Tea 2.md", "Tea.txt")}
    for name in ("R\u00e9sum\u00e9.md", "\u0131.md", "Tea.md", "Tea 2 .md"):
        refuse_taken(name, name, taken)
