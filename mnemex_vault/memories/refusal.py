"""Secrets are not remembered unless the caller insists."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping

from mnemex_vault.domain.secrets import find_secrets
from mnemex_vault.errors import SecretFound

_SHOWN = 5


def refuse_secrets(
    fields: Iterable[tuple[str, object]],
    *,
    can_be_kept: bool = True,
    may_pass: Callable[[str], bool] = lambda _: False,
) -> None:
    """Raise SecretFound, which never repeats the secret, for the first of the named values that holds one.

    Values may be texts, or lists and mappings with texts in them; `can_be_kept` tells whether the caller has a way to
    insist, and `may_pass` decides on a text that seems to hold a secret.
    """
    for field, value in fields:
        for text in _texts(value):
            found = find_secrets(text)
            if found and not may_pass(text):
                raise SecretFound(field, [secret.place for secret in found[:_SHOWN]], can_be_kept=can_be_kept)


def _texts(value: object) -> Iterator[str]:
    """Yield every text in a value, and a mapping also as JSON: what it calls a password need not look like one."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        yield from (text for pair in value.items() for part in pair for text in _texts(part))
        yield json.dumps(dict(value), ensure_ascii=False, default=str)
    elif isinstance(value, list | tuple | set | frozenset):
        yield from (text for each in value for text in _texts(each))
