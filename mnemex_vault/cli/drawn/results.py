"""Search results as a table."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from mnemex_vault.cli.console import one_line
from mnemex_vault.cli.drawn.look import FAINT, ROOMY, STRONG, Clipped, line, said, table, text
from mnemex_vault.cli.drawn.states import score, standing

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App
    from mnemex_vault.memories.recall import Preview

_PREVIEW_LINES = 3


def results(
    app: App,
    previews: Sequence[Preview],
    *,
    first: int,
    reasons: Sequence[Sequence[str]],
    closing: Sequence[str],
    columns: int,
) -> Iterator[RenderableType]:
    """Yield the results numbered from `first`, each with its reasons if there are any, and the closing lines."""
    roomy = columns >= ROOMY
    shown = table(spread=True, heads=roomy)
    shown.add_column("", justify="right", style=FAINT, no_wrap=True)
    shown.add_column("Memory", ratio=1, overflow="fold")
    if roomy:
        shown.add_column("State", no_wrap=True)
        shown.add_column("Score", justify="right", no_wrap=True)
    for number, (preview, why) in enumerate(zip(previews, reasons, strict=True), first):
        cell = Group(*_cell(app, preview, why, roomy=roomy))
        beside = [standing(app, preview.hit.entry), score(app, preview.hit.entry)] if roomy else []
        shown.add_row(str(number), cell, *beside)
    if previews:
        yield from (shown, text(""))
    yield from said(closing)


def _cell(app: App, preview: Preview, why: Sequence[str], *, roomy: bool) -> Iterator[RenderableType]:

    entry = preview.hit.entry
    yield text(one_line(entry.title), STRONG)
    if not roomy:
        yield standing(app, entry, joined=f" {score(app, entry)}\n")
    if preview.hit.review:
        yield Text("worth a review", style="yellow")
    yield Clipped(text(" ".join(one_line(preview.text).split())), lines=_PREVIEW_LINES)
    folder = entry.path.rpartition("/")[0]
    tags = " ".join(f"#{tag}" for tag in entry.tags)
    name = entry.item_id if entry.is_memory else entry.path
    yield line(" · ".join(part for part in (name, folder if entry.is_memory else "", tags) if part), FAINT)
    yield from (text(each.strip(), FAINT) for each in why)
