"""The real server over HTTP, in a process of its own: who is refused, and many clients at once."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest

from mnemex_vault.errors import ConfigError
from mnemex_vault.mcp.http import keep_token, token_file
from tests.mcp.served import Served, client_of, serving
from tests.mcp.talking import structured, text_of
from tests.waiting import PATIENCE

MEGABYTE = 1024 * 1024


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("http")
    root = folder / "vault"
    root.mkdir()
    with serving(root, folder / "state") as running:
        yield running


def test_a_request_with_the_token_is_answered_and_done(served: Served) -> None:
    status, body = served.post()
    assert status == 200
    assert b"mnemex-vault" in body
    assert served.save("The kiln of the potter is red.") == 200
    assert any(b"kiln of the potter" in note for note in served.notes().values())


@pytest.mark.row("I8", "S4")
@pytest.mark.parametrize("host", ["evil.example:80", "127.0.0.1", "127.0.0.1.evil.example", "", "localhost:1"])
def test_what_is_for_another_host_is_refused_and_not_done(served: Served, host: str) -> None:
    before = served.notes()
    assert served.save("Sent to another host.", Host=host) == 421
    assert served.notes() == before


@pytest.mark.row("I8", "S4")
@pytest.mark.parametrize("origin", ["http://evil.example", "null", "", "https://127.0.0.1:80", "http://localhost"])
def test_what_comes_from_another_page_is_refused_and_not_done(served: Served, origin: str) -> None:
    before = served.notes()
    assert served.save("Sent by another page.", Origin=origin) == 403
    assert served.notes() == before


@pytest.mark.row("I8", "S3")
@pytest.mark.parametrize("given", [None, "", "Bearer", "Bearer ", "Bearer wrong", "Basic eDp5", "bearer x, Bearer y"])
def test_what_comes_without_the_token_is_refused_and_not_done(served: Served, given: str | None) -> None:
    before = served.notes()
    assert served.save("Sent without the token.", Authorization=given) == 401
    assert served.save("Sent with a wrong token.", Authorization=f"Bearer {served.token[:-1]}") == 401
    assert served.notes() == before


def test_an_origin_of_its_own_is_welcome(served: Served) -> None:
    assert served.post(Origin=f"http://localhost:{served.port}")[0] == 200


@pytest.mark.row("I2", "S4")
def test_a_body_of_20_megabytes_is_refused_before_it_is_read(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as connection:
        connection.sendall(served.head(Content_Length=str(20 * MEGABYTE)))
        assert b" 413 " in connection.recv(4_096)


@pytest.mark.row("I2", "S4")
def test_a_memory_of_20_megabytes_is_refused_and_not_saved(served: Served) -> None:
    before = served.notes()
    try:
        assert served.save("x" * 20 * MEGABYTE) == 413
    except ConnectionError:
        # the server hung up in the middle of it
        assert served.process.poll() is None
    assert served.notes() == before
    assert served.post()[0] == 200


@pytest.mark.row("I2", "S4")
def test_a_body_without_a_length_is_cut_off_at_the_limit(served: Served) -> None:
    with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as connection:
        connection.sendall(served.head(Transfer_Encoding="chunked"))
        chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
        answer = b""
        try:
            for _ in range(40):
                connection.sendall(chunk)
            answer = connection.recv(4_096)
        except ConnectionError:
            answer = b" 413 " if served.process.poll() is None else b""
        assert b" 413 " in answer
    assert served.post()[0] == 200


@pytest.mark.row("I8")
def test_a_slow_body_keeps_nobody_else_waiting(served: Served) -> None:
    slow = [socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) for _ in range(20)]
    try:
        for connection in slow:
            connection.sendall(served.head(Content_Length="1000") + b'{"jsonrpc"')
        assert served.save("The lighthouse is lit while others dawdle.") == 200
    finally:
        for connection in slow:
            connection.close()


async def shop(served: Served, number: int, mode: str) -> list[str]:
    """Do 200 calls of every kind as one client does; give what went wrong."""
    wrong: list[str] = []
    async with client_of(served, mode=mode, name=f"client {number}") as client:

        async def call(tool: str, **arguments: object) -> dict[str, Any]:
            result = await client.call_tool(tool, arguments)
            if result.is_error:
                wrong.append(f"{tool}: {text_of(result)}")
                return {}
            return structured(result)

        for turn in range(20):
            saved = await call("save_memory", content=f"Client {number} keeps parcel {turn} in the shed.")
            memory_id = saved.get("memory_id", "")
            await call("search_memory")
            await call("search_memory", query="parcel shed", top_k=3)
            await call("search_memory", tags=["parcel"], page=1, page_size=5)
            await call("search_unified", query=f"parcel {turn}", limit=3)
            opened = await call("open_memories", memory_ids=[memory_id])
            await call("gc")
            if turn % 4:
                await call("search_memory", query=f"who keeps parcel {turn}?")
                await call("promote_memory", auto_detect=True, dry_run=True)
                await call("touch_memory", memory_id=memory_id)
            else:
                etag = opened["memories"][0]["etag"] if opened.get("memories") else ""
                await call("update_memory", memory_id=memory_id, etag=etag, tags=["parcel"])
                await call("forget_memory", memory_id=memory_id)
                undone = await call("undo")
                assert saved["path"] in undone.get("paths", ()), undone
    return wrong


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.row("S5")
def test_eight_clients_with_200_calls_each_meet_no_error_and_undo_their_own(served: Served) -> None:
    before = len(served.notes())
    wrong: list[list[str]] = []

    async def all_at_once() -> None:
        async with anyio.create_task_group() as group:
            for number in range(8):
                group.start_soon(one, number)

    async def one(number: int) -> None:
        wrong.append(await shop(served, number, "legacy" if number % 2 else "auto"))

    anyio.run(all_at_once)
    assert wrong == [[]] * 8
    assert len(served.notes()) == before + 160


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_stops_when_told_to_even_with_a_request_that_never_ends(tmp_path: Path, number: signal.Signals) -> None:
    root = tmp_path / "vault"
    root.mkdir()
    with serving(root, tmp_path / "state") as served:
        assert served.post()[0] == 200
        with socket.create_connection(("127.0.0.1", served.port), timeout=PATIENCE) as slow:
            slow.sendall(served.head(Content_Length="100") + b"{")
            served.process.send_signal(number)
            served.process.wait(timeout=PATIENCE)
        assert served.process.stdout
        assert served.process.stdout.read() == ""


@pytest.mark.row("S3")
def test_a_token_that_others_can_read_is_refused(tmp_path: Path) -> None:
    token = keep_token(tmp_path)
    assert keep_token(tmp_path) == token
    token_file(tmp_path).chmod(0o644)
    with pytest.raises(ConfigError, match="can be read by others"):
        keep_token(tmp_path)
