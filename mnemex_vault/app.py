"""The composition root: everything is made here, and the threads are owned here."""

from __future__ import annotations

import logging
import os
import platform
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, tzinfo
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mnemex_vault import errors
from mnemex_vault.clock import Clock, utc_now
from mnemex_vault.disk.state import Moments
from mnemex_vault.disk.vault import Layout, Vault, VaultLock
from mnemex_vault.history.journal import Journal, departures
from mnemex_vault.history.pending import PendingUses
from mnemex_vault.history.recovery import recheck_parked, recover
from mnemex_vault.index.catalog import Catalog
from mnemex_vault.index.catalog_file import CatalogFile, written_at
from mnemex_vault.index.generated_log import CATALOG_NAME
from mnemex_vault.index.reconcile import Changes, Reconciler, RenamedFolders, with_folders
from mnemex_vault.index.text_index import TextIndex
from mnemex_vault.memories import uses
from mnemex_vault.memories.face import Memories
from mnemex_vault.memories.guard import Guard, LayoutClaims
from mnemex_vault.memories.parts import Parts, Places
from mnemex_vault.memories.rules import Rules
from mnemex_vault.memories.store import Store
from mnemex_vault.progress import Progress, unseen
from mnemex_vault.settings import (
    DEFAULT_ROOT,
    Loaded,
    Settings,
    load,
    plain_folder,
    read_dotenv,
    state_base,
    vault_state,
)
from mnemex_vault.settings.load import rules_of
from mnemex_vault.text.fields import new_memory_id
from mnemex_vault.text.note import Note, NoteKind
from mnemex_vault.text.ours import BRIEF_FOLDER, BRIEF_NAME

if TYPE_CHECKING:
    from mnemex_vault.memories.automation import Plan

logger = logging.getLogger(__name__)

_SETTINGS_NAME = "Settings.md"
_LOCK_SECONDS = 10.0
# the note format that this version writes; a settings note may ask for a newer one
NOTE_FORMAT = 1
_MANY = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """What comes from outside: the environment, the working folder, options of the command line."""

    environ: Mapping[str, str]
    working_folder: Path
    options: Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class _SettingsNote:
    path: str | None = None
    values: Mapping[str, object] | None = None
    unreadable: str = ""


def brief_kept_at(state: Path, environ: Mapping[str, str]) -> Path:
    """Return the file in which a vault with this state folder keeps its brief for a client, if it is asked to."""
    return plain_folder(state, environ) / BRIEF_FOLDER / BRIEF_NAME


class App(Parts):
    """The use cases on one vault, and the files and locks behind them; close it when done."""

    def __init__(self, root: Path, state: Path, surroundings: Surroundings, *, clock: Clock) -> None:
        self.root = root
        self.state = state
        self._surroundings = surroundings
        self._clock = clock
        self.settings_path: str | None = None
        self.loaded: Loaded = self._load(None)
        vault = Vault(root, VaultLock(state / "vault.lock", timeout=_LOCK_SECONDS))
        moments = Moments(state / "moments.json")
        self._claims = LayoutClaims(state / "layouts")
        guard = Guard(vault, moments, self._claims, clock=clock)
        self.catalog_file = CatalogFile(state / "index" / CATALOG_NAME)
        super().__init__(self._new_store(vault, guard), guard, moments, self._found_at())
        self.reconciler = self.store.reconciler
        self._renames = RenamedFolders(state / "folders.json")
        self.memories = Memories(self.store, self)
        self.reload_settings()

    def _found_at(self) -> Places:
        return Places(
            root=self.root,
            state=self.state,
            brief=brief_kept_at(self.state, self._surroundings.environ),
            embed_model=self._model_folder,
            ner_model=lambda: self.settings.ner_model,
        )

    def _new_store(self, vault: Vault, guard: Guard) -> Store:
        state, catalog, text = self.state, Catalog(self.catalog_file.load()), TextIndex(self.state / "index")
        journal = Journal(state / "journal")
        return Store(
            vault=vault,
            journal=journal,
            pending=PendingUses(state / "pending"),
            catalog=catalog,
            text=text,
            reconciler=Reconciler(
                vault, catalog, self.catalog_file, text, zone=lambda: self.zone, departures=partial(departures, journal)
            ),
            rules=Rules(),
            clock=self._clock,
            believed_time=guard.ageing.believed_time,
            new_id=lambda: new_memory_id(secrets.choice),
            actor=f"{os.getpid()}-{secrets.token_hex(4)}",
        )

    @property
    def settings(self) -> Settings:
        """Return the settings in force."""
        return self.loaded.settings

    @property
    def zone(self) -> tzinfo:
        """Return the vault's time zone."""
        return self.store.rules.zone

    def _model_folder(self) -> Path | None:
        settings = self.settings
        return _expanded(settings.embed_model) if settings.enable_embeddings and settings.embed_model else None

    def _load(self, note: Mapping[str, object] | None, *, root: str = DEFAULT_ROOT, unreadable: str = "") -> Loaded:
        around = self._surroundings
        dotenv = read_dotenv(around.environ, working_folder=around.working_folder)
        return load(
            note=note,
            dotenv=dotenv.values,
            dotenv_loosens=dotenv.own,
            environ=around.environ,
            options=around.options,
            previous=getattr(self, "loaded", None),
            root=root,
            unreadable=unreadable,
        )

    def reload_settings(self) -> bool:
        """Read the settings note again, wherever it lies; return whether the settings or folders changed."""
        found = self._find_settings_note()
        before = (self.loaded.settings, self.store.vault.layout)
        self.settings_path = found.path
        root = found.path.rpartition("/")[0] if found.path else DEFAULT_ROOT
        self.loaded = self._load(found.values, root=root, unreadable=found.unreadable)
        folders = self.settings.layout(root)
        layout = self._with_renames(
            Layout(short_term=folders.short_term, long_term=folders.long_term, archive=folders.archive)
        )
        if layout != self.store.vault.layout:
            self.store.vault.layout = layout
            self.reconciler.sort_tiers()
        self.store.rules = self._with_format(rules_of(self.settings), found.values)
        return before != (self.loaded.settings, layout)

    def _with_format(self, rules: Rules, note: Mapping[str, object] | None) -> Rules:
        """Only read a vault whose notes a newer version writes in a way that this one does not know."""
        wanted = (note or {}).get("note_format", NOTE_FORMAT)
        known = isinstance(wanted, int | float) and wanted <= NOTE_FORMAT
        problem = None if known else f"its note format {wanted} is newer than this program, which needs an update"
        self.guard.format_is(problem)
        return rules if problem is None else replace(rules, read_only=True, read_only_because=problem)

    def _with_renames(self, layout: Layout) -> Layout:
        """Keep to memory folders that a person renamed, until the settings name them or they are back."""
        has_folder = self.store.vault.has_folder
        renames = {
            field: folder
            for field, folder in self._renames.load().items()
            if folder != getattr(layout, field) and not has_folder(getattr(layout, field)) and has_folder(folder)
        }
        self._renames.keep(renames, anew=True)
        lines = [f"the folder {getattr(layout, field)} is now {folder}" for field, folder in sorted(renames.items())]
        hint = "name the new folder in the settings note, or rename it back"
        found = with_folders(layout, renames)
        self.guard.folders_are(found, f"{'; '.join(lines)} ({hint})" if lines else None)
        return found

    def _find_settings_note(self) -> _SettingsNote:
        """Return the note with the property `mnemex: settings`: the usual place first, then any the catalog knows.

        A note that was the settings note and cannot be read now stays it, so that what it forbids stays forbidden.
        """
        usual = [self.settings_path, f"{DEFAULT_ROOT}/{_SETTINGS_NAME}"]
        known = sorted(entry.path for entry in self.store.catalog if entry.kind is NoteKind.GENERATED)
        for path in dict.fromkeys(path for path in (*usual, *known) if path):
            try:
                note = Note.parse(path, self.store.vault.files.read(path)[0])
            except errors.NoteNotFound:
                continue
            except errors.UnreadableNote as error:
                return _SettingsNote(path=path, unreadable=error.reason)
            if note.kind in (NoteKind.UNREADABLE, NoteKind.BINARY) and path in usual:
                return _SettingsNote(path=path, unreadable="; ".join(note.problems))
            if note.values.get("mnemex") == "settings":
                return _SettingsNote(path=path, values=note.values)
        return _SettingsNote()

    @property
    def upkeep_plan(self) -> Plan:
        """Return what the settings let run by itself."""
        from mnemex_vault.memories.automation import Plan

        return Plan(
            steps=self.settings.upkeep,
            interval_hours=self.settings.upkeep_interval_hours,
            folder=self.store.vault.layout.short_term.rpartition("/")[0],
            device=platform.node(),
        )

    def catch_up(self, *, progress: Progress | None = None) -> Changes:
        """Recover what was cut off, follow the vault as it is now, and give the index what it lacks."""
        now = self._clock()
        if not self.store.rules.read_only:
            self._recover()
        changes = self.follow(None, progress=progress)
        try:
            self._flush_if_many()
            self.reconciler.stage_missing(progress=progress)
            self._flush_if_many()
        except errors.IndexUnavailable as error:
            logger.warning("searches look through the notes themselves: %s", error)
        self.drop_written_uses()
        uses.write_pending(self.store, now=now)
        return changes

    def _flush_if_many(self) -> None:
        """Commit a first index before going on: what is only staged would have to be read again at the next start."""
        while self.store.text.pending >= _MANY:
            result = self.store.text.flush()
            if result.busy or result.reason:
                return

    def _recover(self) -> None:
        self.retention.look_at_clock()
        try:
            with self.store.vault.lock:
                found = recover(self.store.vault, self.store.journal, now=self.guard.ageing.believed_time())
            self.retention.prune_if_due()
        except (errors.LockTimeout, errors.WriteFailed) as error:
            # reading needs none of this, and the next start tries again
            logger.warning("looking for what was cut off must wait: %s", error)
            return
        for each in found:
            logger.warning("recovered: %s", each)

    def recheck_parked(self) -> list[str]:
        """Put in sight what an editor wrote into a file after we displaced it; return the paths of the copies."""
        store = self.store
        if store.rules.read_only or not store.journal.parking.in_use:
            return []
        with store.vault.lock:
            found = recheck_parked(store.vault, store.journal, now=self.guard.ageing.believed_time())
        paths = [path for each in found for path in each.paths]
        for path in paths:
            logger.warning("a late save of an open editor was kept as %s", path)
        return paths

    def drop_written_uses(self) -> None:
        """Drop uses that the journal says are in their notes already: a crash came between the two."""
        waiting = {use.id for use in self.store.pending.all()}
        if waiting:
            self.store.pending.remove(sorted(waiting & self.store.journal.written_uses()))

    def follow(self, paths: set[str] | None, *, progress: Progress | None = None) -> Changes:
        """Reconcile these paths, or all, and take note of what the vault's state means for automatic change."""
        try:
            changes = self.reconciler.reconcile(paths, now=self._clock(), progress=progress)
        except errors.VaultUnavailable as problem:
            self.guard.vault_is(problem)
            raise
        if paths is None:
            self.guard.vault_is(None)
            self._refill()
        uses.record_approvals(self.store, changes, now=self._clock())
        if changes.renamed:
            self._renames.keep(changes.renamed)
        if changes.renamed or self._concerns_generated(changes):
            self.reload_settings()
            self.automation.apply_ticks(self.upkeep_plan)
        return changes

    def _refill(self) -> None:
        try:
            self.reconciler.refill()
        except errors.IndexUnavailable as error:
            logger.warning("searches look through the notes themselves: %s", error)

    def accept_losses(self) -> None:
        """Take the present notes as all there are, however many disappeared."""
        self.reconciler.accept_losses()

    def read_again(self, *, progress: Progress = unseen) -> list[str]:
        """Read every note whatever its fingerprint says; return those that had changed without a trace."""
        paths = sorted(entry.path for entry in self.store.catalog)
        changed: list[str] = []
        for start in range(0, len(paths), _MANY):
            progress(start, len(paths))
            changed += self.reconciler.rehash(paths[start : start + _MANY], now=self._clock()).changed
        progress(len(paths), len(paths))
        return changed

    def make_index_anew(self) -> None:
        """Erase the index, and fill it from the notes as they are known; raises IndexUnavailable."""
        self.store.text.start_anew()
        self.reconciler.start_anew()
        self.store.text.flush()

    @property
    def index_was_damaged(self) -> bool:
        """Tell whether the index was damaged, and made anew."""
        return self.store.text.rebuilt

    @property
    def index_written(self) -> datetime | None:
        """Return when the index was last written."""
        return written_at(self.state / "index")

    @property
    def is_set_up(self) -> bool:
        """Tell whether somebody made the folder a vault: with Obsidian, by `init`, or by keeping memories in it."""
        vault = self.store.vault
        folders = (vault.layout.short_term, vault.layout.long_term, vault.layout.archive)
        return (
            self.settings_path is not None
            or (self.root / vault.config.folder).is_dir()
            or any(map(vault.has_folder, folders))
            or any(entry.is_memory for entry in self.store.catalog)
        )

    def _concerns_generated(self, changes: Changes) -> bool:
        touched = (*changes.added, *changes.changed, *changes.removed)
        return any(
            path == self.settings_path
            or ((entry := self.store.catalog.get(path)) is not None and entry.kind is NoteKind.GENERATED)
            for path in touched
        )

    def close(self) -> None:
        """Write what is waiting for the index, and let go of files."""
        try:
            self.store.text.flush()
        except errors.MnemexError as error:
            logger.info("the index will catch up at the next start: %s", error)
        self.store.text.close()
        self._claims.release()


def _expanded(vault: Path | str) -> Path:
    if not str(vault).strip():
        raise errors.BadSetting(["the vault is named by an empty text; the working folder is called ."])
    try:
        return Path(vault).expanduser().absolute()
    except RuntimeError as error:
        raise errors.VaultUnavailable(Path(vault), "there is no such user") from error


def make_app(
    vault: Path | str,
    *,
    clock: Clock = utc_now,
    environ: Mapping[str, str] | None = None,
    options: Mapping[str, object] | None = None,
    working_folder: Path | None = None,
) -> App:
    """Return an App that has looked at nothing yet; see `open_app`."""
    root = _expanded(vault)
    if not root.is_dir():
        raise errors.VaultUnavailable(root, "is not a folder" if root.exists() else "there is no such folder")
    environ = os.environ if environ is None else environ
    surroundings = Surroundings(environ=environ, working_folder=working_folder or Path.cwd(), options=options or {})
    return App(root, vault_state(state_base(environ), root), surroundings, clock=clock)


@contextmanager
def open_app(
    vault: Path | str,
    *,
    clock: Clock = utc_now,
    environ: Mapping[str, str] | None = None,
    options: Mapping[str, object] | None = None,
    progress: Progress | None = None,
) -> Iterator[App]:
    """Open a vault, bring the index up to date, and close it at the end.

    Raises VaultUnavailable for a vault that is missing or unreadable, ConfigError for bad settings.
    """
    app = make_app(vault, clock=clock, environ=environ, options=options)
    try:
        app.catch_up(progress=progress)
        yield app
    finally:
        app.close()


@contextmanager
def open_vault(vault: Path | str, **options: object) -> Iterator[Memories]:
    """Open a vault for a program in Python, bring the index up to date, and close it at the end.

    `options` are settings by their names, ahead of all other places where settings stand. Raises as `open_app`.
    """
    with open_app(vault, options=options) as app:
        yield app.memories
