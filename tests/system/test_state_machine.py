"""After any mix of saves, edits, moves, copies, crashes and undos: the index equals a rebuild, no human byte is lost."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from mnemex_vault.app import App, make_app
from mnemex_vault.domain.memory import RelationType
from mnemex_vault.errors import MnemexError
from mnemex_vault.index.entry import Entry
from mnemex_vault.memories.draft import Draft
from mnemex_vault.memories.editing import Revision
from mnemex_vault.memories.recall import Request
from mnemex_vault.memories.upkeep import Step
from tests.conftest import StandingClock
from tests.system.checking import facts

FOLDERS = ("Memories/Short-term", "Memories/Long-term", "Memories/Archive/2026", "Work")
CHOICE = st.integers(0, 1 << 30)


class Crash(BaseException):
    """The process dies here: nothing above may catch it."""


class Vaults(RuleBasedStateMachine):
    """One vault, a person, a tool, and a restart now and then."""

    def __init__(self) -> None:
        super().__init__()
        self.base = Path(tempfile.mkdtemp(prefix="mnemex-machine-"))
        self.vault = self.base / "Vault"
        self.vault.mkdir()
        self.clock = StandingClock(datetime.now(UTC) + timedelta(days=1))
        self.number = 0
        # what the person wrote and has neither overwritten nor deleted: words -> where it was written
        self.owned: set[str] = set()
        self.app = self.opened()

    def opened(self) -> App:
        environ = {"MNEMEX_STATE_PATH": str(self.base / "state"), "XDG_CONFIG_HOME": str(self.base / "config")}
        app = make_app(self.vault, clock=self.clock, environ=environ, options={"timezone": "UTC"})
        app.catch_up()
        return app

    def teardown(self) -> None:
        self.app.close()
        shutil.rmtree(self.base)

    def word(self, kind: str) -> str:
        self.number += 1
        return f"{kind}{self.number:04d}"

    def notes(self) -> list[Path]:
        found = (path for path in self.vault.rglob("*.md") if ".trash" not in path.parts)
        return sorted(found)

    def memories(self) -> list[Entry]:
        return [entry for entry in self.app.store.catalog.memories() if (self.vault / entry.path).is_file()]

    def pick(self, choice: int) -> Path | None:
        notes = self.notes()
        return notes[choice % len(notes)] if notes else None

    def of_tool(self, work: Callable[[], object]) -> None:
        """The tool may refuse; it may not break anything."""
        try:
            work()
        except MnemexError:
            self.app.follow(None)

    def on_memory(self, choice: int, work: Callable[[str], object]) -> None:
        memories = self.memories()
        if memories:
            memory_id = memories[choice % len(memories)].memory_id or ""
            self.of_tool(lambda: work(memory_id))

    # the tool

    @rule()
    def save(self) -> None:
        self.of_tool(lambda: self.app.collection.save(Draft(content=f"A fact named {self.word('fact')}.")))

    @rule(choice=CHOICE, boost=st.booleans())
    def touch(self, choice: int, boost: bool) -> None:
        self.on_memory(choice, lambda memory_id: self.app.lifecycle.touch(memory_id, boost=boost))

    @rule(choice=CHOICE)
    def update(self, choice: int) -> None:
        def work(memory_id: str) -> None:
            opened, _ = self.app.collection.open([memory_id])
            for word in [word for word in self.owned if word in opened[0].note.content]:
                self.owned.discard(word)
            revision = Revision(content=f"Rewritten as {self.word('fact')}.", tags=["changed"])
            self.app.editing.update(memory_id, revision, etag=opened[0].note.etag)

        self.on_memory(choice, work)

    @rule(choice=CHOICE)
    def rename(self, choice: int) -> None:
        title = f"Title {self.word('name')}"
        self.on_memory(choice, lambda memory_id: self.app.editing.update(memory_id, Revision(title=title)))

    @rule(choice=CHOICE)
    def promote(self, choice: int) -> None:
        def work(memory_id: str) -> None:
            candidate = self.app.lifecycle.promotion_candidate(memory_id, now=self.clock(), force=True)
            self.app.lifecycle.promote([candidate] if candidate else [])

        self.on_memory(choice, work)

    @rule(choice=CHOICE, to_trash=st.booleans())
    def forget(self, choice: int, to_trash: bool) -> None:
        self.on_memory(choice, lambda memory_id: self.app.lifecycle.forget(memory_id, to_trash=to_trash))

    @rule(choice=CHOICE)
    def restore(self, choice: int) -> None:
        self.on_memory(choice, self.app.lifecycle.restore)

    @rule(choice=CHOICE, other=CHOICE)
    def relate(self, choice: int, other: int) -> None:
        memories = self.memories()
        if memories:
            target = memories[other % len(memories)].memory_id or ""
            self.on_memory(choice, lambda source: self.app.relations.create(source, target, RelationType.RELATED))

    @rule()
    def undo(self) -> None:
        self.of_tool(self.app.history.undo)

    @rule(days=st.integers(1, 80))
    def upkeep(self, days: int) -> None:
        self.clock.advance(days=days)
        self.of_tool(lambda: self.app.upkeep.run(list(Step), dry_run=False))

    # the person

    @rule(choice=CHOICE)
    def write_below(self, choice: int) -> None:
        path = self.pick(choice)
        if path is not None:
            word = self.word("human")
            path.write_bytes(path.read_bytes() + f"\nMy own {word}.\n".encode())
            self.owned.add(word)

    @rule(choice=CHOICE)
    def write_with_rename(self, choice: int) -> None:
        path = self.pick(choice)
        if path is not None:
            word = self.word("human")
            temporary = path.with_name(f".{path.name}.swp")
            temporary.write_bytes(path.read_bytes() + f"\nMy own {word}.\n".encode())
            temporary.replace(path)
            self.owned.add(word)

    @rule(choice=CHOICE)
    def break_frontmatter(self, choice: int) -> None:
        path = self.pick(choice)
        if path is not None:
            path.write_bytes(path.read_bytes().replace(b"created:", b"created: [", 1))

    @rule(choice=CHOICE)
    def mend_frontmatter(self, choice: int) -> None:
        path = self.pick(choice)
        if path is not None:
            path.write_bytes(path.read_bytes().replace(b"created: [", b"created:"))

    @rule(choice=CHOICE, folder=st.sampled_from(FOLDERS))
    def drag(self, choice: int, folder: str) -> None:
        path = self.pick(choice)
        if path is not None:
            target = self.vault / folder / path.name
            target.parent.mkdir(parents=True, exist_ok=True)
            if not target.exists():
                path.rename(target)

    @rule(choice=CHOICE)
    def copy(self, choice: int) -> None:
        path = self.pick(choice)
        if path is not None and not path.with_name(f"{path.stem} copy.md").exists():
            shutil.copy(path, path.with_name(f"{path.stem} copy.md"))

    @rule(choice=CHOICE)
    def delete(self, choice: int) -> None:
        path = self.pick(choice)
        if path is not None:
            text = path.read_bytes()
            path.unlink()
            elsewhere = b"".join(other.read_bytes() for other in self.everything())
            self.owned -= {word for word in self.owned if word.encode() in text and word.encode() not in elsewhere}

    @rule()
    def new_note(self) -> None:
        word = self.word("human")
        (self.vault / "Work").mkdir(exist_ok=True)
        (self.vault / "Work" / f"Note {word}.md").write_text(f"My own {word}.\n", "utf-8")
        self.owned.add(word)

    # what else happens

    @rule()
    def look(self) -> None:
        self.of_tool(lambda: self.app.follow(None))

    @rule(hours=st.integers(1, 100))
    def time_passes(self, hours: int) -> None:
        self.clock.advance(hours=hours)

    @rule()
    def flush(self) -> None:
        self.app.store.text.flush()

    @rule()
    def restart(self) -> None:
        self.app.close()
        self.app = self.opened()

    @rule(at=st.integers(0, 12), choice=CHOICE, what=st.sampled_from(["save", "touch", "promote", "forget", "update"]))
    def crash(self, at: int, choice: int, what: str) -> None:
        """Die between two steps of a change, and start again."""
        left = at

        def hook(step: str) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise Crash

        verbs: dict[str, Callable[[], object]] = {
            "save": self.save,
            "touch": lambda: self.touch(choice, boost=False),
            "promote": lambda: self.promote(choice),
            "forget": lambda: self.forget(choice, to_trash=False),
            "update": lambda: self.update(choice),
        }
        files = self.app.store.vault.files
        files._hook = hook
        with contextlib.suppress(Crash):
            verbs[what]()
        files._hook = lambda step: None
        self.app = self.opened()

    def everything(self) -> Iterator[Path]:
        """Yield the files in which a text counts as kept: the vault's, trash included, and the journal's."""
        for root, _, names in os.walk(self.base):
            if "index" not in Path(root).relative_to(self.base).parts:
                yield from (Path(root) / name for name in names)

    @invariant()
    def no_human_byte_is_lost(self) -> None:
        everything = b"\n".join(path.read_bytes() for path in self.everything())
        lost = [word for word in self.owned if word.encode() not in everything]
        assert not lost, f"{lost} can be found nowhere"

    @invariant()
    def the_index_equals_a_rebuild(self) -> None:
        try:
            self.app.follow(None)
        except MnemexError:
            self.app.reconciler.accept_losses()
            self.app.follow(None)
        again = make_app(
            self.vault,
            clock=self.clock,
            environ={"MNEMEX_STATE_PATH": str(self.base / "other"), "XDG_CONFIG_HOME": str(self.base / "config")},
            options={"timezone": "UTC", "read_only": True},
        )
        try:
            again.catch_up()
            assert facts(self.app) == facts(again)
            for word in sorted(self.owned)[:5]:
                assert found(self.app, word) == found(again, word)
        finally:
            again.close()
            shutil.rmtree(self.base / "other")

    @invariant()
    def no_memory_answers_twice(self) -> None:
        ids = [entry.memory_id for entry in self.app.store.catalog.memories()]
        assert len(ids) == len(set(ids))


def found(app: App, word: str) -> set[str]:
    page = app.recall.search(Request(query=word, ordinary=True, size=50))
    return {hit.entry.path for hit in page.hits}


TestVaults = Vaults.TestCase
TestVaults.settings = settings(
    max_examples=settings().max_examples // 6,
    stateful_step_count=25,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
