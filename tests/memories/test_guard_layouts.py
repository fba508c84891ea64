from __future__ import annotations

from pathlib import Path

from mnemex_vault.disk.vault import Layout
from mnemex_vault.memories.guard import LayoutClaims

INBOX = Layout(short_term="Inbox")


def test_processes_that_agree_see_no_other(tmp_path: Path) -> None:
    one, two = LayoutClaims(tmp_path), LayoutClaims(tmp_path)
    one.claim(Layout())
    two.claim(Layout())
    assert one.other() is None
    assert two.other() is None


def test_other_folders_are_seen_from_both_sides_until_they_are_let_go(tmp_path: Path) -> None:
    one, two = LayoutClaims(tmp_path), LayoutClaims(tmp_path)
    one.claim(Layout())
    two.claim(INBOX)
    assert one.other() == INBOX
    assert two.other() == Layout()
    two.claim(Layout())
    assert one.other() is None
    two.claim(INBOX)
    two.release()
    assert one.other() is None


def test_what_is_no_layout_is_passed_over(tmp_path: Path) -> None:
    claims = LayoutClaims(tmp_path)
    claims.claim(Layout())
    (tmp_path / "odd.json").write_text("no json")
    assert claims.other() is None
