"""What the package index is given: it installs without a compiler, and both names start the same program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from mnemex_vault import __version__
from tests.release.conftest import BARE, UV, Packages, Person, Window, run
from tests.system.talk import talk_with

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]
UVX = UV.with_name("uvx")


def test_the_wheel_holds_the_package_and_nothing_else(packages: Packages) -> None:
    with zipfile.ZipFile(packages.wheel) as archive:
        names = archive.namelist()
    tops = {name.split("/")[0] for name in names}
    assert tops == {"mnemex_vault", f"mnemex_vault-{__version__}.dist-info"}
    assert {"mnemex_vault/py.typed", "mnemex_vault/vaultkit/plugin/main.js"} <= set(names)


def test_the_sdist_builds_the_same_wheel(packages: Packages, tmp_path: Path) -> None:
    with tarfile.open(packages.sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    [unpacked] = tmp_path.iterdir()
    run(UV, "build", "--quiet", "--wheel", "--out-dir", tmp_path / "again", unpacked, **BARE)
    [again] = (tmp_path / "again").glob("*.whl")
    assert again.read_bytes() == packages.wheel.read_bytes()


@pytest.mark.parametrize("name", ["mnemex", "mnemex-vault"])
def test_either_name_without_arguments_and_terminal_serves(
    scripts: Path, person: Person, name: str, in_a_minute: Window
) -> None:
    environ = {**person.environ, "MNEMEX_VAULT_PATH": str(person.vault)}
    assert run(scripts / name, "--version", **environ) == f"mnemex {__version__}\n"
    with in_a_minute(), talk_with([scripts / name], environ) as talk:
        saved = talk.tool("save_memory", content="Zoë prefers short answers with one example.")
        found = talk.tool("search_memory", query="How does Zoë like answers?")
        assert [item["id"] for item in found["results"]] == [saved["memory_id"]]
    assert "Zoë prefers short answers" in (person.vault / saved["path"]).read_text("utf-8")


def test_the_predecessors_words_go_on_working_under_the_packages_name(scripts: Path, person: Person) -> None:
    program = scripts / "mnemex-vault"
    run(program, person.vault, "create", "Tea", "Green.", "--tags", "food", **person.environ)
    assert "Tea" in run(program, person.vault, "list", **person.environ)
    assert "Green." in run(program, person.vault, "read", "Tea", **person.environ)


def test_uvx_with_the_packages_name_is_a_clients_whole_entry(
    packages: Packages, person: Person, in_a_minute: Window
) -> None:
    places = {"MNEMEX_VAULT_PATH": str(person.vault), "UV_CACHE_DIR": str(person.home / "cache")}
    environ = {**os.environ, **person.environ, **places}
    options = ["--python", sys.executable, "--no-build", "--from", str(packages.wheel)]
    with in_a_minute(), talk_with([UVX, *options, "mnemex-vault"], environ) as talk:
        assert talk.tool("search_memory", query="tea")["results"] == []


def test_what_uvx_connects_outlives_the_cache(packages: Packages, person: Person) -> None:
    cache = person.home / "cache"
    places = {"UV_CACHE_DIR": str(cache), "PATH": f"{UVX.parent}:{BARE['PATH']}"}
    environ = {**os.environ, **person.environ, **places}
    options = ["--python", sys.executable, "--from", str(packages.wheel)]
    run(UVX, *options, "mnemex-vault", "connect", "cursor", "--vault", person.vault, **environ)
    entry = json.loads((person.home / ".cursor/mcp.json").read_text("utf-8"))["mcpServers"]["mnemex"]
    assert entry["command"] == str(UVX)
    assert entry["args"] == ["--from", packages.wheel.as_uri(), "mnemex-vault", "serve", "--vault", str(person.vault)]
    run(UV, "cache", "clean", "--quiet", **environ)
    with talk_with([entry["command"], *entry["args"]], environ) as talk:
        assert talk.ask("tools/list")["tools"]


def test_an_installed_program_is_connected_by_its_own_path(scripts: Path, person: Person) -> None:
    printed = run(scripts / "mnemex-vault", "connect", "print", "--vault", person.vault, **person.environ)
    [entry] = json.loads(printed)["mcpServers"].values()
    assert entry["command"] == str(scripts / "mnemex-vault")


def test_a_client_without_a_vault_is_told_what_to_do(scripts: Path, person: Person) -> None:
    done = subprocess.run(
        [scripts / "mnemex-vault"],
        capture_output=True,
        text=True,
        check=False,
        env=person.environ,
        cwd=person.home,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode != 0
    assert "init" in done.stderr
