"""The part of the settings that the use cases go by."""

from __future__ import annotations

from mnemex_vault.memories.rules import Rules
from mnemex_vault.settings.kinds import WHOLE_VAULT
from mnemex_vault.settings.table import Settings


def rules_of(settings: Settings) -> Rules:
    """Return the part of the settings that the use cases go by."""
    return Rules(
        policy=settings.policy(),
        zone=settings.zone(),
        short_term_weight=settings.search_stm_weight,
        long_term_weight=settings.search_ltm_weight,
        preview_length=settings.search_preview_length,
        review_blend_ratio=settings.review_blend_ratio,
        gc_max_share=settings.gc_max_share,
        quiet_seconds=settings.quiet_seconds,
        auto_reinforce=settings.auto_reinforce,
        use_on_open=settings.use_on_open,
        read_only=settings.read_only,
        read_paths=_scope(settings.read_paths),
        write_paths=_scope(settings.write_paths),
        tag_prefix=settings.tag_prefix or "",
        detect_secrets=settings.detect_secrets,
        neutralise=settings.neutralise_active_content,
    )


def _scope(folders: tuple[str, ...]) -> tuple[str, ...] | None:
    return None if WHOLE_VAULT in folders else folders
