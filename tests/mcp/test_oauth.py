"""Letting clients in from elsewhere: the real server behind a made-up public address, the SDK's client, and others."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from urllib.parse import parse_qs, urlencode, urlsplit

import anyio
import httpx2 as httpx
import pytest
from mcp.server.auth.provider import RegistrationError
from mcp.shared.auth import OAuthClientInformationFull
from pydantic import AnyUrl
from starlette.applications import Starlette

from mnemex_vault.clients.remote import ACCESS, RemoteClients
from mnemex_vault.errors import BadSetting
from mnemex_vault.mcp.http import Guard, Message, Receive, Send
from mnemex_vault.mcp.oauth import Authority, Tries, public_origin
from mnemex_vault.settings import vault_state
from tests.mcp.elsewhere import BACK, Person, Tunnel
from tests.mcp.served import HELLO, Served, serving
from tests.waiting import PATIENCE

pytestmark = pytest.mark.slow

ORIGIN = "https://notes.example"
RESOURCE = f"{ORIGIN}/mcp"
CHALLENGE = 'Bearer resource_metadata="https://notes.example/.well-known/oauth-protected-resource/mcp"'


@dataclass
class Answer:
    status: int
    headers: httpx.Headers
    text: str

    @property
    def json(self) -> dict[str, str]:
        return dict(json.loads(self.text))

    @property
    def told(self) -> dict[str, str]:
        """Give what the address says that the browser is sent to."""
        return {name: value for name, [value] in parse_qs(urlsplit(self.headers["location"]).query).items()}


@dataclass
class Elsewhere:
    """A person's browser and a client, both far away."""

    served: Served
    remote: RemoteClients

    def call(self, method: str, path: str, form: object = None, **headers: str) -> Answer:
        async def go() -> Answer:
            async with httpx.AsyncClient(transport=Tunnel(self.served.port), base_url=ORIGIN, timeout=PATIENCE) as web:
                sent = {"json": form} if isinstance(form, list) else {"data": form}
                if path == "/register" or form is HELLO or (isinstance(form, dict) and "jsonrpc" in form):
                    sent = {"json": form}
                answer = await web.request(method, path, headers=headers, **sent)
                return Answer(answer.status_code, answer.headers, answer.text)

        return anyio.run(go)

    def registered(self, name: str = "Claude", *redirects: str, method: str = "none") -> dict[str, str]:
        form = {"client_name": name, "redirect_uris": redirects or [BACK], "token_endpoint_auth_method": method}
        answer = self.call("POST", "/register", form)
        assert answer.status == 201, answer.text
        return answer.json

    def asked(self, client_id: str, verifier: str = "v" * 50, **changed: str | None) -> Answer:
        digest = hashlib.sha256(verifier.encode()).digest()
        asked = {
            "client_id": client_id,
            "redirect_uri": BACK,
            "response_type": "code",
            "code_challenge": base64.urlsafe_b64encode(digest).decode().rstrip("="),
            "code_challenge_method": "S256",
            "state": "kept",
            "resource": RESOURCE,
            **changed,
        }
        return self.call("GET", f"/authorize?{urlencode({k: v for k, v in asked.items() if v is not None})}")

    def consented(self, asked: Answer, code: str | None = None, **headers: str) -> Answer:
        typed = self.remote.offer(now=datetime.now(UTC)) if code is None else code
        form = {"request": asked.told["request"], "code": typed, "decision": "allow"}
        return self.call("POST", "/consent", form, **headers)

    def code(self, client_id: str) -> str:
        return self.consented(self.asked(client_id)).told["code"]

    def tokens(self, client_id: str, code: str, verifier: str = "v" * 50, **changed: str) -> Answer:
        form = {
            "grant_type": "authorization_code",
            "client_id": client_id,
            "code": code,
            "code_verifier": verifier,
            "redirect_uri": BACK,
            "resource": RESOURCE,
            **changed,
        }
        return self.call("POST", "/token", form)

    def greet(self, token: str | None) -> Answer:
        headers = {"Accept": "application/json, text/event-stream"}
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        return self.call("POST", "/mcp", HELLO, **headers)


@pytest.fixture(scope="module")
def elsewhere(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Elsewhere]:
    folder = tmp_path_factory.mktemp("remote")
    root, state = folder / "vault", folder / "state"
    root.mkdir()
    with serving(root, state, "--public-url", ORIGIN) as running:
        yield Elsewhere(running, RemoteClients(vault_state(state, root)))


@pytest.fixture(autouse=True)
def _nobody_is_connected_yet(elsewhere: Elsewhere) -> None:
    elsewhere.remote.revoke(None, now=datetime.now(UTC))


def test_the_sdks_client_registers_is_let_in_calls_a_tool_renews_and_is_revoked(elsewhere: Elsewhere) -> None:
    served = elsewhere.served
    person = Person(Tunnel(served.port), ORIGIN, served.root, served.root.parent / "state")

    async def go() -> None:
        async with person.client("SDK <b>") as client:
            saved = await client.call_tool("save_memory", {"content": "The tandem is in the shed of the neighbour."})
            assert not saved.is_error
            first = person.kept.tokens
            person.expire()
            found = await client.call_tool("search_memory", {"query": "tandem"})
            assert "tandem" in str(found)
            assert first
            assert person.kept.tokens
            assert person.kept.tokens.access_token != first.access_token
            assert person.kept.tokens.refresh_token != first.refresh_token

    anyio.run(go)
    assert len(person.pages) == 1
    assert "A program that calls itself <b>SDK &lt;b&gt;</b>" in person.pages[0]
    tokens, client = person.kept.tokens, person.kept.client
    assert tokens
    assert client
    assert [each["host"] for each in person.command("--dry-run")["clients"]] == ["claude.example"]
    assert elsewhere.greet(tokens.access_token).status == 200
    assert len(person.command("--revoke", "--only", "SDK <b>")["revoked"]) == 1
    refused = elsewhere.greet(tokens.access_token)
    assert refused.status == 401
    assert refused.headers["www-authenticate"] == CHALLENGE.replace("Bearer ", 'Bearer error="invalid_token", ')
    form = {"grant_type": "refresh_token", "refresh_token": tokens.refresh_token or ""}
    form |= {"client_id": client.client_id, "client_secret": client.client_secret or ""}
    assert elsewhere.call("POST", "/token", form).json["error"] == "invalid_grant"


def test_who_has_no_token_is_told_where_to_get_one_and_this_computers_goes_on(elsewhere: Elsewhere) -> None:
    refused = elsewhere.greet(None)
    assert refused.status == 401
    assert refused.headers["www-authenticate"] == CHALLENGE
    assert elsewhere.greet("wrong").status == 401
    assert elsewhere.served.post()[0] == 200
    for place in ("/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"):
        described = elsewhere.call("GET", place)
        assert json.loads(described.text)["resource"] == RESOURCE
        assert json.loads(described.text)["authorization_servers"] == [ORIGIN]
    server = json.loads(elsewhere.call("GET", "/.well-known/oauth-authorization-server").text)
    assert server["issuer"] == ORIGIN
    assert server["code_challenge_methods_supported"] == ["S256"]
    assert server["token_endpoint_auth_methods_supported"][0] == "none"
    for endpoint in ("authorization", "token", "registration", "revocation"):
        assert server[f"{endpoint}_endpoint"].startswith(f"{ORIGIN}/")


def test_a_client_with_a_code_is_let_in_and_can_hand_back_what_it_got(elsewhere: Elsewhere) -> None:
    client = elsewhere.registered()["client_id"]
    back = elsewhere.consented(elsewhere.asked(client))
    assert back.status == 303
    assert back.headers["location"].startswith(f"{BACK}?")
    assert (back.told["state"], back.told["iss"]) == ("kept", ORIGIN)
    tokens = elsewhere.tokens(client, back.told["code"]).json
    assert elsewhere.greet(tokens["access_token"]).status == 200
    form = {"client_id": client, "token": tokens["refresh_token"]}
    assert elsewhere.call("POST", "/revoke", {**form, "client_id": "other"}).status == 401
    assert elsewhere.greet(tokens["access_token"]).status == 200
    assert elsewhere.call("POST", "/revoke", form).status == 200
    assert elsewhere.greet(tokens["access_token"]).status == 401


@pytest.mark.row("S20")
@pytest.mark.parametrize("method", ["client_secret_post", "client_secret_basic"])
def test_a_client_with_a_secret_has_to_name_it(elsewhere: Elsewhere, method: str) -> None:
    client = elsewhere.registered(method=method)
    code = elsewhere.code(client["client_id"])
    assert elsewhere.tokens(client["client_id"], code).status == 401
    assert elsewhere.tokens(client["client_id"], code, client_secret="wrong").status == 401
    if method == "client_secret_post":
        assert elsewhere.tokens(client["client_id"], code, client_secret=client["client_secret"]).status == 200


@pytest.mark.row("S21")
@pytest.mark.parametrize(
    "changed",
    [
        {"redirect_uri": "https://evil.example/back"},
        {"redirect_uri": f"{BACK}/more"},
        {"redirect_uri": f"{BACK}?more=1"},
        {"client_id": "unknown"},
        {"client_id": "unknown", "redirect_uri": "https://evil.example/"},
        {"response_type": "token"},
        {"resource": "https://other.example/mcp"},
        {"resource": ORIGIN},
        {"code_challenge": None},
        {"code_challenge": "short"},
        {"code_challenge_method": "plain"},
        {"state": "x" * 1_001},
    ],
    ids=lambda changed: "-".join(f"{name}-{value}"[:40] for name, value in changed.items()),
)
def test_a_wrong_request_leads_the_browser_nowhere(elsewhere: Elsewhere, changed: dict[str, str | None]) -> None:
    answer = elsewhere.asked(**{"client_id": elsewhere.registered()["client_id"], **changed})  # type: ignore[arg-type]
    assert answer.status == 400
    assert "location" not in answer.headers


@pytest.mark.row("S21")
def test_a_client_that_anybody_registered_leads_the_browser_nowhere_by_itself(elsewhere: Elsewhere) -> None:
    evil = elsewhere.registered("Evil", "https://evil.example/")["client_id"]
    there = {"redirect_uri": "https://evil.example/"}
    assert elsewhere.asked(evil, **there, code_challenge="short").headers.get("location") is None
    asked = elsewhere.asked(evil, **there)
    assert asked.headers["location"].startswith(f"{ORIGIN}/consent?")
    page = elsewhere.call("GET", asked.headers["location"])
    assert "evil.example" in page.text
    seal = asked.told["request"]
    for forged in (seal[:-1], seal.split(".")[0], "", "x.y", f"{seal}é", "é.é"):
        answer = elsewhere.call("POST", "/consent", {"request": forged, "decision": "refuse"})
        assert (answer.status, answer.headers.get("location")) == (400, None)
    refused = elsewhere.call("POST", "/consent", {"request": seal, "decision": "refuse"})
    assert refused.told == {"error": "access_denied", "state": "kept", "iss": ORIGIN}


@pytest.mark.row("S21")
@pytest.mark.parametrize("redirect", ["http://claude.example/", "javascript:alert(1)", "cursor://back", "https://a@b/"])
def test_a_place_that_is_not_safe_is_not_registered(elsewhere: Elsewhere, redirect: str) -> None:
    answer = elsewhere.call("POST", "/register", {"redirect_uris": [redirect]})
    assert (answer.status, answer.json["error"]) == (400, "invalid_redirect_uri")


@pytest.mark.row("S20")
def test_a_stolen_code_is_worth_nothing_without_the_verifier_and_the_client(elsewhere: Elsewhere) -> None:
    client, thief = elsewhere.registered()["client_id"], elsewhere.registered("Thief")["client_id"]
    code = elsewhere.code(client)
    assert elsewhere.tokens(client, code, "w" * 50).json["error"] == "invalid_grant"
    assert elsewhere.tokens(thief, code).json["error"] == "invalid_grant"
    assert elsewhere.tokens(client, code, redirect_uri="https://evil.example/").status == 400
    assert elsewhere.tokens(client, code, resource="https://other.example/mcp").json["error"] == "invalid_target"
    assert elsewhere.tokens(client, code).status == 200


@pytest.mark.row("S20")
def test_a_code_that_comes_twice_ends_what_came_of_it(elsewhere: Elsewhere) -> None:
    client = elsewhere.registered()["client_id"]
    code = elsewhere.code(client)
    token = elsewhere.tokens(client, code).json["access_token"]
    assert elsewhere.greet(token).status == 200
    assert elsewhere.tokens(client, code).json["error"] == "invalid_grant"
    assert elsewhere.greet(token).status == 401


@pytest.mark.row("S20")
def test_a_session_belongs_to_the_client_that_opened_it(elsewhere: Elsewhere) -> None:
    tokens = []
    for name in ("Claude", "ChatGPT"):
        client = elsewhere.registered(name)["client_id"]
        tokens.append(elsewhere.tokens(client, elsewhere.code(client)).json["access_token"])
    session = elsewhere.greet(tokens[0]).headers["mcp-session-id"]
    ping = {"jsonrpc": "2.0", "id": 2, "method": "ping"}
    headers = {"Accept": "application/json, text/event-stream", "Mcp-Session-Id": session}
    mine, theirs = (
        elsewhere.call("POST", "/mcp", ping, **headers, Authorization=f"Bearer {token}").status for token in tokens
    )
    assert (mine, theirs) == (200, 404)


@pytest.mark.row("S21")
def test_the_page_runs_nothing_and_can_be_put_into_no_frame(elsewhere: Elsewhere) -> None:
    client = elsewhere.registered('"><script>alert(1)</script>')["client_id"]
    page = elsewhere.call("GET", elsewhere.asked(client).headers["location"])
    assert page.status == 200
    assert "<script" not in page.text
    assert page.headers["x-frame-options"] == "DENY"
    assert page.headers["cache-control"] == "no-store"
    rules = dict(rule.split(" ", 1) for rule in page.headers["content-security-policy"].split("; "))
    assert rules["default-src"] == rules["frame-ancestors"] == rules["base-uri"] == "'none'"
    assert rules["form-action"] == "'self' https://claude.example"
    style = re.search(r"<style>(.*)</style>", page.text)
    assert style
    assert base64.b64encode(hashlib.sha256(style[1].encode()).digest()).decode() in rules["style-src"]


@pytest.mark.row("S21")
@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://notes.example"])
def test_another_page_cannot_send_the_form(elsewhere: Elsewhere, origin: str) -> None:
    asked = elsewhere.asked(elsewhere.registered()["client_id"])
    typed = elsewhere.remote.offer(now=datetime.now(UTC))
    assert elsewhere.consented(asked, typed, Origin=origin).status == 403
    assert elsewhere.consented(asked, typed, Origin=ORIGIN).status == 303


@pytest.mark.row("S20")
@pytest.mark.parametrize(
    "path", ["/mcp%0A", "/mcp/", "//mcp", "/MCP", "/mcp/x", "/.well-known/openid-configuration", "/"]
)
def test_what_only_looks_like_the_way_in_is_none(elsewhere: Elsewhere, path: str) -> None:
    headers = {"Accept": "application/json, text/event-stream"}
    assert elsewhere.call("POST", path, HELLO, **headers).status == 404
    assert elsewhere.call("GET", path, **headers).status == 404


@pytest.mark.parametrize("host", ["evil.example", "notes.example.evil.example", "notes.example:8443"])
def test_what_is_for_another_host_is_refused_also_before_anybody_is_known(elsewhere: Elsewhere, host: str) -> None:
    async def go() -> int:
        async with httpx.AsyncClient(timeout=PATIENCE) as web:
            address = f"http://127.0.0.1:{elsewhere.served.port}/.well-known/oauth-authorization-server"
            return (await web.get(address, headers={"Host": host})).status_code

    assert anyio.run(go) == 421


@pytest.mark.row("S21")
def test_a_huge_registration_is_refused(elsewhere: Elsewhere) -> None:
    assert elsewhere.call("POST", "/register", {"redirect_uris": [BACK], "client_name": "x" * 70_000}).status == 413
    many = {"redirect_uris": [f"{BACK}/{number}" for number in range(6)]}
    assert elsewhere.call("POST", "/register", many).json["error"] == "invalid_redirect_uri"


def authority(state: Path, clock: list[datetime], origin: str = ORIGIN) -> Authority:
    return Authority(RemoteClients(state), origin=origin, path="/mcp", clock=lambda: clock[0])


def status_with(authority: Authority, token: str) -> int:
    sent: list[Message] = []

    async def application(scope: Message, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})

    async def receive() -> Message:
        return {"type": "http.request", "body": json.dumps(HELLO).encode()}

    async def send(message: Message) -> None:
        sent.append(message)

    guard = Guard(application, token="t" * 40, hosts=[authority.host], authority=authority)
    headers = [(b"host", authority.host.encode()), (b"authorization", f"Bearer {token}".encode())]
    anyio.run(guard, {"type": "http", "method": "POST", "path": "/mcp", "headers": headers}, receive, send)
    return int(sent[0]["status"])


def let_in(lets: Authority, now: datetime) -> str:
    from mnemex_vault.clients.remote import Asked

    remote = lets.owner.remote
    remote.register("one", "Claude", [BACK], "none", now=now)
    asked = Asked(
        client="one",
        resource=lets.owner.resource,
        challenge="c" * 43,
        redirect=BACK,
        redirect_named=True,
        state=None,
        until=now + timedelta(minutes=10),
    )
    code = remote.consent(asked, remote.offer(now=now), now=now)
    tokens = remote.redeem("one", code or "", now=now)
    assert tokens
    return tokens.access


@pytest.mark.row("S20")
def test_a_token_that_is_too_old_or_for_another_address_lets_nobody_in(tmp_path: Path) -> None:
    clock = [datetime(2026, 12, 1, 9, tzinfo=UTC)]
    here = authority(tmp_path, clock)
    token = let_in(here, clock[0])
    assert status_with(here, token) == 200
    assert status_with(authority(tmp_path, clock, "https://moved.example"), token) == 401
    clock[0] += ACCESS
    assert status_with(here, token) == 401


@pytest.mark.row("S20")
def test_a_request_that_waited_too_long_is_over(tmp_path: Path) -> None:
    clock = [datetime(2026, 12, 1, 9, tzinfo=UTC)]
    owner = authority(tmp_path, clock).owner
    let_in(authority(tmp_path, clock), clock[0])
    client = owner.remote.client("one")
    assert client
    assert client.grant
    carried = owner.sealed(client.grant.asked)
    assert owner.unsealed(carried) == client.grant.asked
    clock[0] += timedelta(minutes=10)
    assert owner.unsealed(carried) is None


@pytest.mark.row("S20")
def test_codes_cannot_be_tried_out(tmp_path: Path) -> None:
    clock = [datetime(2026, 12, 1, 9, tzinfo=UTC)]
    lets = authority(tmp_path, clock)
    let_in(lets, clock[0])
    client = lets.owner.remote.client("one")
    assert client
    assert client.grant
    carried = lets.owner.sealed(client.grant.asked)

    async def go() -> list[int]:
        transport = httpx.ASGITransport(app=Starlette(routes=lets.routes))
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, timeout=PATIENCE) as web:
            forms = ({"request": carried, "decision": "allow", "code": f"{number:010}"} for number in range(30))
            return [(await web.post("/consent", data=form)).status_code for form in forms]

    lets.owner.remote.offer(now=clock[0])
    statuses = anyio.run(go)
    assert statuses[:10] == [403] * 10
    assert 429 in statuses
    assert set(statuses) == {403, 429}


@pytest.mark.row("S21")
def test_a_flood_of_registrations_is_refused(tmp_path: Path) -> None:
    owner = authority(tmp_path, [datetime(2026, 12, 1, 9, tzinfo=UTC)]).owner
    asked = OAuthClientInformationFull(client_id="one", redirect_uris=[AnyUrl(BACK)], token_endpoint_auth_method="none")
    refused = 0
    for _ in range(100):
        try:
            anyio.run(owner.register_client, asked)
        except RegistrationError:
            refused += 1
    assert 0 < refused <= 40


def test_tries_come_back_one_by_one() -> None:
    now = [0.0]
    tries = Tries(3, 10, clock=lambda: now[0])

    def took() -> int:
        number = 0
        while tries.left():
            tries.take()
            number += 1
        return number

    assert took() == 3
    now[0] = 10.0
    assert took() == 1
    now[0] = 1_000.0
    assert took() == 3


@pytest.mark.parametrize(
    "text", ["http://notes.example", "notes.example", "https://a/b", "https://a b", "https://a@b", ""]
)
def test_an_address_that_nobody_could_come_to_is_refused(text: str) -> None:
    with pytest.raises(BadSetting, match="--public-url"):
        public_origin(text)
