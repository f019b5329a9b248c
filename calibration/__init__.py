"""Pixels <-> millimetres: lens, markers, table plane, known objects, drift and error."""
