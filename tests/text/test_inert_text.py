"""What a stranger writes is inert in the note, and comes back exactly."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.domain.memory import Memory, Tier, Usage
from mnemex_vault.text.fields import render
from mnemex_vault.text.inert_text import JOINER, as_given, as_written, inert, original, with_joiners_doubled
from mnemex_vault.text.note import Note

SECURITY = Path(__file__).parents[1] / "vectors" / "security"
CORPUS: dict[str, Any] = json.loads((SECURITY / "active_content.json").read_text(encoding="utf-8"))
SHARED: list[dict[str, str]] = json.loads((SECURITY.parent / "inert.json").read_text(encoding="utf-8"))
SLOW: dict[str, Any] = json.loads((SECURITY / "slow.json").read_text(encoding="utf-8"))
NOW = datetime(2026, 11, 29, 22, 30, tzinfo=UTC)
FRAGMENTS = [
    "<%", "%>", "`", "```", "~~~", "dataviewjs", "js", "\n", "\r\n", " ", "!", "[", "[[", "](", "]:", "javascript", ":",
    "java\tscript", "&#58;", "&colon;", "&amp;", "<img src=x>", "<b>", "<", JOINER, JOINER * 2, "=", "$=", "\\",
    "\\style", "data:", "file://", "http://", "é", "a", "---", "\t",
]  # fmt: skip
texts = st.one_of(st.text(), st.lists(st.sampled_from(FRAGMENTS), max_size=15).map("".join))


def named(case: dict[str, str]) -> str:
    return case["name"]


@pytest.mark.row("J3", "S14", "S15")
@pytest.mark.parametrize("case", CORPUS["cases"], ids=named)
def test_what_a_plugin_would_run_or_load_is_broken(case: dict[str, str]) -> None:
    assert re.search(case["active"], case["text"])
    assert not re.search(case["active"], inert(case["text"]))
    assert original(inert(case["text"])) == case["text"]


@pytest.mark.parametrize("text", CORPUS["harmless"])
def test_harmless_text_stays_as_it_is(text: str) -> None:
    assert inert(text) == text


@given(texts)
def test_the_escape_can_always_be_undone(text: str) -> None:
    assert original(inert(text)) == text
    assert original(with_joiners_doubled(text)) == text


@pytest.mark.parametrize(("written", "given"), json.loads((SECURITY / "given.json").read_text("utf-8"))["pairs"])
def test_what_was_given_is_read_out_of_what_is_written(written: str, given: str) -> None:
    assert as_given(written, "web") == original(written) == given
    assert as_given(written, None) == written


@given(texts)
def test_only_joiners_are_added(text: str) -> None:
    assert inert(text).replace(JOINER, "") == text.replace(JOINER, "")


@given(texts)
def test_a_persons_own_text_is_never_touched(text: str) -> None:
    assert as_written(text, None, neutralise=True) == text
    assert as_written(text, "user", neutralise=True) == text
    assert as_given(text, None) == text


@pytest.mark.row("J8", "S11")
@pytest.mark.parametrize("piece", SLOW["escape"])
def test_a_long_text_of_anything_comes_back_exactly(piece: str) -> None:
    text = piece * (100_000 // len(piece))
    assert original(inert(text)) == text


def on_one_line(text: str) -> str:
    return " ".join("".join(each if each.isprintable() or each == JOINER else " " for each in text).split()) or "x"


@given(content=texts.filter(lambda text: "\0" not in text), neutralise=st.booleans())
@pytest.mark.parametrize("origin", ["ai", "web", "import", None])
def test_a_note_gives_back_what_was_saved(origin: str | None, content: str, neutralise: bool) -> None:
    usage = Usage(created=NOW, last_used=NOW)
    told = on_one_line(content)
    memory = Memory(
        id="k7q2x4dhw9",
        title="A title",
        content=content,
        usage=usage,
        origin=origin,
        source=told,
        context=told,
        project=told,
        session=told,
    )
    text = render(memory, zone=UTC, fades_on=None, neutralise=neutralise)
    note = Note.parse("Memories/Short-term/A title.md", text.encode())
    back = note.memory(tier=Tier.SHORT_TERM, zone=UTC)
    assert (back.content, back.source, back.context, back.project, back.session) == (content, told, told, told, told)


@pytest.mark.parametrize("case", CORPUS["cases"], ids=named)
def test_properties_are_inert_as_well(case: dict[str, str]) -> None:
    one_line = " ".join(case["text"].split())
    memory = Memory(
        id="k7q2x4dhw9",
        title=one_line,
        content="x",
        usage=Usage(created=NOW, last_used=NOW),
        entities=(one_line,),
        origin="web",
        source=one_line,
        context=one_line,
        project=one_line,
        session=one_line,
    )
    text = render(memory, zone=UTC, fades_on=None, stem="x")
    if re.search(case["active"], one_line):
        assert not re.search(case["active"], text)
    back = Note.parse("x.md", text.encode()).memory(tier=Tier.SHORT_TERM, zone=UTC)
    assert back.source == one_line
    assert back.entities == (one_line,) or one_line.startswith("![[")


@pytest.mark.parametrize("case", SHARED, ids=lambda case: case["text"][:40])
def test_what_the_plugin_is_held_to_is_what_the_server_writes(case: dict[str, str]) -> None:
    assert inert(case["text"]) == case["inert"]
    assert original(case["inert"]) == case["text"]
