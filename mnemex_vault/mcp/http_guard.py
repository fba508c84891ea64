"""What an HTTP request must show before anything is done for it: where it is for, where it is from, the token."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

import anyio

from mnemex_vault.mcp.frames import read_frame

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

# the longest memory has fifty thousand characters
BODY_LIMIT = 1024 * 1024
BODY_SECONDS = 10.0


class Refusal(Exception):
    """A request that is refused, with status and reason."""

    def __init__(self, status: int, reason: str) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason


class Guard:
    """Lets only requests through that name this server, come from no foreign page and bear the token.

    The body is read here, within a limit of size and time, so that nothing is begun for one that never ends. One that
    is no message is answered here.
    """

    def __init__(
        self,
        application: Application,
        *,
        token: str,
        hosts: Iterable[str],
        body_limit: int = BODY_LIMIT,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._application = application
        self._token = token.encode()
        self._hosts = frozenset(host.lower().encode() for host in hosts)
        self._origins = frozenset(b"http://" + host for host in self._hosts)
        self._body_limit = body_limit
        self._body_seconds = body_seconds

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._application(scope, receive, send)
            return
        try:
            headers = _headers(scope)
            self._check(headers)
            body = await self._body(headers, receive) if scope["method"] == "POST" else None
        except Refusal as refusal:
            await _refuse(refusal, send)
            return
        if body is not None:
            frame = read_frame(body)
            if frame.text is None:
                # that none of several requests in one body was begun is told by the status
                await _answer(400, frame.answers[0].encode(), send)
                return
            receive = _replayed(frame.text.encode(), receive)
        await self._application(scope, receive, send)

    def _check(self, headers: MutableMapping[bytes, list[bytes]]) -> None:
        """Raise Refusal for a request that is not for us or from whom it must not be."""
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            raise Refusal(421, "this server answers to its own address only")
        if any(origin.lower() not in self._origins for origin in headers.get(b"origin", [])):
            raise Refusal(403, "requests from other pages are refused")
        given = headers.get(b"authorization", [])
        scheme, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        if not hmac.compare_digest(token.strip(), self._token) or scheme.lower() != b"bearer":
            raise Refusal(401, "the bearer token is missing or wrong")

    async def _body(self, headers: MutableMapping[bytes, list[bytes]], receive: Receive) -> bytes:
        for length in headers.get(b"content-length", []):
            if not length.isdigit() or int(length) > self._body_limit:
                raise Refusal(413, f"a request has at most {self._body_limit} bytes")
        try:
            with anyio.fail_after(self._body_seconds):
                return await self._read(receive)
        except TimeoutError:
            raise Refusal(408, "the request did not arrive in time") from None

    async def _read(self, receive: Receive) -> bytes:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise Refusal(400, "the request ended early")
            body += message.get("body", b"")
            if len(body) > self._body_limit:
                raise Refusal(413, f"a request has at most {self._body_limit} bytes")
            if not message.get("more_body"):
                return bytes(body)


def _headers(scope: Message) -> MutableMapping[bytes, list[bytes]]:
    headers: dict[bytes, list[bytes]] = {}
    for name, value in scope["headers"]:
        headers.setdefault(name.lower(), []).append(value)
    return headers


def _replayed(body: bytes, receive: Receive) -> Receive:
    messages = iter([{"type": "http.request", "body": body, "more_body": False}])

    async def replay() -> Message:
        message = next(messages, None)
        return await receive() if message is None else message

    return replay


async def _refuse(refusal: Refusal, send: Send) -> None:
    headers = [(b"connection", b"close")]
    if refusal.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await _answer(refusal.status, json.dumps({"error": refusal.reason}).encode(), send, headers)


async def _answer(status: int, body: bytes, send: Send, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    about = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*about, *headers]})
    await send({"type": "http.response.body", "body": body})
