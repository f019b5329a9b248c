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
from vision.detect.figure.chance import chances
from vision.detect.figure.facing import ReadFacing, read_facing, told_deg
from vision.detect.figure.feet import pointed_at, pointed_at_by_both, surest
from vision.detect.solid.glance import Glance, slant_of
from vision.detection import Detection
from vision.metric.upright import UprightView
from vision.naming.colour import name_paint

Array = NDArray[np.float64]

# What is told: on photographs of games (`python -m benchmarks.miniatures --part first`) a lower chance brings far more
# false figures than others, a higher one loses some.
_LEAST_CHANCE = 0.5
# What may be a figure that is missed elsewhere (of 38 rendered stills' 36 missed figures 12 are so likely, beside 24
# places where none stands; fainter ones are nothing twenty times in twenty-one).
_FAINTEST = 0.15
# The hotter the place, the better the net points at a foot: to so many mm at no heat, and so much better with it, which
# above the last is the net's boast (`benchmarks.figure_feet` on 132 tiles of scenes that the net never learned from,
# packed and dim: 94 % hold; on rendered stills 90 to 100, of marks on photographs 94).
_FOOT_MM, _BY_HEAT, _MOST_HEAT = 2.4, -0.65, 2.0
# A figure's paint is looked for this far around the middle of its body, which is about so high above its foot.
_PAINT_REACH_PX = 32
_BODY_PX = 18.0
# Bases are grassed or sanded in no army's colour: what shows elsewhere is a figure's paint, if it is so much. The body
# hides what of its base is farther behind its foot than so much of its radius.
_LEAST_PAINT_PX, _BARE_BEHIND = 40, 0.25
# What figures are put on top of (OMOG-1.2: hills); a step lower than this is no other level.
_TO_STAND_ON = ("book", "box")
_LEAST_STEP_MM = 5.0
# The outline of a rectangle has so many points, the first again at its end.
_CORNERS = 5
_GUN = solids.FIGURES.index("gun")
# Height in mm and its standard deviation.
Level = tuple[float, float]
_TABLE: Level = (0.0, 0.0)


def find_figures(
    glance: Glance[UprightView],
    coarse: Glance[UprightView],
    terrain: Sequence[Detection],
    colours: tuple[str, ...],
    names: Sequence[str] = solids.FIGURES,
    read: ReadFacing = read_facing,
    again: Glance[UprightView] | None = None,
) -> list[Detection]:
    """Every figure whose foot the net points at in the part of the table that the view is for, faint ones too.

    coarse   what the net of terrain says of the same part
    terrain  what figures may stand on, with its height
    colours  those of the armies
    names    what a figure may be called; the likeliest counts
    again    what the net of figures says of the part when it is shown another way
    """
    says, at_mm, chance = _feet(glance, again, coarse, names)
    radius_px = _radius_px(says)
    owners, facing = _owners(glance, at_mm, radius_px, colours), _facing(glance, at_mm, says, read)
    return [
        _figure(
            glance,
            says[:, n],
            at_mm[n],
            chance[n],
            _standing_on(at_mm[n], glance.plane, terrain),
            owners[n],
            facing[n],
            names,
        )
        for n in range(len(at_mm))
    ]


def _radius_px(says: NDArray[np.float32]) -> Array:
    """Of bases, as the net of figures `says` (CHANNELS, ...), within what it was asked for: one may be 60 mm wide."""
    told_px = solids.REFERENCE_RADIUS_PX * np.exp(says[solids.RADIUS])
    return np.asarray(np.clip(told_px, *solids.FIGURES_LOOK.radii_px), float)


def _facing(
    glance: Glance[UprightView], at_mm: Array, says: NDArray[np.float32], read: ReadFacing
) -> list[float | None]:
    """The direction of each of whom the net of figures `says` (CHANNELS, n), deg; None where it is doubtful."""
    foot_px = glance.view.to_px(at_mm)
    slant = slant_of(glance.plane, glance.view)
    rows, columns = slant.shape[1:]
    column, row = np.clip(np.rint(foot_px / solids.CELL_PX).astype(int), 0, (columns - 1, rows - 1)).T
    likely = read(glance.seen, slant[:, row, column].T, foot_px, _radius_px(says))
    return told_deg(likely, glance.view, says[solids.HEAT].argmax(axis=0) == _GUN)


def _feet(
    glance: Glance[UprightView], again: Glance[UprightView] | None, coarse: Glance[UprightView], names: Sequence[str]
) -> tuple[NDArray[np.float32], Array, Array]:
    """(CHANNELS, n) what the net says at each likely peak on the piece, (n, 2) mm where the foot shows on the table,
    and (n,) how likely one of `names` stands there."""
    if again is None:
        says, foot_px = pointed_at(glance.maps)
        at_mm = glance.view.to_table(foot_px)
    else:
        says, at_mm = pointed_at_by_both(glance, again)
    chance = chances(says, at_mm, coarse, names)
    told = glance.view.owns(at_mm) & (chance > _FAINTEST)
    told[told] = surest(at_mm[told], chance[told], _radius_px(says[:, told]) / glance.view.px_per_mm)
    return says[:, told], at_mm[told], chance[told]


def _owners(glance: Glance[UprightView], at_mm: Array, radius_px: Array, colours: tuple[str, ...]) -> list[str]:
    """The colour of the paint around each body that is nearer to it than to another, without what its base may have."""
    seen = glance.seen
    bodies_px = _bodies_px(glance, at_mm)
    paint = cv2.resize(glance.maps[solids.FIGURE], (seen.shape[1], seen.shape[0]), interpolation=cv2.INTER_LINEAR) > 0
    nearest, bases = _nearest(bodies_px, seen.shape), zip(at_mm, radius_px, strict=True)
    return [
        name_paint(seen[around][_above(glance, around, paint[around] & (nearest[around] == n), *base)], colours)
        for n, (around, base) in enumerate(zip(map(_around, bodies_px), bases, strict=True))
    ]


def _above(
    glance: Glance[UprightView], around: tuple[slice, slice], paint: NDArray[np.bool_], at_mm: Array, radius_px: float
) -> NDArray[np.bool_]:
    """The paint (h, w) of one body in a window of the view without what may be its base's; all where that is most."""
    rows, columns = np.nonzero(paint)
    shown_mm = glance.view.to_table(np.stack([columns + around[1].start, rows + around[0].start], axis=1)) - at_mm
    base_mm = radius_px / glance.view.px_per_mm
    is_base = (np.hypot(*shown_mm.T) <= base_mm) & (shown_mm @ glance.view.axes[1] > -_BARE_BEHIND * base_mm)
    above = np.zeros_like(paint)
    above[rows[~is_base], columns[~is_base]] = True
    return above if above.sum() >= _LEAST_PAINT_PX else paint


def _bodies_px(glance: Glance[UprightView], at_mm: Array) -> Array:
    """(n, 2) where the middle of each figure's body shows in the view."""
    return glance.view.to_px(glance.plane.behind(at_mm, _BODY_PX / glance.view.px_per_mm))


def _nearest(at_px: Array, shape: tuple[int, ...]) -> NDArray[np.int32]:
    """(h, w) index of the place that each pixel is nearest to within reach, else -1."""
    label = np.full(shape[:2], -1, np.int32)
    best = np.full(shape[:2], float(_PAINT_REACH_PX) ** 2, np.float32)
    for n, (u, v) in enumerate(at_px):
        window = _around((u, v))
        rows, columns = (
            np.arange(side.start, side.start + size) for side, size in zip(window, best[window].shape, strict=True)
        )
        squared = np.square(rows - v)[:, None] + np.square(columns - u)
        nearer = squared < best[window]
        best[window][nearer], label[window][nearer] = squared[nearer], n
    return label


def _around(at_px: Sequence[float]) -> tuple[slice, slice]:
    """Rows and columns within reach of a place; both begin in the view."""
    u, v = (int(p) for p in at_px)
    rows, columns = (slice(max(0, p - _PAINT_REACH_PX), max(0, p + _PAINT_REACH_PX)) for p in (v, u))
    return rows, columns


def _standing_on(at_mm: Array, plane: TablePlane, terrain: Sequence[Detection]) -> Level:
    """The highest top on which a foot that shows at `at_mm`, as if on the table, would stand; else the table."""
    px, highest = plane.to_image([at_mm]), _TABLE
    for thing in terrain:
        height_mm = thing.height_mm or 0.0
        if not _is_flat_topped(thing) or height_mm < max(_LEAST_STEP_MM, highest[0]):
            continue
        if thing.footprint.contains(Point(plane.to_table(px, height_mm)[0])):
            highest = height_mm, thing.height_sigma_mm
    return highest


def _is_flat_topped(thing: Detection) -> bool:
    """Whether men may stand on it: a book, a box, or what was measured as a block but may be either."""
    return thing.cls in _TO_STAND_ON or (thing.cls == UNKNOWN and len(thing.footprint.exterior.coords) == _CORNERS)


def _figure(
    glance: Glance[UprightView],
    says: NDArray[np.float32],
    at_mm: Array,
    chance: float,
    level: Level,
    owner: str,
    facing_deg: float | None,
    names: Sequence[str],
) -> Detection:
    """The figure that stands where `says` (CHANNELS,) points, as the likeliest of `names`."""
    heat = np.logaddexp.reduce(says[solids.HEAT])
    log_probs = _class_log_probs(says[solids.HEAT], names)
    name = max(log_probs, key=lambda name: log_probs[name])
    kind: Kind = "base" if name == "base" else "soldier"
    px = glance.plane.to_image([at_mm])
    elevation_mm, height_sigma_mm = level
    x, y = glance.plane.to_table(px, elevation_mm)[0]
    of_plane_mm = glance.plane.sigma_mm(px, 0.0, elevation_mm, height_sigma_mm)[0]
    return Detection(
        kind,
        name,
        (float(x), float(y)),
        Point(x, y).buffer(float(_radius_px(says)) / glance.view.px_per_mm),
        float(np.hypot(of_plane_mm, foot_sigma_mm(heat, _slope(glance.plane, at_mm)))),
        float(chance),
        (float(px[0, 0]), float(px[0, 1])),
        # Whose a miniature is its paint does not tell: the player or the roster says.
        owner=UNKNOWN if kind == "base" else owner,
        elevation_mm=elevation_mm,
        elevation_sigma_mm=height_sigma_mm,
        # A miniature is measured by its base and has no front in the rules.
        facing_deg=None if kind == "base" else facing_deg,
        class_log_probs=log_probs,
        faint=chance <= _LEAST_CHANCE,
    )


def _class_log_probs(heat: NDArray[np.float32], names: Sequence[str]) -> dict[str, float]:
    """Which of the figures that may be there it is, given that there is one."""
    logits = {name: float(heat[solids.FIGURES.index(name)]) for name in names}
    total = float(np.logaddexp.reduce(list(logits.values())))
    return {name: logit - total for name, logit in logits.items()}


def _slope(plane: TablePlane, at_mm: Array) -> float:
    """How much farther along the table than up the camera is from a place."""
    *below_mm, high_mm = plane.camera_position_mm
    return float(np.hypot(*(at_mm - below_mm)) / high_mm)


def foot_sigma_mm(heat: Array, slope: Array | float, at_none_mm: float = _FOOT_MM, by_heat: float = _BY_HEAT) -> Array:
    """How well the net points at feet of so much heat (n,): in the view as well up as across, and so, the lower the
    camera is, the worse along the table."""
    return np.asarray(
        at_none_mm * np.exp(by_heat * np.minimum(heat, _MOST_HEAT)) * np.hypot(1.0, slope / np.sqrt(2)), float
    )
