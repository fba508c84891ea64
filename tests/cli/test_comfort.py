"""What makes the shell pleasant: the drawn curve, choosing among results, completion."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from mnemex_vault.cli.main import make_commands
from tests.cli.conftest import Run, Saver
from tests.conftest import StandingClock


def test_the_fading_of_a_memory_is_drawn_down_to_forgetting(run: Run, saved: Saver, clock: StandingClock) -> None:
    memory = saved()
    drawn = run("show", memory, "--curve").out
    assert "1.00 █" in drawn
    assert "forgotten below 0.05" in drawn
    assert "in 48 days" in drawn
    heights = [line.count("█") for line in drawn.splitlines() if "█" in line]
    assert heights == sorted(heights)
    clock.advance(days=30)
    assert "in 18 days" in run("show", memory, "--curve").out


def test_what_does_not_fade_has_no_curve(run: Run, saved: Saver) -> None:
    pinned = saved("The safe opens with 31 turns.", "--pin")
    assert "█" not in run("show", pinned, "--curve").out


def test_into_a_pipe_nothing_is_drawn_unasked(run: Run, saved: Saver) -> None:
    assert "█" not in run("show", saved()).out


def test_results_can_be_read_used_pinned_and_forgotten_by_number(run: Run, saved: Saver) -> None:
    memory = saved()
    outcome = run("search", "cello", "-i", typed="1\nt1\np1\n9\nf1\n\n", terminal=True)
    assert outcome.code == 0, outcome.err
    assert outcome.out.count("Anna plays the cello on Mondays.") >= 2
    for part in ("Used: ", "Pinned: ", "'9' is none of them", "Forgotten: "):
        assert part in outcome.out
    assert run("show", memory, "--json").data["memories"][0]["tier"] == "archived"


def test_choosing_needs_a_person(run: Run, saved: Saver) -> None:
    saved()
    outcome = run("search", "cello", "-i")
    assert outcome.code == 2
    assert "terminal" in outcome.err


@pytest.mark.skipif(sys.platform == "win32", reason="bash")
def test_the_shell_completes_commands() -> None:
    environ = {**os.environ, "_MNEMEX_COMPLETE": "complete_bash", "COMP_WORDS": "mnemex se", "COMP_CWORD": "1"}
    done = subprocess.run(
        [sys.executable, "-m", "mnemex_vault"], env=environ, capture_output=True, text=True, check=False
    )
    assert "search" in done.stdout.split()
    assert "save" not in done.stdout.split()
    assert {option for parameter in make_commands().params for option in parameter.opts} >= {"--install-completion"}
