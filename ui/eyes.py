"""The eyes that a set-up asks for: what finds and names pieces in a picture of a measured table."""

from __future__ import annotations

from vision.eyes import Eyes
from vision.observe import LookAt


def eyes_for(table_size_mm: tuple[float, float] | None = None) -> LookAt:
    """The look of the packaged models for a table of that size, loaded now; ValueError if a model is missing."""
    return Eyes.packaged(table_size_mm).look
