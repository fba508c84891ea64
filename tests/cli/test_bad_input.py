"""Bad input gives one clear line and changes nothing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Saver, contents, picture

BAD_VALUES: dict[str, tuple[list[str], str]] = {
    "empty text": (["save", ""], "content is empty"),
    "blank text": (["save", " \n\t "], "content is empty"),
    "too long a text": (["save", "x" * 60_000], "content has 60,000 characters"),
    "NUL": (["save", "a\0b"], "content holds a NUL"),
    "half a character": (["save", "a\ud800b"], "content holds half of a character"),
    "strength out of range": (["save", "x", "--strength", "3"], "strength is 3.0"),
    "strength that is no number": (["save", "x", "--strength", "nan"], "strength is nan"),
    "half-life of nothing": (["save", "x", "--half-life", "0"], "half_life_days is 0"),
    "unknown origin": (["save", "x", "--origin", "me"], "origin is 'me'"),
    "unknown way with duplicates": (["save", "x", "--on-duplicate", "merge"], "on_duplicate is 'merge'"),
    "long tag": (["save", "x", "--tag", "y" * 200], "tags has 200 characters"),
    "empty new text": (["update", "KNOWN", ""], "content is empty"),
    "long new text": (["update", "KNOWN", "x" * 60_000], "60,000 characters"),
    "empty new title": (["update", "KNOWN", "--title", " "], "title is empty"),
    "a folder that is not long-term": (
        ["promote", "KNOWN", "--force", "--folder", "Memories/Archive"],
        "is not a long",
    ),
    "a folder out of the vault": (["promote", "KNOWN", "--force", "--folder", "../out"], "out"),
    "too many results": (["search", "x", "--limit", "1000"], "limit is 1000"),
    "a window of no days": (["search", "x", "--window-days", "0"], "window_days lies between"),
    "settings out of range": (["init", "--yes", "--upkeep", "everything"], "upkeep: 'everything' must be one of"),
}
REFUSED: dict[str, tuple[list[str], str]] = {
    "unknown predecessor": (["save", "x", "--supersedes", "nobody"], "'nobody'"),
    "unknown id to show": (["show", "nobody"], "nothing is known under 'nobody'"),
    "unknown id to touch": (["touch", "nobody"], "nothing is known under 'nobody'"),
    "unknown id to pin": (["pin", "nobody"], "nothing is known under 'nobody'"),
    "unknown id to update": (["update", "nobody", "x"], "nothing is known under 'nobody'"),
    "unknown id to promote": (["promote", "nobody"], "nothing is known under 'nobody'"),
    "unknown id to demote": (["demote", "nobody"], "nothing is known under 'nobody'"),
    "unknown id to forget": (["forget", "nobody"], "nothing is known under 'nobody'"),
    "unknown id to restore": (["restore", "nobody"], "nothing is known under 'nobody'"),
    "unknown note to adopt": (["adopt", "nobody.md"], "nobody.md"),
    "a path out of the vault": (["adopt", "../../etc/passwd"], "passwd"),
    "restoring what is there": (["restore", "KNOWN"], "is not archived"),
    "demoting what is not promoted": (["demote", "KNOWN"], "is not long-term"),
    "unknown change": (["undo", "op1"], "'op1'"),
    "a folder that is not there": (["init", "--yes", "--read", "Nowhere"], "there is no folder 'Nowhere'"),
}
WRONG_USAGE: dict[str, list[str]] = {
    "a word for a number": ["save", "x", "--strength", "much"],
    "a number with a fraction": ["search", "x", "--limit", "2.5"],
    "no page": ["search", "x", "--page", "0"],
    "negative limit": ["gc", "--limit", "-1"],
    "nothing to change": ["update", "KNOWN"],
    "no name": ["touch"],
    "an unknown option": ["gc", "--force"],
    "an unknown command": ["remember", "x"],
    "init without a yes": ["init"],
}


@pytest.mark.parametrize("case", [*BAD_VALUES, *REFUSED])
def test_bad_input_is_refused_in_one_line(case: str, run: Run, saved: Saver, vault: Path) -> None:
    arguments, expected = (BAD_VALUES | REFUSED)[case]
    memory_id = saved()
    before = contents(vault)
    outcome = run(*(memory_id if argument == "KNOWN" else argument for argument in arguments))
    assert outcome.code == (2 if case in BAD_VALUES else 1)
    assert outcome.err.startswith("mnemex: ")
    assert outcome.err.count("\n") == 1
    assert expected in outcome.err
    assert contents(vault) == before


@pytest.mark.parametrize("case", WRONG_USAGE)
def test_wrong_usage_is_told_with_exit_code_two(case: str, run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved()
    before = contents(vault)
    outcome = run(*(memory_id if argument == "KNOWN" else argument for argument in WRONG_USAGE[case]))
    assert outcome.code == 2
    assert "Error: " in outcome.err
    assert contents(vault) == before


@pytest.mark.parametrize("command", ["save", "search", "gc", "status", "init", "try", "doctor", "reindex", "undo"])
@pytest.mark.parametrize("place", ["missing", "file"])
def test_a_vault_must_be_a_folder(command: str, place: str, bare_run: Run, tmp_path: Path) -> None:
    there = tmp_path / place
    if place == "file":
        there.write_text("I am no folder.", "utf-8")
    arguments = {"save": ["x"], "search": ["x"], "init": ["--yes"]}.get(command, [])
    outcome = bare_run(command, *arguments, "--vault", str(there))
    assert outcome.code == 1
    assert outcome.err.count("\n") == 1
    assert ("there is no such folder" if place == "missing" else "is not a folder") in outcome.err
    assert there.exists() is (place == "file")


@pytest.mark.parametrize("command", ["save", "search", "gc", "status", "init", "try", "doctor", "demo", "connect"])
@pytest.mark.parametrize("blank", ["", "  "])
def test_an_empty_name_of_a_vault_is_not_the_working_folder(
    command: str, blank: str, bare_run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path / "project"
    there.mkdir()
    monkeypatch.chdir(there)
    arguments = {"save": ["x"], "search": ["x"], "init": ["--yes"], "connect": ["print"]}.get(command, [])
    outcome = bare_run(command, *arguments, "--vault", blank)
    assert outcome.code == 2
    assert "is empty" in outcome.err
    if command in ("init", "try"):
        assert bare_run(command, blank, *arguments).code == 2
    assert list(there.iterdir()) == []


def test_an_empty_variable_names_no_vault(bare_run: Run, vault: Path) -> None:
    assert bare_run("init", str(vault), "--yes").code == 0
    before = contents(vault)
    outcome = bare_run("save", "x", MNEMEX_VAULT_PATH="")
    assert outcome.code == 2
    assert "MNEMEX_VAULT_PATH" in outcome.err
    assert contents(vault) == before


FIRST_WRITES = {
    "save": ["save", "Anna plays the cello."],
    "note": ["note", "create", "Plan", "Text."],
    "adopt": ["adopt", "Plan of ours.md"],
    "import": ["import", "../elsewhere"],
}


@pytest.mark.parametrize("case", FIRST_WRITES)
def test_a_folder_that_nobody_made_a_vault_is_not_written_into(
    case: str, bare_run: Run, vault: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (vault / "Plan of ours.md").write_text("Buy nails.\n", "utf-8")
    (vault.parent / "elsewhere").mkdir()
    (vault.parent / "elsewhere" / "Tea.md").write_text("Green tea after lunch.\n", "utf-8")
    monkeypatch.chdir(vault)
    before = contents(vault)
    outcome = bare_run(*FIRST_WRITES[case], "--vault", ".")
    assert outcome.code == 2, outcome.err
    assert "mnemex init" in outcome.err
    assert contents(vault) == before
    assert not (vault / "Memories").exists()
    assert bare_run("init", ".", "--yes").code == 0
    assert bare_run(*FIRST_WRITES[case], "--vault", ".").code == 0


def test_a_person_is_asked_whether_a_folder_is_to_be_a_vault(bare_run: Run, vault: Path) -> None:
    line = ("save", "Anna plays the cello.", "--vault", str(vault))
    asked = bare_run(*line, typed="\n", terminal=True)
    assert asked.code == 2
    assert "is not set up as a vault" in asked.out
    assert contents(vault) == {}
    assert bare_run(*line, typed="y\n", terminal=True).code == 0
    # what holds memories is a vault
    assert bare_run("save", "The gate is green.", "--vault", str(vault)).code == 0


def test_a_vault_of_obsidian_needs_no_setting_up(bare_run: Run, vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    assert bare_run("save", "Anna plays the cello.", "--vault", str(vault)).code == 0


def test_without_a_vault_the_line_says_how_to_name_one(bare_run: Run) -> None:
    outcome = bare_run("search", "x")
    assert outcome.code == 1
    assert "--vault FOLDER" in outcome.err
    assert "mnemex init FOLDER" in outcome.err
    assert outcome.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [["save", "x"], ["touch", "KNOWN"], ["forget", "KNOWN"], ["pin", "KNOWN"], ["init", "--yes"], ["undo"]],
    ids=lambda arguments: str(arguments[0]),
)
def test_a_read_only_setting_refuses_every_change(arguments: list[str], run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved()
    before = picture(vault)
    outcome = run(*(memory_id if argument == "KNOWN" else argument for argument in arguments), MNEMEX_READ_ONLY="true")
    assert outcome.code == 1
    assert "read-only" in outcome.err
    assert picture(vault) == before
    assert run("search", "cello", MNEMEX_READ_ONLY="true").code == 0


def test_a_folder_that_cannot_be_written_is_told_in_one_line(
    run: Run, saved: Saver, vault: Path, environ: dict[str, str]
) -> None:
    saved()
    before = picture(vault)
    outcome = _without_rights(["save", "Another text."], vault, environ)
    assert outcome.returncode == 1
    assert outcome.stderr.startswith("mnemex: ")
    assert outcome.stderr.count("\n") == 1
    assert picture(vault) == before


def _without_rights(arguments: list[str], vault: Path, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run a command where the memory folder refuses writes, also for root: the kernel forbids files beyond no bytes."""
    import resource

    def forbid() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    return subprocess.run(
        [sys.executable, "-B", "-m", "mnemex_vault", *arguments, "--vault", str(vault)],
        check=False,
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        preexec_fn=forbid,
    )


def test_a_home_that_does_not_exist_is_told_in_one_line(bare_run: Run) -> None:
    outcome = bare_run("search", "x", "--vault", "~nobody-of-that-name/Notes")
    assert outcome.code == 1
    assert "there is no such home directory" in outcome.err
    assert outcome.err.count("\n") == 1


def test_an_error_is_json_for_programs(run: Run) -> None:
    outcome = run("show", "nobody", "--json")
    assert outcome.code == 1
    assert outcome.data["kind"] == "NoteNotFound"
    assert "nobody" in outcome.data["error"]


def test_a_state_folder_inside_the_vault_is_refused(run: Run, vault: Path) -> None:
    outcome = run("save", "x", MNEMEX_STATE_PATH=str(vault / "state"))
    assert outcome.code == 2
    assert "lies in the vault" in outcome.err
    assert contents(vault) == {}


def test_input_that_is_no_text_is_refused(bare_run: Run, vault: Path) -> None:
    outcome = bare_run("save", "--vault", str(vault), typed=b"\xff\xfe\x00a")
    assert outcome.code == 2
    assert "is not UTF-8" in outcome.err
    assert contents(vault) == {}


@pytest.mark.parametrize(
    ("command", "given", "told"),
    [
        (["save"], b"x" * 1_000_000, "has 1,000,000 characters; at most 50,000 fit"),
        (["save"], "é".encode() * 1_000_000 + b"\n", "has 1,000,00"),
        (["save"], "日".encode() * 60_000, "has 60,000 characters; at most 50,000 fit"),
        (["save"], b"\xef\xbb\xbf" + b"x" * 50_001 + b"\n", "has 50,001 characters; at most 50,000 fit"),
        (["note", "create", "Long"], b"x" * 5_000_000, "has 5,000,000 characters; at most 1,000,000 fit"),
    ],
    ids=["letters", "accents", "short of the bytes", "one too many", "note"],
)
def test_input_that_is_too_long_is_refused_with_its_true_length(
    bare_run: Run, vault: Path, command: list[str], given: bytes, told: str
) -> None:
    outcome = bare_run(*command, "--vault", str(vault), typed=given)
    assert outcome.code == 2
    assert told in outcome.err
    assert "kept" not in outcome.err
    assert contents(vault) == {}


def test_the_longest_text_is_saved_whole(run: Run, vault: Path) -> None:
    assert run("save", typed="\N{SNOWMAN}" * 50_000 + "\n").code == 0
    [note] = [data for name, data in contents(vault).items() if name.endswith(".md")]
    assert note.decode().count("\N{SNOWMAN}") >= 50_000


def test_wrong_usage_is_told_in_json_to_who_asked_for_json(run: Run) -> None:
    for words in (["search", "x", "--page", "0"], ["search", "--nope"], ["save", "one", "two"], ["nonsense"]):
        outcome = run(*words, "--json")
        assert outcome.code == 2
        assert outcome.data["error"] in outcome.err
        assert outcome.data["kind"] in ("BadParameter", "NoSuchOption", "UsageError")
