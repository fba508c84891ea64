"""The base of the structured answers: each key is a promise to clients; only keys that were set are sent."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class View(BaseModel):
    """Base of all answers."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Answer(View):
    """Base of what a call answers; `notice` is there if it holds text of notes."""

    notice: str | None = None


class Pagination(View):
    """Where a page stands among all."""

    page: int
    page_size: int
    total_count: int
    total_pages: int
    has_more: bool
    has_previous: bool
