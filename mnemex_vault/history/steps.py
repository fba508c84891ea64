"""The four kinds of step, each with its whole life: planned, done, known to be done, taken back, inverted.

A change is what a use case wishes, as a value; the step is what the journal writes down of it. What makes a kind what
it is stands in its class and nowhere else: journal, undo and recovery know steps by `kind_of` alone.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from mnemex_vault.disk.batch import Batch
from mnemex_vault.errors import InvalidInput, NoteChanged, NoteExists, NoteNotFound, UnreadableNote
from mnemex_vault.history.journal import Step, StepKind
from mnemex_vault.history.workspace import Foresight, WayBack, Workspace, carry_over, carry_over_fields
from mnemex_vault.language.folding import name_key
from mnemex_vault.text.note import etag

# pauses between the attempts of an update whose note is being written by someone else; 0.4 s in all
_PAUSES = (0.0, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2)


@dataclass(frozen=True, slots=True)
class Planned:
    """A step with the bytes that it displaces and writes; `rewrite` gives those for another version of the note.

    With `expected` only the version with that etag may be changed.
    """

    step: Step
    before: bytes | None = None
    after: bytes | None = None
    rewrite: Callable[[bytes], bytes] | None = None
    expected: str | None = None

    @property
    def changes_nothing(self) -> bool:
        """Tell whether the note is as it is to be."""
        return self.before is not None and self.before == self.after


@dataclass(frozen=True, slots=True)
class Turn:
    """The turn of a step: as which of an operation, and with the moves of which it shares their flushing."""

    work: Workspace
    operation_id: str
    index: int
    batch: Batch | None = None

    def restate(self, step: Step, *, displacing: bytes | None = None) -> None:
        """Write down, before it is done, what the step is now that the note was changed, and what it displaces."""
        self.work.journal.step(self.operation_id, self.index, step, text=displacing)


@dataclass(frozen=True, slots=True)
class Change(ABC):
    """A change of a note, before anything is done; the static methods are the life of the step that it becomes."""

    path: str

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the paths that it concerns."""
        return (self.path,)

    @abstractmethod
    def plan(self, notes: Foresight) -> Planned:
        """Find out what it comes to; whatever can be refused is refused here, with nothing written."""

    @staticmethod
    @abstractmethod
    def do(planned: Planned, turn: Turn) -> Step:
        """Make the change; return the step as it was done, durable unless flushed with a batch."""

    @staticmethod
    def located(_work: Workspace, step: Step) -> Step:
        """Return the step with what only the notes tell, if the end of it was not recorded."""
        return step

    @staticmethod
    @abstractmethod
    def is_done(work: Workspace, step: Step) -> bool:
        """Tell whether the notes are as the step was to leave them; one that is half done is brought to its end."""

    @staticmethod
    @abstractmethod
    def take_back(work: Workspace, step: Step) -> None:
        """Undo a step of an operation that came to no end; raises a NoteError if someone changed the note since."""

    @staticmethod
    @abstractmethod
    def inverse(way: WayBack, step: Step) -> list[Planned]:
        """Plan what leads back from the step; raises UndoRefused where someone changed the note since."""


@dataclass(frozen=True, slots=True)
class Create(Change):
    """A new note; there must be none at the path, nor one whose name differs only in case or Unicode form."""

    text: str

    def plan(self, notes: Foresight) -> Planned:
        """Plan a new note."""
        return _new(notes, self.path, _encoded(self.text))

    @staticmethod
    def do(planned: Planned, turn: Turn) -> Step:
        """Write the note."""
        turn.work.vault.files.create(planned.step.path, planned.after or b"")
        return planned.step

    @staticmethod
    def is_done(work: Workspace, step: Step) -> bool:
        """Tell whether the note has the text."""
        return work.version(step.path) == step.after

    @staticmethod
    def take_back(work: Workspace, step: Step) -> None:
        """Take the note away."""
        try:
            data = work.untouched(step.path, step.after)
        except NoteNotFound:
            return
        work.vault.files.remove(step.path, data, park=work.park)

    @staticmethod
    def inverse(way: WayBack, step: Step) -> list[Planned]:
        """Trash the note, with what we made of it since."""
        place = way.place(step.path)
        current = way.read(place)
        if not way.work.journal.leads(step.after or "", etag(current)):
            raise way.changed(step, current)
        return [replace(Trash(place).plan(way), expected=etag(current))]


def _new(notes: Foresight, path: str, data: bytes) -> Planned:
    if notes.exists(path):
        raise NoteExists(path)
    notes.put(path, data)
    return Planned(Step("create", path, after=etag(data)), after=data)


@dataclass(frozen=True, slots=True)
class Update(Change):
    """A new text for a note, computed from the text that it has when it is written.

    `change` may be called several times, whenever someone else wrote the note in between; it must not depend on
    anything else. With `expected_etag` only that version is changed.
    """

    change: Callable[[str], str]
    expected_etag: str | None = None

    def plan(self, notes: Foresight) -> Planned:
        """Plan a new text."""
        current = notes.read(self.path)
        if self.expected_etag not in (None, etag(current)):
            raise notes.work.stale(self.path, self.expected_etag or "", current, self._rewrite)
        return _rewritten(notes, self.path, self._rewrite, expected=self.expected_etag)

    def _rewrite(self, data: bytes) -> bytes:
        try:
            return _encoded(self.change(_decoded(self.path, data)))
        except UnreadableNote as error:
            # changes are functions of text and do not know where it stands
            raise error if error.path else UnreadableNote(self.path, error.reason) from error

    @staticmethod
    def do(planned: Planned, turn: Turn) -> Step:
        """Write the text over the version that was expected; a note that someone wrote meanwhile is read again."""
        work, step = turn.work, planned.step
        before, after = planned.before or b"", planned.after or b""
        for pause in _PAUSES:
            try:
                work.vault.files.replace(step.path, before, after, park=work.park)
            except NoteChanged:
                time.sleep(pause)
                before, _ = work.vault.files.read(step.path)
                if planned.rewrite is None or planned.expected not in (None, etag(before)):
                    break
                after = planned.rewrite(before)
                step = replace(step, before=etag(before), after=etag(after))
                turn.restate(step)
            else:
                if step.after != planned.step.after:
                    work.journal.keep_acknowledged([after])
                return step
        raise work.stale(step.path, planned.expected or planned.step.before or "", before, planned.rewrite)

    @staticmethod
    def is_done(work: Workspace, step: Step) -> bool:
        """Tell whether the note has the text."""
        return work.version(step.path) == step.after

    @staticmethod
    def take_back(work: Workspace, step: Step) -> None:
        """Write the text from before."""
        before = work.displaced(step)
        work.vault.files.replace(step.path, work.untouched(step.path, step.after), before, park=work.park)

    @staticmethod
    def inverse(way: WayBack, step: Step) -> list[Planned]:
        """Write the text from before; our own later changes are kept, a person's edit is never guessed about."""
        before = way.displaced(step)
        place = way.place(step.path)
        current = way.read(place)
        if etag(current) != step.after:
            journal = way.work.journal
            base = journal.image(step.after or "") if journal.left(etag(current)) else None
            merged = None if base is None else _without(step, base, before, current)
            if merged is None:
                raise way.changed(step, current)
            before = merged
        return [_rewritten(way, place, lambda _: before, expected=etag(current))]


def _rewritten(
    notes: Foresight, path: str, rewrite: Callable[[bytes], bytes], *, expected: str | None = None
) -> Planned:
    before = notes.read(path)
    after = rewrite(before)
    notes.put(path, after)
    return Planned(Step("update", path, before=etag(before), after=etag(after)), before, after, rewrite, expected)


def _without(step: Step, base: bytes, wanted: bytes, current: bytes) -> bytes | None:
    """Return the note without the step but with what came later, None if the two cannot be told apart."""
    by_line = carry_over(base, wanted, current)
    if by_line is not None:
        return by_line
    try:
        return carry_over_fields(step.path, base, wanted, current)
    except UnreadableNote:
        return None


@dataclass(frozen=True, slots=True)
class Move(Change):
    """Another path for a note, where there must be none."""

    to: str

    @property
    def paths(self) -> tuple[str, ...]:
        """Return both paths."""
        return (self.path, self.to)

    def plan(self, notes: Foresight) -> Planned:
        """Plan another path; the text that goes with the note is neither displaced nor written."""
        data = notes.read(self.path)
        if name_key(self.path) != name_key(self.to) and notes.exists(self.to):
            raise NoteExists(self.to)
        notes.put(self.path, None)
        notes.put(self.to, data)
        return Planned(Step("move", self.path, self.to, before=etag(data), after=etag(data)))

    @staticmethod
    def do(planned: Planned, turn: Turn) -> Step:
        """Rename the note."""
        work, path, to = turn.work, planned.step.path, planned.step.to or ""
        work.files(path, to).move(path, to, park=work.park, batch=turn.batch)
        return planned.step

    @staticmethod
    def is_done(work: Workspace, step: Step) -> bool:
        """Tell whether the note lies there now."""
        to = step.to or ""
        files = work.files(step.path, to)
        found = work.version(to)
        if found is None or not files.exists(step.path) or name_key(step.path) == name_key(to):
            return found is not None
        if found == step.before == work.version(step.path):
            # cut off between copying to another file system and taking the original away
            files.remove(step.path, files.read(step.path)[0], park=work.park)
            return True
        return False

    @staticmethod
    def take_back(work: Workspace, step: Step) -> None:
        """Rename the note back."""
        if _never_left(work, step):
            return
        to = step.to or ""
        work.untouched(to, step.before)
        work.files(step.path, to).move(to, step.path, park=work.park)

    @staticmethod
    def inverse(way: WayBack, step: Step) -> list[Planned]:
        """Move the note back, from wherever it lies now."""
        left = step.to or ""
        place = way.place(left)
        target = _moved_back(left, step.path, place)
        way.led_back(left, step.path, target)
        return [] if target == place else [Move(place, target).plan(way)]


def _never_left(work: Workspace, step: Step) -> bool:
    """Tell whether a power cut lost this move of many, though it kept a later one."""
    found = work.version(step.path)
    return found is not None and found == step.before


def _moved_back(left: str, wanted: str, now: str) -> str:
    """Return where a note comes back to: folder and name as wanted, each as it is now where it was changed since.

    >>> _moved_back("Long/Gate.md", "Short/Gate.md", "Long/Green gate.md")
    'Short/Green gate.md'
    >>> _moved_back("Long/Gate.md", "Short/Gate.md", "Archive/Gate.md")
    'Archive/Gate.md'
    """
    parts = zip(*(path.rpartition("/")[::2] for path in (left, wanted, now)), strict=True)
    folder, name = (then if here == base else here for base, then, here in parts)
    return f"{folder}/{name}" if folder else name


@dataclass(frozen=True, slots=True)
class Trash(Change):
    """A note that goes where Obsidian's settings say."""

    def plan(self, notes: Foresight) -> Planned:
        """Plan to trash the note."""
        data = notes.read(self.path)
        notes.put(self.path, None)
        return Planned(Step("trash", self.path, before=etag(data)), before=data)

    @staticmethod
    def do(planned: Planned, turn: Turn) -> Step:
        """Trash the note; what someone wrote into it meanwhile goes with it, and is kept as well."""
        work, step = turn.work, planned.step
        current, _ = work.vault.files.read(step.path)
        if current != planned.before:
            if planned.expected is not None:
                raise work.stale(step.path, planned.expected, current)
            step = replace(step, before=etag(current))
            turn.restate(step, displacing=current)
        return replace(step, to=work.vault.trash(step.path, park=work.park, batch=turn.batch))

    @staticmethod
    def located(work: Workspace, step: Step) -> Step:
        """Find where the note went, if its way into the trash was not recorded."""
        if step.to is not None:
            return step
        for name in work.vault.trash_names(step.path):
            if not work.vault.trashed.exists(name):
                return step
            if work.version(name) == step.before:
                return replace(step, to=name)
        return step

    @staticmethod
    def is_done(work: Workspace, step: Step) -> bool:
        """Tell whether the note is gone."""
        return not work.vault.files.exists(step.path)

    @staticmethod
    def take_back(work: Workspace, step: Step) -> None:
        """Bring the note back, out of the trash or as it was kept."""
        if _never_left(work, step):
            return
        if step.to is not None and work.vault.trashed.exists(step.to):
            work.vault.trashed.move(step.to, step.path, park=work.park)
        else:
            work.vault.files.create(step.path, work.displaced(step))

    @staticmethod
    def inverse(way: WayBack, step: Step) -> list[Planned]:
        """Bring the note back, out of the trash or as it was kept."""
        if step.to is not None and way.exists(step.to):
            return [Move(step.to, step.path).plan(way)]
        return [_new(way, step.path, way.displaced(step))]


_KINDS: Mapping[StepKind, type[Change]] = {"create": Create, "update": Update, "move": Move, "trash": Trash}


def kind_of(step: Step) -> type[Change]:
    """Return the kind of change that a step is of."""
    return _KINDS[step.kind]


def _encoded(text: str) -> bytes:
    """Return the bytes of a text; raises InvalidInput for what is no text."""
    try:
        return text.encode()
    except UnicodeEncodeError as error:
        raise InvalidInput("text", "it holds half of a surrogate pair") from error


def _decoded(path: str, data: bytes) -> str:
    """Return the text of a note, a byte order mark included; raises UnreadableNote."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise UnreadableNote(path, "it is not UTF-8") from error
