"""`mnemex heal` on a vault that a sync tool left copies in."""

from __future__ import annotations

from pathlib import Path

from mnemex_vault.text.frontmatter import edit
from tests.cli.conftest import Run, Saver, contents


def test_copies_are_joined_or_named(run: Run, saved: Saver, vault: Path) -> None:
    assert run("heal").out == "There are no copies.\n"
    saved("Tea is at four.", "--title", "Tea")
    saved("Milk comes first.", "--title", "Milk")
    (vault / ".obsidian").mkdir()
    (vault / ".obsidian/app.json").write_text('{"trashOption": "local"}')
    folder = vault / "Memories/Short-term"
    text = (folder / "Tea.md").read_text("utf-8")
    same = "Tea.sync-conflict-20261202-120000-ABCDEFG.md"
    (folder / same).write_text(edit(text, {"use_count": 3, "last_used": "2099-01-01T00:00:00"}))
    (folder / "Milk (1).md").write_text((folder / "Milk.md").read_text("utf-8") + "Or last.\n")
    before = contents(vault)
    assert "would be joined: Memories/Short-term/Tea.md (3 uses" in run("heal", "--dry-run").out
    assert contents(vault) == before
    told = run("heal", "--json").data
    assert [(each["copy"], each["exact"]) for each in told["healed"]] == [(f"Memories/Short-term/{same}", False)]
    assert told["left"] == [
        {
            "copy": "Memories/Short-term/Milk (1).md",
            "path": "Memories/Short-term/Milk.md",
            "reason": "the texts differ",
        }
    ]
    assert "use_count: 3\n" in (folder / "Tea.md").read_text("utf-8")
    assert run("undo", told["healed"][0]["operation_id"]).code == 0
    assert contents(vault) == before
    out = run("heal").out
    assert "left to you: Memories/Short-term/Milk (1).md (the texts differ)" in out
    assert "1 copy joined, 1 left to you." in out


def test_nothing_is_joined_in_a_vault_that_is_only_read(run: Run, saved: Saver, vault: Path) -> None:
    saved("Tea is at four.", "--title", "Tea")
    note = vault / "Memories/Short-term/Tea.md"
    note.with_name("Tea 2.md").write_bytes(note.read_bytes())
    before = contents(vault)
    assert run("heal", MNEMEX_READ_ONLY="true").code == 1
    assert contents(vault) == before
