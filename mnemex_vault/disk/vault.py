"""One vault: its folders, its lock, what Obsidian's own settings say of it, what in it is a note, and its trash."""

from __future__ import annotations

import errno
import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from pathlib import Path
from types import TracebackType
from typing import Literal, cast

from filelock import FileLock, Timeout
from send2trash import send2trash

from mnemex_vault.disk import native
from mnemex_vault.disk.batch import Batch
from mnemex_vault.disk.files import Files, Fingerprint
from mnemex_vault.disk.paths import PathRule, Unreadable, is_openable, note_of, walk
from mnemex_vault.disk.safeguards import Park, is_temp
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import LockTimeout, NoteError, NoteExists, VaultUnavailable, WriteFailed
from mnemex_vault.language.folding import name_key
from mnemex_vault.text.file_names import is_canvas_name, is_conflict_copy, is_note_name

_POLL_SECONDS = 0.005


class VaultLock:
    """A lock for threads and processes, to be used with `with`; a thread that holds it may take it again.

    The system frees it when its holder dies. Raises LockTimeout after `timeout` seconds, WriteFailed when there can
    be no lock file.
    """

    def __init__(self, path: Path, timeout: float = 10.0) -> None:
        self._timeout = timeout
        self._threads = threading.RLock()
        self._file = FileLock(path, mode=0o600, thread_local=False, poll_interval=_POLL_SECONDS)
        self._depth = 0

    def __enter__(self) -> VaultLock:
        deadline = time.monotonic() + self._timeout
        if not self._threads.acquire(timeout=self._timeout):
            raise LockTimeout("vault", self._timeout)
        try:
            if self._depth == 0:
                self._acquire_file(deadline)
        except BaseException:
            self._threads.release()
            raise
        self._depth += 1
        return self

    def _acquire_file(self, deadline: float) -> None:
        try:
            self._file.acquire(timeout=max(0.0, deadline - time.monotonic()))
        except Timeout as error:
            raise LockTimeout("vault", self._timeout) from error
        except OSError as error:
            raise WriteFailed("the vault's lock", error.strerror or str(error)) from error

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._depth -= 1
        if self._depth == 0:
            self._file.release()
        self._threads.release()


# What Obsidian's own settings say about a vault; they are only ever read.

TrashOption = Literal["system", "local", "none"]
LinkFormat = Literal["shortest", "relative", "absolute"]

DEFAULT_FOLDER = ".obsidian"
_SIZE_LIMIT = 1 << 20


@dataclass(frozen=True, slots=True)
class ObsidianConfig:
    """The settings that concern a program which writes notes; what cannot be read has Obsidian's default."""

    folder: str = DEFAULT_FOLDER
    trash_option: TrashOption = "system"
    new_link_format: LinkFormat = "shortest"
    use_markdown_links: bool = False
    user_ignore_filters: tuple[str, ...] = ()
    template_folders: tuple[str, ...] = ()

    @classmethod
    def load(cls, root: Path) -> ObsidianConfig:
        """Read the settings in the vault's configuration folder, whatever its name; never raises for their content."""
        folder = _config_folder(root)
        app = _read_object(root / folder / "app.json")
        return cls(
            folder=folder,
            trash_option=cast(TrashOption, _choice(app, "trashOption", ("system", "local", "none"))),
            new_link_format=cast(LinkFormat, _choice(app, "newLinkFormat", ("shortest", "relative", "absolute"))),
            use_markdown_links=app.get("useMarkdownLinks") is True,
            user_ignore_filters=_texts(app.get("userIgnoreFilters")),
            template_folders=_template_folders(root / folder),
        )

    def ignore_rule(self) -> Callable[[str], bool]:
        """Return a function that tells whether Obsidian counts a path among the excluded files.

        An entry is the start of a path or `/a regular expression/`; one that cannot be read excludes nothing.
        """
        prefixes = tuple(text for text in self.user_ignore_filters if not _is_pattern(text))
        patterns = [
            pattern
            for text in self.user_ignore_filters
            if _is_pattern(text) and (pattern := _compiled(text[1:-1])) is not None
        ]
        return lambda path: path.startswith(prefixes) or any(pattern.search(path) for pattern in patterns)


def _config_folder(root: Path) -> str:
    try:
        with os.scandir(root) as entries:
            hidden = sorted(entry.name for entry in entries if entry.name.startswith(".") and entry.is_dir())
    except OSError:
        return DEFAULT_FOLDER
    configured = [name for name in hidden if (root / name / "app.json").is_file()]
    return configured[0] if configured and DEFAULT_FOLDER not in configured else DEFAULT_FOLDER


def _read_object(path: Path) -> Mapping[str, object]:
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(_SIZE_LIMIT).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _choice(settings: Mapping[str, object], key: str, choices: tuple[str, ...]) -> str:
    value = settings.get(key)
    return value if isinstance(value, str) and value in choices else choices[0]


def _texts(value: object) -> tuple[str, ...]:
    return tuple(text for text in value if isinstance(text, str) and text) if isinstance(value, list) else ()


def _template_folders(config: Path) -> tuple[str, ...]:
    """Return the folders of the core plugin Templates and of Templater."""
    found = (
        _read_object(config / "templates.json").get("folder"),
        _read_object(config / "plugins" / "templater-obsidian" / "data.json").get("templates_folder"),
    )
    folders = (folder.strip("/") for folder in found if isinstance(folder, str))
    return tuple(dict.fromkeys(folder for folder in folders if folder))


def _is_pattern(text: str) -> bool:
    return len(text) > 2 and text.startswith("/") and text.endswith("/")


def _compiled(pattern: str) -> re.Pattern[str] | None:
    try:
        return re.compile(pattern)
    except (re.error, RecursionError, OverflowError):
        return None


# One vault: its folders and settings, what in it is a note, and its trash.

TRASH = ".trash"
_UNTOLD = Fingerprint(size=-1, mtime_ns=-1, ctime_ns=-1, inode=0)
_TRASH_RULE = PathRule(hidden=(TRASH,))
_LINKING_RULE = PathRule(suffixes=(".md", ".canvas"))
_TRASH_NAMES = 10_000

Scanned = Iterator[tuple[str, Fingerprint]]


@dataclass(frozen=True, slots=True)
class Layout:
    """The folders that make a memory short-term, long-term or archived."""

    short_term: str = "Memories/Short-term"
    long_term: str = "Memories/Long-term"
    archive: str = "Memories/Archive"


def _pass_over(_path: str, _error: OSError) -> None:
    """Go on without a folder that cannot be read."""


def _is_wanted(name: str) -> bool:
    return is_note_name(note_of(name) or name)


def _fingerprint(entry: os.DirEntry[str]) -> Fingerprint | None:
    """Return the fingerprint of a file that a scan found, None if it is gone by now or its path is too long.

    A file that is there and tells nothing of itself has that of no file, so that it is read, and what is wrong told.
    """
    try:
        return Fingerprint.from_stat(entry.stat(follow_symlinks=False))
    except FileNotFoundError:
        return None
    except OSError as error:
        return None if error.errno == errno.ENAMETOOLONG else _UNTOLD


def _send_to_system_trash(path: Path) -> None:
    send2trash(str(path))


class Vault:
    """A folder of notes. Whoever changes notes holds `lock`; `trashed` are the files below `.trash`.

    `is_excluded` tells whether a path is among the files that are excluded in Obsidian.
    """

    def __init__(
        self,
        root: Path,
        lock: VaultLock,
        *,
        layout: Layout | None = None,
        files: Files | None = None,
        trashed: Files | None = None,
        system_trash: Callable[[Path], None] = _send_to_system_trash,
    ) -> None:
        self.root = root
        self.lock = lock
        self.layout = layout or Layout()
        self.files = files or Files(root)
        self.trashed = trashed or Files(root, rule=_TRASH_RULE)
        self._linking = Files(root, rule=_LINKING_RULE)
        self._system_trash = system_trash
        self.refresh()

    def refresh(self) -> ObsidianConfig:
        """Read Obsidian's settings again."""
        self.config = ObsidianConfig.load(self.root)
        self.is_excluded = self.config.ignore_rule()
        return self.config

    def check(self) -> None:
        """Raise VaultUnavailable if the vault is missing, not a folder or unreadable."""
        try:
            with os.scandir(self.root):
                pass
        except OSError as error:
            raise VaultUnavailable(self.root, error.strerror or str(error)) from error

    def scan(self, *, unreadable: Unreadable | None = None) -> Scanned:
        """Yield every note, by Obsidian's settings of now; a path is spelled as on disk.

        Raises VaultUnavailable for a folder that cannot be read, unless `unreadable` takes it.
        """
        self.refresh()
        return self._scan("", conflicts=False, unreadable=unreadable)

    def conflict_copies(self) -> Scanned:
        """Yield the notes that are second versions left by a sync tool or by us."""
        return self._scan("", conflicts=True, unreadable=_pass_over)

    def look(self, path: str, *, unreadable: Unreadable | None = None) -> Scanned:
        """Yield the notes at a path that may be one, a folder of them, or gone; for `unreadable` see `scan`."""
        if self.is_note_path(path):
            try:
                yield path, self.files.fingerprint(path)
                return
            except NoteError:
                pass
        if self.has_folder(path):
            yield from self._scan(path.rstrip("/"), conflicts=False, unreadable=unreadable)

    def find(self, paths: Iterable[str] | None = None) -> tuple[dict[str, Fingerprint], dict[str, str]]:
        """Return the notes at these paths, or all, and the folders that cannot be read with what the system says."""
        closed: dict[str, str] = {}

        def note_closed(folder: str, error: OSError) -> None:
            closed[folder] = error.strerror or str(error)

        if paths is None:
            return dict(self.scan(unreadable=note_closed)), closed
        looks = [self.look(path, unreadable=note_closed) for path in paths]
        return dict(chain.from_iterable(looks)), closed

    def has_folder(self, path: str) -> bool:
        """Tell whether there is a folder of notes at the path."""
        folder = path.rstrip("/")
        if self._is_template(folder + "/"):
            return False
        try:
            with self.files.opened(folder):
                return True
        except (NoteError, OSError):
            return False

    def _scan(self, start: str, *, conflicts: bool, unreadable: Unreadable | None) -> Scanned:
        templates = frozenset(self.config.template_folders)
        for place, entry in walk(self.root, start=start, wanted=_is_wanted, excluded=templates, unreadable=unreadable):
            path = self._standing_for(place)
            if path and is_conflict_copy(path) is conflicts and (found := _fingerprint(entry)):
                yield path, found

    def _standing_for(self, place: str) -> str | None:
        """Return the path of the note that a file is, or stands in for; None for what is left of a placeholder."""
        folder, slash, name = place.rpartition("/")
        note = note_of(name)
        if note is None:
            return place
        path = f"{folder}{slash}{note}"
        return None if os.path.lexists(self.root / path) else path

    def template_names(self) -> frozenset[str]:
        """Return the `name_key`s of templates, which are no notes here; links mean them all the same."""
        return frozenset(name_key(path.rpartition("/")[2][: -len(".md")]) for path in self._templates())

    def linking_files(self) -> Iterator[tuple[str, bytes, Fingerprint]]:
        """Yield path and content of canvases and templates: no notes, but links in them lead to notes."""
        canvases = (path for path, _ in walk(self.root, wanted=is_canvas_name, unreadable=_pass_over))
        for path in sorted({*canvases, *self._templates()}):
            with suppress(NoteError):
                yield path, *self._linking.read(path)

    def _templates(self) -> Iterator[str]:
        for folder in self.config.template_folders:
            yield from (path for path, _ in walk(self.root, start=folder, wanted=is_note_name, unreadable=_pass_over))

    def leftovers(self) -> list[str]:
        """Return the paths of temp files that a crash left beside notes."""
        found = walk(self.root, wanted=is_temp, unreadable=_pass_over)
        return sorted(path for path, _ in found)

    def left_out(self) -> list[str]:
        """Return the paths of notes and folders that no scan yields for their names; what is no text is replaced."""
        found: list[str] = []
        for _ in walk(self.root, wanted=_is_wanted, unreadable=_pass_over, left_out=found.append):
            continue
        return sorted(os.fsencode(path).decode("utf-8", "replace") for path in found)

    def is_note_path(self, path: str) -> bool:
        """Tell whether a scan would yield a file of this path."""
        *folders, name = path.split("/")
        if not is_note_name(name) or is_conflict_copy(path) or self._is_template(path):
            return False
        return all(is_openable(part) and part and not part.startswith(".") for part in (*folders, name))

    def _is_template(self, path: str) -> bool:
        return any(path.startswith(folder + "/") for folder in self.config.template_folders)

    def may_change(self, path: str) -> bool:
        """Tell whether the path is that of a note which may be written: a template or a drawing may not."""
        return self.is_note_path(path) or (is_conflict_copy(path) and is_note_name(path.rpartition("/")[2]))

    def tier_of(self, path: str) -> Tier:
        """Return the tier that the folder gives a note; the longest of the folders that match decides."""
        folded = name_key(path)
        tier, length = Tier.LONG_TERM, 0
        for candidate, folder in (
            (Tier.SHORT_TERM, self.layout.short_term),
            (Tier.LONG_TERM, self.layout.long_term),
            (Tier.ARCHIVED, self.layout.archive),
        ):
            if len(folder) > length and folded.startswith(name_key(folder) + "/"):
                tier, length = candidate, len(folder)
        return tier

    def folder_of(self, tier: Tier, *, now: datetime) -> str:
        """Return the folder for a note that enters a tier now; the archive has one a year."""
        if tier is Tier.SHORT_TERM:
            return self.layout.short_term
        if tier is Tier.LONG_TERM:
            return self.layout.long_term
        return f"{self.layout.archive}/{now.year:04d}"

    def trash(self, path: str, *, park: Park, batch: Batch | None = None) -> str | None:
        """Move a note where Obsidian's settings say; return its path below `.trash`, None for the system's trash.

        With a `batch` those are the settings as they were last read. Where the system has no trash, and where
        Obsidian would delete for good, it goes to `.trash`.
        """
        self.files.fingerprint(path)
        config = self.refresh() if batch is None else self.config
        if config.trash_option == "system" and self._to_system_trash(path, batch):
            return None
        for destination in self.trash_names(path):
            try:
                self.trashed.move(path, destination, park=park, batch=batch)
            except NoteExists:
                continue
            return destination
        raise NoteExists(destination)

    def trash_names(self, path: str) -> Iterator[str]:
        """Yield the paths below `.trash` that a note may get, in the order in which they are tried."""
        stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
        yield f"{TRASH}/{stem}{dot}{suffix}"
        for number in range(2, _TRASH_NAMES):
            yield f"{TRASH}/{stem} {number}{dot}{suffix}"

    def _to_system_trash(self, path: str, batch: Batch | None) -> bool:
        try:
            self._system_trash(self.root / path)
            with self.files.opened(path.rpartition("/")[0]) as folder:
                (native.sync if batch is None else batch.changed)(folder)
        except OSError:
            pass
        return not self.files.exists(path)
