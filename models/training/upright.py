"""A piece of a tile as the camera saw it: what is away from the camera is up, and nothing is drawn out along the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from models import solids
from models.training.slices import PX_PER_MM, SURFACE_PX_PER_MM

Array = NDArray[np.float64]

# How far to the side a point above the table may show from its place, per mm of its height: a view is upright in its
# middle only.
_ASIDE = 0.2
# Sigma of what a pixel gathers, in pixels.
_SOFT = 0.45
# Crops begin at a figure so often, and elsewhere at random.
_AT_FIGURES = 0.7


@dataclass(frozen=True, eq=False)
class Tile:
    """Where to look on a tile of `models.train_solids_data`: its side, its slant and the rows of its figures."""

    side_px: int
    slant: Array
    rows: NDArray[np.float32]

    def place(self, rng: np.random.Generator) -> Array:
        """A figure on the tile, or anywhere."""
        if len(self.rows) and rng.random() < _AT_FIGURES:
            return np.asarray(self.rows[rng.integers(len(self.rows)), 1:3] * PX_PER_MM, float)
        return np.asarray(rng.uniform(0.25, 0.75, 2) * self.side_px)


@dataclass(frozen=True, eq=False)
class Upright:
    """A square view of `side_px`.

    warp   (2, 3) from px of the tile to px of the view
    turn   (2, 2) rotation, perhaps mirrored, of directions on the tile before they are foreshortened
    scale  px of the view per mm across
    slant  (2,) how far a point above the table shows from its place in the view, per px of its height
    """

    side_px: int
    warp: Array
    turn: Array
    scale: float
    slant: Array

    @classmethod
    def drawn(cls, rng: np.random.Generator, side_px: int, scale: float, tile: Tile) -> Upright:
        """Somewhere on a tile, leaning as at the sides of a view, perhaps mirrored."""
        lean = np.arctan2(rng.normal(0, _ASIDE), np.hypot(*tile.slant))
        mirror = np.diag([rng.choice([-1.0, 1.0]), 1.0])
        aside_px = rng.uniform(-0.4, 0.4, 2) * side_px
        return cls._laid(side_px, scale, mirror @ _turn(tile.slant, lean), tile.slant, tile.place(rng), aside_px)

    @classmethod
    def whole(cls, side_px: int, scale: float, tile: Tile, lean: float = 0.0) -> Upright:
        """All of a tile, its middle in the middle, perhaps leaning by `lean` rad."""
        middle = np.full(2, (tile.side_px - 1) / 2)
        return cls._laid(side_px, scale, _turn(tile.slant, lean), tile.slant, middle, np.zeros(2))

    @classmethod
    def _laid(cls, side_px: int, scale: float, turn: Array, slant: Array, place_px: Array, aside_px: Array) -> Upright:
        """With that place of the tile so far from the middle of the view."""
        short = np.diag([1.0, 1 / np.hypot(1.0, np.hypot(*slant))])
        linear = short @ turn * scale / PX_PER_MM
        warp = np.c_[linear, (side_px - 1) / 2 + aside_px - linear @ place_px]
        return cls(side_px, warp, turn, scale, short @ turn @ slant)

    def shows(self, px: Array, tile_px: int) -> NDArray[np.bool_]:
        """Which of (n, 2) px of the view lie on a tile of that side."""
        on_tile = (px - self.warp[:, 2]) @ np.linalg.inv(self.warp[:, :2]).T
        return np.asarray(((on_tile >= 0) & (on_tile <= tile_px - 1)).all(axis=1), bool)

    def picture(self, tile: NDArray[np.uint8]) -> NDArray[np.uint8]:
        """(side, side, 3), black beyond the tile; softened where it is shown more coarsely, so that nothing aliases."""
        coarser = PX_PER_MM / self.scale
        soft = cv2.GaussianBlur(tile, (0, 0), _SOFT * coarser) if coarser > 1 else tile
        return np.asarray(cv2.warpAffine(soft, self.warp, (self.side_px,) * 2, flags=cv2.INTER_LINEAR), np.uint8)

    def surface(self, layer: NDArray[Any]) -> NDArray[Any]:
        """(cells, cells) of a layer at SURFACE_PX_PER_MM, at the middles of the cells; 0 beyond the tile."""
        share = SURFACE_PX_PER_MM / PX_PER_MM
        full = np.vstack([self.warp, (0, 0, 1)])
        cells = np.array([[1 / 4, 0, -3 / 8], [0, 1 / 4, -3 / 8], [0, 0, 1]])
        fine = np.array([[1 / share, 0, (1 / share - 1) / 2], [0, 1 / share, (1 / share - 1) / 2], [0, 0, 1]])
        side = self.side_px // solids.CELL_PX
        laid = cv2.warpAffine(layer, (cells @ full @ fine)[:2], (side, side), flags=cv2.INTER_NEAREST)
        return np.asarray(laid, layer.dtype)

    def rows(self, rows: NDArray[np.float32]) -> NDArray[np.float32]:
        """(n, 6) of `models.train_solids_data`, in px of the view and turned with it."""
        moved = rows.copy()
        moved[:, 1:3] = rows[:, 1:3] * PX_PER_MM @ self.warp[:, :2].T + self.warp[:, 2]
        ahead = np.stack([np.cos(rows[:, 3]), np.sin(rows[:, 3])], axis=1) @ self.turn.T
        moved[:, 3] = np.arctan2(ahead[:, 1], ahead[:, 0])
        moved[:, 4] *= self.scale
        return moved


def _turn(slant: Array, lean: float) -> Array:
    """(2, 2) rotation that makes `slant` point up, but for `lean` rad."""
    angle = -np.pi / 2 - np.arctan2(slant[1], slant[0]) + lean
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
