"""Memories for other programs: written to a new place, never over anything."""
