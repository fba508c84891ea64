"""How each assistant stands: to which vault it is connected, what it remembers by itself, and how much it asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from mnemex_vault.cli import words
from mnemex_vault.cli.session import Session
from mnemex_vault.cli.sheet import Faint, Heading, one_line
from mnemex_vault.errors import ConfigError, MnemexError

if TYPE_CHECKING:
    from mnemex_vault.clients.own_memory import OwnMemory
    from mnemex_vault.clients.places import ClientName, Machine, Places
    from mnemex_vault.memories.conversations import Consulted

# what the server is called where nobody chose another name
NAME = "mnemex"
_MOST_OTHERS = 10


def known_clients(session: Session, machine: Machine, vault: Path | None) -> tuple[list[dict[str, object]], list[str]]:
    """Return all clients that can be connected, for programs and as lines."""
    from mnemex_vault.clients.places import ClientName, places

    facts: list[dict[str, object]] = []
    lines: list[str] = [Heading("Clients")]
    asked = consulted(session, vault)
    for name in ClientName:
        where = places(name, machine)
        there = _is_there(where, machine)
        vaults, problem = _connected(name, where)
        told = _of(name, asked)
        own = own_memory_of(name, machine) if there else None
        facts.append(
            {
                "client": name,
                "path": str(where.servers),
                "found": there,
                "vaults": vaults,
                "own_memory": asdict(own) if own else None,
                "consulted": asdict(told) if told else None,
            }
        )
        line = f"  mnemex connect {name:<15} {_standing(vaults, problem, there=there)}  {one_line(str(where.servers))}"
        lines.append(line if there else Faint(line))
        lines += (f"      {each}" for each in _told(name, own, told, is_connected=bool(vaults)))
    return facts, [*lines, *(f"  {each}" for each in _others(asked))]


def client_lines(session: Session, machine: Machine, vault: Path | None) -> list[str]:
    """Return what is to be said of the clients that are there: their own memory, and how much they asked."""
    from mnemex_vault.clients.places import ClientName, places

    asked = consulted(session, vault)
    lines: list[str] = []
    for name in ClientName:
        where = places(name, machine)
        if _is_there(where, machine):
            is_connected = bool(_connected(name, where)[0])
            told = _told(name, own_memory_of(name, machine), _of(name, asked), is_connected=is_connected)
            lines += (f"{name}: {each}" for each in told)
    return [*lines, *_others(asked)]


def own_memory_of(client: ClientName, machine: Machine) -> OwnMemory | None:
    """Return what a client remembers by itself; files that cannot be read tell nothing."""
    from mnemex_vault.clients.connecting import read_text
    from mnemex_vault.clients.own_memory import own_memory

    try:
        return own_memory(client, machine, read=read_text)
    except (ConfigError, OSError):
        return None


def own_memory_line(own: OwnMemory) -> str:
    """Say in a line what a client remembers by itself, and the next step."""
    notes = f", {words.count(own.notes, 'note')}" if own.notes else ""
    projects = f" of {words.count(own.projects, 'project')}" if own.projects else ""
    return one_line(f"remembers by itself as well ({own.path}{notes}{projects}). {own.advice}")


def consulted(session: Session, vault: Path | None) -> Sequence[Consulted]:
    """Return what clients asked of the vault in their last conversations, nothing where no vault is known."""
    from mnemex_vault.memories.conversations import CONVERSATIONS, Conversations, by_client
    from mnemex_vault.settings import state_base, state_folder

    try:
        state = state_folder(state_base(session.environ), session.find_vault(vault))
    except MnemexError:
        return ()
    return by_client(Conversations(state / CONVERSATIONS).all())


def _others(asked: Sequence[Consulted]) -> list[str]:
    """Return what was asked by clients that cannot be connected by name, the latest few of them."""
    others = [each for each in asked if _client_of(each) is None]
    return [f"{one_line(each.client)}: {_asked(each)}" for each in others[:_MOST_OTHERS]]


def _of(client: ClientName, asked: Sequence[Consulted]) -> Consulted | None:
    return next((each for each in asked if _client_of(each) == client), None)


def _client_of(asked: Consulted) -> ClientName | None:
    from mnemex_vault.clients.places import client_called

    return client_called(asked.client)


def _told(client: ClientName, own: OwnMemory | None, asked: Consulted | None, *, is_connected: bool) -> Iterator[str]:
    if own is not None:
        yield own_memory_line(own)
    if asked is not None:
        yield _asked(asked)
    elif is_connected:
        yield f"asked nothing of this vault yet; its rules tell it when to: mnemex connect {client} --rules"


def _asked(asked: Consulted) -> str:
    talks = words.count(asked.conversations, "conversation")
    fitted = f"{asked.fitted} of {words.count(asked.asked, 'search', 'searches')} found an answer"
    briefs, used = words.count(asked.briefed, "brief"), words.count(asked.used, "use")
    return f"since {asked.since:%Y-%m-%d}, in {talks}: {fitted}, {briefs}, answers relied on {used} of memories"


def _connected(client: ClientName, where: Places) -> tuple[dict[str, str], str]:
    """Return the vaults that a client is connected to, by the names of the servers, and what hinders to tell."""
    from mnemex_vault.clients.connecting import read_text
    from mnemex_vault.clients.entries import vaults_of

    try:
        text = read_text(where.servers)
        return (vaults_of(client, text) if text else {}), ""
    except ConfigError as error:
        return {}, str(error)


def _standing(vaults: Mapping[str, str], problem: str, *, there: bool) -> str:
    if problem:
        return f"cannot be read ({one_line(problem)})"
    if vaults:
        named = (one_line(vault if name == NAME else f"{vault} (as {name})") for name, vault in vaults.items())
        return f"connected to {', '.join(named)}"
    return "not connected" if there else "not installed"


def _is_there(where: Places, machine: Machine) -> bool:
    folders = {where.servers.parent, (where.permissions or where.servers).parent} - {machine.home}
    return Path(where.servers).exists() or any(Path(folder).is_dir() for folder in folders)
