"""`doctor`: what a person should look at, each with its cure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from itertools import groupby
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Faint, Heading
from mnemex_vault.cli.cures import cure_of
from mnemex_vault.cli.examination import Concern, examine
from mnemex_vault.cli.healing import join_copies
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.program_check import program_troubles
from mnemex_vault.cli.safe_text import one_line, whole
from mnemex_vault.cli.session import Session

if TYPE_CHECKING:
    from rich.console import RenderableType

    from mnemex_vault.app import App


def doctor(
    context: typer.Context,
    accept_clock: Annotated[
        bool, typer.Option("--accept-clock", help="Believe the clock, after it stood wrong or was set.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="First join memories with copies of them that sync tools left.")
    ] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what to look at. Reads every note; nothing is repaired unasked."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        mended, told = join_copies(session, app) if fix else ({}, [])
        if accept_clock:
            app.guard.accept_clock()
        with session.console.working("Examining the vault"):
            concerns = examine(app, progress=session.console.watch("Examining notes"))
            concerns += [Concern("program", "", trouble) for trouble in program_troubles(session, app)]
        data = {"notes": len(app.store.catalog), "findings": [asdict(each) for each in concerns], **mended}
        groups = {kind: list(found) for kind, found in groupby(concerns, key=lambda each: each.kind)}
        closing = _doctor_closing(app, concerns)
        drawn = _drawn_concerns(session, groups, closing)
        session.console.say(*told)
        session.console.answer(data, [*_doctor_lines(groups), closing], drawn=drawn)


def _drawn_concerns(
    session: Session, groups: Mapping[str, list[Concern]], closing: str
) -> Iterable[RenderableType] | None:
    if not session.console.draws:
        return None
    from mnemex_vault.cli.drawn.concerns import concerns

    cures = {kind: cure_of(kind) for kind in groups}
    return concerns(groups, cures, closing=[closing], columns=session.console.columns)


def _doctor_lines(groups: Mapping[str, list[Concern]]) -> Iterator[str]:
    for kind, found in groups.items():
        yield Heading(kind[0].upper() + kind[1:])
        for each in found:
            place = f"{whole(each.path)}: " if each.path else ""
            yield f"  {place}{one_line(each.detail)}"
        cure = cure_of(kind)
        if cure:
            yield Faint(f"  -> {cure}")


def _doctor_closing(app: App, concerns: list[Concern]) -> str:
    read = f"{words.count(len(app.store.catalog), 'note')} read"
    found = words.count(len(concerns), "thing") if concerns else "nothing"
    return f"{read}; {found} to look at."
