"""Long smooth edges of a picture, followed to a fraction of a pixel: the sides of sheets and tables, printed lines."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges.edge import sample
from calibration.fiducials.markers import gray_of

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# Shorter edges, of the picture's diagonal, hardly tell a bend; segments of a fifth of that are where one may begin.
_SHORTEST_OF_DIAGONAL = 0.14
_SEED_OF_DIAGONAL = 0.025
_MOST_SEEDS = 240
_STEP_PX = 6.0
# How far an edge may lie off where the last steps point: the bend of a webcam's lens moves it 0.01 px a step.
_REACH_PX = 2.0
_ACROSS_PX = 0.5
# Grey levels from one side to the other, over the two px that a sharp edge takes; and of what it began with.
_FAINTEST = 5.0
_FAINTEST_SHARE = 0.35
# Steps without an edge that a piece or a hand may cost before the edge has ended.
_MOST_MISSED = 5
_LOOK_BACK = 9
# What leaves more than this share of its length off a cubic is no one edge; cut paper curls by less.
_ROUGHEST_OF_LENGTH = 2e-3
_SAME_EDGE_PX = 4.0
# So far to either side an edge's surroundings are told.
_PROFILE_PX = np.arange(-7.0, 8.0)


@dataclass(frozen=True, eq=False)
class LongEdge:
    """One edge.

    points_px     (n, 2) in their order, 6 px apart, lighter on the left
    roughness_px  RMS off a cubic
    rise          grey levels from one side to the other
    """

    points_px: Array
    roughness_px: float
    rise: float = 255.0

    @property
    def length_px(self) -> float:
        """Distance in px from one end to the other."""
        return _length_px(self.points_px)


def long_edges(image: Image) -> tuple[LongEdge, ...]:
    """The long edges of a picture (h, w) or (h, w, 3) uint8, the longest first, none twice."""
    gray = np.asarray(cv2.GaussianBlur(gray_of(image), (0, 0), 1.0), np.uint8)
    shortest_px = _SHORTEST_OF_DIAGONAL * float(np.hypot(*gray.shape))
    seeds = _seeds(gray)
    if not len(seeds):
        return ()
    middles, ways = seeds.mean(axis=1), seeds[:, 1] - seeds[:, 0]
    ways /= np.hypot(*ways.T)[:, None]
    middles, ways, strength = _turned_to_light(gray, middles, ways)
    ahead = _followed(gray, middles, ways, strength)
    behind = _followed(gray, middles, -ways, -strength)
    walks = [np.concatenate([b[::-1], a[1:]]) for a, b in zip(ahead, behind, strict=True)]
    pairs = zip(walks, strength.tolist(), strict=True)
    edges = (LongEdge(walk, roughness_px(walk), rise) for walk, rise in pairs if _length_px(walk) > shortest_px)
    smooth = (edge for edge in edges if edge.roughness_px < _ROUGHEST_OF_LENGTH * edge.length_px)
    return _distinct(sorted(smooth, key=lambda edge: -edge.length_px))


def profile_across(gray: Image, edge: LongEdge) -> Array:
    """(15,) grey levels from 7 px on the right of an edge to 7 px on its left: their medians all along it.

    gray  (h, w) uint8
    """
    ways = np.gradient(edge.points_px, axis=0)
    left = _left(ways / np.hypot(*ways.T)[:, None])
    return np.asarray(np.median(sample(gray, edge.points_px[:, None] + _PROFILE_PX[:, None] * left[:, None]), axis=0))


def _seeds(gray: Image) -> Array:
    """(n, 2, 2) ends of the longest straight pieces."""
    half = np.asarray(cv2.resize(gray, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    found = cv2.createLineSegmentDetector(cv2.LSD_REFINE_STD).detect(half)[0]
    # cv2 gives None for none.
    ends = 2 * np.asarray(found if np.size(found) > 1 else np.zeros((0, 4)), float).reshape(-1, 2, 2) + 0.5
    length_px = np.hypot(*(ends[:, 1] - ends[:, 0]).T)
    longest = np.argsort(-length_px)[:_MOST_SEEDS]
    return np.asarray(ends[longest[length_px[longest] > _SEED_OF_DIAGONAL * np.hypot(*gray.shape)]], float)


def _turned_to_light(gray: Image, at_px: Array, ways: Array) -> tuple[Array, Array, Array]:
    """The seeds that show an edge, put on it, each turned so that the light is on its left, and how strong they are."""
    off_px, rise = _strongest(gray, at_px, ways, np.zeros(len(at_px)))
    clear = np.abs(rise) > _FAINTEST
    moved = at_px + off_px[:, None] * _left(ways)
    turned = ways * np.where(rise < 0, -1.0, 1.0)[:, None]
    return moved[clear], turned[clear], np.abs(rise[clear])


def _left(ways: Array) -> Array:
    """v runs down: what is on the left of one who walks."""
    return np.stack([ways[:, 1], -ways[:, 0]], axis=1)


def _strongest(gray: Image, at_px: Array, ways: Array, like: Array) -> tuple[Array, Array]:
    """(n,) px to the left at which the strongest edge lies, and its rise to the left in grey levels.

    like  (n,) only rises of this sign count; 0 for any
    """
    reach = np.arange(-_REACH_PX - 1, _REACH_PX + 1 + _ACROSS_PX / 2, _ACROSS_PX)
    levels = sample(gray, at_px[:, None] + reach[:, None] * _left(ways)[:, None])
    rise = levels[:, 4:] - levels[:, :-4]
    wanted = np.where(like[:, None] == 0, np.abs(rise), rise * np.sign(like)[:, None])
    peak = np.clip(np.argmax(wanted, axis=1), 1, wanted.shape[1] - 2)
    rows = np.arange(len(peak))
    before, top, after = (wanted[rows, peak + k] for k in (-1, 0, 1))
    bend = before - 2 * top + after
    vertex = np.where(bend < 0, 0.5 * (before - after) / np.where(bend < 0, bend, 1.0), 0.0)
    return (peak + np.clip(vertex, -1, 1) + 2) * _ACROSS_PX + reach[0], rise[rows, peak]


def _followed(gray: Image, at_px: Array, ways: Array, strength: Array) -> list[Array]:
    """For each start the points of its edge, all edges followed at once, until each has ended."""
    limits = np.array(gray.shape[::-1]) - 4.0
    trails, hits = [at_px], [np.ones(len(at_px), bool)]
    missed, walking = np.zeros(len(at_px), int), np.ones(len(at_px), bool)
    way = ways.copy()
    # No edge is longer than the picture; what goes on is a ring, round which one would walk for ever.
    most = int(np.hypot(*gray.shape) / _STEP_PX)
    while walking.any() and len(trails) < most:
        expected = trails[-1] + _STEP_PX * way
        off_px, rise = _strongest(gray, expected, way, strength)
        faintest = np.maximum(_FAINTEST, _FAINTEST_SHARE * np.abs(strength))
        hit = walking & (np.abs(off_px) <= _REACH_PX) & (rise * np.sign(strength) > faintest)
        now = expected + np.where(hit, off_px, 0.0)[:, None] * _left(way)
        missed = np.where(hit, 0, missed + 1)
        walking &= (missed <= _MOST_MISSED) & (now > 3).all(axis=1) & (now < limits).all(axis=1)
        trails.append(now)
        hits.append(hit & walking)
        way = _way_of(trails[-_LOOK_BACK:], hits[-_LOOK_BACK:], way)
    every, found = np.stack(trails, axis=1), np.stack(hits, axis=1)
    return [trail[hit] for trail, hit in zip(every, found, strict=True)]


def _way_of(trail: list[Array], hits: list[NDArray[np.bool_]], way: Array) -> Array:
    """(n, 2) unit direction of the last steps, where enough of them were found."""
    points, weight = np.stack(trail, axis=1), np.stack(hits, axis=1).astype(float)
    count = weight.sum(axis=1)
    time = np.arange(points.shape[1], dtype=float)
    middle = (weight * time).sum(axis=1) / np.maximum(count, 1)
    lever = weight * (time - middle[:, None])
    slope = np.einsum("nk,nkd->nd", lever, points)
    length = np.hypot(*slope.T)
    sure = (count >= 4) & (length > 0)
    return np.where(sure[:, None], slope / np.maximum(length, 1e-9)[:, None], way)


def _length_px(walk: Array) -> float:
    return float(np.hypot(*(walk[-1] - walk[0])))


def roughness_px(walk: Array, degree: int = 3) -> float:
    """RMS by which points (n, 2) leave a smooth curve of that degree."""
    along, across = _own_axes(walk)
    fit = np.polynomial.Polynomial.fit(along, across, degree)
    return float(np.sqrt(np.mean(np.square(fit(along) - across))))


def _own_axes(walk: Array) -> tuple[Array, Array]:
    """(n,) px along and across the line from the first point to the last."""
    way = (walk[-1] - walk[0]) / max(_length_px(walk), 1e-9)
    local = walk - walk[0]
    return local @ way, local @ np.array([way[1], -way[0]])


def _distinct(edges: list[LongEdge]) -> tuple[LongEdge, ...]:
    """Of walks along one edge the first."""
    kept: list[LongEdge] = []
    for edge in edges:
        if not any(_is_same(edge, other) for other in kept):
            kept.append(edge)
    return tuple(kept)


def _is_same(edge: LongEdge, other: LongEdge) -> bool:
    """Whether an edge runs along the other, the light on the same side."""
    middle = edge.points_px[len(edge.points_px) // 2]
    one_way = (edge.points_px[-1] - edge.points_px[0]) @ (other.points_px[-1] - other.points_px[0]) > 0
    return bool(one_way and np.hypot(*(other.points_px - middle).T).min() <= _SAME_EDGE_PX)
