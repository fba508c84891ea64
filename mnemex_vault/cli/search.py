"""`search` and `list`: finding what fits, why it is there, and choosing among it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli.console import Console, Faint, one_line, whole
from mnemex_vault.cli.facts import facts, outlook, place_line, scale, since, title_line
from mnemex_vault.cli.options import JsonOption, LimitOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.domain.memory import Tier

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App
    from mnemex_vault.index.asking import Fit
    from mnemex_vault.index.entry import Entry
    from mnemex_vault.index.ranking import HeldBack, Hit
    from mnemex_vault.memories.recall import Page, Preview, Request

_INDENT = "   "
_PREVIEW_LINES = 3


def search(
    context: typer.Context,
    query: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORDS]...", help='Words or a question; "a phrase", tag:, path:, project:, -without.'),
    ] = None,
    tags: Annotated[
        list[str] | None,
        typer.Option("--tag", metavar="TAG", autocompletion=completing.tags, help="Only with one of these tags."),
    ] = None,
    limit: Annotated[int, typer.Option("--limit", "-n", metavar="N", help="How many results, at most 100.")] = 10,
    page: Annotated[int, typer.Option("--page", metavar="N", help="Which page of results.")] = 1,
    everything: Annotated[bool, typer.Option("--all", help="Ordinary notes as well.")] = False,
    archived: Annotated[bool, typer.Option("--archived", help="Forgotten memories as well.")] = False,
    superseded: Annotated[
        bool, typer.Option("--superseded", help="Memories that a newer one replaces as well.")
    ] = False,
    project: Annotated[
        str | None, typer.Option("--project", metavar="NAME", help="Memories of this project a little higher.")
    ] = None,
    window_days: Annotated[
        float | None, typer.Option("--window-days", metavar="DAYS", help="Only what was used in the last days.")
    ] = None,
    min_score: Annotated[
        float | None, typer.Option("--min-score", metavar="SCORE", help="Only what has at least this score.")
    ] = None,
    interactive: Annotated[
        bool, typer.Option("--interactive", "-i", help="Choose among the results: read, strengthen, pin, forget.")
    ] = False,
    explain: Annotated[
        bool, typer.Option("--explain", "--verbose", help="Say why each is there, and what was held back by what.")
    ] = False,
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
        window_days=window_days,
        min_score=min_score,
        superseded=superseded,
        project=project,
        explain=explain,
    )
    with session.open(vault) as app:
        found = app.recall.search(request)
        if found.degraded:
            session.console.warn(found.degraded)
        previews = app.recall.previews(found.hits, found=found.found)
        data = _page_facts(app, found, previews)
        lines = _page_lines(app, session.console, found, previews, request)
        session.console.answer(data, lines, drawn=_found_drawn(app, session.console, found, previews, request))
        if interactive:
            pick(session, app, previews)


def _page_facts(app: App, page: Page, previews: list[Preview]) -> dict[str, object]:
    return {
        "count": len(previews),
        "total": page.total,
        "hidden": {reason.value: number for reason, number in page.hidden.items()},
        "degraded": page.degraded,
        "held_back": held_back_facts(page),
        "beside": [facts(app, entry) for entry in page.beside],
        "results": [
            {
                **facts(app, preview.hit.entry),
                "content": preview.text,
                "relevance": round(preview.hit.relevance, 4),
                "rank": round(preview.hit.rank, 4),
                "review": preview.hit.review,
                **fit_facts(page.fit(preview.hit)),
                **explanation_facts(preview.hit, page),
            }
            for preview in previews
        ],
    }


def _found_drawn(
    app: App, console: Console, page: Page, previews: list[Preview], request: Request
) -> Iterable[RenderableType] | None:
    if not console.draws:
        return None
    from mnemex_vault.cli.drawn.results import results

    return results(
        app,
        previews,
        first=request.offset + 1,
        reasons=[explanation_lines(app, each.hit, page, indent="") if request.explain else [] for each in previews],
        closing=[*beside_lines(page), *held_back_lines(app, page), _summary(app, page, previews, request)],
        columns=console.columns,
    )


def _page_lines(app: App, console: Console, page: Page, previews: list[Preview], request: Request) -> list[str]:
    lines: list[str] = []
    for number, preview in enumerate(previews, request.offset + 1):
        reasons = explanation_lines(app, preview.hit, page, indent=_INDENT) if request.explain else []
        lines += [*_hit_lines(app, console, number, preview, page.fit(preview.hit)), *reasons, ""]
    return [*lines, *beside_lines(page), *held_back_lines(app, page), _summary(app, page, previews, request)]


def _hit_lines(app: App, console: Console, number: int, preview: Preview, fit: Fit | None) -> list[str]:

    hit, entry = preview.hit, preview.hit.entry
    said = [outlook(app, entry) if entry.is_memory else "note", *(["worth a review"] if hit.review else [])]
    said += [fitting(fit)] if fit else []
    name = entry.item_id if entry.is_memory else ""
    text = console.paragraph(" ".join(one_line(preview.text).split()), indent=_INDENT)
    return [
        title_line(entry.title, name, number=f"{number:>2} "),
        place_line(entry, *said, indent=_INDENT),
        *text[:_PREVIEW_LINES],
    ]


def _summary(app: App, page: Page, previews: list[Preview], request: Request) -> str:
    from mnemex_vault.index.ranking import Hidden

    if page.from_archive:
        first = "Nothing active fits well; the last one is from the archive"
    elif previews:
        first = words.of(len(previews), page.total, "match", "matches")
    else:
        first = "No more matches" if page.total else "Nothing matches"
    parts = [first]
    if page.hidden.get(Hidden.ARCHIVED):
        parts.append(f"{page.hidden[Hidden.ARCHIVED]} archived (--archived)")
    if page.hidden.get(Hidden.SUPERSEDED):
        parts.append(f"{page.hidden[Hidden.SUPERSEDED]} replaced by newer ones (--superseded)")
    if others := app.recall.ordinary_matches(request, page):
        parts.append(f"{words.count(others, 'ordinary note')} would (--all)")
    return "; ".join(parts) + "."


# so many words of a question are named as lacking
_WORDS = 6
_REASONS = {
    "archived": "archived (--archived)",
    "superseded": "replaced (--superseded)",
    "filtered": "left out by a filter",
    "decay": "faded",
    "tier": "weight of its tier",
}


def explanation_lines(app: App, hit: Hit, page: Page, *, indent: str) -> list[str]:
    """Return what the rank of a hit is the product of, and its relevance the sum of."""
    from mnemex_vault.memories.recall import in_words

    score = "" if hit.score is None else f", score {hit.score:.3f}"
    lines: list[str] = [
        f"{indent}rank {hit.rank:.3f} = words {hit.relevance:.3f} x decay {hit.decay_factor:.3f}"
        f" x tier {hit.tier_weight:g} x project {hit.project_bonus:g}{score}"
    ]
    why = page.reasons.get(hit.entry.path)
    if why is not None:
        lines.append(f"{indent}words {hit.relevance:.3f} = {in_words(why)}")
        outdated = app.store.catalog.get(why.inherited_from) if why.inherited_from else None
        if outdated is not None:
            lines.append(f"{indent}found by the words of what it replaces: {one_line(outdated.title)}")
    return [Faint(line) for line in lines]


def explanation_facts(hit: Hit, page: Page) -> dict[str, object]:
    """Return the same as JSON has it; nothing if no reasons were asked for."""
    why = page.reasons.get(hit.entry.path)
    if why is None:
        return {}
    factors = {
        "decay_factor": hit.decay_factor,
        "tier_weight": hit.tier_weight,
        "project_bonus": hit.project_bonus,
    }
    return {"explanation": factors | asdict(why)}


def fitting(fit: Fit) -> str:
    """Return how well a hit fits, and what it lacks.

    >>> from mnemex_vault.index.asking import Fit
    >>> fitting(Fit(has=("penicillin",), lacks=("Anna",), share=0.5, chance=0.9))
    'partly, lacks Anna'
    """
    lacks = ", ".join(fit.lacks[:_WORDS])
    return one_line(f"{fit.fitting.value}, lacks {lacks}" if lacks else fit.fitting.value)


def fit_facts(fit: Fit | None) -> dict[str, object]:
    """Return the same as JSON has it; nothing if no words were asked for."""
    if fit is None:
        return {}
    return {"fit": fit.fitting.value, "has": fit.has, "lacks": fit.lacks, "chance": round(fit.chance, 3)}


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
    by = app.store.catalog.get(held.by) if held.by else None
    successor = f" by {one_line(by.title)}" if by is not None else ""
    title = one_line(held.entry.title)
    return Faint(f"   {title}: {_REASONS[held.reason.value]}{successor}, words {held.relevance:.3f}")


def held_back_facts(page: Page) -> list[dict[str, object]]:
    """Return the same as JSON has it."""
    return [
        {"path": held.entry.path, "reason": held.reason.value, "relevance": round(held.relevance, 4), "by": held.by}
        for held in page.held_back
    ]


_LEAVE = ("", "q", "quit")
_HELP = "a number reads it; t, p or f before it strengthens, pins or forgets it; Enter leaves"


def pick(session: Session, app: App, found: list[Preview]) -> None:
    """Let the person choose until they leave; raises BadParameter where nobody can answer."""
    if not session.asks:
        raise typer.BadParameter("-i needs a terminal")
    entries = [preview.hit.entry for preview in found]
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
        return [f"Used: {title}, {outlook(app, app.store.memory_entry(memory_id))}"]
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
    limit: LimitOption = 20,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """List memories. The newest first, or in another order."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        tiers = (Tier.SHORT_TERM, Tier.LONG_TERM, *([Tier.ARCHIVED] if archived else []))
        entries = sorted(app.store.catalog.memories(*tiers), key=_key(app, sort), reverse=reverse)
        shown = entries[:limit]
        closing = _closing(shown, len(entries))
        lines = [line for entry in shown for line in _lines(app, entry, sort)]
        drawn = _listed_drawn(app, shown, sort, closing, session.console.columns) if session.console.draws else None
        data = {"total": len(entries), "memories": [facts(app, entry) for entry in shown]}
        session.console.answer(data, [*lines, closing], drawn=drawn)


def _key(app: App, order: _Order) -> Callable[[Entry], tuple[float, str]]:
    usage_of, now = app.store.usages(), app.store.clock()

    def key(entry: Entry) -> tuple[float, str]:
        usage = usage_of(entry)
        first = {
            "created": -usage.created.timestamp(),
            "last-used": -usage.last_used.timestamp(),
            "score": -app.store.score(entry, now=now),
            "title": 0.0,
        }
        return first[order], entry.title.casefold()

    return key


def _when(app: App, entry: Entry, order: _Order) -> str:
    usage = app.store.usage(entry)
    return since(usage.last_used if order == "last-used" else usage.created, app)


def _lines(app: App, entry: Entry, order: _Order) -> list[str]:
    said = f"{_WHEN.get(order, 'Created').lower()} {_when(app, entry, order)}"
    return [
        title_line(entry.title, entry.memory_id or ""),
        place_line(entry, outlook(app, entry), said, indent="   "),
    ]


def _listed_drawn(
    app: App, entries: Sequence[Entry], order: _Order, closing: str, columns: int
) -> Iterable[RenderableType]:
    from mnemex_vault.cli.drawn.look import ROOMY, text
    from mnemex_vault.cli.drawn.memories import Row, memories, place
    from mnemex_vault.cli.drawn.states import score, standing

    rows = [
        Row(
            title=entry.title,
            below=[place(entry)],
            beside=[
                standing(app, entry, joined=", " if columns < ROOMY else "\n"),
                text(_when(app, entry, order)),
                score(app, entry),
            ],
        )
        for entry in entries
    ]
    heads = ["State", _WHEN.get(order, "Created"), "Score"]
    return memories(rows, heads=heads, closing=[closing, *scale(app, rows)], columns=columns)


def _closing(shown: Sequence[Entry], total: int) -> str:
    if not total:
        return "There is no memory yet."
    return f"{words.of(len(shown), total, 'memory', 'memories')}."
