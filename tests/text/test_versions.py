from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.memory import Memory, Usage
from mnemex_vault.domain.reinforcement import use
from mnemex_vault.errors import UnreadableNote
from mnemex_vault.text.fields import render
from mnemex_vault.text.note import Note
from mnemex_vault.text.versions import Versions, aligned, merged_usage, with_all_added

NOON = datetime(2026, 11, 29, 12, tzinfo=UTC)
BASE = Memory(
    id="k7q2x4dhw9",
    title="Well",
    content="The well is behind the barn.",
    usage=Usage(created=NOON, last_used=NOON),
    tags=("farm", "water"),
)


def text(memory: Memory) -> str:
    return render(memory, zone=UTC, fades_on=None)


def used(memory: Memory, hours: list[int]) -> Memory:
    usage = memory.usage
    for each in hours:
        usage = use(usage, now=NOON + timedelta(hours=each), zone=UTC)
    return replace(memory, usage=usage)


def merged(base: Memory, ours: Memory, theirs: Memory) -> tuple[Note, Versions]:
    versions = aligned("Well.md", Versions(text(base), text(ours), text(theirs)), zone=UTC)
    return Note.parse("Well.md", versions.ours.encode()), versions


def test_uses_of_both_sides_add_up_and_the_latest_counts() -> None:
    note, _ = merged(BASE, used(BASE, [1, 2]), used(BASE, [3, 30, 60]))
    assert note.values["use_count"] == 6
    assert note.values["last_used"] == "2026-12-02T00:00:00"
    assert note.values["days_used"] == 3


def test_the_three_versions_have_the_same_bookkeeping_afterwards() -> None:
    _, versions = merged(BASE, used(BASE, [1, 2]), used(BASE, [3]))
    assert versions.base == versions.ours == versions.theirs


def test_lists_are_united_and_what_one_side_took_away_is_gone() -> None:
    note, _ = merged(BASE, replace(BASE, tags=("farm", "water", "old")), replace(BASE, tags=("farm", "new")))
    assert note.values["tags"] == ["farm", "old", "new"]


def test_a_persons_own_lines_are_left_to_the_text_merge() -> None:
    ours = text(BASE).replace("---\n", "---\nmood: good # mine\n", 1)
    versions = aligned("Well.md", Versions(text(BASE), ours, text(used(BASE, [1]))), zone=UTC)
    assert "mood: good # mine\n" in versions.ours
    assert "mood" not in versions.theirs


def test_what_is_no_memory_or_another_one_is_refused() -> None:
    with pytest.raises(UnreadableNote):
        aligned("Well.md", Versions("One.\n", text(BASE), text(BASE)), zone=UTC)
    with pytest.raises(UnreadableNote):
        aligned("Well.md", Versions(text(BASE), text(replace(BASE, id="other")), text(BASE)), zone=UTC)


@given(st.lists(st.integers(1, 500), max_size=5), st.lists(st.integers(1, 500), max_size=5))
def test_merging_is_exact_and_the_same_from_both_sides(ours: list[int], theirs: list[int]) -> None:
    one, other = used(BASE, sorted(ours)).usage, used(BASE, sorted(theirs)).usage
    here, there = merged_usage(BASE.usage, one, other), merged_usage(BASE.usage, other, one)
    assert here == there
    assert here.use_count == 1 + len(ours) + len(theirs)
    assert here.last_used == max(one.last_used, other.last_used)


def test_a_day_of_fading_that_one_side_took_away_stays_away() -> None:
    fading = text(BASE).replace("use_count", "fades_on: 2027-01-01\nuse_count", 1)
    promoted = text(replace(BASE, usage=replace(BASE.usage, promoted=NOON)))
    later = text(used(BASE, [1])).replace("use_count", "fades_on: 2027-02-01\nuse_count", 1)
    versions = aligned("Well.md", Versions(fading, promoted, later), zone=UTC)
    assert "fades_on" not in versions.ours + versions.theirs + versions.base
    versions = aligned("Well.md", Versions(fading, fading, later), zone=UTC)
    assert "fades_on: 2027-02-01" in versions.ours


FADING = text(BASE).replace("memory_id: k7q2x4dhw9\n", "memory_id: k7q2x4dhw9\nfades_on: 2027-01-01\n")
PROMOTED = text(BASE).replace("memory_id: k7q2x4dhw9\n", "memory_id: k7q2x4dhw9\npromoted: 2026-11-30T12:00:00\n")


def test_a_key_that_each_side_put_to_the_end_is_no_conflict() -> None:
    ours = FADING.replace("---\n", "---\nmood: good # mine\n", 1)
    versions = aligned("Well.md", Versions(text(BASE), ours, PROMOTED), zone=UTC)
    here, there = (Note.parse("Well.md", each.encode()) for each in (versions.ours, versions.theirs))
    assert {**here.values, "mood": None} == {**there.values, "mood": None}
    versions = aligned("Well.md", Versions(text(BASE), FADING, PROMOTED), zone=UTC)
    assert versions.base == versions.ours == versions.theirs


def test_a_property_that_one_side_changed_is_changed() -> None:
    note, versions = merged(BASE, replace(BASE, project="Farm"), replace(BASE, context="By Ann"))
    assert (note.values["project"], note.values["context"]) == ("Farm", "By Ann")
    assert versions.base == versions.ours == versions.theirs


def test_a_property_that_both_changed_is_left_to_the_text_merge() -> None:
    _, versions = merged(BASE, replace(BASE, project="Farm"), replace(BASE, project="House"))
    assert "project: Farm" in versions.ours
    assert "project: House" in versions.theirs
    assert "project" not in versions.base


def body(*paragraphs: str) -> str:
    return "\n\n".join(paragraphs) + "\n"


@pytest.mark.parametrize(
    ("ours", "theirs", "whole"),
    [
        (body("One.", "Here.", "Two."), body("One.", "Two.", "There."), body("One.", "Here.", "Two.", "There.")),
        (body("One.", "Here.", "Two."), body("One.", "There.", "Two."), body("One.", "Here.", "There.", "Two.")),
        (
            body("One.", "Both.", "Two."),
            body("One.", "Both.", "There.", "Two."),
            body("One.", "Both.", "There.", "Two."),
        ),
        (
            body("One.", "Two.") + "- here\n",
            body("One.", "Two.") + "- there\n",
            body("One.", "Two.") + "- here\n- there\n",
        ),
    ],
)
def test_what_each_side_added_stays_once(ours: str, theirs: str, whole: str) -> None:
    assert with_all_added(body("One.", "Two."), ours, theirs) == whole


@pytest.mark.parametrize(
    "theirs",
    [
        body("One, otherwise.", "Two."),
        body("Two."),
        # the same sentence before and behind another one
        body("One.", "There.", "Here.", "Two."),
    ],
)
def test_what_was_changed_taken_out_or_moved_has_to_be_chosen(theirs: str) -> None:
    assert with_all_added(body("One.", "Two."), body("One.", "Here.", "Two."), theirs) is None


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=6))
def test_no_line_of_either_side_is_lost_or_doubled(added: list[tuple[int, bool]]) -> None:
    base = ["One.", "Two.", "Three."]
    sides: dict[bool, list[str]] = {True: [*base], False: [*base]}
    for number, (place, ours) in enumerate(added):
        sides[ours].insert(place, f"Added {number}.")
    whole = with_all_added(body(*base), body(*sides[True]), body(*sides[False]))
    assert whole is not None
    expected = [*base, *(f"Added {number}." for number in range(len(added)))]
    assert sorted(filter(None, whole.split("\n"))) == sorted(expected)
