"""Matchsticks: proposed by the pieces net, read along their length, measured by the strip that they are."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import MultiLineString, Polygon, distance, points

from calibration.plane import TablePlane
from models.pieces import MATCH, MATCH_LENGTH_MM, STICK_CROP_PX, STICK_CROP_PX_PER_MM
from vision.detect.pieces import Peaks
from vision.detect.stripes import stripes
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.metric.patch import patches
from vision.naming.read import read_sticks
from vision.shape.rectangle import rectangle_corners

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# More proposals than this are a table full of print: read are those about which the net is warmest, so many, and those
# along which a stripe stands out most. Of three matches among 120 proposals on a printed map (`benchmarks.full_table`)
# the net's heat makes one the 82nd, its stripe the 4th. What is hot is read all (print is seldom over 0.4),
# up to the last number: so many matches may lie on a table.
_MOST, _WARMEST, _HOT, _AT_ALL = 10, 3, 0.4, 24
# A reading of a match counts from the first chance on where its strip bears it out, from the last on without: print may
# hide the strip. Where the net is not so warm it counts from the second on, with its strip alone. Chosen on rendered
# pictures: other stripes are read at 0.96 at most where the net is warm. Where it is cool four of five true ones are
# read at 0.98 and more, and of 84 stills of coins on a map the one road that is told, blurred, at 0.976 at most.
_LIKELY, _COOL_LIKELY, _SURE, _WARM = 0.8, 0.98, 0.985, 0.34
# Log odds of one end or the other beyond which its head is not looked for again: 2 %.
_PAST_DOUBT = 4.0
_BREADTH_MM = 2.2
# What lies within so many mm of printed roads all along is the road where it is not read past doubt: between two coins,
# or a coin and a town, as much of it may show as a match is long. Within the second it is the road however it is read:
# a stretch between a junction and a bend, with dark borders, was read at 0.986 to 0.998, 0.1 to 0.6 mm beside its road.
_ALONG_ROAD_MM, _ON_ROAD_MM, _ALONG_ROAD_SHARES = 2.0, 1.0, np.linspace(-0.4, 0.4, 9)
# The strip that stands out is its top, its side, or both.
_HEIGHT_MM = 1.1
# A patch along a proposed match: so many px to the mm, columns of a millimetre, rows of a pixel.
_PX_PER_MM, _LONG_MM, _WIDE_PX = 3, 68, 45
_ALONG_MM = np.arange(_LONG_MM) - (_LONG_MM - 1) / 2
# Half the strip, and where the ground beside it begins and ends, in rows from its middle.
_HALF, _BESIDE, _FARTHEST = 2, 6, 9
# Turns (rad) and shifts (rows) about the proposal that are tried.
_TURNS = np.radians(np.arange(-12, 13, 2.0))
_SHIFTS = np.arange(-8, 9, 2)
_DRIFTS = np.rint(np.tan(_TURNS)[:, None] * _ALONG_MM * _PX_PER_MM).astype(int)
# (turns, shifts, 68) the rows of each line, from the middle one.
_LINES = _SHIFTS[:, None] + _DRIFTS[:, None]
# The stick that a proposal must show over this much of its length, and where a match has ended; a road goes on.
_INNER = np.abs(_ALONG_MM) <= 16
_LEFT, _RIGHT = _ALONG_MM <= -27, _ALONG_MM >= 27
# CIELAB: stick against ground, on six sevenths of its length; and the most of it that may be left beyond its ends.
# Chosen on rendered pictures of another seed than the stills: sticks have 8 to 37, other stripes that end 5 at most.
_CONTRAST, _GOES_ON = 8.0, 0.45
# Wood is even: sticks have 0.75 to 0.95 of their usual contrast there; print and shadows like it 0.45 to 0.65.
_EVEN = 0.7
_SHORTEST_MM, _LONGEST_MM = 30.0, 54.0
# A match ends where it differs less than this share of what it usually does.
_THERE = 0.4
# Which of its faces that was, and where its head ends, is not known better (same pictures: p95 3.4 mm), nor its ends to
# less than a part of a pixel (sample pictures made a third as large: off by up to 5.4 mm).
_SIGMA_MM, _SIGMA_PX = 1.4, 0.75


@dataclass(frozen=True, eq=False)
class _Sticks:
    """How each proposal looks along its best line.

    contrast    (n, 68) per mm: how far it differs from the ground as its middle does
    difference  (n, 68) how far it differs in any way: a head is no stick, and no ground either
    turn_rad    (n,) about the proposal, clockwise; shift_mm (n,) to its right
    """

    contrast: Floats
    difference: Floats
    turn_rad: Array
    shift_mm: Array


def find_matches(
    image_bgr: ImageBgr, plane: TablePlane, found: dict[int, Peaks], roads_mm: MultiLineString | None = None
) -> list[Detection]:
    """Every matchstick with the direction of its head.

    roads_mm  those that the map under them shows, where one is known
    """
    peaks = found[MATCH]
    order = _worth_reading(image_bgr, plane, peaks)
    at_mm, angle_rad, heat = peaks.at_mm[order], peaks.angle_rad[order], peaks.heat[order]
    ahead, match = _read(image_bgr, plane, at_mm, angle_rad)
    likely = match >= np.where(heat >= _WARM, _LIKELY, _COOL_LIKELY)
    at_mm, angle_rad, ahead, match = at_mm[likely], angle_rad[likely], ahead[likely], match[likely]
    sticks = _sticks(_along(image_bgr, plane, at_mm, angle_rad))
    measured, ends = _borne_out(sticks)
    keep = measured | ((match >= _SURE) & (heat[likely] >= _WARM))
    at_mm[measured], angle_rad[measured] = _measured(sticks, at_mm, angle_rad, ends, measured)
    at_mm, angle_rad, ahead, match = at_mm[keep], angle_rad[keep], ahead[keep], match[keep]
    # What is read of a stick that lies straight in its patch counts beside what was read of the proposal.
    doubtful = np.abs(ahead) < _PAST_DOUBT
    ahead[doubtful] += _read(image_bgr, plane, at_mm[doubtful], angle_rad[doubtful])[0]
    turned = angle_rad + np.pi * (ahead < 0)
    seen = _apart(_matches(plane, at_mm, turned, match))
    return [one for one in seen if not _is_road(one, roads_mm)]


def _worth_reading(image_bgr: ImageBgr, plane: TablePlane, peaks: Peaks) -> NDArray[np.intp]:
    """Which proposals are read: where the net is warmest, and where it is warm and a stripe stands out."""
    if len(peaks.heat) <= _MOST:
        return np.argsort(-peaks.heat)
    worth = stripes(image_bgr, plane, peaks.at_mm, peaks.angle_rad) * np.sqrt(peaks.heat)
    hot = peaks.heat >= _HOT
    worth[np.argsort(-peaks.heat)[:_WARMEST]] = np.inf
    worth[hot] = np.inf
    return np.argsort(-worth)[: min(max(_MOST, int(hot.sum())), _AT_ALL)]


def _along(image_bgr: ImageBgr, plane: TablePlane, at_mm: Array, angle_rad: Array) -> NDArray[np.uint8]:
    """(n, 45, 204, 3) patches along what may be matches."""
    return patches(image_bgr, plane, at_mm, angle_rad, (_LONG_MM * _PX_PER_MM, _WIDE_PX), _PX_PER_MM)


def _read(image_bgr: ImageBgr, plane: TablePlane, at_mm: Array, angle_rad: Array) -> tuple[Array, Array]:
    """(n,) log odds that its head lies ahead, and (n,) the chance of a match, along each proposal."""
    crops = patches(image_bgr, plane, at_mm, angle_rad, STICK_CROP_PX, STICK_CROP_PX_PER_MM)
    ahead, behind, none = read_sticks(crops).T
    return ahead - behind, 1 - np.exp(none)


def _measured(
    sticks: _Sticks, at_mm: Array, angle_rad: Array, ends: Array, which: NDArray[np.bool_]
) -> tuple[Array, Array]:
    """Middles (m, 2) and turns (m,) of the sticks that were measured."""
    angle, turn = angle_rad[which], sticks.turn_rad[which]
    right = np.stack([np.sin(angle), -np.cos(angle)], axis=1)
    ahead = np.stack([np.cos(angle - turn), np.sin(angle - turn)], axis=1)
    middle = ends[which].sum(axis=1, keepdims=True) / 2
    return at_mm[which] + sticks.shift_mm[which, None] * right + middle * ahead, angle - turn


def _sticks(crops: NDArray[np.uint8]) -> _Sticks:
    """The best line of each patch (n, 45, 204, 3): the one whose weaker columns stand out most from both sides."""
    count = len(crops)
    if not count:
        return _Sticks(*np.zeros((2, 0, _LONG_MM), np.float32), *np.zeros((2, 0)))
    # Columns are averaged before they are brought to CIELAB, which is dear.
    rows = crops.reshape(-1, _LONG_MM * _PX_PER_MM, 3)
    means = cv2.resize(rows, (_LONG_MM, count * _WIDE_PX), interpolation=cv2.INTER_AREA)
    lab = cv2.cvtColor(means.astype(np.float32) / 255, cv2.COLOR_BGR2LAB).reshape(count, _WIDE_PX, _LONG_MM, 3)
    first, second = _steps(np.asarray(lab, np.float32))
    lines = np.clip(first.shape[1] // 2 + _LINES, 0, first.shape[1] - 1)
    weak = _weakest(first, second, lines.reshape(-1, _LONG_MM))
    turn, shift = np.unravel_index(weak.argmax(axis=1), lines.shape[:2])
    at = np.arange(count)[:, None], lines[turn, shift], np.arange(_LONG_MM)
    one, other = first[at], second[at]
    contrast = _common(one, other, _way(one[:, _INNER], other[:, _INNER]))
    difference = np.minimum(*(np.linalg.norm(side, axis=2) for side in (one, other)))
    return _Sticks(contrast, difference, _TURNS[turn], _SHIFTS[shift] / _PX_PER_MM)


def _weakest(first: Floats, second: Floats, lines: NDArray[np.int_]) -> Floats:
    """(n, m) how far the weaker columns of the inner part stand out on m lines (m, 68), rows of each column."""
    at = lines[:, _INNER], np.flatnonzero(_INNER)
    one, other = first[:, *at], second[:, *at]
    seventh = _INNER.sum() // 7
    return np.asarray(np.partition(_common(one, other, _way(one, other)), seventh, axis=-1)[..., seventh], np.float32)


def _steps(columns: Floats) -> tuple[Floats, Floats]:
    """(n, rows, 68, 3) how a strip about each row differs from the ground on one side and on the other."""
    total = np.cumsum(np.pad(columns, ((0, 0), (1, 0), (0, 0), (0, 0))), axis=1)
    rows = np.arange(_FARTHEST, _WIDE_PX - _FARTHEST)

    def mean(low: int, high: int) -> Floats:
        """The mean of the columns from `low` to `high` beside each row's middle."""
        return np.asarray((total[:, rows + high + 1] - total[:, rows + low]) / (high - low + 1), np.float32)

    strip = mean(-_HALF, _HALF)
    return strip - mean(_BESIDE, _FARTHEST), strip - mean(-_FARTHEST, -_BESIDE)


def _way(first: Floats, second: Floats) -> Floats:
    """(..., 3) the direction in colour of both steps (..., columns, 3) of a stick's inner part."""
    way = (first + second).mean(axis=-2)
    return np.asarray(way / (np.linalg.norm(way, axis=-1, keepdims=True) + 1e-6), np.float32)


def _common(first: Floats, second: Floats, way: Floats) -> Floats:
    """(..., columns) the smaller of both steps along that direction."""
    along = ((side @ way[..., None])[..., 0] for side in (first, second))
    return np.asarray(np.minimum(*along), np.float32)


def _borne_out(sticks: _Sticks) -> tuple[NDArray[np.bool_], Array]:
    """(n,) where there is a strip of a match's length, and (n, 2) where it begins and ends."""
    inner = np.sort(sticks.contrast[:, _INNER], axis=1)
    weak, usual = inner[:, inner.shape[1] // 7], inner[:, inner.shape[1] // 2]
    beyond = np.maximum(np.median(sticks.contrast[:, _LEFT], axis=1), np.median(sticks.contrast[:, _RIGHT], axis=1))
    ends = np.array([_ends(difference) for difference in sticks.difference]).reshape(-1, 2)
    length = ends[:, 1] - ends[:, 0]
    whole = (length >= _SHORTEST_MM) & (length <= _LONGEST_MM) & (beyond <= _GOES_ON * usual)
    return np.asarray(whole & (weak >= np.maximum(_CONTRAST, _EVEN * usual)), bool), ends


def _ends(contrast: Floats) -> tuple[float, float]:
    """Where what is there in the middle begins and ends along the line, mm from the patch's middle."""
    there = contrast > _THERE * np.median(contrast[_INNER])
    middle = _LONG_MM // 2
    gone_left, gone_right = np.flatnonzero(~there[:middle]), np.flatnonzero(~there[middle:])
    low = gone_left[-1] + 1 if len(gone_left) else 0
    high = middle + gone_right[0] - 1 if len(gone_right) else _LONG_MM - 1
    return float(_ALONG_MM[low] - 0.5), float(_ALONG_MM[high] + 0.5)


def _matches(plane: TablePlane, shown_mm: Array, turned_rad: Array, chance: Array) -> list[Detection]:
    """A detection for each stick that shows there, at the height of its middle."""
    px = plane.to_image(shown_mm)
    at_mm, sigma_mm = plane.to_table(px, _HEIGHT_MM), np.hypot(plane.sigma_mm(px, _SIGMA_PX), _SIGMA_MM)
    sticks = [
        Polygon(rectangle_corners(at, turn, (MATCH_LENGTH_MM, _BREADTH_MM)))
        for at, turn in zip(at_mm, turned_rad.tolist(), strict=True)
    ]
    rows = zip(at_mm.tolist(), sticks, sigma_mm.tolist(), chance.tolist(), px.tolist(), turned_rad, strict=True)
    return [
        Detection("match", "match", (x, y), stick, sigma, sure, (u, v), rotation_deg=float(np.degrees(turn) % 360))
        for (x, y), stick, sigma, sure, (u, v), turn in rows
    ]


def _is_road(match: Detection, roads_mm: MultiLineString | None) -> bool:
    """Whether a road lies all along it, nearer where it is read past doubt."""
    if roads_mm is None:
        return False
    within_mm = _ON_ROAD_MM if match.confidence >= _SURE else _ALONG_ROAD_MM
    turn = np.radians(match.rotation_deg)
    ahead = MATCH_LENGTH_MM * np.array([np.cos(turn), np.sin(turn)])
    along = points(np.array(match.position_mm) + _ALONG_ROAD_SHARES[:, None] * ahead)
    return bool((distance(along, roads_mm) <= within_mm).all())


def _apart(matches: list[Detection]) -> list[Detection]:
    """Without those that lie on a likelier one: two proposals can slide on to one stick."""
    kept: list[Detection] = []
    for match in matches:
        if all(match.footprint.intersection(other.footprint).area < 0.3 * other.footprint.area for other in kept):
            kept.append(match)
    return kept
