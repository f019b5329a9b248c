"""References that contradict one another: which are believed, which are wrong, and by how much."""
