from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemex_vault.errors import IndexUnavailable
from mnemex_vault.index.document import Document
from mnemex_vault.index.query import parse
from mnemex_vault.index.text_index import TextIndex
from tests.index.texts import NOW, Sessions, found, note


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
    found = index.explain(question, ["a.md", "missing.md"])
    assert list(found) == ["a.md"]
    assert [match.term for match in found["a.md"].terms] == ["zebra", "river"]
    assert sum(match.score for match in found["a.md"].terms) == pytest.approx(index.relevance(question)["a.md"])


def test_the_explained_shares_add_up_to_the_score(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    index.stage([note(f"{n}.md", f"zebra {'lion ' * (n % 3)} word{n % 4}{'?' * (n % 2)}") for n in range(40)])
    sessions = Sessions({"s": [f"{n}.md" for n in range(0, 40, 3)]})
    question = parse("lion word3", now=NOW)
    relevance = index.relevance(question, neighbours=sessions)
    explained = index.explain(question, relevance, neighbours=sessions)
    assert {path: found.total for path, found in explained.items()} == pytest.approx(relevance, rel=1e-5)
    assert explained["0.md"].talk > 0


def test_a_term_names_the_fields_it_occurs_in(tmp_path: Path) -> None:
    document = note("a.md", "The zebra of May 2023", title="A river", tags=("river",), created=NOW)
    fields = TextIndex(tmp_path).fields(document)
    assert fields["river"] == ("title", "tags")
    assert fields["zebra"] == ("body",)
    assert any("created" in names for names in fields.values())
    assert any("dates" in names for names in fields.values())


@pytest.mark.row("C4")
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


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(st.just("stage"), st.integers(0, 5), st.integers(0, 3)),
        st.tuples(st.just("remove"), st.integers(0, 5), st.just(0)),
        st.tuples(st.sampled_from(["flush", "restart", "other"]), st.integers(0, 5), st.integers(0, 3)),
    ),
    max_size=20,
)


@settings(max_examples=settings().max_examples // 3)
@given(OPERATIONS)
def test_after_any_history_the_index_answers_like_one_built_at_once(operations: list[tuple[str, int, int]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        index = TextIndex(Path(folder) / "a")
        notes: dict[str, Document] = {}
        for name, number, version in operations:
            path = f"{number}.md"
            if name == "stage":
                notes[path] = note(path, f"zebra {'lion ' * version}", tags=(f"v{version}",))
                index.stage([notes[path]])
            elif name == "remove":
                notes.pop(path, None)
                index.stage([], [path])
            else:
                index.flush()
                if name == "restart":
                    index = TextIndex(Path(folder) / "a")
                elif name == "other":
                    notes[path] = note(path, f"okapi {version}")
                    other = TextIndex(Path(folder) / "a")
                    other.stage([notes[path]])
                    other.flush()
        fresh = TextIndex(Path(folder) / "b")
        fresh.stage(notes.values())
        for question in ("zebra lion okapi", '"zebra lion"', "tag:v1", "-lion"):
            query = parse(question, now=NOW)
            assert index.relevance(query) == pytest.approx(fresh.relevance(query), rel=1e-5)
        index.flush()
        assert dict(index.committed()) == {path: document.etag for path, document in notes.items()}


def test_of_a_query_as_long_as_a_book_the_rarest_words_count(tmp_path: Path) -> None:
    index = TextIndex(tmp_path)
    index.stage(note(f"{n}.md", f"the weather of day{n // 2}{' and zebra' * (n == 7)}") for n in range(400))
    days = (f"day{n}" for n in range(200) if n != 3)
    asked = " ".join(["weather", *days, "zebra", *(f"unknown{n}" for n in range(3000))])
    found = index.explain(parse(asked, now=NOW), ["7.md"])["7.md"]
    assert [match.term for match in found.terms] == ["zebra"]
