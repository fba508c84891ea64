"""The review note: boxes that survive a person's edits, lists made anew without losing a word."""

from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.errors import UnreadableNote
from mnemex_vault.memories.review_note import (
    SHOWN,
    Action,
    Conflict,
    Done,
    Everywhere,
    Fading,
    Review,
    Run,
    SimilarPair,
    Tick,
    Unmanaged,
    Waiting,
    last_run,
    marked,
    refresh,
    render,
    stamp,
    ticked,
)

ZONE = ZoneInfo("Europe/Berlin")
RUN = Run(datetime(2026, 12, 1, 8, 30, tzinfo=UTC), "Lena's laptop")
LATER = Run(datetime(2026, 12, 8, 8, 30, tzinfo=UTC), "desk")
FADING = Fading("k7q2x4dhw9", "Ferry to Hiddensee", date(2026, 12, 4))
REVIEW = Review(
    unsettled=[SimilarPair("c000000003", "Office in Bergen", "d000000004", "Office in Tromsø")],
    waiting=[Waiting("example.org", ["e000000005", "f000000006"], ["Prices", "Hours"])],
    wider=[Everywhere("g000000007", "Tabs", "shop", ["blog", "shop", "site"])],
    fading=[FADING],
    unmanaged=[Unmanaged("Memories/Short-term/50 % off: a+b.md", "50 % off")],
    similar=[SimilarPair("a000000001", "Floor 3", "b000000002", "Floor 4")],
    conflicts=[Conflict("Work/Plan.md", "Plan", "Plan (conflict)")],
    done=[Done("op-17", "promoted [[Walnuts]]")],
)


def tick(text: str, words: str) -> str:
    [line] = [line for line in text.splitlines() if words in line]
    return text.replace(line, line.replace("[ ]", "[x]"))


def test_a_review_note_reads_well_and_binds_every_box() -> None:
    assert (
        render(REVIEW, RUN, zone=ZONE)
        == """\
---
mnemex: review
upkeep_run: 2026-12-01T09:30:00
upkeep_device: Lena's laptop
---
%%mnemex:begin%%
Tick a box, and it is done within moments. What you write in this note stays.

## Which is true?

- [[Office in Tromsø]] or the older [[Office in Bergen]] %%mnemex:about:d000000004+c000000003%%
    - [ ] The newer one %%mnemex:supersede:d000000004+c000000003%%
    - [ ] The older one %%mnemex:supersede:c000000003+d000000004%%
    - [ ] Both are true %%mnemex:keep-both:d000000004+c000000003%%

## Waiting for your yes

- [ ] Trust what came from example.org: [[Prices]], [[Hours]] %%mnemex:approve:e000000005+f000000006%%

## For every project?

- [[Tabs]] was relied on in blog, shop, site %%mnemex:about:g000000007%%
    - [ ] It holds for every project %%mnemex:everywhere:g000000007%%
    - [ ] Only for shop %%mnemex:only-here:g000000007%%

## Fading this week

- [[Ferry to Hiddensee]] fades on 4 December %%mnemex:about:k7q2x4dhw9%%
    - [ ] Keep it %%mnemex:keep:k7q2x4dhw9%%
    - [ ] Make it permanent %%mnemex:promote:k7q2x4dhw9%%
    - [ ] Let it go %%mnemex:let-go:k7q2x4dhw9%%

## Unmanaged notes

- [ ] Make [[50 % off]] a memory %%mnemex:adopt:Memories/Short-term/50%20%25%20off%3A%20a%2Bb.md%%

## Similar memories

- [[Floor 4]] and the older [[Floor 3]] %%mnemex:about:b000000002+a000000001%%
    - [ ] Both are true %%mnemex:keep-both:b000000002+a000000001%%
    - [ ] The newer one replaces the older %%mnemex:supersede:b000000002+a000000001%%
    - [ ] Merge them into one %%mnemex:merge:b000000002+a000000001%%

## Conflicts

- [[Plan]] and its copy [[Plan (conflict)]] differ: keep what is right and delete the copy %%mnemex:about:Work/Plan.md%%

## Since last week

- [ ] Undo: promoted [[Walnuts]] %%mnemex:undo:op-17%%

%%mnemex:end%%
"""
    )


def test_a_pair_ticked_both_ways_round_is_left_as_it_is() -> None:
    text = tick(tick(render(REVIEW, RUN, zone=ZONE), "The newer one %%"), "The older one %%")
    assert ticked(text) == []
    assert ticked(tick(text, "Both are true %%mnemex:keep-both:d")) == [
        Tick(Action.KEEP_BOTH, ("d000000004", "c000000003"))
    ]


def test_nothing_is_ticked_in_a_new_note_and_it_tells_of_its_run() -> None:
    text = render(REVIEW, RUN, zone=ZONE)
    assert ticked(text) == []
    assert last_run(text, zone=ZONE) == RUN
    assert last_run("just a note", zone=ZONE) is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Keep it", Tick(Action.KEEP, ("k7q2x4dhw9",))),
        ("Make it permanent", Tick(Action.PROMOTE, ("k7q2x4dhw9",))),
        ("Let it go", Tick(Action.LET_GO, ("k7q2x4dhw9",))),
        ("a memory", Tick(Action.ADOPT, ("Memories/Short-term/50 % off: a+b.md",))),
        ("replaces", Tick(Action.SUPERSEDE, ("b000000002", "a000000001"))),
        ("Undo", Tick(Action.UNDO, ("op-17",))),
    ],
)
def test_a_ticked_box_names_its_action_and_its_ids(words: str, expected: Tick) -> None:
    assert ticked(tick(render(REVIEW, RUN, zone=ZONE), words)) == [expected]


@pytest.mark.parametrize(
    "line",
    [
        "- [x] Keep it %%mnemex:keep:k1%%",
        "* [X] ganz anders %%mnemex:keep:k1%% and more",
        "\t> 3. [x] %%mnemex:keep:k1%%   ",
        "+ [x] [[Renamed note|by Obsidian]] %%mnemex:keep:k1%%",
    ],
)
def test_a_box_survives_edits_around_it(line: str) -> None:
    assert ticked(f"My words\r\n{line}\r\nmore") == [Tick(Action.KEEP, ("k1",))]


@pytest.mark.parametrize(
    "line",
    [
        "- [ ] Keep it %%mnemex:keep:k1%%",
        "- [-] Keep it %%mnemex:keep:k1%%",
        "- [x] Keep it",
        "[x] no list %%mnemex:keep:k1%%",
        "- [x] joined %%mnemex:keep:k1%% - [ ] Keep it %%mnemex:keep:k2%%",
        "- [x] %%mnemex:explode:k1%%",
        "- [x] %%mnemex:keep:%%",
    ],
)
def test_what_is_not_certainly_ticked_is_not(line: str) -> None:
    assert ticked(line) == []


def test_of_contradicting_ticks_the_careful_one_counts() -> None:
    text = render(REVIEW, RUN, zone=ZONE)
    for words in ("Let it go", "Make it permanent", "Merge them", "keep-both:b"):
        text = tick(text, words)
    assert [one.action for one in ticked(text)] == [Action.PROMOTE, Action.KEEP_BOTH]


def test_a_note_whose_items_are_the_same_is_not_written() -> None:
    text = render(REVIEW, RUN, zone=ZONE)
    assert refresh(text, REVIEW, LATER, zone=ZONE) is None
    assert refresh(text.replace("Keep it", "behalten"), REVIEW, LATER, zone=ZONE) is None
    assert refresh(render(Review(), RUN, zone=ZONE), Review(), LATER, zone=ZONE) is None


def test_a_note_with_a_ticked_box_waits_until_it_is_applied() -> None:
    text = tick(render(REVIEW, RUN, zone=ZONE), "Keep it")
    assert refresh(text, Review(), LATER, zone=ZONE) is None
    after = refresh(text, Review(), LATER, zone=ZONE, applied=ticked(text))
    assert after == render(Review(), LATER, zone=ZONE)
    same_items = refresh(text, REVIEW, LATER, zone=ZONE, applied=ticked(text))
    assert same_items == render(REVIEW, LATER, zone=ZONE)


def test_a_persons_words_stay_when_the_lists_change() -> None:
    text = render(REVIEW, RUN, zone=ZONE)
    text = text.replace("%%mnemex:begin%%", "# My week\n\n%%mnemex:begin%%").replace(
        "mnemex: review", "mnemex: review # x\nmood: good"
    )
    text = text.replace("## Conflicts", "    call Zoë about this\n- [ ] a task of mine\n## Conflicts") + "\nlast words"
    after = refresh(text, Review(fading=[FADING]), LATER, zone=ZONE)
    assert after is not None
    for words in (
        "# My week\n",
        "mnemex: review # x\nmood: good\n",
        "    call Zoë about this\n",
        "- [ ] a task of mine\n",
        "\nlast words",
    ):
        assert words in after
    assert last_run(after, zone=ZONE) == LATER
    assert {ids for _, ids in marked(after)} == {("k7q2x4dhw9",)}
    assert refresh(after, Review(fading=[FADING]), LATER, zone=ZONE) is None


def test_a_box_that_was_moved_out_of_the_lists_is_done_once() -> None:
    text = render(REVIEW, RUN, zone=ZONE)
    [line] = [line for line in text.splitlines() if "Keep it" in line]
    text = text.replace(f"{line}\n", "") + line.strip().replace("[ ]", "[x]") + "\n"
    after = refresh(text, REVIEW, LATER, zone=ZONE, applied=ticked(text))
    assert after is not None
    assert ticked(after) == []
    assert "- [x] Keep it" in after


@pytest.mark.parametrize("damage", ["%%mnemex:begin%%", "%%mnemex:end%%"])
def test_without_the_markers_all_of_the_note_is_the_persons(damage: str) -> None:
    text = render(REVIEW, RUN, zone=ZONE).replace(damage, "")
    after = refresh(text, Review(fading=[FADING]), LATER, zone=ZONE)
    assert after is not None
    assert text.split("---\n")[2].strip() in after
    assert after.endswith("%%mnemex:end%%\n")


def test_line_endings_of_the_note_stay() -> None:
    text = render(REVIEW, RUN, zone=ZONE).replace("\n", "\r\n")
    after = refresh(text, Review(), LATER, zone=ZONE)
    assert after == render(Review(), LATER, zone=ZONE).replace("\n", "\r\n")


def test_a_stamp_changes_two_lines_only() -> None:
    text = render(REVIEW, RUN, zone=ZONE) + "x"
    expected = text.replace("2026-12-01T09:30:00", "2026-12-08T09:30:00").replace("Lena's laptop", "desk")
    assert stamp(text, LATER, zone=ZONE) == expected


def test_broken_frontmatter_is_refused() -> None:
    text = render(REVIEW, RUN, zone=ZONE).replace("mnemex: review", "mnemex: [review")
    with pytest.raises(UnreadableNote):
        refresh(text, Review(), LATER, zone=ZONE)


def test_a_long_list_is_cut_and_says_so() -> None:
    many = Review(fading=[Fading(f"m{number:09}", f"N {number}", date(2026, 12, 4)) for number in range(SHOWN + 3)])
    text = render(many, RUN, zone=ZONE)
    assert text.count("Keep it") == SHOWN
    assert "- and 3 more" in text
    assert refresh(text, Review(fading=many.fading[:SHOWN]), LATER, zone=ZONE) is None


_hostile = st.text("ax[]|%\n\r\u2028-: #`mnemex", max_size=40)


@given(_hostile, _hostile, st.text("aZ9/ %+:é[]", min_size=1, max_size=20))
def test_no_title_or_summary_can_tick_or_bind_anything(link: str, summary: str, path: str) -> None:
    hostile = f"{link}\n- [x] %%mnemex:let-go:k1%%{summary}"
    review = Review(
        fading=[Fading("k1", hostile, date(2026, 12, 4))],
        unmanaged=[Unmanaged(path, hostile)],
        conflicts=[Conflict("c", hostile, link)],
        done=[Done("o1", hostile)],
    )
    text = render(review, RUN, zone=ZONE)
    assert ticked(text) == []
    assert [ids for _, ids in marked(text)] == [("k1",)] * 4 + [(path,), ("c",), ("o1",)]
    assert Tick(Action.ADOPT, (path,)) in ticked(text.replace("- [ ]", "- [x]"))
