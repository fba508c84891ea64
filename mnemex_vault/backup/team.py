"""Who learnt what: the changes of memories in a vault that several people share as a git repository of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import count, islice

from mnemex_vault.backup.git import Git
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import NotPossible
from mnemex_vault.memories.face import NoteFiles
from mnemex_vault.text.fields import content_of
from mnemex_vault.text.note import Note

_HEAD, _FIELD = "\x1e", "\x1f"
_FORMAT = f"{_HEAD}%h{_FIELD}%aN{_FIELD}%aI"
_NOTES = (":(glob)**/*.md", ":(exclude,glob)**/.*/**")
# commits that are read at once: most hold nothing but uses
_PAGE = 200
_MOVES = {Tier.SHORT_TERM: "took back", Tier.LONG_TERM: "promoted", Tier.ARCHIVED: "let go"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Contribution:
    """What somebody did to a memory; `before` is where it lay if it was moved."""

    who: str
    at: datetime
    commit: str
    kind: str
    memory_id: str
    title: str
    path: str
    before: str = ""


@dataclass(frozen=True, slots=True)
class _Touched:
    """One file of one commit, by the names of its bytes before and after."""

    path: str
    before: str
    after: str


class Team:
    """The people of a shared vault, by the commits that they made; raises NotPossible if it is no repository."""

    def __init__(self, notes: NoteFiles) -> None:
        self._notes = notes
        self._git = Git(notes.root / ".git", notes.root, private=False)
        if not self._git.repository.exists():
            raise NotPossible("--team", "the vault is no git repository; see the page on backup for how to share one")

    def contributions(self, *, limit: int) -> Sequence[Contribution]:
        """Return who learnt, rewrote, moved and deleted which memory, the latest first; uses are left out."""
        if not self._git.succeeds("rev-parse", "--quiet", "--verify", "HEAD"):
            return []
        return list(islice(self._all(), limit))

    def _all(self) -> Iterator[Contribution]:
        for page in count():
            commits = list(self._commits(page * _PAGE))
            texts = self._texts({name for _, files in commits for each in files for name in (each.before, each.after)})
            for head, files in commits:
                yield from self._done(head, files, texts)
            if len(commits) < _PAGE:
                return

    def _commits(self, skip: int) -> Iterator[tuple[str, Sequence[_Touched]]]:
        options = (
            "-z",
            "--raw",
            "--no-abbrev",
            "--no-renames",
            "--no-merges",
            f"--max-count={_PAGE}",
            f"--skip={skip}",
        )
        text = self._git.run("log", *options, f"--format={_FORMAT}", "--", *_NOTES).decode("utf-8", "surrogateescape")
        for record in text.split(_HEAD)[1:]:
            head, *rest = record.split("\0")
            facts = [each.split() for each in rest[::2] if each.strip()]
            yield head, [_Touched(path, fact[2], fact[3]) for fact, path in zip(facts, rest[1::2], strict=False)]

    def _texts(self, names: set[str]) -> Mapping[str, bytes]:
        """Return the bytes that go by these names; a file that is not there has a name that nothing goes by."""
        wanted = [name for name in sorted(names) if name.strip("0")]
        data, found, at = self._git.run("cat-file", "--batch", stdin="\n".join(wanted).encode()), {}, 0
        for name in wanted:
            line_end = data.index(b"\n", at)
            size = int(data[at:line_end].split()[-1])
            found[name] = data[line_end + 1 : line_end + 1 + size]
            at = line_end + 1 + size + 1
        return found

    def _done(self, head: str, files: Sequence[_Touched], texts: Mapping[str, bytes]) -> Iterator[Contribution]:
        short, who, at = head.split(_FIELD)
        gone, come = (self._memories(files, texts, after=after) for after in (False, True))
        for memory_id in sorted({**gone, **come}, key=lambda each: (come.get(each) or gone[each]).path):
            before, after = gone.get(memory_id), come.get(memory_id)
            kind = self._kind(before, after)
            note = after or before
            if kind and note:
                yield Contribution(
                    who=who,
                    at=datetime.fromisoformat(at),
                    commit=short,
                    kind=kind,
                    memory_id=memory_id,
                    title=note.title,
                    path=note.path,
                    before=before.path if before and before.path != note.path else "",
                )

    def _memories(self, files: Sequence[_Touched], texts: Mapping[str, bytes], *, after: bool) -> dict[str, Note]:
        notes = (Note.parse(each.path, texts.get(each.after if after else each.before, b"")) for each in files)
        return {note.memory_id: note for note in notes if note.memory_id}

    def _kind(self, before: Note | None, after: Note | None) -> str:
        if before is None or after is None:
            return "learnt" if before is None else "deleted"
        tiers = [self._notes.tier_of(note.path) for note in (before, after)]
        if tiers[0] is not tiers[1]:
            return _MOVES[tiers[1]]
        if before.title != after.title:
            return "renamed"
        return "rewrote" if content_of(before.text) != content_of(after.text) else ""
