"""`init` and `use`: setting up a vault, and which one is meant when none is named."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.connect import entry_text, machine_of
from mnemex_vault.cli.doctor import clashes
from mnemex_vault.cli.options import JsonOption, VaultOption, named_once, vault_argument
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Faint, Heading, kept, one_line, whole
from mnemex_vault.errors import ConfigError, NotAllowed, VaultNotSetUp

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.cli.session import Session
    from mnemex_vault.vaultkit.init import Step

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


def suspects_of(app: App, chosen: Mapping[str, object]) -> list[str]:
    """Return the notes that may hold keys or passwords, and that an assistant may read after these choices."""
    folders = _texts(chosen["read_paths"])
    found = dict.fromkeys(finding.path for finding in app.overview.secrets())
    readable = {entry.path for entry in [*app.memories.all(), *app.memories.within(*folders)]}
    return [path for path in found if _WHOLE_VAULT in folders or path in readable]


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


_EXAMPLE = 'mnemex save "I prefer short answers with one example."'


def init(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        vault_argument("The folder of the vault."),
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be created.")] = False,
    upkeep: Annotated[
        str | None,
        typer.Option(
            "--upkeep", metavar="STEPS", help="What may be done by itself: promote, review, archive; or none."
        ),
    ] = None,
    read: Annotated[
        str | None,
        typer.Option("--read", metavar="FOLDERS", help="Ordinary notes an assistant may read: all, none, or folders."),
    ] = None,
    refresh_views: Annotated[
        bool, typer.Option("--refresh-views", help="Bring views up to date that nobody has changed.")
    ] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Set up a vault. Shows what it would create, asks, never overwrites, and remembers the vault."""
    session = Session.of(context, as_json=as_json)
    named = named_once(folder, vault)
    app = session.make_app(session.find_vault(named or _here(session) or _known_to_obsidian(session)))
    given = Given(upkeep, read)
    _check(app, given)
    session.console.say(Heading(one_line(app.root.name)))
    # asked before the first note is read, and before anybody waits for it
    asks = session.asks and not yes and not dry_run and app.settings_path is None
    chosen = ask(session, app, given) if asks else defaults(session, app, given)
    with session.opened(app):
        _set_up(session, app, chosen, yes=yes, dry_run=dry_run, refresh=refresh_views)


def _here(session: Session) -> Path | None:
    """Return the working folder if it is a vault already."""
    return session.working_folder if (session.working_folder / ".obsidian").is_dir() else None


def _known_to_obsidian(session: Session) -> Path | None:
    """Return a vault that Obsidian knows, chosen by the person; None if there is none or nobody to ask."""
    from mnemex_vault.clients.connecting import read_text
    from mnemex_vault.clients.places import known_vaults
    from mnemex_vault.settings import config_folder, named_in, remembered_vault

    if remembered_vault(config_folder(session.environ)) or named_in(session.environ):
        return None
    known = [Path(folder) for folder in known_vaults(machine_of(session), read=read_text) if Path(folder).is_dir()]
    if not known or not session.asks:
        return None
    session.console.say("Obsidian knows these vaults:")
    session.console.say(*(f"  {number}  {one_line(str(folder))}" for number, folder in enumerate(known, 1)))

    def chosen(answer: str) -> Path:
        if not answer.strip().isdigit() or not 1 <= int(answer) <= len(known):
            raise typer.BadParameter(f"a number from 1 to {len(known)}")
        return known[int(answer) - 1]

    vault: Path = typer.prompt("Which one", default="1", value_proc=chosen)
    return vault


def _check(app: App, given: Given) -> None:
    if app.settings.read_only:
        raise NotAllowed("the vault is read-only for Mnemex Vault (setting read_only)")
    if app.settings_path and given:
        raise NotAllowed(f"the settings are kept in {app.settings_path}; change them there")


def _set_up(
    session: Session, app: App, chosen: Mapping[str, object], *, yes: bool, dry_run: bool, refresh: bool
) -> None:
    from mnemex_vault.vaultkit.init import changes

    steps = _plan(app, chosen, refresh=refresh)
    granted = in_force(app) if app.settings_path else chosen
    with session.console.working("Looking for keys and passwords"):
        suspects = suspects_of(app, granted)
    session.console.say(*preview(app, steps), "", *grants(granted), *suspect_lines(suspects))
    facts = _facts(app, steps, granted, suspects)
    if dry_run:
        session.console.answer({**facts, "written": False}, ["", "Nothing was written."])
        return
    if changes(steps) and not yes and not _confirmed(session):
        session.console.say("Nothing was written.")
        return
    _write(session, app, steps)
    session.console.answer({**facts, "written": True}, ["", *_done_lines(session, app, steps)])


def _plan(app: App, chosen: Mapping[str, object], *, refresh: bool) -> list[Step]:
    from mnemex_vault.vaultkit.init import look, plan

    present = look(app.root, app.settings_path, app.memories.notes)
    return plan(present, app.settings, chosen=chosen, refresh_views=refresh)


def preview(app: App, steps: Sequence[Step]) -> list[str]:
    """Return what is there and what would be created."""
    lines: list[str] = [Faint(f"{whole(str(app.root))} · {words.count(len(app.memories.notes), 'note')}"), ""]
    for step in steps:
        reason = f" ({step.reason})" if step.reason else ""
        line = f"  {step.action.value:<12} {whole(step.path)}{reason}"
        lines.append(Faint(line) if step.reason else line)
    lines += ["", "No other note is touched, and nothing is overwritten."]
    lines += [f"Note: {one_line(clash)}." for clash in clashes(app.root, app.memories.config_folder)]
    return lines


def _confirmed(session: Session) -> bool:
    if not session.asks:
        raise typer.BadParameter("nothing was written: confirm with --yes, or look with --dry-run")
    return typer.confirm("Create this?", default=True)


def _write(session: Session, app: App, steps: Sequence[Step]) -> None:
    from mnemex_vault.settings import config_folder, remember_vault
    from mnemex_vault.vaultkit.init import write

    with app.memories.placing() as park:
        write(steps, app.root, park=park)
    app.follow(None)
    remember_vault(config_folder(session.environ).resolve(), app.root)


def _facts(
    app: App, steps: Sequence[Step], granted: Mapping[str, object], suspects: Sequence[str]
) -> dict[str, object]:
    return {
        "vault": str(app.root),
        "steps": [{"action": step.action.value, "path": step.path, "reason": step.reason} for step in steps],
        "clashes": clashes(app.root, app.memories.config_folder),
        "granted": {name: granted[name] for name in ("upkeep", "read_paths")},
        "may_hold_secrets": list(suspects),
    }


def _done_lines(session: Session, app: App, steps: Sequence[Step]) -> list[str]:
    from mnemex_vault.vaultkit.init import changes

    made = len(changes(steps))
    first = f"Done: {words.count(made, 'thing')} created." if made else "Everything is there already."
    return [
        f"{first} Commands without --vault mean this vault from now on.",
        "",
        Heading("Next"),
        f"  Remember something:     {kept(_EXAMPLE)}",
        "  Find it again:          mnemex search answers",
        f"  Change how it behaves:  open {one_line(app.settings_path or 'the settings note')} in Obsidian",
        "  Connect an assistant:   mnemex connect",
        "  or copy this into the configuration of any other:",
        "",
        *(kept(line) for line in entry_text(app.root, session.working_folder).splitlines()),
    ]


def use(
    context: typer.Context,
    folder: Annotated[
        Path | None,
        vault_argument("The vault to mean from now on; without, shows which one is meant."),
    ] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Choose the vault that is meant when none is named."""
    from mnemex_vault.settings import config_folder, remember_vault

    session = Session.of(context, as_json=as_json)
    chosen = named_once(folder, vault)
    if chosen is not None:
        root = session.find_vault(chosen)
        with closing(session.make_app(root)) as app:
            if not app.is_set_up:
                raise VaultNotSetUp(root)
        remember_vault(config_folder(session.environ).resolve(), root)
    found, source = session.vault_and_source(None)
    lines = [whole(str(found)), Faint(f"  by {source}")]
    if chosen is not None and found != root:
        session.console.warn(f"{source} names another vault, {found}, which is meant here")
        lines = [f"{whole(str(root))} is meant from now on where nothing else is named."]
    session.console.answer({"vault": str(found), "by": source, "chosen": str(root) if chosen else None}, lines)
