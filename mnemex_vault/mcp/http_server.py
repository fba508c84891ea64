"""The MCP server over HTTP, for several clients at once: on this computer only, with a token."""

from __future__ import annotations

import contextlib
import logging
import socket
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from mnemex_vault.errors import BadSetting, ConfigError
from mnemex_vault.mcp.http_token import keep_token, token_file
from mnemex_vault.mcp.stdio import end_in_time
from mnemex_vault.settings import state_base, vault_state

if TYPE_CHECKING:
    import uvicorn

    from mnemex_vault.mcp.http_guard import Application
    from mnemex_vault.mcp.opening import Opening

DEFAULT_HOST = "127.0.0.1"
DEFAULT_PORT = 7337
PATH = "/mcp"
_LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
_GRACE_SECONDS = 2
_MOST_CONNECTIONS = 100

logger = logging.getLogger(__name__)


def serve_http(vault: Path, *, environ: Mapping[str, str], host: str = DEFAULT_HOST, port: int = DEFAULT_PORT) -> None:
    """Serve a vault over HTTP until SIGTERM or SIGINT; calls under way are given two seconds.

    Raises ConfigError for an address that cannot be used or a token file that others can read.
    """
    from mnemex_vault.mcp.opening import Opening
    from mnemex_vault.mcp.server import open_service

    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    state = vault_state(state_base(environ), vault)
    token = keep_token(state)
    listening = _listen(host, port)
    opening = Opening(lambda: open_service(vault, environ, None))
    opening.start()
    try:
        number = listening.getsockname()[1]
        shown = f"[{host}]" if ":" in host else host
        sys.stderr.write(f"mnemex: serving http://{shown}:{number}{PATH}, token in {token_file(state)}\n")
        sys.stderr.flush()
        _server(guarded(opening, token=token, host=shown, port=number), opening).run(sockets=[listening])
    finally:
        end_in_time()
        opening.close()
        listening.close()


def guarded(opening: Opening, *, token: str, host: str, port: int) -> Application:
    """Return the application that answers on this address."""
    from mcp.server.transport_security import TransportSecuritySettings

    from mnemex_vault.mcp.http_guard import BODY_LIMIT, Guard
    from mnemex_vault.mcp.vault_server import build_server

    hosts = [f"{name}:{port}" for name in dict.fromkeys((*_LOOPBACK, host))]
    application = build_server(opening).streamable_http_app(
        streamable_http_path=PATH,
        max_request_body_size=BODY_LIMIT,
        transport_security=TransportSecuritySettings(
            allowed_hosts=hosts, allowed_origins=[f"http://{name}" for name in hosts]
        ),
    )
    return Guard(application, token=token, hosts=hosts)


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
