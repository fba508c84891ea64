from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.disk.paths import PathRule, fold
from mnemex_vault.errors import PathOutsideVault

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
    assert fold(unicodedata.normalize("NFD", name)) == fold(unicodedata.normalize("NFC", name))
    assert fold(fold(name)) == fold(name)
