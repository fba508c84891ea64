"""What was done to the notes: steps, the journal, undo, recovery, and the texts that were displaced."""
