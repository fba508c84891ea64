"""A memory becomes a note, and a change of it only the lines it touches."""

import json
import random
import secrets
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from unicodedata import normalize
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mnemex_vault.domain.memory import Memory, Relation, RelationType, Tier, Usage
from mnemex_vault.errors import InvalidInput
from mnemex_vault.text.fields import memory_changes, new_memory_id, render, replace_body, usage_changes
from mnemex_vault.text.file_names import file_stem
from mnemex_vault.text.frontmatter import edit, read
from mnemex_vault.text.links import rewrite
from mnemex_vault.text.note import Note, NoteKind
from mnemex_vault.text.values import ID_PATTERN
from mnemex_vault.text.yaml_core import resolve

ZONE = ZoneInfo("Europe/Berlin")
SAVED = datetime(2026, 11, 29, 21, 30, tzinfo=UTC)
FADES = date(2027, 1, 31)
MEMORY = Memory(
    id="k7q2x4dhw9",
    title="Prefers TypeScript over JavaScript",
    content="I prefer TypeScript over JavaScript.",
    usage=Usage(created=SAVED, last_used=SAVED, strength=1.3),
    tags=("preferences", "typescript"),
    entities=("TypeScript", "JavaScript"),
    relations=(Relation(RelationType.SUPPORTS, "Frontend stack"),),
    source="conversation",
    origin="ai",
    session="frontend planning",
)
EXAMPLE = """---
tags:
  - preferences
  - typescript
entities:
  - "[[TypeScript]]"
  - JavaScript
supports:
  - "[[Frontend stack]]"
source: conversation
origin: ai
pinned: false
fades_on: 2027-01-31
created: 2026-11-29T22:30:00
last_used: 2026-11-29T22:30:00
use_count: 1
strength: 1.3
session: frontend planning
memory_id: k7q2x4dhw9
---
I prefer TypeScript over JavaScript.
"""


def parsed(text: str, path: str = "Memories/Short-term/Prefers TypeScript over JavaScript.md") -> Note:
    return Note.parse(path, text.encode())


def read_back(text: str, memory: Memory) -> Memory:
    return parsed(text, f"{file_stem(memory.title)}.md").memory(tier=memory.tier, zone=ZONE)


def test_a_new_note_is_the_example_of_the_note_format() -> None:
    assert render(MEMORY, zone=ZONE, fades_on=FADES, linked={"TypeScript"}) == EXAMPLE


def test_the_example_is_read_back_as_the_memory() -> None:
    assert parsed(EXAMPLE).memory(tier=Tier.SHORT_TERM, zone=ZONE) == MEMORY


def test_a_title_that_is_no_file_name_becomes_an_alias() -> None:
    memory = replace(MEMORY, title="What: a/b?", aliases=("Other",))
    text = render(memory, zone=ZONE, fades_on=FADES)
    assert read(text)["aliases"] == ["What: a/b?", "Other"]
    assert read_back(text, memory) == memory
    numbered = render(memory, zone=ZONE, fades_on=FADES, stem="What - a-b 2")
    assert parsed(numbered, "x/What - a-b 2.md").memory(tier=Tier.SHORT_TERM, zone=ZONE) == memory


def test_a_shortened_and_numbered_name_still_has_its_title() -> None:
    title = "A title that is so long that it does not fit into sixty characters at all"
    text = render(replace(MEMORY, title=title), zone=ZONE, fades_on=FADES, stem=f"{file_stem(title)[:56]} 12")
    assert parsed(text, f"{file_stem(title)[:56]} 12.md").title == title


def test_all_keys_stand_in_the_order_of_the_note_format() -> None:
    usage = replace(
        MEMORY.usage,
        days_used=2,
        half_life_days=7.0,
        review_count=1,
        last_review=SAVED,
        cross_domain_count=1,
        promoted=SAVED,
    )
    relations = (
        Relation(RelationType.SPLIT_FROM, "S"),
        Relation(RelationType.RELATED, "R", 0.5, {"note": 'it\'s "odd"', "when": SAVED}),
        Relation(RelationType.RELATED, "Q"),
    )
    memory = replace(MEMORY, title="a/b", usage=usage, relations=relations, project="p", context="c")
    text = render(memory, zone=ZONE, fades_on=FADES)
    assert list(read(text)) == [
        "tags",
        "aliases",
        "entities",
        "project",
        "related",
        "split_from",
        "relation_details",
        "source",
        "context",
        "origin",
        "pinned",
        "half_life_days",
        "fades_on",
        "created",
        "last_used",
        "use_count",
        "days_used",
        "strength",
        "review_count",
        "last_review",
        "cross_domain_count",
        "promoted",
        "session",
        "memory_id",
    ]
    back = read_back(text, memory)
    assert [(item.type, item.target, item.strength) for item in back.relations] == [
        (RelationType.RELATED, "R", 0.5),
        (RelationType.RELATED, "Q", 1.0),
        (RelationType.SPLIT_FROM, "S", 1.0),
    ]
    assert back.relations[0].metadata == {"note": 'it\'s "odd"', "when": str(SAVED)}
    assert back.usage == usage


def test_a_pinned_or_long_term_memory_shows_no_day_of_fading() -> None:
    pinned = replace(MEMORY, usage=replace(MEMORY.usage, pinned=True))
    assert "fades_on" not in read(render(pinned, zone=ZONE, fades_on=FADES))
    kept = read(render(replace(MEMORY, tier=Tier.LONG_TERM), zone=ZONE, fades_on=FADES))
    assert "fades_on" not in kept
    assert "pinned" not in kept


def test_a_vault_that_types_a_key_as_date_gets_dates() -> None:
    values = read(render(MEMORY, zone=ZONE, fades_on=FADES, date_keys={"created"}))
    assert values["created"] == "2026-11-29"
    assert values["last_used"] == "2026-11-29T22:30:00"


def test_what_no_note_can_hold_is_refused() -> None:
    for memory in (replace(MEMORY, content="a\0"), replace(MEMORY, source="\ud800"), replace(MEMORY, tags=("\0",))):
        with pytest.raises(InvalidInput):
            render(memory, zone=ZONE, fades_on=None)


@pytest.mark.row("T11", "T12")
def test_a_use_changes_only_its_lines() -> None:
    used = replace(MEMORY.usage, last_used=SAVED + timedelta(days=2), use_count=2, days_used=2)
    changes = usage_changes(used, tier=Tier.SHORT_TERM, zone=ZONE, fades_on=date(2027, 3, 1), old=MEMORY.usage)
    after = edit(EXAMPLE, changes)
    assert after == EXAMPLE.replace("fades_on: 2027-01-31", "fades_on: 2027-03-01").replace(
        "last_used: 2026-11-29", "last_used: 2026-12-01"
    ).replace("use_count: 1", "use_count: 2").replace(
        "memory_id: k7q2x4dhw9\n", "memory_id: k7q2x4dhw9\ndays_used: 2\n"
    )


@pytest.mark.row("H1")
def test_an_unreadable_value_stays_as_the_person_wrote_it() -> None:
    text = EXAMPLE.replace("strength: 1.3", "strength: banana").replace("pinned: false", "pinned: no # mine")
    note = parsed(text)
    old = note.memory(tier=Tier.SHORT_TERM, zone=ZONE).usage
    used = replace(old, use_count=2)
    changes = usage_changes(used, tier=Tier.SHORT_TERM, zone=ZONE, fades_on=FADES, old=old, values=note.values)
    assert edit(text, changes) == text.replace("use_count: 1", "use_count: 2")


def test_a_promotion_removes_the_day_of_fading_and_nothing_else() -> None:
    promoted = replace(MEMORY.usage, promoted=SAVED)
    changes = usage_changes(promoted, tier=Tier.LONG_TERM, zone=ZONE, fades_on=FADES, old=MEMORY.usage)
    assert edit(EXAMPLE, changes) == EXAMPLE.replace("fades_on: 2027-01-31\n", "").replace(
        "memory_id: k7q2x4dhw9\n", "memory_id: k7q2x4dhw9\npromoted: 2026-11-29T22:30:00\n"
    )


def test_a_demoted_memory_can_be_pinned_with_one_tap_again() -> None:
    usage = MEMORY.usage
    assert usage_changes(usage, tier=Tier.SHORT_TERM, zone=ZONE, fades_on=None, old=usage, values={}) == {
        "fades_on": None,
        "pinned": False,
    }


def test_without_the_old_usage_all_keys_are_given() -> None:
    changes = usage_changes(MEMORY.usage, tier=Tier.LONG_TERM, zone=ZONE, fades_on=None)
    assert "created" not in changes
    assert edit(EXAMPLE, changes) == EXAMPLE.replace("fades_on: 2027-01-31\n", "").replace("pinned: false\n", "")


def test_unpinning_is_written() -> None:
    pinned = replace(MEMORY.usage, pinned=True)
    changes = usage_changes(MEMORY.usage, tier=Tier.LONG_TERM, zone=ZONE, fades_on=None, old=pinned)
    assert changes["pinned"] is False


def test_lists_keep_the_spelling_of_items_that_stay() -> None:
    text = EXAMPLE.replace("  - preferences\n", '  - "#preferences" # mine\n').replace(
        '"[[TypeScript]]"', '"[[Languages/TypeScript|TS]]"'
    )
    note = parsed(text)
    old = note.memory(tier=Tier.SHORT_TERM, zone=ZONE)
    new = replace(
        old,
        tags=("preferences", "new"),
        entities=(*old.entities, "Deno"),
        relations=(*old.relations, Relation(RelationType.CAUSES, "X", 0.5)),
        source=None,
    )
    changes = memory_changes(old, new, zone=ZONE, fades_on=FADES, values=note.values, stem=note.stem)
    assert edit(text, changes) == text.replace("  - typescript\n", "  - new\n").replace(
        "  - JavaScript\n", "  - JavaScript\n  - Deno\n"
    ).replace("source: conversation\n", "").replace(
        "memory_id: k7q2x4dhw9\n",
        'memory_id: k7q2x4dhw9\ncauses:\n  - "[[X]]"\nrelation_details:\n'
        '  - \'{"type": "causes", "target": "[[X]]", "strength": 0.5}\'\n',
    )


def test_no_change_of_a_memory_is_no_change_of_its_note() -> None:
    text = EXAMPLE.replace("tags:\n  - preferences\n  - typescript\n", "tags: preferences, typescript # c\n")
    note = parsed(text)
    memory = note.memory(tier=Tier.SHORT_TERM, zone=ZONE)
    changes = memory_changes(memory, memory, zone=ZONE, fades_on=FADES, values=note.values, stem=note.stem)
    assert changes == {"fades_on": "2027-01-31"}
    assert edit(text, changes) == text


def test_the_details_of_a_relation_follow_a_renamed_note() -> None:
    relation = Relation(RelationType.SUPPORTS, "Frontend stack", 0.5, {"why": "it's so"})
    text = render(replace(MEMORY, relations=(relation,)), zone=ZONE, fades_on=FADES)
    renamed = rewrite(text, lambda link: "Web stack" if link.target == "Frontend stack" else None)
    assert parsed(renamed).memory(tier=Tier.SHORT_TERM, zone=ZONE).relations == (replace(relation, target="Web stack"),)


def test_an_alias_in_other_letters_is_no_title() -> None:
    text = EXAMPLE.replace("aliases:", "").replace("tags:", "aliases: [prefers typescript over javascript]\ntags:")
    assert parsed(text).title == MEMORY.title


def test_a_new_title_becomes_the_alias_of_the_new_name() -> None:
    old = MEMORY
    new = replace(old, title="A: b")
    changes = memory_changes(old, new, zone=ZONE, fades_on=FADES, values=parsed(EXAMPLE).values, stem="A - b")
    assert changes["aliases"] == ["A: b"]


def test_ids_are_letters_and_digits_and_never_numbers() -> None:
    choose = random.Random(7).choice
    ids = {new_memory_id(choose) for _ in range(500)} | {new_memory_id(secrets.choice)}
    assert len(ids) == 501
    for identity in ids:
        assert ID_PATTERN.fullmatch(identity)
        assert len(identity) == 10
        assert identity[0].isalpha()
        assert not set(identity) & set("ilou")
        assert resolve(identity) == identity


LINES = st.text(st.characters(blacklist_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=30).map(str.strip)
WORDS = st.text("abcé日-_/9😀", min_size=1, max_size=12)
CONTENTS = st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"), max_size=80)
TIMES = st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)).map(
    lambda naive: naive.replace(tzinfo=UTC, microsecond=0)
)


@st.composite
def memories(draw: st.DrawFn) -> Memory:
    usage = Usage(
        created=draw(TIMES),
        last_used=draw(TIMES),
        use_count=draw(st.integers(1, 1000)),
        days_used=draw(st.integers(1, 50)),
        strength=draw(st.integers(0, 200)) / 100,
        pinned=draw(st.booleans()),
        half_life_days=draw(st.none() | st.floats(0.5, 100)),
    )
    return Memory(
        id=draw(st.from_regex(ID_PATTERN, fullmatch=True).filter(lambda text: isinstance(resolve(text), str))),
        title=draw(LINES.filter(bool)),
        content=draw(CONTENTS | st.sampled_from(["---\na: 1\n---\nx", "---", "a\r\nb\r\n", "\n\n", "x\n", "\ufeff"])),
        usage=usage,
        tags=tuple(draw(st.lists(WORDS, unique=True, max_size=3))),
        entities=tuple(draw(st.lists(WORDS, unique=True, max_size=3))),
        relations=tuple(
            Relation(RelationType.RELATED, name) for name in draw(st.lists(WORDS, unique=True, max_size=2))
        ),
        project=draw(LINES) or None,
        source=draw(LINES) or None,
        context=draw(LINES) or None,
        session=draw(LINES) or None,
    )


@given(memories())
@example(Memory(id="A", title="\uf900", content="", usage=Usage(created=SAVED, last_used=SAVED)))
def test_every_memory_comes_back_from_its_note(memory: Memory) -> None:
    text = render(memory, zone=UTC, fades_on=FADES)
    note = parsed(text, f"x/{file_stem(memory.title)}.md")
    assert note.kind in (NoteKind.MEMORY, NoteKind.PRIVATE)
    assert note.problems == ()
    back = note.memory(tier=memory.tier, zone=UTC)
    assert back.content == memory.content
    assert back.usage == memory.usage
    # a name of a file is composed, and a title that says the same is not written beside it
    memory = replace(memory, title=normalize("NFC", memory.title))
    assert back == memory or file_stem(memory.title) == memory.title.strip() or back.title == memory.title


@given(memories(), memories())
def test_every_memory_can_be_changed_into_any_other(old: Memory, new: Memory) -> None:
    new = replace(new, id=old.id, usage=replace(new.usage, created=old.usage.created))
    text = render(old, zone=UTC, fades_on=FADES)
    stem = file_stem(new.title)
    values = read(text)
    changes = memory_changes(old, new, zone=UTC, fades_on=FADES, values=values, stem=stem)
    after = replace_body(edit(text, changes), new.content)
    back = parsed(after, f"{stem}.md").memory(tier=new.tier, zone=UTC)
    assert (back.content, back.usage, back.tags, back.entities) == (new.content, new.usage, new.tags, new.entities)
    assert (back.project, back.source, back.context, back.session) == (
        new.project,
        new.source,
        new.context,
        new.session,
    )
    assert set(back.relations) == set(new.relations)
    assert json.dumps(list(read(after))) != ""
