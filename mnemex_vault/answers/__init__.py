"""What each verb answers: one file a noun with the view, how it is built, and how it reads."""
