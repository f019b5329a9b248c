"""The eyes that the set-up asks for: what finds and names pieces in a picture of a measured table."""

from __future__ import annotations

from vision.observe import LookAt


def eyes_for() -> LookAt:
    """The look of the packaged models, loaded now: it takes a second, and only pictures need it."""
    from vision.eyes import Eyes

    return Eyes.packaged().look
