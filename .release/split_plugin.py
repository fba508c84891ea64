"""Splits `obsidian-plugin/` off as a repository of its own, as Obsidian's store and BRAT want it.

`python .release/split_plugin.py REMOTE` pushes its history to the branch `main` of REMOTE and tags it with the bare
version, which starts the release workflow there. It refuses a root that breaks the store's rules, and a tag that is
there already.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PREFIX = "obsidian-plugin"
NEEDED = (
    "manifest.json",
    "versions.json",
    "LICENSE",
    "README.md",
    "package-lock.json",
    ".github/workflows/release.yml",
)
MADE = ("main.js", "data.json", "release", "node_modules")
LONGEST_DESCRIPTION = 250


def git(*arguments: str) -> str:
    """Return what git says; raises CalledProcessError."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def split() -> str:
    """Return the commit whose root is the plugin."""
    return git("subtree", "split", "-q", "--prefix", PREFIX).splitlines()[-1]


def problems(files: Mapping[str, str]) -> list[str]:
    """Return what the store would refuse of a root with these files, by path."""
    found = [f"{name} is missing" for name in NEEDED if name not in files]
    found += [f"{name} does not belong there" for name in MADE if any(path.split("/")[0] == name for path in files)]
    if found:
        return found
    manifest, versions = json.loads(files["manifest.json"]), json.loads(files["versions.json"])
    return list(_manifest_problems(manifest, versions))


def _manifest_problems(manifest: Mapping[str, Any], versions: Mapping[str, str]) -> Iterator[str]:
    name, identity, said = manifest["name"], manifest["id"], manifest["description"]
    if not re.fullmatch(r"[a-z][a-z-]*", identity) or "obsidian" in identity or identity.endswith("plugin"):
        yield f"the id {identity} is not one that the store takes"
    if re.search(r"obsidian|plugin", name, re.IGNORECASE):
        yield f"the name {name} says where it is"
    if len(said) > LONGEST_DESCRIPTION or not said.endswith(".") or "obsidian" in said.lower():
        yield "the description is too long, names the app, or does not end with a full stop"
    if not re.fullmatch(r"\d+\.\d+\.\d+", manifest["version"]):
        yield f"the version {manifest['version']} is not of three numbers"
    if versions.get(manifest["version"]) != manifest["minAppVersion"]:
        yield "versions.json does not name the app's version for this one"
    if not isinstance(manifest.get("isDesktopOnly"), bool) or not manifest.get("author"):
        yield "the manifest does not say who made it and where it runs"


def contents(commit: str) -> dict[str, str]:
    """Return the files of a commit by path; the text of those that the rules are about."""
    paths = git("ls-tree", "-r", "--name-only", "-z", commit).split("\0")
    return {path: git("show", f"{commit}:{path}") if path in NEEDED else "" for path in paths if path}


def publish(remote: str) -> str:
    """Push the plugin's history and its tag; returns the version. Raises SystemExit with what stands in the way."""
    commit = split()
    files = contents(commit)
    if found := problems(files):
        raise SystemExit("\n".join(found))
    version = str(json.loads(files["manifest.json"])["version"])
    if git("ls-remote", "--tags", remote, f"refs/tags/{version}"):
        raise SystemExit(f"{remote} has the tag {version} already")
    git("push", "--atomic", remote, f"{commit}:refs/heads/main", f"{commit}:refs/tags/{version}")
    return version


if __name__ == "__main__":
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    sys.stdout.write(f"pushed and tagged {publish(sys.argv[1])}\n")
