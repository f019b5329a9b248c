"""Edges of a picture to a fraction of a pixel, and how soft they are."""
