"""Snapshots of all notes: taken with git, shown, compared and brought back note by note.

By default the repository lies in the state folder with the vault as its work tree, so that nothing is added to the
vault. A vault that is a repository of the person's can be used on request; then only commits are added to it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from mnemex_vault.backup.git import Git, GitFailed
from mnemex_vault.disk.state import private_folder, write_private
from mnemex_vault.errors import DuplicateId, NotPossible, UnreadableNote
from mnemex_vault.history.journal import Operation
from mnemex_vault.history.steps import Change, Create, Trash, Update
from mnemex_vault.memories.face import Memories
from mnemex_vault.text.note import Note

_FIELD, _RECORD = "\x1f", "\x1e"
_FORMAT = f"%H{_FIELD}%h{_FIELD}%cI{_FIELD}%an{_FIELD}%s{_RECORD}"
_SHA1_LENGTH = 40
_LITERAL = "--literal-pathspecs"
# what a person's .gitattributes says of line ends and filters is not meant for our copies, which hold a note's bytes
_ATTRIBUTES = "* -text -ident -filter -working-tree-encoding\n"
_PLAIN_FILES = ("100644", "100755")
_NOTES = (":(glob)**/*.md", ":(exclude,glob)**/.*/**", ":(exclude,glob)**/.mnemex-*")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One state of all notes."""

    sha: str
    short: str
    at: datetime
    author: str
    message: str


@dataclass(frozen=True, slots=True)
class BackupStatus:
    """What the backup holds and what has changed since; `changed` are paths."""

    initialized: bool
    repository: Path
    own: bool
    snapshots: int
    last: Snapshot | None
    changed: Sequence[str]


class Backup:
    """Snapshots of one vault; `in_vault` uses the person's own repository instead of ours."""

    def __init__(self, memories: Memories, state: Path, *, in_vault: bool = False) -> None:
        self._memories = memories
        root = memories.files.root
        self.in_vault = in_vault
        self._git = Git(root / ".git" if in_vault else state / "backup.git", root, private=not in_vault)

    @property
    def initialized(self) -> bool:
        """Tell whether there is a repository."""
        return self._git.repository.exists()

    def init(self) -> Snapshot | None:
        """Make our repository and take the first snapshot.

        Raises InvalidInput when the person's own repository is asked for and there is none.
        """
        if not self.initialized:
            if self.in_vault:
                raise NotPossible("--in-vault", "the vault is no git repository; make it one, or leave this off")
            self._git.repository.mkdir(mode=0o700, parents=True)
            self._git.run("init", "--quiet")
            attributes = self._git.repository / "info" / "attributes"
            write_private(private_folder(attributes.parent) / attributes.name, _ATTRIBUTES)
        return self.snapshot("First snapshot")

    def snapshot(self, message: str | None = None) -> Snapshot | None:
        """Record all notes as they are now, deletions included; None if nothing changed since the last one.

        In the person's own repository what they had staged themselves stays staged, and notes that it ignores stay out
        of it.
        """
        self._require()
        paths = [path for path in self._changed() if path]
        if not paths:
            return None
        listed = "\0".join(paths).encode("utf-8", "surrogateescape")
        note = message or f"Snapshot of {self._memories.now():%Y-%m-%d %H:%M}"
        from_list = ("--pathspec-from-file=-", "--pathspec-file-nul")
        force = () if self.in_vault else ("--force",)
        self._git.run(_LITERAL, "add", "--all", *force, *from_list, stdin=listed)
        self._git.run(_LITERAL, "commit", "--quiet", "--only", "-m", note, *from_list, stdin=listed)
        return self.history(limit=1)[0]

    def snapshot_if_due(self, interval: timedelta) -> Snapshot | None:
        """Take a snapshot if the last one is older than the interval."""
        last = self.history(limit=1) if self.initialized else []
        if not self.initialized:
            return self.init()
        if last and self._memories.now() - last[0].at < interval:
            return None
        return self.snapshot()

    def history(self, *, limit: int = 20, path: str | None = None) -> list[Snapshot]:
        """Return the snapshots, the newest first, of one note only if its path is given."""
        self._require()
        if not self._git.succeeds("rev-parse", "--quiet", "--verify", "HEAD"):
            return []
        which = ["--", path] if path else []
        text = self._git.run(_LITERAL, "log", f"--max-count={limit}", f"--format={_FORMAT}", *which).decode(
            errors="replace"
        )
        rows = [record.strip("\n").split(_FIELD) for record in text.split(_RECORD) if record.strip()]
        return [Snapshot(row[0], row[1], datetime.fromisoformat(row[2]), row[3], row[4]) for row in rows]

    def status(self) -> BackupStatus:
        """Return what there is and what has changed since the last snapshot."""
        if not self.initialized:
            return BackupStatus(False, self._git.repository, not self.in_vault, 0, None, ())
        last = self.history(limit=1)
        count = int(self._git.run("rev-list", "--count", "HEAD")) if last else 0
        return BackupStatus(
            True, self._git.repository, not self.in_vault, count, last[0] if last else None, self._changed()
        )

    def _changed(self) -> list[str]:
        """Return the paths of notes that differ from the last snapshot, or are gone."""
        tracked = self._git.succeeds("rev-parse", "--quiet", "--verify", "HEAD")
        if not tracked:
            return [path for path in self._listed("--cached", "--others") if (self._git.work_tree / path).is_file()]
        differing = self._git.run("diff", "--name-only", "-z", "--no-renames", "HEAD", "--", *_NOTES)
        return sorted({*_split(differing), *self._listed("--others")})

    def _listed(self, *which: str) -> list[str]:
        """Return the notes that the repository has or would take: not those of a repository below the vault."""
        ignored = ("--exclude-standard",) if self.in_vault else ()
        return _split(self._git.run("ls-files", "-z", *which, *ignored, "--", *_NOTES))

    def diff(self, sha: str = "HEAD", *, path: str | None = None) -> str:
        """Return what is different now from a snapshot, as a unified diff."""
        self._require()
        which = [f":(literal){path}"] if path else [*_NOTES]
        return self._git.run("diff", self._commit(sha), "--", *which).decode(errors="replace")

    def at(self, moment: datetime) -> Snapshot:
        """Return the last snapshot taken until a moment; raises InvalidInput if there is none."""
        self._require()
        found = self._git.run("log", "--max-count=1", "--format=%H", f"--until={moment.isoformat()}").decode().strip()
        if not found:
            raise NotPossible("--at", f"there is no snapshot from before {moment:%Y-%m-%d %H:%M}")
        return next(each for each in self.history(limit=1_000_000) if each.sha == found)

    def restore(self, sha: str, *, path: str | None = None) -> Operation | None:
        """Bring a note, or all of them, back to a snapshot, as one operation that can be undone; None if equal.

        Notes that came later go to the trash. Only notes change: other files and the repository's history stay.
        """
        commit = self._commit(sha)
        wanted = self._notes_at(commit)
        if path is not None:
            if path not in wanted:
                raise NotPossible("path", f"{path} is not in that snapshot")
            wanted = {path: wanted[path]}
        steps = self._steps(wanted, whole=path is None)
        if not steps:
            return None
        self._refuse_doubles(steps)
        summary = f"{path or 'all notes'} from {commit[:10]}"
        return self._memories.files.change("restore snapshot", steps, summary=summary)

    def _steps(self, wanted: dict[str, str], *, whole: bool) -> list[Change]:
        files = self._memories.files
        present = files.paths()
        steps: list[Change] = []
        for path, blob in sorted(wanted.items()):
            if path not in present:
                steps.append(Create(path, self._text(path, blob)))
            elif not _is_blob(files.read(path), blob):
                text = self._text(path, blob)
                steps.append(Update(path, partial(_as_it_was, text)))
        if whole:
            # a note that no snapshot can hold did not come later
            later = {path for path in self._listed("--cached", "--others") if path in present}
            steps += [Trash(path) for path in sorted(later - wanted.keys())]
        return steps

    def _refuse_doubles(self, steps: Sequence[Change]) -> None:
        """Raise DuplicateId if a note would come back whose memory lies somewhere else by now, and stays there."""
        leaving = {step.path for step in steps if isinstance(step, Trash)}
        for step in steps:
            memory_id = Note.parse(step.path, step.text.encode()).memory_id if isinstance(step, Create) else None
            others = [each.path for each in self._memories.notes.copies(memory_id)] if memory_id else []
            if memory_id and set(others) - leaving:
                raise DuplicateId(memory_id, [step.path, *others])

    def _text(self, path: str, blob: str) -> str:
        try:
            return self._git.run("cat-file", "--filters", f"--path={path}", blob).decode()
        except UnicodeDecodeError as error:
            raise UnreadableNote(path, "it is no text in UTF-8 in that snapshot") from error

    def _notes_at(self, commit: str) -> dict[str, str]:
        listed = self._git.run("ls-tree", "-r", "-z", "--full-tree", commit)
        found = {}
        for line in _split(listed):
            head, _, path = line.partition("\t")
            if head.split()[0] in _PLAIN_FILES and self._memories.files.is_note(path):
                found[path] = head.split()[2]
        return found

    def _commit(self, sha: str) -> str:
        self._require()
        try:
            return self._git.run("rev-parse", "--verify", "--end-of-options", f"{sha}^{{commit}}").decode().strip()
        except GitFailed as error:
            raise NotPossible("snapshot", f"{sha} is no snapshot") from error

    def _require(self) -> None:
        if not self.initialized:
            raise NotPossible("backup", "there is none yet; run mnemex backup init")


def _as_it_was(text: str, _now: str) -> str:
    return text


def _is_blob(data: bytes, name: str) -> bool:
    """Tell whether git would store these bytes under this name."""
    algorithm = hashlib.sha1 if len(name) == _SHA1_LENGTH else hashlib.sha256
    return algorithm(b"blob %d\0%b" % (len(data), data), usedforsecurity=False).hexdigest() == name


def _split(data: bytes) -> list[str]:
    return [part for part in data.decode("utf-8", "surrogateescape").split("\0") if part]
