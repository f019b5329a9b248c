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
# A hand pushes it on so far, mm.
_PUSHED_MM = 150.0
# Of fewer pixels, in pictures half as large, no colours are known.
_FEWEST = 30
_SMOOTH_PX = 1.0
# The levels of ground in shadows, from the deepest.
_SHADES = (0.55, 0.7, 0.85, 1.0)

Mask = NDArray[np.bool_]
Levels = NDArray[np.float32]
# How much nearer colours, (n, 3), are to a figure's paint than to ground, (n,).
Nearer = Callable[[Levels], Levels]


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


@dataclass(frozen=True, eq=False)
class Lying:
    """A figure that fell, in pictures, (h, w, 3), of which the first shows it standing, the second where it lay.

    was     as it stood
    at_mm   (2,) where it stands by its track: where it stood, shifted as it was pushed on
    others  what else showed as it lay
    """

    was: Detection
    at_mm: tuple[float, float]
    others: tuple[Detection, ...]
    stood_bgr: ImageBgr
    lay_bgr: ImageBgr
    plane: TablePlane

    def lies_on(self, now_bgr: ImageBgr) -> bool:
        """Whether it shows where it lay, though something about its place changed since."""
        return self._where_it_lay.shows_still(self._place(now_bgr, self.others).after)

    def pushed(
        self, agreed_bgr: ImageBgr, now_bgr: ImageBgr, others: Iterable[Detection]
    ) -> tuple[float, float] | None:
        """How far, mm, it was pushed since a picture was agreed: its paint shows now where ground showed in that one;
        None if it does not.

        others  what else showed then, or shows now
        """
        others = tuple(others)
        before, now = (self._place(bgr, others, _PUSHED_MM) for bgr in (agreed_bgr, now_bgr))
        moved_px = now.paint_moved_px(before.after, self._where_it_lay.nearer())
        if moved_px is None:
            return None
        # It lies with its base on edge.
        (x0, y0), (x1, y1) = self.plane.to_table(moved_px, self.was.radius_mm)
        return float(x1 - x0), float(y1 - y0)

    @property
    def _where_it_lay(self) -> _Place:
        return self._place(self.lay_bgr, self.others)

    def _place(self, bgr: ImageBgr, others: Iterable[Detection], beyond_mm: float = 0.0) -> _Place:
        """What a picture shows of it, in the light in which it lay, as far about it as it lies and `beyond_mm` more."""
        hides_mm = [hidden_by(each, self.plane).buffer(_BESIDE_MM) for each in others if not _may_be_he(self.was, each)]
        lit_bgr, now_bgr = (lit_by(each, light_gain(each, self.lay_bgr)) for each in (self.stood_bgr, bgr))
        reach_mm = Point(self.at_mm).buffer(_REACH_RADII * self.was.radius_mm + beyond_mm)
        return _Place.of(self.was, union_all(hides_mm), self.plane, lit_bgr, now_bgr, reach_mm)


def _may_be_he(was: Detection, seen: Detection) -> bool:
    """Whether what the eyes see may be a figure that fell: a box or sheet no larger than he is."""
    lying_mm2 = TALL_RADII * was.radius_mm * 2 * was.radius_mm
    return seen.kind == "terrain" and seen.footprint.area < lying_mm2


@dataclass(frozen=True, eq=False)
class _Place:
    """What two pictures, in one light, half as large and smoothed, show about a figure that went.

    around  (h, w) where it may lie; `base` and `body` are where it stood
    before  (h, w, 3) levels; so are those of `after`
    corner_px  where the upper left of these is in the pictures
    """

    around: Mask
    base: Mask
    body: Mask
    before: Levels
    after: Levels
    corner_px: tuple[int, int]

    @classmethod
    def of(
        cls,
        was: Detection,
        others_mm: BaseGeometry,
        plane: TablePlane,
        lit_bgr: ImageBgr,
        after_bgr: ImageBgr,
        reach_mm: BaseGeometry | None = None,
    ) -> _Place:
        """The place of a figure, but for what others hide: all about where it stood, or another region."""
        reach_mm = reach_mm or Point(was.position_mm).buffer(_REACH_RADII * was.radius_mm)
        regions_mm = reach_mm, others_mm.intersection(reach_mm), was.footprint, hidden_by(was, plane)
        masks = [mask_of(shown_px(mm, plane), after_bgr.shape) for mm in regions_mm]
        left, top, width, height = cv2.boundingRect(np.maximum(masks[0], masks[2]))
        cut = slice(top, top + height), slice(left, left + width)
        reach, others, base, body = (_halved(mask[cut]) > 0 for mask in masks)
        return cls(reach & ~others, base, body, _smoothed(lit_bgr[cut]), _smoothed(after_bgr[cut]), (left, top))

    @property
    def shows_paint(self) -> bool:
        """Whether much of what was ground shows the figure's paint by now."""
        lies = np.count_nonzero(self.lies(self.nearer()))
        return bool(lies > 0 and lies >= _LIES_SHARE * np.count_nonzero(self.base))

    def shows_still(self, now: Levels) -> bool:
        """Whether a later picture of the place shows most of the paint where it came."""
        nearer = self.nearer()
        lies = self.lies(nearer)
        return bool(lies.any() and np.mean(nearer(now[lies]) > _NEARER) >= _STILL_SHARE)

    def paint_moved_px(self, was: Levels, nearer: Nearer) -> NDArray[np.float64] | None:
        """(2, 2) the middles, px, of the figure's paint in an earlier picture, (h, w, 3), and by now; None unless about
        as much shows where ground showed as went."""
        differs = np.abs(self.after - was).max(axis=2) > CHANGE_LEVELS
        came_since = self._came() | self.base & self.around
        where = self.around & differs | came_since
        then, now = np.zeros((2, *where.shape), np.float32)
        then[where], now[where] = nearer(was[where]), nearer(self.after[where])
        left, came = ((one > _NEARER) & (other < -_NEARER) for one, other in ((then, now), (now, then)))
        least = max(_STILL_SHARE * np.count_nonzero(left), _LIES_SHARE * np.count_nonzero(self.base))
        if not left.any() or np.count_nonzero(came) < least:
            return None
        stays = came_since & (then > _NEARER) & (now > _NEARER)
        return np.array([self._middle_px(part | stays) for part in (left, came)])

    def _middle_px(self, mask: Mask) -> NDArray[np.float64]:
        """(2,) the middle of a mask in the picture."""
        rows, columns = np.nonzero(mask)
        return 2.0 * np.array([np.median(columns), np.median(rows)]) + 0.5 + self.corner_px

    def lies(self, nearer: Nearer) -> Mask:
        """(h, w) what was ground and shows the figure's paint by now."""
        came = self._came()
        came[came] = (nearer(self.before[came]) < -_NEARER) & (nearer(self.after[came]) > _NEARER)
        return came

    def _came(self) -> Mask:
        differs = np.abs(self.after - self.before).max(axis=2) > CHANGE_LEVELS
        return np.asarray(self.around & differs, np.bool_)

    def nearer(self) -> Nearer:
        """Of the figure's paint and the ground about it; 0 if it is not known."""
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
