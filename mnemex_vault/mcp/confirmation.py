"""Changing many notes in one call needs a yes."""

from __future__ import annotations

from mnemex_vault.domain.words import counted
from mnemex_vault.errors import NotAllowed

UNASKED = 10


class Unconfirmed(NotAllowed):
    """Nobody has agreed to a change of so many notes; nothing was changed."""

    def __init__(self, notes: int) -> None:
        super().__init__(f"{counted(notes, 'note')} would change; ask the user, then call again with confirm=true")
        self.notes = notes


def need_confirmation(notes: int, *, confirm: bool) -> None:
    """Raise Unconfirmed for a call that would change more than ten notes without `confirm`."""
    if notes > UNASKED and not confirm:
        raise Unconfirmed(notes)
