"""The plugin as a repository of its own."""

from __future__ import annotations

import json
import runpy
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.release.conftest import ROOT, run

SCRIPT: dict[str, Any] = runpy.run_path(str(ROOT / ".release/split_plugin.py"))
problems, publish = SCRIPT["problems"], SCRIPT["publish"]
PLUGIN = ROOT / "obsidian-plugin"


def files(**manifest: Any) -> dict[str, str]:
    given = {name: (PLUGIN / name).read_text("utf-8") for name in SCRIPT["NEEDED"]}
    return given | {"manifest.json": json.dumps(json.loads(given["manifest.json"]) | manifest)}


def test_the_root_of_the_plugin_is_one_that_the_store_takes() -> None:
    assert problems(files()) == []


@pytest.mark.parametrize(
    "manifest",
    [
        {"id": "obsidian-mnemex"},
        {"id": "mnemex-plugin"},
        {"id": "Mnemex"},
        {"name": "Mnemex Plugin"},
        {"description": "No full stop"},
        {"description": f"{'x' * 250}."},
        {"version": "v1.0.0"},
        {"minAppVersion": "0.1.0"},
        {"isDesktopOnly": None},
        {"author": ""},
    ],
)
def test_what_the_store_refuses_is_said(manifest: dict[str, Any]) -> None:
    assert problems(files(**manifest))


def test_what_is_missing_or_was_built_is_said() -> None:
    incomplete = files()
    del incomplete["LICENSE"]
    assert problems(incomplete) == ["LICENSE is missing"]
    assert problems({**files(), "main.js": ""}) == ["main.js does not belong there"]


def test_the_workflow_attests_what_it_builds_and_stores_no_key() -> None:
    text = (PLUGIN / ".github/workflows/release.yml").read_text("utf-8")
    job = yaml.safe_load(text)["jobs"]["release"]
    said = "\n".join(step.get("run", step.get("uses", "")) for step in job["steps"])
    assert (
        said.index("npm ci") < said.index("node release.mjs") < said.index("attest") < said.index("gh release create")
    )
    assert "secrets." not in text
    assert job["permissions"] == {"contents": "write", "id-token": "write", "attestations": "write"}


@pytest.mark.slow
def test_it_is_split_into_a_repository_of_its_own_once(tmp_path: Path) -> None:
    bare = tmp_path / "plugin.git"
    run("git", "init", "-q", "--bare", "-b", "main", bare)
    version = publish(str(bare))
    shown = run("git", "-C", bare, "ls-tree", "--name-only", "main").split()
    assert {"manifest.json", "versions.json", "LICENSE", "README.md", "src"} <= set(shown)
    assert not {"main.js", "mnemex_vault", "docs"} & set(shown)
    assert json.loads(run("git", "-C", bare, "show", f"{version}:manifest.json"))["version"] == version
    assert run("git", "-C", bare, "rev-parse", "main") == run("git", "-C", bare, "rev-parse", version)
    with pytest.raises(SystemExit, match="already"):
        publish(str(bare))
    with pytest.raises(subprocess.CalledProcessError):
        publish(str(tmp_path / "nowhere.git"))
