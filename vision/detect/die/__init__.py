"""Dice by their top faces, sides and edges."""
