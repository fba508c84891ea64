"""What `init` asks: what may happen by itself, and which notes an assistant may read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Heading
from mnemex_vault.cli.safe_text import whole
from mnemex_vault.errors import ConfigError

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.cli.session import Session

_ALL = "all"
_WHOLE_VAULT = "/"
_UPKEEP = "promote, review"
_MEANING = {
    "promote": "make permanent what is used again and again",
    "review": "write a review note once a week",
    "archive": "put away what has faded, into the archive",
}
_SHOWN = 10


@dataclass(frozen=True, slots=True)
class Given:
    """What options of the command say already."""

    upkeep: str | None
    read: str | None

    def __bool__(self) -> bool:
        return self.upkeep is not None or self.read is not None


def defaults(session: Session, app: App, given: Given) -> dict[str, object]:
    """Return the choices without asking; raises ConfigError for values that are none, or folders that are not there."""
    return _checked(session, app, upkeep=given.upkeep or _UPKEEP, read=given.read or _ALL)


def ask(session: Session, app: App, given: Given) -> dict[str, object]:
    """Ask the person for what no option says."""
    typer.echo("")
    upkeep = _ask_upkeep() if given.upkeep is None else given.upkeep
    if given.read is not None:
        return _checked(session, app, upkeep=upkeep, read=given.read)

    def check(answer: str) -> str:
        try:
            _checked(session, app, upkeep=upkeep, read=answer)
        except ConfigError as error:
            raise typer.BadParameter(str(error)) from error
        return answer

    question = "Which ordinary notes may an assistant read? all, none, or folders (Work, Garden/Plans)"
    read = typer.prompt(question, default=_ALL, value_proc=check)
    return _checked(session, app, upkeep=upkeep, read=read)


def _ask_upkeep() -> str:
    typer.echo("What may be done by itself?")
    wanted = [
        step
        for step, meaning in _MEANING.items()
        if typer.confirm(f"  {meaning[0].upper()}{meaning[1:]}?", default=step in _UPKEEP)
    ]
    return ", ".join(wanted) or "none"


def _checked(session: Session, app: App, *, upkeep: str, read: str) -> dict[str, object]:
    from mnemex_vault.settings import load, machine_zone_name

    chosen = {"upkeep": upkeep, "read_paths": _WHOLE_VAULT if read.strip().casefold() == _ALL else read}
    settings = load(options=chosen).settings
    missing = [folder for folder in settings.read_paths if folder != _WHOLE_VAULT and not (app.root / folder).is_dir()]
    if missing:
        raise ConfigError([f"there is no folder {missing[0]!r} in the vault"])
    zone = app.settings.timezone or machine_zone_name(session.environ)
    return {
        **({"timezone": zone} if zone else {}),
        "upkeep": list(settings.upkeep),
        "read_paths": list(settings.read_paths),
    }


def in_force(app: App) -> dict[str, object]:
    """Return what the settings of a vault say of these choices."""
    return {"upkeep": list(app.settings.upkeep), "read_paths": list(app.settings.read_paths)}


def grants(chosen: Mapping[str, object]) -> list[str]:
    """Return what the choices let the server and an assistant do, in words."""
    steps, folders = _texts(chosen["upkeep"]), _texts(chosen["read_paths"])
    by_itself = ", and ".join(meaning for step, meaning in _MEANING.items() if step in steps)
    read = "every note" if _WHOLE_VAULT in folders else ", ".join(map(whole, folders)) or "no ordinary note"
    return [
        Heading("What this allows"),
        f"  By itself it may {by_itself}." if by_itself else "  By itself it does nothing.",
        f"  An assistant may read memories and {read}, but never a note tagged #private.",
        "  It may write memories, and other notes only when you ask for it. Each change can be undone.",
    ]


def suspects(app: App, chosen: Mapping[str, object]) -> list[str]:
    """Return the notes that may hold keys or passwords, and that an assistant may read after these choices."""
    from mnemex_vault.disk.paths import within

    folders = _texts(chosen["read_paths"])
    found = dict.fromkeys(finding.path for finding in app.overview.secrets())
    memories = {entry.path for entry in app.store.catalog.memories()}
    return [path for path in found if _WHOLE_VAULT in folders or within(path, folders) or path in memories]


def suspect_lines(paths: Sequence[str]) -> list[str]:
    """Return a warning with the names of these notes; nothing if there are none."""
    if not paths:
        return []
    more = [f"  ... and {len(paths) - _SHOWN} more: mnemex doctor"] if len(paths) > _SHOWN else []
    return [
        "",
        Heading(f"{words.count(len(paths), 'note')} may hold keys or passwords, which an assistant could read"),
        *(f"  {whole(path)}" for path in paths[:_SHOWN]),
        *more,
        "  Tag such a note #private, or leave its folder out with --read.",
    ]


def _texts(value: object) -> list[str]:
    return [str(each) for each in value] if isinstance(value, list | tuple) else []
