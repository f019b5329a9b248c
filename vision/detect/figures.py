"""Toy soldiers and miniatures' bases, from the peaks of the solids net."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Point

from calibration.plane import TablePlane
from models import solids
from rules.scene import UNKNOWN, Kind
from vision.colour import name_colour
from vision.detect.peaks import logistic, peaks
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.topview import TopView

Array = NDArray[np.float64]

_HEAT = 0.35
_ALONE_CELLS = 2
# The net points at a foot to within about half a cell (rendered pictures, seed 5: median 1.3 mm, p95 3.9).
_FOOT_SIGMA_MM = 1.8
# A figure's paint is looked for this far around the middle of its body, which is about so high above its foot.
_PAINT_REACH_MM = 32
_BODY_MM = 18.0
# What figures are put on top of (OMOG-1.2: hills); a step lower than this is no other level.
_TO_STAND_ON = ("book", "box")
_LEAST_STEP_MM = 5.0


def find_figures(
    maps: NDArray[np.float32],
    top: ImageBgr,
    plane: TablePlane,
    view: TopView,
    terrain: Sequence[Detection],
    colours: tuple[str, ...],
    names: Sequence[str] = solids.FIGURES,
) -> list[Detection]:
    """Every figure whose foot the net points at, at the height of what it stands on, as the likeliest of `names`."""
    strongest = np.logaddexp.reduce(maps[solids.HEAT], axis=0)
    rows, columns = peaks(strongest, _HEAT, _ALONE_CELLS)
    cells = np.stack([columns, rows], axis=1) + np.clip(maps[solids.OFFSET, rows, columns].T, -1.5, 1.5).astype(float)
    at_px = cells * solids.CELL_PX + (solids.CELL_PX - 1) / 2
    at_mm = view.to_table(at_px)
    likeliest = maps[[solids.FIGURES.index(name) for name in names]][:, rows, columns].argmax(axis=0)
    radius_mm = solids.REFERENCE_RADIUS_MM * np.exp(np.clip(maps[solids.RADIUS, rows, columns].astype(float), -1.5, 1))
    ahead = maps[solids.FACING][:, rows, columns].astype(float)
    facing = np.degrees(np.arctan2(-ahead[1], ahead[0])) % 360
    heat = logistic(strongest[rows, columns])
    owners = _owners(maps, top, view, _bodies_px(at_mm, plane, view), colours)
    return [
        _figure(
            names[likeliest[n]],
            owners[n],
            plane,
            at_mm[n],
            _standing_on(at_mm[n], plane, terrain),
            float(radius_mm[n]),
            float(facing[n]),
            float(heat[n]),
        )
        for n in range(len(rows))
    ]


def _bodies_px(at_mm: Array, plane: TablePlane, view: TopView) -> Array:
    """(n, 2) where the middle of each figure's body shows in the top view."""
    return view.to_px(plane.to_table(plane.to_image(at_mm, _BODY_MM))) if len(at_mm) else np.empty((0, 2))


def _owners(
    maps: NDArray[np.float32], top: ImageBgr, view: TopView, bodies_px: Array, colours: tuple[str, ...]
) -> list[str]:
    """The colour of the paint around each body that is nearer to it than to another."""
    paint = cv2.resize(maps[solids.FIGURE], (top.shape[1], top.shape[0]), interpolation=cv2.INTER_LINEAR) > 0
    nearest = _nearest(bodies_px, top.shape, int(_PAINT_REACH_MM * view.px_per_mm))
    return [name_colour(top[paint & (nearest == n)], colours, solid=True) for n in range(len(bodies_px))]


def _nearest(at_px: Array, shape: tuple[int, ...], reach_px: int) -> NDArray[np.int32]:
    """(h, w) index of the place that each pixel is nearest to within reach, else -1."""
    label = np.full(shape[:2], -1, np.int32)
    best = np.full(shape[:2], float(reach_px) ** 2)
    for n, (u, v) in enumerate(at_px):
        low_u, low_v = max(0, int(u) - reach_px), max(0, int(v) - reach_px)
        window = np.s_[low_v : max(0, int(v) + reach_px), low_u : max(0, int(u) + reach_px)]
        rows, columns = np.mgrid[low_v : low_v + best[window].shape[0], low_u : low_u + best[window].shape[1]]
        squared = np.square(rows - v) + np.square(columns - u)
        nearer = squared < best[window]
        best[window][nearer], label[window][nearer] = squared[nearer], n
    return label


def _standing_on(at_mm: Array, plane: TablePlane, terrain: Sequence[Detection]) -> float:
    """Height of the highest top on which a foot that shows at `at_mm`, as if on the table, would stand; else 0."""
    px, highest = plane.to_image([at_mm]), 0.0
    for thing in terrain:
        height_mm = thing.height_mm or 0.0
        if thing.cls not in _TO_STAND_ON or height_mm < max(_LEAST_STEP_MM, highest):
            continue
        if thing.footprint.contains(Point(plane.to_table(px, height_mm)[0])):
            highest = height_mm
    return highest


def _figure(
    name: str,
    owner: str,
    plane: TablePlane,
    at_mm: Array,
    elevation_mm: float,
    radius_mm: float,
    facing: float,
    heat: float,
) -> Detection:
    kind: Kind = "base" if name == "base" else "soldier"
    px = plane.to_image([at_mm])
    x, y = plane.to_table(px, elevation_mm)[0]
    sigma_mm = float(np.hypot(plane.sigma_mm(px)[0], _FOOT_SIGMA_MM))
    return Detection(
        kind,
        name,
        (float(x), float(y)),
        Point(x, y).buffer(radius_mm),
        sigma_mm,
        heat,
        (float(px[0, 0]), float(px[0, 1])),
        # Whose a miniature is its paint does not tell: the player or the roster says.
        owner=UNKNOWN if kind == "base" else owner,
        elevation_mm=elevation_mm,
        facing_deg=facing,
        rotation_deg=facing,
    )
