"""Reading what people write; knows no memories, and reads nothing but its own data."""
