"""A vault on disk: its files, the system calls they rest on, and the lock."""
