"""Memories over weeks and months: nothing that was said is lost, and every part of the program says the same."""

from __future__ import annotations

import random
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from mnemex_vault.app import App, open_app
from mnemex_vault.domain import scoring
from mnemex_vault.domain.memory import Tier, Usage
from mnemex_vault.language.sentences import split_sentences
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.recall import Request
from mnemex_vault.memories.upkeep import Step
from mnemex_vault.vaultkit.bases import views
from tests.conftest import StandingClock
from tests.vaultkit.bases_evaluator import Base, parse

MEMORIES, CYCLES = 200, 50
WORDS = [
    one + other + "n"
    for one, other in product(
        ("ba", "ko", "lu", "mi", "ra", "so", "ti", "vo", "ze", "fa", "ge", "du", "pa", "ho"), repeat=2
    )
] + [one + "rim" for one in ("ba", "ko", "lu", "mi")]
PEOPLE = ("Anna", "Ben", "Clara", "David", "Elif")


def save(app: App, content: str, **values: object) -> str:
    return app.collection.save(Draft(content=content, on_duplicate="save", kind="none", **values)).memory.id  # type: ignore[arg-type]


def notes(vault: Path) -> dict[str, str]:
    return {path.relative_to(vault).as_posix(): path.read_text("utf-8") for path in vault.rglob("*.md")}


def said(number: int) -> str:
    """Give a sentence that only this memory says, nearly as its neighbour says it."""
    words = random.Random(number // 2).sample(WORDS, 20)
    return f"{' '.join(words).capitalize()} {WORDS[number]}{WORDS[number // 2]}."


@pytest.mark.slow
def test_every_sentence_survives_fifty_cycles_of_upkeep(app: App, vault: Path, clock: StandingClock) -> None:
    chance = random.Random(7)
    sentences = [said(number) for number in range(MEMORIES)]
    ids = [
        save(app, sentence, entities=[PEOPLE[n % len(PEOPLE)]], tags=["walks"]) for n, sentence in enumerate(sentences)
    ]
    done: set[Step] = set()
    for _ in range(CYCLES):
        clock.advance(days=2)
        live = [entry.memory_id or "" for entry in app.store.catalog.memories(Tier.SHORT_TERM)]
        for memory_id in chance.sample(live, min(3, len(live))):
            app.lifecycle.touch(memory_id)
        reports = app.upkeep.run(list(Step), dry_run=False, merging=True)
        assert not any(report.failed for report in reports)
        done |= {report.step for report in reports if report.operation_ids}
    assert done >= {Step.MERGE, Step.PROMOTE, Step.FORGET}
    everything = "\n".join(notes(vault).values())
    assert [sentence for sentence in sentences if sentence not in everything] == []
    assert all(app.store.entry(memory_id) for memory_id in ids)


def agreed(app: App, clock: StandingClock) -> dict[str, float]:
    """Give the score of every memory, after asking each part of the program."""
    entries = {entry.memory_id or "": entry for entry in app.store.catalog.memories(Tier.SHORT_TERM)}
    scores = {memory_id: app.store.score(entry, now=clock.now) for memory_id, entry in entries.items()}
    hits = app.recall.search(Request(query="", size=100)).hits
    assert {hit.entry.memory_id: hit.score for hit in hits} == scores
    assert {item.entry.memory_id: item.score for item in app.review.queue()}.items() <= scores.items()
    faded = {each.entry.memory_id: each.score for each in app.forgetting.plan(limit=100).candidates}
    assert faded == {memory_id: score for memory_id, score in scores.items() if score < 0.05}
    return scores


def test_search_queue_forgetting_and_views_agree_on_every_score(
    vault: Path, clock: StandingClock, environ: dict[str, str]
) -> None:
    options = {"timezone": "UTC", "decay_model": "exponential"}
    with open_app(vault, clock=clock, environ=environ, options=options) as app:
        for number in range(12):
            memory_id = save(app, f"The number of box {number} is {number * 7919}.", strength=0.5 + number / 10)
            for _ in range(number % 4):
                clock.advance(hours=7)
                app.lifecycle.touch(memory_id)
            clock.advance(days=2, hours=number)
        scores = agreed(app, clock)
        assert min(scores.values()) < 0.05 < max(scores.values())
        (text,) = [
            text
            for path, text in views(app.settings.layout(), app.settings.policy()).items()
            if "Memories.base" in path
        ]
        facts = {path: yaml.load(note.split("---\n")[1], yaml.BaseLoader) for path, note in notes(vault).items()}
        numbers = {path: {key: _number(value) for key, value in each.items()} for path, each in facts.items()}
        now = clock.now.replace(tzinfo=None)
        shown = {
            str(numbers[row.path]["memory_id"]): row.evaluate(parse("formula.score"))
            for row in Base(text).rows("All", numbers, now)
        }
    assert shown == pytest.approx(scores, abs=0.006)


def _number(value: object) -> object:
    if value in ("true", "false"):
        return value == "true"
    try:
        return float(value) if isinstance(value, str) else value
    except ValueError:
        return value


@settings(max_examples=60)
@given(
    st.floats(min_value=0, max_value=120, allow_nan=False),
    st.integers(min_value=1, max_value=30),
    st.floats(min_value=0, max_value=2, allow_nan=False),
    st.booleans(),
)
def test_what_may_be_forgotten_is_exactly_what_lies_below_the_level(
    days: float, uses: int, strength: float, pinned: bool
) -> None:
    now = datetime.fromisoformat("2026-12-01T12:00:00+00:00")
    used = now - timedelta(days=days)
    usage = Usage(created=used, last_used=used, use_count=uses, strength=strength, pinned=pinned)
    policy = scoring.Policy()
    expected = not pinned and scoring.score(usage, policy, now=now) < policy.forget_level
    assert scoring.forgettable(usage, policy, now=now) is expected


def test_a_vault_left_alone_for_400_days_loses_nothing_beyond_the_cap_and_is_restored_by_one_undo(
    app: App, vault: Path, clock: StandingClock
) -> None:
    for number in range(30):
        save(app, f"The number of box {number} is {number * 7919}.")
    pinned = save(app, "The safe opens with 31 turns.", pinned=True)
    linked = save(app, "Grandmother was born in Lviv.")
    name = Path(app.store.memory_entry(linked).path).stem
    (vault / "Family.md").write_text(f"See [[{name}]].\n", "utf-8")
    permanent = save(app, "The house was built in 1911.")
    candidate = app.lifecycle.promotion_candidate(permanent, now=clock.now, force=True)
    assert candidate is not None
    app.lifecycle.promote([candidate])
    app.follow(None)
    clock.advance(days=400)
    before = notes(vault)
    (report,) = app.upkeep.run([Step.FORGET], dry_run=False)
    assert len(report.memory_ids) == 4
    assert not {pinned, linked, permanent} & set(report.memory_ids)
    assert len(app.store.catalog.memories(Tier.ARCHIVED)) == 4
    (operation,) = report.operation_ids
    app.history.undo(operation)
    assert notes(vault) == before


def test_the_text_of_a_merge_keeps_every_distinct_sentence(app: App) -> None:
    texts = [
        "The bees swarmed in May at the farm by the lake. It was warm.",
        "The bees swarmed in May at the farm by the lake. Ben was there.",
    ]
    ids = [save(app, text) for text in texts]
    receipt = app.consolidation.merge(app.consolidation.preview(app.consolidation.cluster_of(ids)))
    merged = {each.strip() for each in split_sentences(receipt.memory.content)}
    assert merged == {each.strip() for text in texts for each in split_sentences(text)}
