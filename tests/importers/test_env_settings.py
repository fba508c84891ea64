"""Settings in the predecessors' .env files become properties of the settings note."""

from __future__ import annotations

from pathlib import Path

import pytest

from mnemex_vault.errors import InvalidInput
from mnemex_vault.history.steps import Create, Update
from mnemex_vault.importers.env_settings import read_env, settings_of, settings_step, usual_files
from mnemex_vault.settings import load
from mnemex_vault.text import frontmatter
from mnemex_vault.vaultkit.init import look

FILES = {
    "STM_": "STM_PL_HALFLIFE_DAYS=7\nSTM_FORGET_THRESHOLD=0.1\nSTM_STORAGE_PATH=~/.stm/jsonl\n",
    "MNEMEX_": "export MNEMEX_PL_HALFLIFE_DAYS='7'\nMNEMEX_FORGET_THRESHOLD=0.1 # more\nMNEMEX_DECAY_BETA=0.6\n",
    "CORTEXGRAPH_": 'CORTEXGRAPH_PL_HALFLIFE_DAYS="7"\nCORTEXGRAPH_FORGET_THRESHOLD=0.1\nCORTEXGRAPH_DECAY_MODEL=\n',
}


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_every_generation_is_understood_and_defaults_are_left_out(tmp_path: Path, text: str) -> None:
    (tmp_path / ".env").write_text(text)
    found = settings_of(read_env(tmp_path / ".env"), place=".env")
    assert found.chosen == {"pl_halflife_days": 7.0, "forget_threshold": 0.1}
    assert found.remarks == ()


def test_of_several_generations_the_newest_counts() -> None:
    found = settings_of(
        {"STM_DECAY_BETA": "0.1", "CORTEXGRAPH_DECAY_BETA": "0.3", "MNEMEX_DECAY_BETA": "0.2"}, place="x"
    )
    assert found.chosen == {"decay_beta": 0.3}


def test_names_without_a_prefix_are_understood() -> None:
    found = settings_of({"LTM_PROMOTED_FOLDER": "stm-promoted", "GIT_COMMIT_INTERVAL": "600"}, place=".env")
    assert found.chosen == {"long_term_folder": "stm-promoted", "git_commit_interval": 600.0}


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CORTEXGRAPH_FORGET_THRESHOLD", "banana"),
        ("CORTEXGRAPH_DETECT_SECRETS", "false"),
        ("LTM_PROMOTED_FOLDER", "../outside"),
        ("CORTEXGRAPH_REVIEW_DANGER_ZONE_MIN", "0.9"),
    ],
)
def test_what_cannot_be_kept_is_told_and_does_not_stop_the_rest(name: str, value: str) -> None:
    found = settings_of({name: value, "CORTEXGRAPH_DECAY_BETA": "0.3"}, place=".env")
    assert found.chosen == {"decay_beta": 0.3}
    assert len(found.remarks) == 1


def test_the_model_that_they_would_download_is_not_taken() -> None:
    values = {"CORTEXGRAPH_EMBED_MODEL": "all-MiniLM-L6-v2", "CORTEXGRAPH_ENABLE_EMBEDDINGS": "true"}
    assert settings_of(values, place=".env").chosen == {}


def test_a_new_settings_note_holds_them(tmp_path: Path) -> None:
    step = settings_step({"decay_beta": 0.3, "decay_model": "exponential"}, look(tmp_path, None))
    assert isinstance(step, Create)
    settings = load(note=frontmatter.read(step.text)).settings
    assert (settings.decay_beta, settings.decay_model) == (0.3, "exponential")


def test_what_the_settings_note_says_already_stays(tmp_path: Path) -> None:
    step = settings_step({"decay_beta": 0.3, "pl_alpha": 1.3}, look(tmp_path, "Memories/Settings.md"))
    assert isinstance(step, Update)
    text = "---\nmnemex: settings\ndecay_beta: 0.5 # mine\n---\nText.\n"
    assert step.change(text) == "---\nmnemex: settings\ndecay_beta: 0.5 # mine\npl_alpha: 1.3\n---\nText.\n"


def test_only_files_of_the_predecessors_are_looked_at(tmp_path: Path) -> None:
    config, here = tmp_path / "config", tmp_path / "here"
    for folder, text in ((config / "cortexgraph", FILES["CORTEXGRAPH_"]), (here, "LOG_LEVEL=debug\nGIT_AUTHOR=me\n")):
        folder.mkdir(parents=True)
        (folder / ".env").write_text(text)
    assert usual_files(config, here) == [config / "cortexgraph/.env"]


def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    (tmp_path / ".env").write_bytes(b"A=\xff")
    for name in (".env", "gone"):
        with pytest.raises(InvalidInput):
            read_env(tmp_path / name)
