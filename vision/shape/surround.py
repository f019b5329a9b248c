"""A disc and the ground round it: a washer shows the ground through its hole, printed circles have it on both sides."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from models.coins import CROP_PX, RIM_SHARE
from vision.frame import ImageBgr

Array = NDArray[np.float64]

_RAYS = 48
# Where along a ray, in radii, the middle, the disc's border and the ground outside it are looked at.
_MIDDLE, _BORDER, _OUTSIDE = (0.08, 0.16, 0.24), (0.80, 0.85, 0.90), (1.12, 1.17, 1.22)
# The holes of fender washers are smaller than dots are.
_SMALL_MIDDLE = (0.03, 0.08, 0.12)
# Through a hole the ground is seen: the middle differs from it by so small a share of what the border does, where that
# is told from noise at all. Of 1,900 coins in photographs made for training none is below 0.2 (two-metal coins); by a
# small middle none of 1,421, and one of 1,741 on stills.
_HOLE_SHARE, _LEAST_CONTRAST = 0.15, 20.0
# A middle that is the ground to so few levels is a hole up to a larger share; of those coins the nearest is 8.8 off.
_SAME_LEVELS, _FAINT_HOLE_SHARE = 8.0, 0.27
# In uneven light the hole is as the ground on one side is: to so few levels the middle is that of a tenth of the rays,
# up to a larger share yet. Of 3,000 coins in photographs and rendered pictures 99.9 % are more than 5.3 off.
_SIDE_LEVELS, _SIDE, _SIDE_HOLE_SHARE = 4.0, 0.1, 0.5
# Where the ground has more than one colour its median may be none that the hole shows: a road, a card's corner. There
# the middle is that of one side, to so few levels, and unlike the border by so many. Of 2,049 coins (650 cut from
# photographs and laid on others, 849 in photographs, 550 on stills, half of these with dots) none is within 10
# (*script*).
_ONE_SIDE_LEVELS, _UNLIKE_BORDER = 6.0, 40.0
# Nor is it a hole where the middle is so far from all but a tenth of the ground: print of many colours has a median
# that shows nowhere (the core of a two euro on a court card, 50 levels from that; 32 washers by a webcam 16 at most).
_NOWHERE_LEVELS = 30.0
# A hole is in the middle, a dot of the ground's colour where a hand put it: off by more than this share of the radius
# it is a dot, if it is no wider than dots are. Of 24 washers by a webcam one is further off, and wider; of 730 dots on
# rendered coins three in four are further off.
_ASKEW, _WIDEST_DOT = 0.075, 0.5
# Seen aslant a washer hides one side of its hole, which then lies askew as well. Paper dots are 4 mm in radius (of 90
# that lie askew and have the ground's very colour two in three measure 3.8 to 4.2), and those that highlights make
# wider are no discs: on average their pixels lie further from their own middle, by 1.8 % or more. Holes are wider, and
# discs (*script*).
_WIDEST_DOT_MM, _ROUND = 4.6, 1.015
# A disc of a paper dot's very radius is a dot even in the middle: of 113 looks at coins whose dots of the ground's
# colour were holes 59 are saved by it, of 477 at washers and nuts, cut out or by a webcam, three pass (*script*).
_DOT_MM, _DOT_OFF_MM, _DOT_ROUND = 4.03, 0.13, 1.02
# What reaches into so many radii about the middle is of a piece with it.
_AT_MIDDLE = 0.2
# A pixel belongs to the middle rather than to the border from this share of the way on; within so many radii.
_OF_MIDDLE, _WITHIN = 0.4, 0.72


# How far a border stands out is told by the quarter of the rays on which it does least.
_LEAST_APART = 0.25


def apart_from_ground(crops: ImageBgr, at: tuple[float, ...] = _BORDER) -> Array:
    """(n,) by how many levels the borders of discs in crops (n, CROP_PX, CROP_PX, 3) differ from the ground outside.

    at  the shares of the radius at which a border shows
    """
    if not len(crops):
        return np.zeros(0)
    border, outside = _along_rays(crops, at), _along_rays(crops, _OUTSIDE)
    return np.asarray(np.quantile(np.linalg.norm(border - outside, axis=2), _LEAST_APART, axis=1), float)


def are_hollow(crops: ImageBgr, radius_mm: Array | None = None) -> NDArray[np.bool_]:
    """(n,) whether the ground shows in the middle of crops (n, CROP_PX, CROP_PX, 3), cut by `vision.classify`.

    radius_mm  (n,) of the discs, if measured: holes are wider than paper dots
    """
    if not len(crops):
        return np.zeros(0, bool)
    middle, small, border = (np.median(_along_rays(crops, each), axis=1) for each in (_MIDDLE, _SMALL_MIDDLE, _BORDER))
    as_ground = _are_as_ground(middle, small, border, _along_rays(crops, _OUTSIDE))
    radii = np.zeros(len(crops)) if radius_mm is None else radius_mm
    as_ground[as_ground] = _are_no_dots(crops[as_ground], middle[as_ground], border[as_ground], radii[as_ground])
    return as_ground


def _are_as_ground(middle: Array, small: Array, border: Array, around: Array) -> NDArray[np.bool_]:
    """(n,) whether middles (n, 3), narrow ones or wider ones, are as the ground is along the rays (n, rays, 3)."""
    outside = np.median(around, axis=1)
    contrast = np.linalg.norm(border - outside, axis=-1)
    hole = np.linalg.norm(middle - outside, axis=-1)
    clear = np.minimum(hole, np.linalg.norm(small - outside, axis=-1)) < _HOLE_SHARE * contrast
    faint = (hole < _SAME_LEVELS) & (hole < _FAINT_HOLE_SHARE * contrast)
    by_side, small_by_side = (_to_side(each, around) for each in (middle, small))
    one_sided = (by_side < _SIDE_LEVELS) & (hole < _SIDE_HOLE_SHARE * contrast)
    of_one_side = (by_side < _ONE_SIDE_LEVELS) & (np.linalg.norm(middle - border, axis=-1) > _UNLIKE_BORDER)
    somewhere = np.minimum(by_side, small_by_side) < _NOWHERE_LEVELS
    return np.asarray((contrast > _LEAST_CONTRAST) & somewhere & (clear | faint | one_sided | of_one_side))


def _are_no_dots(crops: ImageBgr, middle: Array, border: Array, radius_mm: Array) -> NDArray[np.bool_]:
    """(n,) whether what has the colour of the middle, and not of the border, is no dot of paper."""
    off, share = _lies_in_middle(crops, middle, border)
    wide, spread = _disc_in_middle(crops, middle, border)
    wide_mm = wide * radius_mm
    is_wide_disc = (wide_mm > _WIDEST_DOT_MM) & (spread < _ROUND)
    is_dot = (np.abs(wide_mm - _DOT_MM) < _DOT_OFF_MM) & (spread < _DOT_ROUND)
    return np.asarray(((off <= _ASKEW) | (share >= _WIDEST_DOT) | is_wide_disc) & ~is_dot)


def _to_side(middle: Array, around: Array) -> Array:
    """(n,) levels by which middles (n, 3) differ from all but some of the rays' ground (n, rays, 3)."""
    return np.asarray(np.quantile(np.linalg.norm(middle[:, None] - around, axis=-1), _SIDE, axis=1), float)


def small_in_middle(crops: ImageBgr) -> NDArray[np.bool_]:
    """(n,) whether what has the colour of the middle, and not of the border, is no wider than dots are."""
    middle, border = (np.median(_along_rays(crops, each), axis=1) for each in (_MIDDLE, _BORDER))
    return np.asarray(_lies_in_middle(crops, middle, border)[1] < _WIDEST_DOT)


def _lies_in_middle(crops: ImageBgr, middle: Array, border: Array) -> tuple[Array, Array]:
    """(n,) each: how far off the centre what has the colour of the middle, and not of the border, lies where it is all
    of a piece with the middle, and half of the width of all of it, in radii."""
    weight, of_middle = _weights(crops, middle, border)
    share = _radius_of(weight > _OF_MIDDLE)
    weight[~_of_a_piece(of_middle)] = 0
    columns, rows = (axis.ravel() for axis in _radii())
    mass = np.maximum(weight.sum(axis=1), 1e-6)
    off = np.hypot(weight @ columns / mass, weight @ rows / mass)
    return np.asarray(off, float), share


def _disc_in_middle(crops: ImageBgr, middle: Array, border: Array) -> tuple[Array, Array]:
    """(n,) each: the radius, in the crops' radii, of a disc as large as what hangs together with the middle; and how
    far its pixels lie from its own middle, root mean square over that disc's: 1 for a disc, else more."""
    weight, of_middle = _weights(crops, middle, border)
    shown = (weight > _OF_MIDDLE) & _of_a_piece(of_middle)
    places = np.stack([axis.ravel() for axis in _radii()], axis=1)
    count = np.maximum(shown.sum(axis=1), 1)[:, None]
    spread = (shown @ np.square(places) / count - np.square(shown @ places / count)).sum(axis=1)
    radius = _radius_of(shown)
    return radius, np.asarray(np.sqrt(2 * spread) / np.maximum(radius, 1e-6), float)


def _weights(crops: ImageBgr, middle: Array, border: Array) -> tuple[Array, NDArray[np.bool_]]:
    """(n, CROP_PX^2) each: how much of the middle's colour a pixel has rather than of the border's; which are of it."""
    way = (border - middle) / np.maximum(np.square(border - middle).sum(axis=1), 1e-9)[:, None]
    along = np.einsum("npc,nc->np", crops.reshape(len(crops), CROP_PX**2, 3) - middle[:, None], way)
    of_middle = (along < 1 - _OF_MIDDLE) & (np.hypot(*_radii()).ravel() < _WITHIN)
    return np.where(of_middle, 1 - np.maximum(along, 0), 0), of_middle


def _radius_of(shown: NDArray[np.bool_]) -> Array:
    """(n,) radii of discs as large as the pixels shown (n, CROP_PX^2), in the crops' radii."""
    return np.asarray(np.sqrt(shown.sum(axis=1) / np.pi) / (CROP_PX / 2 * RIM_SHARE), float)


def _of_a_piece(of_middle: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """(n, CROP_PX^2) what of those pixels hangs together with the middle, or all where nothing does.

    Scratches and shadows on a washer, as dark as what shows through its hole, lie elsewhere and draw the mass there.
    """
    at_middle = np.hypot(*_radii()) < _AT_MIDDLE
    pieces = [_piece_at(each, at_middle) for each in of_middle.reshape(-1, CROP_PX, CROP_PX)]
    return np.array(pieces, bool).reshape(of_middle.shape)


def _piece_at(shown: NDArray[np.bool_], at: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of the pixels shown those of the piece that has most of the places at; all where none has any."""
    _, labels = cv2.connectedComponents(shown.astype(np.uint8), connectivity=4)
    sizes = np.bincount(labels[at & shown], minlength=1)
    return np.asarray(labels == sizes.argmax() if sizes.any() else shown, bool)


@cache
def _radii() -> Array:
    """(2, CROP_PX, CROP_PX) columns and rows of a crop's pixels from its middle, in radii."""
    rows, columns = (np.mgrid[:CROP_PX, :CROP_PX] - (CROP_PX - 1) / 2) / (CROP_PX / 2 * RIM_SHARE)
    return np.asarray([columns, rows])


def _along_rays(crops: ImageBgr, shares: tuple[float, ...]) -> Array:
    """(n, rays, 3) mean colours along each ray at these shares of the radius."""
    seen = crops.reshape(len(crops), CROP_PX**2, 3)[:, _places(shares)]
    return np.asarray(seen.sum(axis=1, dtype=np.float32) / len(shares), float)


@cache
def _places(shares: tuple[float, ...]) -> NDArray[np.intp]:
    """(shares, rays) pixels of a crop, row after row."""
    angles = np.arange(_RAYS) * (2 * np.pi / _RAYS)
    reach_px = np.asarray(shares)[:, None] * (CROP_PX / 2 * RIM_SHARE)
    columns, rows = (
        np.clip(np.rint((CROP_PX - 1) / 2 + reach_px * part).astype(int), 0, CROP_PX - 1)
        for part in (np.cos(angles), np.sin(angles))
    )
    return np.asarray(rows * CROP_PX + columns, np.intp)
