from __future__ import annotations

from dataclasses import replace

import pytest

from mnemex_vault.app import App
from mnemex_vault.errors import NotAllowed
from mnemex_vault.memories.draft import Draft


def test_undo_keeps_to_read_only_mode_and_write_scope(app: App) -> None:
    saved = app.collection.save(Draft(content="The gate is green."))
    for rules in (replace(app.store.rules, read_only=True), replace(app.store.rules, write_paths=("Work",))):
        app.store.rules = rules
        with pytest.raises(NotAllowed):
            app.history.undo(saved.operation_id)
    app.store.rules = replace(app.store.rules, read_only=False, write_paths=None)
    assert app.history.undo(saved.operation_id).undoes == saved.operation_id
