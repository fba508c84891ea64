"""A person far away: the way to the server, a browser, the SDK's client, and the command line beside the vault."""

from __future__ import annotations

import json
import os
import re
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import anyio
import httpx2 as httpx
from mcp.client import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.session import ElicitationFnT
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken
from pydantic import AnyUrl

from tests.waiting import PATIENCE

BACK = "https://claude.example/back"


class Tunnel(httpx.AsyncHTTPTransport):
    """Carries what is for a public name to a port of this computer: in clear, or in TLS that a certificate vouches for."""

    def __init__(self, port: int, certificate: Path | None = None) -> None:
        super().__init__(verify=ssl.create_default_context(cafile=certificate) if certificate else True)
        self._port = port
        self._scheme = "https" if certificate else "http"

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        assert request.url.scheme == "https"
        here = request.url.copy_with(scheme=self._scheme, host="127.0.0.1", port=self._port)
        named = {**request.extensions, "sni_hostname": request.url.host}
        carried = httpx.Request(request.method, here, headers=request.headers, stream=request.stream, extensions=named)
        return await super().handle_async_request(carried)

    async def aclose(self) -> None:
        """Stay open: one way serves the client and the browser, one after the other."""


class Kept:
    """What the SDK's client remembers."""

    def __init__(self) -> None:
        self.tokens: OAuthToken | None = None
        self.client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Person:
    """Opens the page in a browser and types the code that the command line shows; `pages` are those that were seen."""

    def __init__(self, way: Tunnel, origin: str, root: Path, state: Path) -> None:
        self._way, self._origin, self._root = way, origin, root
        self._environ = {**os.environ, "MNEMEX_STATE_PATH": str(state), "XDG_CONFIG_HOME": str(state)}
        self._oauth: OAuthClientProvider | None = None
        self._back: dict[str, str] = {}
        self.kept = Kept()
        self.pages: list[str] = []

    @asynccontextmanager
    async def client(
        self, name: str, *, mode: str = "auto", answers: ElicitationFnT | None = None
    ) -> AsyncIterator[Client]:
        """Give the SDK's client, let in as far as it needs to be."""
        address = f"{self._origin}/mcp"
        metadata = OAuthClientMetadata(client_name=name, redirect_uris=[AnyUrl(BACK)])
        self._oauth = OAuthClientProvider(address, metadata, self.kept, self._open, self._come_back)
        async with httpx.AsyncClient(transport=self._way, auth=self._oauth, timeout=PATIENCE) as carrier:
            transport = streamable_http_client(address, http_client=carrier)
            async with Client(transport, mode=mode, elicitation_callback=answers) as client:
                yield client

    def expire(self) -> None:
        """Have the client believe that its token is too old."""
        assert self._oauth
        self._oauth.context.token_expiry_time = 1.0

    def command(self, *words: str) -> dict[str, Any]:
        """Give what the command line says where the vault is."""
        line = [sys.executable, "-m", "mnemex_vault", "connect", "remote", "--json", *words]
        line += ["--vault", str(self._root)]
        done = subprocess.run(line, env=self._environ, capture_output=True, text=True, check=True, timeout=PATIENCE)
        return dict(json.loads(done.stdout))

    async def _open(self, address: str) -> None:
        async with httpx.AsyncClient(transport=self._way, timeout=PATIENCE) as browser:
            page = await browser.get(address, follow_redirects=True)
            self.pages.append(page.text)
            hidden = re.search(r'name="request" value="([^"]+)"', page.text)
            assert hidden, page.text
            code = (await anyio.to_thread.run_sync(self.command))["code"]
            form = {"request": hidden[1], "decision": "allow", "code": code}
            answer = await browser.post(f"{self._origin}/consent", data=form, headers={"Origin": self._origin})
            assert answer.status_code == 303, answer.text
            told = parse_qs(urlsplit(answer.headers["location"]).query)
            self._back = {name: value for name, [value] in told.items()}

    async def _come_back(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(**self._back)
