"""What the notes themselves tell about a step: whether it was done, and where a trashed note lies."""

from __future__ import annotations

from mnemex_vault.errors import NoteError
from mnemex_vault.history.journal import Journal, Step
from mnemex_vault.history.plan import files_for
from mnemex_vault.notes.etag import etag
from mnemex_vault.notes.paths import fold
from mnemex_vault.notes.vault import Vault


def located(vault: Vault, step: Step) -> Step:
    """Find where a note went whose way into the trash was not recorded."""
    if step.kind != "trash" or step.to is not None:
        return step
    for name in vault.trash_names(step.path):
        if not vault.trashed.exists(name):
            return step
        if _etag(vault, name) == step.before:
            return Step("trash", step.path, name, step.before, step.after)
    return step


def is_done(vault: Vault, journal: Journal, step: Step) -> bool:
    """Tell whether the notes are as the step was to leave them; a move that is half done is brought to its end."""
    match step.kind:
        case "create" | "update":
            return _etag(vault, step.path) == step.after
        case "move":
            return _is_moved(vault, journal, step)
        case "trash":
            return not vault.files.exists(step.path)


def _is_moved(vault: Vault, journal: Journal, step: Step) -> bool:
    to = step.to or ""
    files = files_for(vault, step.path, to)
    found = _etag(vault, to)
    if found is None or not files.exists(step.path) or fold(step.path) == fold(to):
        return found is not None
    if found == step.before == _etag(vault, step.path):
        # cut off between copying to another file system and taking the original away
        files.remove(step.path, files.read(step.path)[0], park=journal.parking.take)
        return True
    return False


def _etag(vault: Vault, path: str) -> str | None:
    try:
        return etag(files_for(vault, path).read(path)[0])
    except NoteError:
        return None
