"""A note of any content is read without a crash, and knows what it is."""

import base64
import hashlib
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import UnreadableNote
from mnemex_vault.text.frontmatter import edit
from mnemex_vault.text.links import rewrite
from mnemex_vault.text.note import Note, NoteKind, etag

ODD: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "vectors" / "odd-notes.json").read_text("utf-8"))
NOW = datetime(2026, 12, 1, tzinfo=UTC)


def odd(name: str) -> Note:
    [case] = [case for case in ODD if case["name"] == name]
    return Note.parse(name, case["text"].encode() if "text" in case else base64.b64decode(case["bytes_base64"]))


def touched(note: Note) -> str:
    return edit(note.text, {"use_count": 7})


def targets(note: Note) -> list[str]:
    return [link.target for link in note.links]


@pytest.mark.row("H2", "H4", "T9", "T10")
@pytest.mark.parametrize("name", [case["name"] for case in ODD])
def test_an_odd_note_is_read_without_a_crash_and_touched_on_one_line_or_refused(name: str) -> None:
    note = odd(name)
    assert note.title
    assert isinstance(note.content + note.body, str)
    assert len(note.tags) + len(note.links) + len(note.headings) >= 0
    if note.kind is NoteKind.BINARY:
        assert note.text == ""
        return
    if note.unreadable_because:
        with pytest.raises(UnreadableNote):
            touched(note)
        return
    after = touched(note)
    assert after.replace("use_count: 7\n", "").removeprefix("---\n---\n") == note.text
    assert Note.parse(name, after.encode()).values == {**note.values, "use_count": 7}


@pytest.mark.row("H4")
def test_a_blob_is_never_decoded() -> None:
    note = odd("Locked Note.md")
    assert note.kind is NoteKind.BINARY
    assert note.problems == ("it is no text in UTF-8",)


@pytest.mark.parametrize(
    "name",
    [
        "Card Without End.md",
        "Dashboard.md",
        "Pandoc Style.md",
        "Missing Colon.md",
        "Handle.md",
        "Alias Quotes.md",
        "Bad Escape.md",
        "Templates/Film Template.md",
        "Templates/Log Template.md",
        "Fancy & Name.md",
        "Bom Crlf.md",
        "Twice.md",
        "Merge.md",
    ],
)
def test_a_note_that_cannot_be_parsed_is_listed_once_and_its_text_still_found(name: str) -> None:
    note = odd(name)
    assert note.kind is NoteKind.UNREADABLE
    assert len(note.problems) == 1
    assert note.text.endswith(note.body)


def test_links_of_odd_notes_are_found() -> None:
    assert targets(odd("Dashboard.md")) == ["Dashboard", "Page A"]
    assert targets(odd("Bare Link.md")) == ["Curve", "cover.jpg"]
    assert targets(odd("Truth Table.md")) == ["", "Graphs - trees", "pic.png"]
    assert targets(odd("Pipes.md")) == ["pic.png", "sample-plugin", "Note", "Spaced", "Draw/flow.excalidraw.md"]


def test_a_bare_link_in_frontmatter_is_rewritten_as_it_stands() -> None:
    text = rewrite(odd("Bare Link.md").text, lambda link: "Bow" if link.target == "Curve" else None)
    assert text == odd("Bare Link.md").text.replace("[[Curve]]", "[[Bow]]")


def test_a_table_keeps_its_escaped_pipes() -> None:
    note = odd("Truth Table.md")
    after = rewrite(note.text, lambda link: "T" if link.target == "Graphs - trees" else None)
    assert after == note.text.replace("Graphs - trees", "T")


def test_drawings_and_boards_are_foreign() -> None:
    assert odd("Deck.excalidraw.md").kind is NoteKind.FOREIGN
    assert odd("Board.md").kind is NoteKind.FOREIGN
    assert Note.parse("x.md", b"---\nkanban-plugin: basic\nx: [\n---\n").kind is NoteKind.FOREIGN
    assert Note.parse("x.EXCALIDRAW.md", b"---\nx: [\n---\n").kind is NoteKind.FOREIGN


@pytest.mark.row("T12")
def test_values_of_yaml_1_1_are_texts() -> None:
    values = odd("Clock.md").values
    assert (values["time"], values["seen"], values["tags"], values[""]) == ("14:33", "yes", "one, two", None)
    assert odd("Clock.md").tags == ("one", "two")


def test_a_note_without_a_name_has_a_title() -> None:
    assert Note.parse(".md", b"").title == ".md"
    assert Note.parse("a/B.MD", b"").title == "B"


def test_a_name_in_another_normal_form_is_the_same_title() -> None:
    note = Note.parse("a/E\u0301tude - a-b 3.md", "---\naliases: ['x', 'Étude: a/b']\n---\n".encode())
    assert note.title == "Étude: a/b"
    assert Note.parse("a/E\u0301tude.md", b"").title == "Étude"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("---\ntags: [a, Private]\n---\n", NoteKind.PRIVATE),
        ("---\ntags: private/x, y\n---\n", NoteKind.PRIVATE),
        ("---\nTag: private\n---\n", NoteKind.PRIVATE),
        ("---\nMnemex: false\n---\n", NoteKind.PRIVATE),
        ("text #PRIVATE/x", NoteKind.PRIVATE),
        ("---\nmnemex: 'No'\nmemory_id: k7\n---\n", NoteKind.PRIVATE),
        ("---\nmnemex: 0\n---\n", NoteKind.PRIVATE),
        ("---\nmnemex: [\nfalse\n---\n#private", NoteKind.PRIVATE),
        ("---\n'mnemex': off\nx: [\n---\n", NoteKind.PRIVATE),
        ("---\ntags:\n- private\n\nnever closed", NoteKind.PRIVATE),
        ("---\na: 1\n\nnever closed, and private matters", NoteKind.UNREADABLE),
        ("---\na: [privately\n---\n", NoteKind.UNREADABLE),
        ("```\n#private\n```", NoteKind.ORDINARY),
        ("---\ntags: [privately, not-private]\n---\n", NoteKind.ORDINARY),
        ("---\nmnemex: review\n---\n", NoteKind.GENERATED),
        ("---\nmnemex: review\nmemory_id: k7\n---\n", NoteKind.GENERATED),
        ("---\nmnemex: true\nmemory_id: k7\n---\n", NoteKind.MEMORY),
        ("---\nmnemex: ''\n---\n", NoteKind.ORDINARY),
        ("---\nmnemex:\n---\n", NoteKind.ORDINARY),
        ("---\nmemory_id: k7\n---\n", NoteKind.MEMORY),
        ("---\nmemory_id:\n---\n", NoteKind.ORDINARY),
    ],
)
def test_kinds(text: str, kind: NoteKind) -> None:
    assert Note.parse("x.md", text.encode()).kind is kind


def test_only_a_memory_can_be_read_as_one() -> None:
    for text in ("text", "---\nmnemex: review\nmemory_id: k7\n---\n", "---\nmemory_id: [\n---\n"):
        with pytest.raises(UnreadableNote) as caught:
            Note.parse("dir/x.md", text.encode()).memory(tier=Tier.SHORT_TERM, zone=UTC)
        assert caught.value.path == "dir/x.md"


def test_a_memory_without_dates_is_read_only_with_a_stand_in() -> None:
    note = Note.parse("x.md", b"---\nmemory_id: k7\n---\ntext")
    with pytest.raises(UnreadableNote, match="neither"):
        note.memory(tier=Tier.ARCHIVED, zone=UTC)
    memory = note.memory(tier=Tier.ARCHIVED, zone=UTC, undated=NOW)
    assert (memory.usage.created, memory.usage.last_used, memory.tier) == (NOW, NOW, Tier.ARCHIVED)


def test_problems_name_key_and_value() -> None:
    note = Note.parse("x.md", b"---\nmemory_id: k7\ncreated: 2026-01-02\nstrength: banana\ncontext: {a: 1}\n---\n")
    assert note.problems == (
        "last_used is no date between the years 1900 and 2200: missing",
        "strength is no number that can be used here: 'banana'",
        "context is no text: {'a': 1}",
    )


@pytest.mark.parametrize(
    "detail", ["[1]", "{", '{"type": 1}', '{"type": "supports", "target": "A", "strength": "x"}', "[" * 5000]
)
def test_a_relation_with_broken_details_is_still_a_relation(detail: str) -> None:
    text = f"---\nmemory_id: k7\ncreated: 2026-01-02\nlast_used: 2026-01-02\nsupports: '[[A]]'\nrelation_details: ['{detail}']\n---\n"
    note = Note.parse("x.md", text.encode())
    assert len(note.problems) == 1
    [relation] = note.memory(tier=Tier.SHORT_TERM, zone=UTC).relations
    assert (relation.target, relation.strength) == ("A", 1.0)


def test_a_note_knows_what_it_is_about() -> None:
    note = Note.parse("x.md", b"---\nentities: ['[[A]]', B]\norigin: web\ntags: [t]\n---\n# H\n#u [[C]]")
    assert (note.entities, note.origin, note.tags, targets(note)) == (("A", "B"), "web", ("t", "u"), ["A", "C"])
    assert [heading.text for heading in note.headings] == ["H"]


def test_a_fingerprint_is_32_digits_of_sha256() -> None:
    assert etag(b"x") == hashlib.sha256(b"x").hexdigest()[:32]
    assert Note.parse("x.md", b"x").etag == etag(b"x")


FRAGMENTS = st.sampled_from(
    [
        "---\n",
        "memory_id: k7\n",
        "created: ",
        "2026-01-02\n",
        "tags: ",
        "[",
        "]",
        "#private",
        "\n",
        "\r\n",
        "x",
        "[[A]]",
        "\ufeff",
        "use_count: ",
        "1e999\n",
        "-1\n",
        "relation_details: ",
        "'{}'\n",
        "supports: ",
        "- ",
        "aliases: ",
        "mnemex: ",
        "false\n",
        "pinned: ",
        "{",
        "}",
        "\t",
    ]
)


@pytest.mark.row("H4")
@given(st.one_of(st.binary(max_size=60), st.lists(FRAGMENTS, max_size=20).map(lambda parts: "".join(parts).encode())))
def test_any_bytes_are_a_note(data: bytes) -> None:
    note = Note.parse("Memories/Short-term/x.md", data)
    assert note.text.encode() == data or note.unreadable_because
    assert "\0" not in note.content
    for value in (note.title, note.tags, note.links, note.headings, note.problems, note.entities, note.content):
        assert value is not None
    if note.kind is NoteKind.MEMORY:
        memory = note.memory(tier=Tier.SHORT_TERM, zone=UTC, undated=NOW)
        assert memory.usage.use_count >= 1
        assert 0 <= memory.usage.strength <= 2
