"""The set-up: its file and text, and the questions by which it is made."""
