from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

from mnemex_vault.index.catalog_file import written_at


def test_an_index_is_as_old_as_its_newest_file(tmp_path: Path) -> None:
    for number, seconds in enumerate((1_000, 3_000, 2_000)):
        file = tmp_path / str(number)
        file.touch()
        os.utime(file, (seconds, seconds))
    assert written_at(tmp_path) == datetime.fromtimestamp(3_000, UTC)


def test_what_is_not_there_has_no_age(tmp_path: Path) -> None:
    assert written_at(tmp_path) is None
    assert written_at(tmp_path / "absent") is None
