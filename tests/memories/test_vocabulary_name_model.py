from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from mnemex_vault.language.activation import save_finding
from mnemex_vault.language.names import Entity, EntityKind, entities_of
from mnemex_vault.language.word_lists import Lexicon
from mnemex_vault.memories.vocabulary import NameModel
from mnemex_vault.settings import load

needs_spacy = pytest.mark.skipif(importlib.util.find_spec("spacy") is None, reason="needs mnemex-vault[ner]")
# numpy and the libraries below spaCy warn of each other
ignores_warnings = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def pipeline(tmp_path: Path) -> Path:
    """A real pipeline without a model: rules that find three names and a date."""
    import spacy

    language = spacy.blank("en")
    ruler = language.add_pipe("entity_ruler")
    ruler.add_patterns(
        [
            {"label": "PERSON", "pattern": "Aoife Ní Bhriain"},
            {"label": "ORG", "pattern": "Blue Heron"},
            {"label": "GPE", "pattern": "Ghent"},
            {"label": "DATE", "pattern": "May"},
        ]
    )
    folder = tmp_path / "pipeline"
    language.to_disk(folder)
    return folder


def test_without_a_model_nothing_is_found_and_nothing_is_wrong() -> None:
    model = NameModel(lambda: None)
    assert (model("Aoife works at Blue Heron"), model.problem()) == ([], "")


def test_a_model_that_cannot_be_used_is_named_and_stops_nothing() -> None:
    model = NameModel(lambda: "no_such_pipeline")
    assert model("Aoife works at Blue Heron") == []
    assert model.problem().startswith("ner_model: ")


def test_the_settings_note_of_a_vault_cannot_choose_a_model() -> None:
    loaded = load(note={"ner_model": "some_package"})
    assert loaded.settings.ner_model is None
    assert loaded.problems == ("ner_model: the settings note can only make this stricter",)
    assert load(note={"ner_model": "a"}, environ={"MNEMEX_NER_MODEL": "b"}).settings.ner_model == "b"


@needs_spacy
@ignores_warnings
def test_a_pipeline_in_a_folder_gives_names_with_their_kind(pipeline: Path) -> None:
    model = NameModel(lambda: str(pipeline))
    found = model("Aoife Ní Bhriain left Blue Heron in Ghent in May.")
    assert found == [
        Entity("Aoife Ní Bhriain", EntityKind.PERSON),
        Entity("Blue Heron", EntityKind.ORGANISATION),
        Entity("Ghent", EntityKind.NAME),
    ]
    assert model.problem() == ""


@needs_spacy
@ignores_warnings
def test_what_it_finds_is_what_a_memory_names(pipeline: Path) -> None:
    lexicon = Lexicon.of(recognise=NameModel(lambda: str(pipeline)))
    finding = save_finding("aoife is gone. Aoife Ní Bhriain left Blue Heron, we use JWT now.", lexicon)
    assert [entity.name for entity in finding.entities] == ["Aoife Ní Bhriain", "Blue Heron", "JWT"]
    without = entities_of("Blue Heron makes kayaks", Lexicon.of())
    assert [entity.kind for entity in without] == [EntityKind.NAME]


@needs_spacy
@ignores_warnings
def test_a_part_that_fails_is_named_and_stops_nothing(tmp_path: Path) -> None:
    import spacy

    language = spacy.blank("en")
    # a tagger that was never trained can be kept, and fails at the first text
    language.add_pipe("ner")
    language.to_disk(tmp_path / "untrained", exclude=["ner"])
    model = NameModel(lambda: str(tmp_path / "untrained"))
    assert model("Aoife works at Blue Heron") == []
    assert model.problem().startswith("ner_model: ")
