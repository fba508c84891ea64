"""The MCP server over HTTP, for several clients at once: with a token here, from elsewhere as `oauth` lets them in."""

from __future__ import annotations

import contextlib
import hmac
import json
import logging
import os
import secrets
import socket
import stat
import sys
from collections.abc import Awaitable, Callable, Iterable, Mapping, MutableMapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anyio

from mnemex_vault.clock import utc_now
from mnemex_vault.errors import BadSetting, ConfigError
from mnemex_vault.mcp.frames import read_frame
from mnemex_vault.mcp.stdio import end_in_time
from mnemex_vault.settings import state_base, vault_state

if TYPE_CHECKING:
    import uvicorn

    from mnemex_vault.mcp.oauth import Authority
    from mnemex_vault.mcp.opening import Opening

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 7337
PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_GRACE_SECONDS = 2
_MOST_CONNECTIONS = 100

logger = logging.getLogger(__name__)


def serve_http(
    vault: Path,
    *,
    environ: Mapping[str, str],
    host: str = DEFAULT_HOST,
    port: int = DEFAULT_PORT,
    public_url: str | None = None,
) -> None:
    """Serve a vault over HTTP until SIGTERM or SIGINT; calls under way are given two seconds.

    With the address under which it is reached from elsewhere, clients there can ask to be let in. Raises ConfigError
    for an address that cannot be used or a token file that others can read.
    """
    from mnemex_vault.mcp.opening import Opening
    from mnemex_vault.mcp.server import open_service

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    state = vault_state(state_base(environ), vault)
    token = keep_token(state)
    authority = _authority(state, public_url) if public_url is not None else None
    listening = _listen(host, port)
    opening = Opening(lambda: open_service(vault, environ, None))
    opening.start()
    try:
        number = listening.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        sys.stderr.write(f"mnemex: serving http://{shown}:{number}{PATH}, token in {token_file(state)}\n")
        if authority is not None:
            sys.stderr.write(f"mnemex: clients elsewhere come to {authority.origin}{PATH}: mnemex connect remote\n")
        sys.stderr.flush()
        application = guarded(opening, token=token, host=shown, port=number, authority=authority)
        _server(application, opening).run(sockets=[listening])
    finally:
        end_in_time()
        opening.close()
        listening.close()


def _authority(state: Path, public_url: str) -> Authority:
    from mnemex_vault.clients.remote import RemoteClients
    from mnemex_vault.mcp.oauth import Authority, public_origin

    return Authority(RemoteClients(state), origin=public_origin(public_url), path=PATH, clock=utc_now)


def guarded(opening: Opening, *, token: str, host: str, port: int, authority: Authority | None = None) -> Application:
    """Return the application that answers on this address, and on that of the authority."""
    from mcp.server.transport_security import TransportSecuritySettings

    from mnemex_vault.mcp.vault_server import build_server

    hosts = [f"{name}:{port}" for name in dict.fromkeys((*_LOOPBACK, host))]
    origins = [f"http://{name}" for name in hosts]
    server = build_server(opening)
    if authority is not None:
        hosts.append(authority.host)
        origins.append(authority.origin)
        # the SDK adds one route at a time
        server._custom_starlette_routes += authority.routes
    application = server.streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=BODY_LIMIT,
        transport_security=TransportSecuritySettings(allowed_hosts=hosts, allowed_origins=origins),
    )
    return Guard(application, token=token, hosts=hosts, origins=origins, authority=authority)


def _listen(host: str, port: int) -> socket.socket:
    try:
        [(family, kind, protocol, _, address), *_] = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        listening = socket.socket(family, kind, protocol)
    except OSError as error:
        raise BadSetting([f"{host} is no address of this computer: {error.strerror}"]) from error
    with contextlib.suppress(OSError):
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind(address)
        listening.listen(_MOST_CONNECTIONS)
    except OSError as error:
        listening.close()
        raise ConfigError([f"port {port} on {host} cannot be used: {error.strerror}"]) from error
    return listening


def _server(application: Application, opening: Opening) -> uvicorn.Server:
    import uvicorn

    class Server(uvicorn.Server):
        """Lets calls that wait for the vault go as soon as the server is told to stop."""

        def handle_exit(self, sig: int, frame: object) -> None:
            opening.stop()
            super().handle_exit(sig, frame)  # type: ignore[arg-type]

    config = uvicorn.Config(
        application,
        lifespan="on",
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        limit_concurrency=_MOST_CONNECTIONS,
        timeout_graceful_shutdown=_GRACE_SECONDS,
    )
    return Server(config)


Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

# the longest memory has fifty thousand characters
BODY_LIMIT = 1024 * 1024
# what is read of somebody who is not known yet
_ASKING_LIMIT = 64 * 1024
BODY_SECONDS = 10.0


class Refusal(Exception):
    """A request that is refused, with status, reason and what else the headers say."""

    def __init__(self, status: int, reason: str, headers: Mapping[bytes, bytes] | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.reason = reason
        self.headers = headers or {}


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
        origins: Iterable[str] = (),
        authority: Authority | None = None,
        body_limit: int = BODY_LIMIT,
        body_seconds: float = BODY_SECONDS,
    ) -> None:
        self._application = application
        self._token = token.encode()
        self._hosts = frozenset(host.lower().encode() for host in hosts)
        self._origins = frozenset(origin.lower().encode() for origin in origins)
        self._authority = authority
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
            self._check_address(headers)
            if self._authority is not None and scope["path"] != PATH:
                if scope["path"] not in self._authority.paths:
                    raise Refusal(404, "there is nothing here")
                await self._let_in(scope, headers, receive, send)
                return
            scope["user"] = await self._user(headers)
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

    async def _let_in(
        self, scope: Message, headers: MutableMapping[bytes, list[bytes]], receive: Receive, send: Send
    ) -> None:
        """Hand on a request by which somebody wants to be let in; what it holds is read here as well."""
        if any(b"multipart" in kind.lower() for kind in headers.get(b"content-type", [])):
            raise Refusal(415, "forms are sent as application/x-www-form-urlencoded")
        body = await self._body(headers, receive, limit=_ASKING_LIMIT)
        await self._application(scope, _replayed(body, receive), send)

    def _check_address(self, headers: MutableMapping[bytes, list[bytes]]) -> None:
        """Raise Refusal for a request that is not for us or comes from a foreign page."""
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self._hosts:
            raise Refusal(421, "this server answers to its own address only")
        if any(origin.lower() not in self._origins for origin in headers.get(b"origin", [])):
            raise Refusal(403, "requests from other pages are refused")

    async def _user(self, headers: MutableMapping[bytes, list[bytes]]) -> object:
        """Return whom a request comes from, None for who has this computer's token; raises Refusal for anybody else."""
        given = headers.get(b"authorization", [])
        scheme, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
        if scheme.lower() == b"bearer":
            if hmac.compare_digest(token.strip(), self._token):
                return None
            user = await self._authority.user(token.strip().decode("latin-1")) if self._authority else None
            if user is not None:
                return user
        said = self._authority.challenge(wrong=bool(given)) if self._authority else "Bearer"
        raise Refusal(401, "the bearer token is missing or wrong", {b"www-authenticate": said.encode()})

    async def _body(
        self, headers: MutableMapping[bytes, list[bytes]], receive: Receive, *, limit: int | None = None
    ) -> bytes:
        limit = self._body_limit if limit is None else limit
        for length in headers.get(b"content-length", []):
            if not length.isdigit() or int(length) > limit:
                raise Refusal(413, f"a request has at most {limit} bytes")
        try:
            with anyio.fail_after(self._body_seconds):
                return await self._read(receive, limit)
        except TimeoutError:
            raise Refusal(408, "the request did not arrive in time") from None

    async def _read(self, receive: Receive, limit: int) -> bytes:
        body = bytearray()
        while True:
            message = await receive()
            if message["type"] != "http.request":
                raise Refusal(400, "the request ended early")
            body += message.get("body", b"")
            if len(body) > limit:
                raise Refusal(413, f"a request has at most {limit} bytes")
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
    headers = [(b"connection", b"close"), *refusal.headers.items()]
    await _answer(refusal.status, json.dumps({"error": refusal.reason}).encode(), send, headers)


async def _answer(status: int, body: bytes, send: Send, headers: Iterable[tuple[bytes, bytes]] = ()) -> None:
    about = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": [*about, *headers]})
    await send({"type": "http.response.body", "body": body})


_NAME = "http-token"
_BYTES = 32


def token_file(state: Path) -> Path:
    """Return where the token of a vault is kept."""
    return state / _NAME


def keep_token(state: Path) -> str:
    """Return the token, made if there is none; raises ConfigError for a file that others can read."""
    path = token_file(state)
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _kept(path)
    token = secrets.token_urlsafe(_BYTES)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(f"{token}\n")
    return token


def _kept(path: Path) -> str:
    facts = path.lstat()
    if not stat.S_ISREG(facts.st_mode):
        raise ConfigError([f"{path} is not a file; remove it"])
    if os.name == "posix" and (facts.st_mode & 0o077 or facts.st_uid != os.getuid()):
        raise ConfigError([f"{path} can be read by others; remove it, and a new token is made"])
    token = path.read_text(encoding="ascii", errors="replace").strip()
    if len(token) < _BYTES:
        raise ConfigError([f"{path} holds no token; remove it, and a new one is made"])
    return token
