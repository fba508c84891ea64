"""Structured answers on what a message asks of the memory."""

from __future__ import annotations

from mnemex_vault.mcp.views import Answer, View


class AnalyzedMessage(Answer):
    """Answer of analyze_message; `phrase_signals` holds those that are there."""

    should_save: bool
    confidence: float
    suggested_content: str
    suggested_entities: list[str]
    suggested_tags: list[str]
    suggested_strength: float
    reasoning: str
    phrase_signals: dict[str, bool]


class RecallSignals(View):
    """Which phrases were found."""

    save_request: bool
    recall_request: bool
    importance_marker: bool
    matched_phrases: list[str]


class AnalyzedForRecall(Answer):
    """Answer of analyze_for_recall."""

    should_search: bool
    confidence: float
    suggested_query: str
    suggested_tags: list[str]
    suggested_entities: list[str]
    reasoning: str
    phrase_signals: RecallSignals


class RecalledMemory(View):
    """A memory that fits a message."""

    id: str
    title: str
    content: str
    origin: str
    relevance: float


class AutoRecalled(Answer):
    """Answer of auto_recall_process_message."""

    success: bool
    enabled: bool
    topics_found: list[str]
    memories_found: int
    memories_reinforced: list[str]
    memories: list[RecalledMemory]
    mode: str
    message: str
