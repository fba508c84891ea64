from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.memory import Memory, Relation, RelationType, Tier, Usage
from mnemex_vault.domain.merging import Choices, merged, merged_relations, merged_usage

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)


def usage(**changes: Any) -> Usage:
    return Usage(**({"created": NOON, "last_used": NOON} | changes))


def memory(identity: str, content: str = "Anna sings.", **changes: Any) -> Memory:
    facts: dict[str, Any] = {"id": identity, "title": identity, "content": content, "usage": usage()}
    return Memory(**(facts | changes))


def test_a_merged_memory_is_all_that_its_parts_were() -> None:
    one = memory("a", "Anna sings.", tags=("Music",), entities=("Anna",), source="chat", project="choir", origin="ai")
    other = memory(
        "b",
        "Anna sings. Ben too.",
        tags=("music", "ben"),
        usage=usage(created=NOON - DAY),
        source="mail",
        project="choir",
    )
    whole = merged([one, other], new_id="c", cohesion=0.9)
    assert (whole.id, whole.content, whole.title) == ("c", "Anna sings. Ben too.", "Anna sings")
    assert (whole.tags, whole.entities) == (("music", "ben"), ("Anna",))
    assert (whole.source, whole.context, whole.project, whole.origin) == ("mail; chat", None, "choir", "ai")
    assert (whole.tier, whole.usage.created) == (Tier.SHORT_TERM, NOON - DAY)


def test_the_order_of_the_parts_changes_nothing() -> None:
    parts = [memory("b", "Two."), memory("a", "One."), memory("c", "Three.", usage=usage(created=NOON - DAY))]
    assert merged(parts, new_id="x", cohesion=1) == merged(parts[::-1], new_id="x", cohesion=1)


def test_the_caller_may_give_content_and_title() -> None:
    whole = merged(
        [memory("a"), memory("b")], new_id="c", cohesion=1, choices=Choices(content="All sing.", title="Choir")
    )
    assert (whole.content, whole.title) == ("All sing.", "Choir")


def test_one_long_term_part_makes_the_whole_long_term() -> None:
    assert merged([memory("a"), memory("b", tier=Tier.LONG_TERM)], new_id="c", cohesion=1).tier is Tier.LONG_TERM


@pytest.mark.parametrize(
    ("origins", "expected"),
    [
        ((None, None), None),
        ((None, "ai"), "ai"),
        (("ai", "web"), "web"),
        (("ai", "import"), "import"),
        (("x", "x"), "x"),
    ],
)
def test_the_least_trusted_origin_stays(origins: tuple[str | None, str | None], expected: str | None) -> None:
    parts = [memory(str(number), origin=origin) for number, origin in enumerate(origins)]
    assert merged(parts, new_id="c", cohesion=1).origin == expected


def test_different_projects_make_none() -> None:
    parts = [memory("a", project="one"), memory("b", project="two")]
    assert merged(parts, new_id="c", cohesion=1).project is None


def test_one_memory_cannot_be_merged() -> None:
    with pytest.raises(ValueError, match="at least two"):
        merged([memory("a")], new_id="c", cohesion=1)


def test_uses_add_up_and_each_save_counts_once() -> None:
    whole = merged_usage(
        [
            usage(use_count=4, days_used=3, strength=1.5, created=NOON - DAY, half_life_days=7, review_count=1),
            usage(use_count=2, days_used=2, last_used=NOON + DAY, pinned=True, review_count=2, last_review=NOON),
            usage(promoted=NOON, cross_domain_count=1),
        ]
    )
    assert (whole.created, whole.last_used) == (NOON - DAY, NOON + DAY)
    assert (whole.use_count, whole.days_used, whole.strength) == (5, 3, 1.5)
    assert (whole.pinned, whole.half_life_days, whole.promoted) == (True, 7, NOON)
    assert (whole.review_count, whole.last_review, whole.cross_domain_count) == (3, NOON, 1)


def test_unused_memories_merge_into_an_unused_one() -> None:
    whole = merged_usage([usage(), usage(), usage()])
    assert (whole.use_count, whole.half_life_days, whole.promoted, whole.last_review) == (1, None, None, None)


@pytest.mark.parametrize(
    ("strongest", "cohesion", "count", "expected"),
    [(1.0204, 0.9167, 3, 1.2954), (1.0, 1.0, 12, 1.5), (1.9, 1.0, 2, 2.0), (1.0, 0.0, 2, 1.0)],
)
def test_a_coherent_whole_is_stronger(strongest: float, cohesion: float, count: int, expected: float) -> None:
    parts = [usage(strength=strongest)] + [usage(strength=0.5)] * (count - 1)
    assert merged_usage(parts, cohesion=cohesion).strength == pytest.approx(expected, abs=5e-5)


@given(st.lists(st.builds(usage, use_count=st.integers(1, 99), strength=st.floats(0, 2)), min_size=2), st.floats(0, 1))
def test_merging_never_weakens_and_never_invents_a_use(parts: list[Usage], cohesion: float) -> None:
    whole = merged_usage(parts, cohesion=cohesion)
    assert max(part.strength for part in parts) <= whole.strength <= 2
    assert whole.use_count - 1 == sum(part.use_count - 1 for part in parts)


def test_relations_are_kept_once_and_not_among_the_parts() -> None:
    def related(target: str, strength: float = 1.0) -> Relation:
        return Relation(RelationType.RELATED, target, strength)

    parts = [
        memory("Anna", relations=(related("Ben", 0.5), related("Choir", 0.5))),
        memory("Ben", relations=(related("anna"), related("choir", 0.9), Relation(RelationType.CAUSES, "Choir"))),
    ]
    assert merged_relations(parts) == (related("choir", 0.9), Relation(RelationType.CAUSES, "Choir"))
