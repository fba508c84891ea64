"""After an exchange: look at what came out, and never leave a version displaced that nobody has seen."""

from __future__ import annotations

import errno
from dataclasses import dataclass

from mnemex_vault.notes import native
from mnemex_vault.notes.hooks import StepHook, no_hook
from mnemex_vault.notes.native import Exchange
from mnemex_vault.notes.temp import digest

# an editor would have to save between two of our system calls this many times in a row
_ROUNDS = 50


@dataclass(frozen=True, slots=True)
class Settled:
    """How it ended: `displaced` is what the temp file holds now, `live` the digest of what the note holds."""

    displaced: bytes
    live: str


def settle(
    folder: int, temp: str, name: str, *, old: str, new: str, exchange: Exchange, hook: StepHook = no_hook
) -> Settled:
    """Exchange back until what came out is what was thought to be live, so that the latest foreign save stands.

    Called when `temp` and the note have been exchanged once: the note is thought to hold `new`, and `temp` is
    expected to hold `old`. FileNotFoundError from the exchange means that the note was deleted meanwhile.
    """
    believed, offered = old, new
    for _ in range(_ROUNDS):
        displaced = native.read_file(folder, temp)
        found = digest(displaced)
        if found == believed:
            return Settled(displaced, offered)
        hook("foreign version found")
        believed, offered = offered, found
        exchange(folder, temp, name)
        hook("exchanged back")
    # the temp file stays, and the next start puts its text in sight
    raise BlockingIOError(errno.EAGAIN, "someone keeps writing the note")
