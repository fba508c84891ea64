import math
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from mnemex_vault.domain.memory import Memory, Relation, RelationType, Tier, Usage

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def usage(**changes: Any) -> Usage:
    return Usage(**({"created": NOON, "last_used": NOON} | changes))


def test_a_new_memory_was_used_once_on_one_day() -> None:
    new = usage()
    assert (new.use_count, new.days_used, new.strength, new.pinned) == (1, 1, 1.0, False)


@pytest.mark.parametrize("key", ["created", "last_used", "promoted", "last_review"])
def test_a_time_without_a_zone_is_refused(key: str) -> None:
    with pytest.raises(ValueError, match="zone"):
        usage(**{key: datetime(2026, 3, 1)})


def test_an_age_counts_the_hour_that_a_change_of_clocks_adds() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    before, after = datetime(2026, 3, 29, 1, 30, tzinfo=berlin), datetime(2026, 3, 29, 3, 30, tzinfo=berlin)
    new = usage(created=before, last_used=after)
    assert new.last_used - new.created == timedelta(hours=1)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"use_count": 0}, "start at 1"),
        ({"days_used": 0}, "start at 1"),
        ({"strength": -0.1}, "between 0 and 2"),
        ({"strength": 2.1}, "between 0 and 2"),
        ({"strength": math.nan}, "between 0 and 2"),
        ({"half_life_days": 0}, "positive"),
        ({"half_life_days": -1}, "positive"),
        ({"half_life_days": math.inf}, "finite"),
        ({"half_life_days": math.nan}, "positive"),
    ],
)
def test_facts_that_cannot_be_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        usage(**changes)


@pytest.mark.parametrize("strength", [0, 0.5, 2])
def test_the_ends_of_the_strength_range_are_allowed(strength: float) -> None:
    assert usage(strength=strength).strength == strength


def test_every_tier_has_the_word_that_predecessors_used() -> None:
    assert [tier.status for tier in Tier] == ["active", "promoted", "archived"]


def test_a_memory_with_relations_can_be_put_in_a_set() -> None:
    relation = Relation(RelationType.CAUSES, "Other note", metadata={"why": ["because"]})
    memory = Memory(id="a", title="A", content="a", usage=usage(), relations=(relation,))
    assert memory in {memory}
