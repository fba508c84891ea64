"""What a client may not do: change a read-only vault, many notes unasked, or see what is out of scope."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.memories.draft import Draft
from tests.mcp.generated import Generator
from tests.mcp.talking import SettableClock, Snapshot, Talk, write_memories

TOKEN = "ghp_aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"


@pytest.fixture
def filled(vault: Path, environ: dict[str, str], clock: SettableClock) -> list[str]:
    (vault / "Diary").mkdir()
    (vault / "Diary" / "Zoë.md").write_text("The orchid blooms in the diary.", encoding="utf-8")
    with open_app(vault, environ=environ, clock=clock) as app:
        return [app.collection.save(Draft(content=f"Fact {n} about orchids.")).memory.id for n in range(12)]


@pytest.fixture
def read_only(vault: Path, environ: dict[str, str], clock: SettableClock, filled: list[str]) -> Iterator[App]:
    around = {**environ, "MNEMEX_READ_ONLY": "true", "MNEMEX_TOOLS": "full"}
    with open_app(vault, environ=around, clock=clock) as app:
        yield app


@pytest.mark.slow
@pytest.mark.row("S7")
def test_no_call_at_all_changes_a_read_only_vault(read_only: App, filled: list[str], snapshot: Snapshot) -> None:
    before = snapshot()
    talk = Talk(read_only)
    generator = Generator(talk.listing(), seed=3)
    generator.ids = filled
    for name, arguments in generator.calls(150):
        arguments.pop("surplus", None)
        if "\ud800" not in repr(arguments) and "\\ud800" not in repr(arguments):
            talk.raw(name, **{str(key): value for key, value in arguments.items() if key not in ("", "self", "tool")})
    assert snapshot() == before


@pytest.mark.row("S7")
def test_more_than_ten_notes_need_a_yes(app: App, clock: SettableClock, snapshot: Snapshot) -> None:
    write_memories(app, [f"Fact {number} about orchids." for number in range(150)])
    clock.wait(days=300)
    talk = Talk(app)
    before = snapshot()
    assert "confirm" in talk.refusal("gc", dry_run=False)
    assert snapshot() == before
    talk.call("gc", dry_run=False, confirm=True)
    assert snapshot() != before


@pytest.mark.row("S7")
def test_notes_out_of_the_read_scope_are_never_told(
    vault: Path, environ: dict[str, str], clock: SettableClock, filled: list[str]
) -> None:
    around = {**environ, "MNEMEX_READ_PATHS": "Work", "MNEMEX_TOOLS": "full"}
    with open_app(vault, environ=around, clock=clock) as app:
        talk = Talk(app)
        said = [
            talk.text("search_unified", query="orchid diary"),
            talk.text("search_memory", query="orchid diary"),
            talk.text("open_memories", memory_ids=["note:Diary/Zoë.md"]),
            talk.text(
                "create_relation", from_memory_id=filled[0], to_memory_id="note:Diary/Zoë.md", relation_type="related"
            ),
            talk.text("read_graph"),
            talk.text("search_memory"),
        ]
    assert not any("blooms" in text for text in said)


@pytest.mark.row("J6", "S17", "S19")
def test_a_refused_secret_is_neither_answered_nor_logged(
    talk: Talk, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    answers = [
        talk.refusal("save_memory", content=f"The token is {TOKEN}"),
        talk.refusal("save_memory", content="The gate is green.", context=TOKEN),
        talk.refusal("save_memory", content="The gate is green.", meta={"token": TOKEN}),
    ]
    assert all("GitHub token in line 1" in answer and "allow_secret" in answer for answer in answers)
    assert TOKEN not in "".join(answers)
    logged = [record.getMessage() for record in caplog.records if record.name.startswith("mnemex_vault")]
    assert TOKEN not in "".join(logged)
    assert not any(TOKEN.encode() in path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    assert talk.call("save_memory", content=f"The token is {TOKEN}", allow_secret=True)["path"]


@pytest.mark.row("J1", "S1")
@pytest.mark.parametrize("etag", ["/dev/stdin", "../../../../../../../../dev/zero", "a\x00b", "x" * 300, "/"])
def test_an_etag_is_never_taken_for_a_file(talk: Talk, app: App, etag: str, monkeypatch: pytest.MonkeyPatch) -> None:
    saved = app.collection.save(Draft(content="The gate is green.")).memory.id
    read: list[str] = []
    real = Path.read_bytes

    def watched(path: Path) -> bytes:
        read.append(str(path))
        return real(path)

    monkeypatch.setattr(Path, "read_bytes", watched)
    assert "edited in the meantime" in talk.refusal("update_memory", memory_id=saved, etag=etag[:200], pinned=True)
    assert not [path for path in read if "images" in path or path.startswith("/dev")]
