"""What a client can read or pick without a tool: a memory, the brief, what fades next, and prompts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, Any
from urllib.parse import unquote

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ResourceError
from mcp.server.mcpserver.prompts import Prompt
from pydantic import Field

from mnemex_vault.answers.search import brief
from mnemex_vault.answers.view import bounded, day, origin_of, title_of
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError
from mnemex_vault.mcp.failures import advice
from mnemex_vault.mcp.opening import Opening
from mnemex_vault.memories.recalled import Recalled, framed

if TYPE_CHECKING:
    from mnemex_vault.app import App

_BRIEF_RESOURCE = "What matters now: pinned, long-term, recent and fading memories, at most 1,200 tokens."
_FADING_RESOURCE = "The memories that fade next if they are not used, soonest first."
_MEMORY_RESOURCE = "One memory or note in full, by its id."
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
            "mnemex://session-brief", name="session-brief", title="Session brief", description=_BRIEF_RESOURCE,
            mime_type=_TEXT,
        )(self.session_brief)  # fmt: skip
        register("mnemex://fading", name="fading", title="Fading next", description=_FADING_RESOURCE, mime_type=_TEXT)(
            self.fading
        )
        register("memory://{memory_id}", name="memory", title="Memory", description=_MEMORY_RESOURCE, mime_type=_TEXT)(
            self.memory
        )

    def session_brief(self) -> str:
        """Return what matters now."""
        return brief(self._app(), project=None, notes=self._opening.lacking()).voices()[0]

    def fading(self) -> str:
        """Return what fades next, a memory a line; not what another one replaces."""
        from mnemex_vault.memories.recalled import shorten

        app = self._app()
        replaced = app.memories.notes.superseded()
        soonest = sorted(
            (fades_on, entry.path, entry)
            for entry in app.recall.entries(Tier.SHORT_TERM)
            if entry.path not in replaced
            and (fades_on := app.memories.fades_on(app.memories.usage(entry), tier=entry.tier)) is not None
        )
        fading = []
        for fades_on, _, entry in soonest[:_MOST_FADING]:
            try:
                text = " ".join(app.memories.note(entry).content.split())
            except MnemexError:
                continue
            facts = [f"fades {day(fades_on)}"]
            fading.append(
                Recalled(name=entry.memory_id or "", origin=origin_of(entry), facts=facts, text=shorten(text, _LINE))
            )
        return framed("" if fading else "Nothing fades.", fading)

    def memory(self, memory_id: str) -> str:
        """Return one note in full."""
        app = self._app()
        try:
            entry = app.memories.entry(unquote(memory_id))
            content = app.memories.note(entry).content
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


_RECALL = """\
Search my memory for: {topic}
Call search_memory with a few telling words, and again with other words if it finds too little; open what you need with
open_memories. Then tell me what you know about it, from which memory and how old it is, and what you do not know."""
_SAVE_CONVERSATION = """\
Go through our conversation and save what lasts: my preferences, decisions and their reasons, facts about me, my people,
projects and things, corrections. One fact a call of save_memory, each a sentence that stands alone in a year, with
names and dates. Leave out small talk, general knowledge and secrets. If a fact replaces an older memory, use
supersedes. Give all of them the session "{name}". At the end list what you saved in one line each."""
_REVIEW = """\
Let us review what is about to fade. Read mnemex://fading, and show me the memories one after the other, oldest first,
each in one line. For each I say keep, for good, or let go: then call touch_memory, promote_memory with force, or
forget_memory. Stop when I say so."""
_WEEKLY_REFLECTION = """\
Let us look back on the week. Call search_memory with window_days 7 and a page_size of 50. Tell me in a few sentences
what I decided, learned and started, what stayed open, and what contradicts older memories. Ask me about what is
unclear. Save what I add, one fact a call. Change or tidy up nothing else without asking me."""
_Topic = Annotated[str, Field(max_length=1_000, description="what to look for")]
_Name = Annotated[str, Field(max_length=500, description="a few words naming this conversation")]


def recall(topic: _Topic) -> str:
    """Tell what is remembered about a topic."""
    return _RECALL.format(topic=" ".join(topic.split()))


def save_conversation(name: _Name = "this conversation") -> str:
    """Save what lasts of this conversation."""
    return _SAVE_CONVERSATION.format(name=" ".join(name.split()))


def review() -> str:
    """Decide together about what is about to fade."""
    return _REVIEW


def weekly_reflection() -> str:
    """Look back on the week."""
    return _WEEKLY_REFLECTION


_PROMPTS: dict[str, tuple[Callable[..., str], str]] = {
    "recall": (recall, "Recall"),
    "save_conversation": (save_conversation, "Save this conversation"),
    "review": (review, "Review what fades"),
    "weekly_reflection": (weekly_reflection, "Weekly reflection"),
}


def add_prompts(server: MCPServer[Any]) -> None:
    """Register the prompts with a server."""
    for name, (function, title) in _PROMPTS.items():
        server.add_prompt(Prompt.from_function(function, name=name, title=title, description=function.__doc__))
