"""Tools that judge a message: is there something to save, to look up, to recall."""

from __future__ import annotations

from datetime import timedelta

from mnemex_vault.answers import message as answers
from mnemex_vault.answers.message import AnalyzedForRecall, AnalyzedMessage, AutoRecalled
from mnemex_vault.answers.view import Told
from mnemex_vault.app import App
from mnemex_vault.errors import InvalidInput, MnemexError
from mnemex_vault.language.activation import recall_finding, save_finding
from mnemex_vault.language.word_lists import Lexicon
from mnemex_vault.mcp import arguments as take
from mnemex_vault.mcp.tool import Toolbox, offered
from mnemex_vault.memories.auto_recall import AutoRecallLimits


class MessageTools(Toolbox):
    """Analyse and recall, by the built-in words and those that the vault adds."""

    def _lexicon(self) -> Lexicon:
        try:
            return self._opening.complete_app().vocabulary.lexicon()
        except MnemexError:
            # a message can be judged while the vault is away
            return Lexicon.of()

    @offered(
        "Is there something to save",
        "Judge whether a message holds something to save, with tags, entities and strength to save it with.",
        idempotent=True,
        core=False,
    )
    def analyze_message(self, message: take.Message) -> Told[AnalyzedMessage]:
        """Judge whether to save."""
        return answers.to_save(save_finding(message, self._lexicon()))

    @offered(
        "Is there something to look up",
        "Judge whether an answer may depend on the user's memories, and what to search for.",
        idempotent=True,
        core=False,
    )
    def analyze_for_recall(self, message: take.Message) -> Told[AnalyzedForRecall]:
        """Judge whether to search."""
        lexicon = self._lexicon()
        return answers.to_recall(recall_finding(message, lexicon), message, lexicon)

    @offered(
        "Recall what fits a message",
        "Look for memories that fit a message, at most every few minutes. One that the message confirms is "
        "strengthened; to mention a thing is not to confirm it.",
        core=False,
    )
    def auto_recall_process_message(self, message: take.Message) -> Told[AutoRecalled]:
        """Look for what fits, unless it is switched off or was done a moment ago."""
        app = self._opening.complete_app()
        mode = app.settings.auto_recall_mode
        if not app.settings.auto_recall_enabled:
            return answers.switched_off(mode)
        if not message.strip():
            raise InvalidInput("message", "is empty")
        return answers.recalled(app, app.auto_recall.process(message, app.vocabulary.lexicon(), _limits(app)), mode)


def _limits(app: App) -> AutoRecallLimits:
    settings = app.settings
    return AutoRecallLimits(
        relevance=settings.auto_recall_relevance_threshold,
        results=settings.auto_recall_max_results,
        pause=timedelta(seconds=settings.auto_recall_min_interval),
        reinforces=settings.auto_reinforce and not settings.read_only,
    )
