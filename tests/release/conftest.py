"""The packages as they would be released, made once, and the program installed from them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
Window = Callable[[], AbstractContextManager[None]]
UV = Path(sys.executable).with_name("uv")
# no compiler can be reached, so that whatever has to be built cannot be
BARE = {"CC": "/nowhere/cc", "CXX": "/nowhere/c++", "PATH": "/usr/bin:/bin"}


def run(*command: str | Path, **environ: str) -> str:
    """Return what a program says; fail with what it complains about."""
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, check=False, env={**os.environ, **environ}
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return done.stdout


@dataclass(frozen=True)
class Packages:
    """The files that a release hands to the package index."""

    wheel: Path
    sdist: Path


@dataclass(frozen=True)
class Person:
    """A home with nothing in it but an empty vault, and the environment of its programs."""

    home: Path
    vault: Path

    @property
    def environ(self) -> dict[str, str]:
        places = {"XDG_CONFIG_HOME": str(self.home / ".config"), "XDG_STATE_HOME": str(self.home / ".local/state")}
        return {"HOME": str(self.home), "USERPROFILE": str(self.home), "PATH": BARE["PATH"], **places}


@pytest.fixture(scope="session")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Packages:
    folder = tmp_path_factory.mktemp("packages")
    run(UV, "build", "--quiet", "--out-dir", folder, ROOT)
    [wheel], [sdist] = folder.glob("*.whl"), folder.glob("*.tar.gz")
    return Packages(wheel, sdist)


@pytest.fixture(scope="session")
def scripts(packages: Packages, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of programs of an environment that holds the wheel and what it needs."""
    environment = tmp_path_factory.mktemp("installed") / "environment"
    run(UV, "venv", "--quiet", "--python", sys.executable, environment)
    programs = environment / ("Scripts" if os.name == "nt" else "bin")
    run(UV, "pip", "install", "--quiet", "--only-binary", ":all:", "--python", programs / "python", packages.wheel)
    return programs


def _loads() -> tuple[float, ...]:
    return os.getloadavg() if hasattr(os, "getloadavg") else ()


# what is promised of every window, from nothing to the first answer of a tool; elsewhere no test judges by time
MOST_SECONDS = 60.0


@pytest.fixture
def in_a_minute() -> Window:
    """Time what a window takes until a tool has answered; what is made, and not downloaded, by then does not count."""

    @contextmanager
    def timed() -> Iterator[None]:
        begun = time.monotonic()
        yield
        taken = time.monotonic() - begun
        sys.stdout.write(f"answered after {taken:.1f} seconds\n")
        # a machine that has other work to do may take as much longer
        assert taken < MOST_SECONDS * max((1.0, *(load / (os.cpu_count() or 1) for load in _loads())))

    return timed


@pytest.fixture
def person(tmp_path: Path) -> Person:
    home, vault = tmp_path / "home", tmp_path / "My Notes"
    home.mkdir()
    (vault / ".obsidian").mkdir(parents=True)
    return Person(home, vault)


def npm(folder: Path, *tools: str) -> Path:
    """Install programs of the npm registry into a folder, and return where they are started."""
    program = shutil.which("npm")
    assert program, "npm is not installed"
    run(program, "install", "--prefix", folder, "--no-audit", "--no-fund", "--loglevel=error", *tools)
    return folder / "node_modules/.bin"
