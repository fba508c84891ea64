from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Run, Saver
from tests.index.models import write_static_model

pytest.importorskip("tokenizers")
pytest.importorskip("numpy")


def test_texts_are_prepared_for_search_by_meaning(run: Run, saved: Saver, tmp_path: Path) -> None:
    model = str(write_static_model(tmp_path / "model"))
    for number in range(12):
        saved(f"The boat {number} lies in the harbour.")
    planned = run("embed", "--model", model, "--dry-run")
    assert planned.out.startswith("12 texts would be prepared with ")
    some = run("embed", "--model", model, "--limit", "10", "--json")
    assert (some.data["processed"], some.data["lacking"], some.data["would_process"]) == (10, 2, None)
    assert run("embed", "--model", model).out.rstrip().endswith("none lacks a vector.")
    assert run("embed", "--model", model, "--json").data["processed"] == 0
    assert run("embed", "--model", model, "--force", "--json").data["processed"] == 12
    of_settings = run(
        *("embed", "--force", "--limit", "3", "--json"), MNEMEX_ENABLE_EMBEDDINGS="true", MNEMEX_EMBED_MODEL=model
    )
    assert of_settings.data["processed"] == 3


def test_without_a_model_it_says_what_is_needed(run: Run, tmp_path: Path) -> None:
    nothing = run("embed")
    assert nothing.code == 1
    assert "mnemex-vault[semantic]" in nothing.err
    missing = run("embed", "--model", str(tmp_path / "none"))
    assert missing.code == 1
    assert "none" in missing.err
