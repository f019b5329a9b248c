"""What a film needs of a rendered table: its camera's view, its frames at rest, and what a hand holds."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.coin_draw import Patch
from sample_footage.figure import Figure, cut_out
from sample_footage.ground import Ground, Tile, View

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sample_footage.camera import Camera
    from sample_footage.light import Light
    from sample_footage.shadows import Solid
    from sample_footage.solid_table import SolidTable

    Floats = NDArray[np.float32]


_NOTHING = Patch((0, 0), np.zeros((1, 1, 3), np.float32), np.zeros((1, 1), np.float32)), np.zeros(2)


class SolidView(View):
    """The renderer's camera: its shadows are in the pictures."""

    def __init__(self, camera: Camera, light: Light, table: SolidTable) -> None:
        super().__init__(camera, Ground(), light)
        self._table = table

    def bare(self) -> Floats:
        """The table as it was shot first."""
        return self._table.picture.copy()

    def shaded(self, discs: Sequence[Solid]) -> list[tuple[Tile, tuple[Solid, ...]]]:
        """No part of the picture: the renderer drew the shadows."""
        return []


class SolidDrawn:
    """The table at rest, shot anew where something was moved, and figures cut out of it for the hands."""

    def __init__(self, table: SolidTable, brought: Sequence[Figure]) -> None:
        self._table = table
        self._cuts: dict[str, tuple[Patch, NDArray[np.float64]]] = {}
        before = table.lying
        table.show([*before, *brought])
        self._cut(brought)
        table.show(before)

    def table(self, _: Floats, pieces: Sequence[Figure]) -> Floats:
        """The linear picture of a table with these figures on it."""
        self._table.show(pieces)
        self._cut(pieces)
        return self._table.picture.copy()

    def patch(self, held: Figure, _: Sequence[Figure]) -> Patch:
        """The figure as it looked when it last stood, shifted to where it is held; nothing if it never showed."""
        cut, foot_px = self._cuts.get(held.id, _NOTHING)
        u, v = np.rint(held.foot_px(self._table.camera) - foot_px).astype(int)
        return replace(cut, corner_px=(cut.corner_px[0] + int(u), cut.corner_px[1] + int(v)))

    def _cut(self, figures: Sequence[Figure]) -> None:
        for one in figures:
            shown = self._table.index == one.number
            if shown.any():
                self._cuts[one.id] = cut_out(self._table.picture, shown), one.foot_px(self._table.camera)
