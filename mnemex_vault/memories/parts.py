"""The use cases on one vault, by what they are about: each is made, and what makes it imported, when it is asked for.

Most programs ask for few of them: a command for one, a server for one until its first answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from mnemex_vault.disk.state import Moments
from mnemex_vault.memories.guard import Guard
from mnemex_vault.memories.store import Store

if TYPE_CHECKING:
    from mnemex_vault.memories.auto_recall import AutoRecall
    from mnemex_vault.memories.automation import Automation
    from mnemex_vault.memories.brief import Brief, KeptBrief
    from mnemex_vault.memories.consolidation import Consolidation
    from mnemex_vault.memories.conversations import Conversations
    from mnemex_vault.memories.editing import Editing
    from mnemex_vault.memories.enrichment import Enrichment
    from mnemex_vault.memories.forgetting import Forgetting, Purge
    from mnemex_vault.memories.graph import Relations
    from mnemex_vault.memories.healing import Healer
    from mnemex_vault.memories.history import History, Retention
    from mnemex_vault.memories.lifecycle import Lifecycle
    from mnemex_vault.memories.meaning import Meaning
    from mnemex_vault.memories.recall import Recall
    from mnemex_vault.memories.review import Review
    from mnemex_vault.memories.saving import Collection
    from mnemex_vault.memories.status import Overview
    from mnemex_vault.memories.upkeep import Upkeep
    from mnemex_vault.memories.vocabulary import Vocabulary

T = TypeVar("T")


class part(Generic[T]):  # noqa: N801  it stands where a decorator does
    """What is made once for an object that has a lock named `making`, when it is first asked for."""

    def __init__(self, make: Callable[[Any], T]) -> None:
        self._make = make

    def __set_name__(self, _: type, name: str) -> None:
        self._name = name

    def __get__(self, owner: Parts, _: type) -> T:
        with owner.making:
            if self._name not in vars(owner):
                vars(owner)[self._name] = self._make(owner)
            found: T = vars(owner)[self._name]
            return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Where the parts find what is not in the vault: the state folder, the brief for clients, the models if any."""

    root: Path
    state: Path
    brief: Path
    embed_model: Callable[[], Path | None]
    ner_model: Callable[[], str | None]


class Parts:
    """The use cases of one vault; `watching` tells how the vault is followed, None if it need not be."""

    def __init__(self, store: Store, guard: Guard, moments: Moments, places: Places) -> None:
        self.store = store
        self.guard = guard
        self.making = threading.RLock()
        self.watching: Callable[[], str | None] = lambda: None
        self._moments = moments
        self._places = places

    def make_all(self) -> None:
        """Make every part: later calls are answered sooner, also after the program was upgraded under this process."""
        for name, value in vars(Parts).items():
            if isinstance(value, part):
                getattr(self, name)

    @part
    def vocabulary(self) -> Vocabulary:
        from mnemex_vault.memories.vocabulary import NameModel, Vocabulary

        return Vocabulary(self.store, NameModel(self._places.ner_model))

    @part
    def enrichment(self) -> Enrichment:
        from mnemex_vault.memories.enrichment import Enrichment

        return Enrichment(self.store, self.vocabulary)

    @part
    def collection(self) -> Collection:
        from mnemex_vault.memories.saving import Collection

        return Collection(self.store, self.enrichment)

    @part
    def editing(self) -> Editing:
        from mnemex_vault.memories.editing import Editing

        return Editing(self.store)

    @part
    def lifecycle(self) -> Lifecycle:
        from mnemex_vault.memories.lifecycle import Lifecycle

        return Lifecycle(self.store)

    @part
    def forgetting(self) -> Forgetting:
        from mnemex_vault.memories.forgetting import Forgetting

        return Forgetting(self.store, self.guard, self.lifecycle)

    @part
    def meaning(self) -> Meaning:
        from mnemex_vault.memories.meaning import Meaning

        return Meaning(self.store, self._places.state / "index", self._places.embed_model)

    @part
    def recall(self) -> Recall:
        from mnemex_vault.memories.recall import Recall

        return Recall(self.store, self.meaning)

    @part
    def auto_recall(self) -> AutoRecall:
        from mnemex_vault.memories.auto_recall import AutoRecall

        return AutoRecall(self.store, self.recall, self.lifecycle)

    @part
    def brief(self) -> Brief:
        from mnemex_vault.memories.brief import Brief

        return Brief(self.store, self._moments)

    @part
    def kept_brief(self) -> KeptBrief:
        from mnemex_vault.memories.brief import KeptBrief

        return KeptBrief(self.brief, self._places.brief, root=self._places.root)

    @part
    def conversations(self) -> Conversations:
        from mnemex_vault.memories.conversations import CONVERSATIONS, Conversations

        return Conversations(self._places.state / CONVERSATIONS)

    @part
    def overview(self) -> Overview:
        from mnemex_vault.memories.status import Overview

        return Overview(self.store, self.guard, watching=lambda: self.watching())  # noqa: PLW0108  a service sets it later

    @part
    def history(self) -> History:
        from mnemex_vault.memories.history import History

        return History(self.store)

    @part
    def retention(self) -> Retention:
        from mnemex_vault.memories.history import Retention

        return Retention(self.store, self.guard, self._moments)

    @part
    def purge(self) -> Purge:
        from mnemex_vault.memories.forgetting import Purge

        return Purge(self.store, self.meaning, self.kept_brief)

    @part
    def relations(self) -> Relations:
        from mnemex_vault.memories.graph import Relations

        return Relations(self.store)

    @part
    def consolidation(self) -> Consolidation:
        from mnemex_vault.memories.consolidation import Consolidation

        return Consolidation(self.store, self.relations, self.meaning)

    @part
    def upkeep(self) -> Upkeep:
        from mnemex_vault.memories.upkeep import Upkeep

        return Upkeep(self.store, self.guard, self.consolidation)

    @part
    def review(self) -> Review:
        from mnemex_vault.memories.review import Review

        return Review(self.store, self.overview, self.editing, self.consolidation, self.history, self.conversations)

    @part
    def healer(self) -> Healer:
        from mnemex_vault.memories.healing import Healer

        return Healer(self.store, self.guard)

    @part
    def automation(self) -> Automation:
        from mnemex_vault.memories.automation import Automation

        return Automation(self.store, self.upkeep, self.review, self._moments)
