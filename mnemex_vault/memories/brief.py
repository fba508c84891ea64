"""The session brief: what an assistant should know before the first question, within a fixed number of tokens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from mnemex_vault.disk.state import Moments, private_folder, replace_private
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Kind, Tier
from mnemex_vault.domain.scoring import State
from mnemex_vault.errors import MnemexError, WriteFailed
from mnemex_vault.index.entry import Entry
from mnemex_vault.language.tags import label_key
from mnemex_vault.memories.recalled import Recalled, framed, origin_of, shorten
from mnemex_vault.memories.store import Store
from mnemex_vault.text.inert_text import is_strangers
from mnemex_vault.text.ours import BRIEF_MARK, never_imported

# a token counts as four characters
MAX_CHARACTERS = 1_200 * 4
# the line that says what is recalled, what is said before it, and headings
_AROUND = 400
_LINE = 160
# mark, brackets, quotes and the end of the line
_OVERHEAD = 8
# what is left of the room is worth reading notes for from here on
_LEAST = 30
_BRIEFED = "brief"
# after each section so much of the room is taken at most, so that none leaves nothing to those after it; what the last
# ones leave goes to the first again
_STANDING, _PERSON, _PINNED, _COSTLY, _PROJECT, _LATER = 0.85, 0.89, 0.92, 0.95, 0.97, 1.0
# what does not change from day to day
_LASTING = ("always", "person", "pinned", "costly", "permanent")


@dataclass(frozen=True, slots=True)
class BriefItem:
    """One memory of the brief, under the heading that explains why it is shown."""

    section: str
    entry: Entry
    text: str

    @property
    def size(self) -> int:
        """Return how many characters its line takes."""
        return len(self.entry.memory_id or "") + len(self.text) + _OVERHEAD

    @property
    def heading(self) -> str:
        """Return under what it stands: its section, and who wrote it."""
        return f"{self.section.capitalize()} (origin {origin_of(self.entry.origin)}):"


def told(items: Iterable[BriefItem]) -> Iterator[Recalled]:
    """Give the memories of a brief, one a line, those of a section and origin under one heading."""
    heading = ""
    for item in items:
        mark = "- " if item.heading == heading else f"{item.heading}\n- "
        heading = item.heading
        yield Recalled(
            mark=mark, name=item.entry.memory_id or "", origin=origin_of(item.entry.origin), text=item.text, flat=True
        )


def _is_apart(entry: Entry, project: str | None) -> bool:
    """Tell whether a memory belongs to another project than the conversation; who somebody is belongs to all."""
    if not (project and entry.project) or label_key(entry.project) == label_key(project):
        return False
    return entry.usage is None or entry.usage.kind not in (Kind.IDENTITY, Kind.SAFETY)


class Brief:
    """What is worth knowing now."""

    def __init__(self, store: Store, moments: Moments) -> None:
        self._store = store
        self._moments = moments

    def make(self, *, project: str | None = None) -> list[BriefItem]:
        """Return each memory at most once, under the first section that it belongs to.

        First what always holds (rules and preferences), then who the person is, what is pinned, what would be costly to
        miss, what belongs to the project, what the person changed, and what is strong, recent and fading; at last, if
        there is room, what belongs to other projects. What comes from strangers and has not been approved is left out.
        """
        now, live = self._store.clock(), self._live()
        apart = [each for each in live if _is_apart(each, project)]
        here = [each for each in live if not _is_apart(each, project)]
        here.sort(key=lambda entry: bool(entry.project) != bool(project))
        sections = [(name, list(entries), share) for name, entries, share in self._sections(here, project, now=now)]
        sections.append(("elsewhere", self._best(apart, now=now), _LATER))
        self._moments.remember(_BRIEFED, now)
        return self._filled(sections)

    def of_the_person(self) -> list[BriefItem]:
        """Return what holds whatever a conversation is about, and was written or approved by the person.

        It stays the same until one of these memories changes.
        """
        live = [each for each in self._live() if not each.project and (each.approved or not is_strangers(each.origin))]
        sections = self._sections(live, None, now=self._store.clock())
        items = self._filled([(name, list(entries), share) for name, entries, share in sections if name in _LASTING])
        return sorted(items, key=lambda item: (_LASTING.index(item.section), item.heading, item.entry.path))

    def _live(self) -> list[Entry]:
        store = self._store
        gone = store.catalog.superseded()
        live = (entry for entry in store.catalog.memories(Tier.SHORT_TERM, Tier.LONG_TERM) if store.may_read(entry))
        return [entry for entry in live if entry.path not in gone and store.trusts(entry)]

    def _filled(self, sections: Sequence[tuple[str, Sequence[Entry], float]]) -> list[BriefItem]:
        taken: dict[str, BriefItem] = {}
        used = _AROUND
        for share in (None, 1.0):
            for section, entries, own in sections:
                used = self._take(section, entries, taken, used, int(MAX_CHARACTERS * (share or own)))
        order = {name: at for at, (name, _, _) in enumerate(sections)}
        return sorted(taken.values(), key=lambda item: (order[item.section], item.heading))

    def _take(self, section: str, entries: Iterable[Entry], taken: dict[str, BriefItem], used: int, room: int) -> int:
        """Take what there is room for; return how much is used by then."""
        for entry in entries:
            if room - used < _LEAST:
                break
            if entry.path in taken:
                continue
            item = self._item(section, entry)
            if item is not None and used + item.size <= room:
                taken[entry.path] = item
                used += item.size
        return used

    def _sections(
        self, live: Sequence[Entry], project: str | None, *, now: datetime
    ) -> Iterable[tuple[str, Iterable[Entry], float]]:
        store = self._store
        usage_of = store.usages()

        def best(entries: Iterable[Entry]) -> list[Entry]:
            return self._best(entries, now=now)

        def of(*kinds: Kind) -> list[Entry]:
            found = ((entry, usage_of(entry)) for entry in live)
            ranked = [
                (bool(entry.project) and not project, kinds.index(usage.kind), -usage.strength, at, entry)
                for at, (entry, usage) in enumerate(found)
                if usage.kind in kinds
            ]
            return [entry for *_, entry in sorted(ranked)]

        short = [entry for entry in live if entry.tier is Tier.SHORT_TERM]
        policy, weak = store.policy, (State.FADING, State.DUE)
        fading = [entry for entry in short if scoring.state(usage_of(entry), policy, now=now) in weak]
        yield "always", of(Kind.RULE, Kind.PREFERENCE), _STANDING
        yield "person", of(Kind.IDENTITY), _PERSON
        yield "pinned", best(entry for entry in live if usage_of(entry).pinned), _PINNED
        yield "costly", of(Kind.SAFETY), _COSTLY
        yield "project", best(e for e in live if project and label_key(e.project or "") == label_key(project)), _PROJECT
        yield "changed", self._changed(live), _LATER
        yield "permanent", best(entry for entry in live if entry.tier is Tier.LONG_TERM), _LATER
        yield "recent", sorted(short, key=lambda entry: usage_of(entry).last_used, reverse=True), _LATER
        yield "fading", sorted(fading, key=lambda entry: store.score(entry, now=now)), _LATER

    def _best(self, entries: Iterable[Entry], *, now: datetime) -> list[Entry]:
        return sorted(entries, key=lambda entry: (-self._store.score(entry, now=now), entry.path))

    def _changed(self, live: Iterable[Entry]) -> Iterator[Entry]:
        """Yield the memories that someone else changed since the last brief, the latest first."""
        since = self._moments.last(_BRIEFED)
        if since is None:
            return
        ours = {step.after for operation in self._store.journal.history(None) for step in operation.steps}
        changed = [
            entry for entry in live if entry.fingerprint.mtime_ns / 1e9 > since.timestamp() and entry.etag not in ours
        ]
        yield from sorted(changed, key=lambda entry: entry.fingerprint.mtime_ns, reverse=True)

    def _item(self, section: str, entry: Entry) -> BriefItem | None:
        try:
            text = " ".join(self._store.note(entry).content.split())
        except MnemexError:
            return None
        return BriefItem(section, entry, shorten(text, _LINE))


class KeptBrief:
    """The brief in a file that a client reads by itself: kept up to date for as long as the file is there."""

    def __init__(self, brief: Brief, path: Path, *, root: Path) -> None:
        self._brief = brief
        self._root = root
        self.path = path

    def begin(self) -> None:
        """Write the file, for this person alone. Raises ConfigError and WriteFailed."""
        private_folder(self.path.parent)
        self._write()

    def refresh(self) -> None:
        """Write the file anew if it is kept and says otherwise by now. Raises WriteFailed."""
        if self.path.exists():
            self._write()

    def end(self) -> None:
        """Keep no file any more."""
        self.path.unlink(missing_ok=True)

    def _write(self) -> None:
        text = self._text()
        try:
            if not self.path.exists() or self.path.read_bytes() != text.encode():
                replace_private(self.path, text)
        except OSError as error:
            raise WriteFailed(str(self.path), error.strerror or type(error).__name__) from error

    def _text(self) -> str:
        vault = " ".join(self._root.name.split()).replace("--", "- ")
        mark = f"{BRIEF_MARK} of {vault}, kept up to date by mnemex -->"
        return never_imported(framed(mark, told(self._brief.of_the_person()))) + "\n"
