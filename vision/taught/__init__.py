"""Pieces that a user taught from one or two pictures, and knowing them again."""
