"""What `doctor` found: a block for each kind, with its cure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from mnemex_vault.cli.console import one_line
from mnemex_vault.cli.drawn.look import FAINT, ROOMY, STRONG, said, table, text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.cli.doctor import Concern

_CURE = "green"


def concerns(
    groups: Mapping[str, Sequence[Concern]], cures: Mapping[str, str | None], *, closing: Sequence[str], columns: int
) -> Iterator[RenderableType]:
    """Yield what was found by kind, each kind with its cure, then the closing lines."""
    for kind, found in groups.items():
        yield Text.assemble(("! ", "yellow"), text(kind[0].upper() + kind[1:], STRONG), (f"  {len(found):,}", FAINT))
        shown = table(heads=False)
        shown.add_column(ratio=2, overflow="fold")
        if columns >= ROOMY:
            shown.add_column(ratio=3, overflow="fold")
        for each in found:
            shown.add_row(*_cells(each, roomy=columns >= ROOMY))
        yield Padding(shown, (0, 0, 0, 2))
        cure = cures[kind]
        if cure:
            yield Padding(Text.assemble(("→ ", _CURE), text(cure, _CURE)), (0, 0, 0, 2))
        yield ""
    yield from said(closing)


def _cells(each: Concern, *, roomy: bool) -> list[Text]:
    path, detail = text(one_line(each.path)), text(one_line(each.detail), FAINT if each.path else "")
    if not each.path:
        return [detail] if not roomy else [detail, Text()]
    return [path, detail] if roomy else [Text.assemble(path, ": ", detail)]
