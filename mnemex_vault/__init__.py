"""A human-like memory for assistants, kept as notes in the person's own vault."""

__version__ = "0.1.0"
