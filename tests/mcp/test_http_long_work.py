"""Long work over HTTP: the person is asked, hears how far it is, and may hang up."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import anyio
import pytest
from mcp.client.context import ClientRequestContext
from mcp.types import ElicitRequestParams, ElicitResult

from tests.mcp.served import FADED_NOTE, Served, client_of, serving
from tests.mcp.talking import text_of

MODES = ["legacy", "2026-07-28"]
MANY = 200


@pytest.fixture(params=MODES)
def mode(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    folder = tmp_path / "vault/Memories/Short-term"
    folder.mkdir(parents=True)
    for number in range(MANY):
        (folder / f"Old thing {number}.md").write_text(FADED_NOTE.format(number=number), encoding="utf-8")
    with serving(tmp_path / "vault", tmp_path / "state") as running:
        yield running


def archived(served: Served) -> int:
    return len(list(served.root.rglob("Archive/**/*.md")))


@pytest.mark.slow
def test_the_person_is_asked_and_hears_how_far_it_is(served: Served, mode: str) -> None:
    questions: list[str] = []
    heard: list[tuple[float, float | None]] = []

    async def answer(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        questions.append(params.message)
        return ElicitResult(action="accept", content={"agree": True})

    async def listen(progress: float, total: float | None, message: str | None) -> None:
        heard.append((progress, total))

    async def tidy() -> str:
        async with client_of(served, mode=mode, answers=answer) as client:
            return text_of(await client.call_tool("gc", {"dry_run": False, "limit": MANY}, progress_callback=listen))

    assert f"{MANY} memories below the forget level went to the archive" in anyio.run(tidy)
    assert questions == [f"Archive faded memories: {MANY} notes would change. Go ahead?"]
    assert archived(served) == MANY
    assert heard[-1][0] == heard[-1][1]
    assert all(earlier[0] < later[0] for earlier, later in pairwise(heard))


@pytest.mark.slow
def test_who_hangs_up_half_way_leaves_everything_as_it_was_or_one_whole_change(served: Served, mode: str) -> None:
    before = served.notes()

    async def tidy() -> None:
        async with client_of(served, mode=mode) as client:
            with anyio.CancelScope() as scope:

                async def listen(progress: float, total: float | None, message: str | None) -> None:
                    scope.cancel()

                arguments = {"dry_run": False, "limit": MANY, "confirm": True}
                await client.call_tool("gc", arguments, progress_callback=listen)
            assert scope.cancelled_caught
            # this waits for the lock, so that all is over when it is answered
            while "The vault is busy" in (said := text_of(await client.call_tool("undo", {}))):
                continue
            # the work may have been faster than the news that nobody waits for it
            assert "this session has changed nothing" in said or said.startswith(f"Undid {MANY} memories")

    anyio.run(tidy)
    assert served.notes() == before
