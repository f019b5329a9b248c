"""Dice by their top faces, sides, edges and silhouettes."""
