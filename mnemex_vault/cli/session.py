"""What one run of the command line works with, and the vault it opens."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import typer

from mnemex_vault.cli.console import Console
from mnemex_vault.cli.safe_text import one_line
from mnemex_vault.clock import Clock
from mnemex_vault.errors import ConfigError, VaultEmptied, VaultNotSetUp

if TYPE_CHECKING:
    from mnemex_vault.app import App


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
            raise ConfigError([f"the vault cannot be found: there is no such home directory ({error})"]) from error
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
            app.store.before_writing = partial(self._claim, app)
        return app

    def _claim(self, app: App) -> None:
        from mnemex_vault.memories.store import nothing

        if not is_set_up(app):
            place = one_line(str(app.root))
            with self.console.bars.away():
                question = f"{place} is not set up as a vault. Keep memories in it?"
                if not self.asks or not typer.confirm(question, default=False):
                    raise VaultNotSetUp(app.root)
        app.store.before_writing = nothing

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
            except VaultEmptied as error:
                self.console.warn(
                    f"{error}; automatic change is stopped. If they are really gone: mnemex reindex --accept-losses"
                )
            app.store.watch = self.console.watch
            yield app
        finally:
            with self.console.working("Writing the index"):
                app.close()


def is_set_up(app: App) -> bool:
    """Tell whether somebody made the folder a vault: with Obsidian, by `init`, or by keeping memories in it."""
    vault = app.store.vault
    folders = (vault.layout.short_term, vault.layout.long_term, vault.layout.archive)
    return (
        app.settings_path is not None
        or (app.root / vault.config.folder).is_dir()
        or any(map(vault.has_folder, folders))
        or any(entry.is_memory for entry in app.store.catalog)
    )
