from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.app import App, open_app
from mnemex_vault.memories.enrichment import TagIndex, TagsInUse, topic_words

WORDS = ["tea", "Tea", "garden", "Garden", "tools"]
TAG = st.lists(st.sampled_from(WORDS), min_size=1, max_size=2).map("-".join)
NESTED = st.one_of(TAG, TAG.map("area/{}".format), TAG.map("private/{}".format))


@given(st.lists(NESTED, max_size=8), st.sets(st.sampled_from([word.casefold() for word in WORDS])))
def test_looking_up_finds_what_looking_through_all_tags_does(tags: list[str], said: set[str]) -> None:
    index = TagIndex.of(tags)
    found = index.said(said, tags.count)
    folded = {
        tag.casefold() for tag in tags if topic_words(tag.casefold()) and said >= set(topic_words(tag.casefold()))
    }
    assert sorted(tag.casefold() for tag in found) == sorted(folded)
    counts = [tags.count(tag) for tag in found]
    assert counts == sorted(counts, reverse=True)
    for tag in found:
        assert tags.count(tag) == max(tags.count(other) for other in tags if other.casefold() == tag.casefold())


@pytest.fixture
def tagged(app: App, vault: Path) -> App:
    def write(path: str, tags: Iterable[str]) -> None:
        (vault / path).parent.mkdir(parents=True, exist_ok=True)
        (vault / path).write_text(f"---\ntags: [{', '.join(tags)}]\n---\n", encoding="utf-8")

    write("A.md", ["Tea", "garden"])
    write("B.md", ["Tea"])
    write("Kept/C.md", ["tea", "Garden"])
    write("Kept/D.md", ["tea", "Garden"])
    write("Kept/E.md", ["tea", "secret"])
    app.follow(None)
    return app


def test_the_spelling_of_most_notes_counts_and_follows_them(tagged: App, vault: Path) -> None:
    tags = TagsInUse(tagged.store)
    assert [tags.spelled(tag) for tag in ("TEA", "garden", "coffee")] == ["tea", "Garden", None]
    for name in ("C", "D"):
        (vault / f"Kept/{name}.md").unlink()
    tagged.follow(None)
    assert [tags.spelled(tag) for tag in ("TEA", "garden")] == ["Tea", "garden"]


def test_tags_of_notes_outside_the_read_scope_do_not_count(
    tagged: App, vault: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    (vault / "Out").mkdir()
    for note in vault.glob("*.md"):
        note.rename(vault / "Out" / note.name)
    with open_app(vault, environ=environ, options={"read_paths": ["Out"]}) as narrowed:
        tags = TagsInUse(narrowed.store)
        assert [tags.spelled(tag) for tag in ("tea", "garden", "secret")] == ["Tea", "garden", None]
        assert tags.said({"secret", "tea"}) == ["Tea"]
