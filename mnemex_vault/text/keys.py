"""The keys of a memory's frontmatter, in the order in which a new note is written."""

from __future__ import annotations

from mnemex_vault.domain.memory import RelationType

RELATION_KEYS = (
    RelationType.RELATED,
    RelationType.CAUSES,
    RelationType.SUPPORTS,
    RelationType.CONTRADICTS,
    RelationType.HAS_DECISION,
    RelationType.CONSOLIDATED_FROM,
    RelationType.SUPERSEDES,
    RelationType.SPLIT_FROM,
)

ID_KEY = "memory_id"
TEXT_KEYS = ("project", "source", "context", "origin", "session")

# their values are written without quotation marks, as the property types date and date & time have them
DATE_KEYS = frozenset({"fades_on", "created", "last_used", "last_review", "promoted", "upkeep_run"})

KEY_ORDER: tuple[str, ...] = (
    "tags",
    "aliases",
    "entities",
    "project",
    *(relation.value for relation in RELATION_KEYS),
    "relation_details",
    "source",
    "context",
    "origin",
    "pinned",
    "half_life_days",
    "fades_on",
    "created",
    "last_used",
    "use_count",
    "days_used",
    "strength",
    "review_count",
    "last_review",
    "cross_domain_count",
    "promoted",
    "session",
    ID_KEY,
)
