"""What holds in every file of the package, whatever it does."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "mnemex_vault"
FILES = sorted(PACKAGE.rglob("*.py"))
MAX_LINES = 500
MAX_MEDIAN = 10
FORBIDDEN = {"manager", "handler", "helper", "util", "utils", "agent"}
# the predecessors' words for the tiers live on only in names that people have written down
OLD_TIERS = {"ltm", "stm"}
INHERITED = {
    "search_ltm_weight",
    "search_stm_weight",
    "index_ltm",
    "ltm_vault_path",
    "ltm_promoted_folder",
    "stm_weight",
    "ltm_weight",
}

TREES = {file: ast.parse(file.read_text(encoding="utf-8")) for file in FILES}


def label(file: Path) -> str:
    return file.relative_to(PACKAGE).as_posix()


def functions(tree: ast.Module) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef))


def length(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def own_names(tree: ast.Module) -> Iterator[str]:
    """Give the names that a file makes up itself; those it merely uses belong to others."""
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                yield node.name
            case ast.arg():
                yield node.arg
            case ast.Name(ctx=ast.Store()):
                yield node.id
            case ast.Attribute(ctx=ast.Store()):
                yield node.attr
            case ast.alias(asname=str(name)):
                yield name


def words(name: str) -> set[str]:
    return {word.casefold() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)}


def forbidden_words(name: str) -> set[str]:
    found = words(name) & FORBIDDEN
    if name.casefold().strip("_") not in INHERITED:
        found |= words(name) & OLD_TIERS
    return found


def test_the_vocabulary_check_sees_words_in_any_spelling() -> None:
    bad = ["NoteManager", "event_handler", "HTTPHelper", "utils", "AGENT", "LTMIndex", "stm_notes"]
    good = ["handle", "utility", "agenda", "manage", "search_stm_weight", "SEARCH_LTM_WEIGHT", "filtmer"]
    assert all(map(forbidden_words, bad))
    assert not any(map(forbidden_words, good))


@pytest.mark.parametrize("file", FILES, ids=label)
def test_names_are_plain_words_of_the_field(file: Path) -> None:
    names = {*own_names(TREES[file]), file.stem, file.parent.name}
    assert {name: forbidden_words(name) for name in names if forbidden_words(name)} == {}


@pytest.mark.parametrize("file", FILES, ids=label)
def test_no_file_is_longer_than_500_lines(file: Path) -> None:
    assert len(file.read_text(encoding="utf-8").splitlines()) <= MAX_LINES


def test_the_median_function_has_at_most_ten_lines() -> None:
    assert median(length(function) for tree in TREES.values() for function in functions(tree)) <= MAX_MEDIAN


@pytest.mark.parametrize("file", FILES, ids=label)
def test_nothing_is_printed_past_the_edges(file: Path) -> None:
    calls = (node.func for node in ast.walk(TREES[file]) if isinstance(node, ast.Call))
    assert not [call.lineno for call in calls if isinstance(call, ast.Name) and call.id == "print"]


def test_operations_are_made_and_undone_in_one_place() -> None:
    making = re.compile(r"from mnemex_vault\.history\.operation import .*\b(perform|undo)\b")
    assert len([file for file in FILES if making.search(file.read_text(encoding="utf-8"))]) == 1


def test_only_use_cases_and_what_keeps_them_up_to_date_see_the_store() -> None:
    seeing = {label(file) for file in FILES if re.search(r"\bapp\.store\b", file.read_text(encoding="utf-8"))}
    assert seeing <= {"service.py"}


def test_the_index_never_takes_the_lock_under_which_notes_change() -> None:
    index = [file for file in FILES if file.parent.name == "index"]
    assert index
    assert not [file for file in index if "vault.lock" in file.read_text(encoding="utf-8")]


def test_each_floor_imports_only_what_lies_below() -> None:
    lint = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), "--no-logo", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert lint.returncode == 0, lint.stdout + lint.stderr
