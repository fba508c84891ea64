"""What waits for a person's yes, by vectors that the plugin is held to as well."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from mnemex_vault.domain.trust import waits

VECTORS: list[dict[str, Any]] = json.loads((Path(__file__).parents[1] / "vectors" / "trust.json").read_text())


@pytest.mark.parametrize("case", VECTORS, ids=str)
def test_what_waits_is_what_the_plugin_is_held_to(case: dict[str, Any]) -> None:
    approved = datetime(2026, 12, 1, tzinfo=UTC) if case["approved"] else None
    assert waits(case["origin"], approved, case["approve"]) is case["waits"]
