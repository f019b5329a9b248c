"""How much of a card's outline is borne out by edges that are no printed line: this has print within, and beyond it the
card's bare margin.

On a pale table the line about a court card's picture shows more plainly than the card's own edge.
"""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import ImageBgr
from vision.shape.rectangle import RectangleFit, within_sides

Array = NDArray[np.float64]

# What lies so far within its sides, and beyond them (mm), is the margin if it is as bright as most of what lies within,
# to so many levels: along 3 to 27 % of printed lines' inner sides, along 85 % and more of court cards' edges.
_WITHIN_MM, _ALIKE = (1.2, 2.4, -1.2, -2.4), 40.0
_MARGIN_SHARE = 0.5


def borne_by_margins(image_bgr: ImageBgr, plane: TablePlane, fits: list[RectangleFit]) -> Array:
    """(n,) the support of rectangles that show a card's face, without those of their sides that are printed lines."""
    each = _each_colours(image_bgr, plane, fits)
    return np.array([_borne(fit, colours) for fit, colours in zip(fits, each, strict=True)])


def papers_bgr(image_bgr: ImageBgr, plane: TablePlane, fits: list[RectangleFit]) -> Array:
    """(n, 3) the colours of most of what lies along the sides of cards, within them."""
    return np.array([_paper_bgr(colours) for colours in _each_colours(image_bgr, plane, fits)]).reshape(-1, 3)


def _each_colours(image_bgr: ImageBgr, plane: TablePlane, fits: list[RectangleFit]) -> list[Array]:
    """What the picture shows within the sides of each, and beyond them, (m, depths, 3)."""
    if not fits:
        return []
    within_mm = [within_sides(fit, _WITHIN_MM) for fit in fits]
    counts = [sum(len(side) for side in sides) for sides in within_mm]
    at_px = plane.to_image(np.concatenate([side for sides in within_mm for side in sides]).reshape(-1, 2))
    each_px = np.split(at_px.reshape(-1, len(_WITHIN_MM), 2), np.cumsum(counts)[:-1])
    return [_colours(image_bgr, px) for px in each_px]


def _colours(image_bgr: ImageBgr, at_px: Array) -> Array:
    """(m, depths, 3) what the picture shows at pixels (m, depths, 2), beyond its border what lies next to it."""
    u, v = (np.ascontiguousarray(at_px[..., axis], np.float32) for axis in (0, 1))
    return np.asarray(cv2.remap(image_bgr, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE), float)


def _paper_bgr(colours: Array) -> Array:
    """(3,) of such colours, (m, depths, 3), the usual one within."""
    return np.asarray(np.median(colours[:, :2].reshape(-1, 3), axis=0))


def _borne(fit: RectangleFit, colours: Array) -> float:
    """The support of one that has such colours within its sides and beyond them, (m, depths, 3)."""
    alike = np.abs(colours - _paper_bgr(colours)).max(axis=2) < _ALIKE
    counts = [len(side) for side in within_sides(fit, _WITHIN_MM)]
    sides = np.split(alike.reshape(-1, 2, 2).all(axis=2), np.cumsum(counts)[:-1])
    within, beyond = np.array([side.mean(axis=0) for side in sides]).T >= _MARGIN_SHARE
    return float(np.average(np.where(~within & beyond, 0.0, fit.sides), weights=counts))
