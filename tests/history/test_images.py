from __future__ import annotations

from pathlib import Path

import pytest

from mnemex_vault.history.displaced import Images
from mnemex_vault.text.note import etag


@pytest.fixture
def images(tmp_path: Path) -> Images:
    return Images(tmp_path / "images")


def test_a_text_is_kept_once_under_its_etag(images: Images, tmp_path: Path) -> None:
    images.keep([b"one", b"two", b"one"])
    images.keep([b"one"])
    assert images.get(etag(b"one")) == b"one"
    assert images.sizes() == {etag(b"one"): 3, etag(b"two"): 3}
    assert images.get("unknown") is None
    assert images.get("") is None


def test_a_text_whose_bytes_changed_is_not_given_out_and_is_kept_anew(images: Images, tmp_path: Path) -> None:
    images.keep([b"one"])
    (tmp_path / "images" / etag(b"one")).write_bytes(b"other")
    assert images.get(etag(b"one")) is None
    images.keep([b"one"])
    assert images.get(etag(b"one")) == b"one"


def test_what_is_removed_is_gone_with_what_a_crash_left(images: Images, tmp_path: Path) -> None:
    images.keep([b"one", b"two"])
    (tmp_path / "images" / f".{etag(b'x')}-0.tmp").write_bytes(b"half")
    assert images.remove([etag(b"one"), "unknown"]) == 1
    assert [path.name for path in (tmp_path / "images").iterdir()] == [etag(b"two")]


def test_many_texts_are_kept_together(images: Images, tmp_path: Path) -> None:
    texts = [f"text {number}".encode() for number in range(50)]
    images.keep(texts)
    assert [images.get(etag(text)) for text in texts] == texts
    assert len(list((tmp_path / "images").iterdir())) == 50


def test_a_refused_write_leaves_nothing_half_written(
    images: Images, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: int, names: list[str]) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mnemex_vault.disk.native.sync_files", refuse)
    with pytest.raises(OSError, match="No space"):
        images.keep([f"text {number}".encode() for number in range(50)])
    assert list((tmp_path / "images").iterdir()) == []
