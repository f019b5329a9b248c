"""Figures as sculptors made them: those of free games, posed, for the renderer to paint and to stand on bases."""
