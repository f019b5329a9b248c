"""The picture in which the table was agreed on last, as the camera would show that table by now."""

from __future__ import annotations

from dataclasses import dataclass, replace

from calibration.plane import TablePlane
from vision.frame import Frame
from vision.memory.not_gone import Agreed
from vision.stream.same_size import Size, as_shown_by, same_size
from vision.tripod.standpoint import seen_from


@dataclass(eq=False)
class AgreedPicture:
    """What later pictures are compared with, wherever the camera stands and however many pixels it shows by then.

    agreed     the frame that was agreed on last, and the table plane of the camera that took it; None before the first
    camera_px  (width, height) of the last frame as it came
    """

    table_size_mm: tuple[float, float]
    agreed: Agreed | None = None
    camera_px: Size | None = None
    # Of the first frame, in which the table was measured.
    _size_px: Size | None = None

    @property
    def is_other_size(self) -> bool:
        """Whether the camera shows fewer pixels than at first, or more."""
        return self.camera_px != self._size_px

    def sized(self, frame: Frame) -> Frame:
        """A frame that came now, at the size of the first one."""
        height, width = frame.image_bgr.shape[:2]
        self.camera_px = (width, height)
        self._size_px = self._size_px or self.camera_px
        return replace(frame, image_bgr=same_size(frame.image_bgr, self._size_px))

    def from_here(self, frame: Frame, plane: TablePlane, earlier: Agreed | None = None) -> Frame:
        """The picture agreed last, or an `earlier` one, as the camera that takes `frame` from where `plane` tells would
        show it; `frame` itself if none is agreed."""
        agreed, was = earlier or self.agreed or (frame, plane)
        return agreed if was is plane else seen_from(agreed, was, frame, plane, self.table_size_mm)

    def as_shown(self, frame: Frame, plane: TablePlane, earlier: Agreed | None = None) -> Frame:
        """The same, no finer than the camera shows it now."""
        there = self.from_here(frame, plane, earlier)
        return replace(there, image_bgr=as_shown_by(there.image_bgr, self.camera_px)) if self.camera_px else there
