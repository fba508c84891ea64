"""Secrets are not remembered unless the caller insists."""

from __future__ import annotations

from collections.abc import Iterable

from mnemex_vault.domain.secrets import find_secrets
from mnemex_vault.errors import SecretFound

_SHOWN = 5


def refuse_secrets(fields: Iterable[tuple[str, str | None]]) -> None:
    """Raise SecretFound, which never repeats the secret, for the first of the named texts that holds one."""
    for field, text in fields:
        found = find_secrets(text) if text else []
        if found:
            raise SecretFound(field, [secret.place for secret in found[:_SHOWN]])
