"""A table with a hex grid on it, in many styles, with things on top, as a camera sees it: to measure its finder."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import cv2
import numpy as np

from rules.geometry.hexes import HexGrid
from sample_footage.bands import bands
from sample_footage.map_sheet import kingsmere_sheet_bgr
from sample_footage.noise import fractal

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sample_footage.camera import Camera

TABLE_MM = (700.0, 500.0)
PX_PER_MM = 6.0
Style = Literal["lines", "pale lines", "broad lines", "dashes", "fields", "corners", "centres", "hexmat", "none"]
STYLES: tuple[Style, ...] = ("lines", "pale lines", "broad lines", "dashes", "fields", "corners", "centres", "hexmat")
Paper = Literal["white", "grass", "sand", "map"]
PAPERS: tuple[Paper, ...] = ("white", "grass", "sand", "map")
_PAPER_BGR = {"white": (232, 236, 238), "grass": (70, 128, 96), "sand": (128, 176, 206)}
# Sub-pixel bits of OpenCV's drawing.
_SHIFT = 4
# So many hexes have a tint of their own before the tints come round again.
_HEX_NUMBERS = 997


@dataclass(frozen=True)
class Cutting:
    """A piece of coloured paper that stands for ground.

    corners_mm  counter-clockwise
    """

    colour: str
    bgr: tuple[float, float, float]
    corners_mm: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class HexTable:
    """The mat that lies on a table and what lies on the mat.

    direction_deg  of the neighbours, + 60 k
    origin_mm      a hex centre
    part_mm        x0, y0, x1, y1 of the mat; the whole table if None
    things         how many discs, boxes and strips lie on it
    cuttings       papers that lie on it for woods and lakes
    """

    pitch_mm: float
    direction_deg: float
    origin_mm: tuple[float, float]
    style: Style = "lines"
    paper: Paper = "white"
    part_mm: tuple[float, float, float, float] | None = None
    things: int = 0
    seed: int = 0
    cuttings: tuple[Cutting, ...] = ()

    @property
    def grid(self) -> HexGrid:
        """Its hexes as the rules count them."""
        return HexGrid(self.pitch_mm, self.origin_mm, self.direction_deg)

    @property
    def region_mm(self) -> tuple[float, float, float, float]:
        """x0, y0, x1, y1 of the mat."""
        return self.part_mm or (0.0, 0.0, *TABLE_MM)


def sheet_bgr(table: HexTable) -> NDArray[np.uint8]:
    """The table from above, row 0 at the far edge, `PX_PER_MM`."""
    rng = np.random.default_rng([31, table.seed])
    sheet = _paper(table.paper, rng)
    drawn = _drawn(table, sheet.copy(), rng)
    x0, y0, x1, y1 = table.region_mm
    rows = slice(round((TABLE_MM[1] - y1) * PX_PER_MM), round((TABLE_MM[1] - y0) * PX_PER_MM))
    columns = slice(round(x0 * PX_PER_MM), round(x1 * PX_PER_MM))
    if table.part_mm is not None:
        sheet = (0.6 * sheet).astype(np.uint8)
    sheet[rows, columns] = drawn[rows, columns]
    _lay_things(sheet, table.things, rng)
    return sheet


def mat_bgr(table: HexTable) -> NDArray[np.uint8]:
    """The mat as if it covered the table, with its cuttings, row 0 at the far edge, `PX_PER_MM`."""
    rng = np.random.default_rng([31, table.seed])
    mat = _drawn(table, _paper(table.paper, rng), rng)
    for cutting in table.cuttings:
        corners = np.array(cutting.corners_mm) @ (1, 1j)
        cv2.fillPoly(mat, [_fixed(corners)], cutting.bgr, cv2.LINE_AA, _SHIFT)
    return mat


def seen_bgr(table: HexTable, camera: Camera, noise: float = 2.0) -> NDArray[np.uint8]:
    """The picture that a camera takes of it, lit from one side, with noise and JPEG."""
    rng = np.random.default_rng([32, table.seed])
    sheet = cv2.GaussianBlur(sheet_bgr(table), (0, 0), 0.45 * PX_PER_MM / 2)
    width, height = camera.size_px
    px = np.stack(np.meshgrid(np.arange(width), np.arange(height)), axis=-1).reshape(-1, 2)
    at = camera.to_plane(px)
    u = (at[:, 0] * PX_PER_MM - 0.5).reshape(height, width).astype(np.float32)
    v = ((TABLE_MM[1] - at[:, 1]) * PX_PER_MM - 0.5).reshape(height, width).astype(np.float32)
    seen = cv2.remap(sheet, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(60, 84, 118))
    light = 0.75 + 0.4 * (at[:, 0] / TABLE_MM[0]).reshape(height, width).clip(-0.2, 1.2)
    # Channel by channel: numpy is slow along a last axis of three.
    channels = [(channel * light).astype(np.float32) for channel in cv2.split(seen)]
    lit = cv2.GaussianBlur(cv2.merge(channels), (0, 0), 0.6)
    noisy = np.clip(lit + rng.normal(0, noise, lit.shape), 0, 255).astype(np.uint8)
    return np.asarray(cv2.imdecode(cv2.imencode(".jpg", noisy, [cv2.IMWRITE_JPEG_QUALITY, 88])[1], 1), np.uint8)


def _paper(paper: Paper, rng: np.random.Generator) -> NDArray[np.uint8]:
    columns, rows = (round(side * PX_PER_MM) for side in TABLE_MM)
    if paper == "map":
        printed = kingsmere_sheet_bgr(PX_PER_MM)
        top, left = (printed.shape[0] - rows) // 2, (printed.shape[1] - columns) // 2
        return printed[top : top + rows, left : left + columns].copy()
    if paper == "white":
        return np.full((rows, columns, 3), _PAPER_BGR[paper], np.uint8)
    tone = 9.0 * fractal((rows // 4, columns // 4), 60.0, 5, rng)
    field = cv2.resize(tone.astype(np.float32), (columns, rows), interpolation=cv2.INTER_LINEAR)
    channels = [np.clip(np.float32(level) + field, 0, 255).astype(np.uint8) for level in _PAPER_BGR[paper]]
    return np.asarray(cv2.merge(channels), np.uint8)


def _centres(table: HexTable) -> NDArray[np.complex128]:
    """All hex centres on the table and around it."""
    reach = math.ceil(2 * max(TABLE_MM) / table.pitch_mm)
    q, r = np.meshgrid(np.arange(-reach, reach + 1), np.arange(-reach, reach + 1))
    step = table.pitch_mm * np.exp(1j * np.radians(table.direction_deg))
    at = (complex(*table.origin_mm) + step * (q + r * np.exp(1j * np.pi / 3))).ravel()
    slack = table.pitch_mm
    near = (np.abs(at.real - TABLE_MM[0] / 2) < TABLE_MM[0] / 2 + slack) & (
        np.abs(at.imag - TABLE_MM[1] / 2) < TABLE_MM[1] / 2 + slack
    )
    return np.asarray(at[near])


def _fixed(points: NDArray[np.complex128]) -> NDArray[np.int32]:
    px = np.stack([points.real, TABLE_MM[1] - points.imag], axis=-1) * PX_PER_MM - 0.5
    return np.rint(px * (1 << _SHIFT)).astype(np.int32)


def _drawn(table: HexTable, sheet: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    if table.style == "none":
        return sheet
    centres = _centres(table)
    turn = np.radians(table.direction_deg)
    corners = table.pitch_mm / np.sqrt(3) * np.exp(1j * (turn + np.pi / 6 + np.pi / 3 * np.arange(6)))
    if table.style == "fields":
        return _fields(sheet, table, rng)
    ink = (58, 58, 58) if table.paper != "grass" else (28, 48, 36)
    if table.style in ("corners", "centres", "hexmat"):
        dots = (centres[:, None] + corners).ravel() if table.style == "corners" else centres
        radius_mm = 0.35 if table.style == "hexmat" else 1.1
        for dot in _fixed(dots):
            cv2.circle(sheet, dot, round(radius_mm * PX_PER_MM * (1 << _SHIFT)), ink, -1, cv2.LINE_AA, _SHIFT)
    if table.style not in ("corners", "centres"):
        _lines(table.style, sheet, centres, corners, ink)
    return sheet


def _lines(
    style: Style,
    sheet: NDArray[np.uint8],
    centres: NDArray[np.complex128],
    corners: NDArray[np.complex128],
    ink: object,
) -> None:
    width_mm = {"broad lines": 1.6, "pale lines": 0.5}.get(style, 0.35)
    colour = tuple((0.72 * sheet[::40, ::40].reshape(-1, 3).mean(axis=0)).tolist()) if style == "pale lines" else ink
    share = np.array([[0.0, 0.28], [0.72, 1.0]]) if style == "dashes" else np.array([[0.0, 1.0]])
    for centre in centres:
        for start, end in zip(centre + corners, centre + np.roll(corners, -1), strict=True):
            ends = start + share * (end - start)
            cv2.polylines(
                sheet, list(_fixed(ends)), False, colour, max(1, round(width_mm * PX_PER_MM)), cv2.LINE_AA, _SHIFT
            )


def _fields(sheet: NDArray[np.uint8], table: HexTable, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Hexes filled with the tints of ground, no line between."""
    tints = np.array([(96, 150, 120), (120, 180, 170), (150, 200, 205), (200, 180, 130), (90, 120, 90)])
    of_number = tints[rng.integers(len(tints), size=_HEX_NUMBERS)].astype(np.uint8)
    for band in bands(len(sheet)):
        sheet[band] = of_number[_hex_numbers(band, sheet.shape[1], table)]
    return sheet


def _hex_numbers(band: slice, columns: int, table: HexTable) -> NDArray[np.int64]:
    """(rows, columns) a number for the hex in which each px lies, less than `_HEX_NUMBERS`."""
    row, column = np.indices((band.stop - band.start, columns), np.float32)
    at = (column + 0.5) / PX_PER_MM + 1j * (TABLE_MM[1] - (row + band.start + 0.5) / PX_PER_MM)
    unit = (at - complex(*table.origin_mm)) / (table.pitch_mm * np.exp(1j * np.radians(table.direction_deg)))
    r = unit.imag / np.sin(np.pi / 3)
    cell = np.stack([unit.real - r / 2, r, -unit.real - r / 2])
    whole = np.rint(cell)
    worst = np.abs(whole - cell).argmax(axis=0)
    for axis in range(3):
        whole[axis] = np.where(worst == axis, -(whole.sum(axis=0) - whole[axis]), whole[axis])
    return np.asarray((whole[0].astype(int) * 7919 + whole[1].astype(int) * 104729) % _HEX_NUMBERS, np.int64)


def _lay_things(sheet: NDArray[np.uint8], count: int, rng: np.random.Generator) -> None:
    """Discs, boxes and strips of any colour, 15 to 90 mm."""
    for index in range(count):
        at, turn = rng.uniform((20, 20), np.array(TABLE_MM) - 20) * PX_PER_MM, rng.uniform(0, 180)
        size = rng.uniform(15, 40) if index % 3 else rng.uniform(40, 90)
        colour = tuple(float(value) for value in rng.uniform(20, 235, 3))
        if index % 2:
            cv2.circle(sheet, tuple(int(v) for v in at), round(size * PX_PER_MM / 2), colour, -1, cv2.LINE_AA)
        else:
            box = cv2.boxPoints((tuple(at), (size * PX_PER_MM, size * rng.uniform(0.3, 1) * PX_PER_MM), turn))
            cv2.fillPoly(sheet, [np.rint(box).astype(np.int32)], colour, cv2.LINE_AA)
