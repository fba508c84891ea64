"""The one way to write, and the two locks: no thread ever holds both."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.uses import write_pending
from tests.conftest import StandingClock
from tests.waiting import wait_until

Verb = Callable[[App, str], object]


def write_uses(app: App, memory_id: str) -> None:
    app.lifecycle.touch(memory_id)
    write_pending(app.store, now=app.store.clock(), at_once=True)


def promote(app: App, memory_id: str) -> None:
    candidate = app.lifecycle.promotion_candidate(memory_id, now=app.store.clock(), force=True)
    assert candidate
    app.lifecycle.promote([candidate])


VERBS: dict[str, Verb] = {
    "save": lambda app, _: app.collection.save(Draft(content="The well is deep.")),
    "use": write_uses,
    "update": lambda app, memory_id: app.editing.update(memory_id, Revision(title="The old pump")),
    "promote": promote,
    "forget": lambda app, memory_id: app.lifecycle.forget(memory_id),
    "undo": lambda app, _: app.history.undo(),
}


@pytest.mark.parametrize("verb", VERBS.values(), ids=VERBS)
def test_a_change_that_waits_for_the_index_holds_up_no_save_of_another_process(
    verb: Verb, vault: Path, environ: dict[str, str], clock: StandingClock
) -> None:
    with open_app(vault, environ=environ, clock=clock) as app, open_app(vault, environ=environ, clock=clock) as other:
        memory_id = app.collection.save(Draft(content="The pump needs oil.")).memory.id
        known = len(app.store.journal.operations())
        change = threading.Thread(target=verb, args=(app, memory_id))
        with app.reconciler.lock:
            change.start()
            wait_until(lambda: len(app.store.journal.operations()) > known)
            saved = other.collection.save(Draft(content="The mill is old."))
            assert (vault / saved.path).exists()
            assert change.is_alive()
        change.join()
