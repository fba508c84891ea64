"""`show` and `open`: reading notes in full, here or in Obsidian."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import completing, words
from mnemex_vault.cli.console import Console
from mnemex_vault.cli.facts import since, standing
from mnemex_vault.cli.options import AsOf, JsonOption, NoteArgument, VaultOption
from mnemex_vault.cli.session import Session, identify
from mnemex_vault.cli.sheet import Faint, Row, one_line, title_line, whole
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import NotAllowed

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.saving import Opened

# columns of the drawing with its scale, and how far it reaches at most
_WIDTH = 72
_SCALE = 6
_FAR = 365.0


def show(
    context: typer.Context,
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NOTE...",
            autocompletion=completing.notes,
            help="Id, title or path of a memory or note.",
            show_default=False,
        ),
    ],
    curve: Annotated[
        bool, typer.Option("--curve", help="Draw how it fades, also where nobody looks at a terminal.")
    ] = False,
    as_of: AsOf = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Read memories in full. Up to three at once count as used, once a day each."""
    from mnemex_vault.answers import memory as answers
    from mnemex_vault.answers.view import EVERYTHING

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        ids = [identify(app, name, working_folder=session.working_folder, ordinary=True) for name in names]
        opened, missing = app.collection.open(ids, as_of=app.memories.day(as_of))
        if opened:
            wanted = answers.Wanted(bounds=EVERYTHING)
            lines = [line for each in opened for line in _opened_lines(app, session.console, each, curve=curve)]
            session.console.answer(lambda: answers.opened(app, opened, missing, wanted, total=len(ids)).answer, lines)
        if missing:
            raise app.collection.refusal(missing[0])


def _opened_lines(app: App, console: Console, opened: Opened, *, curve: bool) -> list[str]:
    entry, usage = opened.entry, opened.usage
    facts: list[str] = []
    if usage is not None and opened.score is not None:
        used = f"{words.count(usage.use_count, 'use')}, last {since(usage.last_used, app)}"
        facts = [f"score {opened.score:.2f}", used]
    row = Row(
        title=entry.title,
        name=entry.memory_id or "",
        cells=[standing(app, entry)],
        facts=facts,
        place=whole(entry.path),
        tags=entry.tags,
    )
    lines: list[str] = [title_line(row.title, row.name), Faint(row.said())]
    for label, value in _said(opened):
        lines.append(Faint(f"{label}: {one_line(value)}"))
    if curve or console.width is not None:
        lines += [Faint(line) for line in _fading_lines(app, opened, width=console.width or _WIDTH)]
    text = opened.note.content
    if then := opened.then:
        text = text if then.text is None else then.text
        said = "text as of now" if then.text is None else f"text of {then.day}"
        lines.append(Faint(said if then.saved else f"saved later than {then.day}; {said}"))
    return [*lines, "", *console.paragraph(text), ""]


def _fading_lines(app: App, opened: Opened, *, width: int) -> list[str]:
    """Return the drawing of what becomes of a short-term memory that is left alone."""
    usage, now, policy = opened.usage, app.memories.now(), app.memories.policy
    if usage is None or usage.lasting or opened.entry.tier is not Tier.SHORT_TERM:
        return []
    fades = scoring.fades_at(usage, policy)
    left = (fades - now) / timedelta(days=1) if fades else _FAR
    return curve_lines(
        lambda days: scoring.score(usage, policy, now=now + timedelta(days=days)),
        days=max(1.0, min(left, _FAR)),
        threshold=policy.forget_threshold,
        width=min(width, _WIDTH) - _SCALE,
    )


def _said(opened: Opened) -> list[tuple[str, str]]:
    """Return what a memory says of itself besides its text."""
    memory = opened.memory
    if memory is None:
        return []
    related = ", ".join(f"{each.type.value} [[{each.target}]]" for each in memory.relations)
    pairs = [
        ("about", ", ".join(memory.entities)),
        ("project", memory.project),
        ("relations", related),
        ("source", memory.source),
        ("context", memory.context),
        ("written by", memory.origin),
        ("kind", memory.usage.kind),
    ]
    return [(label, value) for label, value in pairs if value]


_BLOCKS = " ▁▂▃▄▅▆▇█"
_ROWS = 4


def draw(values: Sequence[float], *, top: float, rows: int = _ROWS) -> list[str]:
    """Return lines of blocks, the highest value at the top; values lie between 0 and `top`.

    >>> draw([1.0, 0.5, 0.0], top=1.0, rows=2)
    ['█  ', '██ ']
    """
    steps = rows * (len(_BLOCKS) - 1)
    heights = [max(0, min(steps, round(value / top * steps))) if top > 0 else 0 for value in values]
    full = len(_BLOCKS) - 1
    return [
        "".join(_BLOCKS[max(0, min(full, height - full * row))] for height in heights) for row in reversed(range(rows))
    ]


def curve_lines(score_in: Callable[[float], float], *, days: float, threshold: float, width: int) -> list[str]:
    """Return the drawing with its scale: the score on the left, days below, the line of forgetting marked.

    >>> lines = curve_lines(lambda day: 1 / (1 + day), days=10, threshold=0.2, width=20)
    >>> lines[-1]
    '      now       in 10 days'
    >>> lines[0].split()[0]
    '1.00'
    """
    columns = max(10, width)
    values = [score_in(days * column / (columns - 1)) for column in range(columns)]
    top = max(values)
    drawn = draw(values, top=top)
    scale = [f"{top:5.2f}", *["     "] * (len(drawn) - 2), f"{0:5.2f}"]
    lines = [f"{label} {line.rstrip()}" for label, line in zip(scale, drawn, strict=True)]
    last = f"in {int(days)} days"
    below = f"      now{last:>{columns - 3}}"
    note = f"      forgotten below {threshold:.2f}" if threshold else ""
    return [*lines, *([note] if note else []), below]


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
    from mnemex_vault.answers.view import obsidian_url

    session = Session.of(context, as_json=as_json)
    with session.open(vault) as app:
        entry = app.memories.entry(identify(app, name, working_folder=session.working_folder, ordinary=True))
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
