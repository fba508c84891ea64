from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.domain.clusters import Strategy
from mnemex_vault.errors import IndexUnavailable
from mnemex_vault.memories.consolidation import Consolidation
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.meaning import Backfill, Meaning
from mnemex_vault.memories.recall import Request
from tests.conftest import StandingClock
from tests.index.models import write_static_model

pytest.importorskip("tokenizers")
pytest.importorskip("numpy")


@pytest.fixture
def meant(vault: Path, tmp_path: Path, clock: StandingClock, environ: dict[str, str]) -> Iterator[App]:
    folder = write_static_model(tmp_path / "model")
    own = {**environ, "MNEMEX_ENABLE_EMBEDDINGS": "true", "MNEMEX_EMBED_MODEL": str(folder)}
    with open_app(vault, clock=clock, environ=own, options={"timezone": "UTC"}) as app:
        yield app


def titles(app: App, query: str) -> list[str]:
    return [hit.entry.title for hit in app.recall.search(Request(query=query)).hits]


def made_of(found: Backfill | None) -> tuple[int, int, int]:
    assert found is not None
    return found.wanted, found.made, found.left


def save(app: App, content: str, title: str) -> None:
    app.collection.save(Draft(content=content, title=title))


def test_a_memory_is_found_by_a_word_of_the_same_meaning(meant: App) -> None:
    save(meant, "The boat", "Boat")
    save(meant, "A loaf", "Loaf")
    assert titles(meant, "vessel") == ["Boat"]
    assert titles(meant, '"vessel"') == []


def test_what_lacks_a_vector_is_made_up_for_with_progress_and_once(meant: App) -> None:
    for number in range(40):
        save(meant, f"The boat {number}", f"Boat {number}")
    steps: list[tuple[int, int]] = []
    assert len(meant.meaning.lacking()) == 40
    assert titles(meant, "vessel") == []
    assert made_of(meant.meaning.backfill(limit=30, dry_run=True)) == (30, 0, 40)
    found = meant.meaning.backfill(limit=20, progress=lambda done, total: steps.append((done, total)))
    assert made_of(found) == (20, 20, 20)
    assert steps == [(16, 20), (20, 20)]
    assert made_of(meant.meaning.backfill()) == (20, 20, 0)
    assert meant.meaning.lacking() == []
    assert made_of(meant.meaning.backfill()) == (0, 0, 0)
    assert made_of(meant.meaning.backfill(force=True)) == (40, 40, 0)
    assert len(titles(meant, "vessel")) == 10


def test_vectors_of_texts_that_are_gone_are_erased(meant: App, vault: Path) -> None:
    save(meant, "The boat", "Boat")
    meant.meaning.backfill()
    vectors = meant.meaning.vectors()
    assert vectors is not None
    [key] = [entry.text_key for entry in meant.store.catalog if entry.searchable]
    next((vault / "Memories/Short-term").glob("Boat.md")).unlink()
    meant.follow(None)
    meant.meaning.backfill()
    assert vectors.lacking([key]) == [key]


def test_without_a_usable_model_search_goes_by_words(meant: App, tmp_path: Path) -> None:
    save(meant, "The boat", "Boat")
    (tmp_path / "model" / "tokenizer.json").unlink()
    assert titles(meant, "boat") == ["Boat"]
    assert titles(meant, "vessel") == []


def test_the_explanation_names_what_the_meaning_adds(meant: App) -> None:
    save(meant, "The boat in the harbour", "Boat")
    save(meant, "The vessel", "Vessel")
    save(meant, "A loaf", "Loaf")
    page = meant.recall.search(Request(query="vessel", explain=True))
    assert {hit.entry.title for hit in page.hits} == {"Boat", "Vessel"}
    for hit in page.hits:
        why = page.reasons[hit.entry.path]
        shares = (why.text, why.talk, why.meaning)
        assert sum(shares) == pytest.approx(hit.relevance, rel=1e-5)
        assert why.meaning > 0


def test_purging_a_memory_erases_its_vector(meant: App, tmp_path: Path) -> None:
    saved = meant.collection.save(Draft(content="The boat", title="Boat"))
    meant.meaning.backfill()
    vectors = meant.meaning.vectors()
    assert vectors is not None
    [key] = [entry.text_key for entry in meant.store.catalog if entry.searchable]
    [file] = tmp_path.rglob("vectors-*.db")
    assert key.encode() in file.read_bytes()
    meant.purge.purge(saved.memory.id)
    assert key.encode() not in file.read_bytes()
    assert vectors.lacking([key]) == [key]


def test_notes_that_cannot_be_read_now_are_named_and_the_others_made(meant: App, vault: Path) -> None:
    save(meant, "The boat", "Boat")
    save(meant, "A loaf", "Loaf")
    (vault / "Memories/Short-term/Boat.md").unlink()
    found = meant.meaning.backfill()
    assert made_of(found) == (2, 1, 1)
    assert found is not None
    assert found.unreadable == ("Memories/Short-term/Boat.md",)


def test_without_a_model_set_up_nothing_is_made(app: App) -> None:
    assert app.meaning.backfill() is None


def test_a_damaged_file_of_vectors_is_made_anew(meant: App, tmp_path: Path) -> None:
    save(meant, "The boat", "Boat")
    meant.meaning.backfill()
    [file] = tmp_path.rglob("vectors-*.db")
    file.write_bytes(b"no database at all" * 100)
    meant.meaning.prune()
    assert made_of(fresh(meant).backfill()) == (1, 1, 0)
    file.write_bytes(b"no database at all" * 100)
    assert made_of(fresh(meant).backfill()) == (1, 1, 0)


def test_where_vectors_cannot_be_kept_it_is_said(meant: App, tmp_path: Path) -> None:
    save(meant, "The boat", "Boat")
    meant.meaning.backfill()
    [file] = tmp_path.rglob("vectors-*.db")
    file.unlink()
    file.mkdir()
    with pytest.raises(IndexUnavailable):
        fresh(meant).backfill()
    assert titles(meant, "boat") == ["Boat"]


def fresh(app: App) -> Meaning:
    """Return what a new process would have: nothing in memory."""
    folder = Path(app.settings.embed_model or "")
    return Meaning(app.store, app.state / "index", lambda: folder)


def test_memories_of_one_meaning_form_a_cluster_as_soon_as_each_has_a_vector(meant: App) -> None:
    for number in range(10):
        save(meant, f"The loaf number {number} of many that differ by {number * 7} words", f"Loaf {number}")
    saved = [meant.collection.save(Draft(content=text)) for text in ("The ship", "The vessel", "A stream")]
    assert not any(saved[0].memory.id in cluster.members for cluster in meant.consolidation.clusters())
    meant.meaning.backfill()
    [cluster] = [each for each in meant.consolidation.clusters() if saved[0].memory.id in each.members]
    assert set(cluster.members) == {each.memory.id for each in saved[:2]}
    assert cluster.cohesion == pytest.approx(1.0, abs=1e-5)
    for consolidation in (meant.consolidation, anew(meant)):
        again = consolidation.find(cluster.id)
        assert again.members == cluster.members
        assert again.cohesion == pytest.approx(1.0, abs=1e-5)
    by_words = meant.consolidation.clusters(Strategy.DUPLICATES)
    assert {each.id for each in by_words} - {each.id for each in meant.consolidation.clusters()}
    for each in by_words:
        assert anew(meant).find(each.id).cohesion == pytest.approx(each.cohesion)
    duplicates = meant.consolidation.clusters(Strategy.DUPLICATES)
    assert not any(saved[0].memory.id in cluster.members for cluster in duplicates)


def anew(app: App) -> Consolidation:
    """Return what another process would have: no cluster was shown yet."""
    return Consolidation(app.store, app.relations, app.meaning)
