"""The release: a tag that is the version, packages that are attested, and no key that could be stolen."""

from __future__ import annotations

import re
from typing import Any

import yaml

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
