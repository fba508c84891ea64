"""What is wrong with the ways in which clients start the server, each with its cure."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path, PurePath

from mnemex_vault.clients.entries import started_by, vault_in
from mnemex_vault.clients.places import ClientName, Machine, places
from mnemex_vault.errors import ConfigError


def client_troubles(
    machine: Machine, *, vault: Path, name: str, read: Callable[[PurePath], str | None]
) -> Iterator[str]:
    """Yield a sentence for each client whose entry cannot work or means another vault."""
    for client in ClientName:
        path = places(client, machine).servers
        try:
            text = read(path)
            entry = started_by(client, text, name) if text else None
        except ConfigError as error:
            yield f"the configuration of {client} cannot be read ({error}); repair it, then: mnemex connect {client}"
            continue
        if entry is not None:
            yield from _troubles(client, *entry, vault=vault)


def _troubles(client: ClientName, command: str, arguments: list[str], *, vault: Path) -> Iterator[str]:
    again = f"mnemex connect {client}"
    if not Path(command).is_absolute():
        yield f"{client} starts {command!r} by its name, which it may not find; write the whole path with: {again}"
    elif not Path(command).exists():
        yield f"{client} starts {command}, which is not there (any more); write it anew with: {again}"
    named = vault_in(arguments)
    if named and Path(named) != vault:
        yield f"{client} uses another vault, {named}; if that is not meant: {again} --vault {vault}"
