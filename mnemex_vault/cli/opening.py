"""`open`: a note in Obsidian, or in an editor."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from mnemex_vault.cli.naming import identify
from mnemex_vault.cli.options import JsonOption, NoteArgument, VaultOption
from mnemex_vault.cli.safe_text import one_line, whole
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import NotAllowed

_EDITORS = ("VISUAL", "EDITOR")
_SCREENS = ("DISPLAY", "WAYLAND_DISPLAY")
_SECONDS = 10.0


def open_note(
    context: typer.Context,
    name: NoteArgument,
    editor: Annotated[bool, typer.Option("--editor", "-e", help="In $VISUAL or $EDITOR, not in Obsidian.")] = False,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Open a note in Obsidian. Where nothing can open it, its address is printed."""
    from mnemex_vault.answers.note import obsidian_url

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        entry = app.store.entry(identify(app, name, working_folder=session.working_folder, ordinary=True))
        place, url = app.root / entry.path, obsidian_url(app.root, entry.path)
    if editor and not as_json:
        _edit(session, place)
        return
    opened = not as_json and _opened_in_obsidian(url, session.environ)
    said = [f"Opened in Obsidian: {whole(entry.path)}"] if opened else [whole(url), whole(str(place))]
    session.console.answer({"path": entry.path, "file": str(place), "obsidian_url": url, "opened": opened}, said)


def _edit(session: Session, place: Path) -> None:
    """Run the person's editor until it is closed; raises NotAllowed if it cannot be run or failed."""
    chosen = next((session.environ[name] for name in _EDITORS if session.environ.get(name, "").strip()), "")
    if not chosen:
        session.console.say(whole(str(place)))
        session.console.warn("no editor is named: set EDITOR, such as EDITOR=nano")
        return
    try:
        code = subprocess.run([*shlex.split(chosen), str(place)], check=False).returncode
    except (OSError, ValueError) as error:
        raise NotAllowed(f"the editor {one_line(chosen)} cannot be started: {error}") from error
    if code:
        raise NotAllowed(f"the editor {one_line(chosen)} ended with {code}")


def _opened_in_obsidian(url: str, environ: Mapping[str, str]) -> bool:
    """Give the address to the system, where there is a screen and a program for it; tell whether it was taken."""
    command = _opener(url, environ)
    if command is None:
        return False
    try:
        done = subprocess.run(command, check=False, capture_output=True, timeout=_SECONDS, env=dict(environ))
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _opener(url: str, environ: Mapping[str, str]) -> list[str] | None:
    if sys.platform == "darwin":
        return ["open", url]
    if sys.platform == "win32":
        return ["rundll32", "url.dll,FileProtocolHandler", url]
    program = shutil.which("xdg-open", path=environ.get("PATH"))
    return [program, url] if program and any(environ.get(name) for name in _SCREENS) else None
