"""Errors as one line for a person: what went wrong, and what to do next."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import singledispatch

from mnemex_vault.cli.console import Console
from mnemex_vault.errors import (
    AutomationPaused,
    BadSetting,
    DuplicateId,
    InvalidInput,
    LinkInTheWay,
    LockTimeout,
    MnemexError,
    NoteAway,
    NoteChanged,
    NoteNotFound,
    NotPossible,
    OperationNotFound,
    PathOutsideVault,
    SecretFound,
    UndoRefused,
    UnreadableNote,
    VaultEmptied,
    VaultNotSetUp,
    VaultUnavailable,
)

FAILED, WRONG_USAGE = 1, 2
# what could never be right, whatever the vault holds, and what as things are cannot be done with it
_BAD_VALUES = (InvalidInput, BadSetting, PathOutsideVault, VaultNotSetUp)
_AS_THINGS_ARE = (NotPossible, LinkInTheWay)


@contextmanager
def told_to_the_person(console: Console) -> Iterator[None]:
    """End with one line on stderr when something cannot be done, and with the exit code that says why."""
    try:
        yield
    except MnemexError as error:
        difference = error.difference if isinstance(error, NoteChanged | UndoRefused) else ""
        data = {"kind": type(error).__name__, **({"difference": difference} if difference else {})}
        console.fail(advice(error), data=data, details=difference)
        sys.exit(_exit_code(error))
    except OSError as error:
        console.fail(": ".join(str(part) for part in (error.filename, error.strerror or error) if part))
        sys.exit(FAILED)


def _exit_code(error: MnemexError) -> int:
    is_bad_value = isinstance(error, _BAD_VALUES) and not isinstance(error, _AS_THINGS_ARE)
    return WRONG_USAGE if is_bad_value else FAILED


@singledispatch
def advice(error: MnemexError) -> str:
    """Return what to tell the person."""
    return str(error)


@advice.register
def _(error: InvalidInput) -> str:
    return f"{error.field} {error.reason}".strip()


@advice.register
def _(error: SecretFound) -> str:
    return (
        f"{error.field} {error.reason}; leave it out{', or keep it with --allow-secret' if error.can_be_kept else ''}"
    )


@advice.register
def _(error: NoteNotFound) -> str:
    wanted = error.memory_id or error.path
    return f"nothing is known under {wanted!r}; `mnemex search` finds it"


@advice.register
def _(error: NoteChanged) -> str:
    return f"{error.path} was edited in the meantime; nothing was written"


@advice.register
def _(error: UndoRefused) -> str:
    return f"{error}, so nothing was written"


@advice.register
def _(error: DuplicateId) -> str:
    return f"{error}; nothing was written. Delete one of them, or take its memory_id out"


@advice.register
def _(error: UnreadableNote) -> str:
    return f"{error.path} cannot be read as a memory ({error.reason}); it was left alone"


@advice.register
def _(error: NoteAway) -> str:
    return f"{error.path}: {error.reason}. Let the sync service fetch it, then try again"


@advice.register
def _(error: OperationNotFound) -> str:
    return f"no change {error.operation_id!r} is known; `mnemex history` lists them"


@advice.register
def _(error: VaultUnavailable) -> str:
    return f"the vault {error.root} cannot be used: {error.reason}"


@advice.register
def _(error: VaultEmptied) -> str:
    return f"{error}; if they are really gone: mnemex reindex --accept-losses"


@advice.register
def _(error: VaultNotSetUp) -> str:
    return f"{error}; if it is to hold memories: mnemex init {shlex.quote(str(error.root))}"


@advice.register
def _(error: AutomationPaused) -> str:
    if "clock" in error.reason:
        return f"stopped to be safe: {error.reason}; if the time is right now: mnemex doctor --accept-clock"
    return f"stopped to be safe: {error.reason}"


@advice.register
def _(error: LockTimeout) -> str:
    return f"the vault is busy: {error}; try again in a moment"
