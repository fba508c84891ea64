"""How defaults and values of settings are written for people."""

from __future__ import annotations

from mnemex_vault.settings import Setting


def value_text(row: Setting) -> str:
    """Return the default as people write it, or in words if nothing is set."""
    return row.unset if row.default is None else f"`{plain(row.default)}`"


def plain(value: object) -> str:
    """Return a value as it is written in an environment variable.

    >>> plain(True), plain(3.0), plain(1.603e-05), plain(("promote", "review")), plain(())
    ('true', '3', '1.603e-05', 'promote, review', 'none')
    """
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, tuple):
        return ", ".join(value) or "none"
    return str(value)
