"""Every command that the documentation shows is run as it stands, in a terminal of 80 columns, and answers as shown.

What cannot be run here has a comment above its fence, `<!-- not run: REASON -->`, with one of the reasons below.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib import import_module
from pathlib import Path

import pytest
from typer.core import TyperCommand

from mnemex_vault.cli.bars import Bars
from mnemex_vault.cli.main import COMMANDS, main, make_commands
from tests.bench import picture
from tests.cli.terminal import Shown, in_terminal

ROOT = Path(__file__).parents[1]
PAGES = [
    *("README.md", "docs/install.md", "docs/clients.md", "docs/troubleshooting.md", "docs/tutorial.md", "docs/cli.md"),
    *("docs/graph.md", "docs/migrating.md", "docs/use-cases.md", "docs/eli5.md"),
]
# read by someone who has a vault already
PREPARED = PAGES[2:4] + PAGES[6:9]
REASONS = {
    "network": "it installs or removes something",
    "development": "it tests or builds this project",
    "own repository": "it is said once in a git repository of one's own",
    "other program": "another program calls it, with its own input",
    "another system": "it needs a program of macOS, or a service of Linux",
    "until closed": "it serves until it is closed",
    "public server": "it is about a server that was started with an address on the internet",
    "model": "it needs a model in a folder",
}
COLUMNS = 80
# a person who only presses Enter
ENTER = "\n" * 40
FENCES = re.compile(r"((?:^<!-- [^\n]* -->\n)*)^```(sh|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OWN = re.compile(r"(?:\S*/)?mnemex$")


def now() -> datetime:
    return datetime(2026, 11, 29, 22, tzinfo=UTC)


@dataclass(frozen=True)
class Fence:
    """A block of commands: with what each answers, or without."""

    language: str
    text: str
    reason: str | None

    def steps(self) -> Iterator[tuple[str, str | None]]:
        """Yield each command with the answer that is shown, None if none is."""
        if self.language == "console":
            for part in re.split(r"^\$ ", self.text, flags=re.MULTILINE)[1:]:
                command, _, answer = part.partition("\n")
                yield command, answer
        else:
            yield from ((line, None) for line in self.text.splitlines() if line.strip() and not line.startswith("#"))


def fences(page: str) -> list[Fence]:
    found = []
    for marks, language, text in FENCES.findall((ROOT / page).read_text(encoding="utf-8")):
        reason = re.search(r"<!-- not run: (.*) -->", marks)
        found.append(Fence(language, text, reason[1] if reason else None))
    return found


@dataclass
class Shell:
    """A person's shell in a home with two copies of the sample vault, and what other programs left."""

    home: Path
    folder: Path
    environ: dict[str, str] = field(default_factory=dict)

    def run(self, line: str) -> Shown:
        """Run one line: a few commands of the shell, and ours."""
        words = [self._expanded(word) for word in shlex.split(line, comments=True)]
        program, arguments = words[0], words[1:]
        if line.startswith("uvx mnemex-vault "):
            return self._ours(arguments[1:])
        if program == "cd":
            self.folder = self.folder / arguments[0]
        elif program == "export":
            self.environ |= dict(word.split("=", 1) for word in arguments)
        elif program == "unset":
            self.environ.pop(arguments[0], None)
        elif OWN.search(program):
            return self._ours(arguments)
        else:
            assert program in ("cp", "mv", "mkdir", "rm", "git"), f"mark it, or teach the test: {line}"
            subprocess.run(words, cwd=self.folder, env={**os.environ, "HOME": str(self.home)}, check=True)
        return Shown("", 0)

    def _expanded(self, word: str) -> str:
        word = word.replace("$PWD", str(self.folder)).replace("$PATH", os.environ["PATH"])
        return re.sub(r"(^|=)~(?=/|$)", lambda found: found[1] + str(self.home), word)

    def _ours(self, arguments: list[str]) -> Shown:
        environ = {"HOME": str(self.home), "XDG_STATE_HOME": str(self.home / ".local/state"), **self.environ}
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            known = [self._known(word) for word in arguments]
            return in_terminal(known, columns=COLUMNS, environ=environ, clock=now, answers=ENTER)
        finally:
            os.chdir(before)

    def _known(self, word: str) -> str:
        """Put the latest change in the place of one that the page made up, for its name is by chance."""
        if not re.fullmatch(r"op[0-9a-f]{8}", word):
            return word
        (latest, *_) = json.loads(self._ours(["history", "--json", "--limit", "1"]).raw)
        return str(latest["operation_id"])

    def seen(self, shown: Shown) -> str:
        """Return what a person sees, with the places and names that are by chance as the pages have them."""
        text = "\n".join(shown.lines)
        text = text.replace(str(self.home), "/home/you")
        return re.sub(r"[^\s\"]*/(mnemex)(?=\")", r"/path/to/.venv/bin/\1", text)


@pytest.fixture(scope="module", autouse=True)
def loaded(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Load once what commands need, so that the terminals, which are copies of this process, have it already."""
    place = tmp_path_factory.mktemp("loaded")
    environ = {"MNEMEX_STATE_PATH": str(place.with_name("state")), "MNEMEX_VAULT_PATH": str(place)}
    for line in (["save", "Anna plays the cello."], ["search", "cello"]):
        with redirect_stdout(io.StringIO()), suppress(SystemExit):
            main(line, environ=environ, clock=now)
    import_module("mnemex_vault.cli.drawing")
    for command in COMMANDS.values():
        command.function()


def _write_what_assistants_keep(home: Path) -> None:
    told = ("I am allergic to hazelnuts.", "I prefer tabs over spaces.", "I live in Graz.")
    said = [{"uuid": str(n), "sender": "human", "text": text, "content": []} for n, text in enumerate(told)]
    (home / "Downloads").mkdir()
    with zipfile.ZipFile(home / "Downloads/chatgpt-export.zip", "w") as archive:
        archive.writestr("conversations.json", json.dumps([{"uuid": "u", "name": "Talk", "chat_messages": said}]))
    files = (".claude/projects/shop/memory/MEMORY.md", ".codex/memories/MEMORY.md", ".codex/memories/memory_summary.md")
    for number, file in enumerate(files):
        (home / file).parent.mkdir(parents=True, exist_ok=True)
        (home / file).write_text(f"## Build\n\nRun make {number}.\n", "utf-8")


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shell:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    # a busy machine shows bars where another shows none
    monkeypatch.setitem(Bars.__init__.__kwdefaults__ or {}, "after", 1e6)
    home = tmp_path / "you"
    checkout = home / "mnemex-vault"
    for place in (checkout / "sample-vault", home / "Notes", home / "Work"):
        shutil.copytree(ROOT / "sample-vault", place)
    shutil.rmtree(home / "Work/Memories")
    (home / "basic-memory").mkdir()
    (home / "basic-memory/Tea.md").write_text("---\ntitle: Tea\n---\n- [fact] Green tea at eighty degrees\n", "utf-8")
    entity = {"type": "entity", "name": "Anna", "entityType": "person", "observations": ["Plays the cello."]}
    (home / "memory.json").write_text(json.dumps(entity) + "\n", "utf-8")
    store = home / ".config/cortexgraph/jsonl"
    store.mkdir(parents=True)
    (store / "memories.jsonl").write_text(json.dumps({"id": "m1", "content": "Ben likes tea."}) + "\n", "utf-8")
    return Shell(home, checkout, {"XDG_CONFIG_HOME": str(home / ".config")})


def by_chance(text: str) -> str:
    text = re.sub(r"\bop[0-9a-f]{8}\b", "OPERATION", text)
    text = re.sub(r"\b[a-hjkmnp-tv-z][0-9a-hjkmnp-tv-z]{9}\b", "MEMORY", text)
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


@pytest.mark.parametrize(
    # these two pages take as long as all others together
    "page",
    [
        pytest.param(page, marks=pytest.mark.slow if page in ("docs/cli.md", "docs/migrating.md") else ())
        for page in PAGES
    ],
)
def test_what_a_page_shows_is_what_happens(page: str, shell: Shell) -> None:
    if page != "docs/tutorial.md":
        # who follows that one begins with nothing
        _write_what_assistants_keep(shell.home)
    if page in PREPARED:
        assert shell.run("mnemex use ~/Notes").code == 0
    for fence in fences(page):
        if fence.reason is not None:
            continue
        for command, answer in fence.steps():
            shown = shell.run(command)
            assert shown.code == 0, (command, shown.raw)
            if answer is not None:
                assert by_chance(shell.seen(shown)) == by_chance(answer), command


def test_the_picture_of_the_terminal_is_what_happens(tmp_path: Path) -> None:
    drawn = picture.drawn(list(picture.shown(tmp_path)))
    assert by_chance(drawn) == by_chance(picture.PICTURE.read_text("utf-8")), "python -m tests.bench.picture draws it"


def test_only_what_cannot_be_run_is_left_out_and_each_page_says_why() -> None:
    pages = ["README.md", *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]
    assert {fence.reason for page in pages for fence in fences(page) if fence.reason} == set(REASONS)


def test_no_page_with_commands_is_forgotten() -> None:
    pages = ["README.md", *(path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md"))]
    forgotten = {page for page in pages if page not in PAGES and any(not each.reason for each in fences(page))}
    assert forgotten == set()


PROGRAM = make_commands()
NAMED = [
    (page.relative_to(ROOT).as_posix(), command)
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    for command in re.findall(r"(?<!`)`(?:\.venv/bin/)?mnemex ([a-z][^`\[\]…]*)`", page.read_text(encoding="utf-8"))
]


@pytest.mark.parametrize(("page", "command"), NAMED)
def test_a_command_that_is_named_in_a_sentence_exists_with_its_options(page: str, command: str) -> None:
    name, *arguments = shlex.split(command.replace("EVENT", "stop"))
    assert name in PROGRAM.commands, page
    found = PROGRAM.commands[name]
    assert isinstance(found, TyperCommand)
    needed = sum(each.param_type_name == "argument" and each.required for each in found.params)
    values = [word for word in arguments if not word.startswith("-")]
    if len(values) >= needed:
        found.make_context(name, arguments)
    else:
        options = {option for each in found.params for option in each.opts}
        assert {word for word in arguments if word.startswith("-")} <= options
