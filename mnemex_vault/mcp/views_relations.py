"""Structured answers of relating."""

from __future__ import annotations

from pydantic import Field

from mnemex_vault.mcp.views import Answer


class Related(Answer):
    """Answer of create_relation; its first end is sent as `from`."""

    success: bool
    relation_id: str
    source: str = Field(alias="from")
    to: str
    type: str
    strength: float
    message: str
    existing_relation_id: str | None = None


class Unrelated(Answer):
    """Answer of delete_relation."""

    success: bool
    relation_id: str
    message: str
