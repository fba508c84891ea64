"""`try`: a look at a vault that leaves no trace in it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from mnemex_vault.app import make_app
from tests.cli.conftest import Run, picture


def test_not_a_byte_or_time_of_the_vault_changes(bare_run: Run, sample: Path, environ: dict[str, str]) -> None:
    before = picture(sample)
    outcome = bare_run("try", str(sample), "who decides about the design?", "walnuts")
    assert outcome.code == 0
    assert picture(sample) == before
    assert str(next(Path(environ["MNEMEX_STATE_PATH"]).iterdir())) in outcome.out


def test_what_it_read_is_not_read_again_by_init(bare_run: Run, vault: Path, environ: dict[str, str]) -> None:
    (vault / "Tea.md").write_text("Green tea at eighty degrees.", "utf-8")
    assert bare_run("try", str(vault), "tea").code == 0
    with closing(make_app(vault, environ=environ)) as app:
        changes = app.catch_up()
    assert (changes.added, changes.changed) == ([], [])
    assert bare_run("init", str(vault), "--yes").code == 0


def test_on_a_terminal_it_asks_before_it_reads(bare_run: Run, vault: Path, environ: dict[str, str]) -> None:
    (vault / "Tea.md").write_text("Green tea at eighty degrees.", "utf-8")
    refused = bare_run("try", str(vault), terminal=True, typed="n\n")
    assert refused.out.endswith("Nothing was read.\n")
    with closing(make_app(vault, environ=environ)) as app:
        assert len(app.store.catalog) == 0
    assert "1 ordinary note" in bare_run("try", str(vault), terminal=True, typed="y\n").out


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
