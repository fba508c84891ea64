"""What a person sees: tables and colours on a terminal of any width, and nothing in a note that acts on it."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.cells import cell_len

from mnemex_vault.app import open_app
from mnemex_vault.cli.bars import Bars
from mnemex_vault.clock import Clock
from mnemex_vault.memories.draft import Draft
from tests.cli.conftest import SAMPLE
from tests.cli.terminal import Shown, in_terminal

WIDTHS = [40, 80, 120]
COMMANDS = {
    "search": ["search", "What is Amélie allergic to?"],
    "explained": ["search", "Kiezkarte", "--explain", "--all"],
    "status": ["status"],
    "settings": ["status", "--settings"],
    "doctor": ["doctor"],
    "gc": ["gc"],
    "promote": ["promote"],
    "review": ["review"],
    "history": ["history"],
    "maintain": ["maintain", "--dry-run"],
    "lab": ["lab"],
    "backup": ["backup", "history"],
}
RED, GREEN, YELLOW, BLUE, CYAN = "31", "32", "33", "34", "36"

View = Callable[..., Shown]


def lena() -> datetime:
    return datetime(2026, 11, 29, 22, tzinfo=UTC)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the sample vault, in which something was done."""
    place = tmp_path_factory.mktemp("lena")
    shutil.copytree(SAMPLE, place / "Lena's vault")
    for command in (["pin", "Kiezkarte launches on 15 March 2027"], ["undo"], ["backup", "init"]):
        assert view_of(place, lena)(*command).code == 0
    return place


def view_of(place: Path, clock: Clock) -> View:
    def view(*arguments: str, columns: int = 80, **more: str) -> Shown:
        environ = {
            "MNEMEX_VAULT_PATH": str(place / "Lena's vault"),
            "MNEMEX_STATE_PATH": str(place / "state"),
            "HOME": str(place),
            **more,
        }
        return in_terminal(arguments, columns=columns, environ=environ, clock=clock)

    return view


@pytest.fixture
def view(place: Path) -> View:
    return view_of(place, lena)


@pytest.mark.parametrize(
    ("name", "columns"),
    [*((name, 40) for name in COMMANDS), *((name, columns) for name in ("explained", "gc") for columns in (80, 120))],
)
def test_no_line_is_wider_than_the_terminal(view: View, name: str, columns: int) -> None:
    shown = view(*COMMANDS[name], columns=columns)
    assert shown.code == 0, shown.raw
    assert max(map(cell_len, shown.lines)) <= columns
    assert len(shown.words) > 30 or name == "backup"


@pytest.mark.parametrize("columns", WIDTHS)
def test_results_have_title_state_text_and_id_at_any_width(view: View, columns: int) -> None:
    shown = view("search", "What is Amélie allergic to?", columns=columns)
    for wanted in ("Amélie is allergic to walnuts", "permanent", "yxhj6fjwhw", "hazelnuts", "archived (--archived)."):
        assert wanted in shown.words
    has_heads = "State" in shown.words and "Score" in shown.words
    assert has_heads == (columns >= 60)


def test_states_have_their_colours(view: View) -> None:
    shown = view("search", "--limit", "50", columns=120)
    for words, colour in (
        ("● fading", RED),
        ("● due", YELLOW),
        ("● fresh", GREEN),
        ("● pinned", CYAN),
        ("● perm", BLUE),
    ):
        assert shown.styled(words) == colour, words
    fading = view("gc")
    score = re.search(r"0\.0\d", fading.raw)
    assert score
    assert fading.styled(score[0]) == RED


@pytest.mark.parametrize("refused", ["--no-color", "NO_COLOR"])
@pytest.mark.parametrize("name", ["search", "history"])
def test_without_colours_the_tables_stay(view: View, name: str, refused: str) -> None:
    plain, coloured = COMMANDS[name], view(*COMMANDS[name])
    shown = view(*plain, refused) if refused.startswith("-") else view(*plain, **{refused: "1"})
    assert coloured.styles
    assert not shown.styles
    assert shown.lines == coloured.lines


def test_a_dumb_terminal_gets_the_lines_of_a_file(view: View) -> None:
    shown = view("search", "What is Amélie allergic to?", columns=120, TERM="dumb")
    assert "\x1b" not in shown.raw
    assert shown.lines[0] == " 1 Amélie is allergic to walnuts                              yxhj6fjwhw"


def test_json_is_the_same_on_a_terminal(view: View) -> None:
    shown = view("search", "walnuts", "--json", columns=40)
    assert not shown.styles
    assert json.loads(shown.raw)["results"][0]["title"] == "Amélie is allergic to walnuts"


def test_history_strikes_what_was_undone_and_tells_by_what(view: View) -> None:
    shown = view("history")
    assert re.search(r"undone by op[0-9a-f]{8}", shown.words)
    struck = next(style for style in shown.styles if "9" in style.split(";"))
    assert re.search(rf"\x1b\[{struck}m\w+ Kiezkarte launches", shown.raw)


def test_doctor_names_each_thing_with_its_cure(view: View) -> None:
    shown = view("doctor", columns=120)
    assert "Unmanaged" in shown.words
    assert "-> mnemex adopt NOTE makes it a memory" in shown.words


STORE = "\n".join(
    json.dumps({"id": f"m{n}", "content": f"Fact {n} of the garden, end{n}.", "status": ("active", "promoted")[n % 2]})
    for n in range(120)
)
LASTING = {
    "import": (["import", "memories.jsonl"], ["Writing notes", "Reading notes"]),
    "undo": (["undo"], ["Writing notes", "Reading notes"]),
    "redo": (["undo", "CHANGE"], ["Writing notes"]),
    "reindex": (["reindex"], ["Reading notes again", "Making the index anew"]),
    "doctor": (["doctor"], ["Examining notes"]),
    "export": (["export", "Out"], ["Writing files"]),
    "promote": (["promote", "--apply"], ["Promoting"]),
    "gc": (["gc"], ["Looking for what has faded"]),
    "maintain": (["maintain"], ["Looking after the memories"]),
    "backup": (["backup", "init"], ["Taking a snapshot"]),
    "lab": (["lab"], ["Living the memories again"]),
}


@pytest.mark.slow
def test_work_that_may_last_shows_how_far_it_is_on_stderr_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "Lena's vault").mkdir()
    (tmp_path / "memories.jsonl").write_text(STORE, "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(Bars.__init__.__kwdefaults__ or {}, "after", 0.0)
    view = view_of(tmp_path, lena)
    change = ""
    for name, (command, works) in LASTING.items():
        shown = view(*(change if word == "CHANGE" else word for word in command))
        assert shown.code == 0, (name, shown.raw)
        for work in works:
            assert work in shown.raw, name
        named = re.search(r"mnemex undo (op[0-9a-f]{8})", shown.raw)
        change = named[1] if named else change
        # what stays on the screen is the answer, not a bar
        assert "\x1b[?25h" in shown.raw
        assert "━" not in shown.raw.rsplit("\x1b[?25h", 1)[1]


COPIED = {
    "save": (["save", "The key to the shed hangs behind the calendar in the hall", "--tag", "home"], "PATH.md"),
    "pin": (["pin", "The key to the shed hangs behind the calendar in the hall"], "PATH.md"),
    "update": (["update", "The key to the shed hangs behind the calendar in the hall", "--tag", "shed"], "PATH.md"),
    "promote": (["promote", "The key to the shed hangs behind the calendar in the hall", "--force"], "mnemex undo op"),
    "forget": (["forget", "The key to the shed hangs behind the calendar in the hall"], "mnemex undo op"),
    "gc": (["gc"], "mnemex gc --apply"),
}


def test_what_is_to_be_copied_is_never_broken_into_lines(place: Path) -> None:
    view = view_of(place, lena)
    title = "The key to the shed hangs behind the calendar in the hall"
    for name, (command, wanted) in COPIED.items():
        shown = view(*command, columns=40)
        assert shown.code == 0, shown.raw
        assert any(wanted.replace("PATH", title) in line for line in shown.lines), (name, shown.raw)


@pytest.mark.parametrize("columns", [40, 80])
def test_the_entry_that_init_shows_can_be_copied_as_it_is(tmp_path: Path, columns: int) -> None:
    root = tmp_path / "A vault whose name is longer than a narrow terminal is wide, as real ones are"
    root.mkdir()
    environ = {"HOME": str(tmp_path), "MNEMEX_STATE_PATH": str(tmp_path / "state"), "TERM": "xterm-256color"}
    shown = in_terminal(["init", str(root), "--yes"], columns=columns, environ=environ, clock=lena)
    entry = "\n".join(shown.lines[shown.lines.index("{") :])
    assert json.loads(entry)["mcpServers"]["mnemex"]["args"][-1] == str(root)


HOSTILE = "[red]x[/red] [link=https://evil.example]y[/link] :smile: \x1b[31mz \x1b]8;;https://evil.example\x07 a\u202eb"
SEEN = ("[red]x[/red]", ":smile:", "�[31mz", "�]8;;https", "a�b")


@pytest.mark.parametrize("columns", [40, 120])
def test_what_looks_like_markup_or_acts_on_a_terminal_is_shown_as_it_is_written(tmp_path: Path, columns: int) -> None:
    root, state = tmp_path / "Lena's vault", tmp_path / "state"
    root.mkdir()
    with open_app(root, clock=lena, environ={"MNEMEX_STATE_PATH": str(state)}) as app:
        app.collection.save(Draft(content=f"tea {HOSTILE}", title="[red]x[/red]", kind="none", tags=["[bold]"]))
        note = root / app.collection.save(Draft(content="tea two", title="Two")).path
        note.write_text(note.read_text("utf-8").replace("tea two", f"tea {HOSTILE}"), "utf-8")
    view = view_of(tmp_path, lena)
    for command in (["search", "tea"], ["review"], ["history"], ["doctor"], ["maintain", "--dry-run"]):
        shown = view(*command, columns=columns)
        assert shown.code == 0
        assert "\x1b]" not in shown.raw
        assert "\u202e" not in shown.raw
        if command[0] in ("search", "review", "history"):
            assert "[red]x[/red]" in shown.words
        if command[0] == "search":
            # a narrow terminal shows only the beginning of the text
            assert [part for part in SEEN[: 2 if columns < 60 else 5] if part not in shown.words] == []
