"""Requests of strangers to the pages and endpoints that let clients in, made of odd parts."""

from __future__ import annotations

import json
import logging
import random
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

import anyio
import httpx2 as httpx
import pytest
from starlette.applications import Starlette

from mnemex_vault.clients.remote import MOST_CLIENTS, RemoteClients
from mnemex_vault.mcp.http import Guard
from mnemex_vault.mcp.oauth import Authority

ORIGIN = "https://notes.example"
BACK = "https://claude.example/back"
NAMES = [
    "client_id",
    "redirect_uri",
    "response_type",
    "code_challenge",
    "code_challenge_method",
    "state",
    "scope",
    "resource",
    "grant_type",
    "code",
    "code_verifier",
    "refresh_token",
    "client_secret",
    "token",
    "token_type_hint",
    "request",
    "decision",
    "assertion",
]
VALUES = [
    *("", "public", "secret", "\x00", "\ud800", "é", "🍅", "a" * 5_000, "S256", "code", "authorization_code", "none"),
    *("refresh_token", "v" * 43, "x.y", "..", "%00", "[]", "{}", "null", "memory", "1e999", "-1", "\r\nX: y"),
    *(BACK, "javascript:1", "https://[::1", f"{ORIGIN}/mcp", f"{ORIGIN}/mcp/", "private_key_jwt", "allow", "refuse"),
    "urn:ietf:params:oauth:grant-type:jwt-bearer",
]
FACTS = [
    "redirect_uris",
    "client_name",
    "token_endpoint_auth_method",
    "grant_types",
    "response_types",
    "scope",
    "jwks",
    "contacts",
]
KINDS = [
    *("application/x-www-form-urlencoded", "application/json", "text/plain"),
    *("multipart/form-data; boundary=x", "multipart/form-data"),
]
PART = b'--x\r\nContent-Disposition: form-data; name="client_id"; filename="a"\r\n\r\npublic\r\n--x--\r\n'


def form(chance: random.Random) -> str:
    pairs = ((chance.choice(NAMES), chance.choice(VALUES)) for _ in range(chance.randrange(12)))
    return "&".join(f"{name}={quote(value, safe='', errors='surrogatepass')}" for name, value in pairs)


def registration(chance: random.Random) -> bytes:
    odd: list[object] = [None, 1, 1e308, True, {"a": 1}, [], [None], *VALUES, *([value] for value in VALUES)]
    facts = {name: chance.choice(odd) for name in chance.sample(FACTS, chance.randrange(6))}
    if chance.random() < 0.6:
        facts["redirect_uris"] = [BACK]
    return json.dumps(facts).encode() if chance.random() < 0.9 else b"\xff\xfe"


def requests(chance: random.Random, paths: list[str]) -> Iterator[httpx.Request]:
    while True:
        path, kind = chance.choice(paths), chance.choice(KINDS)
        method = chance.choice(["GET", "POST", "POST", "OPTIONS", "PUT", "HEAD"])
        body = PART if "multipart" in kind else form(chance).encode()
        if path == "/register" or chance.random() < 0.2:
            body = registration(chance)
        headers = {"content-type": kind}
        if chance.random() < 0.2:
            headers["authorization"] = chance.choice(["Basic eDp5", "Basic !!", "Bearer x", "Basic c2VjcmV0Og=="])
        query = f"?{form(chance)}" if chance.random() < 0.6 else ""
        yield httpx.Request(method, f"{ORIGIN}{path}{query}", headers=headers, content=body)


@pytest.mark.slow
@pytest.mark.row("S20", "S21")
@pytest.mark.parametrize("seed", range(3))
def test_no_request_of_a_stranger_fails_leads_away_lets_in_or_fills_the_log(
    seed: int, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    now, chance = datetime.now(UTC), random.Random(seed)
    remote = RemoteClients(tmp_path)
    lets = Authority(remote, origin=ORIGIN, path="/mcp", clock=lambda: now)
    guard = Guard(Starlette(routes=lets.routes), token="t" * 40, hosts=["notes.example"], authority=lets)
    for name, method in (("public", "none"), ("secret", "client_secret_basic")):
        remote.register(name, name, [BACK], method, now=now)
    remote.offer(now=now)
    wrong: list[str] = []

    async def go() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app=guard)) as web:
            asked = requests(chance, sorted(lets.paths))
            for _ in range(1_000):
                request = next(asked)
                answer = await web.send(request)
                there = answer.headers.get("location", "")
                if answer.status_code >= 500 or (there and not there.startswith(f"{ORIGIN}/consent?")):
                    wrong.append(f"{answer.status_code} {request.method} {request.url} {there}")

    with caplog.at_level(logging.WARNING):
        anyio.run(go)
    assert wrong == []
    assert caplog.records == []
    assert len(remote.book().clients) <= MOST_CLIENTS
    assert all(client.grant is None for client in remote.book().clients.values())
