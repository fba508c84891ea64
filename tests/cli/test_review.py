"""The whole life of memories from the command line: relations, review, upkeep."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mnemex_vault.app import open_app
from tests.cli.conftest import Run, Saver, contents
from tests.conftest import StandingClock


def test_memories_are_related_by_their_titles_and_a_second_time_changes_nothing(
    run: Run, saved: Saver, vault: Path
) -> None:
    saved("Frost came in May.")
    saved("The harvest failed.")
    before = contents(vault)
    assert run("relate", "Frost came in May", "The harvest failed", "--type", "causes").out == (
        "Related: Frost came in May -- causes --> The harvest failed.\n"
    )
    after = contents(vault)
    told = run("relate", "Frost came in May", "The harvest failed", "--type", "causes", "--json").data
    assert (told["success"], told["type"], told["strength"]) == (False, "causes", 1.0)
    assert contents(vault) == after
    assert run("unrelate", "Frost came in May", "The harvest failed", "--type", "causes").code == 0
    assert contents(vault) == before
    assert run("unrelate", "Frost came in May", "The harvest failed", "--type", "causes").code == 1


def test_a_memory_is_related_to_a_note_of_a_person(run: Run, saved: Saver, vault: Path) -> None:
    memory_id = saved("The harvest failed.")
    (vault / "Farm.md").write_text("Ours.\n", "utf-8")
    assert run("relate", memory_id, "Farm", "--json").data["to"] == "note:Farm.md"
    assert run("relate", memory_id, "Farm", "--type", "loves").code == 2
    assert run("relate", "Farm", memory_id).code == 1


@pytest.fixture
def queue(saved: Saver, clock: StandingClock) -> list[str]:
    """Return the ids of four memories, the next to fade first."""
    ids = []
    for text in ("The ferry leaves at noon.", "The bus is blue.", "The tram is late.", "The train is on time."):
        ids.append(saved(text))
        clock.advance(days=10)
    return ids


def test_the_queue_is_listed_where_nobody_can_answer(run: Run, queue: list[str]) -> None:
    told = run("review", "--json").data
    assert [each["id"] for each in told["memories"]] == queue
    out = run("review", "--limit", "1").out
    assert "The ferry leaves at noon" in out
    assert "... and 3 more" in out
    assert run("review", "--days", "1").out == "Nothing fades in this time.\n"


def test_a_person_keeps_promotes_lets_go_and_skips(run: Run, queue: list[str], vault: Path) -> None:
    outcome = run("review", typed="k\nwhat\np\nl\n\n", terminal=True)
    assert outcome.code == 0
    assert "3 decisions made" in outcome.out
    assert (vault / "Memories/Long-term/The bus is blue.md").exists()
    assert list((vault / "Memories/Archive").rglob("The tram is late.md"))
    assert [each["id"] for each in run("review", "--json").data["memories"]] == [queue[3], queue[0]]


def test_a_review_names_the_change_that_undo_takes_back_and_a_use_is_none(
    run: Run, queue: list[str], vault: Path
) -> None:
    kept = run("review", typed="k\nq\n", terminal=True).out
    assert kept.endswith("1 decision made.\n")
    let_go = run("review", typed="l\nk\nq\n", terminal=True).out
    named = re.search(r"Take the last change back: mnemex undo (op\w+)$", let_go, re.MULTILINE)
    assert named
    assert len(run("list", "--json").data["memories"]) == len(queue) - 1
    assert run("undo", named[1]).code == 0
    assert len(run("list", "--json").data["memories"]) == len(queue)
    assert len(list((vault / "Memories/Archive").rglob("*.md"))) == 0


def test_a_review_ends_when_told_to(run: Run, queue: list[str], vault: Path) -> None:
    before = contents(vault)
    assert "0 decisions made" in run("review", typed="q\n", terminal=True).out
    assert contents(vault) == before


def test_a_review_begins_with_what_only_a_person_can_tell(run: Run, saved: Saver, clock: StandingClock) -> None:
    old = saved("Our office is in Bergen.")
    clock.advance(days=1)
    new = saved("Our office is in Tromsø.")
    saved("The price of oak is 30 euros.", "--origin", "web", "--source", "shop.example")
    told = run("review", "--json").data
    assert [(each["newer"], each["older"]) for each in told["unsettled"]] == [(new, old)]
    assert told["waiting"] == [{"source": "shop.example", "count": 1}]
    out = run("review").out
    assert out.startswith("Which is true: 'Our office is in Tromsø'")
    assert "1 memory from shop.example, waiting for your yes" in out
    out = run("review", typed="n\ny\nq\n", terminal=True).out
    assert "the new one replaces the old one" in out
    assert "2 decisions made" in out
    assert not {"unsettled", "waiting"} & run("review", "--json").data.keys()
    assert [each["id"] for each in run("search", "Where is the office?", "--json").data["results"]] == [new]


def test_what_came_from_others_is_trusted_by_source_project_and_change(run: Run, saved: Saver) -> None:
    for number, (source, project) in enumerate((("a.example", "Barn"), ("a.example", ""), ("b.example", "Barn"))):
        options = ["--project", project] if project else []
        saved(f"Parcel {number} costs {number} euros.", "--origin", "web", "--source", source, *options)
    assert len(run("approve", "--json").data["waiting"]) == 3
    assert "3 memories waiting for your yes" in run("approve").out
    told = run("approve", "--source", "a.example", "--project", "barn", "--json").data
    assert told["approved"] == 1
    assert run("undo", told["operation_id"]).code == 0
    brought = next(each["operation_id"] for each in run("history", "--json").data if each["kind"] == "save")
    assert run("approve", "--batch", brought, "--json").data["approved"] == 1
    assert run("approve", "--all", "--json").data["approved"] == 2
    assert run("approve", "--all", "--json").data == {"approved": 0, "operation_id": None}


def test_the_review_note_is_written_and_its_ticks_are_done(run: Run, queue: list[str], vault: Path) -> None:
    told = run("review", "--note", "--json").data
    assert told == {"ticks_done": 0, "ticks_failed": {}, "path": "Memories/Review.md", "written": True}
    assert run("review", "--note", "--json").data["written"] is False


def test_a_dry_run_of_the_upkeep_changes_nothing(run: Run, queue: list[str], vault: Path, clock: StandingClock) -> None:
    clock.advance(days=60)
    before = contents(vault)
    outcome = run("maintain", "--dry-run")
    assert "Nothing was changed." in outcome.out
    assert "The ferry leaves at noon (score" in outcome.out
    assert contents(vault) == before


def test_the_upkeep_takes_only_the_steps_that_are_wanted(
    run: Run, queue: list[str], vault: Path, clock: StandingClock
) -> None:
    clock.advance(days=60)
    assert run("doctor", "--accept-clock").code == 0
    assert [each["step"] for each in run("maintain", "--only", "decay", "--json").data] == ["decay"]
    before = contents(vault)
    (report,) = run("maintain", "--only", "forget", "--json").data
    assert report["memory_ids"] == queue[:1]
    assert run("undo", *report["operation_ids"]).code == 0
    assert contents(vault) == before
    assert run("maintain", "--only", "fly").code == 2


def test_similar_memories_are_merged_only_when_told_to(run: Run, saved: Saver, vault: Path) -> None:
    for text in (
        "The bees swarmed on the last day of May this year at the farm by the lake.",
        "The bees swarmed on the last day of May this year at the farm by the lake indeed.",
    ):
        saved(text, "--on-duplicate", "save")
    assert "could be merged" in run("maintain", "--only", "merge").out
    assert not (vault / "Memories/Archive").exists()
    assert run("maintain", "--only", "merge", "--merge").code == 0
    assert len(list((vault / "Memories/Archive").rglob("*.md"))) == 2


def test_the_lab_compares_settings_on_what_happened(
    run: Run, queue: list[str], clock: StandingClock, vault: Path
) -> None:
    clock.advance(days=60)
    assert run("touch", queue[0]).code == 0
    before = contents(vault)
    told = run("lab", "--set", "decay_model=exponential", "--json").data
    mine, other = told["outcomes"].values()
    assert (mine["memories"], mine["uses"]) == (4, 1)
    assert (mine["forgotten"], mine["needed_later"]) == (4, 1)
    assert other["forgotten"] >= mine["forgotten"]
    assert contents(vault) == before


def test_the_lab_tries_curves_and_presets_on_made_up_memories(run: Run) -> None:
    told = run("lab", "--synthetic", "--json").data["outcomes"]
    assert {"as it is", "exponential", "two_component", "research"} <= told.keys()
    assert not {"power_law", "personal"} & told.keys()
    assert told["exponential"]["missed"] > told["as it is"]["missed"]
    assert "uses missed" in run("lab", "--synthetic").out


def test_the_lab_refuses_what_is_no_setting(run: Run) -> None:
    for wrong in ("decay_modell=exponential", "decay_beta", "decay_beta=much", "review_danger_zone_min=0.9"):
        assert run("lab", "--set", wrong).code == 2


def test_a_memory_that_three_projects_relied_on_is_proposed_for_all_and_made_so(
    run: Run, saved: Saver, vault: Path, environ: dict[str, str], clock: StandingClock
) -> None:
    memory_id = saved("Always use tabs.", "--project", "shop")
    before = contents(vault)
    with open_app(vault, environ=environ, clock=clock) as app:
        for project in ("shop", "blog", "site"):
            app.conversations.note("codex", project, now=clock(), project=project, relied=[memory_id])
    for command in ("promote", "review"):
        assert f"relied on in blog, shop, and site. Let it hold for every project: mnemex update {memory_id}" in (
            run(command).out
        )
    assert run("review", "--json").data["wider"][0]["projects"] == ["blog", "shop", "site"]
    assert "belongs to no single project now" in run("review", typed="e\n", terminal=True).out
    assert "relied on in" not in run("promote").out
    assert run("undo").code == 0
    assert contents(vault) == before
    assert run("update", memory_id, "--project", "none").code == 0
    assert "project:" not in next(iter(vault.rglob("Always*.md"))).read_text("utf-8")
    assert run("update", memory_id, "--project", "Garden").code == 0
    assert "project: Garden" in next(iter(vault.rglob("Always*.md"))).read_text("utf-8")
    assert "stays with its project" in run("review", typed="o\n", terminal=True).out
    assert "relied on in" not in run("review").out
