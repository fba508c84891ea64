"""Prompts that a person picks in a client."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.prompts import Prompt
from pydantic import Field

from mnemex_vault.mcp import texts_prompts as texts

_Topic = Annotated[str, Field(max_length=1_000, description="what to look for")]
_Name = Annotated[str, Field(max_length=500, description="a few words naming this conversation")]


def recall(topic: _Topic) -> str:
    """Tell what is remembered about a topic."""
    return texts.RECALL.format(topic=" ".join(topic.split()))


def save_conversation(name: _Name = "this conversation") -> str:
    """Save what lasts of this conversation."""
    return texts.SAVE_CONVERSATION.format(name=" ".join(name.split()))


def review() -> str:
    """Decide together about what is about to fade."""
    return texts.REVIEW


def weekly_reflection() -> str:
    """Look back on the week."""
    return texts.WEEKLY_REFLECTION


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
