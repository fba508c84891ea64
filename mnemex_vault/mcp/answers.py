"""An answer: a short text for the model, and the structured view for programs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mcp.types import CallToolResult, TextContent

from mnemex_vault.domain.words import counted
from mnemex_vault.mcp.budget import AROUND, MOST, some
from mnemex_vault.mcp.views import Answer, View
from mnemex_vault.mcp.views_memories import OpenedNote, OpenedNotes
from mnemex_vault.mcp.views_search import (
    Explanation,
    FoundAnywhere,
    FoundMemories,
    FoundNote,
    FoundNotes,
    HeldBackNote,
)
from mnemex_vault.memories.recalled import FRAME, Recalled, framed, quoted

_TAGS = 1_000


def answer(view: Answer, said: str, recalled: Iterable[Recalled] = ()) -> CallToolResult:
    """Return both forms of an answer: what we say, and under it what is from notes, marked as such in both.

    A text that is too long all the same ends with how much of it is left out.
    """
    text = framed(said, recalled)
    told = view if text == said else view.model_copy(update={"notice": FRAME})
    return CallToolResult(content=[TextContent(type="text", text=bounded(text))], structured_content=dump(told))


def bounded(text: str) -> str:
    """Return a text that no answer exceeds."""
    if len(text) <= MOST:
        return text
    left_out = counted(len(text) - MOST + AROUND, "more character")
    return f"{text[: MOST - AROUND]}\n({left_out}, cut)"


def dump(view: View) -> dict[str, Any]:
    """Return the keys that were set, as JSON has them."""
    return view.model_dump(mode="json", by_alias=True, exclude_unset=True)


def found_notes(found: FoundMemories | FoundNotes) -> Iterator[Recalled]:
    """Give search results, then what was held back."""
    yield from (_found(number, each) for number, each in enumerate(found.results, 1))
    yield from (_beside(each) for each in found.beside or ())
    yield from (_held_back(each) for each in found.held_back or ())


def _beside(beside: Mapping[str, str]) -> Recalled:
    mark = "From the same conversation: "
    return Recalled(mark=mark, name=beside["id"], origin=beside["origin"], title=beside["title"])


def _fit(found: FoundNote) -> str:
    """Return how well a result fits, and what it rests on if it does not fit wholly."""
    if not found.lacks:
        return found.fit or ""
    has = f"has {', '.join(map(quoted, found.has or ()))}" if found.has else "has none of the words"
    return f"{found.fit}: {has}, lacks {', '.join(map(quoted, found.lacks))}"


def _held_back(held: HeldBackNote) -> Recalled:
    by = f" by [{held.superseded_by}]" if held.superseded_by else ""
    facts = [f"{held.reason}{by}", f"relevance {held.relevance:.2f}"]
    return Recalled(mark="Held back: ", name=held.id, origin=held.origin, title=held.title, facts=facts)


def _reasons(explained: Explanation) -> str:
    factors = f"relevance {explained.relevance:.2f} x decay {explained.decay_factor:.2f}"
    product = f"{factors} x tier {explained.tier_weight:g} x project {explained.project_bonus:g}"
    parts = [f"{quoted(term.term)} {term.share:.2f} in {', '.join(term.fields)}" for term in explained.terms or ()]
    shares = {"talk": explained.talk, "meaning": explained.meaning}
    parts += [f"{name} {share:.2f}" for name, share in shares.items() if share]
    parts += [f"inherited from [{explained.inherited_from}]"] if explained.inherited_from else []
    return f"why: {product}; {'; '.join(parts)}" if parts else f"why: {product}"


def _found(number: int, found: FoundNote) -> Recalled:
    facts = ["from the archive" if found.tier == "archived" else found.tier]
    if found.fit:
        facts.append(_fit(found))
    score = found.decay_score if isinstance(found, FoundAnywhere) else found.score
    if score is not None:
        facts.append(f"score {score:.2f}")
    if found.fades_on:
        facts.append(f"fades {found.fades_on}")
    if found.review:
        facts.append("due for review")
    if found.explanation:
        facts.append(_reasons(found.explanation))
    return Recalled(
        mark=f"{number}. ", name=found.id, origin=found.origin, title=found.title, facts=facts, text=found.content
    )


def briefed(brief: FoundMemories) -> Iterator[Recalled]:
    """Give the memories of the session brief, each with the reason why it is shown."""
    for memory in brief.results:
        facts = [memory.section] if memory.section else []
        yield Recalled(name=memory.id, origin=memory.origin, title=memory.title, facts=facts, text=memory.content)


def opened_said(view: OpenedNotes) -> str:
    """Return what is to be said of the ids that are not shown."""
    parts = [f"Unknown: {', '.join(view.not_found)}"] if view.not_found else []
    if view.not_here:
        parts.append(f"Not on this device yet, the sync service has to fetch it: {', '.join(view.not_here)}")
    parts += [f"Not shown for lack of room, open separately: {', '.join(view.not_shown)}"] if view.not_shown else []
    if view.unnamed:
        more = "1 more of these ids is" if view.unnamed == 1 else f"{view.unnamed} more of these ids are"
        parts.append(f"{more} not named for lack of room.")
    return "\n".join(parts)


def opened_notes(view: OpenedNotes) -> Iterator[Recalled]:
    """Give notes in full."""
    return map(_opened, view.memories)


def _opened(note: OpenedNote) -> Recalled:
    facts = [note.tier, f"etag {note.etag}" if note.etag else "cut, so no etag"]
    if note.tags:
        facts.append(" ".join(f"#{tag}" for tag in some(note.tags, _TAGS)))
    if note.fades_on:
        facts.append(f"fades {note.fades_on}")
    if note.relations and note.relations.more:
        facts.append(f"{counted(note.relations.more, 'more relation')} in read_graph")
    return Recalled(name=note.id, origin=note.origin, title=note.title, facts=facts, text=note.content)
