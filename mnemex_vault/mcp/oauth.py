"""OAuth 2.1 for the one person whose vault it is: who comes from elsewhere registers, asks, and is let in by a code."""

from __future__ import annotations

import base64
import hashlib
import hmac
import re
import time
from collections.abc import Callable
from datetime import timedelta
from html import escape
from urllib.parse import urlsplit

import msgspec
from mcp.server.auth import provider
from mcp.server.auth.handlers.authorize import AuthorizationHandler
from mcp.server.auth.handlers.metadata import MetadataHandler
from mcp.server.auth.handlers.register import RegistrationHandler
from mcp.server.auth.handlers.token import TokenHandler
from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.middleware.client_auth import AuthenticationError, ClientAuthenticator
from mcp.server.auth.routes import (
    build_metadata,
    build_resource_metadata_url,
    create_protected_resource_routes,
)
from mcp.server.auth.settings import ClientRegistrationOptions, RevocationOptions
from mcp.shared.auth import OAuthClientInformationFull, OAuthToken
from pydantic import AnyHttpUrl, AnyUrl, ConfigDict, TypeAdapter
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from mnemex_vault.clients.remote import ACCESS, Asked, Grant, RemoteClient, RemoteClients, Tokens, is_redirect
from mnemex_vault.clock import Clock
from mnemex_vault.errors import BadSetting, NotPossible

SCOPE = "memory"
CONSENT_PATH = "/consent"
_RESOURCE_PATH = "/.well-known/oauth-protected-resource"
_ASKED = timedelta(minutes=10)
_STATE_LENGTH = 1_000
_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_ORIGIN = re.compile(r"https?://(\[[0-9a-fA-F:]+\]|[A-Za-z0-9.-]+)(:[0-9]{1,5})?")
_URL = TypeAdapter(AnyHttpUrl, config=ConfigDict(url_preserve_empty_path=True))
_HIDDEN = {"Cache-Control": "no-store", "Pragma": "no-cache"}


def public_origin(text: str) -> str:
    """Return the address under which the server is reached from elsewhere; raises BadSetting.

    >>> public_origin("https://Notes.example.org/")
    'https://notes.example.org'
    """
    origin = text.strip().lower().removesuffix("/")
    if _ORIGIN.fullmatch(origin) is None or not is_redirect(f"{origin}/"):
        raise BadSetting(
            [f"--public-url {text}: is https:// and a name, without a path, such as https://notes.example"]
        )
    return origin


class Tries:
    """So many tries at once, and then one more as often as `seconds` say."""

    def __init__(self, most: int, seconds: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._left = float(most)
        self._last = clock()

    def left(self) -> bool:
        """Tell whether there is one left."""
        now = self._clock()
        self._left = min(self._most, self._left + (now - self._last) / self._seconds)
        self._last = now
        return self._left >= 1

    def take(self) -> None:
        """Count one."""
        self._left -= 1


class _Registered(OAuthClientInformationFull):
    """A client as the SDK wants it; there is one scope, and whatever is asked for, that is what is meant."""

    def validate_scope(self, requested_scope: str | None) -> list[str] | None:  # noqa: ARG002  # the SDK's signature
        """Return the one scope."""
        return [SCOPE]


class Owner(
    provider.OAuthAuthorizationServerProvider[provider.AuthorizationCode, provider.RefreshToken, provider.AccessToken]
):
    """Answers the SDK's questions out of what is kept of the clients."""

    def __init__(self, remote: RemoteClients, *, origin: str, path: str, clock: Clock) -> None:
        self.remote = remote
        self.origin = origin
        self.resource = f"{origin}{path}"
        self.clock = clock
        self.registrations = Tries(60, 1)
        remote.serve_at(self.resource)

    def is_resource(self, named: str) -> bool:
        """Tell whether a client names this server as what it wants a token for."""
        return named.removesuffix("/") == self.resource

    async def get_client(self, client_id: str) -> OAuthClientInformationFull | None:
        """Return a client that registered."""
        client = self.remote.client(client_id)
        if client is None:
            return None
        return _Registered(
            client_id=client.id,
            client_name=client.name,
            redirect_uris=[AnyUrl(each) for each in client.redirects],
            token_endpoint_auth_method=client.method,
            client_secret=None if client.method == "none" else self.remote.made("secret", client.id),
            scope=SCOPE,
        )

    async def register_client(self, client_info: OAuthClientInformationFull) -> None:
        """Keep a client, which is thereby granted nothing; its secret is one that need not be kept."""
        if not self.registrations.left():
            raise provider.RegistrationError("invalid_client_metadata", "too many registrations; try again in a minute")
        self.registrations.take()
        method = client_info.token_endpoint_auth_method or "none"
        redirects = [str(each) for each in client_info.redirect_uris or ()]
        try:
            self.remote.register(
                client_info.client_id, client_info.client_name or "", redirects, method, now=self.clock()
            )
        except NotPossible as error:
            kind = "invalid_redirect_uri" if error.field == "redirect_uris" else "invalid_client_metadata"
            raise provider.RegistrationError(kind, error.reason) from error  # type: ignore[arg-type]
        client_info.scope = SCOPE
        if method != "none":
            client_info.client_secret = self.remote.made("secret", client_info.client_id)

    async def authorize(self, client: OAuthClientInformationFull, params: provider.AuthorizationParams) -> str:
        """Return the address of the page on which the person decides."""
        if params.resource is not None and not self.is_resource(params.resource):
            raise provider.AuthorizeError("invalid_target", f"the resource is {self.resource}")
        if _CHALLENGE.fullmatch(params.code_challenge) is None or len(params.state or "") > _STATE_LENGTH:
            raise provider.AuthorizeError("invalid_request", "code_challenge or state is of a wrong length")
        asked = Asked(
            client=client.client_id,
            resource=self.resource,
            challenge=params.code_challenge,
            redirect=str(params.redirect_uri),
            redirect_named=params.redirect_uri_provided_explicitly,
            state=params.state,
            until=self.clock() + _ASKED,
        )
        return f"{self.origin}{CONSENT_PATH}?request={self.sealed(asked)}"

    def sealed(self, asked: Asked) -> str:
        """Return a request as it is carried through the person's browser, where nobody can change it."""
        text = base64.urlsafe_b64encode(msgspec.json.encode(asked)).decode().rstrip("=")
        return f"{text}.{self.remote.made('asked', text)}"

    def unsealed(self, carried: str) -> Asked | None:
        """Return the request that was sealed here, None for anything else and for one that waited too long."""
        text, _, seal = carried.partition(".")
        if not seal.isascii() or not hmac.compare_digest(seal, self.remote.made("asked", text)):
            return None
        asked = msgspec.json.decode(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), type=Asked)
        return asked if self.clock() < asked.until else None

    async def load_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: str
    ) -> provider.AuthorizationCode | None:
        """Return what a code stands for."""
        grant = self.remote.granted(client.client_id, authorization_code, now=self.clock())
        if grant is None or grant.asked.resource != self.resource:
            return None
        return provider.AuthorizationCode(
            code=authorization_code,
            scopes=[SCOPE],
            # that it is still good was looked at already, by our clock
            expires_at=float("inf"),
            client_id=client.client_id,
            code_challenge=grant.asked.challenge,
            redirect_uri=AnyUrl(grant.asked.redirect),
            redirect_uri_provided_explicitly=grant.asked.redirect_named,
            resource=grant.asked.resource,
        )

    async def exchange_authorization_code(
        self, client: OAuthClientInformationFull, authorization_code: provider.AuthorizationCode
    ) -> OAuthToken:
        """Give the tokens for a code, once."""
        return _given(self.remote.redeem(client.client_id, authorization_code.code, now=self.clock()))

    async def load_refresh_token(
        self, client: OAuthClientInformationFull, refresh_token: str
    ) -> provider.RefreshToken | None:
        """Return what a refresh token stands for."""
        grant: Grant | None = self.remote.renewable(client.client_id, refresh_token, now=self.clock())
        if grant is None or grant.asked.resource != self.resource:
            return None
        return provider.RefreshToken(
            token=refresh_token, client_id=client.client_id, scopes=[SCOPE], resource=self.resource
        )

    async def exchange_refresh_token(
        self,
        client: OAuthClientInformationFull,
        refresh_token: provider.RefreshToken,
        scopes: list[str],  # noqa: ARG002  # there is one
    ) -> OAuthToken:
        """Give new tokens for an old one."""
        return _given(self.remote.renew(client.client_id, refresh_token.token, now=self.clock()))

    async def load_access_token(self, token: str) -> provider.AccessToken | None:
        """Return whom an access token lets in."""
        client = self.remote.admitted(token, self.resource, now=self.clock())
        if client is None:
            return None
        return provider.AccessToken(token=token, client_id=client.id, scopes=[SCOPE], resource=self.resource)

    async def revoke_token(self, token: provider.AccessToken | provider.RefreshToken) -> None:
        """End the grant that a token belongs to."""
        self.remote.hand_back(token.client_id, token.token)


def _given(tokens: Tokens | None) -> OAuthToken:
    if tokens is None:
        raise provider.TokenError("invalid_grant", "it is not good, or no longer")
    return OAuthToken(
        access_token=tokens.access,
        refresh_token=tokens.refresh,
        expires_in=int(ACCESS.total_seconds()),
        scope=SCOPE,
    )


class Authority:
    """The pages and endpoints of the server that lets clients in, and who is let in."""

    def __init__(self, remote: RemoteClients, *, origin: str, path: str, clock: Clock) -> None:
        self.owner = Owner(remote, origin=origin, path=path, clock=clock)
        self.host = urlsplit(origin).netloc
        self.origin = origin
        self._tries = Tries(10, 6)
        self._issuer = _URL.validate_python(origin)
        self._resource = _URL.validate_python(self.owner.resource)
        self.routes = self._routes()
        self.paths = frozenset(route.path for route in self.routes)

    async def user(self, token: str) -> AuthenticatedUser | None:
        """Return whom a token lets in, in the form in which the SDK keeps sessions apart."""
        access = await self.owner.load_access_token(token)
        return None if access is None else AuthenticatedUser(access)

    def challenge(self, *, wrong: bool) -> str:
        """Return what the header WWW-Authenticate says to a client without a token, or with a wrong one."""
        said = 'error="invalid_token", ' if wrong else ""
        return f'Bearer {said}resource_metadata="{build_resource_metadata_url(self._resource)}"'

    def _routes(self) -> list[Route]:
        registration, revocation = ClientRegistrationOptions(enabled=True), RevocationOptions(enabled=True)
        metadata = build_metadata(self._issuer, None, registration, revocation)
        metadata.scopes_supported = [SCOPE]
        metadata.authorization_response_iss_parameter_supported = True
        methods = ["none", *(metadata.token_endpoint_auth_methods_supported or ())]
        metadata.token_endpoint_auth_methods_supported = methods
        metadata.revocation_endpoint_auth_methods_supported = methods
        (resource,) = create_protected_resource_routes(self._resource, [self._issuer], [SCOPE], "Mnemex Vault")
        return [
            Route("/.well-known/oauth-authorization-server", MetadataHandler(metadata).handle),
            Route("/register", RegistrationHandler(self.owner, registration).handle, methods=["POST"]),
            Route("/authorize", self._authorize),
            Route("/token", self._token, methods=["POST"]),
            Route("/revoke", self._revoke, methods=["POST"]),
            Route(CONSENT_PATH, self._ask),
            Route(CONSENT_PATH, self._decide, methods=["POST"]),
            resource,
            # some clients look for it at the top
            Route(_RESOURCE_PATH, resource.endpoint),
        ]

    async def _authorize(self, request: Request) -> Response:
        """Send the browser on to the page; whoever registered decides nothing else about where it goes."""
        answer = await AuthorizationHandler(self.owner).handle(request)
        goal = answer.headers.get("location")
        if goal is None or goal.startswith(f"{self.origin}{CONSENT_PATH}?"):
            return answer
        return _page("This request is not valid", "<p>Begin anew in the program that you want to connect.</p>", 400)

    async def _token(self, request: Request) -> Response:
        resource = (await request.form()).get("resource")
        if isinstance(resource, str) and not self.owner.is_resource(resource):
            return JSONResponse({"error": "invalid_target"}, status_code=400, headers=_HIDDEN)
        answer: Response = await TokenHandler(self.owner, ClientAuthenticator(self.owner)).handle(request)
        return answer

    async def _revoke(self, request: Request) -> Response:
        try:
            client = await ClientAuthenticator(self.owner).authenticate_request(request)
        except AuthenticationError as error:
            told = {"error": "invalid_client", "error_description": error.message}
            return JSONResponse(told, status_code=401, headers=_HIDDEN)
        self.owner.remote.hand_back(client.client_id, str((await request.form()).get("token", "")))
        return Response(headers=_HIDDEN)

    async def _ask(self, request: Request) -> Response:
        return self._form(request.query_params.get("request", ""))

    def _form(self, carried: str, *, problem: str = "", status: int = 200) -> Response:
        asked = self.owner.unsealed(carried)
        client = self.owner.remote.client(asked.client) if asked else None
        if asked is None or client is None:
            told = "<p>It waited for more than ten minutes, or was not made here. Begin anew in the program.</p>"
            return _page("This request is over", told, 400)
        body = _form(client, urlsplit(asked.redirect).netloc, carried, problem)
        return _page("Let it use your memory?", body, status, onward=_source(asked.redirect))

    async def _decide(self, request: Request) -> Response:
        form = await request.form()
        carried = str(form.get("request", ""))
        asked = self.owner.unsealed(carried)
        if asked is None:
            return self._form(carried)
        if form.get("decision") != "allow":
            return self._back(asked, error="access_denied")
        if not self._tries.left():
            return self._form(carried, problem="Too many tries. Wait a minute.", status=429)
        code = self.owner.remote.consent(asked, str(form.get("code", "")), now=self.owner.clock())
        if code is None:
            self._tries.take()
            return self._form(carried, problem="That is not the code, or it is no longer good.", status=403)
        return self._back(asked, code=code)

    def _back(self, asked: Asked, **told: str) -> Response:
        goal = provider.construct_redirect_uri(asked.redirect, **told, state=asked.state, iss=self.origin)
        return RedirectResponse(goal, status_code=303, headers={**_HIDDEN, "Referrer-Policy": "no-referrer"})


_STYLE = (
    ":root{color-scheme:light dark}"
    "body{font:1.1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:2rem auto;padding:0 1rem}"
    "input,button{font:inherit;padding:.5rem;margin:.5rem .5rem .5rem 0}input{width:14rem}"
    "code,b{overflow-wrap:anywhere}.problem{font-weight:bold;border-left:.3rem solid;padding-left:.7rem}"
)


def _form(client: RemoteClient, host: str, carried: str, problem: str) -> str:
    told = f'<p class="problem" role="alert">{escape(problem)}</p>' if problem else ""
    return (
        f"<p>A program that calls itself <b>{escape(client.name)}</b> wants to read and change the memories in your"
        f" vault. It is sent the permission at <b>{escape(host)}</b>.</p>"
        "<p>Anybody can choose a name. Go on only if you have just begun this there yourself.</p>"
        "<p>Run <code>mnemex connect remote</code> on the computer where the vault is, and type the code that it"
        f" shows.</p>{told}"
        f'<form method="post" action="{CONSENT_PATH}"><input type="hidden" name="request" value="{escape(carried)}">'
        '<label for="code">Code</label> <input id="code" name="code" autocomplete="one-time-code"'
        ' autocapitalize="characters" spellcheck="false" maxlength="40" autofocus><br>'
        '<button name="decision" value="allow">Allow</button> <button name="decision" value="refuse">Refuse</button>'
        "</form>"
    )


def _page(title: str, body: str, status: int, *, onward: str = "") -> Response:
    """Return a page that runs nothing, loads nothing, is kept nowhere and can be put into no frame."""
    style = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
    rules = [
        "default-src 'none'",
        f"style-src 'sha256-{style}'",
        f"form-action 'self' {onward}".rstrip(),
        "frame-ancestors 'none'",
        "base-uri 'none'",
    ]
    headers = {
        **_HIDDEN,
        "Content-Security-Policy": "; ".join(rules),
        "X-Frame-Options": "DENY",
        "X-Content-Type-Options": "nosniff",
        # with no referrer at all a browser does not say either from which page a form came
        "Referrer-Policy": "same-origin",
    }
    text = (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>'
        f"<body><main><h1>{title}</h1>{body}</main></body></html>"
    )
    return HTMLResponse(text, status_code=status, headers=headers)


def _source(redirect: str) -> str:
    """Return where the answer to the form may lead, in the words of a content security policy, which knows no IPv6."""
    parts = urlsplit(redirect)
    return f"{parts.scheme}:" if "[" in parts.netloc else f"{parts.scheme}://{parts.netloc}"
