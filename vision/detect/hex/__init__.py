"""Hex grids: pitch, turn and origin of what is drawn on a mat."""
