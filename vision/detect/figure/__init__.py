"""Toy soldiers and the bases of miniatures."""
