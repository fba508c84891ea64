"""Changing many notes in one call needs a yes."""

from __future__ import annotations

from mnemex_vault.errors import NotAllowed

UNASKED = 10


def need_confirmation(notes: int, *, confirm: bool) -> None:
    """Raise NotAllowed for a call that would change more than ten notes without `confirm`."""
    if notes > UNASKED and not confirm:
        raise NotAllowed(f"{notes} notes would change; ask the user, then call again with confirm=true")
