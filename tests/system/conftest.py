from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from mnemex_vault.app import App, make_app, open_app
from mnemex_vault.domain.memory import Tier
from mnemex_vault.memories.draft import Draft
from mnemex_vault.service import Service

Opened = Callable[..., AbstractContextManager[App]]


@pytest.fixture
def opened(vault: Path, environ: dict[str, str]) -> Opened:
    """Open the vault by the machine's clock, with no quiet time."""

    @contextmanager
    def open_now(**options: object) -> Iterator[App]:
        wanted = {"timezone": "UTC", "quiet_seconds": 0, **options}
        with open_app(vault, environ=environ, options=wanted) as app:
            yield app

    return open_now


@contextmanager
def serving(vault: Path, environ: dict[str, str], **options: object) -> Iterator[Service]:
    """Let a service follow the vault, with no quiet time."""
    wanted = {"timezone": "UTC", "quiet_seconds": 0, **options}
    service = Service(make_app(vault, environ=environ, options=wanted))
    service.start()
    try:
        assert service.wait_ready(60)
        yield service
    finally:
        service.close()


def save(app: App, number: int, *, words: str = "") -> str:
    """Save a memory that ends with a word of its own, so that a cut is seen."""
    text = f"Fact {number} about the garden. {words}end{number:05d}"
    return app.collection.save(Draft(content=text, title=f"Fact {number}")).memory.id


def tier_of(app: App, memory_id: str) -> Tier:
    return app.store.memory_entry(memory_id).tier


def promote(app: App, memory_id: str) -> None:
    candidate = app.lifecycle.promotion_candidate(memory_id, now=app.store.clock(), force=True)
    app.lifecycle.promote([candidate] if candidate else [])
