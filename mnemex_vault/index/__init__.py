"""A disposable cache of the notes, outside the vault."""
