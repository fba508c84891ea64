from __future__ import annotations

import pytest

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
