"""What the documentation says is true: its examples run, its figures are computed, its links lead somewhere."""

from __future__ import annotations

import doctest
import re
import tomllib
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

import pytest

from mnemex_vault.domain.decay import DAY_SECONDS, DecayCurve, Exponential, PowerLaw, TwoComponent
from mnemex_vault.domain.memory import Usage
from mnemex_vault.domain.scoring import Policy, score, seconds_until
from mnemex_vault.settings.table import PRESETS, TABLE, Preset, Settings
from mnemex_vault.text.keys import KEY_ORDER
from mnemex_vault.watcher import MOST_SECONDS, QUIET_SECONDS
from tests.bench.house import picture

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]
SCORING = (ROOT / "docs/scoring.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
SAVED = datetime(2026, 1, 1, tzinfo=UTC)
CURVES: list[DecayCurve] = [PowerLaw(), Exponential(), TwoComponent()]


def label(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def marked(text: str, mark: str) -> str:
    """Give what follows the comment up to the next blank line or the end of a fence."""
    found = re.search(rf"^<!-- {mark} -->\n(?:```\w*\n(.*?)^```|(.*?)\n\n)", text, re.MULTILINE | re.DOTALL)
    assert found, mark
    return found[1] or found[2]


def rows(text: str, mark: str) -> list[list[str]]:
    lines = marked(text, mark).splitlines()
    return [[cell.strip(" *") for cell in line.strip("|").split("|")] for line in lines if "---" not in line][1:]


def usage(use_count: int = 1, strength: float = 1.0) -> Usage:
    return Usage(created=SAVED, last_used=SAVED, use_count=use_count, strength=strength)


def idle_days(memory: Usage, level: float, curve: DecayCurve) -> float:
    seconds = seconds_until(memory, Policy(curve=curve), level)
    assert seconds is not None
    return seconds / DAY_SECONDS


def in_days(text: str) -> float:
    count, unit = text.replace(",", "").split()[:2]
    return float(count) / (24 if unit.startswith("hour") else 1)


PAGES_WITH_EXAMPLES = [page for page in PAGES if blocks(page.read_text(encoding="utf-8"), "pycon")]


@pytest.mark.parametrize("page", PAGES_WITH_EXAMPLES, ids=label)
def test_examples_run_and_give_what_they_show(page: Path) -> None:
    examples = "\n".join(blocks(page.read_text(encoding="utf-8"), "pycon"))
    test = doctest.DocTestParser().get_doctest(examples, {}, label(page), str(page), 0)
    result = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(test)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_relative_links_lead_to_files(page: Path) -> None:
    prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", prose):
        if "://" not in target:
            assert (page.parent / target).exists(), target


def test_the_table_of_retention_is_computed() -> None:
    table = rows(SCORING, "retention")
    assert len(table) == 9
    for age, *shown in table:
        assert shown == [f"{curve.retention(in_days(age) * DAY_SECONDS):.4f}" for curve in CURVES]


def test_the_table_of_uses_is_computed() -> None:
    header = marked(SCORING, "uses").splitlines()[0]
    counts = [int(cell) for cell in re.findall(r"\d+", header)]
    assert rows(SCORING, "uses")[0][1:] == [f"{score(usage(count), Policy(), now=SAVED):.3f}" for count in counts]


def test_the_table_of_thresholds_is_computed() -> None:
    for name, *shown in rows(SCORING, "thresholds"):
        level = float(name[:4])
        assert shown == [f"{idle_days(usage(), level, curve):.1f} days" for curve in CURVES]


def test_the_tuning_sheet_is_computed() -> None:
    for half_life, strength, *shown in rows(SCORING, "tuning"):
        curve = PowerLaw(half_life_days=in_days(half_life))
        memory = usage(strength=float(strength))
        expected = [idle_days(memory, level, curve) for level in (0.35, 0.15, 0.05)]
        assert shown == [f"{expected[0]:.1f}", f"{expected[1]:.1f}", f"{expected[2]:.0f}"]


def test_the_readme_counts_days_rightly() -> None:
    table = rows(README, "forgetting")
    assert len(table) == 4
    for uses, *shown in table:
        memory = usage(1 if uses.startswith("once") else int(uses.split()[0]))
        assert shown == [f"{idle_days(memory, level, PowerLaw()):.0f} days" for level in (0.35, 0.15, 0.05)]


@pytest.mark.parametrize("page", ["README.md", "docs/note-format.md"])
def test_the_note_that_is_shown_lies_in_the_sample_vault(page: str) -> None:
    note = ROOT / "sample-vault/Memories/Short-term/Prefers TypeScript over JavaScript.md"
    assert marked((ROOT / page).read_text(encoding="utf-8"), "sample") == note.read_text(encoding="utf-8")


def test_every_key_is_documented_in_the_order_in_which_it_is_written() -> None:
    table = rows((ROOT / "docs/note-format.md").read_text(encoding="utf-8"), "keys")
    assert tuple(row[0].strip("`") for row in table) == KEY_ORDER


def test_the_parameters_of_scoring_have_the_defaults_that_are_shown() -> None:
    shown = {row[0].strip("`"): row[1].strip("`") for row in rows(SCORING, "parameters")}
    groups = {TABLE["pl_alpha"].group, TABLE["forget_threshold"].group, TABLE["promote_threshold"].group}
    scoring = {name for name, row in TABLE.items() if row.group in groups} - {"preset", "gc_max_share"}
    assert shown.keys() == scoring | {"review_danger_zone_min", "review_danger_zone_max"}
    for name, default in shown.items():
        assert TABLE[name].default == (None if default == "none" else TABLE[name].kind.read(default)), name


def test_the_presets_set_what_is_shown_and_last_as_long() -> None:
    table = rows(SCORING, "presets")
    assert [row[0].strip("`") for row in table] == list(PRESETS)
    for preset, shown, review, archive in table:
        values: dict[str, Any] = {name: float(value) for name, value in re.findall(r"`(\w+): ([\d.]+)`", shown)}
        assert values == PRESETS[cast(Preset, preset.strip("`"))]
        policy = replace(Settings(), **values).policy()
        levels = (policy.review_max, policy.forget_level)
        found = [idle_days(usage(), level, policy.curve) for level in levels]
        assert [review, archive] == [f"{found[0]:.1f}", f"{found[1]:.0f}"], preset


def test_the_floors_are_those_that_are_enforced() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    enforced = [re.findall(r"\w+", layer) for layer in contracts[0]["layers"]]
    table = rows((ROOT / "docs/architecture.md").read_text(encoding="utf-8"), "floors")
    assert [re.findall(r"\w+", row[0]) for row in table] == enforced


def walked_lines() -> list[tuple[int, str, str]]:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    section = re.search(r"^<!-- walks -->\n(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    assert section
    return [
        (len(indent), path, name)
        for indent, path, name in re.findall(r"^( *)\* `([\w/]+\.py)` `(\w+)`", section[1], re.MULTILINE)
    ]


def test_the_walks_go_through_functions_that_are_there() -> None:
    lines = walked_lines()
    assert len(lines) > 40
    for _, path, name in lines:
        source = (ROOT / "mnemex_vault" / path).read_text(encoding="utf-8")
        assert re.search(rf"^ *(async )?def {name}\b", source, re.MULTILINE), (path, name)


def test_the_picture_of_the_floors_is_drawn_from_the_imports() -> None:
    assert marked((ROOT / "docs/architecture.md").read_text(encoding="utf-8"), "picture") == picture()


def test_what_is_to_be_opened_for_a_change_is_there() -> None:
    table = rows((ROOT / "docs/architecture.md").read_text(encoding="utf-8"), "where")
    assert len(table) > 20
    named = [path for _, places in table for path in re.findall(r"`([\w/.]+)`", places)]
    assert [path for path in named if not (ROOT / "mnemex_vault" / path).exists()] == []


def test_the_walks_only_go_down() -> None:
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"][
        "contracts"
    ]
    floors = {name: level for level, layer in enumerate(contracts[0]["layers"]) for name in re.findall(r"\w+", layer)}
    above: dict[int, str] = {}
    for indent, path, _ in walked_lines():
        if indent:
            caller = above[indent - 2]
            assert floors[floor_of(caller)] <= floors[floor_of(path)], (caller, path)
        above[indent] = path


def floor_of(path: str) -> str:
    return path.partition("/")[0].removesuffix(".py")


def test_the_times_of_the_watcher_are_those_that_are_told() -> None:
    text = (ROOT / "docs/architecture.md").read_text(encoding="utf-8")
    assert f"After {QUIET_SECONDS * 1000:.0f} ms of quiet (at the latest after {MOST_SECONDS * 1000:.0f} ms" in text


def test_decisions_are_numbered_without_a_gap_and_have_three_parts() -> None:
    decisions = sorted((ROOT / "docs/adr").glob("*.md"))
    assert [int(page.name[:4]) for page in decisions] == list(range(1, len(decisions) + 1))
    for page in decisions:
        text = page.read_text(encoding="utf-8")
        assert text.startswith(f"# {int(page.name[:4])}. ")
        assert re.findall(r"^## (.*)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]


@pytest.mark.parametrize("mark", ["demo", "test"])
def test_the_readmes_commands_are_one_line_each(mark: str) -> None:
    assert len(marked(README, mark).splitlines()) == 1
