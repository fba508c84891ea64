"""What the kinds of step work with: the notes as they are, will be, and on their way back; how two versions differ."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher, unified_diff

from mnemex_vault.disk.files import Files
from mnemex_vault.disk.safeguards import Park
from mnemex_vault.disk.vault import TRASH, Vault
from mnemex_vault.errors import NoteChanged, NoteError, NoteNotFound, UndoRefused
from mnemex_vault.history.journal import Journal, Operation, Step
from mnemex_vault.text.frontmatter import edit, split
from mnemex_vault.text.note import Note, etag
from mnemex_vault.text.yaml_core import Value

_NOT_KEPT = "the earlier text is no longer kept"


@dataclass(frozen=True, slots=True)
class Workspace:
    """The notes of a vault as they are, and the journal that keeps what is displaced from them."""

    vault: Vault
    journal: Journal

    @property
    def park(self) -> Park:
        """Return what takes a displaced file."""
        return self.journal.parking.take

    def files(self, *paths: str) -> Files:
        """Return what opens these paths: only the steps of an undo lead into the trash folder."""
        return self.vault.trashed if any(path.startswith(TRASH + "/") for path in paths) else self.vault.files

    def read(self, path: str) -> bytes:
        """Return the bytes of a note, also of one in the trash folder."""
        return self.files(path).read(path)[0]

    def version(self, path: str) -> str | None:
        """Return the etag of a note, None if there is none that can be read."""
        try:
            return etag(self.read(path))
        except NoteError:
            return None

    def untouched(self, path: str, expected: str | None) -> bytes:
        """Return the bytes of a note; raises NoteChanged if it is not the version that a step left."""
        data = self.read(path)
        if etag(data) != expected:
            raise NoteChanged(path, expected=expected or "", actual=etag(data))
        return data

    def displaced(self, step: Step) -> bytes:
        """Return the text that a step displaced; raises NoteNotFound if it is not kept."""
        before = self.journal.image(step.before or "")
        if before is None:
            raise NoteNotFound(step.path)
        return before

    def stale(
        self, path: str, expected: str, current: bytes, rewrite: Callable[[bytes], bytes] | None = None
    ) -> NoteChanged:
        """Return the error for a note that is not the version that was expected.

        Its difference is what changed since that version if the journal knows it, else what the refused change would
        do to the note as it is now.
        """
        known = self.journal.image(expected)
        if known is not None:
            text = difference(known, current, names=("the version expected", "the note now"))
        elif rewrite is not None:
            text = difference(current, rewrite(current), names=("the note now", "with the refused change"))
        else:
            text = ""
        return NoteChanged(path, expected=expected, actual=etag(current), difference=text)


class Foresight:
    """The notes as they will be after the steps planned so far."""

    def __init__(self, work: Workspace) -> None:
        self.work = work
        self._notes: dict[str, bytes | None] = {}

    def read(self, path: str) -> bytes:
        """Return a note; raises NoteNotFound."""
        if path not in self._notes:
            self._notes[path] = self.work.read(path)
        data = self._notes[path]
        if data is None:
            raise NoteNotFound(path)
        return data

    def exists(self, path: str) -> bool:
        """Tell whether anything is at the path."""
        if path in self._notes:
            return self._notes[path] is not None
        return self.work.files(path).exists(path)

    def put(self, path: str, data: bytes | None) -> None:
        """Note what a step does to a path."""
        self._notes[path] = data


class WayBack(Foresight):
    """The notes of an operation while its steps are taken back, the last first, from wherever we moved them since."""

    def __init__(self, work: Workspace, operation: Operation) -> None:
        super().__init__(work)
        self.operation = operation
        # where the notes lie that lay at these paths when the next step to be taken back was done
        self._places: dict[str, str] = {}

    def place(self, path: str) -> str:
        """Return where the note lies that the operation left at a path; raises UndoRefused if it is in the trash."""
        place = self._places.get(path) or self.work.journal.present(self.operation.id, path)
        if place.startswith(TRASH) and not path.startswith(TRASH):
            raise self.refused(path, f"{path} was let go into the trash since; undo that first")
        return place

    def led_back(self, left: str, path: str, target: str) -> None:
        """Note that what the operation left at `left` was at `path` before, and comes to lie at `target`."""
        self._places.pop(left, None)
        self._places[path] = target

    def displaced(self, step: Step) -> bytes:
        """Return the text that a step displaced; raises UndoRefused if it is not kept any more."""
        before = self.work.journal.image(step.before or "")
        if before is None:
            raise UndoRefused(self.operation.id, step.path, _NOT_KEPT)
        return before

    def refused(self, path: str, reason: str) -> UndoRefused:
        """Return the error for a note that cannot be led back, with the reason."""
        return UndoRefused(self.operation.id, path, "", reason=reason)

    def changed(self, step: Step, current: bytes) -> UndoRefused:
        """Return the error for a note that someone changed since, with the difference."""
        before = self.work.journal.image(step.before or "") or b""
        shown = difference(before, current, names=("before the operation", "the note now"))
        return UndoRefused(self.operation.id, step.path, shown)


_MAX_LINES = 200
# what we write by ourselves as a memory is used, promoted or fades
_COUNTED = frozenset(
    ("last_used", "use_count", "days_used", "review_count", "last_review", "cross_domain_count", "promoted", "fades_on")
)
_OURS = _COUNTED | {"strength"}

Edit = tuple[int, int, Sequence[bytes]]


def difference(before: bytes, after: bytes, *, names: tuple[str, str]) -> str:
    r"""Return a unified diff, cut after 200 lines.

    >>> print(difference(b"one\ntwo\n", b"one\n2\n", names=("expected", "found")))
    --- expected
    +++ found
    @@ -1,2 +1,2 @@
     one
    -two
    +2
    """
    old, new = (text.decode("utf-8", "replace").splitlines() for text in (before, after))
    lines = list(unified_diff(old, new, *names, lineterm=""))
    if len(lines) > _MAX_LINES:
        lines[_MAX_LINES:] = [f"... {len(lines) - _MAX_LINES} more lines"]
    return "\n".join(lines)


def carry_over(base: bytes, wanted: bytes, current: bytes) -> bytes | None:
    r"""Return `wanted` with what changed from `base` to `current`, None where both changed the same lines.

    >>> carry_over(b"a: 1\n\nnew\n", b"a: 1\n\nold\n", b"a: 2\n\nnew\n")
    b'a: 2\n\nold\n'
    >>> carry_over(b"new\n", b"old\n", b"newer\n") is None
    True
    """
    lines = base.splitlines(keepends=True)
    edits = sorted(_edits(lines, wanted) + _edits(lines, current), key=lambda edit: edit[:2])
    result: list[bytes] = []
    position = 0
    for index, (start, end, replacement) in enumerate(edits):
        if start < position or (index and edits[index - 1][:2] == (start, end)):
            return None
        result += lines[position:start]
        result += replacement
        position = end
    return b"".join(result + lines[position:])


def _edits(lines: Sequence[bytes], text: bytes) -> list[Edit]:
    """Return which lines are replaced by which; a final line without an end counts as a line of its own."""
    other = text.splitlines(keepends=True)
    matcher = SequenceMatcher(None, lines, other, autojunk=False)
    return [
        (start, end, other[new_start:new_end])
        for operation, start, end, new_start, new_end in matcher.get_opcodes()
        if operation != "equal"
    ]


def carry_over_fields(path: str, base: bytes, wanted: bytes, current: bytes) -> bytes | None:
    """Do what `carry_over` does by properties.

    What we counted since goes on where it was counted before, and leaves with its key where it was not.

    None where both changed another property, or the same lines of the text; raises UnreadableNote.
    """
    texts = [data.decode("utf-8", "surrogateescape") for data in (base, wanted, current)]
    old, new, now = (Note.parse(path, data).values for data in (base, wanted, current))
    changes: dict[str, Value] = {}
    # a note that is no memory has no use for what we counted
    passed_over = frozenset() if "memory_id" in new else _OURS
    for key in {*old, *now} - passed_over:
        if now.get(key) in (old.get(key), new.get(key)):
            continue
        if new.get(key) == old.get(key) or (key in _COUNTED and key in new):
            changes[key] = now.get(key)
        else:
            return None
    bodies = [_body(text).encode("utf-8", "surrogateescape") for text in texts]
    body = carry_over(*bodies)
    if body is None:
        return None
    head = texts[1].removesuffix(_body(texts[1])) + body.decode("utf-8", "surrogateescape")
    return edit(head, changes).encode("utf-8", "surrogateescape")


def _body(text: str) -> str:
    block = split(text)
    return text[block.body_start :] if block else text
