"""Bringing memories over from other stores."""
