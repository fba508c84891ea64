"""The one way to write, and the two locks: no thread ever holds both."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.memory import RelationType
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


def archived(app: App, memory_id: str) -> None:
    app.lifecycle.forget(memory_id)


def related(app: App, memory_id: str) -> None:
    mill = app.collection.save(Draft(content="The mill is old.", title="Mill")).memory.id
    app.relations.create(memory_id, mill, RelationType.RELATED)


def mill_of(app: App) -> str:
    return next(entry.memory_id for entry in app.memories.all() if entry.title == "Mill" and entry.memory_id)


def as_saved(app: App, memory_id: str) -> None:
    assert app.memories.entry(memory_id)


# what must be true before, and the verb
LATE: dict[str, tuple[Verb, Verb]] = {
    "open": (as_saved, lambda app, memory_id: app.memories.open(memory_id)),
    "use": (as_saved, lambda app, memory_id: app.lifecycle.touch(memory_id)),
    "update": (as_saved, lambda app, memory_id: app.editing.update(memory_id, Revision(tags=["pump"]))),
    "retitle": (as_saved, lambda app, memory_id: app.editing.update(memory_id, Revision(title="The old pump"))),
    "approve": (as_saved, lambda app, memory_id: app.editing.approve([memory_id])),
    "promote": (as_saved, promote),
    "demote": (promote, lambda app, memory_id: app.lifecycle.demote(memory_id)),
    "forget": (as_saved, lambda app, memory_id: app.lifecycle.forget(memory_id)),
    "trash": (as_saved, lambda app, memory_id: app.lifecycle.forget(memory_id, to_trash=True)),
    "restore": (archived, lambda app, memory_id: app.lifecycle.restore(memory_id)),
    "relate": (related, lambda app, memory_id: app.relations.create(memory_id, mill_of(app), RelationType.CAUSES)),
    "unrelate": (related, lambda app, memory_id: app.relations.delete(memory_id, mill_of(app), RelationType.RELATED)),
    "purge": (as_saved, lambda app, memory_id: app.purge.purge(memory_id)),
}


@pytest.mark.parametrize("when", ["before it is looked for", "before it is written"])
@pytest.mark.parametrize("name", LATE)
def test_a_memory_that_somebody_moved_a_moment_ago_is_found_again(name: str, when: str, app: App, vault: Path) -> None:
    before, verb = LATE[name]
    memory_id = app.collection.save(Draft(content="The pump needs oil.", origin="import")).memory.id
    before(app, memory_id)
    path = vault / app.memories.entry(memory_id).path

    def move() -> None:
        app.memories.ask_before_writing()
        path.rename(path.with_stem("Moved by hand"))

    if when == "before it is looked for":
        move()
    else:
        app.memories.ask_before_writing(move)
    verb(app, memory_id)
    app.follow(None)
    live = [entry.path for entry in app.memories.all() if entry.memory_id == memory_id]
    assert len(live) == (name not in ("purge", "trash"))
    assert not [note for note in vault.rglob("*.md") if name == "purge" and memory_id in note.read_text("utf-8")]
