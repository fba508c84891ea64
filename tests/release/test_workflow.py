"""The workflows: what is released was built and checked first, and the tests run wherever the program is promised."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from typing import Any

import pytest
import yaml

from mnemex_vault.text.file_names import twins, unportable
from tests.release.conftest import ROOT

TEXT = (ROOT / ".github/workflows/release.yml").read_text("utf-8")
WORKFLOW: dict[Any, Any] = yaml.safe_load(TEXT)
JOBS: dict[str, dict[str, Any]] = WORKFLOW["jobs"]


def commands(job: str) -> str:
    return "\n".join(step.get("run", "") for step in JOBS[job]["steps"])


def test_nothing_is_published_that_was_not_built_and_checked_first() -> None:
    assert JOBS["pypi"]["needs"] == JOBS["page"]["needs"] == "build"
    assert JOBS["registry"]["needs"] == "pypi"
    built = commands("build")
    assert built.index("manifests.py --check") < built.index("uv build") < built.index("pytest --full tests/release")
    assert "mnemex_vault.__version__" in built
    used = [step.get("uses", "") for step in JOBS["build"]["steps"]]
    attested = next(place for place, name in enumerate(used) if name.startswith("actions/attest-build-provenance"))
    assert attested < next(place for place, name in enumerate(used) if name.startswith("actions/upload-artifact"))


def test_every_script_that_the_release_runs_is_there() -> None:
    for script in re.findall(r"(\.release/\S+\.py)", TEXT):
        assert (ROOT / script).is_file(), script
    assert (ROOT / "obsidian-plugin/release.mjs").is_file()


def test_no_key_is_stored_and_each_job_may_do_only_what_it_does() -> None:
    assert "secrets." not in TEXT
    assert WORKFLOW["permissions"] == {"contents": "read"}
    writers = {name: job["permissions"] for name, job in JOBS.items()}
    assert writers["pypi"] == {"id-token": "write"}
    assert writers["page"] == {"contents": "write"}
    assert writers["registry"] == {"contents": "read", "id-token": "write"}
    # what somebody else named is given as a variable, never as part of a command
    assert not re.search(r"run: .*\$\{\{|^ {10}.*\$\{\{(?! github\.(token|repository|ref_name) )", TEXT, re.MULTILINE)


def test_the_tag_is_the_version_as_obsidian_wants_it() -> None:
    # YAML takes the key for a truth value
    assert WORKFLOW[True]["push"]["tags"] == ["[0-9]+.[0-9]+.[0-9]+"]


TESTS: dict[str, Any] = yaml.safe_load((ROOT / ".github/workflows/tests.yml").read_text("utf-8"))["jobs"]
# what Windows does not have
MISSING = ("fcntl", "grp", "pwd", "resource", "termios")


def test_the_tests_run_on_every_system_and_python_that_is_promised() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    promised = {each.rpartition(" ")[2] for each in project["classifiers"] if re.search(r":: 3\.\d+$", each)}
    for job in ("systems", "windows"):
        assert set(TESTS[job]["strategy"]["matrix"]["python"]) == promised
    assert f">={min(promised, key=lambda version: int(version[2:]))}" == project["requires-python"]
    assert TESTS["systems"]["strategy"]["matrix"]["system"] == ["ubuntu-latest", "macos-latest"]
    assert [step for step in TESTS["whole"]["steps"] if step.get("run") == ".ci/run"]


@pytest.mark.slow
def test_what_is_run_on_windows_needs_nothing_that_windows_lacks() -> None:
    command = shlex.split(TESTS["windows"]["steps"][-1]["run"])
    assert command[:3] == ["python", "-m", "pytest"]
    arguments = [*command[3:], "--collect-only", "-p", "no:cacheprovider"]
    code = f"import sys; sys.modules.update(dict.fromkeys({MISSING!r})); import pytest; sys.exit(pytest.main({arguments!r}))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
        # the options of the run that this test is part of are none of the workflow's
        env={name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"},
    )
    assert done.returncode == 0, done.stdout
    assert len(done.stdout.splitlines()) > 1_000


def test_windows_and_macos_can_hold_every_file_of_the_repository() -> None:
    left_out = {
        ".git",
        ".venv",
        "node_modules",
        ".mypy_cache",
        ".ruff_cache",
        ".pytest_cache",
        ".hypothesis",
        "__pycache__",
    }
    paths = [path.relative_to(ROOT) for path in ROOT.rglob("*") if path.is_file()]
    names = [path.as_posix() for path in paths if not left_out.intersection(path.parts)]
    assert "pyproject.toml" in names
    refused = {name: reason for name in names for reason in unportable(name) if "wikilink" not in reason}
    assert refused == {}
    assert twins(names) == {}
