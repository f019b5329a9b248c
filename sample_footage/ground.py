"""What the pieces lie on: table tops of several kinds, with or without the map sheet, as pictures at a known scale."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from sample_footage.hex_table import PX_PER_MM as MAT_PX_PER_MM
from sample_footage.hex_table import HexTable, mat_bgr
from sample_footage.light import Light
from sample_footage.map_sheet import MARGIN_MM, kingsmere_sheet_bgr
from sample_footage.noise import fractal
from sample_footage.shadows import occlusion_of, shadow_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from sample_footage.camera import Camera
    from sample_footage.shadows import Solid

    Floats = NDArray[np.float32]

# First and last row, first and last column of a part of the picture; the last ones are not in it.
Tile = tuple[int, int, int, int]

SHEET_PX_PER_MM = 6.0
TABLE_PX_PER_MM = 1.6
TABLE_REACH_MM = 900.0  # of table top on every side of the origin's sheet
TILE_PX = 96  # shadows are reckoned in squares of the picture: few things reach into each
RAYS = 2  # rays across a pixel for the ground, each way


@dataclass(frozen=True)
class Ground:
    """surface: oak, walnut, pine, green-cloth, grey-cloth, white; has_map: whether the sheet lies on it; mat: hexes."""

    surface: str = "oak"
    has_map: bool = True
    seed: int = 0
    mat: HexTable | None = None


@lru_cache(maxsize=4)
def table_top(surface: str, seed: int) -> NDArray[np.uint8]:
    """A large square of table, `TABLE_PX_PER_MM`, its middle at the middle of the sheet."""
    rng = np.random.default_rng([seed, *surface.encode()])
    side = round(2 * TABLE_REACH_MM * TABLE_PX_PER_MM)
    woods = {"oak": ((96, 140, 186), 13.0), "walnut": ((44, 62, 92), 9.0), "pine": ((140, 186, 222), 12.0)}
    if surface in woods:
        return _wood(side, *woods[surface], rng)
    colour = {"green-cloth": (62, 96, 44), "grey-cloth": (112, 110, 108), "white": (226, 230, 232)}[surface]
    weave = 9.0 if surface.endswith("cloth") else 1.2
    field = (
        weave * rng.standard_normal((side, side, 1)).astype(np.float32)
        + 5.0 * fractal((side, side), 300.0, 4, rng)[..., None]
    )
    return np.asarray(np.clip(np.asarray(colour, np.float32) + field, 0, 255), np.uint8)


def _wood(side: int, colour: tuple[int, int, int], contrast: float, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Planks along x with grain, pores and seams."""
    grain = fractal((side, side), (1500.0, 26.0), 5, rng)
    rings = np.sin(7.0 * fractal((side, side), (2200.0, 260.0), 3, rng) + 1.5 * grain)
    pores = np.clip(fractal((side, side), (60.0, 3.0), 1, rng) - 1.1, 0, 2)
    plank = (np.arange(side) // round(140 * TABLE_PX_PER_MM)).astype(int)
    tone = rng.normal(0, 7, plank.max() + 1)[plank]
    seam = np.zeros(side)
    seam[np.flatnonzero(np.diff(plank)) + 1] = -46
    value = (
        contrast * (0.55 * grain + 0.7 * rings)
        - 9 * pores
        + (tone + cv2.GaussianBlur(seam, (0, 0), 1.2).ravel())[:, None]
    )
    warmth = np.array([1.12, 1.0, 0.9], np.float32)
    return np.asarray(np.clip(np.asarray(colour, np.float32) + value[..., None] * warmth, 0, 255), np.uint8)


def linear(bgr: NDArray[np.uint8]) -> Floats:
    """sRGB values to light, 0 to 1 (IEC 61966-2-1)."""
    return _TO_LINEAR[bgr]


_S = np.arange(256) / 255.0
_TO_LINEAR = np.where(_S <= 0.04045, _S / 12.92, ((_S + 0.055) / 1.055) ** 2.4).astype(np.float32)


class View:
    """One camera over one ground: where each pixel meets the table, and what it sees there."""

    def __init__(self, camera: Camera, ground: Ground, light: Light) -> None:
        self.camera, self.ground, self.light = camera, ground, light
        width, height = camera.size_px
        u, v = np.meshgrid(np.arange(width, dtype=float), np.arange(height, dtype=float))
        self.table_mm = (
            camera.to_plane(np.column_stack([u.ravel(), v.ravel()])).reshape(height, width, 2).astype(np.float32)
        )

    @cached_property
    def lamp_share(self) -> Floats:
        """What part of each pixel's light comes from the lamp, (rows, columns, 3)."""
        strength = self.light.strength(self.table_mm)
        return np.asarray(1 - self.light.on(strength, shadow=1.0) / self.light.on(strength), np.float32)

    def bare(self) -> Floats:
        """The lit table with nothing on it, linear, (rows, columns, 3)."""
        albedo = self._albedo()
        strength = self.light.strength(self.table_mm)
        picture = albedo * self.light.on(strength)
        return np.asarray(picture + self._gloss()[..., None] * np.asarray(self.light.tint_bgr, np.float32), np.float32)

    def _albedo(self) -> Floats:
        width, height = self.camera.size_px
        total: Floats = np.zeros((height, width, 3), np.float32)
        for dv in (np.arange(RAYS) + 0.5) / RAYS - 0.5:
            for du in (np.arange(RAYS) + 0.5) / RAYS - 0.5:
                u, v = np.meshgrid(np.arange(width) + du, np.arange(height) + dv)
                xy = self.camera.to_plane(np.column_stack([u.ravel(), v.ravel()])).reshape(height, width, 2)
                total += linear(self._colour_at(xy))
        return np.asarray(total / RAYS**2, np.float32)

    def _colour_at(self, xy_mm: NDArray[np.float64]) -> NDArray[np.uint8]:
        x, y = xy_mm[..., 0], xy_mm[..., 1]
        top = table_top(self.ground.surface, self.ground.seed)
        scale, half = TABLE_PX_PER_MM, top.shape[0] / 2
        colour = cv2.remap(
            top,
            ((x - 350) * scale + half).astype(np.float32),
            ((250 - y) * scale + half).astype(np.float32),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REFLECT,
        )
        if self.ground.has_map:
            sheet = kingsmere_sheet_bgr(SHEET_PX_PER_MM)
            u = ((x + MARGIN_MM) * SHEET_PX_PER_MM - 0.5).astype(np.float32)
            v = (sheet.shape[0] - (y + MARGIN_MM) * SHEET_PX_PER_MM - 0.5).astype(np.float32)
            on_sheet = (u > -0.5) & (v > -0.5) & (u < sheet.shape[1] - 0.5) & (v < sheet.shape[0] - 0.5)
            printed = cv2.remap(_softened(SHEET_PX_PER_MM), u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
            colour = np.where(on_sheet[..., None], printed, colour)
        if self.ground.mat is not None:
            colour = _with_mat(colour, x, y, self.ground.mat)
        return np.asarray(colour, np.uint8)

    def _gloss(self) -> Floats:
        """The lamp's reflection in shiny paper or varnish, broad and weak."""
        eye = self.camera.eye_mm
        to_table = np.dstack(
            [self.table_mm - eye[:2].astype(np.float32), np.full(self.table_mm.shape[:2], -eye[2], np.float32)]
        )
        to_table /= np.linalg.norm(to_table, axis=2, keepdims=True)
        mirror = to_table * np.array([1, 1, -1], np.float32)
        closeness = mirror @ self.light.towards().astype(np.float32)
        return np.asarray(self.light.gloss * np.exp((closeness - 1) / (0.5 * 0.22**2)), np.float32)

    def shaded(self, discs: Sequence[Solid]) -> list[tuple[Tile, tuple[Solid, ...]]]:
        """The parts of the picture in which they take light, no pixel twice, each with those that may."""
        return [(tile, self._near(tile, discs)) for tile in _tiles(self, discs)]

    def left_in(self, tile: Tile, near: Sequence[Solid]) -> Floats:
        """The share of the table's light that they leave there, (rows, columns, 3)."""
        xy = self.table_mm[window_of(tile)]
        flat = xy.reshape(-1, 2)
        strength = self.light.strength(flat)
        left = self.light.on(strength, shadow_of(near, flat, 0.0, self.light), occlusion_of(near, flat, 0.0))
        return np.asarray((left / self.light.on(strength)).reshape(*xy.shape[:2], 3), np.float32)

    def _near(self, tile: Tile, discs: Sequence[Solid]) -> tuple[Solid, ...]:
        xy = self.table_mm[window_of(tile)].reshape(-1, 2)
        return tuple(solid for solid in discs if _reaches(solid, xy))


def window_of(tile: Tile) -> tuple[slice, slice]:
    """Rows and columns of the picture."""
    v0, v1, u0, u1 = tile
    return slice(v0, v1), slice(u0, u1)


def _reaches(disc: Solid, xy_mm: NDArray[np.floating]) -> bool:
    margin = disc.radius_mm + 4 * disc.high_mm + 4
    low, high = xy_mm.min(axis=0) - margin, xy_mm.max(axis=0) + margin
    return bool(np.all(low < disc.xy_mm) and np.all(np.asarray(disc.xy_mm) < high))


def _tiles(view: View, discs: Sequence[Solid]) -> list[Tile]:
    """Parts of the picture that together hold all shadows, no pixel twice: of each square what shadows reach into."""
    width, height = view.camera.size_px
    needed = np.zeros((height, width), np.uint8)
    for disc in discs:
        margin = disc.radius_mm + 2.2 * disc.high_mm + 3
        x, y = disc.xy_mm
        corners = view.camera.project([(x + sx * margin, y + sy * margin, 0) for sx in (-1, 1) for sy in (-1, 1)])
        (u0, v0), (u1, v1) = np.floor(corners.min(axis=0)).astype(int), np.ceil(corners.max(axis=0)).astype(int)
        cv2.rectangle(needed, (int(u0), int(v0)), (int(u1), int(v1)), (1,), -1)
    squares = [(v, u) for v in range(0, height, TILE_PX) for u in range(0, width, TILE_PX)]
    boxes = [(v, u, *cv2.boundingRect(needed[v : v + TILE_PX, u : u + TILE_PX])) for v, u in squares]
    return [(v + y, v + y + rows, u + x, u + x + columns) for v, u, x, y, columns, rows in boxes if rows]


def _with_mat(
    colour: NDArray[np.uint8], x_mm: NDArray[np.float64], y_mm: NDArray[np.float64], mat: HexTable
) -> NDArray[np.uint8]:
    """The table's colours with those of the mat where it lies."""
    drawn = _softened_mat(mat)
    u = (x_mm * MAT_PX_PER_MM - 0.5).astype(np.float32)
    v = (drawn.shape[0] - y_mm * MAT_PX_PER_MM - 0.5).astype(np.float32)
    printed = cv2.remap(drawn, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    x0, y0, x1, y1 = mat.region_mm
    on_mat = (x_mm >= x0) & (x_mm <= x1) & (y_mm >= y0) & (y_mm <= y1)
    return np.where(on_mat[..., None], printed, colour)


@lru_cache(maxsize=1)
def _softened_mat(mat: HexTable) -> NDArray[np.uint8]:
    """As `_softened`."""
    return np.asarray(cv2.GaussianBlur(mat_bgr(mat), (0, 0), 0.17 * MAT_PX_PER_MM), np.uint8)


@lru_cache(maxsize=1)
def _softened(px_per_mm: float) -> NDArray[np.uint8]:
    """The sheet without the detail that a camera at 2 px/mm would turn into moire."""
    return np.asarray(cv2.GaussianBlur(kingsmere_sheet_bgr(px_per_mm), (0, 0), 0.17 * px_per_mm), np.uint8)
