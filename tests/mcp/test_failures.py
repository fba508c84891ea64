from __future__ import annotations

from pathlib import Path

import pytest
from mcp.server.mcpserver.exceptions import ToolError

from mnemex_vault import errors
from mnemex_vault.mcp.failures import advice, told_to_the_model

ROOT = Path("/home/somebody/Private folder/Vault")
ALL: list[errors.MnemexError] = [
    errors.ConfigError(["decay_beta: is 'x'"]),
    errors.ConfigError([f"the state folder {ROOT}/state is a link", f"{ROOT}/.env cannot be read"]),
    errors.ConfigError(["the state folder C:\\home/somebody/state belongs to another user"]),
    errors.ModelUnavailable(ROOT, "needs tokenizer.json"),
    errors.IndexUnavailable(f"{ROOT}/index: Permission denied"),
    errors.InvalidInput("content", "is empty"),
    errors.VaultUnavailable(ROOT, "there is no such folder"),
    errors.VaultEmptied(ROOT, known=20, found=2),
    errors.VaultNotSetUp(ROOT),
    errors.AutomationPaused(ROOT, "the clock went back"),
    errors.NoteNotFound(memory_id="k7q2x4dhw9"),
    errors.NoteExists("Memories/a.md"),
    errors.NoteChanged("Memories/a.md", expected="a", actual="b", difference="-old\n+new"),
    errors.UnreadableNote("Memories/a.md", "broken YAML"),
    errors.PathOutsideVault("../x"),
    errors.DuplicateId("k7q2x4dhw9", ["a.md", "b.md"]),
    errors.NotAllowed("the vault is read-only"),
    errors.WriteFailed("Memories/a.md", "no space left"),
    errors.LockTimeout("vault", 30),
    errors.IndexUnavailable("is being made"),
    errors.OperationNotFound("op12345678"),
    errors.UndoRefused("op12345678", "Memories/a.md", "-old\n+new"),
]


@pytest.mark.row("S19")
@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_every_error_is_told_with_what_to_do_and_without_paths_outside(error: errors.MnemexError) -> None:
    with pytest.raises(ToolError) as told, told_to_the_model():
        raise error
    text = str(told.value)
    assert "somebody" not in text
    assert len(text) > 40


@pytest.mark.parametrize("error", ALL, ids=lambda error: type(error).__name__)
def test_a_command_is_for_the_person_to_run(error: errors.MnemexError) -> None:
    told = advice(error)
    assert told.count("mnemex ") == told.count("ask them to run `mnemex ")


def test_a_long_difference_is_cut() -> None:
    error = errors.NoteChanged("a.md", expected="a", actual="b", difference="+x\n" * 100_000)
    assert len(advice(error)) < 9_000


def test_other_errors_stay_as_they_are() -> None:
    with pytest.raises(ZeroDivisionError), told_to_the_model():
        1 / 0  # noqa: B018
