"""`try` and `demo`: a look at what this does, on your vault or a made-up one, which changes nothing."""

from __future__ import annotations

import os
import shlex
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.doctor import clashes
from mnemex_vault.cli.facts import future_of, listed, state_style
from mnemex_vault.cli.options import JsonOption, VaultOption, folder_named
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Faint, Grid, Heading, kept, one_line, styled, whole
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier
from mnemex_vault.errors import MnemexError, NotPossible

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.memories.face import Entry, Hit

_EXAMPLES = 3
_HITS = 3
_KINDS = {"memory": ("memory", "memories"), "ordinary": ("ordinary note",), "private": ("private note",)}
# every vault has these, and memories use them as everybody does
_COMMON_KEYS = {"tags", "aliases"}


def try_vault(
    context: typer.Context,
    arguments: Annotated[
        list[str] | None, typer.Argument(metavar="[VAULT] [SEARCH]...", help="The vault, and what to look for in it.")
    ] = None,
    vault: VaultOption = None,
    as_json: JsonOption = False,
) -> None:
    """Try it on a vault, writing nothing. Searches it, and shows what `init` would add and what would clash."""
    session = Session.of(context, as_json=as_json)
    given = list(arguments or ())
    root = session.find_vault(vault or (folder_named(given.pop(0)) if given else None))
    app = session.make_app(root, options={"read_only": True})
    session.console.say(Heading(one_line(app.root.name)), Faint(whole(str(app.root))))
    if session.asks and not typer.confirm("Read its notes? Nothing is written to the vault.", default=True):
        session.console.say("Nothing was read.")
        return
    with session.opened(app), session.console.working("Looking at the notes"):
        _report(session, app, given)


def _report(session: Session, app: App, searches: Sequence[str]) -> None:
    answers = {query: _search(app, query) for query in searches or _examples(app)}
    added = _would_add(app)
    warnings = _warnings(app)
    data = {
        "vault": str(app.root),
        "notes": dict(Counter(entry.kind.value for entry in app.memories.notes)),
        "searches": {
            query: [{"title": hit.entry.title, "path": hit.entry.path} for hit in hits]
            for query, hits in answers.items()
        },
        "state": str(app.state),
        "init_would_add": added,
        "warnings": warnings,
        "written": False,
    }
    session.console.answer(data, _lines(app, answers, added, warnings))


def _lines(app: App, answers: dict[str, list[Hit]], added: list[str], warnings: list[str]) -> list[str]:
    kinds = Counter(entry.kind.value for entry in app.memories.notes)
    said = [words.count(kinds.pop(kind), *names) for kind, names in _KINDS.items() if kinds[kind]]
    said += [words.count(rest, "other")] if (rest := kinds.total()) else []
    lines: list[str] = [
        f"{', '.join(said) or 'no notes'}",
    ]
    for query, hits in answers.items():
        lines += ["", Heading(f"Search: {one_line(query)}")]
        lines += [f"  {one_line(hit.entry.title)}  ({whole(hit.entry.path)})" for hit in hits] or ["  nothing matches"]
    lines += ["", Heading("What mnemex init would add"), *(f"  {line}" for line in added or ["nothing; it is set up"])]
    lines += ["", Heading("What to know before"), *(f"  {line}" for line in warnings or ["nothing clashes"])]
    lines += ["", "Nothing was written to the vault. What was read of it is kept for mnemex init, in"]
    lines.append(f"  {whole(str(app.state))}")
    if app.settings_path or app.history.operations():
        return lines
    # a state that holds the history of a vault in use is not to be removed
    return [
        *lines,
        f"  If you like it:  {kept(f'mnemex init {shlex.quote(str(app.root))}')}",
        f"  If you do not:   {kept(f'rm -r {shlex.quote(str(app.state))}')}",
    ]


def _search(app: App, query: str) -> list[Hit]:
    from mnemex_vault.memories.recall import Request

    return list(app.recall.search(Request(query=query, ordinary=True, size=_HITS, review=False)).hits)


def _examples(app: App) -> list[str]:
    """Return the titles of the notes that were changed last."""
    entries = sorted(app.memories.notes, key=lambda entry: -entry.fingerprint.mtime_ns)
    return [entry.title for entry in entries if entry.searchable][:_EXAMPLES]


def _would_add(app: App) -> list[str]:
    from mnemex_vault.vaultkit.init import changes, look, plan

    steps = changes(plan(look(app.root, app.settings_path, app.memories.notes), app.settings))
    return [f"{step.action.value} {one_line(step.path)}" for step in steps]


def _warnings(app: App) -> list[str]:
    lines = [*clashes(app.root, app.memories.config_folder), *_used_keys(app), *_tags(app)]
    kinds = Counter(entry.kind.value for entry in app.memories.notes)
    if kinds["private"]:
        lines.append(f"{words.count(kinds['private'], 'note')} marked private: never read by an assistant")
    if kinds["unreadable"] + kinds["binary"]:
        broken = kinds["unreadable"] + kinds["binary"]
        lines.append(f"{words.count(broken, 'note')} with broken properties: left alone (mnemex doctor lists them)")
    if suspects := {finding.path for finding in app.overview.secrets()}:
        lines.append(
            f"{words.count(len(suspects), 'note')} that may hold keys or passwords, which an assistant could read: "
            f"{listed(one_line(path) for path in sorted(suspects))}"
        )
    return lines


def _used_keys(app: App) -> list[str]:
    """Return which keys of memories have a meaning of their own in ordinary notes already."""
    from mnemex_vault.memories.status import property_types

    ours = property_types().keys() - _COMMON_KEYS
    used: Counter[str] = Counter()
    for entry in app.memories.notes:
        if entry.searchable and not entry.is_memory:
            with suppress(MnemexError):
                used.update(ours & app.memories.note(entry).values.keys())
    if not used:
        return []
    shown = listed(f"{key} ({number})" for key, number in sorted(used.items(), key=lambda pair: (-pair[1], pair[0])))
    return [f"keys that notes have already, and keep when they become memories: {shown}"]


def _tags(app: App) -> list[str]:
    tags = {
        tag.casefold() for entry in app.memories.notes if entry.searchable and not entry.is_memory for tag in entry.tags
    }
    if not tags:
        return []
    return [f"{words.count(len(tags), 'tag')} in use; the setting tag_prefix keeps new ones below a tag of their own"]


_ARRIVAL_HOURS = 3


@dataclass(frozen=True, slots=True)
class Past:
    """A memory and its days, counted back from now: when it was saved, used, and made permanent."""

    text: str
    saved: float
    tags: tuple[str, ...] = ()
    used: tuple[float, ...] = ()
    promoted: float | None = None
    values: Mapping[str, object] = field(default_factory=dict)


PASTS: Sequence[Past] = (
    Past("I am allergic to walnuts.", 120, ("health",), values={"pinned": True, "strength": 2.0}),
    Past("Noor decides what goes into a release.", 90, ("work",), (88, 85, 80), promoted=80),
    Past("The parking permit for the old flat ends in October.", 76, ("home",), values={"kind": "none"}),
    Past("The bus to the trade fair leaves from platform 3.", 64, ("travel",)),
    Past("Ben's train arrives at 14:20 on Friday.", 57, ("family",), values={"kind": "none"}),
    Past("The dentist has moved to 12 Linden Street.", 41, ("health",)),
    Past("The plumber's number is in the blue folder.", 23, ("home",), values={"kind": "none"}),
    Past("Mia is reading The Left Hand of Darkness.", 9, ("family", "books"), values={"kind": "none"}),
    Past("I prefer short answers with one example.", 12, ("preferences",), (10, 7, 3, 1), values={"strength": 1.5}),
    Past("The team meets on Thursdays at ten.", 6, ("work",), (4,)),
    Past("The new site goes live on 15 March 2027.", 2, ("work",), values={"kind": "none"}),
)


@dataclass(slots=True)
class _Calendar:
    now: datetime

    def __call__(self) -> datetime:
        return self.now


def make_demo_vault(root: Path, *, now: datetime, environ: Mapping[str, str]) -> None:
    """Let the past of every memory happen, in its order, through the use cases that a person uses."""
    from mnemex_vault.app import make_app

    calendar = _Calendar(now - timedelta(days=max(past.saved for past in PASTS)))
    app = make_app(root, clock=calendar, environ=environ, working_folder=root)
    with closing(app):
        app.catch_up()
        ids: dict[str, str] = {}
        for days, kind, past in _events():
            calendar.now = now - timedelta(days=days)
            _happen(app, kind, past, ids)
        _date_files(app)


def _events() -> list[tuple[float, str, Past]]:
    events = [(past.saved, "save", past) for past in PASTS]
    events += [(days, "use", past) for past in PASTS for days in past.used]
    events += [(past.promoted - _ARRIVAL_HOURS / 24, "promote", past) for past in PASTS if past.promoted]
    return sorted(events, key=lambda event: -event[0])


def _happen(app: App, kind: str, past: Past, ids: dict[str, str]) -> None:
    from mnemex_vault.memories.draft import Draft

    if kind == "save":
        draft = Draft(content=past.text, tags=past.tags, origin="ai", **past.values)  # type: ignore[arg-type]
        ids[past.text] = app.collection.save(draft).memory.id
    elif kind == "use":
        app.lifecycle.touch(ids[past.text])
    else:
        candidate = app.lifecycle.promotion_candidate(ids[past.text], now=app.memories.now(), force=True)
        app.lifecycle.promote([candidate] if candidate else [])


def _date_files(app: App) -> None:
    """Give each file the time of its last use, so that it looks its age in Obsidian and is nobody's fresh edit."""
    for entry in app.memories.all():
        used = app.memories.usage(entry).last_used.timestamp()
        os.utime(app.root / entry.path, (used, used))


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
        entries = app.memories.all(Tier.SHORT_TERM, Tier.LONG_TERM)
        entries.sort(key=lambda entry: (-_strength(app, entry), entry.path))
        stage.console.say(
            Heading("A vault with a past"),
            Faint(one_line(str(root))),
            f"{len(entries)} memories, the oldest {max(round(past.saved) for past in PASTS)} days old."
            " Each loses strength until it is used again:",
            "",
        )
        rows = [
            (
                styled(words.bar(_strength(app, entry)), state_style(app, entry)),
                one_line(entry.title),
                styled(future_of(app, entry), "dim"),
            )
            for entry in entries
        ]
        stage.console.show([Grid(rows=rows)])


def _strength(app: App, entry: Entry) -> float:
    score = app.memories.score(entry, now=app.memories.now())
    return 1.0 if entry.tier is Tier.LONG_TERM else scoring.bounded(score, app.memories.policy)


def _play(context: typer.Context, stage: Session, sentence: str, arguments: Sequence[str]) -> None:
    """Run a real command as a person would."""
    if sentence:
        stage.console.say("", Heading(sentence))
    stage.console.say(Faint(f"$ {kept(f'mnemex {shlex.join(arguments)}')}"))
    context.find_root().command.main(list(arguments), prog_name="mnemex", obj=stage, standalone_mode=False)


def _show_note(stage: Session) -> None:
    with stage.open(None) as app:
        entry = app.memories.notes.named(_TITLE)[0]
        stage.console.say("", *(Faint(f"  | {line}") for line in app.memories.note(entry).text.splitlines()))


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
