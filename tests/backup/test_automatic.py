from __future__ import annotations

from pathlib import Path

from mnemex_vault.app import make_app
from mnemex_vault.backup.snapshots import Backup
from mnemex_vault.service import Service


def test_the_server_takes_snapshots_once_a_backup_was_set_up(vault: Path, environ: dict[str, str]) -> None:
    (vault / "a.md").write_text("One.\n")
    app = make_app(vault, environ=environ, options={"git_commit_interval": 60})
    service = Service(app)
    backup = Backup(app.memories, app.state)
    service._take_snapshot()
    assert not backup.initialized
    backup.init()
    (vault / "a.md").write_text("Two.\n")
    service._take_snapshot()
    assert len(backup.history()) == 1
    app.close()
