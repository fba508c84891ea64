"""No key or password in an argument reaches a note, the journal, or the answer that refuses it."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from mnemex_vault.mcp.opening import Opening

# what is asked is written nowhere, and may be how a person looks for a secret that slipped in; a content, being long,
# is looked through where it is saved
_UNCHECKED = frozenset({"query", "message", "content"})

Arguments = ParamSpec("Arguments")
Answer = TypeVar("Answer")


def without_secrets(answer: Callable[Arguments, Answer], opening: Opening) -> Callable[Arguments, Answer]:
    """Return the tool so that it refuses secrets in any argument, unless the call or the settings allow them.

    An id is refused as well: the error for an unknown one would repeat it. What a note of the vault is called may be
    said, whatever it looks like.
    """
    can_be_kept = "allow_secret" in inspect.signature(answer).parameters

    def may_pass(text: str) -> bool:
        from mnemex_vault.index.entry import NOTE_PREFIX

        store = opening.app().store
        known = store.catalog.by_id(text) or store.catalog.get(text.removeprefix(NOTE_PREFIX))
        return known is not None or not store.rules.detect_secrets

    @wraps(answer)
    def checked(*args: Arguments.args, **kwargs: Arguments.kwargs) -> Answer:
        if not kwargs.get("allow_secret"):
            from mnemex_vault.memories.refusal import refuse_secrets

            given = ((name, value) for name, value in kwargs.items() if name not in _UNCHECKED)
            refuse_secrets(given, can_be_kept=can_be_kept, may_pass=may_pass)
        return answer(*args, **kwargs)

    return checked
