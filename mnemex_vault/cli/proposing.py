"""`import` of conversations: what is worth keeping is shown, and a person chooses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Faint
from mnemex_vault.cli.moving_in_report import Job
from mnemex_vault.cli.safe_text import one_line
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import InvalidInput

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.importers.findings import Record
    from mnemex_vault.importers.proposals import PassedOver, Proposal, Proposals

_PASSED_OVER = "passed-over"


def proposed(session: Session, app: App, path: Path, *, take: str | None, again: bool, dry_run: bool) -> Job | None:
    """Read an export, show what it offers, and return what was chosen of it; None if nothing was."""
    from mnemex_vault.importers.findings import Findings
    from mnemex_vault.importers.proposals import PassedOver, chosen

    passed = PassedOver(app.state / _PASSED_OVER)
    offered = _read(session, app, path, passed=frozenset() if again else passed.ids())
    if take is None and session.asks and not dry_run and offered.found:
        session.console.say(*_lines(offered))
        take = _ask(offered.found)
    if take is None or not offered.found:
        session.console.answer(_facts(offered), [*_lines(offered), _next(offered)])
        return None
    picked = chosen(offered.found, take)
    if not dry_run:
        _pass_over(passed, offered.found, picked)
    if not picked:
        session.console.answer(_facts(offered), ["Nothing was written. --again shows them once more."])
        return None
    return Job(Findings(records=tuple(each.record for each in picked), remarks=tuple(offered.problems)), [str(path)])


def _read(session: Session, app: App, path: Path, *, passed: frozenset[str]) -> Proposals:
    from mnemex_vault.importers.bringing_in import Importer
    from mnemex_vault.importers.exports import Export
    from mnemex_vault.importers.proposals import read_proposals

    importer = Importer(app.store)

    def is_known(record: Record) -> bool:
        return record.id in passed or importer.knows(record)

    with session.console.working("Reading conversations"):
        return read_proposals(Export(path), app.vocabulary.lexicon(), now=app.store.clock(), is_known=is_known)


def _pass_over(passed: PassedOver, shown: Sequence[Proposal], picked: Sequence[Proposal]) -> None:
    passed.add({each.record.id for each in shown} - {each.record.id for each in picked})


def _ask(found: Sequence[Proposal]) -> str:
    from mnemex_vault.importers.proposals import chosen

    def check(answer: str) -> str:
        try:
            chosen(found, answer)
        except InvalidInput as error:
            raise typer.BadParameter(str(error)) from error
        return answer

    question = "Which are to be kept? Numbers such as 1-5,9, or all, or none"
    return str(typer.prompt(question, default="none", value_proc=check, err=True))


def _facts(offered: Proposals) -> dict[str, object]:
    return {
        "proposals": [
            {
                "number": number,
                "id": each.record.id,
                "title": each.record.title,
                "content": each.record.content,
                "conversation": each.conversation,
                "service": each.service,
                "said_at": each.said_at.isoformat() if each.said_at else None,
                "remembered": each.remembered,
            }
            for number, each in enumerate(offered.found, 1)
        ],
        "messages": offered.messages,
        "waiting": offered.waiting,
        "known": offered.known,
        "withheld": offered.withheld,
        "remarks": [str(problem) for problem in offered.problems],
        "operation_id": None,
    }


def _lines(offered: Proposals) -> Iterator[str]:
    yield from (Faint(one_line(str(problem))) for problem in offered.problems)
    for number, each in enumerate(offered.found, 1):
        yield f"{number:>3}  {one_line(each.record.content)}"
        yield Faint(f"     {one_line(_whence(each))}")
    yield f"{words.count(offered.messages, 'message')} read, {words.count(len(offered.found), 'proposal')}."
    told = (
        (offered.waiting, "more would be proposed once you decided on these"),
        (offered.known, "known already, or passed over before"),
        (offered.withheld, "withheld: asked not to be kept, or with a key or password in it"),
    )
    yield from (Faint(f"{number:,} {fate}.") for number, fate in told if number)


def _whence(proposal: Proposal) -> str:
    day = f", {proposal.said_at:%Y-%m-%d}" if proposal.said_at else ""
    place = f"“{proposal.conversation}”" if proposal.conversation else proposal.record.project or "about you"
    return f"{'remembered by ' if proposal.remembered else ''}{proposal.service}, {place}{day}"


def _next(offered: Proposals) -> str:
    if not offered.found:
        return "Nothing to propose; nothing was written."
    return "Nothing was written. Say which: --take 1-5,9 or --take all."
