"""`connect`, `prompt`, `plugin`: how an assistant and Obsidian come to use this program."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from mnemex_vault.cli import completing
from mnemex_vault.cli.clients import NAME, known_clients, own_memory_line, own_memory_of
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Faint, Heading, one_line, whole
from mnemex_vault.errors import InvalidInput, NotAllowed

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.clients.connecting import FileChange, Originals, Wish
    from mnemex_vault.clients.entries import Server
    from mnemex_vault.clients.places import ClientName, Machine, Places
    from mnemex_vault.vaultkit.plugin_files import Installation

PACKAGE = "mnemex-vault"
_COMMANDS = ("mnemex", PACKAGE)
# the mark of folders that may be deleted at any time (https://bford.info/cachedir)
_CACHE_MARK = "CACHEDIR.TAG"


def own_command(working_folder: Path) -> list[str]:
    """Return what starts this program: an absolute path, and words that make it this program if it is another one."""
    if _in_cache(Path(sys.prefix)) and (runner := shutil.which("uvx")):
        return [str(Path(runner).absolute()), *_origin(), PACKAGE]
    started = Path(sys.argv[0])
    beside = Path(sys.executable).parent
    names = [name + ending for name in _COMMANDS for ending in (("", ".exe") if os.name == "nt" else ("",))]
    candidates = [
        *([working_folder / started] if started.name in names else []),
        *(beside / name for name in names),
        *(Path(found) for name in names if (found := shutil.which(name))),
    ]
    for candidate in candidates:
        if candidate.is_file() and os.access(candidate, os.X_OK):
            return [str(candidate.absolute())]
    return [sys.executable, "-m", "mnemex_vault"]


def _in_cache(environment: Path) -> bool:
    """Tell whether an environment lies in a cache, as those that `uvx` makes; uv marks every environment itself."""
    return any((folder / _CACHE_MARK).exists() for folder in environment.parents)


def _origin() -> list[str]:
    """Return the option that tells `uvx` where this package came from, nothing if it was the package index."""
    recorded = distribution(PACKAGE).read_text("direct_url.json")
    if recorded is None:
        return []
    origin = json.loads(recorded)
    revision = origin.get("vcs_info")
    url = f"{revision['vcs']}+{origin['url']}@{revision['commit_id']}" if revision else origin["url"]
    return ["--from", url]


_OTHERS = (
    "  mnemex connect print           the entry to copy, for every other client",
    "  mnemex connect remote          a code that lets in a client elsewhere: Claude.ai, ChatGPT, a phone",
)
_PRINT = "print"
_REMOTE = "remote"
_TRY = (
    "Remember that I prefer short answers with one example.",
    "What do you know about how I like to work?",
    "Forget what you know about how I like to work.",
)
_EXTRAS = ("permissions", "rules", "hooks")


_ClientName = Annotated[
    str | None,
    typer.Argument(
        metavar="CLIENT",
        autocompletion=completing.clients,
        help="claude-desktop, claude-code, cursor, vscode, windsurf, codex, zed; `print` shows the entry to copy,"
        " `remote` a code that lets in a client elsewhere.",
        show_default=False,
    ),
]
_Revoke = Annotated[bool, typer.Option("--revoke", help="With remote: let clients elsewhere in no more, all or one.")]
_Only = Annotated[
    str | None, typer.Option("--only", metavar="CLIENT", help="With --revoke: its name or id.", show_default=False)
]


def connect(
    context: typer.Context,
    client: _ClientName = None,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the client calls the server.")] = NAME,
    rules: Annotated[bool, typer.Option("--rules", help="Add a marked block to the client's rules.")] = False,
    hooks: Annotated[
        bool, typer.Option("--hooks", help="Brief at session start, save before compaction, count what was used.")
    ] = False,
    allow: Annotated[
        bool, typer.Option("--allow", help="Let the client use the tools that read and save without asking.")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take out what was written.")] = False,
    revoke: _Revoke = False,
    only: _Only = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Connect an assistant. Writes the server into its configuration, with a backup, and keeps every other byte."""
    session = Session.of(context, as_json=as_json)
    if client == _REMOTE:
        from mnemex_vault.cli.serve import remote_clients

        remote_clients(session, vault, revoke=revoke, only=only, dry_run=dry_run)
        return
    if revoke or only is not None:
        raise typer.BadParameter("--revoke and --only are for `mnemex connect remote`")
    if client == _PRINT:
        session.console.as_json = True
        session.console.answer(client_entry(session.find_vault(vault), session.working_folder, name=name), ())
        return
    machine = machine_of(session)
    chosen = _client(client)
    if chosen is None:
        facts, lines = known_clients(session, machine, vault)
        session.console.answer(facts, [*lines, *_OTHERS])
        return
    from mnemex_vault.clients.connecting import Wish, plan, read_text

    # what is taken out is known by the server's name, whatever vault it served
    root = Path() if remove else session.find_vault(vault)
    wish = Wish(vault=str(root), rules=rules, hooks=hooks, permissions=allow, remove=remove)
    if session.asks and not (rules or hooks or allow or remove or dry_run):
        wish = _asked(chosen, machine, root)
    server = _server(root, session.working_folder, name)
    changes = plan(chosen, machine, server, wish, read=read_text, originals=originals_of(session))
    _carry_out(session, chosen, machine, changes, wish, dry_run=dry_run)


def machine_of(session: Session) -> Machine:
    """Return the account that this run works for."""
    from mnemex_vault.clients.places import Machine

    home = session.environ.get("HOME" if sys.platform != "win32" else "USERPROFILE") or str(Path.home())
    return Machine.of(sys.platform, home, session.environ)


def _client(text: str | None) -> ClientName | None:
    from mnemex_vault.clients.places import ClientName

    if text is None:
        return None
    try:
        return ClientName(text.strip().lower())
    except ValueError as error:
        known = ", ".join([*ClientName, _PRINT, _REMOTE])
        raise typer.BadParameter(f"{text!r} is not known; one of {known}") from error


def _asked(client: ClientName, machine: Machine, root: Path) -> Wish:
    """Ask once for all that the client can be given besides the entry."""
    from mnemex_vault.clients.connecting import Wish
    from mnemex_vault.clients.places import places

    where = places(client, machine)
    can = [
        *(["permissions"] if where.permissions else []),
        *(["rules"] if where.rules else []),
        *(["hooks"] if where.hooks else []),
    ]
    if not can:
        return Wish(vault=str(root))
    meaning = {
        "permissions": "the tools that read and save need no confirmation each time",
        "rules": "when to search and save, as a marked block in its rules",
        "hooks": "a brief at session start, saving before compaction, counting what was used",
    }
    for each in can:
        typer.echo(f"  {each:<12} {meaning[each]}")
    answer = typer.prompt("Set these up as well? all, none, or some of them", default="all", value_proc=_extras)
    return Wish(
        vault=str(root),
        permissions="permissions" in answer and "permissions" in can,
        rules="rules" in answer and "rules" in can,
        hooks="hooks" in answer and "hooks" in can,
    )


def _extras(answer: str) -> list[str]:
    words = answer.replace(",", " ").casefold().split()
    if words == ["all"]:
        return list(_EXTRAS)
    unknown = [word for word in words if word not in (*_EXTRAS, "none")]
    if unknown:
        raise typer.BadParameter(f"{unknown[0]!r} is none of {', '.join(_EXTRAS)}")
    return [word for word in words if word != "none"]


def _carry_out(
    session: Session,
    client: ClientName,
    machine: Machine,
    changes: Sequence[FileChange],
    wish: Wish,
    *,
    dry_run: bool,
) -> None:
    from mnemex_vault.clients.connecting import apply
    from mnemex_vault.clients.places import missing_from, places

    now = session.clock().astimezone()
    backups = [] if dry_run else apply(changes, now=now, originals=originals_of(session))
    missing = [] if wish.remove else list(missing_from(client, _wanted(wish, places(client, machine))))
    data = {
        "client": client,
        "written": bool(changes) and not dry_run,
        "files": [str(change.path) for change in changes],
        "backups": [str(backup) for backup in backups],
        "missing": missing,
        **({"diff": [change.diff() for change in changes]} if dry_run else {}),
    }
    if dry_run:
        shown = [one_line(line) for change in changes for line in change.diff()]
        session.console.answer(data, [*shown, "Nothing was written." if changes else "Nothing would change.", *missing])
        return
    session.console.answer(data, _done(client, machine, changes, backups, wish))


def _done(
    client: ClientName, machine: Machine, changes: Sequence[FileChange], backups: Sequence[Path], wish: Wish
) -> list[str]:
    from mnemex_vault.clients.places import missing_from, places, to_know

    lines = [f"{_verb(change)} {one_line(str(change.path))}" for change in changes]
    lines = lines or ["Nothing had to be changed. Nothing was written."]
    lines += [Faint(f"  before: {one_line(str(backup))}") for backup in backups]
    if wish.remove:
        return [*lines, f"Restart {client}."]
    return [
        *lines,
        *to_know(client, hooks=wish.hooks, permissions=wish.permissions),
        *(Faint(sentence) for sentence in missing_from(client, places(client, machine))),
        *([f"{client} {own_memory_line(own)}"] if (own := own_memory_of(client, machine)) else []),
        "",
        f"Restart {client}, then say:",
        *(f"  “{sentence}”" for sentence in _TRY),
        "and open the vault in Obsidian: there are the notes.",
        Faint(f"Take it out again: mnemex connect {client} --remove"),
    ]


def _verb(change: FileChange) -> str:
    return "Removed" if change.after is None else "Wrote"


def _wanted(wish: Wish, where: Places) -> Places:
    """Return the places, with those that are not asked for filled in."""
    return replace(
        where,
        rules=where.rules if wish.rules else where.servers,
        permissions=where.permissions if wish.permissions else where.servers,
        hooks=where.hooks if wish.hooks else where.servers,
    )


def originals_of(session: Session) -> Originals:
    """Return what the clients' files held before ours."""
    from mnemex_vault.clients.connecting import Originals
    from mnemex_vault.settings import state_base

    return Originals(state_base(session.environ) / "clients")


def _server(root: Path, working_folder: Path, name: str) -> Server:
    from mnemex_vault.clients.entries import Server

    command, *arguments = own_command(working_folder)
    return Server(name=name, command=command, args=[*arguments, "serve", "--vault", str(root)])


def client_entry(root: Path, working_folder: Path, *, name: str = NAME) -> dict[str, object]:
    """Return the entry for a client's configuration, with absolute paths."""
    from mnemex_vault.clients.entries import printed

    return printed(_server(root, working_folder, name))


def entry_text(root: Path, working_folder: Path) -> str:
    """Return the entry as it is copied."""
    return json.dumps(client_entry(root, working_folder), indent=2, ensure_ascii=True)


def prompt(
    context: typer.Context,
    length: Annotated[Literal["short", "full"], typer.Argument(metavar="[short|full]", help="How much it says.")] = (
        "short"
    ),
    vault: VaultOption = None,  # noqa: ARG001  # the rules are the same for every vault
    as_json: JsonOption = False,
) -> None:
    """Print the rules for an assistant. They say when to search and when to save, to copy into its settings."""
    from mnemex_vault.clients.connecting import FULL, SHORT

    session = Session.of(context, as_json=as_json)
    text = SHORT if length == "short" else FULL
    session.console.answer({"prompt": text}, text.splitlines())


_INSTALL = "install"
_STATUS = "status"
_ACTIONS = (_INSTALL, _STATUS, "remove")


def plugin(
    context: typer.Context,
    action: Annotated[str, typer.Argument(metavar="ACTION", help="install, status, remove.", show_default=False)],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do it without asking.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would change.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Put the Obsidian plugin into the vault, or take it out. Shows what it would do, and asks."""
    session = Session.of(context, as_json=as_json)
    if action not in _ACTIONS:
        raise InvalidInput("ACTION", f"is {action!r}; use {', '.join(_ACTIONS)}")
    with closing(session.make_app(session.find_vault(vault))) as app:
        app.memories.check_vault()
        if action == _STATUS:
            _tell(session, app)
            return
        if app.settings.read_only:
            raise NotAllowed("the vault is read-only for Mnemex Vault (setting read_only)")
        act = _install if action == _INSTALL else _take_out
        act(session, app, yes=yes, dry_run=dry_run)


def _tell(session: Session, app: App) -> None:
    from mnemex_vault.vaultkit import plugin_files

    config_folder = app.memories.config_folder
    planned = plugin_files.plan(app.root, config_folder, plugin_files.shipped())
    enabled = plugin_files.is_enabled(app.root, config_folder)
    facts = {**_facts(planned, written=False), "enabled": enabled}
    session.console.answer(facts, [*_preview(planned)[:2], _plugin_stands(planned, enabled=enabled)])


def _plugin_stands(planned: Installation, *, enabled: bool) -> str:
    if planned.found is None:
        return "Install it with mnemex plugin install."
    if planned.changes:
        return "What is there differs from this version; mnemex plugin install brings it up to date."
    switched = "switched on" if enabled else "not switched on: Settings, Community plugins"
    return f"The files are those of version {one_line(planned.found)}. In Obsidian it is {switched}."


def _take_out(session: Session, app: App, *, yes: bool, dry_run: bool) -> None:
    from mnemex_vault.vaultkit import plugin_files

    config_folder = app.memories.config_folder
    there = plugin_files.present(app.root, config_folder)
    session.console.say(*(f"  remove   {whole(path)}" for path in there))
    writes = bool(there) and not dry_run and (yes or _confirmed(session, "Remove this?"))
    if writes:
        with app.memories.placing() as park:
            plugin_files.remove(there, app.root, config_folder, park=park)
    said = "Removed; the plugin's own settings stay." if writes else "Nothing was removed."
    session.console.answer({"removed": list(there) if writes else [], "found": list(there)}, [said])


def _install(session: Session, app: App, *, yes: bool, dry_run: bool) -> None:
    from mnemex_vault.vaultkit import plugin_files

    config_folder = app.memories.config_folder
    planned = plugin_files.plan(app.root, config_folder, plugin_files.shipped())
    session.console.say(*_preview(planned))
    writes = bool(planned.changes) and not dry_run
    if writes and not yes and not _confirmed(session):
        writes = False
    if writes:
        with app.memories.placing() as park:
            plugin_files.install(planned, app.root, config_folder, park=park)
    session.console.answer(_facts(planned, written=writes), _closing(planned, written=writes))


def _confirmed(session: Session, question: str = "Copy this?") -> bool:
    if not session.asks:
        raise typer.BadParameter("nothing was changed: confirm with --yes, or look with --dry-run")
    return typer.confirm(question, default=True)


def _preview(planned: Installation) -> list[str]:
    lines: list[str] = [
        Heading(f"Mnemex Vault {planned.version} for Obsidian"),
        Faint(f"the vault has {one_line(planned.found)}" if planned.found else "the vault does not have it yet"),
        "",
    ]
    lines += [f"  {copy.action.value:<9}{whole(copy.path)} ({len(copy.data):,} bytes)" for copy in planned.copies]
    return [*lines, ""] if planned.copies else lines


def _closing(planned: Installation, *, written: bool) -> list[str]:
    if planned.newer:
        return [f"Nothing was written: {one_line(planned.found or '')} is newer than {planned.version}."]
    if planned.changes and not written:
        return ["Nothing was written."]
    first = "Copied." if written else "Everything is there already."
    return [
        first,
        'Enable it in Obsidian: Settings, Community plugins, turn them on, then switch "Mnemex Vault" on.',
        "If Obsidian is open, press the reload button above the list of installed plugins first.",
    ]


def _facts(planned: Installation, *, written: bool) -> dict[str, object]:
    return {
        "folder": planned.folder,
        "version": planned.version,
        "found": planned.found,
        "newer": planned.newer,
        "written": written,
        "files": [{"action": copy.action.value, "path": copy.path, "bytes": len(copy.data)} for copy in planned.copies],
    }
