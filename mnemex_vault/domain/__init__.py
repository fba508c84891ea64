"""Pure rules of memory: no I/O, no clock; `now` is always an argument."""
