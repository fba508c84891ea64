"""What `init` puts into a vault: decided first, shown, and only then written; nothing that exists is overwritten."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from mnemex_vault.disk.files import Files
from mnemex_vault.disk.paths import PathRule, joined, walk
from mnemex_vault.disk.safeguards import Park
from mnemex_vault.errors import NoteNotFound, UnreadableNote, WriteFailed
from mnemex_vault.index.catalog import Catalog
from mnemex_vault.language.folding import name_key
from mnemex_vault.settings import DEFAULT_ROOT, Layout, Settings
from mnemex_vault.text.file_names import first_free
from mnemex_vault.vaultkit.bases import is_unchanged, views
from mnemex_vault.vaultkit.settings_note import FILE_NAME, settings_note

_OTHERWISE = "Mnemex"


class Action(StrEnum):
    """What happens to a place in the vault."""

    FOLDER = "make folder"
    CREATE = "create"
    REFRESH = "refresh"
    KEEP = "keep"


@dataclass(frozen=True, slots=True)
class Step:
    """One place in the vault; `before` is the text that a refresh replaces, `reason` why something is kept."""

    action: Action
    path: str
    text: str = ""
    before: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Present:
    """What the vault has already.

    `read` returns the text at a path, or None if nothing is there; `settings_note` is the path of the note with the
    property `mnemex: settings`, wherever it lies. `is_spoken_for` tells whether a file elsewhere has a name, or a link
    means it: a second one would change what links mean.
    """

    has_folder: Callable[[str], bool]
    read: Callable[[str], str | None]
    settings_note: str | None = None
    is_spoken_for: Callable[[str], bool] = lambda _: False


def root_of(settings_note_path: str | None) -> str:
    """Return the memory root: the folder of the settings note, else the usual one.

    >>> root_of("Brain/Settings.md"), root_of("Settings.md"), root_of(None)
    ('Brain', '', 'Memories')
    """
    return DEFAULT_ROOT if settings_note_path is None else settings_note_path.rpartition("/")[0]


def plan(
    present: Present, settings: Settings, *, chosen: Mapping[str, object] | None = None, refresh_views: bool = False
) -> list[Step]:
    """Return the steps for folders, settings note and views; views that a person changed are kept in any case.

    `settings` are those in force, `chosen` what a new settings note is to hold.
    """
    layout = settings.layout(root_of(present.settings_note))
    return [
        *_folder_steps(present, layout),
        _settings_step(present, chosen or {}, layout),
        *(
            _view_step(present, _view_place(present, path), text, refresh=refresh_views)
            for path, text in views(layout, settings.policy()).items()
        ),
    ]


def changes(steps: Sequence[Step]) -> list[Step]:
    """Return the steps that would write something."""
    return [step for step in steps if step.action is not Action.KEEP]


def apply(
    steps: Sequence[Step],
    *,
    make_folder: Callable[[str], None],
    create: Callable[[str, str], None],
    replace: Callable[[str, str, str], None],
) -> None:
    """Carry out the steps through the vault's own writes.

    `create(path, text)` is exclusive, `replace(path, before, text)` refuses if the text is no longer `before`; what
    they raise goes through, and the steps before it stay done: planning again continues.
    """
    for step in steps:
        if step.action is Action.FOLDER:
            make_folder(step.path)
        elif step.action is Action.CREATE:
            create(step.path, step.text)
        elif step.action is Action.REFRESH:
            replace(step.path, step.before, step.text)


def _folder_steps(present: Present, layout: Layout) -> list[Step]:
    return [
        Step(Action.KEEP, folder, reason="is there") if present.has_folder(folder) else Step(Action.FOLDER, folder)
        for folder in layout.folders()
    ]


def _settings_step(present: Present, chosen: Mapping[str, object], layout: Layout) -> Step:
    if present.settings_note is not None:
        return Step(Action.KEEP, present.settings_note, reason="is there")
    return Step(Action.CREATE, settings_place(present, layout.root), settings_note(chosen))


def settings_place(present: Present, root: str) -> str:
    """Return the path of a new settings note, whose name no other file of the vault has and no link means."""
    return _free_place(present, joined(root, FILE_NAME))


def _view_place(present: Present, path: str) -> str:
    """Return where a view lies already, else a free place for it."""
    other = _renamed(path)
    return next((place for place in (path, other) if present.read(place) is not None), None) or _free_place(
        present, path
    )


def _free_place(present: Present, path: str) -> str:
    folder, _, name = path.rpartition("/")
    dot = name.rpartition(".")[2]

    def taken(key: str) -> bool:
        return present.is_spoken_for(f"{key}.{dot}") or any(
            present.read(joined(folder, f"{stem}.{dot}")) is not None for stem in stems if name_key(stem) == key
        )

    stems = [each.removesuffix(f".{dot}") for each in (name, _renamed(name))]
    return joined(folder, f"{first_free(stems, taken)}.{dot}")


def _renamed(path: str) -> str:
    folder, slash, name = path.rpartition("/")
    return f"{folder}{slash}{_OTHERWISE} {name[0].lower()}{name[1:]}"


def _view_step(present: Present, path: str, text: str, *, refresh: bool) -> Step:
    before = present.read(path)
    if before is None:
        return Step(Action.CREATE, path, text)
    if before.replace("\r\n", "\n") == text:
        return Step(Action.KEEP, path, reason="is up to date")
    if not is_unchanged(before):
        return Step(Action.KEEP, path, reason="is yours")
    if not refresh:
        return Step(Action.KEEP, path, reason="can be refreshed")
    return Step(Action.REFRESH, path, text, before)


# The plan of `init` on a real vault, through the vault's own durable and exclusive writes.

_RULE = PathRule(suffixes=(".md", ".base"))


def look(root: Path, settings_note: str | None, catalog: Catalog | None = None) -> Present:
    """Return what the vault has; `settings_note` is the path of its settings note, if there is one.

    The names of all its files count, also of templates; `catalog` knows which names links mean.
    """
    files = Files(root, rule=_RULE)
    names = {name_key(path.rpartition("/")[2]) for path, _ in walk(root, wanted=lambda _: True, unreadable=_passed)}

    def is_spoken_for(name: str) -> bool:
        linked = catalog is not None and catalog.is_spoken_for(name_key(name.removesuffix(".md")))
        return name_key(name) in names or linked

    def read(path: str) -> str | None:
        try:
            return files.read(path)[0].decode()
        except NoteNotFound:
            return "" if _has_twin(root / path) else None
        except (UnreadableNote, UnicodeDecodeError):
            # something is there, and it is not ours
            return ""

    def has_folder(path: str) -> bool:
        try:
            return (root / path).is_dir()
        except OSError:
            # making it will say why
            return False

    return Present(has_folder=has_folder, read=read, settings_note=settings_note, is_spoken_for=is_spoken_for)


def _passed(path: str, error: OSError) -> None:
    """A folder that cannot be read has no names that anybody could link to from here."""


def _has_twin(place: Path) -> bool:
    """Tell whether a name that some file system would take for this one is there."""
    folder = place.parent
    return folder.is_dir() and any(name_key(entry.name) == name_key(place.name) for entry in folder.iterdir())


def write(steps: Sequence[Step], root: Path, *, park: Park) -> None:
    """Carry out the steps; what a refreshed view held goes to `park`.

    Raises NoteExists or NoteChanged if someone was quicker, WriteFailed if the disk refuses.
    """
    files = Files(root, rule=_RULE)

    def make_folder(path: str) -> None:
        try:
            with files.opened(path, make=True):
                pass
        except OSError as error:
            raise WriteFailed(path, error.strerror or str(error)) from error

    apply(
        steps,
        make_folder=make_folder,
        create=lambda path, text: files.create(path, text.encode()),
        replace=lambda path, before, text: files.replace(path, before.encode(), text.encode(), park=park),
    )
