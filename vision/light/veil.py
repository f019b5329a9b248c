"""Light that a lamp, mirrored by the table, lays over a part of a picture: told from white paper by what is dark there.

Under a veil nothing is dark: ink, shadows and the rims of coins are as much lighter as the paper round them. So the
darkest places bear a smooth hill of light where a lamp shows; on white paper those beside print and coins stay dark.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import ImageBgr
from vision.light import srgb
from vision.light.hill import Hill, fit_hill

Array = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

# In every square of this side something is dark, if nothing veils it; cells are half as wide, no fewer px than so, and
# the picture is looked at so many px to a cell.
SQUARE_MM = 30.0
_LEAST_CELL_PX, _FINE = 8, 18
# Where a veil may be: the logarithm of the darkest light stands out from what is round it by so much, at one of these
# scales, cells. What is darker than the least light is black. So many of the clearest places are tried.
_SCALES, _STANDS_OUT, _BLACK, _TRIED = (2.0, 3.2, 5.0), 0.35, 0.01, 3
# Taken to be one: a hill so high, of the table's bright light and at all, no narrower and no longer than so, that dark
# points round it meet to so large a share of its height, or light, in so many eighths of the way round, and hardly any
# undercut (chosen on stills of seeds 41001, 41002 and 43003 with and without lamps, and 103 photographs without).
_LEAST_SHARE, _LEAST_LIGHT, _NARROWEST, _LONGEST = 0.3, 0.08, 1.3, 2.5
_MET_WITHIN, _MET_LIGHT, _MEETING, _FEWEST, _EIGHTHS, _UNDERCUT = 0.1, 0.015, 0.55, 9, 5, 0.05
_FOOT, _RING = 0.2, 0.7
# A flat top may be white paper, unless most of what shows there is so much lighter than the dark under it (medians, a
# share of the bright light beside it; paper 0.22 at most, lamps on print 0.28 at least), or it outshines all of that.
_FLAT, _SHOULDER, _BESIDE, _BRIGHT, _PAPER, _OUTSHINES = 1.6, 0.7, 0.05, 0.98, 0.25, 1.2
_BLOWN_OUT, _COARSE = 0.95, 3
# More than one lamp.
_MOST = 2
# The veil is taken off so far as the darkest point round each place allows, which keeps this share of usual darkness.
_KEPT_DARK, _SOFT_CELLS = 0.3, 0.7
_MAP_PX = 8


@dataclass(frozen=True, eq=False)
class Veil:
    """Light that lies over a picture.

    light   of each square of `_MAP_PX` px, row after row, 0 to 1
    hills   what it was made of, tops in px, the highest first
    """

    light: Grey
    hills: tuple[Hill, ...]


@dataclass(frozen=True, eq=False)
class _Darkest:
    """The darkest place in each cell of a picture: x and y in cells, light, all (rows, columns)."""

    x: Array
    y: Array
    light: Array
    cell_px: int


def veil_over(image_bgr: ImageBgr, shown: Mask, px_per_mm: float, bright: float) -> Veil | None:
    """The veil over the table; None where there is none to be told.

    shown   (h, w) where the table is
    bright  grey level of the table's bright parts
    """
    dark = _darkest(image_bgr, max(round(SQUARE_MM / 2 * px_per_mm), _LEAST_CELL_PX))
    if min(dark.light.shape) < 2:
        return None
    least = max(_LEAST_SHARE * float(srgb.light(np.array(bright))), _LEAST_LIGHT)
    hills: list[Hill] = []
    for _ in range(_MOST):
        hill = _hill(_less(dark, hills), image_bgr, shown, least)
        if hill is None:
            break
        hills.append(hill)
    return _veil(dark, hills, image_bgr.shape[:2]) if hills else None


def unveiled(image_bgr: ImageBgr, veil: Veil) -> ImageBgr:
    """The picture without the veil's light."""
    rows, columns = (np.flatnonzero((veil.light > 1 / 255).any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return image_bgr
    whole = cv2.resize(veil.light, None, fx=_MAP_PX, fy=_MAP_PX, interpolation=cv2.INTER_LINEAR)
    window = np.s_[
        rows[0] * _MAP_PX : min((rows[-1] + 1) * _MAP_PX, len(image_bgr)),
        columns[0] * _MAP_PX : min((columns[-1] + 1) * _MAP_PX, image_bgr.shape[1]),
    ]
    left = srgb.light_in(image_bgr[window]) - whole[window][..., None]
    clear = image_bgr.copy()
    clear[window] = srgb.rounded(left)
    return clear


def _darkest(image_bgr: ImageBgr, cell_px: int) -> _Darkest:
    step = max(1, cell_px // _FINE)
    fine = cell_px // step
    blue, green, red = cv2.split(image_bgr)
    least = cv2.min(cv2.min(blue, green), red)
    if step > 1:
        least = cv2.erode(least, np.ones((step, step), np.uint8))[::step, ::step]
    rows, columns = (side // fine for side in least.shape)
    whole = least[: rows * fine, : columns * fine].reshape(rows, fine, columns, fine)
    cells = whole.transpose(0, 2, 1, 3).reshape(rows, columns, fine * fine)
    at = cells.argmin(axis=2)
    levels = np.take_along_axis(cells, at[..., None], axis=2)[..., 0]
    x, y = np.arange(columns) + (at % fine + 0.5) / fine, np.arange(rows)[:, None] + (at // fine + 0.5) / fine
    return _Darkest(x, y, srgb.light(levels.astype(float)), fine * step)


def _less(dark: _Darkest, hills: list[Hill]) -> _Darkest:
    """The same with hills taken off."""
    light = dark.light - sum((hill.at(dark.x, dark.y) for hill in hills), np.zeros(1))
    return _Darkest(dark.x, dark.y, np.maximum(light, 0), dark.cell_px)


def _hill(dark: _Darkest, image_bgr: ImageBgr, shown: Mask, least: float) -> Hill | None:
    """The clearest hill of light, `least` high at least, in cells."""
    x, y, light = _of_squares(dark)
    usual = float(np.median(light))
    starts = _starts(light)
    once = np.unique(x.round(3) + 1j * y.round(3), return_index=True)[1]
    points = np.stack([x.ravel()[once], y.ravel()[once], light.ravel()[once]])
    for row, column, spread in starts:
        near = light[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
        top = np.array([column + 1.0, row + 1.0])
        start = Hill(max(float(np.median(near)) - usual, 0.05), top, np.full(2, spread), 0.0)
        hill = fit_hill(points[0], points[1], points[2] - usual, start, least)
        if hill is None or not _is_shown(hill.top * dark.cell_px, shown):
            continue
        met = _is_met(hill, points[0], points[1], points[2] - usual)
        if met and not _is_paper(hill, image_bgr, shown, dark.cell_px):
            return hill
    return None


def _of_squares(dark: _Darkest) -> tuple[Array, Array, Array]:
    """x, y and light of the darkest place in each square of two by two cells, (rows - 1, columns - 1) each."""
    rows, columns = dark.light.shape
    corners = [np.s_[down : rows - 1 + down, across : columns - 1 + across] for down in (0, 1) for across in (0, 1)]
    at = np.argmin([dark.light[corner] for corner in corners], axis=0)
    x, y, light = (np.choose(at, [values[corner] for corner in corners]) for values in (dark.x, dark.y, dark.light))
    return x, y, light


def _is_shown(place_px: Array, shown: Mask) -> bool:
    column, row = place_px.astype(int)
    return bool(0 <= row < len(shown) and 0 <= column < shown.shape[1] and shown[row, column])


def _starts(light: Array) -> list[tuple[int, int, float]]:
    """Row, column and spread of the squares from which hills are tried, the clearest first."""
    log = np.log(np.maximum(light, _BLACK)).astype(np.float32)
    found = []
    for scale in _SCALES:
        apart = _soft(log, scale) - _soft(log, 2 * scale)
        tops = (apart == cv2.dilate(apart, np.ones((5, 5), np.uint8))) & (apart > _STANDS_OUT)
        found += [(float(apart[row, column]), int(row), int(column), scale) for row, column in np.argwhere(tops)]
    return [(row, column, scale) for _, row, column, scale in sorted(found, reverse=True)[:_TRIED]]


def _soft(values: Grey, sigma: float) -> Grey:
    return np.asarray(cv2.GaussianBlur(values, (0, 0), sigma, borderType=cv2.BORDER_REFLECT), np.float32)


def _is_met(hill: Hill, x: Array, y: Array, light: Array) -> bool:
    """Whether it is the hill of a lamp: dark points lie on it all round."""
    if hill.spread.min() < _NARROWEST or hill.spread.max() > _LONGEST * hill.spread.min():
        return False
    inside = hill.at(x, y) > _FOOT * hill.height
    x, y, light = x[inside], y[inside], light[inside]
    rest, within = light - hill.at(x, y), max(_MET_WITHIN * hill.height, _MET_LIGHT)
    met, away = np.abs(rest) < within, hill.away(x, y)
    around = met & (np.hypot(*away) > _RING)
    eighths = np.unique((np.arctan2(away[1], away[0])[around] // (np.pi / 4)).astype(int))
    return bool(
        met.sum() >= max(_FEWEST, _MEETING * len(met))
        and len(eighths) >= _EIGHTHS
        and (rest < -within).sum() <= _UNDERCUT * len(met)
    )


def _is_paper(hill: Hill, image_bgr: ImageBgr, shown: Mask, cell_px: int) -> bool:
    """Whether a hill with a flat top is something bright that lies there, and no lamp: most of it is as bright."""
    if hill.flat < _FLAT:
        return False
    step = max(1, cell_px // _COARSE)
    light = srgb.light(image_bgr[::step, ::step].min(axis=2).astype(float))
    rows, columns = np.mgrid[: light.shape[0], : light.shape[1]] * (step / cell_px)
    laid = hill.at(columns, rows) / hill.height
    top, beside = (laid > _SHOULDER) & (light < _BLOWN_OUT), shown[::step, ::step] & (laid < _BESIDE)
    if not (top.any() and beside.any()):
        return True
    bright = float(np.quantile(light[beside], _BRIGHT))
    lighter = float(np.median(light[top])) - hill.height * float(np.median(laid[top]))
    return hill.height < _OUTSHINES * bright and lighter < _PAPER * bright


def _veil(dark: _Darkest, hills: list[Hill], shape: tuple[int, ...]) -> Veil:
    """Hills in cells as light of a picture of that shape, as far as what is dark in it allows."""
    usual = float(np.median(_of_squares(dark)[2]))
    laid = sum((hill.at(dark.x, dark.y) for hill in hills), np.zeros(1))
    borne = np.clip((dark.light - _KEPT_DARK * usual) / np.maximum(laid, 1e-6), 0, 1)
    least = cv2.erode(borne.astype(np.float32), np.ones((3, 3), np.uint8))
    rows, columns = (-(-side // _MAP_PX) for side in shape)
    across, down = ((np.arange(count) + 0.5) * _MAP_PX / dark.cell_px for count in (columns, rows))
    x, y = np.meshgrid(across, down)
    u, v = (axis.astype(np.float32) - 0.5 for axis in (x, y))
    share = cv2.remap(
        _soft(np.asarray(least, np.float32), _SOFT_CELLS), u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    light = sum((hill.at(x, y) for hill in hills), np.zeros(1)) * share
    in_px = [
        Hill(hill.height, hill.top * dark.cell_px, hill.spread * dark.cell_px, hill.turn_rad, hill.flat)
        for hill in hills
    ]
    return Veil(light.astype(np.float32), tuple(sorted(in_px, key=lambda hill: -hill.height)))
