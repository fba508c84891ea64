"""Errors as one line for a person: what went wrong, and what to do next."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import singledispatch

from mnemex_vault import errors
from mnemex_vault.cli.console import Console

FAILED, WRONG_USAGE = 1, 2
# what could never be right, whatever the vault holds, and what as things are cannot be done with it
_BAD_VALUES = (errors.InvalidInput, errors.BadSetting, errors.PathOutsideVault, errors.VaultNotSetUp)
_AS_THINGS_ARE = (errors.NotPossible, errors.LinkInTheWay)


@contextmanager
def told_to_the_person(console: Console) -> Iterator[None]:
    """End with one line on stderr when something cannot be done, and with the exit code that says why."""
    try:
        yield
    except errors.MnemexError as error:
        difference = error.difference if isinstance(error, errors.NoteChanged | errors.UndoRefused) else ""
        data = {"kind": type(error).__name__, **({"difference": difference} if difference else {})}
        console.fail(advice(error), data=data, details=difference)
        sys.exit(_exit_code(error))
    except OSError as error:
        console.fail(": ".join(str(part) for part in (error.filename, error.strerror or error) if part))
        sys.exit(FAILED)


def _exit_code(error: errors.MnemexError) -> int:
    is_bad_value = isinstance(error, _BAD_VALUES) and not isinstance(error, _AS_THINGS_ARE)
    return WRONG_USAGE if is_bad_value else FAILED


@singledispatch
def advice(error: errors.MnemexError) -> str:
    """Return what to tell the person."""
    return str(error)


@advice.register
def _(error: errors.InvalidInput) -> str:
    return f"{error.field} {error.reason}".strip()


@advice.register
def _(error: errors.SecretFound) -> str:
    return (
        f"{error.field} {error.reason}; leave it out{', or keep it with --allow-secret' if error.can_be_kept else ''}"
    )


@advice.register
def _(error: errors.NoteNotFound) -> str:
    wanted = error.memory_id or error.path
    return f"nothing is known under {wanted!r}; `mnemex search` finds it"


@advice.register
def _(error: errors.NoteChanged) -> str:
    return f"{error.path} was edited in the meantime; nothing was written"


@advice.register
def _(error: errors.UndoRefused) -> str:
    return f"{error}, so nothing was written"


@advice.register
def _(error: errors.DuplicateId) -> str:
    return f"{error}; nothing was written. Delete one of them, or take its memory_id out"


@advice.register
def _(error: errors.UnreadableNote) -> str:
    return f"{error.path} cannot be read as a memory ({error.reason}); it was left alone"


@advice.register
def _(error: errors.NoteAway) -> str:
    return f"{error.path}: {error.reason}. Let the sync service fetch it, then try again"


@advice.register
def _(error: errors.OperationNotFound) -> str:
    return f"no change {error.operation_id!r} is known; `mnemex history` lists them"


@advice.register
def _(error: errors.VaultUnavailable) -> str:
    return f"the vault {error.root} cannot be used: {error.reason}"


@advice.register
def _(error: errors.VaultEmptied) -> str:
    return f"{error}; if they are really gone: mnemex reindex --accept-losses"


@advice.register
def _(error: errors.VaultNotSetUp) -> str:
    return f"{error}; if it is to hold memories: mnemex init {shlex.quote(str(error.root))}"


@advice.register
def _(error: errors.AutomationPaused) -> str:
    if "clock" in error.reason:
        return f"stopped to be safe: {error.reason}; if the time is right now: mnemex doctor --accept-clock"
    return f"stopped to be safe: {error.reason}"


@advice.register
def _(error: errors.LockTimeout) -> str:
    return f"the vault is busy: {error}; try again in a moment"
