"""Bringing memories along from other programs, without changing what they have."""
