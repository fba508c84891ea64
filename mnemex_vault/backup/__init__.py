"""Snapshots of the vault's notes with git, and merging what several devices changed."""
