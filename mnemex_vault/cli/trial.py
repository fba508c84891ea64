"""`try`: what it would be like, without a byte written to the vault."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from mnemex_vault.cli import words
from mnemex_vault.cli.console import Faint, Heading
from mnemex_vault.cli.facts import listed
from mnemex_vault.cli.options import JsonOption, VaultOption, folder_named
from mnemex_vault.cli.property_types import clashes, our_types
from mnemex_vault.cli.safe_text import kept, one_line, whole
from mnemex_vault.cli.session import Session
from mnemex_vault.errors import MnemexError

if TYPE_CHECKING:
    from mnemex_vault.app import App
    from mnemex_vault.index.ranking import Hit

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
        "notes": dict(Counter(entry.kind.value for entry in app.store.catalog)),
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
    kinds = Counter(entry.kind.value for entry in app.store.catalog)
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
    entries = sorted(app.store.catalog, key=lambda entry: -entry.fingerprint.mtime_ns)
    return [entry.title for entry in entries if entry.searchable][:_EXAMPLES]


def _would_add(app: App) -> list[str]:
    from mnemex_vault.vaultkit.init import changes, look, plan

    steps = changes(plan(look(app.root, app.settings_path, app.store.catalog), app.settings))
    return [f"{step.action.value} {one_line(step.path)}" for step in steps]


def _warnings(app: App) -> list[str]:
    lines = [*clashes(app.root, app.store.vault.config.folder), *_used_keys(app), *_tags(app)]
    kinds = Counter(entry.kind.value for entry in app.store.catalog)
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
    ours = our_types().keys() - _COMMON_KEYS
    used: Counter[str] = Counter()
    for entry in app.store.catalog:
        if entry.searchable and not entry.is_memory:
            with suppress(MnemexError):
                used.update(ours & app.store.note(entry).values.keys())
    if not used:
        return []
    shown = listed(f"{key} ({number})" for key, number in sorted(used.items(), key=lambda pair: (-pair[1], pair[0])))
    return [f"keys that notes have already, and keep when they become memories: {shown}"]


def _tags(app: App) -> list[str]:
    tags = {
        tag.casefold() for entry in app.store.catalog if entry.searchable and not entry.is_memory for tag in entry.tags
    }
    if not tags:
        return []
    return [f"{words.count(len(tags), 'tag')} in use; the setting tag_prefix keeps new ones below a tag of their own"]
