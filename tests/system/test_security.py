"""Strangers' text and strangers' clients: what they may do at most."""

from __future__ import annotations

import itertools
import json
import os
import re
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.errors import MnemexError
from mnemex_vault.mcp.http import keep_token
from mnemex_vault.memories.draft import Draft
from mnemex_vault.settings import vault_state
from tests.system import astray, faults

ROOT = Path(__file__).parents[2]
_PATH = re.compile(r'"((?:[^"\\]|\\.)*)"')
_CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)$")
# what Python, git and the system libraries look at by themselves
_OF_THE_SYSTEM = (
    "/dev/null",
    "/dev/urandom",
    "/etc/gitconfig",
    "/usr/",
    "/lib",
    "/etc/localtime",
    "/etc/ld.so",
    "/proc/self/",
    "/proc/mounts",
    "/sys/",
    "/mark/",
)
_MAY_ASK = frozenset(
    {"readlink", "readlinkat", "stat", "lstat", "newfstatat", "statx", "access", "faccessat2", "getcwd"}
)


@pytest.fixture
def baited(vault: Path, tmp_path: Path) -> Path:
    """A vault between folders that nothing may touch."""
    for folder in ("outside", "My vault-private"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "bait.md").write_text("---\nmemory_id: bait\n---\nbait", encoding="utf-8")
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian" / "app.json").write_text("{}", encoding="utf-8")
    (vault / "link.md").symlink_to(tmp_path / "outside" / "bait.md")
    (vault / "linked").symlink_to(tmp_path / "outside")
    return vault


def traced(trace: Path) -> Iterator[tuple[str, str]]:
    """Yield call and absolute path of every successful file access after the mark."""
    begun = False
    for line in trace.read_text(errors="replace").splitlines():
        begun = begun or astray.BEGIN in line
        match = _CALL.match(line)
        if not begun or match is None or re.search(r"= -1 E", line):
            continue
        base = re.search(r"(?:AT_FDCWD|\d+)<([^>]*)>", match[2])
        names = _PATH.findall(match[2].rpartition(")")[0])
        # what a program is given is no access yet: whatever it makes of it comes behind
        for name in names[:1] if match[1] == "execve" else names:
            path = (
                name.encode("latin-1", "replace")
                .decode("unicode_escape")
                .encode("latin-1", "replace")
                .decode(errors="replace")
            )
            yield match[1], os.path.normpath(path if path.startswith("/") else f"{base[1] if base else '?'}/{path}")


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.row("J1", "S1", "S2")
def test_j1_no_argument_of_a_tool_or_command_leads_out_of_the_vault(
    baited: Path, environ: dict[str, str], tmp_path: Path, storms: bool
) -> None:
    faults.need(Path("/usr/bin/strace").exists(), "strace")
    trace = tmp_path / "trace"
    home, temp = tmp_path / "home", tmp_path / "temp"
    home.mkdir()
    temp.mkdir()
    around = {**os.environ, **environ, "HOME": str(home), "TMPDIR": str(temp), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        ["strace", "-f", "-y", "-s", "4096", "-e", "trace=%file", "-o", str(trace), "--seccomp-bpf",
         sys.executable, "-m", "tests.system.astray", str(baited), str(tmp_path / "outside"), *["--storms"] * storms],
        cwd=ROOT, env=around, capture_output=True, text=True, check=False, timeout=1_700 if storms else 550,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    tools, commands = map(int, done.stdout.split())
    assert tools > (2_000 if storms else 500)
    assert commands > (1_000 if storms else 100)
    ours = (
        str(baited) + "/",
        environ["MNEMEX_STATE_PATH"] + "/",
        environ["XDG_CONFIG_HOME"] + "/",
        f"{home}/",
        # a trial run keeps its index there, git the messages that it is given
        f"{temp}/",
    )
    known = (*ours, *_OF_THE_SYSTEM, sys.prefix, sys.base_prefix, str(ROOT))
    parents = {str(parent) for parent in (baited, *baited.parents, Path(environ["MNEMEX_STATE_PATH"]))}
    accesses = list(traced(trace))
    # the trace tells whole paths: notes were made, and the kernel was asked for each
    assert sum(path.startswith(f"{baited}/Memories/Short-term") for _, path in accesses) > 100
    strange = {
        (call, path)
        for call, path in accesses
        if not path.startswith(known) and path not in parents and not (call in _MAY_ASK and "bait" not in path)
    }
    assert strange == set(), "\n".join(map(str, sorted(strange)))
    for folder in ("outside", "My vault-private"):
        assert [each.name for each in (tmp_path / folder).iterdir()] == ["bait.md"]
        assert (tmp_path / folder / "bait.md").read_text() == "---\nmemory_id: bait\n---\nbait"
    assert (baited / ".obsidian" / "app.json").read_text() == "{}"
    assert sorted(each.name for each in (baited / ".obsidian").iterdir()) == ["app.json"]


def _swap_forever(folder: Path, outside: Path) -> None:
    """Swap the folder and a link as fast as can be; a save may make the folder anew meanwhile."""
    for turn in itertools.count():
        aside = folder.with_name(f"aside {turn}")
        steps = (
            partial(folder.rename, aside),
            partial(folder.symlink_to, outside),
            folder.unlink,
            partial(aside.rename, folder),
        )
        for step in steps:
            with suppress(OSError):
                step()


@pytest.mark.slow
@pytest.mark.row("J2", "S2")
def test_j2_a_folder_swapped_for_a_link_between_check_and_use_is_refused(app: App, vault: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder = vault / "Memories" / "Short-term"
    app.collection.save(Draft(content="The gate is green.", title="Gate"))
    child = os.fork()
    if child == 0:
        _swap_forever(folder, outside)
    refused = 0
    try:
        for number in range(5_000):
            try:
                app.collection.save(Draft(content=f"Fact {number} about the gate.", title=f"Gate {number}"))
            except MnemexError:
                refused += 1
            if number >= 150 and refused:
                break
    finally:
        os.kill(child, 9)
        os.waitpid(child, 0)
    assert list(outside.iterdir()) == []
    assert refused > 0


@pytest.mark.slow
@pytest.mark.row("J4", "S13")
def test_j4_no_escape_of_a_note_reaches_the_terminal(vault: Path, environ: dict[str, str], clock: object) -> None:
    faults.need(Path("/usr/bin/script").exists(), "script")
    evil = "Tea \x1b[31mred\x1b]8;;http://e.org\x07x\x1b]52;c;aGk=\x07 \u202egnp\u2066 \x9b2J\x07 end"
    with open_app(vault, environ=environ) as app:
        app.collection.save(Draft(content=evil, title=evil, tags=["t\u202eag"], source=evil))
    for command in ("search tea", "show Tea*", "status", "history", "doctor", "search"):
        shown = subprocess.run(
            ["script", "-qec", f"{sys.executable} -m mnemex_vault {command} --vault '{vault}'", "/dev/null"],
            env={**os.environ, **environ, "TERM": "xterm"}, cwd=ROOT, capture_output=True, stdin=subprocess.DEVNULL,
            check=False, timeout=60,
        ).stdout.decode(errors="replace")  # fmt: skip
        # our own colours are the only escapes
        left = re.sub(r"\x1b\[[0-9;]*m", "", shown)
        assert not re.search(r"[\x1b\x07\x9b\u202a-\u202e\u2066-\u2069]", left), (command, left)
        assert "\x1b[31mred" not in shown


@pytest.mark.slow
@pytest.mark.row("J7", "S6")
def test_j7_nothing_needs_or_asks_for_a_network(vault: Path, environ: dict[str, str], tmp_path: Path) -> None:
    faults.need_root()
    script = (
        "import sys, anyio\n"
        "from pathlib import Path\n"
        "from tests.system import astray\n"
        "astray.run(Path(sys.argv[1]), Path(sys.argv[2]))\n"
    )
    probe = subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False)
    faults.need(probe.returncode == 0, "network namespaces (unshare -n)")
    trace = tmp_path / "trace"
    short = script.replace("astray.run", "astray.payloads = lambda outside: ['Tea']; astray.run")
    done = subprocess.run(
        ["unshare", "-n", "strace", "-f", "-e", "trace=socket,connect,bind,sendto", "-o", str(trace), "--seccomp-bpf",
         sys.executable, "-c", short, str(vault), str(tmp_path)],
        cwd=ROOT, env={**os.environ, **environ, "HOME": str(tmp_path)}, capture_output=True, text=True, check=False,
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2_000:]
    calls = [line for line in trace.read_text().splitlines() if re.search(r"\b(socket|connect|bind|sendto)\(", line)]
    # an event loop wakes itself by a pair of sockets; a look-up of the user may ask the name service of this machine
    assert [line for line in calls if re.search(r"AF_INET|AF_PACKET", line)] == []


# all that leaves something in the state folder
_COMMANDS = """
import contextlib, sys
from mnemex_vault.cli.main import main
for line in (["search", "gate"], ["backup", "init"], ["maintain"], ["hook", "pre-compact"], ["gc"], ["reindex"]):
    with contextlib.suppress(SystemExit):
        main([*line, "--vault", sys.argv[1]])
"""


@pytest.mark.slow
@pytest.mark.row("J9", "S18")
@pytest.mark.parametrize("mask", [0o000, 0o022, 0o077])
def test_j9_state_is_the_users_alone_and_notes_follow_the_mask(
    vault: Path, environ: dict[str, str], tmp_path: Path, clock: object, mask: int
) -> None:
    state, transcript = Path(environ["MNEMEX_STATE_PATH"]), tmp_path / "transcript.jsonl"
    transcript.write_text('{"type": "user", "message": {"role": "user", "content": "I prefer green gates."}}\n')
    before = stat.S_IMODE(vault.stat().st_mode)
    old = os.umask(mask)
    try:
        with open_app(vault, environ=environ) as app:
            saved = app.collection.save(Draft(content="The gate is green.")).memory.id
            app.lifecycle.touch(saved)
            app.editing.pin(saved)
            app.lifecycle.forget(saved)
    finally:
        os.umask(old)
    call = {"session_id": "s", "transcript_path": str(transcript), "hook_event_name": "PreCompact"}
    done = subprocess.run(
        [sys.executable, "-c", _COMMANDS, str(vault)], cwd=ROOT, env={**os.environ, **environ, "HOME": str(tmp_path)},
        input=json.dumps(call), text=True, capture_output=True, umask=mask, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    keep_token(vault_state(state, vault))
    kept = {path.name for path in state.rglob("*")}
    assert {"http-token", "hooks", "backup.git", "attributes", "operations.log"} <= kept
    for path in state.rglob("*"):
        assert stat.S_IMODE(path.lstat().st_mode) & 0o077 == 0, path
    for path in vault.rglob("*"):
        wanted = (0o777 if path.is_dir() else 0o666) & ~mask
        assert stat.S_IMODE(path.lstat().st_mode) == wanted, path
    assert stat.S_IMODE(vault.stat().st_mode) == before
