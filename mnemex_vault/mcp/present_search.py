"""What searching answers: previews with the facts that a model needs to judge them, bounded as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from mnemex_vault.app import App
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier
from mnemex_vault.domain.words import counted
from mnemex_vault.index.ranking import Hidden, Hit
from mnemex_vault.mcp.budget import AROUND, MOST, USUAL, fitting, length_of, size_of, some, title_of, within
from mnemex_vault.mcp.facts import age_days, day, epoch, origin_of, pagination
from mnemex_vault.mcp.present_explanation import HELD_BACK, explanation, held_back
from mnemex_vault.mcp.views import Pagination
from mnemex_vault.mcp.views_search import FoundAnywhere, FoundMemories, FoundNote, FoundNotes
from mnemex_vault.memories.recall import LIVE, Page, Preview

T = TypeVar("T", bound=FoundNote)

DEFAULT_PAGE_SIZE = 10
_FIRST_WORDS = 80
# so many words of a question are named as found, and as lacking
_WORDS = 6
_TIERS = {tier.status: tier for tier in Tier}


@dataclass(frozen=True, slots=True)
class Asked:
    """How many results a caller wants and in which form; `notes` are remarks for the message."""

    limit: int
    page: int | None
    page_size: int | None
    preview_length: int | None
    explain: bool
    notes: Sequence[str]

    @property
    def paged(self) -> bool:
        """Tell whether pages were asked for."""
        return self.page is not None or self.page_size is not None

    @property
    def size(self) -> int:
        """Return how many results fit the answer."""
        return (self.page_size or DEFAULT_PAGE_SIZE) if self.paged else self.limit

    @property
    def offset(self) -> int:
        """Return how many results come before."""
        return ((self.page or 1) - 1) * self.size if self.paged else 0

    @property
    def room(self) -> int:
        """Return how many characters the results may take together."""
        return (USUAL if self.size <= DEFAULT_PAGE_SIZE else MOST) - self.around

    @property
    def around(self) -> int:
        """Return how many characters the answer may take beside the results."""
        return AROUND + (HELD_BACK if self.explain else 0)


def tiers_of(status: str | Sequence[str] | None) -> frozenset[Tier]:
    """Return the tiers of the inherited words; none means all that is not archived.

    >>> sorted(tiers_of(["active", "archived"]))
    [<Tier.ARCHIVED: 'archived'>, <Tier.SHORT_TERM: 'short-term'>]
    """
    words = [status] if isinstance(status, str) else list(status or ())
    return frozenset(_TIERS[word] for word in words) or LIVE


def memories_view(app: App, page: Page, asked: Asked, *, others: int) -> FoundMemories:
    """Return one page of memories; `others` is how many ordinary notes would match."""
    previews = app.recall.previews(page.hits, length=asked.preview_length, found=page.found)
    results = _bounded((_found(app, each.hit, page, asked) for each in previews), previews, asked)
    message = _message(page, asked, results, others)
    view = FoundMemories(
        success=True, count=len(results), results=results, hidden=_hidden(page.hidden), message=message
    )
    return view.model_copy(update=_asked_for(app, page, asked))


def notes_view(app: App, page: Page, asked: Asked) -> FoundNotes:
    """Return one page of memories and ordinary notes; an item's `score` is what is sorted by, as inherited."""
    previews = app.recall.previews(page.hits, length=asked.preview_length, found=page.found)
    results = _bounded((_found_anywhere(app, each.hit, page, asked) for each in previews), previews, asked)
    message = _message(page, asked, results)
    view = FoundNotes(success=True, count=len(results), results=results, hidden=_hidden(page.hidden), message=message)
    return view.model_copy(update=_asked_for(app, page, asked))


def _asked_for(app: App, page: Page, asked: Asked) -> dict[str, object]:
    """Return the keys of an answer that are there only if asked for."""
    held = _beside(page) | ({"held_back": held_back(app, page)} if asked.explain else {})
    return held | ({"pagination": _pagination(page, asked)} if asked.paged else {})


def _bounded(found: Iterable[T], previews: Sequence[Preview], asked: Asked) -> list[T]:
    """Give each result its text as far as there is room, and leave out the last ones if there is none at all."""
    bare = list(found)
    room = USUAL - asked.around - sum(size_of(each) + 1 for each in bare)
    results = []
    for left, each, preview in zip(range(len(bare), 0, -1), bare, previews, strict=True):
        # a whole text may be asked for, but the first one leaves the others their first words
        text = within(preview.text, max(room - _FIRST_WORDS * (left - 1), _FIRST_WORDS))
        room -= length_of(text)
        results.append(each.model_copy(update={"content": text}))
    return fitting(results, asked.room)


def _found(app: App, hit: Hit, page: Page, asked: Asked) -> FoundNote:
    return FoundNote.model_validate(_facts(app, hit, page, asked))


def _found_anywhere(app: App, hit: Hit, page: Page, asked: Asked) -> FoundAnywhere:
    entry = hit.entry
    facts = _facts(app, hit, page, asked)
    return FoundAnywhere.model_validate(
        {
            **facts,
            "score": hit.rank,
            "decay_score": facts["score"],
            "source": "stm" if entry.is_memory and entry.tier is Tier.SHORT_TERM else "ltm",
            "memory_id": entry.memory_id if entry.is_memory else None,
            "created_at": epoch(app.store.usage(entry).created) if entry.is_memory else None,
        }
    )


def _facts(app: App, hit: Hit, page: Page, asked: Asked) -> dict[str, object]:
    entry = hit.entry
    facts: dict[str, object] = {
        "id": entry.item_id,
        "title": title_of(entry.title),
        "tier": entry.tier.value,
        "status": entry.tier.status,
        "path": entry.path,
        "content": "",
        "score": None if hit.score is None else round(hit.score, 4),
        "relevance": round(hit.relevance, 4),
        "rank": round(hit.rank, 4),
        "tags": some(entry.tags),
        "origin": origin_of(entry),
        "similarity": round(hit.relevance, 4),
        **_use_facts(app, hit),
    }
    told = page.fit(hit)
    if told is not None:
        facts |= {"fit": told.fitting.value, "has": _words(told.has), "lacks": _words(told.lacks)}
    if hit.review:
        facts["review"] = True
    if asked.explain:
        facts["explanation"] = explanation(app, hit, page)
    return facts


def _words(words: Sequence[str]) -> list[str]:
    """Return some words of a question, which may be as long as a page."""
    return [title_of(word) for word in words[:_WORDS]]


def _beside(page: Page) -> dict[str, object]:
    """Return what stands beside the best results, where there is anything."""
    notes = [{"id": entry.item_id, "title": title_of(entry.title), "origin": origin_of(entry)} for entry in page.beside]
    return {"beside": notes} if notes else {}


def _use_facts(app: App, hit: Hit) -> dict[str, object]:
    entry = hit.entry
    if not entry.is_memory:
        return dict.fromkeys(("fades_on", "use_count", "last_used", "age_days", "review_priority"))
    usage, now = app.store.usage(entry), app.store.clock()
    return {
        "fades_on": day(app.store.fades_on(usage, tier=entry.tier)),
        "use_count": usage.use_count,
        "last_used": epoch(usage.last_used),
        "age_days": age_days(usage, now=now),
        "review_priority": review_priority(app, hit.score, entry.tier),
    }


def review_priority(app: App, score: float | None, tier: Tier) -> float | None:
    """Return how much a memory is worth showing again, None for what does not fade."""
    if score is None or tier is not Tier.SHORT_TERM:
        return None
    return round(scoring.review_priority(score, app.store.rules.policy), 4)


def _hidden(hidden: Mapping[Hidden, int]) -> dict[str, int]:
    told = (Hidden.ARCHIVED, Hidden.SUPERSEDED)
    return {reason.value: hidden[reason] for reason in told if hidden.get(reason)}


def _message(page: Page, asked: Asked, results: Sequence[FoundNote], others: int = 0) -> str:
    shown = len(results)
    parts = []
    if page.total or not page.from_archive:
        parts.append(_found_in_all(max(0, shown - page.from_archive), page.total, others))
    if page.from_archive:
        parts.append("nothing active fits well, the last result is from the archive")
    if shown < len(page.hits):
        parts.append(f"{len(page.hits) - shown} more had no room here, ask for fewer at a time")
    if any(len(each.tags) < len(hit.entry.tags) for each, hit in zip(results, page.hits, strict=False)):
        parts.append("some tags are left out, open_memories gives all")
    hidden = _hidden(page.hidden)
    if "archived" in hidden:
        parts.append(f"{hidden['archived']} archived (status=archived)")
    if "superseded" in hidden:
        parts.append(f"{hidden['superseded']} superseded (include_superseded)")
    return "; ".join([*parts, *([page.degraded] if page.degraded else []), *asked.notes]) + "."


def _found_in_all(shown: int, total: int, others: int) -> str:
    if total:
        return f"{shown} of {counted(total, 'match', 'matches')}"
    if others:
        match = f"{counted(others, 'ordinary note')} {'matches' if others == 1 else 'match'}"
        return f"Nothing matches among the memories; {match}, search_unified shows {'it' if others == 1 else 'them'}"
    return "Nothing matches; say so rather than guess"


def _pagination(page: Page, asked: Asked) -> Pagination:
    return pagination(page=asked.page or 1, page_size=asked.size, total=page.total)
