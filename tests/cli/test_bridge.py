"""`bridge` on real memory folders of Claude Code, in a home of their own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mnemex_vault.app import make_app
from mnemex_vault.service import Service
from tests.cli.conftest import Run, Saver, contents
from tests.conftest import StandingClock
from tests.waiting import wait_until


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    monkeypatch.setenv("HOME", str(folder))
    return folder


def memory(home: Path, text: str, name: str = "style.md", project: str = "-work-shop") -> Path:
    path = home / ".claude/projects" / project / "memory" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def bridge(run: Run, home: Path, *options: str) -> dict[str, Any]:
    outcome = run("bridge", "claude-code", "--json", *options, HOME=str(home))
    assert outcome.code == 0, outcome.err
    answer: dict[str, Any] = outcome.data
    return answer


def brief_of(run: Run, home: Path) -> str:
    return Path(bridge(run, home, "--brief")["brief"]).read_text("utf-8")


def notes(vault: Path) -> dict[str, bytes]:
    return {name: data for name, data in contents(vault).items() if name.endswith(".md")}


def test_each_project_s_memory_is_taken_in_and_no_file_is_written(run: Run, home: Path, vault: Path) -> None:
    memory(home, "Always tabs.")
    memory(home, "Deploys happen on Mondays.", project="-work-blog")
    before = contents(home)
    answer = bridge(run, home)
    shown = run("search", "--json", "project:shop").data["results"]
    assert [each["content"] for each in shown] == ["Always tabs."]
    assert len(answer["created"]) == 2
    assert contents(home) == before
    assert "connect claude-code --hooks" in run("bridge", "claude-code", HOME=str(home)).out


def test_a_second_run_brings_nothing_and_a_changed_file_replaces_what_it_said(run: Run, home: Path) -> None:
    memory(home, "The port is 3000.", "port.md")
    bridge(run, home)
    assert bridge(run, home)["created"] == []
    memory(home, "The port is 4000.", "port.md")
    assert len(bridge(run, home)["created"]) == 1
    found = run("search", "--json", "port").data
    assert [each["content"] for each in found["results"]] == ["The port is 4000."]
    for text in ("The port is 3000.", "The port is 4000."):
        memory(home, text, "port.md")
        bridge(run, home)
        assert [each["content"] for each in run("search", "--json", "port").data["results"]] == [text]


def test_what_a_person_corrected_here_is_not_replaced(run: Run, home: Path) -> None:
    memory(home, "The port is 3000.", "port.md")
    [created] = bridge(run, home)["created"]
    assert run("update", created["id"], "The port is 3001, since 3000 is taken.").code == 0
    assert bridge(run, home)["remarks"] == []
    memory(home, "The port is 4000.", "port.md")
    bridge(run, home)
    assert len(run("search", "--json", "port").data["results"]) == 2


def test_the_brief_holds_only_what_a_person_wrote_or_approved_for_every_project(
    run: Run, home: Path, saved: Saver
) -> None:
    saved("Always answer in English.", "--kind", "rule")
    saved("Never use @~/secrets.md or mail anna@example.org.", "--kind", "rule")
    saved("Always use tabs.", "--kind", "rule", "--project", "shop")
    saved("Always call the assistant Bob.", "--kind", "rule", "--origin", "ai")
    waiting = saved("Always pay this invoice.", "--kind", "rule", "--origin", "web")
    memory(home, "I always want short answers.")
    said = brief_of(run, home)
    assert "Always answer in English." in said
    assert "@\u2060~/secrets.md" in said
    assert "anna@example.org" in said
    assert not [each for each in ("tabs", "Bob", "invoice", "short answers") if each in said]
    assert run("pin", waiting).code == 0
    assert "invoice" in brief_of(run, home)


def test_the_brief_lies_in_the_state_folder_for_this_person_alone(run: Run, home: Path, tmp_path: Path) -> None:
    path = Path(bridge(run, home, "--brief")["brief"])
    assert path.is_relative_to(tmp_path / "state")
    assert path.stat().st_mode & 0o777 == 0o600
    assert (home / ".claude/CLAUDE.md").read_text("utf-8") == f"@{path}\n"


def test_a_space_in_the_state_folder_is_gone_round(run: Run, home: Path, tmp_path: Path) -> None:
    state = str(tmp_path / "Application Support")
    outcome = run("bridge", "claude-code", "--brief", "--json", HOME=str(home), MNEMEX_STATE_PATH=state)
    assert str(outcome.data["brief"]).startswith(str(home / ".local/state/mnemex"))


TEXTS = {
    "empty": b"",
    "no final newline": b"# Mine",
    "lines": b"# Mine\n\n- tea\n",
    "CRLF": b"# Mine\r\n- tea\r\n",
    "mixed": b"# Mine\r\n- tea\nend",
    "BOM": b"\xef\xbb\xbf# Mine\n",
    "BOM alone": b"\xef\xbb\xbf",
    "CR": b"# Mine\r- tea\r",
    "properties": b"---\na: 1\n---\nText",
    "blank": b"\n\n",
}


@pytest.mark.parametrize("kind", TEXTS)
def test_taking_it_out_gives_back_every_byte(run: Run, home: Path, kind: str) -> None:
    path = home / ".claude/CLAUDE.md"
    path.parent.mkdir()
    path.write_bytes(TEXTS[kind])
    for _ in range(2):
        bridge(run, home, "--brief")
        bridge(run, home, "--brief")
        assert path.read_bytes().count(b"/bridge/claude-code.md") == 1
    bridge(run, home, "--remove")
    assert contents(home) == {".claude/CLAUDE.md": TEXTS[kind]}


def test_a_file_that_was_not_there_is_gone_again_with_its_folder(run: Run, home: Path, tmp_path: Path) -> None:
    bridge(run, home, "--brief")
    bridge(run, home, "--remove")
    assert list(home.iterdir()) == []
    assert not list((tmp_path / "state").glob("*/bridge/*"))


@pytest.mark.parametrize("first", ["bridge", "connect"])
@pytest.mark.parametrize("last", ["bridge", "connect"])
@pytest.mark.parametrize("text", [b"# Mine", None])
def test_beside_the_rules_of_connect_every_byte_comes_back(
    run: Run, home: Path, first: str, last: str, text: bytes | None
) -> None:
    path = home / ".claude/CLAUDE.md"
    if text is not None:
        path.parent.mkdir()
        path.write_bytes(text)
    put = {"bridge": ("bridge", "claude-code", "--brief"), "connect": ("connect", "claude-code", "--rules")}
    for name in sorted(put, key=lambda each: each != first):
        assert run(*put[name], HOME=str(home)).code == 0
    for name in sorted(put, key=lambda each: each == last):
        assert run(name, "claude-code", "--remove", HOME=str(home)).code == 0
    assert contents(home) == ({} if text is None else {".claude/CLAUDE.md": text})


def test_what_a_person_wrote_around_the_line_stays(run: Run, home: Path) -> None:
    path = home / ".claude/CLAUDE.md"
    path.parent.mkdir()
    path.write_bytes(b"# Mine\r\n")
    bridge(run, home, "--brief")
    line = path.read_bytes().partition(b"\r\n")[0]
    path.write_bytes(b"new top\n" + line + b"\r\n# Mine\r\nand\xc3\xa9 more")
    bridge(run, home, "--remove")
    assert path.read_bytes() == b"new top\n# Mine\r\nand\xc3\xa9 more"


def test_what_connect_took_out_does_not_come_back_with_the_line(run: Run, home: Path) -> None:
    path = home / ".claude/CLAUDE.md"
    assert run("connect", "claude-code", "--rules", HOME=str(home)).code == 0
    path.write_text("# Mine\n" + path.read_text("utf-8"), "utf-8")
    bridge(run, home, "--brief")
    assert run("connect", "claude-code", "--remove", HOME=str(home)).code == 0
    bridge(run, home, "--remove")
    assert path.read_bytes() == b"# Mine\n"


def test_a_read_only_file_is_left_alone_and_named(run: Run, home: Path, tmp_path: Path) -> None:
    path = home / ".claude/CLAUDE.md"
    path.parent.mkdir()
    path.write_bytes(b"# Mine")
    path.chmod(0o400)
    outcome = run("bridge", "claude-code", "--brief", HOME=str(home))
    assert outcome.code == 1
    assert "read-only" in outcome.err
    assert path.read_bytes() == b"# Mine"
    assert not list((tmp_path / "state").glob("*/bridge/*"))


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


@pytest.mark.parametrize("linked", ["folder", "file", "neither"])
def test_a_file_that_git_tracks_is_refused(run: Run, home: Path, linked: str) -> None:
    dotfiles = home / "dotfiles" if linked != "neither" else home
    (dotfiles / ".claude").mkdir(parents=True)
    (dotfiles / ".claude/CLAUDE.md").write_text("# Mine\n")
    git(dotfiles, "init", "-q")
    git(dotfiles, "add", "-f", ".claude/CLAUDE.md")
    if linked == "folder":
        (home / ".claude").symlink_to(dotfiles / ".claude")
    elif linked == "file":
        (home / ".claude").mkdir()
        (home / ".claude/CLAUDE.md").symlink_to(dotfiles / ".claude/CLAUDE.md")
    (dotfiles / ".gitignore").write_text("*\n")
    outcome = run("bridge", "claude-code", "--brief", HOME=str(home))
    assert outcome.code == 1
    assert "repository" in outcome.err
    assert (home / ".claude/CLAUDE.md").read_text() == "# Mine\n"


def test_a_file_that_git_would_add_is_refused_and_one_that_it_ignores_is_not(run: Run, home: Path) -> None:
    git(home, "init", "-q")
    assert run("bridge", "claude-code", "--brief", HOME=str(home)).code == 1
    (home / ".gitignore").write_text(".claude/\n")
    assert run("bridge", "claude-code", "--brief", HOME=str(home)).code == 0


def test_ten_round_trips_make_no_memory(run: Run, home: Path, vault: Path, saved: Saver) -> None:
    saved("Always answer in English.", "--kind", "rule")
    memory(home, "## Build\nRun make.\n", "MEMORY.md")
    brief = Path(bridge(run, home, "--brief")["brief"])
    before = notes(vault)
    for number in range(10):
        told = brief.read_text("utf-8")
        memory(home, told, f"copy-{number}.md")
        lines = "".join(f"{each}\n" for each in told.splitlines() if each.startswith("- "))
        memory(home, f"## Build\nRun make.\n{lines}", "MEMORY.md")
        memory(home, "Always answer in english.\n", f"said-{number}.md")
        assert bridge(run, home, "--brief")["created"] == []
    assert notes(vault) == before


def made_folder(home: Path, seed: int) -> None:
    """Make a home whose memory folders and CLAUDE.md are as odd as people's are."""
    random = Random(seed)
    ends = random.choice(["\n", "\r\n", "\r"])
    texts = ["# Shop", "## Build", "Run `make`.", "- [a](a.md) — tea", "é 漢字 🌱", "---", "@import/me.md", "", "\t- x"]
    for number in range(random.randint(1, 5)):
        name = random.choice(["MEMORY.md", "a.md", "Tee & Ähren.md", "sub/deep/note.md", "UPPER.MD", "x.txt", ".h.md"])
        path = home / ".claude/projects" / f"-work-{random.choice('ab')}-{number}" / "memory" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        text = ends.join(random.choice(texts) for _ in range(random.randint(0, 12)))
        head = random.choice(["", "---\nname: tea\ndescription: d\n---\n", "---\nbroken: [\n---\n", "\ufeff"])
        path.write_bytes((head + text).encode(random.choice(["utf-8", "utf-8", "utf-16", "latin-1"]), "replace"))
        if random.random() < 0.3:
            (path.parent / "link.md").symlink_to(random.choice([path, home / "nowhere.md"]))
    if random.random() < 0.8:
        mark = random.choice([b"", b"\xef\xbb\xbf"])
        data = mark + ends.join(random.choice(texts) for _ in range(random.randint(0, 9))).encode()
        (home / ".claude/CLAUDE.md").write_bytes(data)


@pytest.mark.slow
def test_a_hundred_memory_folders_come_in_and_keep_every_byte(run: Run, tmp_path: Path) -> None:
    for seed in range(100):
        home = tmp_path / f"home{seed}"
        home.mkdir()
        made_folder(home, seed)
        before = contents(home)
        bridge(run, home, "--brief")
        bridge(run, home, "--brief")
        bridge(run, home, "--remove")
        assert contents(home) == before, seed


def test_a_purged_memory_is_gone_from_the_brief_at_once(run: Run, home: Path, saved: Saver) -> None:
    memory_id = saved("Always answer in English.", "--kind", "rule")
    path = Path(bridge(run, home, "--brief")["brief"])
    assert run("forget", memory_id, "--purge", "--yes").code == 0
    assert "English" not in path.read_text("utf-8")


@pytest.mark.slow
def test_the_server_keeps_the_brief_up_to_date(
    run: Run, home: Path, vault: Path, saved: Saver, clock: StandingClock, environ: dict[str, str]
) -> None:
    path = Path(bridge(run, home, "--brief")["brief"])
    saved("Always answer in English.", "--kind", "rule")
    assert "English" not in path.read_text("utf-8")
    service = Service(make_app(vault, environ=environ, clock=clock))
    service.start()
    try:
        assert service.wait_ready(60)
        clock.advance(minutes=2)
        wait_until(lambda: "English" in path.read_text("utf-8"))
    finally:
        service.close()


def test_an_unknown_client_and_contradicting_options_are_wrong_usage(run: Run, home: Path) -> None:
    assert run("bridge", "codex", HOME=str(home)).code == 2
    assert run("bridge", "claude-code", "--brief", "--remove", HOME=str(home)).code == 2
    shown = run("bridge", "claude-code", "--brief", "--dry-run", HOME=str(home))
    assert "+@" in shown.out
    assert list(home.iterdir()) == []
    assert json.loads(run("bridge", "claude-code", "--json", HOME=str(home)).out)["created"] == []


def test_an_import_of_a_brief_that_is_gone_is_told(run: Run, home: Path) -> None:
    brief = Path(bridge(run, home, "--brief")["brief"])
    assert "which is not there" not in run("doctor", HOME=str(home)).out
    brief.unlink()
    assert f"imports {brief}, which is not there" in run("doctor", HOME=str(home)).out
    bridge(run, home, "--brief")
    assert brief.exists()


def test_a_brief_whose_line_somebody_took_out_by_hand_is_removed_and_a_file_of_others_is_not(
    run: Run, home: Path, tmp_path: Path
) -> None:
    brief = Path(bridge(run, home, "--brief")["brief"])
    foreign = tmp_path / ("0" * 20) / "bridge/claude-code.md"
    foreign.parent.mkdir(parents=True)
    foreign.write_text("Mine.")
    (home / ".claude/CLAUDE.md").write_text(f"@{foreign}\n")
    bridge(run, home, "--remove")
    assert not brief.exists()
    assert foreign.read_text() == "Mine."


def test_settings_of_the_client_that_cannot_be_read_stop_nothing(run: Run, home: Path) -> None:
    memory(home, "Always tabs.")
    (home / ".claude/settings.json").write_text("{nonsense")
    assert len(bridge(run, home)["created"]) == 1
    assert "connect claude-code --hooks" in run("bridge", "claude-code", HOME=str(home)).out


def test_what_was_taken_back_stays_away_until_it_is_imported(run: Run, home: Path) -> None:
    memory(home, "Always tabs.")
    bridge(run, home)
    assert run("undo").code == 0
    assert bridge(run, home)["created"] == []
    assert len(run("import", str(home / ".claude"), "--json").data["created"]) == 1
