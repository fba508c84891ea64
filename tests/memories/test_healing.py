"""Copies that sync tools left, and what becomes of them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from mnemex_vault.app import App, open_app
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.status import Trouble
from mnemex_vault.service import Service
from mnemex_vault.text.frontmatter import edit
from tests.conftest import StandingClock

NAMES = (
    "Tea.sync-conflict-20261202-120000-ABCDEFG.md",
    "Tea (conflicted copy 2026-12-02 120000).md",
    "Tea (Bob's conflicted copy 2026-12-02).md",
    "Tea (Conflicted copy phone 202612021200).md",
    "Tea 2.md",
    "Tea (1).md",
    "Tea copy.md",
    "Tea-LAPTOP-7.md",
)


@pytest.fixture
def app(vault: Path, clock: StandingClock, environ: dict[str, str]) -> Iterator[App]:
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian/app.json").write_text('{"trashOption": "local"}')
    with open_app(vault, clock=clock, environ=environ, options={"timezone": "UTC", "quiet_seconds": 0}) as app:
        yield app


class OtherDevice:
    """A copy of a note that is used and changed elsewhere, and comes back as a conflict."""

    def __init__(self, app: App, memory_id: str) -> None:
        self.path = app.root / app.store.memory_entry(memory_id).path
        self.text = self.path.read_text("utf-8")

    def used(self, count: int, at: str, **more: object) -> OtherDevice:
        self.text = edit(self.text, {"use_count": count, "last_used": at, **more})  # type: ignore[dict-item]
        return self

    def arrive(self, app: App, name: str) -> Path:
        copy = self.path.with_name(name)
        copy.write_text(self.text, "utf-8")
        app.follow(None)
        return copy


def save(app: App, text: str = "Tea is at four.", *, pinned: bool = False) -> str:
    return app.collection.save(Draft(content=text, title="Tea", tags=["tea"], pinned=pinned, kind="none")).memory.id


def use(app: App, clock: StandingClock, memory_id: str, times: int) -> None:
    for _ in range(times):
        clock.advance(hours=1)
        app.lifecycle.touch(memory_id)


def stamp(clock: StandingClock) -> str:
    return f"{clock.now:%Y-%m-%dT%H:%M:%S}"


@pytest.mark.parametrize("name", NAMES)
def test_uses_of_both_devices_are_added_up_and_one_undo_takes_it_back(
    app: App, clock: StandingClock, vault: Path, name: str
) -> None:
    memory_id = save(app)
    elsewhere = OtherDevice(app, memory_id)
    elsewhere.used(4, stamp(clock)[:-8] + "23:59:59", tags=["tea", "phone"])
    use(app, clock, memory_id, 1)
    copy = elsewhere.arrive(app, name)
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    (healed,) = app.healer.heal().healed
    assert (healed.path, healed.use_count, healed.exact) == ("Memories/Short-term/Tea.md", 5, True)
    assert not copy.exists()
    memory = app.store.memory(app.store.memory_entry(memory_id))
    assert (memory.usage.use_count, memory.tags, memory.content) == (5, ("tea", "phone"), "Tea is at four.")
    assert memory.usage.last_used == max(clock.now, memory.usage.last_used)
    assert not app.healer.heal().healed
    app.history.undo(healed.operation_id)
    assert {path: path.read_bytes() for path in vault.rglob("*.md") if ".trash" not in path.parts} == before


def test_a_stale_copy_adds_nothing(app: App, clock: StandingClock) -> None:
    memory_id = save(app)
    elsewhere = OtherDevice(app, memory_id)
    use(app, clock, memory_id, 3)
    elsewhere.arrive(app, NAMES[0])
    assert [(each.use_count, each.exact) for each in app.healer.heal().healed] == [(4, True)]


def test_uses_that_both_have_are_never_counted_twice(app: App, clock: StandingClock) -> None:
    memory_id = save(app)
    use(app, clock, memory_id, 3)
    elsewhere = OtherDevice(app, memory_id)
    use(app, clock, memory_id, 1)
    clock.advance(hours=1)
    elsewhere.used(5, stamp(clock)).arrive(app, NAMES[0])
    # the other device may have had an earlier version as well, and used it more often
    assert [(each.use_count, each.exact) for each in app.healer.heal().healed] == [(6, False)]
    assert [(each.trouble, each.path) for each in app.overview.counts()] == [
        (Trouble.COUNT, "Memories/Short-term/Tea.md")
    ]


def test_without_a_common_version_the_larger_count_holds(
    vault: Path, clock: StandingClock, environ: dict[str, str], tmp_path: Path
) -> None:
    with open_app(vault, clock=clock, environ=environ, options={"quiet_seconds": 0}) as app:
        memory_id = save(app)
        elsewhere = OtherDevice(app, memory_id)
        use(app, clock, memory_id, 2)
    new_device = {**environ, "MNEMEX_STATE_PATH": str(tmp_path / "another state")}
    with open_app(vault, clock=clock, environ=new_device, options={"quiet_seconds": 0}) as app:
        elsewhere.used(5, stamp(clock), strength=1.5).arrive(app, NAMES[0])
        assert [(each.use_count, each.exact) for each in app.healer.heal().healed] == [(5, False)]
        assert app.store.memory(app.store.memory_entry(memory_id)).usage.strength == 1.5


def test_several_copies_of_one_memory_are_joined_one_after_the_other(app: App, clock: StandingClock) -> None:
    memory_id = save(app)
    phone, tablet = OtherDevice(app, memory_id), OtherDevice(app, memory_id)
    clock.advance(hours=1)
    phone.used(3, stamp(clock)).arrive(app, NAMES[0])
    tablet.used(2, stamp(clock)).arrive(app, NAMES[1])
    use(app, clock, memory_id, 1)
    healing = app.healer.heal()
    assert (len(healing.healed), healing.left) == (2, [])
    assert app.store.memory_entry(memory_id).usage.use_count == 5  # type: ignore[union-attr]


def test_the_same_copy_twice_counts_once(app: App, clock: StandingClock) -> None:
    """Syncthing makes two of one version when three devices meet."""
    memory_id = save(app)
    elsewhere = OtherDevice(app, memory_id)
    use(app, clock, memory_id, 1)
    clock.advance(hours=1)
    elsewhere.used(2, stamp(clock))
    for name in (NAMES[0], NAMES[0].replace("120000", "120001")):
        elsewhere.arrive(app, name)
    assert [(each.use_count, each.exact) for each in app.healer.heal().healed] == [(3, True), (3, True)]


def test_texts_that_differ_are_left_to_the_person_and_named(app: App, clock: StandingClock, vault: Path) -> None:
    memory_id = save(app)
    elsewhere = OtherDevice(app, memory_id)
    elsewhere.text += "With milk.\n"
    elsewhere.arrive(app, NAMES[4])
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    healing = app.healer.heal()
    assert not healing.healed
    assert [(each.copy, each.reason) for each in healing.left] == [("Memories/Short-term/Tea 2.md", "the texts differ")]
    assert {path: path.read_bytes() for path in vault.rglob("*.md")} == before
    app.review.write(folder="Memories", device="here")
    note = (vault / "Memories/Review.md").read_text("utf-8")
    assert "[[Tea]] and its copy [[Memories/Short-term/Tea 2]]" in note


def test_a_promoted_memory_keeps_its_place_and_does_not_fade(app: App, clock: StandingClock) -> None:
    memory_id = save(app)
    elsewhere = OtherDevice(app, memory_id)
    app.review.promote(memory_id)
    clock.advance(hours=1)
    copy = elsewhere.used(2, stamp(clock), fades_on="2027-03-01").path.with_name(NAMES[0])
    copy.write_text(elsewhere.text, "utf-8")
    (healed,) = app.healer.heal().healed
    text = (app.root / healed.path).read_text("utf-8")
    assert healed.path == "Memories/Long-term/Tea.md"
    assert "fades_on" not in text
    assert "promoted: " in text


def test_a_memory_that_was_moved_here_and_used_there_is_joined_at_its_new_place(app: App, clock: StandingClock) -> None:
    memory_id = save(app)
    elsewhere = OtherDevice(app, memory_id)
    app.review.promote(memory_id)
    clock.advance(hours=1)
    copy = elsewhere.used(2, stamp(clock)).arrive(app, "Tea.md")
    assert copy.parent.name == "Short-term"
    (healed,) = app.healer.heal().healed
    assert (healed.path, healed.use_count) == ("Memories/Long-term/Tea.md", 2)
    assert not copy.exists()


def test_what_is_no_copy_of_a_memory_is_left_alone(app: App, vault: Path) -> None:
    memory_id = save(app)
    for name, text in {
        "Plan.md": "One.\n",
        "Plan (conflicted copy 2026-01-02 120000).md": "One.\n",
        "Gone (conflicted copy 2026-01-02 120000).md": "One.\n",
        "Torn (conflicted copy 2026-01-02 120000).md": "---\na: [\n---\n",
    }.items():
        (vault / name).write_text(text)
    for folder, name in (("Elsewhere", "Tea 2.md"), ("Saved", "Tea.md")):
        (vault / folder).mkdir()
        (vault / folder / name).write_bytes((vault / app.store.memory_entry(memory_id).path).read_bytes())
    app.follow(None)
    before = {path: path.read_bytes() for path in vault.rglob("*.md")}
    healing = app.healer.heal()
    assert (len(healing.healed), len(healing.left)) == (0, 3)
    assert {path: path.read_bytes() for path in vault.rglob("*.md")} == before


def test_a_copy_that_other_notes_link_to_stays(app: App, vault: Path) -> None:
    OtherDevice(app, save(app)).arrive(app, "Tea 2.md")
    (vault / "Day.md").write_text("[[Tea 2]]\n")
    app.follow(None)
    assert [each.reason for each in app.healer.heal().left] == ["other notes link to the copy"]


def test_a_dry_run_changes_nothing(app: App, vault: Path) -> None:
    OtherDevice(app, save(app)).arrive(app, NAMES[0])
    before = {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()}
    assert [each.operation_id for each in app.healer.heal(dry_run=True).healed] == [None]
    assert {path: path.read_bytes() for path in vault.rglob("*") if path.is_file()} == before


@pytest.mark.parametrize("on", [False, True])
def test_the_server_heals_only_with_the_setting_and_what_has_settled(
    vault: Path, clock: StandingClock, environ: dict[str, str], on: bool
) -> None:
    with open_app(vault, clock=clock, environ=environ, options={"heal_conflicts": on}) as app:
        memory_id = save(app)
        settled, fresh = (OtherDevice(app, memory_id).arrive(app, name) for name in NAMES[:2])
        service = Service(app)
        clock.advance(minutes=11)
        os.utime(fresh, (clock.now.timestamp(),) * 2)
        service._heal_if_due()
        assert (settled.exists(), fresh.exists()) == (not on, True)
        clock.advance(minutes=5)
        service._heal_if_due()
        assert fresh.exists()
        clock.advance(minutes=6)
        service._heal_if_due()
        assert fresh.exists() is not on
