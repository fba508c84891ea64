"""The real server in a process of its own, driven over its pipes."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.app import make_app
from tests.mcp.piped import Pipe, dispose, empty_folder, surroundings_in
from tests.waiting import PATIENCE, wait_until


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    return surroundings_in(tmp_path)


@pytest.fixture
def pipe(tmp_path: Path, surroundings: dict[str, str]) -> Iterator[Pipe]:
    pipe = Pipe(empty_folder(tmp_path), surroundings)
    yield pipe
    dispose(pipe)


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipe]:
    """A server that was greeted and outlives what is done to it; its vault stays empty."""
    place = tmp_path_factory.mktemp("running")
    pipe = Pipe(empty_folder(place), surroundings_in(place))
    pipe.greet()
    yield pipe
    assert not list((place / "vault").rglob("*"))
    dispose(pipe)


def answer_to(pipe: Pipe, asked: int) -> dict[str, Any]:
    """Give the answer to a request, past those to others."""
    answer = pipe.answer()
    while answer.get("id") != asked:
        answer = pipe.answer()
    return answer


def test_it_introduces_itself_with_when_to_save_and_recall(pipe: Pipe) -> None:
    result = pipe.greet()["result"]
    assert result["serverInfo"]["name"] == "mnemex-vault"
    assert "search_memory" in result["instructions"]
    assert result["capabilities"]["tools"] is not None


@pytest.mark.slow
@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_clients_of_every_protocol_version_are_served(pipe: Pipe, version: str) -> None:
    assert pipe.greet(version)["result"]["protocolVersion"] == version
    pipe.request("tools/list")
    assert "save_memory" in {tool["name"] for tool in pipe.answer()["result"]["tools"]}
    assert not pipe.call("save_memory", content="Old clients remember too.")["isError"]


@pytest.mark.row("T34")
def test_it_ends_when_the_client_closes_its_input(pipe: Pipe) -> None:
    pipe.greet()
    pipe.call("save_memory", content="Saved before the end.")
    pipe.stdin.close()
    code, log = pipe.end()
    assert code == 0
    assert "Traceback" not in log
    assert "Fatal" not in log


@pytest.mark.row("A10")
def test_it_ends_on_sigterm_while_its_input_is_open(pipe: Pipe) -> None:
    pipe.greet()
    pipe.process.send_signal(signal.SIGTERM)
    code, log = pipe.end()
    assert code == 0
    assert "Traceback" not in log
    assert "Fatal" not in log


@pytest.mark.slow
@pytest.mark.row("A10", "A11", "T34")
@pytest.mark.parametrize("how", ["sigterm", "eof"])
def test_a_call_under_way_is_finished_or_not_begun(
    pipe: Pipe, tmp_path: Path, surroundings: dict[str, str], how: str
) -> None:
    pipe.greet()
    for number in range(30):
        pipe.request(
            "tools/call", name="save_memory", arguments={"content": f"Fact {number}. " + "word " * 500 + "end"}
        )
    pipe.answer()
    if how == "eof":
        pipe.stdin.close()
    else:
        pipe.process.send_signal(signal.SIGTERM)
    pipe.process.wait(timeout=PATIENCE)
    notes = list((tmp_path / "vault").rglob("*.md"))
    assert notes
    for note in notes:
        assert note.read_text(encoding="utf-8").endswith("word end\n")
    left = [path for path in (tmp_path / "vault").rglob("*") if path.is_file() and path not in notes]
    assert not left


@pytest.mark.row("I6")
def test_a_client_that_stops_reading_ends_it_without_a_traceback(pipe: Pipe) -> None:
    pipe.greet()
    pipe.stdout.close()
    pipe.request("ping")
    pipe.request("ping")
    wait_until(lambda: pipe.process.poll() is not None)
    assert pipe.process.stderr
    assert "Traceback" not in pipe.process.stderr.read().decode()


@pytest.mark.row("I5", "T33")
def test_nothing_but_the_protocol_reaches_stdout(tmp_path: Path, surroundings: dict[str, str]) -> None:
    chatty = (
        "import sys, os, threading, warnings\n"
        "import mnemex_vault.mcp.server as server, mnemex_vault.mcp.calls as session\n"
        "current = session.SessionName.current\n"
        "def noisy(self, **times):\n"
        "    print('printed in a call'); os.write(1, b'written to the descriptor\\n'); os.system('echo from a child')\n"
        "    warnings.warn('warned'); sys.stdout.flush()\n"
        "    return current(self, **times)\n"
        "session.SessionName.current = noisy\n"
        "sys.meta_path.insert(0, type('Noise', (), {'find_spec': lambda *_: print('imported')})())\n"
        "server.main(sys.argv[1])\n"
    )
    pipe = Pipe(empty_folder(tmp_path), surroundings, code=chatty)
    try:
        pipe.greet()
        assert not pipe.call("save_memory", content="Saved among noise.")["isError"]
        pipe.stdin.close()
        _, log = pipe.end()
        for noise in ("imported", "printed in a call", "written to the descriptor", "from a child", "warned"):
            assert noise in log
    finally:
        dispose(pipe)


@pytest.mark.row("I1")
def test_a_broken_message_does_not_end_it(running: Pipe) -> None:
    for line in (
        b"garbage",
        b"{",
        b"[]",
        b"\xff\xfe",
        b'{"jsonrpc":"2.0","id":"none"}',
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","id":"unknown","method":"no/such/method"}',
    ):
        running.send(line)
        assert answer_to(running, running.request("ping"))["result"] == {}, line


@pytest.mark.row("I4")
def test_numbers_that_json_does_not_have_are_refused(running: Pipe) -> None:
    for name in (b"strength", b"half_life_days"):
        for number in (b"NaN", b"Infinity", b"-Infinity", b"1e999"):
            arguments = b'{"content":"x","' + name + b'":' + number + b"}"
            running.send(
                b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"save_memory","arguments":'
                + arguments
                + b"}}"
            )
            answer = running.answer()
            assert "error" in answer or answer["result"]["isError"], number


@pytest.mark.row("I3")
def test_half_characters_are_refused(running: Pipe) -> None:
    running.send(
        b'{"jsonrpc":"2.0","id":9,"method":"tools/call",'
        b'"params":{"name":"save_memory","arguments":{"content":"\\ud800 half"}}}'
    )
    answer = answer_to(running, 9)
    assert "error" in answer or answer["result"]["isError"]


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["missing", "file"])
def test_a_vault_that_is_none_is_told_by_the_tools(tmp_path: Path, surroundings: dict[str, str], kind: str) -> None:
    root = tmp_path / "no vault"
    if kind == "file":
        root.write_text("a file", encoding="utf-8")
    pipe = Pipe(root, surroundings)
    try:
        pipe.greet()
        result = pipe.call("search_memory", query="x")
        assert result["isError"]
        assert "cannot be used now" in result["content"][0]["text"]
        assert kind == "file" or not root.exists()
    finally:
        dispose(pipe)


@pytest.mark.slow
def test_it_answers_before_the_vault_could_be_looked_at(tmp_path: Path, surroundings: dict[str, str]) -> None:
    root = empty_folder(tmp_path)
    (root / "Rye.md").write_text("Rye grows behind the barn.\n", encoding="utf-8")
    other = make_app(root, environ=surroundings)
    # the start of the server waits for whoever changes notes
    with other.store.vault.lock:
        pipe = Pipe(root, surroundings)
        try:
            pipe.greet()
            pipe.request("tools/list")
            assert pipe.answer()["result"]["tools"]
        except BaseException:
            dispose(pipe)
            raise
    try:
        found = pipe.call("search_unified", query="rye", limit=1)
        assert found["structuredContent"]["results"][0]["title"] == "Rye"
    finally:
        dispose(pipe)
        other.close()
