"""What must hold after every fault."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from mnemex_vault.app import App, make_app, open_app
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.recall import Request
from mnemex_vault.text.note import Note, NoteKind


def facts(app: App) -> dict[str, Entry]:
    """Return the entries without what a reading remembers of an earlier one."""
    plain = {"racy": False, "usage": None, "relations": (), "memory_id": None, "session": None}
    return {
        entry.path: msgspec.structs.replace(entry, **(plain if entry.kind is NoteKind.UNREADABLE else {"racy": False}))
        for entry in app.store.catalog
    }


def found(app: App, words: str) -> dict[str, float]:
    """Return the relevance of every match; the order also depends on the time, and does not count."""
    matches: dict[str, float] = {}
    offset = 0
    while True:
        page = app.recall.search(Request(query=words, ordinary=True, size=100, offset=offset, review=False))
        assert page.degraded is None, page.degraded
        if not page.hits:
            return matches
        matches.update({hit.entry.path: round(hit.relevance, 9) for hit in page.hits})
        # others may save meanwhile, and move what was seen to the next page
        offset += len(page.hits)


def notes_of(vault: Path) -> list[Path]:
    return sorted(path for path in vault.rglob("*.md") if ".trash" not in path.parts)


def check_vault(vault: Path) -> None:
    """Every note is whole, every id there once, and nothing but notes is left."""
    ids = Counter[str]()
    for path in notes_of(vault):
        note = Note.parse(path.name, path.read_bytes())
        assert note.kind is not NoteKind.UNREADABLE, path
        assert path.stat().st_size > 0, path
        if note.memory_id:
            ids[note.memory_id] += 1
    assert [each for each, count in ids.items() if count > 1] == []
    assert list(vault.rglob(".mnemex-*")) == []


def check_index(app: App, scratch: Path, words: Iterable[str]) -> None:
    """Catalog and search results are those of a rebuild."""
    environ = {"MNEMEX_STATE_PATH": str(scratch), "XDG_CONFIG_HOME": str(scratch / "config")}
    again = make_app(app.root, clock=app.store.clock, environ=environ, options={"timezone": "UTC", "read_only": True})
    try:
        again.catch_up()
        assert facts(app) == facts(again)
        for word in words:
            assert found(app, word) == found(again, word)
    finally:
        again.close()
        shutil.rmtree(scratch)


def check_all(vault: Path, environ: dict[str, str], scratch: Path, words: Iterable[str] = ("fact",)) -> None:
    """Start anew and look at everything."""
    with open_app(vault, environ=environ, options={"timezone": "UTC"}) as app:
        app.follow(None)
        check_vault(vault)
        check_index(app, scratch, words)
