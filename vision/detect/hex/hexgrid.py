"""The hex grid of a mat, found in the metric top view: pitch, turn and origin (OMNI-1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from rules.scene import Point2
from vision.detect.hex.hex_fit import Fit, Ground, fitted, share_there
from vision.detect.hex.hex_fold import Motif, folds
from vision.detect.hex.hex_spectrum import Lattice, candidates
from vision.frame import ImageBgr
from vision.metric.topview import TopView

Array = NDArray[np.float64]
Hex = tuple[int, int]

# A 1080p camera over 700 mm sees 2 to 2.7 px to the mm; a printed line is 0.3 mm.
TOPVIEW_PX_PER_MM = 2.0
# Pitches that are looked for: beads to the largest hex that `sandtable print hexmat` prints.
PITCH_MM = (10.0, 180.0)
# Candidates of the spectrum that are folded; folds that are fitted, the likeliest first.
_FOLDED, _FITTED = 10, 6
_LEAST_LIKENESS = 0.25
# A grid counts as found if this share of its marks is there where it lies, chance taken off. By benchmarks/hexgrid.py:
# none of 12 tables without a grid passes; drawn sides under pieces lie at 0.69 to 0.98, faint dots from 0.5 on.
LEAST_CONFIDENCE = 0.45
# On busy print fewer marks stand out. Where the folded picture is as much like hexes, this share is enough: of ten
# tables without a grid none is liker than 0.36, pale lines on a map are 0.72.
_PLAIN_LIKENESS, _LEAST_PLAIN = 0.5, 0.25
# The part of the table that the grid covers: a hex is in it if half of the marks on it and around it are there.
IN_PART, _LEAST_HEXES = 0.5, 7
# No mat is smaller than this share of the table: an A5 sheet on 700 x 500 mm.
_LEAST_PART = 0.08
# A grid that covers less of the table's hexes than this is a mat on the table, and only its hexes are the board.
_WHOLE_TABLE = 0.85
# Dots on the centres as well as on the corners, so many for each that shows there, are the centres of smaller hexes.
_ALSO_CENTRES = 0.5
# The picture is folded at half its scale.
_FOLD_PX = 2
_EDGE_SIGMA_PX, _FINE_MM, _LOCAL_MM, _LOUDEST = 0.7, 0.35, 12.0, 4.0


@dataclass(frozen=True)
class HexGrid:
    """A hex grid as OMNI-1.1 names it: centre = origin + turned by `turn_deg` of the axial steps.

    origin_mm   the centre of the hex (0, 0), the one nearest to the table's near left corner
    top         pointy or flat, so that turn_deg lies from -15 to 15
    cells       the hexes of a mat that covers only part of the table; None for the whole table
    confidence  share of the drawn marks that are there, chance taken off, 0 to 1
    sigma_mm    of a hex centre, without the error of the table plane
    motif       what is drawn of it
    """

    pitch_mm: float
    origin_mm: Point2
    turn_deg: float
    top: Literal["pointy", "flat"]
    confidence: float = 1.0
    sigma_mm: float = 0.0
    cells: tuple[Hex, ...] | None = None
    motif: Motif = "sides"

    def centre_mm(self, cell: Hex) -> Point2:
        """The centre of the hex in table mm."""
        at = complex(*self.origin_mm) + self.factor * (cell[0] + cell[1] * np.exp(1j * np.pi / 3))
        return float(at.real), float(at.imag)

    def lattice(self, points_mm: Array) -> NDArray[np.complex128]:
        """(n,) points (n, 2) of the table in the lattice of pitch 1, direction 0, origin 0."""
        return np.asarray((points_mm @ (1, 1j) - complex(*self.origin_mm)) / self.factor)

    def record(self) -> dict[str, Any]:
        """The `grid` of a state file."""
        known: dict[str, Any] = {
            "kind": "hex",
            "pitch_mm": round(self.pitch_mm, 4),
            "origin_mm": [round(value, 4) for value in self.origin_mm],
            "turn_deg": round(self.turn_deg, 4),
            "top": self.top,
        }
        return known if self.cells is None else {**known, "cells": [{"q": q, "r": r} for q, r in self.cells]}

    @property
    def factor(self) -> complex:
        """The step from a hex to the next along q, table mm (x + iy)."""
        turn_deg = self.turn_deg + (30.0 if self.top == "flat" else 0.0)
        return complex(self.pitch_mm * np.exp(1j * np.radians(turn_deg)))


def find_hexgrid(image_bgr: ImageBgr, plane: TablePlane, table_size_mm: tuple[float, float]) -> HexGrid | None:
    """The hex grid that is drawn on the table, or None if there is none to be sure of. The one that told the plane is
    looked for first: that takes a third of the time."""
    view = top_view(plane, table_size_mm)
    if plane.lattice is not None:
        step = plane.lattice[0]
        told = Lattice(abs(step), float(np.degrees(np.angle(step))))
        if (grid := hexgrid_in(view, image_bgr, table_size_mm, [told])) is not None:
            return grid
    return hexgrid_in(view, image_bgr, table_size_mm)


def top_view(plane: TablePlane, table_size_mm: tuple[float, float]) -> TopView:
    """The view in which `hexgrid_in` looks."""
    return TopView.of_table(plane, table_size_mm, TOPVIEW_PX_PER_MM, 0.0, 0.0)


def hexgrid_in(
    view: TopView, image_bgr: ImageBgr, table_size_mm: tuple[float, float], among: Sequence[Lattice] | None = None
) -> HexGrid | None:
    """As `find_hexgrid`, in a top view of the table plane; of those lattices, or of any."""
    ground = ground_of(view, image_bgr)
    points, strength = _points(ground)
    if among is None:
        among = _related(candidates(ground.strength, ground.px_per_mm, PITCH_MM, _FOLDED))
    folded = [
        (fold, lattice)
        for lattice in among
        for fold in folds(points, strength, lattice)
        if fold.likeness >= _LEAST_LIKENESS
    ]
    found: list[HexGrid] = []
    scores: list[float] = []
    for fold, lattice in sorted(folded, key=lambda pair: -pair[0].likeness)[:_FITTED]:
        factor = lattice.pitch_mm * np.exp(1j * np.radians(lattice.direction_deg))
        least = _LEAST_PLAIN if fold.likeness > _PLAIN_LIKENESS else LEAST_CONFIDENCE
        grid = _measured(ground, complex(factor), fold.origin, fold.motif, table_size_mm, least)
        if grid is not None:
            found.append(grid)
            scores.append(grid.confidence * fold.likeness)
    return found[int(np.argmax(scores))] if found else None


def _related(found: list[Lattice]) -> list[Lattice]:
    """The candidates and the lattices that share peaks with them: the spectrum alone may take one for another.

    Dots far apart have as much power on far shells as on the first: lattices of a third of their pitch look likeliest.
    """
    related = [(1.0, 0.0), (np.sqrt(3), 30.0), (1 / np.sqrt(3), 30.0), (2.0, 0.0), (3.0, 0.0)]
    return [
        Lattice(lattice.pitch_mm * times, lattice.direction_deg + extra)
        for lattice in found
        for times, extra in related
        if PITCH_MM[0] <= lattice.pitch_mm * times <= PITCH_MM[1]
    ]


def ground_of(view: TopView, image_bgr: ImageBgr) -> Ground:
    """How strong the edges are, beside those around: a line and a border between two fields both count."""
    top = view.resample(image_bgr).astype(np.float32)
    inside = cv2.erode((top.max(axis=2) > 0).astype(np.uint8), np.ones((5, 5), np.uint8))
    smooth = cv2.GaussianBlur(top, (0, 0), _EDGE_SIGMA_PX)
    across, down = (cv2.Scharr(smooth, cv2.CV_32F, *way) / 32 for way in ((1, 0), (0, 1)))
    edge = np.hypot(across, down).max(axis=2) * inside
    fine = cv2.GaussianBlur(edge, (0, 0), _FINE_MM * view.px_per_mm)
    around = cv2.blur(fine, (2 * round(_LOCAL_MM * view.px_per_mm) + 1,) * 2)
    level = np.maximum(around, 0.25 * float(around.mean()) + 1e-3)
    strength = np.minimum(fine / level, _LOUDEST)
    return Ground(np.asarray(strength, np.float32), view.px_per_mm, complex(*view.origin_mm))


def _points(ground: Ground) -> tuple[NDArray[np.complex128], Array]:
    """Places all over the table, `_FOLD_PX` apart, and the strength there."""
    height, width = (side // _FOLD_PX for side in ground.strength.shape)
    coarse = cv2.resize(
        ground.strength[: height * _FOLD_PX, : width * _FOLD_PX], (width, height), interpolation=cv2.INTER_AREA
    )
    rows, columns = np.indices(coarse.shape) * _FOLD_PX + (_FOLD_PX - 1) / 2
    at = ground.corner + (columns - 1j * rows) / ground.px_per_mm
    return at.ravel(), coarse.ravel().astype(float)


def _measured(
    ground: Ground,
    factor: complex,
    origin: complex,
    motif: Motif,
    table_size_mm: tuple[float, float],
    least: float = LEAST_CONFIDENCE,
) -> HexGrid | None:
    """The grid near a guess with its confidence, fitted again on the part where it is; None if too little is there."""
    fit = fitted(ground, factor, origin, motif, table_size_mm)
    if fit is None or not _may_be_pitch(abs(fit.factor)):
        return None
    cells, share = cell_shares(fit.cells, fit.present)
    part = cells[share >= IN_PART]
    if len(part) < max(_LEAST_HEXES, _LEAST_PART * len(cells)):
        return None
    fit = fitted(ground, fit.factor, fit.origin, motif, table_size_mm, part)
    confidence = (float(fit.present.mean()) - 0.1) / 0.9 if fit is not None else 0.0
    if fit is None or confidence < least:
        return None
    also_centres = _ALSO_CENTRES * float(fit.present.mean())
    if motif == "corners" and share_there(ground, fit, "centres", table_size_mm) > also_centres:
        return None
    covers = len(part) >= _WHOLE_TABLE * len(cells)
    return replace(_named(fit, confidence, cells if covers else part, table_size_mm, covers), motif=motif)


def _may_be_pitch(pitch_mm: float) -> bool:
    return PITCH_MM[0] * 0.9 <= pitch_mm <= PITCH_MM[1] * 1.1


def cell_shares(marked: NDArray[np.int64], present: NDArray[np.bool_]) -> tuple[NDArray[np.int64], Array]:
    """Each hex with marks (m, 2), and (m,) which share of the marks on it and on its neighbours is there.

    marked   (n, 2) the hex that each mark is drawn for
    present  (n,) whether the mark is there
    """
    cells, which = np.unique(marked, axis=0, return_inverse=True)
    which = which.ravel()
    there, drawn = np.bincount(which, present), np.bincount(which).astype(float)
    low = cells.min(axis=0) - 1
    size = cells.max(axis=0) - low + 2
    boards = np.zeros((2, *size))
    boards[0][tuple((cells - low).T)], boards[1][tuple((cells - low).T)] = there, drawn
    around = np.array([[1, 1, 0], [1, 1, 1], [0, 1, 1]], np.float32)[::-1]
    near = [cv2.filter2D(board, -1, around, borderType=cv2.BORDER_CONSTANT)[tuple((cells - low).T)] for board in boards]
    return cells, np.asarray(near[0] / np.maximum(near[1], 1), float)


def _named(
    fit: Fit, confidence: float, listed: NDArray[np.int64], table_size_mm: tuple[float, float], whole: bool
) -> HexGrid:
    """The grid with the turn from -15 to 15 degrees, counted from the hex nearest to the table's corner."""
    pitch = abs(fit.factor)
    direction = float(np.degrees(np.angle(fit.factor))) % 60
    top: Literal["pointy", "flat"] = "pointy" if direction <= 15 or direction > 45 else "flat"
    turn = (direction - (0 if direction <= 15 else 60)) if top == "pointy" else direction - 30
    first = pitch * np.exp(1j * np.radians(turn + (30 if top == "flat" else 0)))
    at = fit.origin + fit.factor * (listed[:, 0] + listed[:, 1] * np.exp(1j * np.pi / 3))
    on_table = (at.real >= 0) & (at.imag >= 0) & (at.real <= table_size_mm[0]) & (at.imag <= table_size_mm[1])
    at = at[on_table] if on_table.any() else at
    origin = complex(at[np.abs(at).argmin()])
    cells = None if whole else _axial(at, origin, complex(first))
    return HexGrid(float(pitch), (origin.real, origin.imag), float(turn), top, confidence, fit.sigma_mm, cells)


def _axial(at: NDArray[np.complex128], origin: complex, first: complex) -> tuple[Hex, ...]:
    unit = (at - origin) / first
    r = unit.imag / np.sin(np.pi / 3)
    q = unit.real - r / 2
    return tuple(sorted((round(float(a)), round(float(b))) for a, b in zip(q, r, strict=True)))
