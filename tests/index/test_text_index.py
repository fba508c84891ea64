from __future__ import annotations

import dataclasses
from datetime import UTC, datetime
from pathlib import Path

import pytest

from mnemex_vault.errors import IndexUnavailable
from mnemex_vault.index.text_index import Document, TextIndex, parse

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def note(path: str, body: str, **fields: object) -> Document:
    plain = Document(
        path=path,
        etag=f"etag of {body}",
        title="",
        aliases=(),
        tags=(),
        entities=(),
        headings=(),
        body=body,
        source=None,
        created=None,
        project=None,
    )
    return dataclasses.replace(plain, **fields)  # type: ignore[arg-type]


def found(index: TextIndex, question: str) -> list[str]:
    relevance = index.relevance(parse(question, now=NOW))
    return sorted(relevance, key=lambda path: (-relevance[path], path))


def test_a_staged_note_is_found_at_once_and_nothing_is_written(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    index.stage([note("a.md", "The zebra crossed the river.")])
    assert found(index, "Where is the zebra?") == ["a.md"]
    assert dict(index.committed()) == {}
    assert index.pending == 1


def test_a_flush_commits_what_was_staged_and_the_scores_stay_the_same(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    index.stage([note(f"{i}.md", f"apple {'pear ' * i} number{i}", tags=("fruit",)) for i in range(30)])
    question = parse("apple pear number7 tag:fruit", now=NOW)
    before = index.relevance(question)
    result = index.flush()
    assert len(result.committed) == 30
    assert index.pending == 0
    assert index.relevance(question) == pytest.approx(before)
    assert len(before) == 30


def test_a_note_staged_anew_counts_once_with_its_new_text(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    index.stage([note("a.md", "zebra"), note("b.md", "zebra lion")])
    index.flush()
    index.stage([note("a.md", "giraffe")])
    assert found(index, "zebra") == ["b.md"]
    assert found(index, "giraffe") == ["a.md"]
    index.flush()
    assert found(index, "zebra") == ["b.md"]
    assert found(index, "giraffe") == ["a.md"]
    assert dict(index.committed()) == {"a.md": "etag of giraffe", "b.md": "etag of zebra lion"}


def test_a_removed_note_is_gone_at_once_and_stays_gone(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    index.stage([note("a.md", "zebra"), note("b.md", "zebra")])
    index.flush()
    index.stage([], ["a.md"])
    assert found(index, "zebra") == ["b.md"]
    assert index.flush().removed == ("a.md",)
    assert found(index, "zebra") == ["b.md"]
    assert found(TextIndex(tmp_path), "zebra") == ["b.md"]


def test_what_is_committed_is_there_after_a_restart(tmp_path: Path) -> None:
    first = TextIndex(tmp_path)
    first.stage([note("Ordner/Größe \udcff.md", "Zürich")])
    first.flush()
    second = TextIndex(tmp_path)
    assert found(second, "zurich") == ["Ordner/Größe \udcff.md"]
    assert not second.rebuilt


def test_the_same_note_twice_in_one_batch_leaves_one(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    index.stage([note("a.md", "zebra one"), note("a.md", "zebra two")])
    index.flush()
    assert found(index, "zebra") == ["a.md"]
    assert dict(index.committed()) == {"a.md": "etag of zebra two"}


def test_a_query_that_matches_nothing_gives_nothing(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    assert found(index, "zebra") == []
    index.stage([note("a.md", "lion")])
    assert found(index, "zebra") == []
    assert found(index, "") == []


def test_two_indexes_on_one_folder_see_each_others_commits(tmp_path: Path) -> None:
    one, other = TextIndex(tmp_path), TextIndex(tmp_path)
    one.stage([note("a.md", "zebra")])
    other.stage([note("b.md", "zebra")])
    assert found(one, "zebra") == ["a.md"]
    one.flush()
    assert found(other, "zebra") == ["a.md", "b.md"]
    other.flush()
    assert found(one, "zebra") == ["a.md", "b.md"]


def test_explaining_a_hit_names_the_terms_with_what_they_add(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    index.stage([note("a.md", "zebra zebra river"), note("b.md", "river"), note("c.md", "lion")])
    question = parse("zebra river lion", now=NOW)
    matches = index.explain(question, "a.md")
    assert [match.term for match in matches] == ["zebra", "river"]
    assert sum(match.score for match in matches) == pytest.approx(index.relevance(question)["a.md"])
    assert index.explain(question, "missing.md") == []


def test_a_folder_that_is_a_link_is_refused(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    index = TextIndex(tmp_path / "index")
    index.folder.parent.mkdir()
    index.folder.symlink_to(tmp_path / "elsewhere")
    index.stage([note("a.md", "zebra")])
    with pytest.raises(IndexUnavailable):
        index.refresh()
    assert index.flush().reason is not None
    assert list((tmp_path / "elsewhere").iterdir()) == []


def test_the_folder_is_for_its_owner_only(tmp_path: Path) -> None:
    index = TextIndex(tmp_path / "state" / "index")
    index.refresh()
    assert index.folder.stat().st_mode & 0o777 == 0o700
