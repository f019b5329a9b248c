"""Playing cards: hints of them, what they say, and where their sides lie."""
