"""Rims of miniatures' bases: round ones, and ovals where edges clearly say so.

The net tells a middle and a size. From there a low round or oval prism is fitted to the edges of the top view: what
shows of it is its foot on the near side and its upper rim on the far one, which stands out behind the foot.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray
from shapely import Point, Polygon

from calibration.plane import TablePlane
from vision.detect.figure.rim_points import rim_points
from vision.detect.solid.edges import Edges
from vision.detect.solid.glance import Sight
from vision.detection import Detection
from vision.metric.topview import TopView
from vision.shape.oval import Oval

Array = NDArray[np.float64]

# A base as (n, 6): x, y, log of half its length, log of length over breadth, turn (rad), thickness, all mm.
_X, _Y, _LONG, _RATIO, _TURN, _THICK = range(6)
# Points of an outline, by the direction in which it faces.
_ANGLES = np.linspace(0, 2 * np.pi, 56, endpoint=False)
_FACING = np.stack([np.cos(_ANGLES), np.sin(_ANGLES)], axis=1)
# How thick bases are.
_THICK_MM = (2.0, 5.0)
# What counts of the far half, much of which the figure hides.
_FAR = 0.5
# How far the net may be off: the middle, in mm and in radii, and the size as a logarithm.
_MIDDLE_MM, _MIDDLE, _SIZE = 3.0, 0.12, 0.22
# Ovals are no longer than so many times their breadth (2.2), circles are fitted beside them.
_MOST_RATIO = float(np.log(2.2))
# So many rims are drawn; the best are followed, each by so many others near it, in every step from a narrower range.
_DRAWN, _KEPT, _NEAR, _STEPS, _NARROWER = 900, 20, 9, 8, 0.62
# How coarse the edges are (`edges.SIGMAS_PX`) on which it lies.
_LEVEL = 1
# What an e-fold of its size gains: of two lines the outer is the foot, the inner one is painted soil.
_OUTER = 0.12
# Cost of a rim that is as far from what the net says as the net may err.
_PULL = 0.015
_POINTS = 128
# An oval is told where its rim lies on edges so much better than the best circle's, where it is so many times as long
# as broad, and so near the net's place, in radii. Five tables, 38 round bases and 34 others: of round ones the most is
# 0.105 (a rim half hidden by others'), of others 29 have more than 0.115, all but two of them well measured; those two
# lie 0.36 and 0.43 aside.
_GAIN, _LEAST_RATIO, _ASIDE = 0.125, 1.2, 0.33
# How far a base is looked at beyond what the net says, in radii and mm.
_REACH, _REACH_MM = 2.2, 12.0


@dataclass(frozen=True, eq=False)
class BaseRim:
    """A rim that was fitted: its six numbers, and how far it lies on edges, 0 to 1."""

    shape: Array
    worth: float

    @property
    def footprint(self) -> Polygon:
        """The foot on the table, mm."""
        x, y, long, ratio, turn, _ = self.shape
        angle = np.linspace(0, 2 * np.pi, _POINTS, endpoint=False)
        a, b = np.exp(long), np.exp(long - ratio)
        u, v = a * np.cos(angle), b * np.sin(angle)
        return Polygon(np.stack([x + u * np.cos(turn) - v * np.sin(turn), y + u * np.sin(turn) + v * np.cos(turn)], 1))


def worths(shapes: Array, edges: Edges, figure: Detection) -> Array:
    """(n,) how far they lie on edges, what their size gains, and what it costs to be far from what the net says."""
    eye = np.asarray(edges.plane.camera_position_mm)
    near = _FACING @ (eye[:2] - shapes[0, :2]) > 0
    nears, fars = (
        edges.support(*rim_points(shapes, _FACING[side], eye, float(figure.elevation_mm)), _LEVEL)
        for side in (near, ~near)
    )
    sizes = shapes[:, _LONG] - shapes[:, _RATIO] / 2
    start = np.log(figure.radius_mm)
    off = np.hypot(*(shapes[:, :2] - figure.position_mm).T) / (_MIDDLE_MM + _MIDDLE * figure.radius_mm)
    pull = _PULL * (np.square(off) + np.square((sizes - start) / _SIZE))
    return np.asarray((nears + _FAR * fars) / (1 + _FAR) + _OUTER * (sizes - start) - pull, float)


def fitted(figure: Detection, edges: Edges, *, oval: bool) -> BaseRim:
    """The best rim near where the net says that the base is."""
    rng = np.random.default_rng(0)
    radius = figure.radius_mm
    start = np.array([*figure.position_mm, np.log(radius), 0.0, 0.0, 3.3])
    off = _MIDDLE_MM + _MIDDLE * radius
    drawn = np.tile(start, (_DRAWN, 1))
    drawn[:, :2] += rng.normal(0, off, (_DRAWN, 2))
    drawn[:, _THICK] = rng.uniform(*_THICK_MM, _DRAWN)
    ratio = rng.uniform(0.1, _MOST_RATIO, _DRAWN) if oval else np.zeros(_DRAWN)
    drawn[:, _RATIO] = ratio
    drawn[:, _LONG] += rng.normal(0.05, _SIZE, _DRAWN) + ratio / 2
    drawn[:, _TURN] = rng.uniform(0, np.pi, _DRAWN) if oval else 0.0
    spread = np.array([off / 2, off / 2, 0.12, 0.2 * oval, 0.35 * oval, 0.6])
    kept = _best(drawn, worths(drawn, edges, figure))
    for step in range(_STEPS):
        tried = np.repeat(kept, _NEAR, axis=0)
        tried += rng.normal(0, 1, tried.shape) * spread * _NARROWER**step
        tried[:, _THICK] = np.clip(tried[:, _THICK], *_THICK_MM)
        tried[:, _RATIO] = np.clip(tried[:, _RATIO], 0, _MOST_RATIO)
        tried = np.concatenate([kept, tried])
        worth = worths(tried, edges, figure)
        kept = _best(tried, worth)
    return BaseRim(kept[0], float(worth.max()))


def _best(shapes: Array, worth: Array) -> Array:
    return shapes[np.argsort(-worth)[:_KEPT]]


@dataclass(eq=False)
class BaseRimMemory:
    """The rims of bases under one camera, kept for each base that the net places and sizes as before."""

    _plane: TablePlane | None = None
    _kept: dict[tuple[float, float, float], Oval] = field(default_factory=dict)

    def of(self, figures: Sequence[Detection], above: Sight[TopView]) -> list[Detection]:
        """The figures, each base with its rim, and none that stands within the oval of a surer one."""
        if self._plane is not above.plane:
            self._plane, self._kept = above.plane, {}
        before, self._kept = self._kept, {}
        measured = []
        for figure in figures:
            if figure.kind != "base" or figure.faint:
                measured.append(figure)
                continue
            key = (*figure.position_mm, figure.radius_mm)
            self._kept[key] = before[key] if key in before else oval_of(figure, above)
            measured.append(_told(figure, self._kept[key], above.plane))
        ovals = [one for one in measured if one.oval is not None and one.oval.is_told]
        return [one for one in measured if not any(_is_end(one, oval) for oval in ovals)]


def oval_of(figure: Detection, above: Sight[TopView]) -> Oval:
    """The best oval for a base, and how much better it is than a circle."""
    middle_mm, reach_mm = np.array(figure.position_mm), _REACH * figure.radius_mm + _REACH_MM
    edges = Edges.within(above.seen, above.plane, above.view, middle_mm - reach_mm, middle_mm + reach_mm)
    circle, oval = fitted(figure, edges, oval=False), fitted(figure, edges, oval=True)
    aside = float(np.hypot(*(oval.shape[:2] - middle_mm))) / figure.radius_mm
    may_be = np.exp(oval.shape[_RATIO]) >= _LEAST_RATIO and aside <= _ASIDE
    gain = oval.worth - circle.worth - _GAIN
    turn_deg = float(np.degrees(oval.shape[_TURN]) % 180)
    return Oval(oval.footprint, turn_deg, gain if may_be else min(gain, -_GAIN / 2))


def _told(figure: Detection, oval: Oval, plane: TablePlane) -> Detection:
    """The base, as an oval if that is told."""
    if not oval.is_told:
        return replace(figure, oval=oval)
    x, y = np.mean(oval.outline.exterior.coords[:-1], axis=0).tolist()
    u, v = plane.to_image([(x, y)], figure.elevation_mm)[0].tolist()
    return replace(
        figure, oval=oval, footprint=oval.outline, position_mm=(x, y), image_px=(u, v), rotation_deg=oval.turn_deg
    )


def _is_end(one: Detection, other: Detection) -> bool:
    """Whether one is an end of the other's oval, and less sure: the net may see both."""
    return one is not other and one.confidence < other.confidence and other.footprint.contains(Point(one.position_mm))
