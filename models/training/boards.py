"""Grounds that end: a board, mat or map sheet on a table whose edges show, and printed markers, of which none is a thing."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.grounds import noise
from models.training.slices import CANVAS_PX, PX_PER_MM, TABLE_MM, Layers

Array = NDArray[np.float64]
Picture = NDArray[np.float32]

# Shares by eye, of set-ups that players show: grounds of one colour, tables with a board and with markers that lie
# about, boards with a frame, with markers in their corner, and with two edges in what a look sees.
PLAIN, _BOARDED, _STREWN, _FRAMED, _MARKED, _CORNERED = 0.45, 0.8, 0.3, 0.3, 0.35, 0.5
# A board is as thick as a sheet of paper, foam board or chipboard, mm.
_THICK_MM = (0.0, 0.2, 3.0, 5.0, 10.0)
_MARKER_MM = (18.0, 90.0)
_DICTIONARIES = (cv2.aruco.DICT_4X4_50, cv2.aruco.DICT_5X5_100, cv2.aruco.DICT_6X6_250, cv2.aruco.DICT_APRILTAG_36h11)
# Chipboard, foam board, black card.
_SIDES_BGR = np.array([(60, 90, 130), (60, 90, 130), (225, 230, 232), (225, 230, 232), (25, 25, 25)], float)
_SHADOW_PX = 7.0


def lay_out(layers: Layers, next_ground: Callable[[], Picture], rng: np.random.Generator) -> None:
    """A board, printed markers, both or neither on a bare table."""
    if rng.random() < _BOARDED:
        lay_board(layers, next_ground(), rng)
    if rng.random() < _STREWN:
        lay_markers(layers.bgr, rng)


def lay_board(layers: Layers, top: Picture, rng: np.random.Generator) -> None:
    """Part of a board on the ground of a tile: `top` (CANVAS_PX, CANVAS_PX, 3) is what it shows.

    One or two of its edges cross the tile. Its top is the table's plane, what it lies on is as much lower as it is
    thick, and its near side shows.
    """
    turn = rng.uniform(0, 2 * np.pi)
    along, across = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    corner = TABLE_MM / 2 - along * rng.uniform(0.05, 0.4) * TABLE_MM
    corner = corner - across * (rng.uniform(0.05, 0.4) if rng.random() < _CORNERED else 3.0) * TABLE_MM
    far = 5 * TABLE_MM
    outline = corner + np.array([0 * along, along * far, along * far + across * far, across * far])
    thick_mm = float(rng.choice(_THICK_MM)) * rng.uniform(0.6, 1.4)
    _shade(layers, outline - layers.slant * thick_mm, rng)
    _side(layers.bgr, outline, layers.slant * thick_mm, rng)
    if rng.random() < _FRAMED:
        _frame(top, outline, rng)
    inside = _filled(outline)[..., None]
    layers.bgr[:] = top * inside + layers.bgr * (1 - inside)
    if rng.random() < _MARKED:
        _corner_markers(layers.bgr, corner, along, across, rng)


def lay_markers(picture: Picture, rng: np.random.Generator) -> None:
    """One to three printed markers anywhere."""
    for _ in range(rng.integers(1, 4)):
        turn = rng.uniform(0, 2 * np.pi)
        _marker(picture, rng.uniform(0, TABLE_MM, 2), turn, rng.uniform(*_MARKER_MM), rng)


def plain(rng: np.random.Generator) -> Picture:
    """(CANVAS_PX, CANVAS_PX, 3) card, felt, foam board or paint of one colour, black and white as often as any."""
    value = rng.choice([rng.uniform(4, 45), rng.uniform(215, 252), rng.uniform(30, 220)], p=[0.4, 0.2, 0.4])
    hsv = np.uint8([[[rng.integers(180), rng.beta(1, 3) * 220 if 45 < value < 215 else rng.beta(1, 6) * 120, value]]])
    colour = cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)
    uneven = noise(rng, int(rng.integers(4, 200)), rng.uniform(0, 0.06))[:CANVAS_PX, :CANVAS_PX, None]
    grain = rng.normal(0, rng.uniform(0, 4), (CANVAS_PX, CANVAS_PX, 1)).astype(np.float32)
    return np.asarray(np.clip(colour * (1 + uneven) + grain, 0, 255), np.float32)


def _filled(outline_mm: Array) -> Picture:
    mask = np.zeros((CANVAS_PX, CANVAS_PX), np.uint8)
    cv2.fillPoly(mask, [_px(outline_mm)], 255, cv2.LINE_AA, 4)
    return mask.astype(np.float32) / 255


def _px(mm: Array) -> NDArray[np.int32]:
    return np.asarray(np.round(mm * PX_PER_MM * 16), np.int32)


def _shade(layers: Layers, foot_mm: Array, rng: np.random.Generator) -> None:
    """The board's shadow on what it lies on."""
    soft = cv2.GaussianBlur(_filled(foot_mm + layers.sun * rng.uniform(0, 6)), (0, 0), _SHADOW_PX)
    layers.bgr *= 1 - rng.uniform(0, 0.6) * soft[..., None]


def _side(picture: Picture, outline_mm: Array, down_mm: Array, rng: np.random.Generator) -> None:
    """What shows of its thickness."""
    colour = _SIDES_BGR[rng.integers(len(_SIDES_BGR))] * rng.uniform(0.6, 1.1)
    for share in np.linspace(1, 0, max(2, int(np.hypot(*down_mm) * PX_PER_MM))):
        cv2.fillPoly(picture, [_px(outline_mm - down_mm * share)], colour.tolist(), cv2.LINE_AA, 4)


def _frame(top: Picture, outline_mm: Array, rng: np.random.Generator) -> None:
    """A sheet's unprinted margin, or a line along the edge."""
    wide_px = int(rng.uniform(3, 30) * PX_PER_MM) if rng.random() < 0.6 else int(rng.uniform(1, 5))
    pale = rng.uniform(215, 252, 3) if rng.random() < 0.7 else rng.uniform(0, 220, 3)
    cv2.polylines(top, [_px(outline_mm)], True, pale.tolist(), 2 * wide_px, cv2.LINE_AA, 4)


def _corner_markers(picture: Picture, corner: Array, along: Array, across: Array, rng: np.random.Generator) -> None:
    side_mm = rng.uniform(*_MARKER_MM)
    inset = side_mm * rng.uniform(0.6, 1.3)
    turn = float(np.arctan2(along[1], along[0])) + np.pi / 2 * rng.integers(4)
    for away in (inset, inset + side_mm * rng.uniform(2, 6)):
        _marker(picture, corner + along * inset + across * away, turn, side_mm, rng)


def _marker(picture: Picture, at_mm: Array, turn: float, side_mm: float, rng: np.random.Generator) -> None:
    """One marker with its white margin; a pattern of a real dictionary, its black and white as printers make them."""
    book = cv2.aruco.getPredefinedDictionary(int(rng.choice(_DICTIONARIES)))
    cells = cv2.aruco.generateImageMarker(book, int(rng.integers(len(book.bytesList))), 240)
    margin = int(240 * rng.choice([0.02, 0.1, 0.2, 0.5]))
    printed = cv2.copyMakeBorder(cells, *(margin,) * 4, cv2.BORDER_CONSTANT, value=255).astype(np.float32)
    ink, paper = rng.uniform(10, 60), rng.uniform(215, 252)
    printed = ink + printed / 255 * (paper - ink)
    scale = side_mm * PX_PER_MM / 240
    c, s = np.cos(turn) * scale, np.sin(turn) * scale
    linear = np.array([[c, -s], [s, c]])
    warp = np.c_[linear, at_mm * PX_PER_MM - linear @ np.full(2, (len(printed) - 1) / 2)]
    soft = cv2.GaussianBlur(printed, (0, 0), max(0.3, 0.45 / scale))
    seen = cv2.warpAffine(soft, warp, (CANVAS_PX, CANVAS_PX))[..., None]
    inside = cv2.warpAffine(np.ones_like(printed), warp, (CANVAS_PX, CANVAS_PX))[..., None]
    picture[:] = seen * inside + picture * (1 - inside)
