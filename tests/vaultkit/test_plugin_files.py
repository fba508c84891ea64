"""The plugin on its way into a vault."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mnemex_vault.errors import UnreadableNote
from mnemex_vault.vaultkit.plugin_files import NAMES, PLUGIN_ID, Action, plan, shipped


def release(version: str) -> dict[str, bytes]:
    manifest = json.dumps({"id": PLUGIN_ID, "version": version}).encode()
    return dict(zip(NAMES, (b"code", b"style", manifest), strict=True))


def put(root: Path, files: dict[str, bytes]) -> Path:
    folder = root / ".obsidian/plugins" / PLUGIN_ID
    folder.mkdir(parents=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return folder


def test_the_package_ships_what_the_plugin_is_built_to() -> None:
    built = Path(__file__).parents[2] / "mnemex_vault/vaultkit/plugin"
    assert shipped() == {name: (built / name).read_bytes() for name in NAMES}
    source = Path(__file__).parents[2] / "obsidian-plugin"
    assert shipped()["manifest.json"] == (source / "manifest.json").read_bytes()
    assert shipped()["styles.css"] == (source / "styles.css").read_bytes()


@pytest.mark.parametrize(
    ("there", "newer"), [("0.9.9", False), ("0.10", False), ("0.10.0", False), ("0.10.1", True), ("1.0", True)]
)
def test_only_a_newer_version_is_left_alone(vault: Path, there: str, newer: bool) -> None:
    put(vault, release(there))
    planned = plan(vault, ".obsidian", release("0.10"))
    assert (planned.found, planned.newer) == (there, newer)
    assert [copy.action for copy in planned.copies] == (
        [] if newer else [Action.KEEP, Action.KEEP, Action.KEEP if there == "0.10" else Action.REPLACE]
    )


def test_a_copy_that_was_cut_off_is_completed(vault: Path) -> None:
    put(vault, {"main.js": b"code"})
    planned = plan(vault, ".obsidian", release("1.0"))
    assert [copy.action for copy in planned.copies] == [Action.KEEP, Action.CREATE, Action.CREATE]


@pytest.mark.parametrize(
    "manifest", [b"{", b"[]", b'{"id": "other", "version": "1"}', b'{"id": "mnemex-vault"}', b"\xff"]
)
def test_a_folder_of_something_else_is_refused(vault: Path, manifest: bytes) -> None:
    put(vault, {"manifest.json": manifest})
    with pytest.raises(UnreadableNote):
        plan(vault, ".obsidian", release("1.0"))
