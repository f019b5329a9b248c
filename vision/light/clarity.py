"""How well a picture shows its table: the light on it, how sharp its edges are, how many pixels there are to a mm.

What is measured is what the eyes need: the brightest parts of the table, the widths of the edges on it, the grain
between them, and the blocks that compression leaves.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from vision.frame import Frame, ImageBgr
from vision.light.mirrored import glow_px
from vision.light.two_lights import TwoLights, two_lights_on
from vision.light.veil import Veil, unveiled, veil_over
from vision.metric.sampling import values_at

Array = NDArray[np.float64]
Grey = NDArray[np.float32]
Mask = NDArray[np.bool_]

# So many of the steepest edges are measured. The sharpest quarter tells the lens; others are soft by what they are of.
_EDGES, _SHARPEST = 1500, 0.25
# Less than this share as steep as the steepest (one in a hundred) is no edge of a thing but grain or shading.
_STEEP, _STEEPEST = 0.35, 0.99
# What rises by fewer grey levels is no edge but the rounding of a soft slope, which looks sharp.
_LOWEST = 6.0
# An edge is followed so far to both sides, px.
REACH_PX = 12
# A Gaussian edge of one grey level with spread s is 1 / (s sqrt(2 pi)) steep.
_STEEPNESS = float(np.sqrt(2 * np.pi))
# An edge ends where its slope falls below this share of the steepest.
_ENDS = 0.12
# Grain: how much a pixel differs from its neighbours, in the flattest of the blocks of that size.
_BLOCK_PX, _FLATTEST = 16, 0.2
# One edge in a square of so many px, so that no single pattern speaks for the picture.
_APART_PX = 8
# JPEG and video codecs work on squares of so many px.
_CODED_PX = 8
# From this level on in all colours a pixel is blown out.
_WHITE = 253
# Glare is located by the square of so many px that is blown out most, if this share of the table is blown out.
_GLARE_PX, _FEW = 96, 0.002
# Colour is measured at one pixel in each square of so many px.
_COLOUR_EVERY_PX = 4
# A third of the rows is measured, in bands: enough to tell, at a third of the cost.
_BAND_PX, _BAND_EVERY_PX = 96, 288


@dataclass(frozen=True)
class Clarity:
    """What a picture shows of its table.

    bright      grey level (0 to 255) that one pixel in fifty of the table exceeds
    brightest   that one in 200 exceeds: a few coins on a black cloth do
    clipped     share of the table that is blown out to white
    clipped_mm  where most of that lies, if it is much and it is known where the table is
    edge_px     standard deviation of the blur of its sharpest edges
    grain       standard deviation of the noise, grey levels
    colour      by how many levels its reddest, greenest, bluest pixels differ among their channels: 99 % less
    coded       how much more the picture steps between the squares of a codec than within them, 1 for no more
    px_per_mm   in the middle of the table
    veil        light that a mirrored lamp lays over it; without it the rest was measured, but for `clipped`
    lights      two lights of different colours that fall on it
    glow_mm     where something mirrors a lamp, if that is no veil
    """

    bright: float = 255.0
    brightest: float = 255.0
    clipped: float = 0.0
    clipped_mm: tuple[float, float] | None = None
    edge_px: float = 0.0
    grain: float = 0.0
    colour: float = np.inf
    coded: float = 1.0
    px_per_mm: float = np.inf
    veil: Veil | None = None
    lights: TwoLights | None = None
    glow_mm: tuple[float, float] | None = None


def clarity_of(frame: Frame, plane: TablePlane, table_size_mm: tuple[float, float]) -> Clarity:
    """How well `frame` shows the table; nothing is wrong with a picture that does not show it at all."""
    middle = plane.px_per_mm([(table_size_mm[0] / 2, table_size_mm[1] / 2)])[0]
    window, shown = _shown(frame.image_bgr, plane, table_size_mm)
    lights = two_lights_on(frame.image_bgr, shown, window)
    seen = replace(_clarity(frame.image_bgr[window], shown[window]), px_per_mm=float(middle), lights=lights)
    if seen.clipped > _FEW:
        seen = replace(seen, clipped_mm=_clipped_mm(frame.image_bgr, shown, plane))
    veil = veil_over(frame.image_bgr, shown, seen.px_per_mm, seen.bright)
    if veil is None:
        return replace(seen, glow_mm=_glow_mm(frame.image_bgr, shown, plane))
    clear = _clarity(unveiled(frame.image_bgr, veil)[window], shown[window])
    return replace(
        clear, clipped=seen.clipped, clipped_mm=seen.clipped_mm, px_per_mm=seen.px_per_mm, veil=veil, lights=lights
    )


def _blown_out(image_bgr: ImageBgr) -> Mask:
    """Which of every other pixel of every other row are white."""
    return np.asarray(cv2.inRange(image_bgr[::2, ::2], (_WHITE,) * 3, (255,) * 3) > 0)


def _clipped_mm(image_bgr: ImageBgr, shown: Mask, plane: TablePlane) -> tuple[float, float]:
    """The middle of the square of the table that is blown out most."""
    white = _blown_out(image_bgr) & shown[::2, ::2]
    around = cv2.blur(white.astype(np.float32), (_GLARE_PX // 2, _GLARE_PX // 2), borderType=cv2.BORDER_CONSTANT)
    row, column = np.unravel_index(int(around.argmax()), around.shape)
    x_mm, y_mm = plane.to_table([(2.0 * column, 2.0 * row)])[0]
    return float(x_mm), float(y_mm)


def _glow_mm(image_bgr: ImageBgr, shown: Mask, plane: TablePlane) -> tuple[float, float] | None:
    at_px = glow_px(image_bgr, shown)
    if at_px is None:
        return None
    x_mm, y_mm = plane.to_table([at_px])[0]
    return float(x_mm), float(y_mm)


def clarity_anywhere(frame: Frame) -> Clarity:
    """The same of a whole picture in which nobody knows yet where the table is."""
    return _clarity(frame.image_bgr, np.ones(frame.image_bgr.shape[:2], bool))


def _clarity(image_bgr: ImageBgr, shown: Mask) -> Clarity:
    if not shown.any():
        return Clarity()
    grey = np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), np.uint8)
    bands = [np.s_[top : top + _BAND_PX] for top in range(0, max(len(grey) - _BAND_PX, 0) + 1, _BAND_EVERY_PX)]
    bright, brightest = np.quantile(grey[shown][::7], (0.98, 0.995))
    return Clarity(
        float(bright),
        float(brightest),
        float(_blown_out(image_bgr)[shown[::2, ::2]].mean()),
        edge_px=_edge_px([(grey[band].astype(np.float32), shown[band]) for band in bands]),
        grain=_grain([(grey[band].astype(np.float32), shown[band]) for band in bands]),
        colour=_colour(
            image_bgr[::_COLOUR_EVERY_PX, ::_COLOUR_EVERY_PX][shown[::_COLOUR_EVERY_PX, ::_COLOUR_EVERY_PX]]
        ),
        coded=_coded(grey),
    )


def _colour(pixels_bgr: NDArray[np.uint8]) -> float:
    """The spread over the channels that one pixel (n, 3) in a hundred exceeds."""
    spread = pixels_bgr.max(axis=1) - pixels_bgr.min(axis=1)
    return float(np.quantile(spread, 0.99)) if len(spread) else np.inf


def _shown(
    image_bgr: ImageBgr, plane: TablePlane, table_size_mm: tuple[float, float]
) -> tuple[tuple[slice, slice], Mask]:
    """The part of the picture that holds the table, and which of the picture's pixels are table."""
    width_mm, depth_mm = table_size_mm
    share = np.linspace(0, 1, 9)
    sides = [(share, 0 * share), (1 + 0 * share, share), (1 - share, 1 + 0 * share), (0 * share, 1 - share)]
    outline_mm = np.concatenate([np.stack([x * width_mm, y * depth_mm], axis=1) for x, y in sides])
    height, width = image_bgr.shape[:2]
    outline = np.nan_to_num(plane.to_image(outline_mm), nan=-1e4)
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.clip(outline, -30000, 30000).round().astype(np.int32)], 1)
    left, top, across, down = cv2.boundingRect(mask)
    # From a codec's square on, so that they are found again.
    left, top = (first // _CODED_PX * _CODED_PX for first in (left, top))
    return np.s_[top : top + down, left : left + across], np.asarray(mask > 0)


def _edge_px(bands: list[tuple[Grey, Mask]]) -> float:
    """Spread of the sharpest of the steep edges; 0 where there are none."""
    profile = np.concatenate([_edges(grey, shown, _EDGES // len(bands)) for grey, shown in bands])
    found_px = spreads(profile)
    found_px = found_px[found_px * _steepest_in(profile) * _STEEPNESS > _LOWEST]
    return float(np.quantile(found_px, _SHARPEST)) if len(found_px) else 0.0


def _edges(grey: Grey, shown: Mask, count: int) -> Array:
    """(n, 2 reach + 1) grey levels across the steepest edges."""
    along = np.arange(-REACH_PX, REACH_PX + 1)
    if min(grey.shape) <= 2 * REACH_PX:
        return np.zeros((0, len(along)))
    soft = cv2.GaussianBlur(grey, (0, 0), 0.7)
    across, down = (cv2.Sobel(soft, cv2.CV_32F, *axis, ksize=3, scale=1 / 8) for axis in ((1, 0), (0, 1)))
    steep = cv2.magnitude(across, down)
    inner = np.zeros_like(shown)
    inner[REACH_PX:-REACH_PX, REACH_PX:-REACH_PX] = shown[REACH_PX:-REACH_PX, REACH_PX:-REACH_PX]
    rows, columns = _steepest(np.where(inner, steep, 0), count)
    if not len(rows):
        return np.zeros((0, len(along)))
    slope = steep[rows, columns]
    direction = np.stack([across[rows, columns], down[rows, columns]], axis=1) / slope[:, None]
    u, v = columns[:, None] + along * direction[:, :1], rows[:, None] + along * direction[:, 1:]
    return values_at(grey, u, v).astype(float)


def _steepest(steep: Grey, count: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Rows and columns of the steepest pixels, one in a square of `_APART_PX`."""
    height, width = (side // _APART_PX for side in steep.shape)
    whole = steep[: height * _APART_PX, : width * _APART_PX]
    squares = whole.reshape(height, _APART_PX, width, _APART_PX).transpose(0, 2, 1, 3).reshape(height * width, -1)
    inside, best = squares.argmax(axis=1), squares.max(axis=1)
    chosen = np.argsort(-best)[:count]
    chosen = chosen[best[chosen] > max(_STEEP * float(np.quantile(best, _STEEPEST)), 1e-3)]
    rows = chosen // width * _APART_PX + inside[chosen] // _APART_PX
    return rows, chosen % width * _APART_PX + inside[chosen] % _APART_PX


def spreads(profile: Array) -> Array:
    """(n,) blur of the edges in the middle of rising profiles (n, 2 REACH_PX + 1): their height over their steepness,
    in steps of the profiles."""
    slope = np.diff(profile, axis=1)
    middle = _steepest_in(profile)
    rises = slope > _ENDS * middle[:, None]
    after = np.cumprod(rises[:, REACH_PX:], axis=1)
    before = np.cumprod(rises[:, REACH_PX - 1 :: -1], axis=1)
    height = (slope[:, REACH_PX:] * after).sum(axis=1) + (slope[:, REACH_PX - 1 :: -1] * before).sum(axis=1)
    return np.asarray(height / (middle * _STEEPNESS), float)


def _steepest_in(profile: Array) -> Array:
    """(n,) how many levels the edges in the middle of rising profiles rise by in their steepest step."""
    slope = np.diff(profile[:, REACH_PX - 2 : REACH_PX + 3], axis=1)
    return np.asarray(np.clip(slope.max(axis=1), 1e-6, None), float)


def _grain(bands: list[tuple[Grey, Mask]]) -> float:
    """Noise of a pixel: from second differences, which slopes of light do not have, in the flattest blocks."""
    variance = np.concatenate([_block_variances(grey, shown) for grey, shown in bands])
    return float(np.sqrt(np.quantile(variance, _FLATTEST))) if len(variance) else 0.0


def _block_variances(grey: Grey, shown: Mask) -> Array:
    kernel = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
    rest = np.square(cv2.filter2D(grey, -1, kernel)) / np.square(kernel).sum()
    size = (grey.shape[1] // _BLOCK_PX, grey.shape[0] // _BLOCK_PX)
    if min(size) == 0:
        return np.zeros(0)
    variance = cv2.resize(rest, size, interpolation=cv2.INTER_AREA)
    whole = cv2.resize(shown.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST) > 0
    return np.asarray(variance[whole], float)


def _coded(grey: NDArray[np.uint8]) -> float:
    """Steps from a codec's square to the next over steps within: the mean of both directions."""
    strips = grey[: len(grey) // _CODED_PX * _CODED_PX]
    across = cv2.absdiff(strips[::_APART_PX, 1:], strips[::_APART_PX, :-1])
    down = cv2.absdiff(strips[1:, ::_APART_PX], strips[:-1, ::_APART_PX]).T
    return float(np.mean([_step_ratio(np.asarray(steps, np.uint8)) for steps in (across, down)]))


def _step_ratio(steps: NDArray[np.uint8]) -> float:
    by_place = steps.mean(axis=0)
    periods = len(by_place) // _CODED_PX
    if periods == 0:
        return 1.0
    by_place = by_place[: periods * _CODED_PX].reshape(periods, _CODED_PX).mean(axis=0)
    return float((by_place[-1] + 1e-3) / (by_place[:-1].mean() + 1e-3))
