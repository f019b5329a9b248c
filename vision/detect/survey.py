"""One net's glances at a whole table, piece by piece."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.plane import TablePlane
from models import solids
from vision.detect.glance import Glance, Sight, glance
from vision.frame import ImageBgr
from vision.heat import HeatMemory
from vision.topview import TopView
from vision.upright import UprightView, upright_views


@dataclass(eq=False)
class Survey:
    """What a net said of each piece of a table is kept where nothing changed."""

    look: solids.Look
    _plane: TablePlane | None = None
    _pieces: tuple[tuple[UprightView, HeatMemory], ...] = ()

    def of(self, image_bgr: ImageBgr, plane: TablePlane, view: TopView) -> list[Glance[UprightView]]:
        """One glance for each piece of the table that `view` shows."""
        size_px = (image_bgr.shape[1], image_bgr.shape[0])
        if self._plane is not plane:
            self._plane, self._pieces = plane, self._pieces_of(plane, view)
        return [
            glance(Sight(plane, piece, piece.resample(image_bgr)), size_px, memory) for piece, memory in self._pieces
        ]

    def _pieces_of(self, plane: TablePlane, view: TopView) -> tuple[tuple[UprightView, HeatMemory], ...]:
        pieces = upright_views(plane, view, self.look.px_per_mm, self.look.tall_mm, solids.STRIDE_PX)
        return tuple((piece, HeatMemory(self.look.net, stride_px=solids.STRIDE_PX)) for piece in pieces)
