"""Errors as a model should read them: what went wrong, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import singledispatch

from mcp.server.mcpserver.exceptions import ToolError

from mnemex_vault.errors import (
    AutomationPaused,
    ConfigError,
    DuplicateId,
    IndexUnavailable,
    InvalidInput,
    LockTimeout,
    MnemexError,
    NoteChanged,
    NoteNotFound,
    OperationNotFound,
    PathOutsideVault,
    SecretFound,
    UndoRefused,
    UnreadableNote,
    VaultUnavailable,
    WriteFailed,
)
from mnemex_vault.mcp.budget import listed, name_of

_LONGEST_DIFFERENCE = 8_000
_FOLDERS = re.compile(r"(?<![\w.~/\\])(?:~|[A-Za-z]:)?[/\\](?:[^/\\:;,'\"\n]*[/\\])+")
_PATHS = 2_000


@contextmanager
def told_to_the_model() -> Iterator[None]:
    """Turn errors of this package into tool errors; anything else stays hidden from the client."""
    try:
        yield
    except MnemexError as error:
        raise ToolError(advice(error)) from error


@singledispatch
def advice(error: MnemexError) -> str:
    """Return what to tell the model, without folders outside the vault."""
    return f"{_without_folders(str(error))}. Nothing was changed."


@advice.register
def _(error: InvalidInput) -> str:
    return f"{error}. Nothing was changed; correct the argument and call again."


@advice.register
def _(error: SecretFound) -> str:
    insist = "; only if the user insists, call again with allow_secret=true" if error.can_be_kept else ""
    return (
        f"{error}. Nothing was saved: a note is plain text that syncs and is searched. Leave it out, or say where it "
        f"is kept{insist}."
    )


@advice.register
def _(error: NoteNotFound) -> str:
    wanted = name_of(error.memory_id or error.path or "")
    return f"Nothing is known under {wanted!r}. Search for it to get its id; ids are always given whole."


@advice.register
def _(error: NoteChanged) -> str:
    return (
        f"{error.path} was edited in the meantime; nothing was written. Call open_memories for the new text and etag, "
        f"then decide again. What changed:\n{error.difference[:_LONGEST_DIFFERENCE]}"
    )


@advice.register
def _(error: UndoRefused) -> str:
    return f"{error}, so nothing was written. Tell the user." + (
        f" What changed:\n{error.difference[:_LONGEST_DIFFERENCE]}" if error.difference else ""
    )


@advice.register
def _(error: UnreadableNote) -> str:
    return (
        f"{error.path} cannot be read as a memory ({error.reason}); it was left alone. "
        "Ask the user to repair its properties in Obsidian."
    )


@advice.register
def _(error: DuplicateId) -> str:
    return (
        f"The id {error.memory_id} is on several notes ({listed(error.paths, _PATHS)}). Ask the user which one to keep."
    )


@advice.register
def _(error: PathOutsideVault) -> str:
    return f"{error}. Give a folder or note inside the vault."


@advice.register
def _(error: OperationNotFound) -> str:
    return (
        f"This session made no change {name_of(error.operation_id)!r}. Leave operation_id out for the last change; "
        "older ones are undone on the command line: mnemex undo."
    )


@advice.register
def _(error: AutomationPaused) -> str:
    return f"Tidying up is stopped to be safe: {error.reason}. Tell the user; `mnemex status` says more."


@advice.register
def _(error: VaultUnavailable) -> str:
    return (
        f"The vault {error.root.name!r} cannot be used now: {error.reason}. Nothing was changed. "
        "Tell the user to check that its folder is there and readable."
    )


@advice.register
def _(error: ConfigError) -> str:
    problems = _without_folders(str(error))
    return f"The settings cannot be used: {problems}. Tell the user; `mnemex status --settings` shows them."


@advice.register
def _(error: IndexUnavailable) -> str:
    reason = _without_folders(error.reason)
    return f"The search index is not available now ({reason}). Try again in a minute; no note was changed."


@advice.register
def _(error: LockTimeout) -> str:
    return f"The vault is busy: {error}. Nothing was changed; try again in a minute."


@advice.register
def _(error: WriteFailed) -> str:
    return f"{error.path} could not be written: {error.reason}. It is as it was. Tell the user."


def _without_folders(text: str) -> str:
    r"""Return the text with the last part of each absolute path only: where things lie is no business of a model.

    >>> _without_folders("the state folder /home/zoe/My state/mnemex is a link"), _without_folders(r"C:\Zoe\x: gone")
    ('the state folder …/mnemex is a link', '…/x: gone')
    >>> _without_folders("timezone: Europe/Berln; Memories/a.md")
    'timezone: Europe/Berln; Memories/a.md'
    """
    return _FOLDERS.sub("…/", text)
