from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mnemex_vault.memories.conversations import Conversations, by_client

NOW = datetime(2026, 11, 29, 22, 30, tzinfo=UTC)


@pytest.fixture
def conversations(tmp_path: Path) -> Conversations:
    return Conversations(tmp_path / "conversations")


def test_what_a_client_did_is_added_up_by_conversation_and_client(conversations: Conversations) -> None:
    conversations.note("codex", "one", now=NOW, project="Shop", asked=True, fitted=True)
    conversations.note("codex", "one", now=NOW + timedelta(minutes=1), asked=True, relied=["a", "b"])
    conversations.note("codex", "two", now=NOW + timedelta(days=1), briefed=True, relied=["a"])
    conversations.note("cursor", "one", now=NOW)
    codex, cursor = sorted(by_client(conversations.all()), key=lambda each: each.client)
    assert (codex.conversations, codex.asked, codex.fitted, codex.briefed, codex.used) == (2, 2, 1, 1, 3)
    assert (codex.since, cursor.asked) == (NOW, 0)
    assert [each.project for each in conversations.all() if each.client == "codex"] == [None, "Shop"]


def test_only_the_last_conversations_and_memories_are_kept(conversations: Conversations, tmp_path: Path) -> None:
    for number in range(230):
        conversations.note("codex", f"talk {number}", now=NOW + timedelta(minutes=number))
    assert len(list((tmp_path / "conversations").iterdir())) <= 200
    assert conversations.all()[0].last == NOW + timedelta(minutes=229)
    conversations.note("codex", "long", now=NOW, relied=[f"m{number}" for number in range(99)])
    [long] = [each for each in conversations.all() if each.relied]
    assert (long.used, len(long.relied), long.relied[-1]) == (99, 50, ("m98", None))


def test_a_damaged_file_and_a_disk_that_refuses_stop_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("{")
    refused = Conversations(tmp_path / "file" / "below")
    refused.note("codex", "one", now=NOW)
    assert refused.all() == []
    (tmp_path / "damaged.json").write_text("{")
    assert Conversations(tmp_path).all() == []


def test_a_conversation_that_turns_to_another_project_keeps_what_each_relied_on(conversations: Conversations) -> None:
    for project in ("Shop", "blog"):
        conversations.note("codex", "one", now=NOW, project=project, relied=["a"])
    conversations.note("codex", "one", now=NOW, relied=["b"])
    assert conversations.projects_of() == {"a": {"shop": "Shop", "blog": "blog"}, "b": {"blog": "blog"}}


def test_names_that_no_file_can_hold_are_kept_as_well_as_can_be(conversations: Conversations) -> None:
    conversations.note("\ud800\n x" * 99, "\ud800", now=NOW, project="\udcff", relied=["\ud800"])
    [found] = conversations.all()
    assert (found.project, found.relied) == ("?", (("?", "?"),))
    assert len(found.client) <= 60
