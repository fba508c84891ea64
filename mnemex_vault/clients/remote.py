"""Clients elsewhere: which registered, what the person granted them, and the code by which that is done.

All of it is one file of the vault's state folder. Codes and tokens stand in it as digests only.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from urllib.parse import urlsplit

import msgspec

from mnemex_vault.disk.state import replace_private
from mnemex_vault.disk.vault import VaultLock
from mnemex_vault.errors import ConfigError, NotPossible

ACCESS = timedelta(hours=1)
REFRESH = timedelta(days=60)
CONSENT_CODE = timedelta(minutes=15)
AUTHORIZATION_CODE = timedelta(minutes=1)
# several windows of one client renew the same token at once, and an answer may be lost on its way
GRACE = timedelta(minutes=2)
MOST_CLIENTS = 100
_MOST_ACCESS = 10
_NAME_LENGTH = 80
_MOST_REDIRECTS = 5
_REDIRECT_LENGTH = 500
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
# no I, L, O, U: nothing that is read as another one
_LETTERS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_HALF = 5
_FILE = "remote.json"


class Asked(msgspec.Struct, frozen=True, kw_only=True):
    """What a client asks the person for; `challenge` is that of PKCE."""

    client: str
    resource: str
    challenge: str
    redirect: str
    redirect_named: bool
    state: str | None
    until: datetime


class Grant(msgspec.Struct, kw_only=True):
    """What a client was granted; without `refresh` it has not fetched its tokens yet."""

    id: str
    asked: Asked
    code: str
    since: datetime
    refresh: str = ""
    previous: str = ""
    renewed: datetime
    access: dict[str, datetime] = {}

    def holds(self, now: datetime) -> bool:
        """Tell whether it is still worth something."""
        return now < self.renewed + (REFRESH if self.refresh else AUTHORIZATION_CODE)


class RemoteClient(msgspec.Struct, kw_only=True):
    """A client that registered, with the one grant that it may have."""

    id: str
    name: str
    redirects: list[str]
    method: str
    registered: datetime
    grant: Grant | None = None

    def connected(self, now: datetime) -> bool:
        """Tell whether it may come without asking."""
        return self.grant is not None and bool(self.grant.refresh) and self.grant.holds(now)

    def is_meant(self, only: str | None) -> bool:
        """Tell whether a name or the beginning of an id means it; None means all."""
        return only is None or self.name.casefold() == only.casefold() or self.id.startswith(only)


class Book(msgspec.Struct, kw_only=True):
    """All that is kept; `key` makes tokens and secrets that need not be."""

    key: str
    address: str = ""
    clients: dict[str, RemoteClient] = {}
    consent: str = ""
    consent_until: datetime | None = None


class Tokens(msgspec.Struct, frozen=True):
    """What a client is given, in clear, once."""

    access: str
    refresh: str


class RemoteClients:
    """The clients of a vault that come from elsewhere; every change is on disk when it returns."""

    def __init__(self, state: Path) -> None:
        self._path = state / _FILE
        self._lock = VaultLock(state / "remote.lock")
        self._read: tuple[tuple[int, int, int], Book] | None = None

    def book(self) -> Book:
        """Return what is kept, not to be changed; raises ConfigError for a file that is damaged."""
        try:
            facts = self._path.stat()
        except FileNotFoundError:
            return Book(key="")
        seen = (facts.st_ino, facts.st_mtime_ns, facts.st_size)
        if self._read is None or self._read[0] != seen:
            self._read = (seen, self._load())
        return self._read[1]

    def _load(self) -> Book:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=Book)
        except msgspec.DecodeError as error:
            raise ConfigError([f"{self._path} is damaged; remove it, and let each client connect anew"]) from error

    @contextmanager
    def _changing(self) -> Iterator[Book]:
        with self._lock:
            book = self._load() if self._path.exists() else Book(key=secrets.token_urlsafe(32))
            yield book
            replace_private(self._path, msgspec.json.encode(book).decode(), durable=True)

    def serve_at(self, address: str) -> None:
        """Keep the address under which the vault is reached from elsewhere."""
        with self._changing() as book:
            book.address = address

    def made(self, purpose: str, text: str) -> str:
        """Return what this vault makes of a text for a purpose; nobody else can, and it need not be kept."""
        book = self.book()
        if not book.key:
            with self._changing() as book:
                pass
        return _made(book, purpose, text)

    def client(self, client_id: str) -> RemoteClient | None:
        """Return a client that registered, or None."""
        return self.book().clients.get(client_id)

    def connected(self, now: datetime) -> list[RemoteClient]:
        """Return the clients that may come without asking."""
        return [client for client in self.book().clients.values() if client.connected(now)]

    def register(self, client_id: str, name: str, redirects: Sequence[str], method: str, *, now: datetime) -> None:
        """Keep a client; one that was never granted anything makes room. Raises NotPossible."""
        if not 1 <= len(redirects) <= _MOST_REDIRECTS or not all(map(is_redirect, redirects)):
            raise NotPossible("redirect_uris", "one to five, each https or on the client's own computer")
        client = RemoteClient(
            id=client_id, name=shown_name(name), redirects=list(redirects), method=method, registered=now
        )
        with self._changing() as book:
            if len(book.clients) >= MOST_CLIENTS:
                idle = [each for each in book.clients.values() if each.grant is None or not each.grant.holds(now)]
                if not idle:
                    raise NotPossible("clients", "there are too many; mnemex connect remote --revoke")
                del book.clients[min(idle, key=lambda each: each.registered).id]
            book.clients[client_id] = client

    def offer(self, *, now: datetime) -> str:
        """Return a new code for the consent page: good for one client, and for a quarter of an hour."""
        letters = "".join(secrets.choice(_LETTERS) for _ in range(2 * _HALF))
        with self._changing() as book:
            book.consent, book.consent_until = _digest(letters), now + CONSENT_CODE
        return f"{letters[:_HALF]}-{letters[_HALF:]}"

    def consent(self, asked: Asked, typed: str, *, now: datetime) -> str | None:
        """Return a code of authorization if what was typed is the code of the consent page, which is spent by it."""
        with self._changing() as book:
            client = book.clients.get(asked.client)
            if client is None or not _is_offered(book, typed, now):
                return None
            book.consent, book.consent_until = "", None
            code = secrets.token_urlsafe(32)
            client.grant = Grant(id=secrets.token_urlsafe(12), asked=asked, code=_digest(code), since=now, renewed=now)
            return code

    def granted(self, client_id: str, code: str, *, now: datetime) -> Grant | None:
        """Return what a code of authorization stands for; one that was used before ends what came of it."""
        client = self.client(client_id)
        grant = client.grant if client else None
        if grant is None or not _same(grant.code, code):
            return None
        if grant.refresh:
            self._end(client_id, grant)
            return None
        return grant if grant.holds(now) else None

    def redeem(self, client_id: str, code: str, *, now: datetime) -> Tokens | None:
        """Return the first tokens for a code of authorization, None if it is not good or no longer."""
        if self.granted(client_id, code, now=now) is None:
            return None
        with self._changing() as book:
            client = book.clients.get(client_id)
            if client is None or client.grant is None or not _same(client.grant.code, code):
                return None
            if client.grant.refresh:
                client.grant = None
                return None
            return _issue(book, client.grant, secrets.token_urlsafe(32), now)

    def renewable(self, client_id: str, refresh: str, *, now: datetime) -> Grant | None:
        """Return what a refresh token stands for; one that was replaced a while ago ends the grant: it was stolen."""
        client = self.client(client_id)
        grant = client.grant if client else None
        if grant is None or not grant.holds(now) or not refresh.startswith(f"{grant.id}."):
            return None
        if _same(grant.refresh, refresh) or (_same(grant.previous, refresh) and now < grant.renewed + GRACE):
            return grant
        self._end(client_id, grant)
        return None

    def renew(self, client_id: str, refresh: str, *, now: datetime) -> Tokens | None:
        """Return new tokens for a refresh token, the same ones for the same token within the time of grace."""
        if self.renewable(client_id, refresh, now=now) is None:
            return None
        with self._changing() as book:
            client = book.clients.get(client_id)
            grant = client.grant if client else None
            if grant is None or not (_same(grant.refresh, refresh) or _same(grant.previous, refresh)):
                return None
            return _issue(book, grant, _made(book, "renewed", refresh), now)

    def admitted(self, access: str, resource: str, *, now: datetime) -> RemoteClient | None:
        """Return the client that an access token for this resource lets in, or None."""
        grant_id, digest = access.partition(".")[0], _digest(access)
        for client in self.book().clients.values():
            grant = client.grant
            if grant is not None and grant.id == grant_id and grant.asked.resource == resource:
                until = grant.access.get(digest)
                return client if until is not None and now < until else None
        return None

    def hand_back(self, client_id: str, token: str) -> None:
        """End a client's grant if it shows one of the tokens; nothing happens for any other text."""
        client = self.client(client_id)
        grant = client.grant if client else None
        if grant is not None and (_same(grant.refresh, token) or _digest(token) in grant.access):
            self._end(client_id, grant)

    def revoke(self, only: str | None, *, now: datetime) -> list[RemoteClient]:
        """End what was granted, to all or to those of a name or the beginning of an id; return who had what."""
        with self._changing() as book:
            meant = [client for client in book.clients.values() if client.is_meant(only)]
            ended = [msgspec.structs.replace(client) for client in meant if client.connected(now)]
            for client in meant:
                client.grant = None
            if only is None:
                book.consent, book.consent_until = "", None
            return ended

    def _end(self, client_id: str, grant: Grant) -> None:
        with self._changing() as book:
            client = book.clients.get(client_id)
            if client is not None and client.grant is not None and client.grant.id == grant.id:
                client.grant = None


def is_redirect(text: str) -> bool:
    """Tell whether a client may have the person's browser sent there.

    >>> [is_redirect(each) for each in ("https://claude.ai/back", "http://localhost:4711/", "http://claude.ai/")]
    [True, True, False]
    """
    if len(text) > _REDIRECT_LENGTH or not text.isprintable() or set(text) & set(" ;,'\"\\#@<>"):
        return False
    try:
        parts = urlsplit(text)
        host, _ = parts.hostname, parts.port
    except ValueError:
        return False
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK))


def shown_name(text: str) -> str:
    """Return a name as a person may be shown it: one short line of visible characters."""
    visible = "".join(letter if letter.isprintable() else " " for letter in text)
    return " ".join(visible.split())[:_NAME_LENGTH] or "a client without a name"


def _issue(book: Book, grant: Grant, secret: str, now: datetime) -> Tokens:
    """Give a grant the tokens that follow from a secret; those that it had before are counted as replaced."""
    tokens = Tokens(f"{grant.id}.{_made(book, 'access', secret)}", f"{grant.id}.{secret}")
    if not _same(grant.refresh, tokens.refresh):
        grant.previous, grant.refresh, grant.renewed = grant.refresh, _digest(tokens.refresh), now
        alive = {digest: until for digest, until in grant.access.items() if now < until}
        alive[_digest(tokens.access)] = now + ACCESS
        grant.access = dict(list(alive.items())[-_MOST_ACCESS:])
    return tokens


def _is_offered(book: Book, typed: str, now: datetime) -> bool:
    letters = "".join(letter for letter in typed.upper() if letter.isalnum())
    return book.consent_until is not None and now < book.consent_until and _same(book.consent, letters)


def _made(book: Book, purpose: str, text: str) -> str:
    return hmac.new(book.key.encode(), f"{purpose}\0{text}".encode(errors="replace"), hashlib.sha256).hexdigest()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()


def _same(digest: str, text: str) -> bool:
    return hmac.compare_digest(digest, _digest(text))
