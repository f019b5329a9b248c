"""The window: the live picture with its overlays, the piece that was clicked, and what happened."""
