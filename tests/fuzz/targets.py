"""What is fuzzed, and what must hold for any bytes."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import InvalidInput, MnemexError, UnreadableNote
from mnemex_vault.importers.findings import Findings
from mnemex_vault.importers.memory_server import read_memory_server
from mnemex_vault.importers.predecessor import read_jsonl
from mnemex_vault.language.activation import recall_finding, reinforce_finding, save_finding
from mnemex_vault.language.secrets import find_secrets
from mnemex_vault.language.word_lists import Lexicon
from mnemex_vault.text import frontmatter, links
from mnemex_vault.text.inert_text import inert, original
from mnemex_vault.text.note import Note

ENGLISH = Lexicon.of()
SEEDS = Path(__file__).parent / "seeds"
NOTES = Path(__file__).parents[1] / "vectors" / "notes"
NOW = datetime(2026, 11, 29, 22, 30, tzinfo=UTC)


def frontmatter_target(data: bytes) -> None:
    """Any bytes are a note; an edit changes its key and nothing else, or is refused."""
    note = Note.parse("Note.md", data)
    assert isinstance(note.problems, tuple)
    if not note.text:
        return
    with suppress(UnreadableNote):
        note.memory(tier=Tier.SHORT_TERM, zone=UTC, undated=NOW)
    try:
        before = frontmatter.read(note.text)
        edited = frontmatter.edit(note.text, {"use_count": 7})
    except UnreadableNote:
        return
    after = frontmatter.read(edited)
    assert after.pop("use_count") == 7
    before.pop("use_count", None)
    # repr, since not-a-number is not equal to itself
    assert repr(after) == repr(before)


def links_target(data: bytes) -> None:
    """A link that is rewritten to itself leaves the text as it is."""
    text = data.decode("utf-8", "replace")
    found = links.links(text)
    assert all(0 <= link.start < link.end <= len(text) for link in found)
    try:
        renamed = links.rewrite(text, lambda link: "Other" if link.target else None)
    except (UnreadableNote, InvalidInput):
        return
    assert isinstance(links.links(renamed), list)


def active_content_target(data: bytes) -> None:
    """The escape can be undone."""
    text = data.decode("utf-8", "replace")
    assert original(inert(text)) == text


def secrets_target(data: bytes) -> None:
    """Every finding lies in the text, in order."""
    text = data.decode("utf-8", "replace")
    end = 0
    for secret in find_secrets(text):
        assert end <= secret.start < secret.end <= len(text)
        assert text.count("\n", 0, secret.start) + 1 == secret.line
        end = secret.end


def activation_target(data: bytes) -> None:
    """Any message gets a finding within its limits."""
    text = data.decode("utf-8", "replace")[:5_000]
    assert 0 <= save_finding(text, ENGLISH).strength <= 2
    recall_finding(text, ENGLISH)
    reinforce_finding(text, ENGLISH)


def importer_target(data: bytes) -> None:
    """Any bytes are a store of records and of lines that cannot be read; nothing else is raised."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "memories.jsonl"
        store.write_bytes(data)
        for found in (read_jsonl(store, store, zone=UTC), _graph(store)):
            for record in found.records if found else ():
                assert "\0" not in record.content.encode().decode()


def _graph(store: Path) -> Findings | None:
    try:
        return read_memory_server(store)
    except MnemexError:
        return None


TARGETS: dict[str, Callable[[bytes], None]] = {
    "frontmatter": frontmatter_target,
    "links": links_target,
    "active_content": active_content_target,
    "secrets": secrets_target,
    "activation": activation_target,
    "importer": importer_target,
}
