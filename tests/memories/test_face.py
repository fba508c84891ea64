"""The public API in Python: what its page shows runs, and every verb is on the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import mnemex_vault
from mnemex_vault import Draft, Memories, RelationType, Revision, Tier, open_vault
from mnemex_vault.app import App
from mnemex_vault.errors import NotAllowed, NoteNotFound

PAGE = (Path(__file__).parents[2] / "docs/python.md").read_text(encoding="utf-8")


@pytest.fixture
def memories(app: App) -> Memories:
    return app.memories


def test_the_example_runs_as_it_stands(
    vault: Path, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    example = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)[0]
    exec(compile(example.replace("~/Notes", str(vault)), "python.md", "exec"), {})
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "The pump needs oil in May Memories/Short-term/The pump needs oil in May.md"
    assert said[-1].endswith("The well is behind the barn, four metres deep.")


def test_every_verb_is_on_the_page() -> None:
    verbs = {name for name in vars(Memories) if not name.startswith("_")}
    assert verbs <= set(re.findall(r"`(\w+)", PAGE))
    assert all(getattr(mnemex_vault, name) for name in mnemex_vault.__all__)


def test_a_memory_lives_through_every_verb(memories: Memories) -> None:
    gate = memories.save(Draft(content="The gate is green.", title="Gate", kind="none")).memory
    mill = memories.save("The mill is old and has three stones.").memory
    assert memories.find("what colour is the gate").hits[0].entry.memory_id == gate.id
    edge = memories.relate(gate.id, mill.id, RelationType.RELATED)
    assert memories.unrelate(gate.id, mill.id, RelationType.RELATED).id == edge.id
    assert memories.use(gate.id).usage.use_count == 2
    opened = memories.open(gate.id)
    memories.update(gate.id, Revision(content="The gate is red."), etag=opened.note.etag)
    assert memories.promote(gate.id) is None
    promoted = memories.promote(gate.id, force=True)
    assert promoted
    assert promoted.tier is Tier.LONG_TERM
    assert memories.demote(gate.id).tier is Tier.SHORT_TERM
    assert memories.forget(gate.id).tier is Tier.ARCHIVED
    undone = memories.undo()
    assert (undone.undid.kind, undone.left) == ("forget", [])
    assert memories.forget(gate.id).tier is Tier.ARCHIVED
    assert memories.restore(gate.id).tier is Tier.SHORT_TERM
    entry = memories.memory_entry(gate.id)
    assert memories.note(entry).content.strip() == "The gate is red."
    assert memories.fades_on(memories.usage(entry), tier=entry.tier)
    assert 0 < memories.score(gate.id) == memories.score(entry, now=memories.now())
    assert entry in memories.all(Tier.SHORT_TERM)
    assert memories.may_read(entry)
    assert memories.erase(mill.id).paths
    with pytest.raises(NoteNotFound):
        memories.open(mill.id)
    assert memories.history(limit=1)[0].final


def test_options_stand_ahead_of_all_other_settings(
    vault: Path, environ: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    with open_vault(vault, read_only=True) as memories, pytest.raises(NotAllowed):
        memories.save("The gate is green.")


def test_a_name_that_is_not_public_is_told_as_python_does() -> None:
    with pytest.raises(AttributeError, match="module 'mnemex_vault' has no attribute 'Vault'"):
        mnemex_vault.Vault  # type: ignore[attr-defined] # noqa: B018
