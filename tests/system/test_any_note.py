"""Whatever a note holds, however old its file is, all others are found and every command and tool goes on."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from mcp.client import Client

from mnemex_vault.app import App, open_app
from mnemex_vault.cli.doctor import Concern, examine
from mnemex_vault.mcp.vault_server import build_server
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.recall import Request
from mnemex_vault.settings.table import Settings
from mnemex_vault.text.keys import KEY_ORDER
from mnemex_vault.text.note import Note
from tests.conftest import StandingClock

GOOD = {"goodone", "goodtwo", "goodtri"}
ODD = "Memories/Short-term/Odd.md"
HARMLESS = {"created": "2026-11-01T10:00:00", "last_used": "2026-11-01T10:00:00", "memory_id": "oddone"}
# what each of the tools that only look is asked
QUESTIONS: list[tuple[str, dict[str, object]]] = [
    ("search_memory", {"query": "zebra", "explain": True}),
    ("search_unified", {"query": "zebra", "explain": True}),
    ("open_memories", {"memory_ids": ["goodone", "oddone", f"note:{ODD}"], "include_relations": True}),
    ("read_graph", {}),
    ("read_graph", {"memory_id": "goodone", "include_content": True}),
    ("cluster_memories", {}),
    ("cluster_memories", {"strategy": "tag"}),
    ("consolidate_memories", {"auto_detect": True}),
    ("promote_memory", {"auto_detect": True, "dry_run": True}),
    ("gc", {"dry_run": True}),
    ("review_queue", {}),
    ("vault_status", {}),
    ("analyze_message", {"message": "Remember that the zebra likes grass."}),
    ("auto_recall_process_message", {"message": "What does the zebra like?"}),
    ("get_performance_metrics", {}),
]
FEW = settings(
    max_examples=settings().max_examples // 7,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
    deadline=None,
)


def write_good(vault: Path) -> None:
    folder = vault / "Memories" / "Short-term"
    folder.mkdir(parents=True)
    for memory_id in GOOD:
        lines = {**HARMLESS, "memory_id": memory_id}
        text = "".join(f"{key}: {value}\n" for key, value in lines.items())
        (folder / f"{memory_id}.md").write_text(f"---\n{text}---\nThe zebra {memory_id} likes grass.\n")


def note_with(key: str, value: str, *, body: str = "zebra [[goodone]]\n") -> bytes:
    lines = {**HARMLESS, key: value}
    return ("---\n" + "".join(f"{name}: {text}\n" for name, text in lines.items()) + f"---\n{body}").encode(
        "utf-8", "replace"
    )


def answers(app: App) -> list[str]:
    """Ask every tool that looks; each must answer, in JSON and in UTF-8."""

    async def ask() -> list[str]:
        async with Client(build_server(app)) as client:
            return [told(await client.call_tool(tool, arguments), tool) for tool, arguments in QUESTIONS]

    return anyio.run(ask)


def told(result: Any, tool: str) -> str:
    text = json.dumps(result.model_dump(mode="json", by_alias=True), allow_nan=False, ensure_ascii=False)
    text.encode()
    assert not result.is_error, (tool, text)
    return text


def found(app: App) -> set[str]:
    page = app.recall.search(Request(query="zebra", ordinary=True, explain=True))
    app.recall.previews(page.hits)
    return {hit.entry.memory_id or hit.entry.path for hit in page.hits}


def concerns_after(app: App, *, tools: bool = False) -> list[Concern]:
    """Look at the whole vault in every way, and return what `doctor` says of it."""
    app.follow(None)
    assert found(app) >= GOOD
    app.overview.status()
    assert len(app.recall.search(Request()).hits) >= len(GOOD)
    concerns = examine(app, progress=lambda done, total: None)
    assert found(app) >= GOOD
    if tools:
        assert set(answers(app)[0].split('"')) >= GOOD
    return concerns


@pytest.fixture
def zoo(vault: Path, clock: StandingClock, environ: dict[str, str]) -> Iterator[App]:
    write_good(vault)
    with open_app(vault, clock=clock, environ=environ, options={"timezone": "UTC", "tools": "full"}) as app:
        yield app


def put(app: App, data: bytes, path: str = ODD) -> list[Concern]:
    file = app.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(data)
    return [each for each in concerns_after(app, tools=True) if each.path == path]


DATES = ("created", "last_used", "promoted", "last_review")
NO_DATES = [
    "99999999999999999999",
    "-99999999999999999999",
    "1e18",
    "-1e15",
    "253402300800000",
    ".nan",
    "-.inf",
    "9" * 400,
    "0x" + "F" * 6_000,
    "0001-01-01",
    "9999-12-31T23:59:59+99:99",
    "2026-02-31",
    "[2026-01-01]",
    "{a: 1}",
    "true",
]


@pytest.mark.parametrize("value", NO_DATES, ids=lambda value: value[:24])
def test_a_number_that_is_no_date_is_a_finding_about_its_note_alone(zoo: App, value: str) -> None:
    for key in DATES:
        (zoo.root / f"Memories/Short-term/{key}.md").write_bytes(
            note_with(key, value).replace(b"oddone", f"odd{key}".encode())
        )
    named = {each.path for each in concerns_after(zoo) if each.kind == "odd value"}
    assert named == {f"Memories/Short-term/{key}.md" for key in DATES}
    assert found(zoo) == GOOD | {f"odd{key}" for key in DATES}


def scalars() -> st.SearchStrategy[str]:
    digits = st.integers(1, 6_000).map(lambda count: "9" * count)
    return st.one_of(
        st.integers().map(str),
        st.integers(10**15, 10**40).map(str),
        digits,
        digits.map(lambda text: f"0x{text}"),
        digits.map(lambda text: f"-{text}"),
        st.floats().map(repr),
        st.sampled_from(
            [".nan", ".inf", "-.inf", "1e999", "~", "null", "true", "", "|", ">-", "?", "!!binary aGk=", "*a"]
        ),
        st.sampled_from(
            ["&a x", "!!set {a, b}", "!!timestamp x", "<<", "2026-13-45", "0001-01-01", "12:30", "@x", "`"]
        ),
        st.text(max_size=60).map(json.dumps),
        st.text(max_size=60).map(lambda text: json.dumps(text, ensure_ascii=False)),
        st.integers(1_000, 70_000).map(lambda count: "x" * count),
        st.builds(
            lambda kind, target, metadata: (
                "'"
                + json.dumps({"type": kind, "target": target, "strength": 1, "metadata": {"m": metadata}}).replace(
                    "'", "''"
                )
                + "'\nrelated: ['[[goodone]]']"
            ),
            st.sampled_from(["related", "", "x"]),
            st.sampled_from(["goodone", "\ud800"]),
            st.one_of(st.integers(), st.floats(), st.just("\ud800"), st.just(10**400), st.lists(st.none())),
        ),
    )


def values() -> st.SearchStrategy[str]:
    return st.recursive(
        scalars(),
        lambda inner: st.one_of(
            st.lists(inner, max_size=4).map(lambda items: f"[{', '.join(items)}]"),
            st.lists(inner, max_size=4).map(lambda items: "".join(f"\n  - {item}" for item in items)),
            st.tuples(inner, inner).map(lambda pair: f"{{{pair[0]}: {pair[1]}}}"),
            st.integers(1, 30).map(lambda depth: "[" * depth + "]" * depth),
        ),
        max_leaves=6,
    )


KEYS = st.sampled_from([*KEY_ORDER, "mnemex", "title", "Tags", "tag", "excalidraw-plugin", "0x" + "F" * 5_000, "? x"])


@FEW
@given(key=KEYS, value=values())
def test_whatever_value_a_key_has_every_other_memory_is_found(zoo: App, key: str, value: str) -> None:
    put(zoo, note_with(key, value))


@FEW
@given(data=st.binary(max_size=400), front=st.sampled_from([b"", b"---\n", b"\xef\xbb\xbf---\r\n", b"\xff\xfe", b"\0"]))
def test_whatever_bytes_a_note_has_every_other_memory_is_found(zoo: App, data: bytes, front: bytes) -> None:
    put(zoo, front + data)
    put(zoo, front + data + b"\n---\nzebra\n")


MARKS = "[](){}<>`~*_#%$|>\\!-=+\n\t 1a\"'&;:^"


@FEW
@given(text=st.one_of(st.text(MARKS, max_size=400), st.sampled_from(sorted(MARKS)).map(lambda mark: mark * 3_000)))
def test_whatever_markdown_a_note_has_every_other_memory_is_found(zoo: App, text: str) -> None:
    put(zoo, note_with("pinned", "false", body=text))


SECOND = 1_000_000_000
TIMES = [
    -(2**63),
    -62135596800 * SECOND,
    -1,
    0,
    4294967296 * SECOND,
    16725225600 * SECOND,
    253402300800 * SECOND,
    2**66,
]


@pytest.fixture(params=["disk", "memory"])
def spacious(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    """Give a folder on the disk, and one on a file system that knows times of any year."""
    shared = Path("/dev/shm")
    if request.param == "disk" or not shared.is_dir():
        yield tmp_path
        return
    folder = shared / f"mnemex-test-{os.getpid()}-{tmp_path.name}"
    folder.mkdir()
    try:
        yield folder
    finally:
        for path in sorted(folder.rglob("*"), reverse=True):
            path.unlink() if path.is_file() else path.rmdir()
        folder.rmdir()


@pytest.mark.parametrize("time", TIMES)
def test_whatever_time_a_file_bears_every_memory_is_found(
    spacious: Path, time: int, clock: StandingClock, environ: dict[str, str]
) -> None:
    vault = spacious / "vault"
    vault.mkdir()
    write_good(vault)
    undated = vault / ODD
    undated.write_text("---\nmemory_id: oddone\n---\nzebra\n")
    for file in vault.rglob("*.md"):
        os.utime(file, ns=(time, time))
    with open_app(vault, clock=clock, environ=environ, options={"timezone": "UTC"}) as app:
        concerns_after(app)
        assert found(app) == GOOD | {"oddone"}
    with open_app(vault, clock=clock, environ=environ, options={"timezone": "UTC"}) as app:
        assert found(app) == GOOD | {"oddone"}


def test_a_note_below_a_folder_that_no_path_may_name_is_a_finding(zoo: App) -> None:
    for folder in ("C:", "%2e%2e", "x/%2E"):
        concerns = put(zoo, note_with("pinned", "false"), f"{folder}/Odd.md")
        assert "cannot be read" in {each.kind for each in concerns}


def test_a_folder_that_cannot_be_read_is_a_finding_and_its_notes_stay_known(
    public: Path, clock: StandingClock, as_nobody: Callable[[], Any]
) -> None:
    vault, closed = public / "vault", public / "vault" / "Closed"
    environ = {"MNEMEX_STATE_PATH": f"{public}/state", "XDG_CONFIG_HOME": f"{public}/config"}
    with as_nobody():
        write_good(vault)
        closed.mkdir()
        (closed / "Plan.md").write_text("zebra\n")
        with open_app(vault, clock=clock, environ=environ) as app:
            closed.chmod(0o000)
            assert [(each.kind, each.path) for each in concerns_after(app)] == [("closed folder", "Closed")]
            assert app.collection.save(Draft(content="The gate of the zoo is green.")).path
            app.follow({"Closed/Plan.md", "Closed", ""})
            assert found(app) == GOOD | {"Closed/Plan.md"}
            closed.chmod(0o700)
            assert concerns_after(app) == []
            assert found(app) == GOOD | {"Closed/Plan.md"}


def test_names_that_are_no_text_stop_nothing_and_are_named(zoo: App) -> None:
    root = os.fsencode(zoo.root)
    (zoo.root / "Sub").mkdir()
    for name in (b"bad\xff.md", b"bad\xff.base", b"bad\xfe.png", b"Sub/.bad\xff.md.icloud"):
        Path(os.fsdecode(root + b"/" + name)).write_bytes(b"zebra")
    concerns = concerns_after(zoo, tools=True)
    assert [(each.kind, each.path) for each in concerns] == [
        ("name", "Sub/.bad\ufffd.md.icloud"),
        ("name", "bad\ufffd.md"),
    ]


SETTING = st.sampled_from([*Settings.__dataclass_fields__, "note_format", "memory_id", "tags", "unknown"])


@FEW
@given(key=SETTING, value=values())
def test_whatever_value_a_setting_has_every_memory_is_found(
    zoo: App, key: str, value: str, clock: StandingClock, environ: dict[str, str]
) -> None:
    text = f"---\nmnemex: settings\n{key}: {value}\n---\n"
    (zoo.root / "Memories" / "Settings.md").write_text(text, "utf-8")
    with open_app(zoo.root, clock=clock, environ=environ, options={"read_paths": "/"}) as app:
        concerns_after(app)


@FEW
@given(key=st.sampled_from(["first_names", "topic_x", "topics", "topic_", "mnemex", "x"]), value=values())
def test_whatever_a_words_note_holds_every_memory_is_found(zoo: App, key: str, value: str) -> None:
    put(zoo, f"---\nmnemex: words\n{key}: {value}\n---\n".encode(), "Words.md")


def test_an_unforeseen_failure_of_reading_is_the_finding_of_that_note(
    zoo: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(zoo, note_with("pinned", "false"))
    assert "oddone" in found(zoo)
    parse = Note.parse

    def failing(path: str, data: bytes) -> Note:
        if path == ODD:
            raise RecursionError("zebra")
        return parse(path, data)

    monkeypatch.setattr(Note, "parse", failing)
    named = put(zoo, note_with("pinned", "true"))
    assert [(each.kind, each.detail) for each in named] == [("cannot be read", "reading it failed (RecursionError)")]
    monkeypatch.undo()
    assert put(zoo, note_with("pinned", "false")) == []
    assert "oddone" in found(zoo)
