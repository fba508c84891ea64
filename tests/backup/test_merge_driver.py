from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemex_vault.backup.merge_driver import merge_files
from mnemex_vault.domain.memory import Memory
from mnemex_vault.domain.reinforcement import use
from mnemex_vault.text.fields import render
from mnemex_vault.text.note import Note
from tests.text.test_versions import BASE, NOON, text, used


def merge(tmp_path: Path, base: str, ours: str, theirs: str) -> tuple[int, str]:
    files = [tmp_path / name for name in ("O", "A", "B")]
    for file, content in zip(files, (base, ours, theirs), strict=True):
        file.write_text(content, "utf-8")
    conflicts = merge_files(files[0], files[1], files[2], path="Well.md")
    return conflicts, files[1].read_text("utf-8")


def test_uses_on_both_sides_merge_without_a_conflict(tmp_path: Path) -> None:
    conflicts, merged = merge(tmp_path, text(BASE), text(used(BASE, [1, 2])), text(used(BASE, [3, 4, 5])))
    assert conflicts == 0
    assert Note.parse("Well.md", merged.encode()).values["use_count"] == 6


def test_edits_of_different_places_and_uses_merge_without_a_conflict(tmp_path: Path) -> None:
    base = replace(BASE, content="One.\n\n\nTwo.\n\n\nThree.")
    ours = text(used(replace(base, content="One, by us.\n\n\nTwo.\n\n\nThree."), [1]))
    theirs = text(used(replace(base, content="One.\n\n\nTwo.\n\n\nThree, by them."), [2])).replace(
        "---\n", "---\nmood: good # mine\n", 1
    )
    conflicts, merged = merge(tmp_path, text(base), ours, theirs)
    assert conflicts == 0
    assert "One, by us." in merged
    assert "Three, by them." in merged
    assert "mood: good # mine\n" in merged
    assert "use_count: 3\n" in merged


def test_a_body_that_both_changed_is_left_to_the_person(tmp_path: Path) -> None:
    ours, theirs = replace(BASE, content="Behind the shed."), replace(BASE, content="Behind the house.")
    conflicts, merged = merge(tmp_path, text(BASE), text(used(ours, [1])), text(used(theirs, [2])))
    assert conflicts == 1
    assert "Behind the shed." in merged
    assert "Behind the house." in merged
    assert "use_count: 3\n" in merged


@pytest.mark.parametrize("base", ["", "One.\n", "---\na: [\n---\nx\n"])
def test_without_a_common_memory_the_texts_are_merged_plainly(tmp_path: Path, base: str) -> None:
    conflicts, merged = merge(tmp_path, base, base + "ours\n", base + "theirs\n")
    assert conflicts == 1
    assert "ours" in merged
    assert "theirs" in merged


@pytest.mark.slow
def test_two_clones_that_are_used_and_edited_merge_in_git(tmp_path: Path) -> None:
    def git(where: Path, *arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=where, check=True, capture_output=True, text=True).stdout

    def settle(clone: Path) -> None:
        git(clone, "config", "user.name", "Lena")
        git(clone, "config", "user.email", "lena@example.org")
        driver = f"{sys.executable} -m mnemex_vault merge-driver %O %A %B %L %P"
        git(clone, "config", "merge.mnemex.driver", driver)

    first = tmp_path / "first"
    first.mkdir()
    git(first, "init", "--quiet", "--initial-branch=main")
    settle(first)
    (first / ".gitattributes").write_text("*.md merge=mnemex\n")
    memories = {f"Memory {n}.md": replace(BASE, id=f"m{n:09d}", content=f"Fact {n}.\n\n\n\nEnd.") for n in range(10)}
    write(first, memories)
    git(first, "add", ".")
    git(first, "commit", "--quiet", "-m", "start")
    second = tmp_path / "second"
    git(tmp_path, "clone", "--quiet", str(first), str(second))
    settle(second)
    write(
        first,
        {name: used(replace(memory, content=f"{memory.content}\nFirst."), [1, 2]) for name, memory in memories.items()},
    )
    write(
        second,
        {
            name: used(replace(memory, content=f"Second.\n\n{memory.content}"), [3, 4, 5])
            for name, memory in memories.items()
        },
    )
    for clone in (first, second):
        git(clone, "commit", "--quiet", "-am", "used")
    git(second, "pull", "--quiet", "--no-rebase", "--no-edit", "origin", "main")
    for name in memories:
        note = Note.parse(name, (second / name).read_bytes())
        assert note.values["use_count"] == 6
        assert "First." in note.content
        assert "Second." in note.content


def write(clone: Path, memories: dict[str, Memory]) -> None:
    for name, memory in memories.items():
        (clone / name).write_text(render(memory, zone=UTC, fades_on=None), "utf-8")


def test_the_clock_of_a_device_may_be_off(tmp_path: Path) -> None:
    late = replace(BASE, usage=use(BASE.usage, now=datetime(2030, 1, 1, tzinfo=UTC), zone=UTC))
    early = replace(BASE, usage=use(BASE.usage, now=NOON + timedelta(hours=1), zone=UTC))
    conflicts, merged = merge(tmp_path, text(BASE), text(early), text(late))
    assert conflicts == 0
    assert "last_used: 2030-01-01T00:00:00\n" in merged


def test_a_short_note_that_both_moved_is_merged_exactly_though_git_sees_two_new_ones(tmp_path: Path) -> None:
    def git(*arguments: str, check: bool = True) -> int:
        identity = ("-c", "user.name=Lena", "-c", "user.email=lena@example.org")
        driver = f"merge.mnemex.driver={sys.executable} -m mnemex_vault merge-driver -- %O %A %B %L %P"
        command = ["git", *identity, "-c", driver, *arguments]
        return subprocess.run(command, cwd=tmp_path, check=check, capture_output=True).returncode

    def moved(content: str, hours: list[int]) -> None:
        (tmp_path / "Short.md").unlink()
        write(tmp_path, {"Long.md": used(replace(BASE, content=content), hours)})
        git("add", "--all")
        git("commit", "--quiet", "-m", "moved")

    git("init", "--quiet", "--initial-branch=main")
    (tmp_path / ".gitattributes").write_text("*.md merge=mnemex\n")
    write(tmp_path, {"Short.md": used(BASE, [1])})
    git("add", ".")
    git("commit", "--quiet", "-m", "start")
    git("branch", "other")
    words = " ".join(f"word{number}" for number in range(300))
    moved(f"{words}\n\n\n{BASE.content}", [1, 2, 3])
    git("checkout", "--quiet", "other")
    moved(f"{BASE.content}\n\n\n{words.upper()}", [1, 5])
    assert git("merge", "--quiet", "--no-edit", "main", check=False) == 0
    note = Note.parse("Long.md", (tmp_path / "Long.md").read_bytes())
    assert note.values["use_count"] == 5
    assert words in note.content
    assert words.upper() in note.content


def test_two_new_notes_of_one_memory_have_the_larger_count_if_nothing_is_known(tmp_path: Path) -> None:
    conflicts, merged = merge(tmp_path, "", text(used(BASE, [1, 2])), text(used(BASE, [3])))
    assert conflicts == 0
    assert "use_count: 3\n" in merged
