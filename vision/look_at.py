"""What the observer asks of eyes: to look at a frame of a table that was measured."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, runtime_checkable

from calibration.plane import TablePlane
from vision.frame import Frame
from vision.memory.agree import Look

# What they say of a frame, the plane being where the camera stands over the table.
LookAt = Callable[[Frame, TablePlane], Look]


@runtime_checkable
class Readied(Protocol):
    """Eyes of which a part of the first look can be done beforehand."""

    def __call__(self, frame: Frame, plane: TablePlane) -> Look:
        """As any eyes."""
        ...

    def make_ready(self, frame: Frame, plane: TablePlane) -> None:
        """Work out what depends on camera and table alone."""
        ...
