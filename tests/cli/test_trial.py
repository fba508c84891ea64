"""`try`: a look at a vault that leaves no trace in it."""

from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run, picture


def test_not_a_byte_or_time_of_the_vault_changes(bare_run: Run, sample: Path, environ: dict[str, str]) -> None:
    before = picture(sample)
    outcome = bare_run("try", str(sample), "who decides about the design?", "walnuts")
    assert outcome.code == 0
    assert picture(sample) == before
    assert not list(Path(environ["MNEMEX_STATE_PATH"]).parent.glob("state/*"))


def test_it_answers_searches_over_all_notes(bare_run: Run, sample: Path) -> None:
    told = bare_run("try", str(sample), "walnuts", "--json").data
    assert told["searches"]["walnuts"][0]["title"] == "Amélie is allergic to walnuts"
    assert told["written"] is False


def test_without_searches_it_gives_examples_of_its_own(bare_run: Run, sample: Path) -> None:
    told = bare_run("try", str(sample), "--json").data
    assert len(told["searches"]) == 3
    assert all(hits for hits in told["searches"].values())


def test_the_vault_may_be_named_by_the_option(bare_run: Run, sample: Path) -> None:
    told = bare_run("try", "walnuts", "--vault", str(sample), "--json").data
    assert list(told["searches"]) == ["walnuts"]


def test_it_tells_what_would_be_added_and_what_would_clash(run: Run, vault: Path) -> None:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian/types.json").write_text('{"types": {"source": "multitext"}}')
    (vault / "Book.md").write_text(
        "---\ncreated: 2020-01-01\nsource: shop\ntags: [books, Old]\n---\nA book.\n", "utf-8"
    )
    (vault / "Secret.md").write_text("#private\n", "utf-8")
    (vault / "Broken.md").write_text("---\na: 1\na: 2\n---\n", "utf-8")
    told = run("try").out
    assert "create Memories/Settings.md" in told
    assert "source is a list in this vault and a text in memories" in told
    assert "keys that notes have already, and keep when they become memories: created (1), source (1)" in told
    assert "2 tags in use" in told
    assert "1 note marked private: never read by an assistant" in told
    assert "1 note with broken properties" in told


def test_an_empty_vault_is_no_failure(run: Run) -> None:
    told = run("try").out
    assert "no notes" in told
    assert "nothing clashes" in told
