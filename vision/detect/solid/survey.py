"""What one net says of a whole table: the table is cut into upright views, and the net looks at each (a glance)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

from calibration.plane import TablePlane
from models import solids
from vision.detect.solid.glance import Glance, Sight, glance, shown_cells, slant_of
from vision.frame import ImageBgr
from vision.metric.heat import Blocks, HeatMemory
from vision.metric.topview import TopView
from vision.metric.upright import UprightView, upright_views
from vision.shared import begun, shared

# This net's glance and the coarse one, at one piece.
Pair = tuple[Glance[UprightView], Glance[UprightView]]
# In which blocks of a view the net is asked, by what another said of the same piece of the table.
Where = Callable[[Glance[UprightView], UprightView], Blocks]


@dataclass(eq=False)
class Survey:
    """Keeps what a net said of each part of a table, and asks it again only where the picture changed.

    beside  threads that can look at other parts meanwhile
    way     how the net is shown each part, if not upright
    """

    look: solids.Look
    beside: Executor | None = None
    way: Callable[[UprightView], UprightView] | None = None
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
        """This net's glances at those parts of the table where a coarser net saw something, each with the coarse one.

        coarse  the other net's glances, one for each part
        where   given a coarse glance and this net's view: which blocks of the view to look at; none skips the part
        The work begins on the other threads at once; calling the result waits for it and gives the pairs.
        """
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
            pieces = pieces if self.way is None else tuple(map(self.way, pieces))
            memories = (HeatMemory(self.look.net, stride_px=solids.STRIDE_PX) for _ in pieces)
            self._plane, self._pieces = plane, tuple(zip(pieces, memories, strict=True))
        return self._pieces
