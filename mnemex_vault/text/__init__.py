"""A note as text: nothing here opens a file."""
