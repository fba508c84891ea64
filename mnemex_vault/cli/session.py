"""What one run of the command line works with: the vault it opens, what a person types to mean a memory, the input."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Generic, TextIO, TypeVar

import typer

from mnemex_vault import errors
from mnemex_vault.cli.console import Console
from mnemex_vault.cli.failures import FAILED, advice
from mnemex_vault.cli.sheet import one_line
from mnemex_vault.clock import Clock
from mnemex_vault.domain.memory import MAX_CONTENT

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.cli.console import Console
    from mnemex_vault.memories.face import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Console, environment, clock and input of one run."""

    console: Console
    environ: Mapping[str, str]
    clock: Clock
    stdin: TextIO
    working_folder: Path

    @classmethod
    def of(cls, context: typer.Context, *, as_json: bool) -> Session:
        """Return the session of a command and settle in which form it answers."""
        session = context.find_object(cls)
        if session is None:
            raise TypeError("the command line was started without a session")
        session.console.as_json = as_json
        return session

    @property
    def asks(self) -> bool:
        """Tell whether there is a person who can answer a question."""
        return self.stdin.isatty() and not self.console.as_json

    def find_vault(self, option: Path | None) -> Path:
        """Return the vault's folder; raises ConfigError if none is named, VaultUnavailable if it is no folder."""
        return self.vault_and_source(option)[0]

    def vault_and_source(self, option: Path | None) -> tuple[Path, str]:
        """Return the vault's folder and by what it is meant; raises as `find_vault`."""
        from mnemex_vault.settings import config_folder, find_vault, named_in, remembered_vault, vault_around

        if option is not None and (self.working_folder / option).is_dir():
            # a folder may be called ~anything
            option = self.working_folder / option
        try:
            remembered = remembered_vault(config_folder(self.environ))
            around = vault_around(self.working_folder)
            root = find_vault(option, self.environ, remembered, around=around)
        except RuntimeError as error:
            raise errors.ConfigError(
                [f"the vault cannot be found: there is no such home directory ({error})"]
            ) from error
        if option is not None:
            return root, "--vault"
        return root, named_in(self.environ) or ("the working folder" if around else "mnemex use")

    def make_app(
        self,
        root: Path,
        *,
        environ: Mapping[str, str] | None = None,
        options: Mapping[str, object] | None = None,
        claimed: bool = True,
    ) -> App:
        """Return the use cases on a vault that nobody looked at yet; what is odd in the settings is a warning.

        Unless it is `claimed`, nothing is written into a folder that nobody made a vault.
        """
        from mnemex_vault.app import make_app

        app = make_app(
            root,
            clock=self.clock,
            environ=self.environ if environ is None else environ,
            options=options,
            working_folder=self.working_folder,
        )
        for warning in app.loaded.warnings:
            self.console.warn(warning)
        if not claimed:
            app.memories.ask_before_writing(partial(self._claim, app))
        return app

    def _claim(self, app: App) -> None:
        if not app.is_set_up:
            place = one_line(str(app.root))
            with self.console.bars.away():
                question = f"{place} is not set up as a vault. Keep memories in it?"
                if not self.asks or not typer.confirm(question, default=False):
                    raise errors.VaultNotSetUp(app.root)
        app.memories.ask_before_writing()

    @contextmanager
    def open(self, option: Path | None) -> Iterator[App]:
        """Open the vault that is meant, brought up to date.

        One that is only named on the command line may have been named by mistake: it is not written into before
        somebody made it a vault.
        """
        with self.opened(self.make_app(self.find_vault(option), claimed=option is None)) as app:
            yield app

    @contextmanager
    def opened(self, app: App) -> Iterator[App]:
        """Bring an app up to date, and close it at the end.

        A vault that lost most of its notes is opened as well: what a person asks for is done, what would happen by
        itself is not.
        """
        try:
            try:
                with self.console.working("Opening the vault"):
                    app.catch_up(progress=self.console.watch("Reading notes"))
            except errors.VaultEmptied as error:
                self.console.warn(
                    f"{error}; automatic change is stopped. If they are really gone: mnemex reindex --accept-losses"
                )
            app.memories.watched_by(self.console.watch)
            yield app
        finally:
            with self.console.working("Writing the index"):
                app.close()


T = TypeVar("T")
_ENDING = ".md"
_SHOWN = 5


def identify(app: App, name: str, *, working_folder: Path, ordinary: bool = False) -> str:
    """Return the id that a name stands for; a name that says nothing is returned as it is.

    With `ordinary` a note that is no memory is meant as well. Raises InvalidInput if several are meant.
    """
    from mnemex_vault.memories.face import NOTE_PREFIX

    if name.startswith(NOTE_PREFIX) or app.memories.notes.by_id(name) is not None:
        return name
    found = [entry for entry in _meant(app, name, working_folder) if entry.searchable and app.memories.may_read(entry)]
    meant = {entry.item_id: entry.path for entry in found if entry.is_memory or ordinary}
    if len(meant) > 1:
        choice = ", ".join(f"{each} ({path})" for each, path in meant.items())
        raise errors.NotPossible("", f"{name!r} means {len(meant)} notes; give one of the ids: {choice}")
    if not found:
        meant = {NOTE_PREFIX + entry.path: entry.path for entry in _meant(app, name, working_folder) if entry.is_away}
    if found and not meant:
        raise errors.NotPossible("", f"{found[0].path} is a note and no memory; mnemex adopt makes it one")
    return next(iter(meant), name)


def names_a_note(app: App, name: str, *, working_folder: Path) -> bool:
    """Tell whether a name is the id, title or path of a note of the vault."""
    return app.memories.notes.by_id(name) is not None or bool(_meant(app, name, working_folder))


def _meant(app: App, name: str, working_folder: Path) -> list[Entry]:
    catalog = app.memories.notes
    path = path_in_vault(name, root=app.root, working_folder=working_folder)
    entry = catalog.get(path) or catalog.get(path + _ENDING)
    if entry:
        return [entry]
    named = catalog.named(name, aliases=True) or catalog.titled(name)
    # the very spelling goes before names that differ in case
    return ([each for each in named if name in (each.stem, *each.aliases, each.property_title)] or named)[:_SHOWN]


def path_in_vault(text: str, *, root: Path, working_folder: Path) -> str:
    """Return the path of a note as the vault has it: from an absolute path, one from the working folder, or as given.

    >>> path_in_vault("/notes/Work/Plan.md", root=Path("/notes"), working_folder=Path("/"))
    'Work/Plan.md'
    """
    place = Path(text)
    candidates = [place] if place.is_absolute() else [working_folder / place] if _exists(working_folder / place) else []
    for candidate in candidates:
        for base in (root, root.resolve()):
            if candidate.is_relative_to(base):
                return candidate.relative_to(base).as_posix()
    return text


def _exists(place: Path) -> bool:
    try:
        return place.exists()
    except (OSError, ValueError):
        return False


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """What became of several names: what was done, and why it could not be for the others."""

    done: Sequence[T]
    failed: Sequence[tuple[str, errors.MnemexError]]

    def tell(self, console: Console) -> None:
        """Say why each of the others was left, and end with exit code 1; one name alone fails as ever."""
        if not self.done and len(self.failed) == 1:
            raise self.failed[0][1]
        for name, error in self.failed:
            console.fail(f"{name}: {advice(error)}")
        if self.failed:
            raise typer.Exit(FAILED)


def identified(app: App, names: Iterable[str], *, working_folder: Path) -> list[str]:
    """Return the ids of the memories that are named, each once; raises for a name that means none."""
    ids = [identify(app, name, working_folder=working_folder) for name in names]
    for memory_id in ids:
        app.memories.memory_entry(memory_id)
    return list(dict.fromkeys(ids))


def each_of(names: Iterable[str], verb: Callable[[str], T]) -> Done[T]:
    """Do something for each; one for which it cannot be done holds no other up."""
    done: list[T] = []
    failed: list[tuple[str, errors.MnemexError]] = []
    for name in names:
        try:
            done.append(verb(name))
        except errors.VaultUnavailable:
            raise
        except errors.MnemexError as error:
            failed.append((name, error))
    return Done(done, failed)


FROM_INPUT = "-"
# four bytes hold any character
_BYTES = 4
# an input that never ends is not counted to its end
_COUNTED = 256 * 1024 * 1024
_CHUNK = 1024 * 1024
_CONTINUED = bytes(range(0x80, 0xC0))


def text_from(given: str | None, stdin: TextIO, *, limit: int = MAX_CONTENT) -> str:
    """Return the text of an argument, or what the input holds if it is `-` or absent.

    Raises InvalidInput for bytes that are no UTF-8, for an input of so many bytes that it has more characters than the
    limit, and when there is neither an argument nor an input.
    """
    if given is not None and given != FROM_INPUT:
        return given
    if given is None and stdin.isatty():
        raise errors.InvalidInput("text", "is missing; give it in quotes, or pipe it in")
    return _read(stdin, limit).removesuffix("\n")


def _read(stdin: TextIO, limit: int) -> str:
    source = stdin.buffer if isinstance(stdin, io.TextIOWrapper) else io.BytesIO(stdin.read().encode())
    # a mark and a line end beside the text
    data = source.read(_BYTES * (limit + 2))
    if rest := source.read(_CHUNK):
        from mnemex_vault.memories.draft import too_long

        raise too_long("text", _characters(data) + _counted(rest, source), limit)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise errors.InvalidInput("text", f"is not UTF-8 (byte {error.start})") from None


def _counted(chunk: bytes, source: BinaryIO) -> int:
    """Return how many characters are still to come, and do not keep them."""
    characters = read = 0
    while chunk and read < _COUNTED:
        characters += _characters(chunk)
        read += len(chunk)
        chunk = source.read(_CHUNK)
    return characters


def _characters(data: bytes) -> int:
    return len(data.translate(None, _CONTINUED))
