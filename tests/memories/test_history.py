from __future__ import annotations

from dataclasses import replace

import pytest

from mnemex_vault.app import App
from mnemex_vault.errors import NotAllowed
from mnemex_vault.memories.draft import Draft
from mnemex_vault.notes.vault import Layout


def test_undo_keeps_to_read_only_mode_and_write_scope(app: App) -> None:
    saved = app.collection.save(Draft(content="The gate is green."))
    app.store.rules = replace(app.store.rules, read_only=True)
    with pytest.raises(NotAllowed):
        app.history.undo(saved.operation_id)
    # where memories lie may always be written
    folders = app.store.vault.layout
    app.store.rules = replace(app.store.rules, read_only=False, write_paths=("Work",))
    app.store.vault.layout = Layout(short_term="Other/Short", long_term="Other/Long", archive="Other/Archive")
    with pytest.raises(NotAllowed):
        app.history.undo(saved.operation_id)
    app.store.vault.layout = folders
    assert app.history.undo(saved.operation_id).undoes == saved.operation_id
