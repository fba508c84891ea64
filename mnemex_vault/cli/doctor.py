"""`doctor` and `heal`: what a person should look at, each with its cure, and copies that sync tools left."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.clients import NAME, client_lines, consulted
from mnemex_vault.cli.connect import machine_of, own_command
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Faint, Heading, Part, Row, Rows, one_line, whole
from mnemex_vault.errors import ConfigError

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.cli.session import Session
    from mnemex_vault.clients.places import Machine
    from mnemex_vault.memories.healing import Healed, Healing, Left
    from mnemex_vault.progress import Progress

_SIZE_LIMIT = 1 << 20
_WORDS = {
    "multitext": "list",
    "datetime": "date & time",
    "checkbox": "checkbox",
    "number": "number",
    "text": "text",
    "date": "date",
    "tags": "tags",
    "aliases": "aliases",
}


def clashes(root: Path, config_folder: str) -> list[str]:
    """Return a sentence for each key that the vault types otherwise; settings that cannot be read say nothing."""
    from mnemex_vault.memories.status import property_types

    theirs = {key.casefold(): kind for key, kind in _types(root / config_folder / "types.json").items()}
    return [
        f"{key} is a {_words(theirs[key])} in this vault and a {_words(ours)} in memories"
        for key, ours in property_types().items()
        if theirs.get(key, ours) != ours
    ]


def _words(kind: str) -> str:
    return _WORDS.get(kind, kind)


def _types(path: Path) -> Mapping[str, str]:
    try:
        with path.open("rb") as file:
            found = json.loads(file.read(_SIZE_LIMIT).decode("utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return {}
    types = found.get("types") if isinstance(found, dict) else None
    return {key: kind for key, kind in types.items() if isinstance(kind, str)} if isinstance(types, dict) else {}


def program_troubles(session: Session, app: App) -> Iterator[str]:
    """Yield a sentence with its cure for each thing that may keep an assistant from this vault."""
    yield from _path(session)
    yield from _two_vaults(session, app)
    from mnemex_vault.clients.connecting import read_text
    from mnemex_vault.clients.entries import client_troubles

    yield from client_troubles(machine_of(session), vault=app.root, name=NAME, read=read_text)
    yield from _bridge(machine_of(session))


def _bridge(machine: Machine) -> Iterator[str]:
    """An import of a brief that is not there is told: what a person wrote does not reach the client then."""
    from mnemex_vault.clients.connecting import imported_by, read_text
    from mnemex_vault.clients.places import ClientName, places

    rules = places(ClientName.CLAUDE_CODE, machine).rules
    try:
        briefs = imported_by(rules, read=read_text) if rules else []
    except ConfigError:
        return
    for brief in briefs:
        if not brief.exists():
            yield f"{rules} imports {brief}, which is not there; write it with: mnemex bridge claude-code --brief"


def _path(session: Session) -> Iterator[str]:
    """Another program of this name in the path is one that a person starts by mistake."""
    own = Path(own_command(session.working_folder)[0])
    places = session.environ.get("PATH")
    found = shutil.which(own.name, path=places) if places else None
    if places and found is None:
        cure = "uv tool update-shell, or pipx ensurepath"
        yield f"{own.name} is not in the PATH of this terminal; it lies in {own.parent} ({cure})"
    elif found and Path(found).resolve() != own.resolve() and own.name != Path(sys.executable).name:
        yield f"{own.name} in the PATH is {found}, another one than this, {own}; remove one of them"


def _two_vaults(session: Session, app: App) -> Iterator[str]:
    from mnemex_vault.settings import config_folder, remembered_vault

    remembered = remembered_vault(config_folder(session.environ))
    if remembered is not None and not remembered.is_dir():
        yield f"the vault that was chosen, {remembered}, is gone; choose another with: mnemex use FOLDER"
    elif remembered is not None and remembered.resolve() != app.root.resolve():
        yield (
            f"two vaults are in use: this one, {app.root}, and the chosen one, {remembered};"
            " commands without --vault mean the chosen one unless MNEMEX_VAULT_PATH names another"
        )


CURES: Mapping[str, str] = {
    "unreadable": "repair the properties in Obsidian's source view, or save the note as UTF-8; its text is found, and"
    " the note is left as it is until then",
    "cannot be read": "see that you may open it, that it is a text and that it is not too large; it is left as it is",
    "not on this device": "let the sync service fetch it (in iCloud: Download Now; in Nextcloud: always available), or"
    " bring it back with mnemex undo or a backup; until then nothing of it is changed",
    "closed folder": "give yourself the right to read the folder, or move it out of the vault",
    "odd value": "correct the value in the note, or leave it: the default holds",
    "same id": "delete the memory_id of the copy, and mnemex adopt it anew",
    "conflict copy": "mnemex doctor --fix joins those whose text is equal; compare the others, and delete one",
    "unmanaged": "mnemex adopt NOTE makes it a memory; or move it out of the short-term folder",
    "secret": "take it out of the note, and change it where it is valid; #private keeps a note from assistants",
    "name": "rename it in Obsidian, which takes its links along, before the vault goes to such a system; a name that is"
    " left out is to be changed where the file lies",
    "property": "join the two in Obsidian's source view",
    "overwritten": "mnemex undo CHANGE --again writes that text once more; leave it if you took it back yourself",
    "count": "none needed; whoever knows better sets use_count in the note",
    "leftover": "none needed",
    "property type": "give the key the usual type in Obsidian, or leave it: the note is read all the same",
    "setting": "correct it in the settings note; mnemex status --settings shows where each value is from",
    "words": "correct the word list in the vault",
    "automatic change": "see what it says; if notes are really gone: mnemex reindex --accept-losses; if the clock is"
    " right now: mnemex doctor --accept-clock",
    "index": "none needed",
    "history": "none needed; later changes can be undone as ever",
}


def cure_of(kind: str) -> str | None:
    """Return what to do, None if each finding of this kind says so itself."""
    return CURES.get(kind)


_BATCH = 100


@dataclass(frozen=True, slots=True)
class Concern:
    """One thing that a person should look at; `path` is empty if it is about no single note."""

    kind: str
    path: str
    detail: str


def examine(app: App, *, progress: Progress) -> list[Concern]:
    """Read every note again, whatever its fingerprint says, and return what is wrong, sorted by kind."""
    unseen = app.read_again(progress=progress)
    concerns = [Concern("index", path, "had changed without a trace; it is up to date now") for path in unseen]
    concerns += [*_notes(app), *_vault(app), *_state(app)]
    return sorted(concerns, key=lambda each: (each.kind, each.path))


def _notes(app: App) -> Iterator[Concern]:
    overview = app.overview
    for finding in (
        *overview.findings(),
        *overview.names(),
        *overview.keys(),
        *overview.secrets(),
        *overview.overwritten(),
        *overview.counts(),
    ):
        yield Concern(finding.trouble.value, finding.path, finding.detail)
    for newest, *others in app.memories.notes.circles():
        names = ", ".join(other.title for other in others)
        yield Concern("relation", newest.path, f"replaces in a circle with {names}; what was said last holds")


def _vault(app: App) -> Iterator[Concern]:
    for path in app.memories.leftovers():
        yield Concern("leftover", path, "a write was cut off here; it is looked at by itself at the next start")
    for clash in clashes(app.root, app.memories.config_folder):
        yield Concern("property type", "", clash)
    for problem in app.loaded.problems:
        yield Concern("setting", app.settings_path or "", problem)
    for warning in app.loaded.warnings:
        yield Concern("setting", "", warning)
    for problem in app.vocabulary.problems():
        yield Concern("words", "", problem)


def _state(app: App) -> Iterator[Concern]:
    paused = app.guard.problem()
    if paused:
        yield Concern("automatic change", "", f"is stopped: {paused}")
    jumped = None if paused else app.guard.ageing.problem()
    if jumped:
        yield Concern("automatic change", "", f"of what is kept for undo waits, and nothing grows older: {jumped}")
    if app.index_was_damaged:
        yield Concern("index", "", "was damaged and has been made anew")
    if app.history.damaged:
        yield Concern(
            "history", "", f"{words.count(app.history.damaged, 'record')} could not be read and cannot be undone"
        )


def heal(
    context: typer.Context,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only show what would be done.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Join memories with copies that sync tools left. The same as the first part of mnemex doctor --fix."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        session.console.answer(*join_copies(session, app, dry_run=dry_run))


def join_copies(session: Session, app: App, *, dry_run: bool = False) -> tuple[dict[str, object], list[str]]:
    """Join what can be joined; return what was done and what is left, as data and as lines."""
    if not dry_run:
        app.memories.check_writable()
    with session.console.working("Comparing copies"):
        done = app.healer.heal(dry_run=dry_run)
    return _facts(done, dry_run=dry_run), _lines(done, dry_run=dry_run)


def _facts(done: Healing, *, dry_run: bool) -> dict[str, object]:
    return {
        "dry_run": dry_run,
        "healed": [
            {
                "path": each.path,
                "copy": each.copy,
                "use_count": each.use_count,
                "exact": each.exact,
                "operation_id": each.operation_id,
            }
            for each in done.healed
        ],
        "left": [{"copy": each.copy, "path": each.path, "reason": each.reason} for each in done.left],
    }


def _lines(done: Healing, *, dry_run: bool) -> list[str]:
    if not done.healed and not done.left:
        return ["There are no copies."]
    lines = [line for each in done.healed for line in _healed(each, dry_run=dry_run)]
    lines += [line for each in done.left for line in _left(each)]
    if dry_run:
        return [*lines, "Nothing was changed."]
    closing = f"{words.count(len(done.healed), 'copy', 'copies')} joined"
    return [*lines, f"{closing}, {len(done.left)} left to you." if done.left else f"{closing}."]


def _healed(each: Healed, *, dry_run: bool) -> list[str]:
    how = "" if each.exact else "; what both started from is not certain, so there may have been more"
    verb = "would be joined" if dry_run else "joined"
    lines = [
        f"{verb}: {whole(each.path)} ({words.count(each.use_count, 'use')}{how})",
        Faint(f"  copy to the trash: {one_line(each.copy)}"),
    ]
    return lines if each.operation_id is None else [*lines, Faint(f"  take it back: mnemex undo {each.operation_id}")]


def _left(each: Left) -> list[str]:
    lines = [f"left to you: {one_line(each.copy)} ({one_line(each.reason)})"]
    return lines if each.path is None else [*lines, Faint(f"  its original: {whole(each.path)}")]


def doctor(
    context: typer.Context,
    accept_clock: Annotated[
        bool, typer.Option("--accept-clock", help="Believe the clock, after it stood wrong or was set.")
    ] = False,
    fix: Annotated[
        bool, typer.Option("--fix", help="First join memories with copies of them that sync tools left.")
    ] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say what to look at. Reads every note; nothing is repaired unasked."""
    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        mended, told = join_copies(session, app) if fix else ({}, [])
        if accept_clock:
            app.guard.accept_clock()
        with session.console.working("Examining the vault"):
            concerns = examine(app, progress=session.console.watch("Examining notes"))
            concerns += [Concern("program", "", trouble) for trouble in program_troubles(session, app)]
        data = {
            "notes": len(app.memories.notes),
            "findings": [asdict(each) for each in concerns],
            "consulted": [asdict(each) for each in consulted(session, app.root)],
            **mended,
        }
        session.console.say(*told)
        session.console.answer(data, _doctor_parts(app, concerns, client_lines(session, machine_of(session), app.root)))


def _doctor_parts(app: App, concerns: Sequence[Concern], clients: Sequence[str]) -> Iterator[Part]:
    """Give what was found by kind, each kind with its cure."""
    rows = []
    for kind, found in groupby(concerns, key=lambda each: each.kind):
        lines = [one_line(f"{each.path}: {each.detail}" if each.path else each.detail) for each in found]
        cure = cure_of(kind)
        rows.append(Row(title=kind[0].upper() + kind[1:], below=[*lines, *([f"-> {cure}"] if cure else [])]))
    if rows:
        yield Rows(rows=rows, head="Found")
    if clients:
        yield Heading("Clients")
        yield from (f"  {each}" for each in clients)
    yield _doctor_closing(app, concerns)


def _doctor_closing(app: App, concerns: Sequence[Concern]) -> str:
    read = f"{words.count(len(app.memories.notes), 'note')} read"
    found = words.count(len(concerns), "thing") if concerns else "nothing"
    return f"{read}; {found} to look at."
