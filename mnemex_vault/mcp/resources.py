"""What a client can read without a tool: one memory, the session brief, what fades next."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError

from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError
from mnemex_vault.mcp import texts_prompts as texts
from mnemex_vault.mcp.answers import bounded, briefed
from mnemex_vault.mcp.budget import title_of
from mnemex_vault.mcp.failures import advice
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.memories.recalled import Recalled, framed

if TYPE_CHECKING:
    from mnemex_vault.app import App

_MOST_FADING = 30
_LINE = 200
_TEXT = "text/plain"


class Resources:
    """Answers of the resources; reading one is not a use."""

    def __init__(self, opening: Opening) -> None:
        self._opening = opening

    def add_to(self, server: MCPServer[Any]) -> None:
        """Register the resources with a server."""
        register = server.resource
        register(
            "mnemex://session-brief", name="session-brief", title="Session brief", description=texts.BRIEF_RESOURCE,
            mime_type=_TEXT,
        )(self.session_brief)  # fmt: skip
        register(
            "mnemex://fading", name="fading", title="Fading next", description=texts.FADING_RESOURCE, mime_type=_TEXT
        )(self.fading)
        register(
            "memory://{memory_id}", name="memory", title="Memory", description=texts.MEMORY_RESOURCE, mime_type=_TEXT
        )(self.memory)

    def session_brief(self) -> str:
        """Return what matters now."""
        from mnemex_vault.mcp.present_brief import brief_view

        brief = brief_view(self._app(), project=None, notes=self._opening.lacking())
        return framed(brief.message, briefed(brief))

    def fading(self) -> str:
        """Return what fades next, a memory a line."""
        from mnemex_vault.mcp.facts import day, origin_of
        from mnemex_vault.memories.excerpts import shorten

        app = self._app()
        soonest = sorted(
            (fades_on, entry.path, entry)
            for entry in app.recall.entries(Tier.SHORT_TERM)
            if (fades_on := app.store.fades_on(app.store.usage(entry), tier=entry.tier)) is not None
        )
        fading = []
        for fades_on, _, entry in soonest[:_MOST_FADING]:
            try:
                text = " ".join(app.store.note(entry).content.split())
            except MnemexError:
                continue
            facts = [f"fades {day(fades_on)}"]
            fading.append(
                Recalled(name=entry.memory_id or "", origin=origin_of(entry), facts=facts, text=shorten(text, _LINE))
            )
        return framed("" if fading else "Nothing fades.", fading)

    def memory(self, memory_id: str) -> str:
        """Return one note in full."""
        from mnemex_vault.mcp.facts import origin_of

        app = self._app()
        try:
            entry = app.store.entry(unquote(memory_id))
            content = app.store.note(entry).content
        except MnemexError as error:
            raise ResourceError(advice(error)) from error
        note = Recalled(
            name=entry.item_id,
            origin=origin_of(entry),
            title=title_of(entry.title),
            facts=[entry.tier.value],
            text=content,
        )
        return bounded(framed("", [note]))

    def _app(self) -> App:
        try:
            return self._opening.complete_app()
        except MnemexError as error:
            raise ResourceError(advice(error)) from error
