"""Fixtures that every test may use: a clock that stands still, and an open vault in a temporary folder."""

from __future__ import annotations

import gc
import inspect
import json
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, settings
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from mcp.server.mcpserver.prompts import base as prompts
from mcp.server.mcpserver.resources import templates
from mcp.server.mcpserver.tools import base as tools
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase, FuncMetadata, func_metadata
from pydantic import BaseModel

from mnemex_vault.app import App, open_app

NOBODY = 65534


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--full", action="store_true", help="run what is slow and rare as well")
    parser.addoption("--storms", action="store_true", help="run storms and large vaults in their full numbers as well")
    parser.addoption("--record", action="store_true", help="record anew what tools and commands say")


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples are tried, and take the time that one needs for no failure: the machine may be busy."""
    settings.register_profile(
        "unhurried",
        parent=settings(),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
        max_examples=100 if wants_full(config) else 20,
    )
    settings.load_profile("unhurried")


def wants_full(config: pytest.Config) -> bool:
    """Tell whether slow tests are wanted."""
    return bool(config.getoption("--full") or wants_storms(config))


def wants_storms(config: pytest.Config) -> bool:
    """Tell whether what takes minutes or downloads much is wanted."""
    return bool(config.getoption("--storms"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what only a longer run is for."""
    left_out = [name for name, wanted in (("slow", wants_full(config)), ("storm", wants_storms(config))) if not wanted]
    longer = [item for item in items if any(item.get_closest_marker(name) for name in left_out)]
    if longer:
        config.hook.pytest_deselected(items=longer)
        left = set(longer)
        items[:] = [item for item in items if item not in left]


def pytest_sessionstart() -> None:
    """Look for garbage only once all tests are collected: thousands of them are made, and all stay."""
    gc.disable()


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture
def full(request: pytest.FixtureRequest) -> bool:
    """Tell whether slow tests are wanted."""
    return wants_full(request.config)


@pytest.fixture
def storms(request: pytest.FixtureRequest) -> bool:
    """Tell whether the full numbers are wanted."""
    return wants_storms(request.config)


@pytest.fixture(scope="session", autouse=True)
def schemas_made_once() -> Iterator[None]:
    """Make and check the schemas of a tool once: the SDK does so for each server, its client for each conversation."""
    made: dict[object, FuncMetadata] = {}
    checked: set[str] = set()
    make, check = func_metadata, Draft202012Validator.check_schema
    describe: Any = cache(BaseModel.__dict__["model_json_schema"].__func__)

    def made_once(function: Callable[..., Any], **options: Any) -> FuncMetadata:
        own = inspect.unwrap(function)
        key = (getattr(own, "__func__", own), repr(options))
        if key not in made:
            made[key] = make(function, **options)
        return made[key]

    def checked_once(schema: dict[str, Any]) -> None:
        text = json.dumps(schema, sort_keys=True)
        if text not in checked:
            check(schema)
            checked.add(text)

    with pytest.MonkeyPatch.context() as patch:
        for module in (tools, prompts, templates):
            patch.setattr(module, "func_metadata", made_once)
        patch.setattr(ArgModelBase, "model_json_schema", classmethod(describe))
        patch.setattr(Draft202012Validator, "check_schema", checked_once)
        yield


class StandingClock:
    """A clock that moves only when told to."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **span: float) -> None:
        self.now += timedelta(**span)


@pytest.fixture
def clock() -> StandingClock:
    """Stand well ahead of the real time, so that every file is old enough to be quiet."""
    return StandingClock(datetime.now(UTC).replace(microsecond=0) + timedelta(days=1))


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    root = tmp_path / "My vault"
    root.mkdir()
    return root


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    return {"MNEMEX_STATE_PATH": str(tmp_path / "state"), "XDG_CONFIG_HOME": str(tmp_path / "config")}


OpenApp = Callable[..., App]


@pytest.fixture
def app(vault: Path, clock: StandingClock, environ: dict[str, str]) -> Iterator[App]:
    with open_app(vault, clock=clock, environ=environ, options={"timezone": "UTC"}) as app:
        yield app


@contextmanager
def _as_nobody() -> Iterator[None]:
    """Have the rights of another user, for whom permissions count, if we are root."""
    if os.geteuid() != 0:
        yield
        return
    os.setegid(NOBODY)
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
        os.setegid(0)


@pytest.fixture
def as_nobody() -> Callable[[], Any]:
    """Return a context in which permissions count, also for root."""
    return _as_nobody


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder in which every user may make files."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o777)
    yield folder
    for path in (folder, *folder.rglob("*")):
        if path.is_dir() and not path.is_symlink():
            path.chmod(0o777)
    shutil.rmtree(folder)


def as_json(note: Path) -> None:
    """Write a note's properties as JSON, which is read and never changed."""
    _, block, body = note.read_text("utf-8").split("---\n", 2)
    note.write_text(f"---\n{json.dumps(yaml.safe_load(block), default=str)}\n---\n{body}", "utf-8")
