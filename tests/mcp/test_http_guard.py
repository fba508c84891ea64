"""The guard before the server: a body that does not arrive is not waited for."""

from __future__ import annotations

import anyio

from mnemex_vault.mcp.http import Guard, Message, Receive, Send


def status_of(messages: list[Message], *, seconds: float = 0.05, limit: int = 10) -> int:
    sent: list[Message] = []
    reached: list[bytes] = []

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        reached.append((await receive())["body"])
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Message:
        if not messages:
            await anyio.sleep_forever()
        await anyio.sleep(0.001)
        return messages.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    guard = Guard(application, token="t" * 40, hosts=["localhost:1"], body_seconds=seconds, body_limit=limit)
    headers = [(b"host", b"localhost:1"), (b"authorization", b"bearer " + b"t" * 40)]
    anyio.run(guard, {"type": "http", "method": "POST", "headers": headers}, receive, send)
    status = int(sent[0]["status"])
    assert bool(reached) == (status == 200)
    return status


def test_a_whole_body_goes_on() -> None:
    parts: list[Message] = [
        {"type": "http.request", "body": b'{"jsonrpc":"2.0",', "more_body": True},
        {"type": "http.request", "body": b'"method":"x"}', "more_body": False},
    ]
    assert status_of(parts, seconds=5, limit=100) == 200


def test_a_slow_body_is_given_up() -> None:
    assert status_of([{"type": "http.request", "body": b"1", "more_body": True}]) == 408


def test_a_body_that_drips_is_given_up_though_something_comes_all_the_time() -> None:
    drops: list[Message] = [{"type": "http.request", "body": b"", "more_body": True}] * 100_000
    assert status_of(drops, seconds=0.05) == 408


def test_a_body_that_grows_too_long_is_given_up() -> None:
    assert status_of([{"type": "http.request", "body": b"12345678901", "more_body": True}], seconds=5) == 413


def test_a_client_that_leaves_is_not_served() -> None:
    assert status_of([{"type": "http.disconnect"}], seconds=5) == 400
