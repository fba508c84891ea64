"""`search`: finding what fits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli.console import Console
from mnemex_vault.cli.explaining import (
    beside_lines,
    explanation_facts,
    explanation_lines,
    fit_facts,
    fitting,
    held_back_facts,
    held_back_lines,
)
from mnemex_vault.cli.facts import facts, outlook, place_line, title_line
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import one_line
from mnemex_vault.cli.session import Session

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App
    from mnemex_vault.index.asking import Fit
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
        session.console.answer(data, lines, drawn=_drawn(app, session.console, found, previews, request))
        if interactive:
            from mnemex_vault.cli.picking import pick

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


def _drawn(
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
