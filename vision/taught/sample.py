"""One piece in a picture, cut out of it: what is learned of a piece, and what is compared with it later."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import cv2
import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Polygon

from calibration.plane import TablePlane
from models.coins import TYPICAL_THICKNESS_MM
from rules.scene import Kind, Point2
from vision.classify import crops_of
from vision.detection import Detection
from vision.frame import Frame, ImageBgr
from vision.light import srgb
from vision.light.rim_blur import blur_px
from vision.metric.patch import patches
from vision.metric.topview import TopView
from vision.shape.rim import Circles
from vision.taught.rounds import PLAIN_SUPPORT, Rounds, rounds_in

Array = NDArray[np.float64]

# More than this share of a crop blown out, and its colours are the camera's: it is taken from the picture as it was
# before it was lit up, as bright as it can be without that.
_BLOWN_OUT, _WHITE, _BRIGHT = 0.02, 250, 240.0
_CROP_PX, _FIGURE_MM = (48, 72), (40.0, 60.0)
# Of a flat crop what is surely the coin, in half sides.
_INSIDE = 0.77


@dataclass(frozen=True, eq=False)
class Sample:
    """One piece in a picture: its crop (h, w, 3), its size (diameter, or root of the footprint's area), its place.

    said     the class that the eyes give it, untaught; "" for one that they were not asked for
    blur_px  over which the rim of a round one to learn from is spread, 0 where that is sharp enough or was not asked
    sides_mm length and breadth of a card, as it was measured; None for what is no card
    is_whole whether nearly the whole rim of a round one to learn from shows; True of all others
    """

    kind: Kind
    crop: ImageBgr
    size_mm: float
    position_mm: Point2
    said: str = ""
    blur_px: float = 0.0
    sides_mm: tuple[float, float] | None = None
    is_whole: bool = True


def round_pieces(frame: Frame, plane: TablePlane, view: TopView) -> list[Sample]:
    """Everything on the table that is as round as a coin, whatever it shows; `view` as for `find_coins`."""
    seen = rounds_in(frame, plane, view)
    return samples_of(frame, plane, seen.only(seen.are_pieces))


def plain_pieces(frame: Frame, plane: TablePlane, view: TopView) -> list[Sample]:
    """Pieces to learn from: what is plainly round, and plain counters; if there are none, what stands out."""
    seen = rounds_in(frame, plane, view)
    return to_learn(frame, plane, seen.only(seen.are_plain | seen.are_counters))


def to_learn(frame: Frame, plane: TablePlane, seen: Rounds) -> list[Sample]:
    """The circles, cut out, and whether they are blurred and show whole."""
    none = np.zeros(len(seen.radius_mm))
    height = np.full(len(seen.radius_mm), TYPICAL_THICKNESS_MM)
    blurs = blur_px(frame.image_bgr, plane, Circles(seen.centre_mm, seen.radius_mm, none, none), height)
    told = zip(samples_of(frame, plane, seen), blurs, seen.support >= PLAIN_SUPPORT, strict=True)
    return [replace(one, blur_px=float(blur), is_whole=bool(whole)) for one, blur, whole in told]


def samples_of(frame: Frame, plane: TablePlane, seen: Rounds) -> list[Sample]:
    """The circles, cut out."""
    centre, radius = seen.centre_mm, seen.radius_mm
    height = np.full(len(radius), TYPICAL_THICKNESS_MM)
    crops = _unblown(frame, lambda image_bgr: crops_of(image_bgr, plane, centre, radius, height))
    return [
        Sample("coin", crop, 2 * float(r), (float(x), float(y)))
        for crop, r, (x, y) in zip(crops, radius, centre, strict=True)
    ]


def sample_of(frame: Frame, plane: TablePlane, seen: Detection) -> Sample:
    """A found card, figure or other thing as a sample."""

    def cut(image_bgr: ImageBgr) -> ImageBgr:
        """(1, h, w, 3) its crop: a card's flat on the table, of what stands upright."""
        if seen.kind == "card":
            return _flat_crop(image_bgr, plane, seen)[None]
        return _standing_crop(image_bgr, plane, seen.position_mm)[None]

    crop, size_mm = _unblown(frame, cut)[0], float(np.sqrt(seen.footprint.area))
    sides_mm = _sides_mm(seen.footprint) if seen.kind == "card" else None
    return Sample(seen.kind, crop, size_mm, seen.position_mm, seen.cls, sides_mm=sides_mm)


def _sides_mm(footprint: Polygon) -> tuple[float, float]:
    """Length and breadth of the rectangle that it fills."""
    corners = shapely.get_coordinates(footprint.minimum_rotated_rectangle)
    one, other = np.linalg.norm(np.diff(corners, axis=0), axis=1)[:2]
    return float(max(one, other)), float(min(one, other))


def _unblown(frame: Frame, cut: Callable[[ImageBgr], ImageBgr]) -> ImageBgr:
    """(n, h, w, 3) crops that `cut` takes of the frame's picture.

    Where a crop is blown out, since a dark table was lit up for the eyes, it is cut from the picture as it was taken.

    Coins on dark wood, all as white as paper, had been taken for one another: see docs/measured/enrol.md.
    """
    lit = cut(frame.image_bgr)
    if frame.unlit_bgr is None or not len(lit):
        return lit
    inner = _inside(*lit.shape[1:3])
    blown = (lit.max(axis=3)[:, inner] >= _WHITE).mean(axis=1) > _BLOWN_OUT
    if not blown.any():
        return lit
    taken, crops = cut(frame.unlit_bgr), lit.copy()
    for index in np.flatnonzero(blown):
        crops[index] = _brightened(taken[index], inner)
    return crops


def _inside(height: int, width: int) -> NDArray[np.bool_]:
    """(h, w) what of a crop is surely the piece: a disc, of a card or a figure an oval."""
    rows, columns = np.mgrid[:height, :width]
    across, down = (columns + 0.5) / width * 2 - 1, (rows + 0.5) / height * 2 - 1
    return np.asarray(np.hypot(across, down) < _INSIDE, bool)


def _brightened(crop: ImageBgr, inner: NDArray[np.bool_]) -> ImageBgr:
    """As bright as it can be without being blown out."""
    brightest = max(float(np.quantile(crop[inner].max(axis=1), 0.99)), 1.0)
    target, top = srgb.light(np.array([_BRIGHT, brightest]))
    lit = srgb.level(srgb.light(np.arange(256.0)) * (target / top))
    return np.asarray(cv2.LUT(crop, np.clip(np.rint(lit), 0, 255).astype(np.uint8)), np.uint8)


def _flat_crop(image_bgr: ImageBgr, plane: TablePlane, seen: Detection) -> ImageBgr:
    """The whole card, its long side down the crop."""
    along = np.radians([seen.rotation_deg - 90])
    ring = np.asarray(seen.footprint.exterior.coords)
    longest = float(np.linalg.norm(np.diff(ring, axis=0), axis=1).max())
    return np.asarray(
        patches(image_bgr, plane, np.array([seen.position_mm]), along, _CROP_PX, _CROP_PX[1] / longest)[0], np.uint8
    )


def _standing_crop(image_bgr: ImageBgr, plane: TablePlane, at_mm: Point2) -> ImageBgr:
    """A figure as it stands up from the table, in the picture's own directions."""
    place = np.array(at_mm)
    seen = plane.to_image(place + np.array([(0, 0), (1, 0), (0, 1)]))
    jacobian = np.stack([seen[1] - seen[0], seen[2] - seen[0]], axis=1)
    across = np.linalg.solve(jacobian, (1.0, 0.0))
    across *= _FIGURE_MM[0] / 2 / np.linalg.norm(across)
    low = plane.to_image(np.array([place - across, place + across]))
    high = plane.to_image(np.array([place - across, place + across]), _FIGURE_MM[1])
    corners = np.array([high[0], high[1], low[1], low[0]], np.float32)
    width, height = _CROP_PX
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    return np.asarray(cv2.warpPerspective(image_bgr, cv2.getPerspectiveTransform(corners, target), _CROP_PX), np.uint8)
