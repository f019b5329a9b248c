"""One net's glances at a whole table, piece by piece."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from calibration.plane import TablePlane
from models import solids
from vision.detect.glance import Glance, Sight, glance, shown_cells, slant_of
from vision.frame import ImageBgr
from vision.heat import Blocks, HeatMemory
from vision.shared import begun, shared
from vision.topview import TopView
from vision.upright import UprightView, upright_views

# This net's glance and the coarse one, at one piece.
Pair = tuple[Glance[UprightView], Glance[UprightView]]
# In which blocks of a view the net is asked, by what another said of the same piece of the table.
Where = Callable[[Glance[UprightView], UprightView], Blocks]


@dataclass(eq=False)
class Survey:
    """What a net said of each piece of a table is kept where nothing changed.

    beside  who else can look at a piece meanwhile
    """

    look: solids.Look
    beside: Executor | None = None
    _plane: TablePlane | None = None
    _pieces: tuple[tuple[UprightView, HeatMemory], ...] = ()

    def make_ready(self, plane: TablePlane, view: TopView) -> None:
        """Work out what depends on the camera alone."""
        for piece, _ in self._pieces_of(plane, view):
            slant_of(plane, piece)
            shown_cells(piece, plane.lens.size_px)

    def of(self, image_bgr: ImageBgr, plane: TablePlane, view: TopView) -> list[Glance[UprightView]]:
        """One glance for each piece of the table that `view` shows."""
        return shared([partial(self._glance, image_bgr, *both) for both in self._pieces_of(plane, view)], self.beside)

    def closer(
        self, image_bgr: ImageBgr, coarse: Sequence[Glance[UprightView]], view: TopView, where: Where
    ) -> Callable[[], list[Pair]]:
        """Pairs of glances, this net's and the coarse one, at the same pieces: those of which `where`, told the coarse
        glance and this net's view, names any block. Begun by others now, finished when asked for."""
        pieces = self._pieces_of(coarse[0].plane, view) if coarse else ()
        pairs = begun(
            [partial(self._pair, image_bgr, *of, where) for of in zip(coarse, pieces, strict=True)], self.beside
        )
        return lambda: [pair for pair in pairs() if pair is not None]

    def _pair(
        self, image_bgr: ImageBgr, seen: Glance[UprightView], of: tuple[UprightView, HeatMemory], where: Where
    ) -> Pair | None:
        asked = where(seen, of[0])
        return (self._glance(image_bgr, *of, asked), seen) if asked.any() else None

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
