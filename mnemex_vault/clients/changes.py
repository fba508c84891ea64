"""Changes of a client's files: planned from what they hold, shown, then written whole, each with a backup."""

from __future__ import annotations

import difflib
import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path, PurePath

from mnemex_vault.clients import entries, hooks, marked, permissions, rules
from mnemex_vault.clients.entries import Server
from mnemex_vault.clients.limits import missing_from
from mnemex_vault.clients.places import ClientName, Machine, Places, places
from mnemex_vault.errors import ConfigError, NotAllowed, WriteFailed

Read = Callable[[PurePath], str | None]
Edit = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class FileChange:
    """What a file holds and will hold; None means that there is no file."""

    path: PurePath
    before: str | None
    after: str | None

    def diff(self) -> list[str]:
        """Return the difference as lines."""
        old, new = (self.before or "").splitlines(), (self.after or "").splitlines()
        return list(difflib.unified_diff(old, new, str(self.path), str(self.path), lineterm="", n=1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """What is wanted besides the server's entry; with `remove` all of it is taken out."""

    vault: str
    rules: bool = False
    hooks: bool = False
    permissions: bool = False
    remove: bool = False


def plan(client: ClientName, machine: Machine, server: Server, wish: Wish, *, read: Read) -> list[FileChange]:
    """Return the files that would change.

    Raises ConfigError for a file that cannot be edited safely, NotAllowed for what the client cannot be given in files.
    """
    where = places(client, machine)
    if not wish.remove:
        _check(client, where, wish)
    edits: dict[PurePath, list[Edit]] = {}
    for path, edit in _edits(client, where, machine, server, wish):
        edits.setdefault(path, []).append(edit)
    changes = [_change(path, several, read) for path, several in edits.items()]
    return [change for change in changes if change.after != change.before]


def _edits(
    client: ClientName, where: Places, machine: Machine, server: Server, wish: Wish
) -> Iterator[tuple[PurePath, Edit]]:
    """Yield which file is edited how; one file may be edited several times."""
    if where.permissions is not None and wish.remove:
        yield where.permissions, lambda text: permissions.without_permissions(client, text, server.name)
    yield where.servers, lambda text: _server(client, text, server, wish)
    if where.permissions is not None and wish.permissions and not wish.remove:
        yield where.permissions, lambda text: permissions.with_permissions(client, text, server.name)
    if where.rules is not None and (wish.rules or wish.remove):
        whole = where.whole_rules
        yield where.rules, lambda text: _rules(text, whole=whole, remove=wish.remove)
    if where.hooks is not None and (wish.hooks or wish.remove):
        whole_hooks = where.whole_hooks
        yield where.hooks, lambda text: _hooks(client, text, machine, server, wish, whole=whole_hooks)


def _check(client: ClientName, where: Places, wish: Wish) -> None:
    """Raise NotAllowed with what to do instead, for something that the client has in no file."""
    unmet = Places(
        servers=where.servers,
        rules=where.rules if wish.rules else where.servers,
        permissions=where.permissions if wish.permissions else where.servers,
        hooks=where.hooks if wish.hooks else where.servers,
    )
    sentence = next(missing_from(client, unmet), None)
    if sentence is not None:
        raise NotAllowed(sentence.rstrip("."))


def _change(path: PurePath, edits: Sequence[Edit], read: Read) -> FileChange:
    before = read(path)
    try:
        after: str | None = before or ""
        for edit in edits:
            after = edit(after or "")
    except ConfigError as error:
        raise ConfigError([f"{path}: {problem}; nothing was written" for problem in error.problems]) from error
    # a file that was not there and would hold nothing is not made
    return FileChange(path, before, None if before is None and not after else after)


def _server(client: ClientName, text: str, server: Server, wish: Wish) -> str:
    return (
        entries.without_server(client, text, server.name) if wish.remove else entries.with_server(client, text, server)
    )


def _rules(text: str, *, whole: bool, remove: bool) -> str | None:
    if remove:
        return None if whole else marked.without_block(text)
    return rules.vscode_rules() if whole else marked.with_block(text, rules.SHORT)


def _hooks(client: ClientName, text: str, machine: Machine, server: Server, wish: Wish, *, whole: bool) -> str | None:
    if wish.remove:
        return None if whole else hooks.without_hooks(client, text)
    # the entry starts the server with the words before `serve`
    own = [server.command, *server.args[: list(server.args).index("serve")]]
    return hooks.with_hooks(client, "" if whole else text, own, wish.vault, system=machine.system)


def read_text(path: PurePath) -> str | None:
    """Return the text of a file, None if there is none; raises ConfigError for one that is no text."""
    try:
        return Path(path).read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise ConfigError([f"{path} is not in UTF-8; nothing was written"]) from error


def apply(changes: Sequence[FileChange], *, now: datetime) -> list[Path]:
    """Write the changes and return the backups; a file that changed since it was read stops it before any is written.

    Raises ConfigError for such a file, WriteFailed if the disk refuses.
    """
    for change in changes:
        if read_text(change.path) != change.before:
            raise ConfigError([f"{change.path} was changed in the meantime; nothing was written, try again"])
    return [backup for change in changes if (backup := _write(change, now=now)) is not None]


def _write(change: FileChange, *, now: datetime) -> Path | None:
    # a link that a person made to a file elsewhere stays a link
    path = Path(change.path).resolve()
    try:
        backup = None if change.before is None else _back_up(path, now=now)
        if change.after is None:
            path.unlink(missing_ok=True)
        else:
            _replace(path, change.after)
    except OSError as error:
        raise WriteFailed(str(path), error.strerror or type(error).__name__) from error
    return backup


def _back_up(path: Path, *, now: datetime) -> Path:
    backup = path.with_name(f"{path.name}.before-mnemex-{now:%Y%m%d-%H%M%S}")
    number = 1
    while backup.exists():
        number += 1
        backup = path.with_name(f"{path.name}.before-mnemex-{now:%Y%m%d-%H%M%S}-{number}")
    # opened for this person alone: such files hold keys
    handle = os.open(backup, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(path.read_bytes())
    return backup


def _replace(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    with os.fdopen(handle, "wb") as file:
        file.write(text.encode("utf-8"))
        file.flush()
        os.fsync(file.fileno())
    if path.exists():
        Path(temporary).chmod(path.stat().st_mode & 0o7777)
    Path(temporary).replace(path)
