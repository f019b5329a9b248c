"""One net's glances at a whole table, piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from calibration.plane import TablePlane
from models import solids
from vision.detect.glance import Glance, Sight, glance
from vision.frame import ImageBgr
from vision.heat import Blocks, HeatMemory
from vision.topview import TopView
from vision.upright import UprightView, upright_views

# In which blocks of a view the net is asked, by what another said of the same piece of the table.
Where = Callable[[Glance[UprightView], UprightView], Blocks]


@dataclass(eq=False)
class Survey:
    """What a net said of each piece of a table is kept where nothing changed."""

    look: solids.Look
    _plane: TablePlane | None = None
    _pieces: tuple[tuple[UprightView, HeatMemory], ...] = ()

    def of(self, image_bgr: ImageBgr, plane: TablePlane, view: TopView) -> list[Glance[UprightView]]:
        """One glance for each piece of the table that `view` shows."""
        return [self._glance(image_bgr, piece, memory) for piece, memory in self._pieces_of(plane, view)]

    def closer(
        self, image_bgr: ImageBgr, coarse: Sequence[Glance[UprightView]], view: TopView, where: Where
    ) -> Iterator[tuple[Glance[UprightView], Glance[UprightView]]]:
        """Pairs of glances, this net's and the coarse one, at the same pieces: those of which `where`, told the coarse
        glance and this net's view, names any block."""
        if not coarse:
            return
        for seen, (piece, memory) in zip(coarse, self._pieces_of(coarse[0].plane, view), strict=True):
            asked = where(seen, piece)
            if asked.any():
                yield self._glance(image_bgr, piece, memory, asked), seen

    def _glance(
        self, image_bgr: ImageBgr, piece: UprightView, memory: HeatMemory, asked: Blocks | None = None
    ) -> Glance[UprightView]:
        size_px = (image_bgr.shape[1], image_bgr.shape[0])
        return glance(Sight(piece.plane, piece, piece.resample(image_bgr)), size_px, memory, asked)

    def _pieces_of(self, plane: TablePlane, view: TopView) -> tuple[tuple[UprightView, HeatMemory], ...]:
        """The pieces of the table, those of the look before if the camera stands as it did."""
        if self._plane is not plane:
            pieces = upright_views(plane, view, self.look.px_per_mm, self.look.tall_mm, solids.STRIDE_PX)
            memories = (HeatMemory(self.look.net, stride_px=solids.STRIDE_PX) for _ in pieces)
            self._plane, self._pieces = plane, tuple(zip(pieces, memories, strict=True))
        return self._pieces
