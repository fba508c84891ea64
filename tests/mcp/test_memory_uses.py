from __future__ import annotations

from pathlib import Path

import pytest

from mnemex_vault.memories.conversations import by_client
from tests.mcp.talking import SettableClock, Snapshot, Talk


@pytest.fixture
def ids(talk: Talk) -> list[str]:
    return [
        talk.call("save_memory", content=f"Fact {number} of many.", tags=["bridges"], kind="none")["memory_id"]
        for number in range(11)
    ]


def test_a_touch_answers_with_the_new_score_at_once(talk: Talk, ids: list[str], clock: SettableClock) -> None:
    clock.wait(days=3)
    touched = talk.call("touch_memory", memory_id=ids[0], boost_strength=True)
    assert touched["old_score"] == 0.5
    assert touched["new_score"] == pytest.approx(2**0.6 * 1.1, abs=1e-4)
    assert touched["use_count"] == 2
    assert touched["strength"] == 1.1


def test_observed_memories_are_reviewed_once_each(talk: Talk, ids: list[str]) -> None:
    observed = talk.call("observe_memory_usage", memory_ids=[ids[0], ids[0], "unknown"], context_tags=["Music"])
    assert observed == {
        "reinforced": True,
        "count": 1,
        "cross_domain_count": 1,
        "results": [
            {
                "id": ids[0], "status": "reinforced", "cross_domain": True, "new_use_count": 2,
                "new_review_count": 1, "strength": 1.05,
            },
            {"id": "unknown", "status": "not_found"},
        ],
    }  # fmt: skip


def test_context_tags_are_normalised_like_tags(talk: Talk, ids: list[str]) -> None:
    observed = talk.call("observe_memory_usage", memory_ids=[ids[0]], context_tags=["#bridges"])
    assert observed["cross_domain_count"] == 0


def test_nothing_observed_is_told_with_the_reason(talk: Talk) -> None:
    assert talk.call("observe_memory_usage", memory_ids=[])["reason"] == "no memory_ids were given"


def test_more_than_ten_memories_need_a_yes(talk: Talk, ids: list[str], snapshot: Snapshot) -> None:
    before = snapshot()
    assert "confirm=true" in talk.refusal("observe_memory_usage", memory_ids=ids)
    assert snapshot() == before
    assert talk.call("observe_memory_usage", memory_ids=ids, confirm=True)["count"] == 11


def test_what_was_asked_and_relied_on_is_noted_without_a_word_of_it(talk: Talk, tmp_path: Path) -> None:
    saved = talk.call("save_memory", content="Anna is allergic to walnuts.", project="Shop")["memory_id"]
    talk.call("search_memory", query="is Anna allergic to walnuts", project="shop")
    talk.call("search_memory", query="zebra", used_ids=[saved])
    talk.call("search_memory")
    talk.call("observe_memory_usage", memory_ids=[saved, "unknown"])
    talk.call("touch_memory", memory_id=saved)
    [client] = by_client(talk.vault.conversations.all())  # type: ignore[union-attr]
    assert (client.conversations, client.asked, client.fitted, client.briefed, client.used) == (1, 2, 1, 1, 3)
    [conversation] = talk.vault.conversations.all()  # type: ignore[union-attr]
    assert (conversation.project, conversation.relied) == ("shop", ((saved, "shop"),))
    [kept] = (tmp_path / "state").glob("*/conversations/*")
    assert not [word for word in ("Anna", "walnuts", "zebra") if word in kept.read_text()]


def test_what_three_projects_relied_on_is_in_the_review(talk: Talk) -> None:
    saved = talk.call("save_memory", content="Always use tabs.", project="shop")["memory_id"]
    for project in ("shop", "blog", "site"):
        assert "wider" not in talk.call("review_queue")
        talk.call("search_memory", query="how to indent", project=project, used_ids=[saved])
    assert talk.call("review_queue")["wider"][0]["id"] == saved
