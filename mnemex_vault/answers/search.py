"""What searching and the session brief answer: previews with what one needs to judge them, and why they are there."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from typing import TYPE_CHECKING, Any, TypeVar

from mnemex_vault.answers import view as views
from mnemex_vault.domain.memory import Tier
from mnemex_vault.language.words import counted
from mnemex_vault.memories.recalled import Recalled, quoted

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.face import Entry, Hidden, Hit
    from mnemex_vault.memories.recall import Page, Why
    from mnemex_vault.memories.versions import Earlier, Version

DEFAULT_SIZE = 10
_FIRST_WORDS = 80
# so many words of a question are named as found, and as lacking
_WORDS = 6
# what a memory replaced is named up to so many
_EARLIER = 3
_DIGITS = 4
# what the notes that are held back may take together, in characters
_HELD_BACK = 2_000
_LABELS = 300


@dataclass(frozen=True, kw_only=True)
class MatchedTerm(views.View):
    """A term of the question in a note: the fields that have it, and its part of the relevance."""

    term: str
    fields: list[str]
    share: float


@dataclass(frozen=True, kw_only=True)
class Explanation(views.View):
    """What a rank is made of.

    It is the product of the first three. The relevance is the sum of `text`, what the best passage has (the sum of the
    terms), and `talk`, what the notes around it in its session add. A note that replaces an outdated one may have its
    relevance from that one, `inherited_from`, whose reasons are told then.
    """

    relevance: float
    tier_weight: float
    project_bonus: float
    text: float | None = views.ABSENT
    talk: float | None = views.ABSENT
    meaning: float | None = views.ABSENT
    terms: list[MatchedTerm] | None = views.ABSENT
    inherited_from: str | None = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class HeldBackNote(views.View):
    """A note that would be among the results if words alone decided.

    The `reason` is `archived`, `superseded`, `filtered` or `tier`.
    """

    id: str
    title: str
    origin: str
    reason: str
    relevance: float
    superseded_by: str | None = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class FoundNote(views.View):
    """One result of a search; times are epoch seconds, days are ISO dates.

    `fit` is `fits`, `partly` or `weak`. The session brief names the `section`, and beside it has no more than id,
    content and origin. A `version` is one of several that nobody has settled, `history` what a memory replaced.
    """

    id: str
    content: str
    origin: str
    title: str = views.ABSENT
    tier: str = views.ABSENT
    score: float | None = views.ABSENT
    tags: list[str] = views.ABSENT
    fades_on: str | None = views.ABSENT
    similarity: float | None = views.ABSENT
    use_count: int | None = views.ABSENT
    last_used: int | None = views.ABSENT
    age_days: float | None = views.ABSENT
    review_priority: float | None = views.ABSENT
    status: str | None = views.ABSENT
    path: str | None = views.ABSENT
    relevance: float | None = views.ABSENT
    rank: float | None = views.ABSENT
    fit: str = views.ABSENT
    has: tuple[str, ...] = views.ABSENT
    lacks: tuple[str, ...] = views.ABSENT
    section: str | None = views.ABSENT
    review: bool = views.ABSENT
    version: dict[str, Any] = views.ABSENT
    history: list[dict[str, str]] = views.ABSENT
    contradicts: list[dict[str, str]] = views.ABSENT
    explanation: Explanation | None = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class FoundAnywhere(FoundNote):
    """One result of a unified search; `score` is what is sorted by, as it is in `rank`."""

    source: str
    memory_id: str | None
    created_at: int | None
    decay_score: float | None


@dataclass(frozen=True, kw_only=True)
class FoundMemories(views.Answer):
    """Answer of search_memory."""

    success: bool
    count: int
    results: list[FoundNote]
    hidden: dict[str, int]
    message: str
    beside: list[dict[str, str]] | None = views.ABSENT
    held_back: list[HeldBackNote] | None = views.ABSENT
    pagination: views.Pagination | None = views.ABSENT


@dataclass(frozen=True, kw_only=True)
class FoundNotes(views.Answer):
    """Answer of search_unified."""

    success: bool
    count: int
    results: list[FoundAnywhere]
    hidden: dict[str, int]
    message: str
    beside: list[dict[str, str]] | None = views.ABSENT
    held_back: list[HeldBackNote] | None = views.ABSENT
    pagination: views.Pagination | None = views.ABSENT


F = TypeVar("F", bound=FoundNote)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """How many results a caller wants and in which form; `notes` are remarks for the message."""

    limit: int = DEFAULT_SIZE
    page: int | None = None
    page_size: int | None = None
    preview_length: int | None = None
    explain: bool = False
    as_of: date | None = None
    notes: Sequence[str] = ()
    bounds: views.Bounds = views.FOR_A_MODEL

    @property
    def paged(self) -> bool:
        """Tell whether pages were asked for."""
        return self.page is not None or self.page_size is not None

    @property
    def size(self) -> int:
        """Return how many results fit the answer."""
        return (self.page_size or DEFAULT_SIZE) if self.paged else self.limit

    @property
    def offset(self) -> int:
        """Return how many results come before."""
        return ((self.page or 1) - 1) * self.size if self.paged else 0

    @property
    def room(self) -> float:
        """Return how many characters the results may take together."""
        return self.bounds.at_most((views.USUAL if self.size <= DEFAULT_SIZE else views.MOST) - self.around)

    @property
    def around(self) -> int:
        """Return how many characters the answer may take beside the results."""
        return views.AROUND + (_HELD_BACK if self.explain else 0)


def memories(app: App, page: Page, asked: Asked, *, others: int) -> views.Told[FoundMemories]:
    """Tell one page of memories; `others` is how many ordinary notes would match."""
    results = _bounded(app, page, asked, lambda hit: FoundNote(**_facts(app, hit, page, asked)))
    view = FoundMemories(
        success=True,
        count=len(results),
        results=results,
        hidden=_hidden(page.hidden),
        message=_message(page, asked, results, others),
        **_asked_for(app, page, asked),
    )
    return views.Told(view, view.message, _notes(view))


def notes(app: App, page: Page, asked: Asked) -> views.Told[FoundNotes]:
    """Tell one page of memories and ordinary notes; an item's `score` is what is sorted by, as inherited."""
    results = _bounded(app, page, asked, lambda hit: _found_anywhere(app, hit, page, asked))
    view = FoundNotes(
        success=True,
        count=len(results),
        results=results,
        hidden=_hidden(page.hidden),
        message=_message(page, asked, results),
        **_asked_for(app, page, asked),
    )
    return views.Told(view, view.message, _notes(view))


def _asked_for(app: App, page: Page, asked: Asked) -> dict[str, Any]:
    """Return the keys of an answer that are there only if asked for, or if there is anything."""
    held = {"held_back": _held_back(app, page, asked.bounds)} if asked.explain else {}
    number = {"pagination": views.pagination(page=asked.page or 1, page_size=asked.size, total=page.total)}
    return _beside(page, asked.bounds) | held | (number if asked.paged else {})


def _bounded(app: App, page: Page, asked: Asked, found: Callable[[Hit], F]) -> list[F]:
    """Give each result its text as far as there is room, and leave out the last ones if there is none at all."""
    previews = app.recall.previews(page.hits, length=asked.preview_length, found=page.found)
    bare = [found(each.hit) for each in previews]
    room = asked.bounds.at_most(views.USUAL) - asked.around - sum(views.size_of(each) + 1 for each in bare)
    results = []
    for left, each, preview in zip(range(len(bare), 0, -1), bare, previews, strict=True):
        # a whole text may be asked for, but the first one leaves the others their first words
        text = views.within(preview.text, max(room - _FIRST_WORDS * (left - 1), _FIRST_WORDS))
        room -= views.length_of(text)
        results.append(replace(each, content=text))
    return views.fitting(results, asked.room)


def _found_anywhere(app: App, hit: Hit, page: Page, asked: Asked) -> FoundAnywhere:
    entry = hit.entry
    facts = _facts(app, hit, page, asked)
    mine = {
        "score": hit.rank,
        "decay_score": facts["score"],
        "source": "stm" if entry.is_memory and entry.tier is Tier.SHORT_TERM else "ltm",
        "memory_id": entry.memory_id if entry.is_memory else None,
        "created_at": views.epoch(app.memories.usage(entry).created) if entry.is_memory else None,
    }
    return FoundAnywhere(**{**facts, **mine})


def _facts(app: App, hit: Hit, page: Page, asked: Asked) -> dict[str, Any]:
    entry = hit.entry
    facts: dict[str, Any] = {
        "id": entry.item_id,
        "title": asked.bounds.title(entry.title),
        "tier": entry.tier.value,
        "status": entry.tier.status,
        "path": entry.path,
        "content": "",
        "score": None if hit.score is None else round(hit.score, _DIGITS),
        "relevance": round(hit.relevance, _DIGITS),
        "rank": round(hit.rank, _DIGITS),
        "tags": views.some(entry.tags, asked.bounds.at_most(_LABELS)),
        "origin": views.origin_of(entry),
        "similarity": round(hit.relevance, _DIGITS),
        **_use_facts(app, hit),
    }
    if (told := page.fit(hit)) is not None:
        facts |= {"fit": told.fitting.value, "has": _words(told.has), "lacks": _words(told.lacks)}
    if hit.review:
        facts["review"] = True
    version = page.versions.get(entry.path)
    if version is not None:
        facts["version"] = _version(version)
    if history := page.history.get(entry.path):
        facts["history"] = [_earlier(each, app.zone, asked.bounds) for each in history[:_EARLIER]]
    if others := page.contradictions.get(entry.path):
        facts["contradicts"] = [_named(each, asked.bounds) for each in others[:_EARLIER]]
    if asked.explain:
        facts["explanation"] = _explanation(app, hit, page)
    return facts


def _version(version: Version) -> dict[str, Any]:
    return {
        "newest": version.newest,
        "since": version.since.date().isoformat(),
        "others": [other.item_id for other in version.others],
    }


def _earlier(earlier: Earlier, zone: tzinfo, bounds: views.Bounds) -> dict[str, str]:
    usage, until = earlier.entry.usage, earlier.until.astimezone(zone).date().isoformat()
    saved = usage.created.astimezone(zone).date().isoformat() if usage else ""
    return {**_named(earlier.entry, bounds), "saved": saved, "until": until}


def _named(entry: Entry, bounds: views.Bounds) -> dict[str, str]:
    return {"id": entry.item_id, "title": bounds.title(entry.title), "origin": views.origin_of(entry)}


def _words(words: Sequence[str]) -> tuple[str, ...]:
    """Return some words of a question, which may be as long as a page."""
    return tuple(views.title_of(word) for word in words[:_WORDS])


def _use_facts(app: App, hit: Hit) -> dict[str, Any]:
    entry = hit.entry
    if not entry.is_memory:
        return dict.fromkeys(("fades_on", "use_count", "last_used", "age_days", "review_priority"))
    usage = app.memories.usage(entry)
    return {
        "fades_on": views.day(app.memories.fades_on(usage, tier=entry.tier)),
        "use_count": usage.use_count,
        "last_used": views.epoch(usage.last_used),
        "age_days": views.age_days(usage, now=app.memories.now()),
        "review_priority": views.priority(app, hit.score, entry.tier),
    }


def _beside(page: Page, bounds: views.Bounds) -> dict[str, Any]:
    """Return what stands beside the best results, where there is anything."""
    found = [_named(entry, bounds) for entry in page.beside]
    return {"beside": found} if found else {}


def _hidden(hidden: Mapping[Hidden, int]) -> dict[str, int]:
    from mnemex_vault.memories.face import Hidden

    told = (Hidden.ARCHIVED, Hidden.SUPERSEDED)
    return {reason.value: hidden[reason] for reason in told if hidden.get(reason)}


def _explanation(app: App, hit: Hit, page: Page) -> Explanation:
    """Return what the rank of a hit is the product of, and its relevance the sum of."""
    why = page.reasons.get(hit.entry.path)
    return Explanation(
        relevance=hit.relevance,
        tier_weight=hit.tier_weight,
        project_bonus=hit.project_bonus,
        **(_reasons(app, why) if why else {}),
    )


def _reasons(app: App, why: Why) -> dict[str, Any]:
    source = app.memories.notes.get(why.inherited_from) if why.inherited_from else None
    reasons: dict[str, Any] = {
        "text": round(why.text, _DIGITS),
        "talk": round(why.talk, _DIGITS),
        "meaning": round(why.meaning, _DIGITS),
        "terms": [
            MatchedTerm(term=term.term, fields=list(term.fields), share=round(term.share, _DIGITS))
            for term in why.terms
        ],
    }
    return reasons | ({"inherited_from": source.item_id} if source else {})


def _held_back(app: App, page: Page, bounds: views.Bounds) -> list[HeldBackNote]:
    """Return the notes that would be on the page if words alone decided, as many as there is room for."""
    held = []
    for each in page.held_back:
        by = app.memories.notes.get(each.by) if each.by else None
        view = HeldBackNote(
            id=each.entry.item_id,
            title=bounds.title(each.entry.title),
            origin=views.origin_of(each.entry),
            reason=each.reason.value,
            relevance=round(each.relevance, _DIGITS),
            superseded_by=by.item_id if by else views.ABSENT,
        )
        held.append(view)
    return views.fitting(held, bounds.at_most(_HELD_BACK))


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
    if asked.as_of:
        parts.append(f"as known on {asked.as_of.isoformat()}, with the texts of now (open_memories with as_of: then)")
    return "; ".join([*parts, *([page.degraded] if page.degraded else []), *asked.notes]) + "."


def _found_in_all(shown: int, total: int, others: int) -> str:
    if total:
        return f"{shown} of {counted(total, 'match', 'matches')}"
    if others:
        match = f"{counted(others, 'ordinary note')} {'matches' if others == 1 else 'match'}"
        return f"Nothing matches among the memories; {match}, search_unified shows {'it' if others == 1 else 'them'}"
    return "Nothing matches; say so rather than guess"


def _notes(view: FoundMemories | FoundNotes) -> Iterator[Recalled]:
    """Give the results, then what stands beside them and what was held back."""
    yield from (_recalled(number, each) for number, each in enumerate(view.results, 1))
    for beside in view.beside or ():
        mark = "From the same conversation: "
        yield Recalled(mark=mark, name=beside["id"], origin=beside["origin"], title=beside["title"])
    for held in view.held_back or ():
        by = f" by [{held.superseded_by}]" if held.superseded_by else ""
        facts = [f"{held.reason}{by}", f"relevance {held.relevance:.2f}"]
        yield Recalled(mark="Held back: ", name=held.id, origin=held.origin, title=held.title, facts=facts)


def _recalled(number: int, found: FoundNote) -> Recalled:
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
    if found.version:
        said = "newest" if found.version["newest"] else "older"
        facts.append(f"{said} of {len(found.version['others']) + 1} versions, said on {found.version['since']}")
    facts += [f"before {earlier['until']}: {quoted(earlier['title'])}" for earlier in found.history or ()]
    facts += [f"contradicted by [{other['id']}] {quoted(other['title'])}" for other in found.contradicts or ()]
    if found.explanation:
        facts.append(_why(found.explanation))
    return Recalled(
        mark=f"{number}. ", name=found.id, origin=found.origin, title=found.title, facts=facts, text=found.content
    )


def _fit(found: FoundNote) -> str:
    """Return how well a result fits, and what it rests on if it does not fit wholly."""
    if not found.lacks:
        return found.fit
    has = f"has {', '.join(map(quoted, found.has))}" if found.has else "has none of the words"
    return f"{found.fit}: {has}, lacks {', '.join(map(quoted, found.lacks))}"


def _why(explained: Explanation) -> str:
    factors = f"relevance {explained.relevance:.2f} x tier {explained.tier_weight:g}"
    product = f"{factors} x project {explained.project_bonus:g}"
    parts = [f"{quoted(term.term)} {term.share:.2f} in {', '.join(term.fields)}" for term in explained.terms or ()]
    shares = {"talk": explained.talk, "meaning": explained.meaning}
    parts += [f"{name} {share:.2f}" for name, share in shares.items() if share]
    parts += [f"inherited from [{explained.inherited_from}]"] if explained.inherited_from else []
    return f"why: {product}; {'; '.join(parts)}" if parts else f"why: {product}"


def brief(app: App, *, project: str | None, notes: Sequence[str]) -> views.Told[FoundMemories]:
    """Tell what matters now, in the order of its sections, each memory on a line."""
    from mnemex_vault.memories.brief import told

    items = app.brief.make(project=project)
    shown = [
        FoundNote(
            section=item.section, id=item.entry.memory_id or "", content=item.text, origin=views.origin_of(item.entry)
        )
        for item in items
    ]
    first = "What matters now" if shown else "No memories yet"
    view = FoundMemories(
        success=True, count=len(shown), results=shown, hidden={}, message="; ".join([first, *notes]) + "."
    )
    return views.Told(view, view.message, told(items))
