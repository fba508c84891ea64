"""Memory folders of Claude Code and of Codex."""

from __future__ import annotations

import json
from datetime import UTC
from pathlib import Path
from random import Random

import pytest

from mnemex_vault.errors import InvalidInput
from mnemex_vault.importers.assistant_files import read_claude_code, read_codex, sections
from mnemex_vault.importers.findings import Findings
from mnemex_vault.importers.source import Kind, kind_of, read_source


def project(home: Path, name: str = "-home-anna-my-shop", **notes: str) -> Path:
    folder = home / "projects" / name / "memory"
    folder.mkdir(parents=True)
    for note, text in notes.items():
        (folder / f"{note}.md").write_text(text, "utf-8")
    return folder


def said(found: Findings) -> list[tuple[str | None, str, str | None]]:
    return [(each.title, each.content.strip(), each.project) for each in found.records]


def test_a_topic_file_is_a_memory_of_its_project(tmp_path: Path) -> None:
    text = "---\nname: pnpm-not-npm\ndescription: Use pnpm\ntype: feedback\n---\nAlways pnpm.\n"
    folder = project(tmp_path, MEMORY="- [pnpm](pnpm.md) — use it\n", pnpm=text)
    (folder.parent / "one.jsonl").write_text(json.dumps({"cwd": "/home/anna/my-shop"}) + "\n")
    found = read_claude_code(tmp_path, zone=UTC)
    assert said(found) == [("pnpm not npm", "Always pnpm.", "my-shop")]
    [record] = found.records
    assert (record.context, record.origin, record.source) == ("Use pnpm", "ai", "Claude Code")
    assert dict(record.properties) == {"type": "feedback"}
    assert "only leads to pnpm.md: - [pnpm](pnpm.md) — use it" in str(found.remarks[-1])


def test_what_the_index_says_itself_is_a_memory_a_section(tmp_path: Path) -> None:
    project(tmp_path, MEMORY="# Shop\n\n## Build\nRun `make`.\n\n- [gone](gone.md)\n\n## Deploy\nOn Fridays never.\n")
    found = read_claude_code(tmp_path, zone=UTC)
    assert said(found) == [
        ("Build", "Run `make`.\n\n- [gone](gone.md)", "shop"),
        ("Deploy", "On Fridays never.", "shop"),
    ]


def test_the_same_name_in_two_projects_is_two_memories(tmp_path: Path) -> None:
    for name in ("-a", "-b"):
        project(tmp_path, name, MEMORY="", style="Tabs.")
    found = read_claude_code(tmp_path, zone=UTC)
    assert len({each.id for each in found.records}) == 2


def test_a_second_reading_gives_the_same_ids(tmp_path: Path) -> None:
    project(tmp_path, MEMORY="## Build\nRun make.\n", style="Tabs.")
    first, second = (read_claude_code(tmp_path, zone=UTC) for _ in range(2))
    assert [each.id for each in first.records] == [each.id for each in second.records]


def test_codex_gives_its_sections_with_the_project_of_their_group(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text(
        "# Task Group: Lazy images\n\nscope: images\napplies_to: cwd=C:\\work\\shop; reuse_rule=ask\n\n"
        "## Task 1: Keep data-src\n\nNever src.\n\n# Task Group: Other\n\n## Tips\n\nAsk first.\n"
    )
    (tmp_path / "memory_summary.md").write_text("## User Profile\n\nA nurse.\n\n## What's in Memory\n\n- Lazy images\n")
    notes = tmp_path / "extensions/ad_hoc/notes"
    notes.mkdir(parents=True)
    (notes / "one.md").write_text("Remember the tea.")
    (tmp_path / "raw_memories.md").write_text("raw")
    found = read_codex(tmp_path)
    assert said(found) == [
        ("Task Group: Lazy images", "scope: images\napplies_to: cwd=C:\\work\\shop; reuse_rule=ask", "shop"),
        ("Task 1: Keep data-src", "Never src.", "shop"),
        ("Tips", "Ask first.", None),
        ("User Profile", "A nurse.", None),
        (None, "Remember the tea.", None),
    ]
    told = " ".join(map(str, found.remarks))
    assert "only leads to other memories: - Lazy images" in told
    assert "raw_memories.md" in told


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "memory_summary.md").write_text("Tea.")
    found = read_codex(tmp_path)
    assert said(found) == [(None, "Tea.", None)]
    assert str(found.damaged[0]).startswith("MEMORY.md: cannot be read")


def test_folders_are_known_by_what_is_in_them(tmp_path: Path) -> None:
    home, codex, vault = tmp_path / "claude", tmp_path / "codex", tmp_path / "vault"
    project(home, MEMORY="Tea.")
    (codex / "memories").mkdir(parents=True)
    for name in ("MEMORY.md", "memory_summary.md"):
        (codex / "memories" / name).write_text("Tea.")
    (vault / "memory").mkdir(parents=True)
    (vault / "memory/Tea.md").write_text("Green.")
    kinds = [kind_of(each) for each in (home, home / "projects", codex, codex / "memories", vault)]
    assert kinds == [Kind.CLAUDE_CODE, Kind.CLAUDE_CODE, Kind.CODEX, Kind.CODEX, Kind.MARKDOWN]


@pytest.mark.parametrize("kind", [Kind.CLAUDE_CODE, Kind.CODEX])
def test_a_folder_without_memories_is_named(tmp_path: Path, kind: Kind) -> None:
    with pytest.raises(InvalidInput, match="memory folder"):
        read_source(tmp_path, zone=UTC, kind=kind)


def test_every_sentence_of_a_memory_folder_is_a_memory_or_told(tmp_path: Path) -> None:
    for seed in range(100):
        random = Random(seed)
        numbers = [f"Fact q{number}q." for number in range(random.randint(0, 9))]
        shapes = ("# {}", "## {}", "### {}", "#### {}", "**{}**", "{}", "- {}", "```\n# {}\n```")
        parts = [random.choice(shapes).format(number) for number in numbers]
        folder = project(tmp_path / str(seed), MEMORY="\n\n".join(parts))
        before = (folder / "MEMORY.md").read_bytes()
        found = read_claude_code(tmp_path / str(seed), zone=UTC)
        told = " ".join([*(text for each in found.records for text in each.texts()), *map(str, found.remarks)])
        assert [number for number in numbers if number not in told] == []
        assert (folder / "MEMORY.md").read_bytes() == before


def test_what_looks_like_a_heading_in_code_is_none() -> None:
    [only] = sections("Run:\n\n```sh\n# a comment\n**bold**\n```\n")
    assert only.headings == ()
