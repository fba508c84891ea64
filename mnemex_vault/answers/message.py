"""What judging a message answers: is there something to save, to look up, and what fits it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mnemex_vault.answers.view import AROUND, USUAL, Answer, Told, View, fitting, origin_of, some, title_of, within
from mnemex_vault.language.sentences import sentences_of
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import Recalled, indented

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.language.activation import RecallFinding, SaveFinding
    from mnemex_vault.language.word_lists import Lexicon
    from mnemex_vault.memories import auto_recall

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


@dataclass(frozen=True, kw_only=True)
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


@dataclass(frozen=True, kw_only=True)
class RecallSignals(View):
    """Which phrases were found."""

    save_request: bool
    recall_request: bool
    importance_marker: bool
    matched_phrases: list[str]


@dataclass(frozen=True, kw_only=True)
class AnalyzedForRecall(Answer):
    """Answer of analyze_for_recall."""

    should_search: bool
    confidence: float
    suggested_query: str
    suggested_tags: list[str]
    suggested_entities: list[str]
    reasoning: str
    phrase_signals: RecallSignals


@dataclass(frozen=True, kw_only=True)
class RecalledMemory(View):
    """A memory that fits a message."""

    id: str
    title: str
    content: str
    origin: str
    relevance: float


@dataclass(frozen=True, kw_only=True)
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


def to_save(finding: SaveFinding) -> Told[AnalyzedMessage]:
    """Tell whether and how to save what a message says."""
    view = AnalyzedMessage(
        should_save=finding.should_save,
        confidence=round(finding.confidence, 4),
        suggested_content=within(finding.sentence, _SENTENCE) if finding.should_save else "",
        suggested_entities=some([entity.name for entity in finding.entities]),
        suggested_tags=some(finding.tags),
        suggested_strength=finding.strength,
        reasoning=within("; ".join(finding.reasons), _REASONS),
        phrase_signals={_SIGNALS[name]: True for name in finding.signals if name in _SIGNALS},
    )
    return Told(view, _save_text(view))


def _save_text(view: AnalyzedMessage) -> str:
    if not view.should_save:
        return f"Nothing to save ({view.confidence:.2f}): {view.reasoning}."
    tags = f", tags {', '.join(view.suggested_tags)}" if view.suggested_tags else ""
    return (
        f"Worth saving ({view.confidence:.2f}), strength {view.suggested_strength:g}{tags}: {view.reasoning}.\n"
        f"{indented(view.suggested_content)}"
    )


def to_recall(finding: RecallFinding, message: str, lexicon: Lexicon) -> Told[AnalyzedForRecall]:
    """Tell whether to search, and for what."""
    lists = ("save", "recall", "important", "critical")
    found = {name: _phrases(name, message, lexicon) for name in lists}
    view = AnalyzedForRecall(
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
    return Told(view, _recall_text(view))


def _phrases(name: str, message: str, lexicon: Lexicon) -> list[str]:
    matches = (lexicon.find(name, sentence.said) for sentence in sentences_of(message))
    return list(dict.fromkeys(match.strip() for match in matches if match))


def _recall_text(view: AnalyzedForRecall) -> str:
    if not view.should_search:
        return f"No need to search ({view.confidence:.2f}): {view.reasoning}."
    return f"Search for “{view.suggested_query}” ({view.confidence:.2f}): {view.reasoning}."


def switched_off(mode: str) -> Told[AutoRecalled]:
    """Tell that recalling by itself is switched off."""
    view = AutoRecalled(
        success=True,
        enabled=False,
        topics_found=[],
        memories_found=0,
        memories_reinforced=[],
        memories=[],
        mode=mode,
        message="Recalling by itself is switched off (setting auto_recall_enabled).",
    )
    return Told(view, view.message)


def recalled(app: App, found: auto_recall.Recalled, mode: str) -> Told[AutoRecalled]:
    """Tell the memories that fit a message."""
    fits = [
        RecalledMemory(
            id=preview.hit.entry.item_id,
            title=title_of(preview.hit.entry.title),
            content=preview.text,
            origin=origin_of(preview.hit.entry),
            relevance=round(preview.hit.relevance, 4),
        )
        for preview in app.recall.previews(found.hits)
    ]
    memories = fitting(fits, USUAL - AROUND)
    view = AutoRecalled(
        success=True,
        enabled=True,
        topics_found=some(found.topics),
        memories_found=len(memories),
        memories_reinforced=list(found.reinforced),
        memories=memories,
        mode=mode,
        message=_message(found, len(memories), mode),
    )
    return Told(view, view.message, _notes(view))


def _message(found: auto_recall.Recalled, number: int, mode: str) -> str:
    if found.again_at is not None:
        return "Nothing was looked for: the last look was a moment ago. search_memory looks at any time."
    if not number:
        return "No memory fits."
    confirmed = f" {len(found.reinforced)} confirmed and strengthened." if found.reinforced else ""
    fit = "1 memory fits." if number == 1 else f"{counted(number, 'memory', 'memories')} fit."
    return f"{fit}{confirmed} {_ADVICE[mode]}"


def _notes(view: AutoRecalled) -> Iterator[Recalled]:
    for each in view.memories:
        yield Recalled(name=each.id, origin=each.origin, title=each.title, text=each.content)
