"""Errors as a model should read them: what went wrong, and what to do next."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import singledispatch

from mcp.server.mcpserver.exceptions import ToolError

from mnemex_vault import errors
from mnemex_vault.answers.view import name_of, some, within
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled, framed

_LONGEST_DIFFERENCE = 8_000
_FOLDERS = re.compile(r"(?<![\w.~/\\])(?:~|[A-Za-z]:)?[/\\](?:[^/\\:;,'\"\n]*[/\\])+")
_PATHS = 2_000
# who wrote the lines of a difference is not known
_SINCE = "an edit in the vault"


@contextmanager
def told_to_the_model() -> Iterator[None]:
    """Turn errors of this package into tool errors; anything else stays hidden from the client."""
    try:
        yield
    except errors.MnemexError as error:
        raise ToolError(advice(error)) from error


@singledispatch
def advice(error: errors.MnemexError) -> str:
    """Return what to tell the model, without folders outside the vault."""
    return f"{_without_folders(str(error))}. Nothing was changed."


@advice.register
def _(error: errors.InvalidInput) -> str:
    return f"{error}. Nothing was changed; correct the argument and call again."


@advice.register
def _(error: errors.SecretFound) -> str:
    insist = "; only if the user insists, call again with allow_secret=true" if error.can_be_kept else ""
    return (
        f"{error}. Nothing was saved: a note is plain text that syncs and is searched. Leave it out, or say where it "
        f"is kept{insist}."
    )


@advice.register
def _(error: errors.NoteNotFound) -> str:
    wanted = name_of(error.memory_id or error.path or "")
    return f"Nothing is known under {wanted!r}. Search for it to get its id; ids are always given whole."


@advice.register
def _(error: errors.NoteExists) -> str:
    return framed(
        "There is a note in that place already. Nothing was changed.",
        [Recalled(name=error.path, origin=UNKNOWN_ORIGIN)],
    )


@advice.register
def _(error: errors.NoteChanged) -> str:
    said = (
        "The note was edited in the meantime; nothing was written. Call open_memories for the new text and etag, then "
        "decide again. What changed:"
    )
    return framed(said, [_changed(error.path, error.difference)])


@advice.register
def _(error: errors.UndoRefused) -> str:
    said = f"{error.operation_id} cannot be undone without losing something, so nothing was written. Tell the user why:"
    return framed(said, [_changed(error.path, error.difference or str(error))])


def _changed(path: str, difference: str) -> Recalled:
    return Recalled(name=path, origin=_SINCE, text=within(difference, _LONGEST_DIFFERENCE))


@advice.register
def _(error: errors.UnreadableNote) -> str:
    said = "The note cannot be read as a memory; it was left alone. Ask the user to repair its properties in Obsidian."
    return framed(said, [Recalled(name=error.path, origin=UNKNOWN_ORIGIN, text=error.reason)])


@advice.register
def _(error: errors.NoteAway) -> str:
    said = "The text of the note is not on this device yet. Ask the user to let the sync service fetch it."
    return framed(said, [Recalled(name=error.path, origin=UNKNOWN_ORIGIN, text=error.reason)])


@advice.register
def _(error: errors.DuplicateId) -> str:
    said = f"The id {error.memory_id} is on {counted(len(error.paths), 'note')}. Ask the user which one to keep."
    return framed(said, [Recalled(name=each, origin=UNKNOWN_ORIGIN) for each in some(error.paths, _PATHS)])


@advice.register
def _(error: errors.PathOutsideVault) -> str:
    return f"{error}. Give a folder or note inside the vault."


@advice.register
def _(error: errors.OperationNotFound) -> str:
    return (
        f"This session made no change {name_of(error.operation_id)!r}. Leave operation_id out for the last change; "
        "an older one only the user can undo: ask them to run `mnemex undo`."
    )


@advice.register
def _(error: errors.AutomationPaused) -> str:
    return f"Tidying up is stopped to be safe: {error.reason}. Tell the user, and ask them to run `mnemex status`."


@advice.register
def _(error: errors.VaultUnavailable) -> str:
    return (
        f"The vault {error.root.name!r} cannot be used now: {error.reason}. Nothing was changed. "
        "Tell the user to check that its folder is there and readable."
    )


@advice.register
def _(error: errors.VaultNotSetUp) -> str:
    return f"The folder {error.root.name!r} {error.reason}. Tell the user, and ask them to run `mnemex init`."


@advice.register
def _(error: errors.ConfigError) -> str:
    problems = _without_folders(str(error))
    return f"The settings cannot be used: {problems}. Tell the user, and ask them to run `mnemex status --settings`."


@advice.register
def _(error: errors.IndexUnavailable) -> str:
    reason = _without_folders(error.reason)
    return f"The search index is not available now ({reason}). Try again in a minute; no note was changed."


@advice.register
def _(error: errors.LockTimeout) -> str:
    return f"The vault is busy: {error}. Nothing was changed; try again in a minute."


@advice.register
def _(error: errors.WriteFailed) -> str:
    said = "The note could not be written; it is as it was. Tell the user."
    return framed(said, [Recalled(name=error.path, origin=UNKNOWN_ORIGIN, text=error.reason)])


def _without_folders(text: str) -> str:
    r"""Return the text with the last part of each absolute path only: where things lie is no business of a model.

    >>> _without_folders("the state folder /home/zoe/My state/mnemex is a link"), _without_folders(r"C:\Zoe\x: gone")
    ('the state folder …/mnemex is a link', '…/x: gone')
    >>> _without_folders("timezone: Europe/Berln; Memories/a.md")
    'timezone: Europe/Berln; Memories/a.md'
    """
    return _FOLDERS.sub("…/", text)
