"""`search` and `list`: finding what fits, why it is there, and choosing among it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli.facts import facts, outlook, scale, scored, standing, when
from mnemex_vault.cli.options import AsOf, JsonOption, LimitOption, Tags, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Faint, Part, Row, Rows, one_line, whole
from mnemex_vault.domain.memory import Tier

if TYPE_CHECKING:
    from mnemex_vault.answers.search import FoundMemories, FoundNote, FoundNotes
    from mnemex_vault.app import App
    from mnemex_vault.memories.face import Entry, HeldBack, Hit
    from mnemex_vault.memories.recall import Page, Request

_INDENT = "   "
_PREVIEW_LINES = 3


_Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="[WORDS]...", help='Words or a question; "a phrase", tag:, path:, project:, -without.'),
]
_AnyTag = Annotated[
    list[str] | None,
    typer.Option("--tag", metavar="TAG", autocompletion=completing.tags, help="Only with one of these tags."),
]
_Results = Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many results, at most 100.")]
_PageNumber = Annotated[int, typer.Option("--page", metavar="N", help="Which page of results.")]
_Everything = Annotated[bool, typer.Option("--all", help="Ordinary notes as well.")]
_Archived = Annotated[bool, typer.Option("--archived", help="Forgotten memories as well.")]
_Superseded = Annotated[bool, typer.Option("--superseded", help="Memories that a newer one replaces as well.")]
_Project = Annotated[
    str | None, typer.Option("--project", metavar="NAME", help="Memories of this project a little higher.")
]
_After = Annotated[str | None, typer.Option("--after", metavar="DAY", help="Only what was made on this day or later.")]
_Before = Annotated[str | None, typer.Option("--before", metavar="DAY", help="Only what was made before this day.")]
_WindowDays = Annotated[
    float | None, typer.Option("--window-days", metavar="DAYS", help="Only what was used in the last days.")
]
_MinScore = Annotated[
    float | None, typer.Option("--min-score", metavar="SCORE", help="Only what has at least this score.")
]
_Interactive = Annotated[
    bool, typer.Option("--interactive", "-i", help="Choose among the results: read, strengthen, pin, forget.")
]
_Explain = Annotated[
    bool, typer.Option("--explain", "--verbose", help="Say why each is there, and what was held back by what.")
]


def search(
    context: typer.Context,
    query: _Words = None,
    tags: _AnyTag = None,
    limit: _Results = 10,
    page: _PageNumber = 1,
    everything: _Everything = False,
    archived: _Archived = False,
    superseded: _Superseded = False,
    project: _Project = None,
    after: _After = None,
    before: _Before = None,
    window_days: _WindowDays = None,
    min_score: _MinScore = None,
    as_of: AsOf = None,
    interactive: _Interactive = False,
    explain: _Explain = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Find memories. Without words, shows the liveliest ones; searching never changes anything."""
    from mnemex_vault.domain.memory import Tier
    from mnemex_vault.memories.recall import LIVE, Request

    session = Session.of(context, as_json=as_json)
    if page < 1:
        raise typer.BadParameter("--page starts at 1")
    request = Request(
        query=" ".join(query or ()),
        tags=tags or (),
        tiers=LIVE | {Tier.ARCHIVED} if archived else LIVE,
        ordinary=everything,
        size=limit,
        offset=(page - 1) * limit,
        after=after,
        before=before,
        window_days=window_days,
        min_score=min_score,
        superseded=superseded,
        project=project,
        explain=explain,
    )
    with session.open(vault) as app:
        hits = _answered(session, app, replace(request, as_of=app.memories.day(as_of)), page)
        if interactive:
            pick(session, app, [hit.entry for hit in hits])


def _answered(session: Session, app: App, request: Request, page: int) -> Sequence[Hit]:
    found = app.recall.search(request)
    if found.degraded:
        session.console.warn(found.degraded)
    told = _told(app, found, request, page)
    session.console.answer(told, _found_parts(app, found, told, request))
    return found.hits


def _told(app: App, found: Page, request: Request, page: int) -> FoundMemories | FoundNotes:
    """Return the whole answer of the tool that finds the same."""
    from mnemex_vault.answers import search as answers
    from mnemex_vault.answers.view import EVERYTHING

    asked = answers.Asked(
        page=page, page_size=request.size, explain=request.explain, as_of=request.as_of, bounds=EVERYTHING
    )
    if request.ordinary:
        return answers.notes(app, found, asked).answer
    return answers.memories(app, found, asked, others=app.recall.ordinary_matches(request, found)).answer


def _found_parts(app: App, page: Page, told: FoundMemories | FoundNotes, request: Request) -> Iterator[Part]:
    rows = [
        Row(
            title=note.title,
            name=hit.entry.memory_id or "" if hit.entry.is_memory else "",
            cells=[standing(app, hit.entry), scored(app, hit.entry)],
            facts=[fact for fact in ("worth a review" if note.review else "", _fit(note)) if fact],
            place=whole(hit.entry.path),
            tags=note.tags,
            text=" ".join(note.content.split()),
            below=[*_truth_lines(note), *(explanation_lines(app, hit, page) if request.explain else [])],
        )
        for hit, note in zip(page.hits, told.results, strict=True)
    ]
    if rows:
        yield Rows(rows=rows, first=request.offset + 1, spread=True)
    yield from (*beside_lines(page), *held_back_lines(app, page), _summary(app, page, len(rows), request))


def _truth_lines(note: FoundNote) -> Iterator[str]:
    """Say how a result stands to others: which version it is, what it replaced, what speaks against it."""
    if note.version:
        said = "newest" if note.version["newest"] else "older"
        yield f"{said} of {len(note.version['others']) + 1} versions, said on {note.version['since']}"
    for earlier in note.history or ():
        yield f"before {earlier['until']}: {one_line(earlier['title'])}"
    for other in note.contradicts or ():
        yield f"contradicted by {one_line(other['title'])} ({other['id']})"


def _fit(note: FoundNote) -> str:
    """Return how badly a result fits, and what it lacks; nothing of one that fits."""
    if not note.fit or note.fit == "fits":
        return ""
    return f"{note.fit}, lacks {', '.join(note.lacks)}" if note.lacks else note.fit


def _summary(app: App, page: Page, shown: int, request: Request) -> str:
    from mnemex_vault.memories.face import Hidden

    if page.from_archive:
        first = "Nothing active fits well; the last one is from the archive"
    elif shown:
        first = words.of(shown, page.total, "match", "matches")
    else:
        first = "No more matches" if page.total else "Nothing matches"
    parts = [first]
    if page.hidden.get(Hidden.ARCHIVED):
        parts.append(f"{page.hidden[Hidden.ARCHIVED]} archived (--archived)")
    if page.hidden.get(Hidden.SUPERSEDED):
        parts.append(f"{page.hidden[Hidden.SUPERSEDED]} replaced by newer ones (--superseded)")
    if others := app.recall.ordinary_matches(request, page):
        parts.append(f"{words.count(others, 'ordinary note')} would (--all)")
    if request.as_of:
        parts.append(f"as known on {request.as_of}, with the texts of now (show --as-of: then)")
    return "; ".join(parts) + "."


# so many words of a question are named as lacking
_WORDS = 6
_REASONS = {
    "archived": "archived (--archived)",
    "superseded": "replaced (--superseded)",
    "filtered": "left out by a filter",
    "tier": "weight of its tier",
}


def explanation_lines(app: App, hit: Hit, page: Page) -> list[str]:
    """Return what the rank of a hit is the product of, and its relevance the sum of."""
    from mnemex_vault.memories.recall import in_words

    score = "" if hit.score is None else f", score {hit.score:.3f}"
    lines: list[str] = [
        f"rank {hit.rank:.3f} = words {hit.relevance:.3f} x tier {hit.tier_weight:g}"
        f" x project {hit.project_bonus:g}{score}"
    ]
    why = page.reasons.get(hit.entry.path)
    if why is not None:
        lines.append(f"words {hit.relevance:.3f} = {in_words(why)}")
        outdated = app.memories.notes.get(why.inherited_from) if why.inherited_from else None
        if outdated is not None:
            lines.append(f"found by the words of what it replaces: {one_line(outdated.title)}")
    return lines


def beside_lines(page: Page) -> list[str]:
    """Return what stands beside the best hits in their conversations, under a heading."""
    if not page.beside:
        return []
    return ["From the same conversation:", *(Faint(f"   {one_line(each.title)}") for each in page.beside), ""]


def held_back_lines(app: App, page: Page) -> list[str]:
    """Return one line for each note that was held back, under a heading."""
    if not page.held_back:
        return []
    return ["Held back, though the words fit:", *(_line(app, each) for each in page.held_back), ""]


def _line(app: App, held: HeldBack) -> str:
    by = app.memories.notes.get(held.by) if held.by else None
    successor = f" by {one_line(by.title)}" if by is not None else ""
    title = one_line(held.entry.title)
    return Faint(f"   {title}: {_REASONS[held.reason.value]}{successor}, words {held.relevance:.3f}")


_LEAVE = ("", "q", "quit")
_HELP = "a number reads it; t, p or f before it strengthens, pins or forgets it; Enter leaves"


def pick(session: Session, app: App, entries: Sequence[Entry]) -> None:
    """Let the person choose until they leave; raises BadParameter where nobody can answer."""
    if not session.asks:
        raise typer.BadParameter("-i needs a terminal")
    session.console.say(f"{words.count(len(entries), 'result')}: {_HELP}.")
    while (answer := typer.prompt("Which", default="", show_default=False).strip().lower()) not in _LEAVE:
        action, number = (answer[0], answer[1:]) if answer[:1] in ("t", "p", "f") else ("", answer)
        if not number.strip().isdigit() or not 1 <= int(number) <= len(entries):
            session.console.say(f"{one_line(answer)!r} is none of them: {_HELP}.")
            continue
        session.console.say(*_done(session, app, entries[int(number) - 1], action))


def _done(session: Session, app: App, entry: Entry, action: str) -> list[str]:
    if action and not entry.is_memory:
        return ["That is an ordinary note; it can only be read."]
    memory_id = entry.item_id
    title = one_line(entry.title)
    if action == "t":
        app.lifecycle.touch(memory_id)
        return [f"Used: {title}, {outlook(app, app.memories.memory_entry(memory_id))}"]
    if action == "p":
        app.editing.pin(memory_id, pinned=True)
        return [f"Pinned: {title}"]
    if action == "f":
        moved = app.lifecycle.forget(memory_id)
        return [f"Forgotten: {title}, now {whole(moved.path)}; mnemex undo takes it back"]
    opened, _ = app.collection.open([memory_id])
    return [title, *(line for each in opened for line in session.console.paragraph(each.note.content))]


_Order = Literal["created", "last-used", "score", "title"]
_WHEN = {"created": "Created", "last-used": "Last used"}


def list_memories(
    context: typer.Context,
    sort: Annotated[
        _Order, typer.Option("--sort", metavar="BY", help="By created, last-used, score or title.")
    ] = "created",
    reverse: Annotated[bool, typer.Option("--reverse", help="The other way round.")] = False,
    archived: Annotated[bool, typer.Option("--archived", help="Forgotten memories as well.")] = False,
    tag: Tags = None,
    limit: LimitOption = 20,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """List memories. The newest first, or in another order."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        tiers = (Tier.SHORT_TERM, Tier.LONG_TERM, *([Tier.ARCHIVED] if archived else []))
        entries = sorted(app.memories.all(*tiers, tags=tag or ()), key=_key(app, sort), reverse=reverse)
        shown = entries[:limit]
        data = {"total": len(entries), "memories": [facts(app, entry) for entry in shown]}
        session.console.answer(data, _listed_parts(app, shown, len(entries), sort, tagged=bool(tag)))


def _listed_parts(app: App, entries: Sequence[Entry], total: int, order: _Order, *, tagged: bool) -> Iterator[Part]:
    head = _WHEN.get(order, "Created")
    rows = [
        Row(
            title=entry.title,
            name=entry.memory_id or "",
            cells=[standing(app, entry), when(head, _moment(app, entry, order), app), scored(app, entry)],
            place=whole(entry.path),
            tags=entry.tags,
        )
        for entry in entries
    ]
    if rows:
        yield Rows(rows=rows)
    yield _listed_closing(entries, total, tagged=tagged)
    yield from scale(app, rows)


def _key(app: App, order: _Order) -> Callable[[Entry], tuple[float, str]]:
    usage_of, now = app.memories.usages(), app.memories.now()

    def key(entry: Entry) -> tuple[float, str]:
        usage = usage_of(entry)
        first = {
            "created": -usage.created.timestamp(),
            "last-used": -usage.last_used.timestamp(),
            "score": -app.memories.score(entry, now=now),
            "title": 0.0,
        }
        return first[order], entry.title.casefold()

    return key


def _moment(app: App, entry: Entry, order: _Order) -> datetime:
    usage = app.memories.usage(entry)
    return usage.last_used if order == "last-used" else usage.created


def _listed_closing(shown: Sequence[Entry], total: int, *, tagged: bool) -> str:
    if not total:
        return "No memory has such a tag." if tagged else "There is no memory yet."
    return f"{words.of(len(shown), total, 'memory', 'memories')}."
