"""Tools that judge a message: is there something to save, to look up, to recall."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from mcp.types import CallToolResult

from mnemex_vault.app import App
from mnemex_vault.domain.activation import recall_finding, save_finding
from mnemex_vault.domain.word_lists import Lexicon
from mnemex_vault.errors import InvalidInput, MnemexError
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp import texts_full
from mnemex_vault.mcp.answers import answer
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.mcp.present_activation import (
    recall_text,
    recall_view,
    recalled_notes,
    recalled_view,
    save_text,
    save_view,
    switched_off,
)
from mnemex_vault.mcp.tool import Spec
from mnemex_vault.mcp.views_activation import AnalyzedForRecall, AnalyzedMessage, AutoRecalled
from mnemex_vault.memories.auto_recall import AutoRecallLimits


class ActivationTools:
    """Analyse and recall, by the built-in words and those that the vault adds."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening

    def _lexicon(self) -> Lexicon:
        try:
            return self._opening.complete_app().vocabulary.lexicon()
        except MnemexError:
            # a message can be judged while the vault is away
            return Lexicon.of()

    def specs(self) -> list[Spec]:
        """Return the tools in the order in which they are listed."""
        return [
            Spec(
                answer=self.analyze_message,
                description=texts_full.ANALYZE_MESSAGE,
                title="Is there something to save",
                idempotent=True,
                core=False,
            ),
            Spec(
                answer=self.analyze_for_recall,
                description=texts_full.ANALYZE_FOR_RECALL,
                title="Is there something to look up",
                idempotent=True,
                core=False,
            ),
            Spec(
                answer=self.auto_recall_process_message,
                description=texts_full.AUTO_RECALL,
                title="Recall what fits a message",
                core=False,
            ),
        ]

    def analyze_message(self, message: take.Message) -> Annotated[CallToolResult, AnalyzedMessage]:
        """Judge whether to save."""
        view = save_view(save_finding(message, self._lexicon()))
        return answer(view, save_text(view))

    def analyze_for_recall(self, message: take.Message) -> Annotated[CallToolResult, AnalyzedForRecall]:
        """Judge whether to search."""
        lexicon = self._lexicon()
        view = recall_view(recall_finding(message, lexicon), message, lexicon)
        return answer(view, recall_text(view))

    def auto_recall_process_message(self, message: take.Message) -> Annotated[CallToolResult, AutoRecalled]:
        """Look for what fits, unless it is switched off or was done a moment ago."""
        app = self._opening.complete_app()
        mode = app.settings.auto_recall_mode
        if not app.settings.auto_recall_enabled:
            view = switched_off(mode)
            return answer(view, view.message)
        if not message.strip():
            raise InvalidInput("message", "is empty")
        view = recalled_view(app, app.auto_recall.process(message, app.vocabulary.lexicon(), _limits(app)), mode)
        return answer(view, view.message, recalled_notes(view))


def _limits(app: App) -> AutoRecallLimits:
    settings = app.settings
    return AutoRecallLimits(
        relevance=settings.auto_recall_relevance_threshold,
        results=settings.auto_recall_max_results,
        pause=timedelta(seconds=settings.auto_recall_min_interval),
        reinforces=settings.auto_reinforce and not settings.read_only,
    )
