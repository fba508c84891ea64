from __future__ import annotations

from mnemex_vault.index.analysis import Analyzer
from mnemex_vault.index.collection import Overlay
from mnemex_vault.index.document import FieldWeights, WeightedText, weighted
from tests.index.texts import note


def text(path: str, body: str) -> WeightedText:
    return weighted(note(path, body), Analyzer(), FieldWeights())


def test_a_later_version_replaces_all_terms_of_an_earlier_one() -> None:
    overlay = Overlay()
    overlay.put("a.md", text("a.md", "zebra lion"))
    overlay.put("a.md", text("a.md", "zebra zebra"))
    assert dict(overlay.postings("zebra")) == {"a.md": 2}
    assert dict(overlay.postings("lion")) == {}
    assert overlay.count == 1


def test_a_removal_is_staged_but_no_text() -> None:
    overlay = Overlay()
    overlay.put("a.md", text("a.md", "zebra"))
    overlay.put("a.md", None)
    assert "a.md" in overlay
    assert list(overlay.texts()) == []
    assert overlay.count == 0


def test_what_was_staged_anew_during_a_flush_is_not_dropped_with_the_flushed_version() -> None:
    overlay = Overlay()
    overlay.put("a.md", text("a.md", "zebra"))
    batch = overlay.batch()
    overlay.put("a.md", text("a.md", "lion"))
    overlay.drop("a.md", batch["a.md"])
    assert dict(overlay.postings("lion")) == {"a.md": 1}
    overlay.drop("a.md", overlay.batch()["a.md"])
    assert len(overlay) == 0
    assert list(overlay.terms_from("")) == []
