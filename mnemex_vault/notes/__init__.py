"""The vault on disk: notes as text and as files."""
