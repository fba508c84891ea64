"""`demo`: the life of memories in a throw-away vault, told by the real commands."""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Faint, Heading
from mnemex_vault.cli.demo_memories import PASTS, make_demo_vault
from mnemex_vault.cli.facts import future_of
from mnemex_vault.cli.options import JsonOption, VaultOption
from mnemex_vault.cli.safe_text import kept, one_line
from mnemex_vault.cli.session import Session
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import NotPossible

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.index.entry import Entry

_VAULT_NAME = "Demo vault"
_SAVED = "Sam is vegetarian, but eats fish on holidays."
_TITLE = "Sam is vegetarian"

_Scene = tuple[str, Sequence[str]]
_SCENES: Sequence[_Scene] = (
    (
        "Something new is remembered. It is a note in the vault, like any other.",
        ("save", _SAVED, "--title", _TITLE, "--tag", "food"),
    ),
    (
        "A question finds what fits. Searching never changes anything.",
        ("search", "when does the team meet?", "--limit", "2"),
    ),
    ("Using a memory keeps it alive.", ("touch", "The plumber's number is in the blue folder")),
    ("What is used again and again deserves to stay. Its note moves, links to it live on.", ("promote", "--apply")),
    ("What nobody needed for weeks has faded. First it is only shown.", ("forget", "--limit", "3")),
    ("Then it is let go: into the archive, not away.", ("forget", "--limit", "3", "--apply")),
    ("It can still be found, and brought back.", ("search", "platform 3", "--archived", "--limit", "1")),
    ("", ("restore", "The bus to the trade fair leaves from platform 3")),
)


def demo(context: typer.Context, vault: VaultOption = None, as_json: JsonOption = False) -> None:
    """See it work in a throw-away vault. Memories fade, are found, used, promoted, forgotten and restored."""
    session = Session.of(context, as_json=as_json)
    root, state = _places(session, vault)
    environ = _environment(session, root, state)
    make_demo_vault(root, now=session.clock(), environ=environ)
    if as_json:
        session.console.answer({"vault": str(root), "state": str(state), "memories": len(PASTS)}, ())
        return
    stage = replace(session, environ=environ, working_folder=root)
    _introduce(stage, root)
    for sentence, arguments in _SCENES:
        _play(context, stage, sentence, arguments)
        if arguments[0] == "save":
            _show_note(stage)
    _say_farewell(session, root, state)


def _places(session: Session, vault: Path | None) -> tuple[Path, Path]:
    """Return the folders of the vault and of its state; raises InvalidInput for a folder that holds something."""
    base = Path(tempfile.mkdtemp(prefix="mnemex-demo-"))
    root = base / _VAULT_NAME if vault is None else session.working_folder / vault.expanduser()
    if root.exists() and (not root.is_dir() or any(root.iterdir())):
        base.rmdir()
        raise NotPossible("vault", f"{root} is not empty; the demo needs a folder of its own")
    root.mkdir(parents=True, exist_ok=True)
    return root, base / "state"


def _environment(session: Session, root: Path, state: Path) -> dict[str, str]:
    """Return an environment without a person's own settings, for which the story was not written."""
    from mnemex_vault.settings import TABLE

    settings = {variable for row in TABLE.values() for variable in row.variables}
    return {
        **{name: value for name, value in session.environ.items() if name not in settings},
        "MNEMEX_STATE_PATH": str(state),
        "MNEMEX_VAULT_PATH": str(root),
        "XDG_CONFIG_HOME": str(state / "no-settings"),
    }


def _introduce(stage: Session, root: Path) -> None:
    with stage.open(None) as app:
        entries = app.store.catalog.memories(Tier.SHORT_TERM, Tier.LONG_TERM)
        entries.sort(key=lambda entry: (-_strength(app, entry), entry.path))
        stage.console.say(
            Heading("A vault with a past"),
            Faint(one_line(str(root))),
            f"{len(entries)} memories, the oldest {max(round(past.saved) for past in PASTS)} days old."
            " Each loses strength until it is used again:",
            "",
        )
        if stage.console.draws:
            from mnemex_vault.cli.drawn.strengths import strengths

            stage.console.draw(strengths(app, [(entry, _strength(app, entry)) for entry in entries]))
        else:
            stage.console.say(*(_strength_line(app, entry) for entry in entries))


def _strength(app: App, entry: Entry) -> float:
    score = app.store.score(entry, now=app.store.clock())
    return 1.0 if entry.tier is Tier.LONG_TERM else scoring.bounded(score, app.store.rules.policy)


def _strength_line(app: App, entry: Entry) -> str:
    return f"  {words.bar(_strength(app, entry))}  {one_line(entry.title):<52} {future_of(app, entry)}"


def _play(context: typer.Context, stage: Session, sentence: str, arguments: Sequence[str]) -> None:
    """Run a real command as a person would."""
    if sentence:
        stage.console.say("", Heading(sentence))
    stage.console.say(Faint(f"$ {kept(f'mnemex {shlex.join(arguments)}')}"))
    context.find_root().command.main(list(arguments), prog_name="mnemex", obj=stage, standalone_mode=False)


def _show_note(stage: Session) -> None:
    with stage.open(None) as app:
        entry = app.store.catalog.named(_TITLE)[0]
        stage.console.say("", *(Faint(f"  | {line}") for line in app.store.note(entry).text.splitlines()))


def _say_farewell(session: Session, root: Path, state: Path) -> None:
    place = shlex.quote(str(root))
    session.console.say("", Heading("Next"))
    # to be copied: not to be broken into lines
    for line in (
        f"  Open the folder as a vault in Obsidian:   {place}",
        "  Look at your own vault, writing nothing:  mnemex try ~/Notes",
        "  Set it up (asks, never overwrites):       mnemex init ~/Notes",
        f"  Throw this one away:                      rm -r {shlex.quote(str(state.parent))}",
    ):
        session.console.say_exactly(line)
