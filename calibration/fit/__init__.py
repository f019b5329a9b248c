"""The least squares over all that was seen: its unknowns, its misfits, and the error that it leaves."""
