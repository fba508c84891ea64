"""`search -i`: choosing among results by number, to read, strengthen or pin one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.facts import outlook
from mnemex_vault.cli.safe_text import one_line, whole
from mnemex_vault.cli.session import Session

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.index.entry import Entry
    from mnemex_vault.memories.recall import Preview

_LEAVE = ("", "q", "quit")
_HELP = "a number reads it; t, p or f before it strengthens, pins or forgets it; Enter leaves"


def pick(session: Session, app: App, found: list[Preview]) -> None:
    """Let the person choose until they leave; raises BadParameter where nobody can answer."""
    if not session.asks:
        raise typer.BadParameter("-i needs a terminal")
    entries = [preview.hit.entry for preview in found]
    session.console.say(f"{words.count(len(entries), 'result')}: {_HELP}.")
    while (answer := typer.prompt("Which", default="", show_default=False).strip().lower()) not in _LEAVE:
        action, number = (answer[0], answer[1:]) if answer[:1] in ("t", "p", "f") else ("", answer)
        if not number.strip().isdigit() or not 1 <= int(number) <= len(entries):
            session.console.say(f"{one_line(answer)!r} is none of them: {_HELP}.")
            continue
        session.console.say(*_done(session, app, entries[int(number) - 1], action))


def _done(session: Session, app: App, entry: Entry, action: str) -> list[str]:
    if action and not entry.is_memory:
        return ["That is an ordinary note; it can only be read."]
    memory_id = entry.item_id
    title = one_line(entry.title)
    if action == "t":
        app.lifecycle.touch(memory_id)
        return [f"Used: {title}, {outlook(app, app.store.memory_entry(memory_id))}"]
    if action == "p":
        app.editing.pin(memory_id, pinned=True)
        return [f"Pinned: {title}"]
    if action == "f":
        moved = app.lifecycle.forget(memory_id)
        return [f"Forgotten: {title}, now {whole(moved.path)}; mnemex undo takes it back"]
    opened, _ = app.collection.open([memory_id])
    return [title, *(line for each in opened for line in session.console.paragraph(each.note.content))]
