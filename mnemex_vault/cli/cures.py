"""What to do about each kind of thing that `doctor` finds, where its words do not say so already."""

from __future__ import annotations

from collections.abc import Mapping

CURES: Mapping[str, str] = {
    "unreadable": "repair the properties in Obsidian's source view, or save the note as UTF-8; its text is found, and"
    " the note is left as it is until then",
    "cannot be read": "see that you may open it, that it is a text and that it is not too large; it is left as it is",
    "not on this device": "let the sync service fetch it (in iCloud: Download Now; in Nextcloud: always available), or"
    " bring it back with mnemex undo or a backup; until then nothing of it is changed",
    "closed folder": "give yourself the right to read the folder, or move it out of the vault",
    "odd value": "correct the value in the note, or leave it: the default holds",
    "same id": "delete the memory_id of the copy, and mnemex adopt it anew",
    "conflict copy": "mnemex doctor --fix joins those whose text is equal; compare the others, and delete one",
    "unmanaged": "mnemex adopt NOTE makes it a memory; or move it out of the short-term folder",
    "secret": "take it out of the note, and change it where it is valid; #private keeps a note from assistants",
    "name": "rename it in Obsidian, which takes its links along, before the vault goes to such a system; a name that is"
    " left out is to be changed where the file lies",
    "property": "join the two in Obsidian's source view",
    "overwritten": "mnemex undo CHANGE --again writes that text once more; leave it if you took it back yourself",
    "leftover": "none needed",
    "property type": "give the key the usual type in Obsidian, or leave it: the note is read all the same",
    "setting": "correct it in the settings note; mnemex status --settings shows where each value is from",
    "words": "correct the word list in the vault",
    "automatic change": "see what it says; if notes are really gone: mnemex reindex --accept-losses; if the clock is"
    " right now: mnemex doctor --accept-clock",
    "index": "none needed",
    "history": "none needed; later changes can be undone as ever",
}


def cure_of(kind: str) -> str | None:
    """Return what to do, None if each finding of this kind says so itself."""
    return CURES.get(kind)
