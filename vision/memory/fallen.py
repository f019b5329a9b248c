"""Who fell over is not gone: of the paint of a figure that no look tells any more, much shows where ground showed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import KDTree
from shapely import MultiPolygon, Point, union_all
from shapely.geometry.base import BaseGeometry

from calibration.plane import TablePlane
from vision.detection import FIGURES, Detection
from vision.frame import ImageBgr
from vision.memory.hiding import TALL_RADII, hidden_by
from vision.memory.likeness import is_in_place
from vision.metric.outline import mask_of, shown_px
from vision.motion.change import CHANGE_LEVELS, light_gain, lit_by
from vision.track import Track

# Whoever fell lies within so many of its base's radii.
_REACH_RADII = 4.0
# What others hide is known to so much.
_BESIDE_MM = 4.0
# A colour is one's rather than another's if it is nearer to it by so many levels.
_NEARER = 10.0
# So much of what the base showed shows of its paint on what was ground: of 64 that fell on four drawn tables 43 show
# so much, of 32 that were taken off none shows any (*script*).
_LIES_SHARE = 0.1
# Of the paint that showed where he fell so much shows still if he lies on.
_STILL_SHARE = 0.5
# Of fewer pixels, in pictures half as large, no colours are known.
_FEWEST = 30
_SMOOTH_PX = 1.0
# The levels of ground in shadows, from the deepest.
_SHADES = (0.55, 0.7, 0.85, 1.0)

Mask = NDArray[np.bool_]
Levels = NDArray[np.float32]


def fallen(
    tracks: Iterable[Track], seen: Sequence[Detection], before_bgr: ImageBgr, after_bgr: ImageBgr, plane: TablePlane
) -> BaseGeometry:
    """The places, mm on the table, of figures that stood in the agreed picture, are told there no more and lie there.

    seen  what the looks at the later picture saw; both pictures are (h, w, 3)
    """
    sure = [d for d in seen if not d.faint]
    stood = [track.seen for track in tracks if track.seen.kind in FIGURES and not track.hidden]
    missing = [was for was in stood if not any(is_in_place(was, d) for d in sure if d.kind in FIGURES)]
    if not missing:
        return MultiPolygon()
    lit_bgr = lit_by(before_bgr, light_gain(before_bgr, after_bgr))
    hides = [(each, hidden_by(each, plane).buffer(_BESIDE_MM)) for each in (*stood, *sure)]

    def lies(was: Detection) -> bool:
        others_mm = union_all([mm for each, mm in hides if each is not was and not _may_be_he(was, each)])
        return _Place.of(was, others_mm, plane, lit_bgr, after_bgr).shows_paint

    return union_all([was.footprint for was in missing if lies(was)])


def lies_on(
    was: Detection,
    others: Iterable[Detection],
    stood_bgr: ImageBgr,
    fell_bgr: ImageBgr,
    after_bgr: ImageBgr,
    plane: TablePlane,
) -> bool:
    """Whether a figure that fell shows where it lay then, though something about its place changed since.

    was     as it stood; the pictures, (h, w, 3), show it so, as it fell, and now
    others  what else showed as it fell
    """
    others_mm = union_all([hidden_by(each, plane).buffer(_BESIDE_MM) for each in others if not _may_be_he(was, each)])
    lit_bgr, now_bgr = (lit_by(bgr, light_gain(bgr, fell_bgr)) for bgr in (stood_bgr, after_bgr))
    now = _Place.of(was, others_mm, plane, lit_bgr, now_bgr).after
    return _Place.of(was, others_mm, plane, lit_bgr, fell_bgr).shows_still(now)


def _may_be_he(was: Detection, seen: Detection) -> bool:
    """Whether what the eyes see may be a figure that fell: a box or sheet no larger than he is."""
    lying_mm2 = TALL_RADII * was.radius_mm * 2 * was.radius_mm
    return seen.kind == "terrain" and seen.footprint.area < lying_mm2


@dataclass(frozen=True, eq=False)
class _Place:
    """What two pictures, in one light, half as large and smoothed, show about a figure that went.

    around  (h, w) where it may lie; `base` and `body` are where it stood
    before  (h, w, 3) levels; so are those of `after`
    """

    around: Mask
    base: Mask
    body: Mask
    before: Levels
    after: Levels

    @classmethod
    def of(
        cls, was: Detection, others_mm: BaseGeometry, plane: TablePlane, lit_bgr: ImageBgr, after_bgr: ImageBgr
    ) -> _Place:
        """The place of a figure, but for what others hide."""
        reach_mm = Point(was.position_mm).buffer(_REACH_RADII * was.radius_mm)
        regions_mm = reach_mm, others_mm.intersection(reach_mm), was.footprint, hidden_by(was, plane)
        masks = [mask_of(shown_px(mm, plane), after_bgr.shape) for mm in regions_mm]
        left, top, width, height = cv2.boundingRect(masks[0])
        cut = slice(top, top + height), slice(left, left + width)
        reach, others, base, body = (_halved(mask[cut]) > 0 for mask in masks)
        return cls(reach & ~others, base, body, _smoothed(lit_bgr[cut]), _smoothed(after_bgr[cut]))

    @property
    def shows_paint(self) -> bool:
        """Whether much of what was ground shows the figure's paint by now."""
        lies = np.count_nonzero(self._lies(self._nearer()))
        return bool(lies > 0 and lies >= _LIES_SHARE * np.count_nonzero(self.base))

    def shows_still(self, now: Levels) -> bool:
        """Whether a later picture of the place shows most of the paint where it came."""
        nearer = self._nearer()
        lies = self._lies(nearer)
        return bool(lies.any() and np.mean(nearer(now[lies]) > _NEARER) >= _STILL_SHARE)

    def _lies(self, nearer: Callable[[Levels], Levels]) -> Mask:
        """(h, w) what was ground and shows the figure's paint by now."""
        came = self._came()
        came[came] = (nearer(self.before[came]) < -_NEARER) & (nearer(self.after[came]) > _NEARER)
        return came

    def _came(self) -> Mask:
        differs = np.abs(self.after - self.before).max(axis=2) > CHANGE_LEVELS
        return np.asarray(self.around & differs, np.bool_)

    def _nearer(self) -> Callable[[Levels], Levels]:
        """How much nearer colours, (n, 3), are to the figure's paint than to ground, (n,); 0 if it is not known."""
        ground = _also_shaded(self.after[self.around & ~self.body & ~self.base & ~self._came()])
        paint = self._paint(ground)
        if len(paint) < _FEWEST:
            return lambda levels: np.zeros(len(levels), np.float32)
        to_ground, to_paint = KDTree(ground), KDTree(paint)
        return lambda levels: np.asarray(to_ground.query(levels)[0] - to_paint.query(levels)[0], np.float32)

    def _paint(self, ground: Levels) -> Levels:
        """(n, 3) what its base showed and the ground, (m, 3), does not; nothing where too little ground shows."""
        shown = self.before[self.base]
        if min(len(ground), len(shown)) < _FEWEST:
            return shown[:0]
        return shown[KDTree(ground).query(shown)[0] > 2 * _NEARER]


def _also_shaded(ground: Levels) -> Levels:
    """The colours, (n, 3), of ground in the light and in shadows."""
    return np.concatenate([ground * shade for shade in _SHADES]).astype(np.float32)


def _smoothed(image_bgr: ImageBgr) -> Levels:
    soft = cv2.GaussianBlur(image_bgr, (0, 0), _SMOOTH_PX) if image_bgr.size else image_bgr
    return _halved(np.asarray(soft, np.uint8)).astype(np.float32)


def _halved(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Half as large; nothing of what is no pixel large then."""
    if min(image.shape[:2]) < 2:
        return image[:0, :0]
    return np.asarray(cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
