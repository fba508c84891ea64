"""What of a person's exported conversations is worth keeping: shown first, and written only when it was chosen."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from mnemex_vault.disk.state import replace_private
from mnemex_vault.domain.memory import Tier, Usage
from mnemex_vault.domain.similarity import normalised
from mnemex_vault.errors import InvalidInput
from mnemex_vault.importers.assistant_files import sections
from mnemex_vault.importers.exports import Conversation, Export, Remembered, Said
from mnemex_vault.importers.findings import Problem, Record, derived_id, usable_id
from mnemex_vault.language.activation import SaveFinding, save_finding
from mnemex_vault.language.secrets import find_secrets
from mnemex_vault.language.word_lists import Lexicon

MOST = 50
_JUDGED = 4_000
STORE = "export"


@dataclass(frozen=True, slots=True, order=True)
class _Rank:
    strength: float
    confidence: float
    at: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """Something to keep; `remembered` tells that a service kept it already, and `conversation` where it was said."""

    record: Record
    conversation: str = ""
    service: str = ""
    said_at: datetime | None = None
    remembered: bool = False


@dataclass(slots=True, kw_only=True)
class Proposals:
    """What an export offers: all that services remembered, and the best of what the person said.

    `withheld` were told not to be kept or hold secrets, `waiting` would be proposed once these are decided on.
    """

    found: Sequence[Proposal]
    messages: int = 0
    withheld: int = 0
    known: int = 0
    waiting: int = 0
    problems: Sequence[Problem] = ()


@dataclass(slots=True)
class _Reading:
    lexicon: Lexicon
    now: datetime
    is_known: Callable[[Record], bool]
    seen: set[tuple[str | None, str]] = field(default_factory=set)
    best: list[tuple[_Rank, int, Proposal]] = field(default_factory=list)
    remembered: list[Proposal] = field(default_factory=list)
    messages: int = 0
    withheld: int = 0
    known: int = 0
    good: int = 0

    def take_remembered(self, proposal: Proposal) -> None:
        if self._is_new(proposal):
            self.remembered.append(proposal)

    def take_said(self, conversation: Conversation, said: Said) -> None:
        self.messages += 1
        finding = save_finding(said.text[:_JUDGED], self.lexicon)
        if finding.veto is not None or find_secrets(finding.sentence):
            self.withheld += 1
        elif finding.should_save:
            self._propose(conversation, said, finding)

    def _propose(self, conversation: Conversation, said: Said, finding: SaveFinding) -> None:
        proposal = _proposal(conversation, said, finding.sentence, self.now)
        record = replace(
            proposal.record, tags=finding.tags, usage=replace(proposal.record.usage, strength=finding.strength)
        )
        proposal = replace(proposal, record=record)
        if self._is_new(proposal):
            self._keep(proposal, finding)

    def _keep(self, proposal: Proposal, finding: SaveFinding) -> None:
        self.good += 1
        at = proposal.said_at.timestamp() if proposal.said_at else 0.0
        ranked = (_Rank(finding.strength, round(finding.confidence, 1), at), -self.good, proposal)
        (heapq.heappush if len(self.best) < MOST else heapq.heappushpop)(self.best, ranked)

    def _is_new(self, proposal: Proposal) -> bool:
        said = normalised(proposal.record.content)
        if not said or (proposal.record.project, said) in self.seen:
            return False
        self.seen.add((proposal.record.project, said))
        if self.is_known(proposal.record):
            self.known += 1
            return False
        return True


def read_proposals(
    export: Export,
    lexicon: Lexicon,
    *,
    now: datetime,
    is_known: Callable[[Record], bool],
    progress: Callable[[int], None] = lambda _: None,
) -> Proposals:
    """Judge every message of an export, in memory that does not grow with it but for what was remembered.

    `is_known` tells of what the vault has, or a person passed over before; `progress` is told the number of
    conversations.
    """
    reading = _Reading(lexicon, now, is_known)
    for kept in export.remembered():
        for proposal in _of_service(kept, now):
            reading.take_remembered(proposal)
    for number, conversation in enumerate(export.conversations(), 1):
        for said in conversation.said:
            if said.kept:
                reading.take_remembered(_proposal(conversation, said, said.text, now))
            else:
                reading.take_said(conversation, said)
        progress(number)
    return Proposals(
        found=[*reading.remembered, *(proposal for _, _, proposal in sorted(reading.best, reverse=True))],
        messages=reading.messages,
        withheld=reading.withheld,
        known=reading.known,
        waiting=reading.good - len(reading.best),
        problems=tuple(export.problems),
    )


def _proposal(conversation: Conversation, said: Said, text: str, now: datetime) -> Proposal:
    at = said.at or conversation.at
    title = conversation.title or "a conversation"
    record = Record(
        id=derived_id(f"{conversation.service}\n{conversation.id}\n{said.id}\n{text}", store=STORE),
        content=text,
        tier=Tier.SHORT_TERM,
        # somebody who chooses it today uses it today
        usage=Usage(created=min(at or now, now), last_used=now),
        source=f"{conversation.service}: {title}",
        origin="user" if said.by_person else "ai",
        session=usable_id(conversation.id, store=STORE),
        place=f"{conversation.place} {conversation.title}",
    )
    return Proposal(
        record=record,
        conversation=conversation.title,
        service=conversation.service,
        said_at=at,
        remembered=said.kept,
    )


def _of_service(kept: Remembered, now: datetime) -> Iterator[Proposal]:
    """Yield each section of a text that Claude kept, or the whole of what the person wrote there."""
    texts = [(kept.title, kept.text)] if kept.by_person else _parts(kept)
    at = min(kept.at or now, now)
    for title, text in texts:
        record = Record(
            id=derived_id(f"{kept.project or ''}\n{title}\n{text}", store=STORE),
            title=title or None,
            content=text,
            tier=Tier.LONG_TERM,
            usage=Usage(created=at, last_used=now, promoted=now),
            project=kept.project,
            source="Claude",
            origin="user" if kept.by_person else "ai",
            place=kept.place,
        )
        yield Proposal(record=record, service="Claude", said_at=kept.at, remembered=True)


def _parts(kept: Remembered) -> list[tuple[str, str]]:
    return [(" / ".join(each.headings) or kept.title, each.text) for each in sections(kept.text)]


def chosen(proposals: Sequence[Proposal], answer: str) -> list[Proposal]:
    """Return the proposals that an answer names: numbers from 1 such as `1-5, 9`, ids, `all` or `none`.

    Raises InvalidInput for what names none of them.

    >>> chosen([], "none")
    []
    """
    said = answer.strip().casefold()
    if said in ("all", "none"):
        return list(proposals) if said == "all" else []
    by_id = {each.record.id: number for number, each in enumerate(proposals)}
    wanted: set[int] = set()
    for part in filter(None, said.replace(",", " ").split()):
        wanted |= {by_id[part]} if part in by_id else set(_span(part, len(proposals)))
    return [proposals[number] for number in sorted(wanted)]


def _span(part: str, most: int) -> Iterable[int]:
    first, _, last = part.partition("-")
    if not first.isdecimal() or not (last or first).isdecimal():
        raise InvalidInput("take", f"has {part!r}, which is no number; say 1-5,9 or all or none")
    begin, end = int(first), int(last or first)
    if not 1 <= begin <= end <= most:
        raise InvalidInput("take", f"has {part}, and there are {most} proposals")
    return range(begin - 1, end)


class PassedOver:
    """What a person was shown and did not choose, by id, so that it is not shown again; kept in one private file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def ids(self) -> frozenset[str]:
        """Return the ids; a file that cannot be read holds none."""
        try:
            return frozenset(self._path.read_text("utf-8").split())
        except (OSError, UnicodeDecodeError):
            return frozenset()

    def add(self, ids: Collection[str]) -> None:
        """Add ids; raises OSError."""
        if ids:
            replace_private(self._path, "\n".join(sorted(self.ids() | set(ids))) + "\n")
