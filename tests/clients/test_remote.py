"""What is kept of clients elsewhere: what a code and a token are good for, how long, and what ends it."""

from __future__ import annotations

import hashlib
import hmac
import stat
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemex_vault.clients.remote import (
    ACCESS,
    AUTHORIZATION_CODE,
    CONSENT_CODE,
    GRACE,
    MOST_CLIENTS,
    REFRESH,
    Asked,
    RemoteClients,
    Tokens,
    is_redirect,
    shown_name,
)
from mnemex_vault.errors import ConfigError, NotPossible

NOW = datetime(2026, 12, 1, 9, tzinfo=UTC)
SOON = NOW + timedelta(seconds=5)
RESOURCE = "https://notes.example/mcp"
BACK = "https://claude.example/back"


@pytest.fixture
def remote(tmp_path: Path) -> RemoteClients:
    clients = RemoteClients(tmp_path)
    clients.register("one", "Claude", [BACK], "none", now=NOW)
    return clients


def asked(client: str = "one") -> Asked:
    return Asked(
        client=client,
        resource=RESOURCE,
        challenge="c" * 43,
        redirect=BACK,
        redirect_named=True,
        state=None,
        until=NOW + timedelta(minutes=10),
    )


def code_of(remote: RemoteClients, client: str = "one", now: datetime = NOW) -> str:
    code = remote.consent(asked(client), remote.offer(now=now), now=now)
    assert code
    return code


def tokens_of(remote: RemoteClients, now: datetime = NOW) -> Tokens:
    tokens = remote.redeem("one", code_of(remote, now=now), now=now)
    assert tokens
    return tokens


def test_what_is_kept_is_for_one_person_and_holds_no_code_or_token(remote: RemoteClients, tmp_path: Path) -> None:
    typed = remote.offer(now=NOW)
    code = remote.consent(asked(), typed, now=NOW)
    assert code
    unspent = (tmp_path / "remote.json").read_text()
    tokens = remote.redeem("one", code, now=NOW)
    assert tokens
    kept = tmp_path / "remote.json"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    for secret in (typed, typed.replace("-", ""), code, tokens.access, tokens.refresh, tokens.refresh.split(".")[1]):
        assert secret not in kept.read_text() + unspent


@pytest.mark.row("S20")
def test_a_code_of_consent_is_good_once_for_a_quarter_of_an_hour_and_however_it_is_typed(remote: RemoteClients) -> None:
    typed = remote.offer(now=NOW)
    assert remote.consent(asked(), typed, now=NOW + CONSENT_CODE) is None
    assert remote.consent(asked(), "", now=NOW) is None
    assert remote.consent(asked("unknown"), typed, now=NOW) is None
    assert remote.consent(asked(), f" {typed.lower().replace('-', ' ')} ", now=SOON)
    assert remote.consent(asked(), typed, now=SOON) is None
    first = remote.offer(now=NOW)
    remote.offer(now=NOW)
    assert remote.consent(asked(), first, now=NOW) is None


def test_nobody_is_let_in_by_an_empty_code_when_none_was_offered(remote: RemoteClients) -> None:
    assert remote.consent(asked(), "", now=NOW) is None


@pytest.mark.row("S20")
def test_a_token_of_access_is_good_for_an_hour_and_one_resource(remote: RemoteClients) -> None:
    tokens = tokens_of(remote)
    assert remote.admitted(tokens.access, RESOURCE, now=NOW + ACCESS - timedelta(seconds=1))
    assert remote.admitted(tokens.access, RESOURCE, now=NOW + ACCESS) is None
    assert remote.admitted(tokens.access, "https://other.example/mcp", now=NOW) is None
    assert remote.admitted(tokens.refresh, RESOURCE, now=NOW) is None
    assert remote.admitted(tokens.access[:-1], RESOURCE, now=NOW) is None
    assert remote.admitted("", RESOURCE, now=NOW) is None


def test_a_code_of_authorization_is_good_for_a_minute(remote: RemoteClients) -> None:
    code = code_of(remote)
    assert remote.redeem("one", code, now=NOW + AUTHORIZATION_CODE) is None
    assert remote.redeem("one", code, now=SOON)


@pytest.mark.row("S20")
def test_a_code_that_is_used_again_ends_what_came_of_it(remote: RemoteClients) -> None:
    code = code_of(remote)
    tokens = remote.redeem("one", code, now=NOW)
    assert tokens
    remote.register("other", "Other", [BACK], "none", now=NOW)
    assert remote.redeem("other", code, now=NOW) is None
    assert remote.admitted(tokens.access, RESOURCE, now=SOON)
    assert remote.redeem("one", code, now=SOON) is None
    assert remote.admitted(tokens.access, RESOURCE, now=SOON) is None
    assert remote.renew("one", tokens.refresh, now=SOON) is None


def test_a_refresh_token_is_replaced_and_gives_the_same_when_asked_twice_at_once(remote: RemoteClients) -> None:
    first = tokens_of(remote)
    later = NOW + ACCESS
    second = remote.renew("one", first.refresh, now=later)
    assert second
    assert second.refresh != first.refresh
    assert remote.renew("one", first.refresh, now=later + GRACE - timedelta(seconds=1)) == second
    assert remote.admitted(second.access, RESOURCE, now=later)
    third = remote.renew("one", second.refresh, now=later + ACCESS / 2)
    assert third
    # the hour of a token that somebody else of the same client still has goes on
    assert remote.admitted(second.access, RESOURCE, now=later + ACCESS - timedelta(seconds=1))


@pytest.mark.row("S20")
def test_a_refresh_token_that_was_replaced_a_while_ago_ends_the_grant(remote: RemoteClients) -> None:
    first = tokens_of(remote)
    second = remote.renew("one", first.refresh, now=SOON)
    assert second
    assert remote.renew("one", first.refresh, now=SOON + GRACE) is None
    assert remote.admitted(second.access, RESOURCE, now=SOON + GRACE) is None
    assert remote.renew("one", second.refresh, now=SOON + GRACE) is None


def test_a_made_up_refresh_token_ends_nothing(remote: RemoteClients) -> None:
    tokens = tokens_of(remote)
    assert remote.renew("one", "made.up", now=SOON) is None
    assert remote.renew("one", "", now=SOON) is None
    remote.hand_back("one", "made.up")
    assert remote.admitted(tokens.access, RESOURCE, now=SOON)


def test_who_does_not_come_for_two_months_has_to_ask_again(remote: RemoteClients) -> None:
    tokens = tokens_of(remote)
    assert remote.renew("one", tokens.refresh, now=NOW + REFRESH) is None
    assert remote.connected(NOW + REFRESH) == []


def test_windows_that_renew_at_once_all_get_the_same_tokens(remote: RemoteClients, tmp_path: Path) -> None:
    first = tokens_of(remote)
    got: list[Tokens | None] = []
    # each with its own view of the file, as processes have
    views = [RemoteClients(tmp_path) for _ in range(8)]
    threads = [
        threading.Thread(target=lambda view=view: got.append(view.renew("one", first.refresh, now=SOON)))
        for view in views
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(got)) == 1
    assert got[0]


@pytest.mark.parametrize("which", ["access", "refresh"])
def test_a_client_that_hands_back_a_token_loses_both(remote: RemoteClients, which: str) -> None:
    tokens = tokens_of(remote)
    remote.hand_back("one", getattr(tokens, which))
    assert remote.admitted(tokens.access, RESOURCE, now=SOON) is None
    assert remote.renew("one", tokens.refresh, now=SOON) is None


def test_one_client_is_revoked_and_the_other_stays(remote: RemoteClients) -> None:
    tokens = tokens_of(remote)
    remote.register("two", "ChatGPT", [BACK], "none", now=NOW)
    others = remote.redeem("two", code_of(remote, "two"), now=NOW)
    assert others
    assert [each.id for each in remote.revoke("claude", now=SOON)] == ["one"]
    assert remote.admitted(tokens.access, RESOURCE, now=SOON) is None
    assert remote.admitted(others.access, RESOURCE, now=SOON)
    assert [each.id for each in remote.revoke(None, now=SOON)] == ["two"]
    assert remote.admitted(others.access, RESOURCE, now=SOON) is None


def test_revoking_all_also_ends_codes_that_are_under_way(remote: RemoteClients) -> None:
    code, typed = code_of(remote), remote.offer(now=NOW)
    remote.revoke(None, now=SOON)
    assert remote.redeem("one", code, now=SOON) is None
    assert remote.consent(asked(), typed, now=SOON) is None


@pytest.mark.row("S21")
def test_there_are_never_more_clients_than_that_and_who_is_let_in_stays(remote: RemoteClients) -> None:
    tokens = tokens_of(remote)
    for number in range(MOST_CLIENTS + 20):
        remote.register(f"flood {number}", "x" * 10_000, [BACK], "none", now=NOW + timedelta(seconds=number))
    assert len(remote.book().clients) == MOST_CLIENTS
    assert remote.admitted(tokens.access, RESOURCE, now=SOON)
    assert remote.client(f"flood {MOST_CLIENTS + 19}")


@pytest.mark.parametrize(
    "text",
    [
        "http://claude.example/back",
        "javascript:alert(1)",
        "data:text/html,x",
        "file:///etc/passwd",
        "https:///nowhere",
        "https://claude.example@evil.example/",
        "https://claude.example/#fragment",
        "https://claude.example/ x",
        "https://claude.example/\r\nSet-Cookie: a=b",
        "https://claude.example;script-src/",
        "https://[::1",
        "https://x:99999/",
        "https://x/" + "x" * 500,
        "",
    ],
)
def test_a_client_may_not_have_the_browser_sent_there(remote: RemoteClients, text: str) -> None:
    assert not is_redirect(text)
    with pytest.raises(NotPossible):
        remote.register("bad", "Bad", [BACK, text], "none", now=NOW)
    assert remote.client("bad") is None


def test_a_name_is_one_short_line_of_what_can_be_seen() -> None:
    assert shown_name("Cla\u202eude\n\x1b[31m  of  Zoë") == "Cla ude [31m of Zoë"
    assert shown_name("\u200b") == "a client without a name"
    assert len(shown_name("x" * 5_000)) == 80


def test_a_damaged_file_lets_nobody_in_and_is_named(remote: RemoteClients, tmp_path: Path) -> None:
    tokens = tokens_of(remote)
    (tmp_path / "remote.json").write_text("{")
    with pytest.raises(ConfigError, match=r"remote\.json is damaged"):
        remote.admitted(tokens.access, RESOURCE, now=SOON)


@pytest.mark.row("S20")
def test_nobody_can_tell_what_is_made_where_the_file_is_gone(remote: RemoteClients, tmp_path: Path) -> None:
    before = remote.made("secret", "one")
    assert remote.made("secret", "one") == before
    (tmp_path / "remote.json").unlink()
    forged = hmac.new(b"", b"secret\0one", hashlib.sha256).hexdigest()
    assert remote.made("secret", "one") not in (before, forged)
