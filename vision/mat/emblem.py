"""Emblems printed on a game mat: rings within one another, whole at the height of the table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rules.scene import UNKNOWN
from vision.detect.solid.edges import Edges
from vision.detect.solid.guesses import middle_mm
from vision.detection import Detection

Array = NDArray[np.float64]

# Rings are looked for about middles so far off that of what the net sees, and of such radii, all as shares of its
# radius; smaller ones than so many mm lie on any speck.
_OFF, _MIDDLES = 0.45, 13
_RADII, _LEAST_MM = np.geomspace(0.3, 1.6, 42), 8.0
# So many rings about one middle, each so much larger than the next, lie on edges so well on average, and each in each
# sixth of its way round: of what stands only the rim shows as a circle on the table, for the near side hides the rest.
# Of six emblems on photographs of game mats five have 0.63 to 0.79; of what stands there, nameless, and of mugs and
# plates on other photographs and rendered tables the most has 0.59. Smaller ones than this radius in mm are not asked.
_RINGS, _APART = 3, 1.17
_BORNE_OUT, _SIXTH, _SMALLEST_MM = 0.62, 0.2, 30.0
# From this chance on the net sees a thing of no kind that it knows: so it does of those five (0.87 and more), and of a
# mug with 0.63 it does not (0.39).
_NO_KIND = 0.6
_SIXTHS, _POINTS = 6, 12
# First along coarse edges (`edges.SIGMAS_PX`), then nearer the best middle along finer ones; and how far ahead on a
# ring its next point is, rad.
_COARSE, _FINE, _AHEAD = 0, 1, 0.02
_TURNS = np.linspace(0, 2 * np.pi, _SIXTHS * _POINTS, endpoint=False).reshape(_SIXTHS, _POINTS)


def is_emblem(thing: Detection, edges: Edges) -> bool:
    """Whether something of no kind, by what the net says, is print: rings about one middle, flat on the table."""
    chance = np.exp(thing.class_log_probs.get(UNKNOWN, -np.inf))
    return thing.cls == UNKNOWN and bool(chance > _NO_KIND) and rings(thing, edges) > _BORNE_OUT


def rings(thing: Detection, edges: Edges) -> float:
    """How far the best rings about one middle lie on edges, 0 to 1; 0 where there are not so many whole ones."""
    radius_mm = float(np.sqrt(thing.footprint.area / np.pi))
    if radius_mm < _SMALLEST_MM:
        return 0.0
    radii = radius_mm * _RADII
    radii = radii[radii > _LEAST_MM]
    reach_mm = _OFF * radius_mm
    middle, _ = _best_about(np.array(middle_mm(thing)), reach_mm, radii, edges, _COARSE)
    return _best_about(middle, reach_mm / (_MIDDLES - 1), radii, edges, _FINE)[1]


def _best_about(middle: Array, reach_mm: float, radii: Array, edges: Edges, level: int) -> tuple[Array, float]:
    """The middle within reach whose rings lie best on edges, and how far they do."""
    aside = reach_mm * np.linspace(-1, 1, _MIDDLES)
    middles = middle + np.stack(np.meshgrid(aside, aside), axis=-1).reshape(-1, 2)
    worth = [_best_apart(each, radii) for each in _borne_out(middles, radii, edges, level)]
    best = int(np.argmax(worth))
    return middles[best], worth[best]


def _borne_out(middles: Array, radii: Array, edges: Edges, level: int) -> Array:
    """(middles, radii) how far each ring lies on edges; 0 where a sixth of it lies on none."""
    at, radius = middles[:, None, None, None], radii[None, :, None, None]
    points, ahead = (
        np.stack(np.broadcast_arrays(at[..., 0] + radius * np.cos(turns), at[..., 1] + radius * np.sin(turns), 0.0), -1)
        for turns in (_TURNS, _TURNS + _AHEAD)
    )
    support = edges.support(points.reshape(-1, _POINTS, 3), ahead.reshape(-1, _POINTS, 3), level)
    sixths = support.reshape(len(middles), len(radii), _SIXTHS)
    return np.asarray(np.where(sixths.min(axis=2) > _SIXTH, sixths.mean(axis=2), 0.0), float)


def _best_apart(borne_out: Array, radii: Array) -> float:
    """The mean of the best whole rings about one middle, none of them another's other edge."""
    kept: list[int] = []
    for n in np.argsort(-borne_out):
        if borne_out[n] > 0 and all(abs(np.log(radii[n] / radii[other])) > np.log(_APART) for other in kept):
            kept.append(int(n))
        if len(kept) == _RINGS:
            return float(borne_out[kept].mean())
    return 0.0
