"""What judging a message answers."""

from __future__ import annotations

from collections.abc import Iterator

from mnemex_vault.app import App
from mnemex_vault.domain.activation import RecallFinding, SaveFinding
from mnemex_vault.domain.spoken import sentences_of
from mnemex_vault.domain.word_lists import Lexicon
from mnemex_vault.domain.words import counted
from mnemex_vault.mcp.budget import AROUND, USUAL, fitting, some, title_of, within
from mnemex_vault.mcp.facts import origin_of
from mnemex_vault.mcp.views_activation import (
    AnalyzedForRecall,
    AnalyzedMessage,
    AutoRecalled,
    RecalledMemory,
    RecallSignals,
)
from mnemex_vault.memories import auto_recall
from mnemex_vault.memories.recalled import Recalled, indented

# the predecessors' words for what speaks for or against saving
_SIGNALS = {
    "request": "save_request",
    "critical": "critical_marker",
    "important": "importance_marker",
    "general_question": "exclusion_pattern",
    "hypothetical": "exclusion_pattern",
    "save": "save_request",
    "veto": "exclusion_pattern",
    "ends asking": "exclusion_pattern",
    "uncertain": "uncertainty_marker",
    "decision": "decision_marker",
    "preference": "decision_marker",
}
# a sentence that is worth remembering is not longer
_SENTENCE = 2_000
_REASONS = 500
_ADVICE = {
    "silent": "Use what helps without mentioning it.",
    "subtle": "Use what helps, and mention in passing that you remember it.",
    "interactive": "Ask the user whether these are what they mean.",
}


def save_view(finding: SaveFinding) -> AnalyzedMessage:
    """Return whether and how to save what a message says."""
    return AnalyzedMessage(
        should_save=finding.should_save,
        confidence=round(finding.confidence, 4),
        suggested_content=within(finding.sentence, _SENTENCE) if finding.should_save else "",
        suggested_entities=some([entity.name for entity in finding.entities]),
        suggested_tags=some(finding.tags),
        suggested_strength=finding.strength,
        reasoning=within("; ".join(finding.reasons), _REASONS),
        phrase_signals={_SIGNALS[name]: True for name in finding.signals if name in _SIGNALS},
    )


def save_text(view: AnalyzedMessage) -> str:
    """Return the judgement in a sentence."""
    if not view.should_save:
        return f"Nothing to save ({view.confidence:.2f}): {view.reasoning}."
    tags = f", tags {', '.join(view.suggested_tags)}" if view.suggested_tags else ""
    return (
        f"Worth saving ({view.confidence:.2f}), strength {view.suggested_strength:g}{tags}: {view.reasoning}.\n"
        f"{indented(view.suggested_content)}"
    )


def recall_view(finding: RecallFinding, message: str, lexicon: Lexicon) -> AnalyzedForRecall:
    """Return whether to search, and for what."""
    lists = ("save", "recall", "important", "critical")
    found = {name: _phrases(name, message, lexicon) for name in lists}
    return AnalyzedForRecall(
        should_search=finding.should_search,
        confidence=round(finding.confidence, 4),
        suggested_query=within(finding.query, _REASONS),
        suggested_tags=some(finding.tags),
        suggested_entities=some([entity.name for entity in finding.entities]),
        reasoning=within("; ".join(finding.reasons), _REASONS),
        phrase_signals=RecallSignals(
            save_request=bool(found["save"]),
            recall_request=bool(found["recall"]),
            importance_marker=bool(found["important"] or found["critical"]),
            matched_phrases=some([phrase for phrases in found.values() for phrase in phrases]),
        ),
    )


def _phrases(name: str, message: str, lexicon: Lexicon) -> list[str]:
    matches = (lexicon.find(name, sentence.said) for sentence in sentences_of(message))
    return list(dict.fromkeys(match.strip() for match in matches if match))


def recall_text(view: AnalyzedForRecall) -> str:
    """Return the judgement in a sentence."""
    if not view.should_search:
        return f"No need to search ({view.confidence:.2f}): {view.reasoning}."
    return f"Search for “{view.suggested_query}” ({view.confidence:.2f}): {view.reasoning}."


def switched_off(mode: str) -> AutoRecalled:
    """Return that recalling by itself is switched off."""
    return AutoRecalled(
        success=True,
        enabled=False,
        topics_found=[],
        memories_found=0,
        memories_reinforced=[],
        memories=[],
        mode=mode,
        message="Recalling by itself is switched off (setting auto_recall_enabled).",
    )


def recalled_view(app: App, recalled: auto_recall.Recalled, mode: str) -> AutoRecalled:
    """Return the memories that fit a message."""
    found = [
        RecalledMemory(
            id=preview.hit.entry.item_id,
            title=title_of(preview.hit.entry.title),
            content=preview.text,
            origin=origin_of(preview.hit.entry),
            relevance=round(preview.hit.relevance, 4),
        )
        for preview in app.recall.previews(recalled.hits)
    ]
    memories = fitting(found, USUAL - AROUND)
    return AutoRecalled(
        success=True,
        enabled=True,
        topics_found=some(recalled.topics),
        memories_found=len(memories),
        memories_reinforced=list(recalled.reinforced),
        memories=memories,
        mode=mode,
        message=_message(recalled, len(memories), mode),
    )


def _message(recalled: auto_recall.Recalled, found: int, mode: str) -> str:
    if recalled.again_at is not None:
        return "Nothing was looked for: the last look was a moment ago. search_memory looks at any time."
    if not found:
        return "No memory fits."
    confirmed = f" {len(recalled.reinforced)} confirmed and strengthened." if recalled.reinforced else ""
    fit = "1 memory fits." if found == 1 else f"{counted(found, 'memory', 'memories')} fit."
    return f"{fit}{confirmed} {_ADVICE[mode]}"


def recalled_notes(view: AutoRecalled) -> Iterator[Recalled]:
    """Give the memories that fit."""
    for each in view.memories:
        yield Recalled(name=each.id, origin=each.origin, title=each.title, text=each.content)
