"""What preparing search by meaning answers: how many vectors were made, or what it needs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemex_vault.answers.view import ABSENT, Answer, Told
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import UNKNOWN_ORIGIN, Recalled

if TYPE_CHECKING:
    from mnemex_vault.memories.meaning import Backfill

NO_MODEL = "No model for search by meaning is set up."
_HINT = (
    "Search by words works without one. For search by meaning install mnemex-vault[semantic] and name a folder with a "
    "model in the setting embed_model, with enable_embeddings on; nothing is ever downloaded."
)
_DETAILS = 10


@dataclass(frozen=True, kw_only=True)
class EmbeddingsMade(Answer):
    """Answer of backfill_embeddings; `error` and `hint` say why there are none."""

    success: bool
    dry_run: bool
    processed: int
    errors: int
    model: str | None
    total_memories: int
    memories_without_embeddings: int
    message: str
    would_process: int | None = ABSENT
    error: str | None = ABSENT
    hint: str | None = ABSENT
    error_details: list[str] | None = ABSENT
    additional_errors: int | None = ABSENT


def made(found: Backfill, memories: int, *, dry_run: bool) -> Told[EmbeddingsMade]:
    """Tell what was made, and which notes could not be read."""
    passed_over = len(found.unreadable)
    done = f"{counted(found.made, 'vector')} made, {found.left} still lacking."
    details = [f"{path} cannot be read now" for path in found.unreadable[:_DETAILS]]
    view = EmbeddingsMade(
        success=not passed_over,
        dry_run=dry_run,
        processed=found.made,
        errors=passed_over,
        model=found.model,
        total_memories=memories,
        memories_without_embeddings=found.left,
        message=f"{counted(found.wanted, 'vector')} would be made." if dry_run else done,
        would_process=found.wanted if dry_run else ABSENT,
        error_details=details or ABSENT,
        additional_errors=passed_over - len(details) if passed_over else ABSENT,
    )
    notes = (
        Recalled(mark="Cannot be read now: ", name=each, origin=UNKNOWN_ORIGIN) for each in found.unreadable[:_DETAILS]
    )
    return Told(view, view.message, notes)


def not_made(memories: int, problem: str, *, dry_run: bool) -> Told[EmbeddingsMade]:
    """Tell why there are no vectors, and what they need."""
    view = EmbeddingsMade(
        success=False,
        dry_run=dry_run,
        processed=0,
        errors=0,
        model=None,
        total_memories=memories,
        memories_without_embeddings=memories,
        message=f"{problem} {_HINT}",
        error=problem,
        hint=_HINT,
    )
    return Told(view, view.message)
