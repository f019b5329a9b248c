"""How dice are turned, by the edges of their top and their foot, and how well each size lies on these."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import BELOW_CAMERA, TablePlane
from vision.detect.die.die_size import SIDES_MM, DieSize, die_sizes
from vision.detect.solid.borne import borne_out
from vision.detect.solid.forms import BLOCK
from vision.frame import ImageBgr
from vision.metric.patch import patches

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# What is cut out around a top face, as the table shows it: a die of 20 mm with its foot, seen from 30 degrees.
_AROUND_MM, _PX_PER_MM = 44.0, 3.0
_SIZE_PX = round(_AROUND_MM * _PX_PER_MM)
_SIGMA_PX = 1.2
# An edge of so many grey levels a pixel (in Lab) bears a side out wholly.
_ENOUGH_LEVELS = np.float32(12.0)
# Turns are counted in steps of a degree, softened over so many, so far around the middle of a top face; the likeliest
# is tried, another so far apart too if it has such a share of its count, and around the better one these, degrees.
_TURN_SOFT, _WITHIN_MM, _TURNS_APART, _RIVAL, _TURNED = 1.5, 13.0, 12, 0.6, np.radians(np.arange(-3.0, 3.1))
_ABOUT = np.flatnonzero(np.hypot(*(np.mgrid[:_SIZE_PX, :_SIZE_PX] - (_SIZE_PX - 1) / 2)) < _WITHIN_MM * _PX_PER_MM)
# How far the middle of a top face may be off, mm.
_OFF_MM = (-0.7, 0.0, 0.7)
# Half a domino, up to the line across it: its sides and how high it is (mm), and how far its middle may be off. The
# usual makes are 22 to 25 mm broad and 6 to 10 high.
_HALVES_MM = np.array([(side, high) for side in (22.0, 23.0, 24.0, 25.0) for high in (7.0, 10.0)])
_HALF_OFF_MM = (-1.0, 0.0, 1.0)
# Half a domino lies on so many times the edge of any cube: halves on 1.14 to 1.63 times, but one that is told as a die
# (0.97), dice of 16 mm on up to 1.04, one on a card on 1.14, some of 20 mm that touch one another on up to 1.24.
_CLEARLY_DOMINO = 1.125
# What lies on less edge than this, and on most of it as one of the smallest cubes, is hardly one: beads of 10 to 16 mm
# lie on 0.2 to 0.7, dice that show a one on 0.33 and more, those below 0.45 as larger ones.
_HARDLY, _SMALLEST_MM = 0.45, 13.0
_NOTHING = np.zeros((0, 0), bool)


@dataclass(frozen=True)
class DieForm:
    """A die's turn in radians, 0 to a right angle, and its size.

    is_domino  whether half a domino lies on clearly more edge there than any die: what was read are its pips
    is_hardly  whether hardly any edge is a die's: it is none if it is round as well
    """

    turn: float
    size: DieSize
    is_domino: bool = False
    is_hardly: bool = False


def die_forms(image_bgr: ImageBgr, plane: TablePlane, at_mm: Array) -> list[DieForm]:
    """How each of n dice is turned and how large it is.

    at_mm  (n, 2) where the middle of its top face shows on the table
    """
    cut = patches(image_bgr, plane, at_mm, np.zeros(len(at_mm)), (_SIZE_PX, _SIZE_PX), _PX_PER_MM)
    turned = [_turned(patch, plane, middle) for patch, middle in zip(cut, at_mm, strict=True)]
    tops = [(middle, each.turn) for middle, each in zip(at_mm, turned, strict=True)]
    sizes = die_sizes(image_bgr, plane, tops, [each.borne for each in turned])
    return [DieForm(each.turn, size, each.is_domino, each.is_hardly) for each, size in zip(turned, sizes, strict=True)]


@dataclass(frozen=True, eq=False)
class _Turned:
    """How a die is turned, and how far each of `SIDES_MM` then lies on edges; the rest is as in `DieForm`."""

    turn: float
    borne: Array
    is_domino: bool
    is_hardly: bool


def _turned(patch: ImageBgr, plane: TablePlane, at_mm: Array) -> _Turned:
    """How the die is turned whose top shows in the middle of the patch, (2,) mm on the table."""
    edges = _Edges.of(patch, plane, at_mm)
    stands_mm = plane.to_table(np.repeat(plane.to_image([at_mm]), len(SIDES_MM), axis=0), SIDES_MM)
    turns = _turns(edges.slopes)
    borne, turn = max(((edges.borne(stands_mm, turn), turn) for turn in turns), key=lambda end: end[0].max())
    best = int(borne.argmax())
    near = np.full(len(_TURNED), best)
    refined = edges.borne(stands_mm[near], turn + _TURNED, SIDES_MM[near])
    cube = max(borne.max(), refined.max())
    is_domino = max(edges.half_borne(plane, at_mm, turn) for turn in turns) > _CLEARLY_DOMINO * cube
    is_hardly = cube < _HARDLY and SIDES_MM[best] <= _SMALLEST_MM
    turn_rad = (turn + _TURNED[refined.argmax()]) % (np.pi / 2)
    return _Turned(float(turn_rad), borne, bool(is_domino), bool(is_hardly))


def _turns(slopes: Floats) -> list[float]:
    """The one or two directions that most edges around the middle have, radians from 0 to a right angle."""
    about = slopes.reshape(-1, slopes.shape[-1]).take(_ABOUT, axis=0)
    strongest = np.argmax(np.square(about[:, :3]) + np.square(about[:, 3:]), axis=1)
    n = np.arange(len(about))
    u, v = about[n, strongest], about[n, strongest + 3]
    # Rows go down, y goes up.
    angle = np.rint(np.degrees(np.arctan2(-v, u))).astype(int) % 90
    counts = np.bincount(angle, np.minimum(np.hypot(u, v), _ENOUGH_LEVELS), 90)
    soft = cv2.GaussianBlur(np.tile(counts, 3)[None], (0, 0), _TURN_SOFT)[0, 90:180]
    first = int(soft.argmax())
    apart = np.abs((np.arange(90) - first + 45) % 90 - 45)
    second = int(np.where(apart >= _TURNS_APART, soft, 0).argmax())
    told = [first] if soft[second] < _RIVAL * soft[first] else [first, second]
    return [float(turn) for turn in np.radians(told)]


@dataclass(frozen=True, eq=False)
class _Edges:
    """Derivatives of what is cut out around one top face.

    slopes      (h, w, 6) along u, then along v, of L, a and b
    eye_mm      (3,) the camera
    from_above  as in `borne_out`
    """

    slopes: Floats
    eye_mm: Array
    from_above: tuple[float, ...]

    @classmethod
    def of(cls, patch: ImageBgr, plane: TablePlane, at_mm: Array) -> _Edges:
        """Those of a picture of the table about a place, (2,) mm, upright as `patches` cuts it out."""
        soft = cv2.GaussianBlur(cv2.cvtColor(patch, cv2.COLOR_BGR2LAB), (0, 0), _SIGMA_PX)
        # A Sobel kernel of three weighs eight differences of one pixel.
        both = [cv2.Sobel(soft, cv2.CV_32F, *way, scale=1 / 8) for way in ((1, 0), (0, 1))]
        eye_mm = np.asarray(plane.camera_position_mm, float)
        first_mm = at_mm + np.array([-1, 1]) * (_AROUND_MM / 2 - 0.5 / _PX_PER_MM)
        from_above = (*eye_mm, BELOW_CAMERA * eye_mm[2], *first_mm, _PX_PER_MM, 0.0, 0.0)
        return cls(np.asarray(cv2.merge(both), np.float32), eye_mm, tuple(float(each) for each in from_above))

    def borne(self, stands_mm: Array, turn: Array | float, sides_mm: Array = SIDES_MM) -> Array:
        """(n,) how far cubes of n sides, each about where it would stand (n, 2), lie on edges, 0 to 1.

        turn  (n,) of each, or that of all
        """
        return self._borne(stands_mm, turn, np.column_stack([sides_mm, sides_mm]), _OFF_MM)

    def half_borne(self, plane: TablePlane, at_mm: Array, turn: float) -> float:
        """How far the half of a domino with its middle there, (2,) mm as the table shows it, lies on edges, 0 to 1."""
        stands_mm = plane.to_table(np.repeat(plane.to_image([at_mm]), len(_HALVES_MM), axis=0), _HALVES_MM[:, 1])
        return float(self._borne(stands_mm, turn, _HALVES_MM, _HALF_OFF_MM).max())

    def _borne(self, stands_mm: Array, turn: Array | float, sizes_mm: Array, off_mm: tuple[float, ...]) -> Array:
        """(n,) the same of square blocks of n sides and heights (n, 2), each so far off along x and y at most."""
        at_mm = stands_mm[:, None] + np.stack(np.meshgrid(off_mm, off_mm), axis=-1).reshape(-1, 2)
        shapes = np.empty((*at_mm.shape[:2], 6))
        shapes[..., :2] = at_mm
        shapes[..., [2, 3, 5]] = sizes_mm[:, None, [0, 0, 1]]
        shapes[..., 4] = np.broadcast_to(turn, len(sizes_mm))[:, None]
        shapes = shapes.reshape(-1, 6)
        borne, weights = np.zeros(len(shapes)), np.zeros(len(shapes))
        for points_mm, ahead_mm, weight in BLOCK.outlines(shapes, self.eye_mm):
            drawn = (points_mm, ahead_mm, self.from_above, self.slopes, _ENOUGH_LEVELS, _NOTHING, weight)
            borne += weight * borne_out(*drawn)[0]
            weights += weight
        return np.asarray((borne / weights).reshape(at_mm.shape[:2]).max(axis=1), float)
