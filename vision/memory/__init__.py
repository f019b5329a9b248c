"""What is remembered of pieces: which is which, what lies on what, and what cannot have gone."""
