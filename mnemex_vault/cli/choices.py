"""What `init` asks: what may happen by itself, and which notes an assistant may read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import typer

from mnemex_vault.cli.safe_text import one_line
from mnemex_vault.errors import ConfigError

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.cli.session import Session

_ALL = "all"
_WHOLE_VAULT = "/"
_UPKEEP = "promote, review"


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
    wanted = {
        "promote": typer.confirm("  Make permanent what is used again and again?", default=True),
        "review": typer.confirm("  Write a review note once a week?", default=True),
        "archive": typer.confirm("  Put away what has faded, into the archive?", default=False),
    }
    return ", ".join(step for step, yes in wanted.items() if yes) or "none"


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


def lines(chosen: Mapping[str, object]) -> list[str]:
    """Return the choices as they go into the settings note."""
    return [f"  {name}: {_value_text(value)}" for name, value in chosen.items()]


def _value_text(value: object) -> str:
    return one_line(", ".join(map(str, value)) or "none") if isinstance(value, list) else one_line(str(value))
