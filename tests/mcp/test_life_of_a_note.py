"""One memory from its save to its end, seen by a client of the real server and by who looks at the note."""

from __future__ import annotations

import shutil
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any, TextIO

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from mnemex_vault.text.note import Note
from tests.mcp.piped import SERVE, empty_folder, surroundings_in
from tests.mcp.talking import structured, text_of
from tests.waiting import PATIENCE

ROOT = Path(__file__).parents[2]
Call = Callable[..., Awaitable[dict[str, Any]]]


def folder_with_spaces_and_accents(parent: Path) -> Path:
    root = parent / "Zoë’s  nötes & more"
    root.mkdir()
    return root


def copy_of_the_sample(parent: Path) -> Path:
    return Path(shutil.copytree(ROOT / "sample-vault", parent / "sample"))


@asynccontextmanager
async def connected(root: Path, surroundings: dict[str, str], log: TextIO) -> AsyncIterator[Call]:
    parameters = StdioServerParameters(command=sys.executable, args=["-c", SERVE, str(root)], env=surroundings)
    async with Client(stdio_client(parameters, errlog=log)) as client:

        async def call(tool: str, **arguments: object) -> dict[str, Any]:
            result = await client.call_tool(tool, arguments)
            assert not result.is_error, text_of(result)
            return structured(result)

        yield call


async def comes(is_true: Callable[[], Awaitable[bool]]) -> None:
    with anyio.fail_after(PATIENCE):
        while not await is_true():
            await anyio.sleep(0.02)


def frontmatter(path: Path) -> str:
    return path.read_text(encoding="utf-8").split("---\n")[1]


@pytest.mark.parametrize(
    "make",
    [
        folder_with_spaces_and_accents,
        pytest.param(empty_folder, marks=pytest.mark.slow),
        pytest.param(copy_of_the_sample, marks=pytest.mark.slow),
    ],
)
def test_a_memory_lives_with_its_note(tmp_path: Path, make: Callable[[Path], Path]) -> None:
    with (tmp_path / "log").open("w", encoding="utf-8") as log:
        anyio.run(live, make(tmp_path), surroundings_in(tmp_path), log)


async def live(root: Path, surroundings: dict[str, str], log: TextIO) -> None:
    async with connected(root, surroundings, log) as call:
        saved = await call(
            "save_memory",
            content="The aqueduct of Quillfeather carries forty litres.",
            title="Quillfeather aqueduct",
            tags=["water"],
            session="old works",
        )
        note = root / saved["path"]
        assert note.relative_to(root).as_posix() == "Memories/Short-term/Quillfeather aqueduct.md"
        reads_like_the_note_format(note, saved)
        friend = root / "Waterworks.md"
        friend.write_text("See [[Quillfeather aqueduct]].\n", encoding="utf-8")

        async def finds(query: str) -> list[str]:
            return [item["id"] for item in (await call("search_memory", query=query))["results"]]

        memory_id = saved["memory_id"]
        assert await finds("quillfeather") == [memory_id]

        edited = note.read_text(encoding="utf-8").replace("forty litres", "sixty buckets")
        note.write_text(edited, encoding="utf-8")
        await comes(partial(is_found, finds, "buckets", memory_id))
        assert memory_id not in await finds("litres")

        await touched(call, note, memory_id)
        await promoted_by_hand(call, root, note, memory_id, friend)
        (root / "Memories/Long-term" / note.name).unlink()
        await comes(partial(is_gone, finds, "quillfeather", memory_id))
        assert (await call("open_memories", memory_ids=[memory_id]))["not_found"] == [memory_id]


def reads_like_the_note_format(note: Path, saved: dict[str, Any]) -> None:
    text = note.read_text(encoding="utf-8")
    keys = [line.split(":")[0] for line in frontmatter(note).splitlines() if not line.startswith(" ")]
    assert [key for key in keys if key != "entities"] == [
        "tags", "origin", "pinned", "fades_on", "created", "last_used", "use_count", "strength", "session", "memory_id",
    ]  # fmt: skip
    assert text.endswith("---\nThe aqueduct of Quillfeather carries forty litres.\n")
    assert Note.parse("x.md", note.read_bytes()).values["memory_id"] == saved["memory_id"]
    assert "session: old works" in text


async def is_found(finds: Callable[[str], Awaitable[list[str]]], query: str, memory_id: str) -> bool:
    return memory_id in await finds(query)


async def is_gone(finds: Callable[[str], Awaitable[list[str]]], query: str, memory_id: str) -> bool:
    return memory_id not in await finds(query)


async def touched(call: Call, note: Path, memory_id: str) -> None:
    """The answer has the new score at once; the note has the use soon after the quiet time, in our lines only."""
    before = note.read_text(encoding="utf-8")
    answer = await call("touch_memory", memory_id=memory_id)
    assert answer["use_count"] == 2
    assert answer["new_score"] > answer["old_score"]

    async def is_written() -> bool:
        return "use_count: 2" in note.read_text(encoding="utf-8")

    await comes(is_written)
    after = note.read_text(encoding="utf-8")
    changed = {line.split(":")[0] for line in set(before.splitlines()) ^ set(after.splitlines())}
    assert changed <= {"use_count", "last_used", "fades_on"}


async def promoted_by_hand(call: Call, root: Path, note: Path, memory_id: str, friend: Path) -> None:
    (root / "Memories/Long-term").mkdir(parents=True, exist_ok=True)
    note.rename(root / "Memories/Long-term" / note.name)

    async def is_promoted() -> bool:
        opened = (await call("open_memories", memory_ids=[memory_id]))["memories"]
        return [(note["tier"], note["status"]) for note in opened] == [("long-term", "promoted")]

    await comes(is_promoted)
    assert friend.read_text(encoding="utf-8") == "See [[Quillfeather aqueduct]].\n"
    assert [path.name for path in root.rglob("Quillfeather aqueduct.md")] == [note.name]
