"""Books and boxes by their lines: in the top view the top and the foot of a block are parallel rectangles.

The top shows larger than the foot, by the block's height, and is shifted away from the camera's foot (the point of the
table right below the camera)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import MultiPoint, Polygon

from calibration.plane import TablePlane
from vision.detect.solid.edges import ENOUGH_LEVELS, Edges
from vision.detect.solid.fit import HIDDEN, Against, Guess, worths
from vision.detect.solid.forms import BLOCK
from vision.detect.solid.remainder import Remainder

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# How coarse the edges are (`edges.SIGMAS_PX`), and how far a line may lie from its edge.
_LEVEL, _LOOSE_MM = 0, 1
# A hard edge is enough for several mm to both sides. Its line is where it is steepest, up to so many times enough, and
# that counts so much beside how much of the line is edge (33 tables of another maker, in view: of 83 blocks whose sides
# show the search missed 14 that lie on edges better than what it found, and 8 since).
_STEEPEST, _STEEP = 4.0, 0.2
# Turns are counted in steps of a degree, softened over so many; the likeliest few are tried, so far apart.
_TURN_SOFT, _TURNS, _TURNS_APART = 1.5, 3, 6
# They are counted where a thing of usual height may show, and so far around.
_USUAL_MM, _AROUND_MM = 50.0, 12.0
# So many lines each way, so far apart, may be sides of a top; of the tops so many are tried at every height.
_LINES, _LINES_APART_MM, _TOPS = 18, 2, 400
# Sides and heights in mm.
_SIDE_MM, _HEIGHTS_MM = (25.0, 320.0), np.arange(6.0, 121.0)
# The best height of each of these bands is tried for a top; of all so many at each turn.
_BANDS_MM, _TRIED = (12.0, 20.0, 30.0, 45.0, 65.0, 90.0), 250
# A block is not higher than this share of the camera's height.
_BELOW_CAMERA = 0.5
# As in `fit`: what a mm of height and a larger outline gain.
_OUTER, _OUTER_MM, _OUTER_SIZE = 0.04, 25.0, 0.1
# The foot must have so much in common with what is looked for.
_COMMON = 0.25
# So many of the best are each turned by these angles, radians, to see which lies best on edges.
_POLISHED, _TURNED = 60, np.radians([-2.0, -1.0, 0.0, 1.0, 2.0])
# So many are told, at least so far apart in height or middle.
_TOLD, _APART_MM = 8, 4.0
# How far off what is told may be: middle and sides in mm, turn in radians, height in mm.
_SPREAD_MM, _SPREAD_TURN, _SPREAD_HEIGHT_MM = 3.0, 0.02, 4.0


@dataclass(frozen=True, eq=False)
class _Lines:
    """How much of each line along the axes lies on edges, in a frame turned about the foot of the camera.

    turn     radians of the frame against the table
    low_mm   (2,) its corner
    along_x  (h, w + 1) running sums of edges along x, one cell a mm; along_y (h + 1, w); as much as usual where hidden
    seen_x   (h,) of each line along x how much edge shows, and how steep it is; seen_y (w,)
    """

    turn: float
    low_mm: Array
    along_x: Floats
    along_y: Floats
    seen_x: Floats
    seen_y: Floats

    def share(self, at: Array, first: Array, last: Array, *, axis: int) -> Array:
        """Of lines along an axis at `at` of the other one, from `first` to `last`, mm (broadcast): how much is edge."""
        sums = self.along_x if axis == 0 else self.along_y.T
        rows = np.clip(np.rint(at - self.low_mm[1 - axis]).astype(int), 0, sums.shape[0] - 1)
        start, end = (np.clip(np.rint(p - self.low_mm[axis]).astype(int), 0, sums.shape[1] - 1) for p in (first, last))
        return np.asarray((sums[rows, end] - sums[rows, start]) / np.maximum(last - first, 1.0), float)


def blocks_near(footprint: Polygon, edges: Edges, against: Against | None = None) -> Iterator[Guess]:
    """The likeliest blocks whose foot is about that footprint, the likeliest first.

    against  as in `Guess`; None for what they leave of the footprint
    """
    layer = _halved(edges)
    turns = _turns(footprint, layer, edges)
    shapes = np.concatenate([_blocks_in(_lines(layer, edges, turn), footprint, edges.plane) for turn in turns])
    if len(shapes) == 0:
        return
    against = against or Remainder.of(footprint, edges.plane).cost
    usual = Guess(BLOCK, shapes[0], np.zeros(6), footprint.area, float(_HEIGHTS_MM[0]), against)
    told: list[Array] = []
    for shape in _turned_best(shapes, usual, edges):
        if len(told) == _TOLD:
            return
        if all(np.abs(shape - other)[[0, 1, 5]].max() > _APART_MM for other in told):
            told.append(shape)
            spread = (_SPREAD_MM,) * 4 + (_SPREAD_TURN, _SPREAD_HEIGHT_MM)
            yield replace(usual, start=shape, spread=np.array(spread))


def _turned_best(shapes: Array, usual: Guess, edges: Edges) -> Array:
    """(n, 6) the best of some shapes, each turned a little as edges have it, the best first."""
    best = shapes[np.argsort(-worths(usual, edges, shapes, _LEVEL))[:_POLISHED]]
    turned = np.repeat(best[:, None], len(_TURNED), axis=1)
    turned[..., 4] += _TURNED
    worth = worths(usual, edges, turned.reshape(-1, 6), _LEVEL).reshape(turned.shape[:2])
    order = np.argsort(-worth.max(axis=1))
    return np.asarray(turned[order, worth.argmax(axis=1)[order]], float)


def _halved(edges: Edges) -> Floats:
    """(h, w, 6) the layer of edges at half the scale, nothing where they are hidden."""
    layer = edges.layers[_LEVEL]
    if edges.hidden is not None:
        layer = np.where(edges.hidden[..., None], np.float32(0), layer)
    return np.asarray(cv2.resize(layer, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


def _turns(footprint: Polygon, layer: Floats, edges: Edges) -> list[float]:
    """Directions that most edges around a thing have, radians from 0 to a right angle."""
    about = layer[_around(footprint, layer, edges) > 0]
    strongest = np.argmax(np.square(about[:, :3]) + np.square(about[:, 3:]), axis=1)
    n = np.arange(len(about))
    u, v = about[n, strongest], about[n, strongest + 3]
    # Rows go down, y goes up.
    angle = np.degrees(np.arctan2(-v, u)) % 90
    counts = np.bincount(np.rint(angle).astype(int) % 90, np.minimum(np.hypot(u, v), ENOUGH_LEVELS[_LEVEL]), 90)
    soft = cv2.GaussianBlur(np.tile(counts, 3)[None], (0, 0), _TURN_SOFT)[0, 90:180]
    found: list[int] = []
    for turn in np.argsort(-soft).tolist():
        if all(min(abs(turn - other), 90 - abs(turn - other)) >= _TURNS_APART for other in found):
            found.append(turn)
        if len(found) == _TURNS:
            break
    return [float(np.radians(turn)) for turn in found]


def _around(footprint: Polygon, layer: Floats, edges: Edges) -> NDArray[np.uint8]:
    """(h, w) 1 about the thing as it shows."""
    foot = np.array(footprint.exterior.coords)
    shown_mm = MultiPoint([*foot, *edges.plane.behind(foot, _USUAL_MM)]).convex_hull.buffer(_AROUND_MM)
    px = (edges.view.to_px(np.array(shown_mm.exterior.coords)) - edges.corner_px) / 2
    return np.asarray(cv2.fillPoly(np.zeros(layer.shape[:2], np.uint8), [np.rint(px).astype(np.int32)], 1), np.uint8)


def _turned_grid(layer: Floats, edges: Edges, turn: float) -> tuple[Array, tuple[int, int], Array]:
    """A grid of millimetres over the halved layer, turned about the camera's foot: where it begins (2,) mm, its width
    and height, and the affine (2, 3) from its cells to the layer's."""
    corners_px = np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * np.array(layer.shape[1::-1]) * 2 + edges.corner_px
    back = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    foot_mm = np.asarray(edges.plane.camera_position_mm)[:2]
    turned_mm = (edges.view.to_table(corners_px) - foot_mm) @ back
    low_mm = np.floor(turned_mm.min(axis=0))
    width, height = (np.ceil(turned_mm.max(axis=0) - low_mm).astype(int) + 1).tolist()
    # Where the cells of the turned frame lie in the layer: affine, told by three of them.
    three = np.array([(0, 0), (width, 0), (0, height)], float)
    there_px = (edges.view.to_px((three + low_mm) @ back.T + foot_mm) - edges.corner_px - 0.5) / 2
    affine = cv2.getAffineTransform(three.astype(np.float32), there_px.astype(np.float32))
    return low_mm, (width, height), np.asarray(affine, float)


def _lines(layer: Floats, edges: Edges, turn: float) -> _Lines:
    """Running sums of the halved layer, turned."""
    low_mm, size, affine = _turned_grid(layer, edges, turn)
    c, s = np.float32(np.cos(turn)), np.float32(np.sin(turn))
    steep_x, steep_y = (
        np.asarray(
            cv2.warpAffine(_steepness(slope), affine, size, flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP), np.float32
        )
        for slope in (s * layer[..., :3] + c * layer[..., 3:], c * layer[..., :3] - s * layer[..., 3:])
    )
    along_x, along_y = _is_edge(steep_x, (2 * _LOOSE_MM + 1, 1)), _is_edge(steep_y, (1, 2 * _LOOSE_MM + 1))
    seen_x = along_x.sum(axis=1) + _STEEP * steep_x.sum(axis=1)
    seen_y = along_y.sum(axis=0) + _STEEP * steep_y.sum(axis=0)
    if edges.hidden is not None:
        small = cv2.resize(edges.hidden.astype(np.uint8), layer.shape[1::-1], interpolation=cv2.INTER_NEAREST)
        hidden = cv2.warpAffine(small, affine, size, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP) > 0
        along_x, along_y = (np.where(hidden, np.float32(HIDDEN), along) for along in (along_x, along_y))
    return _Lines(
        turn,
        low_mm,
        np.pad(np.cumsum(along_x, axis=1), ((0, 0), (1, 0))),
        np.pad(np.cumsum(along_y, axis=0), ((1, 0), (0, 0))),
        seen_x,
        seen_y,
    )


def _steepness(slope: Floats) -> Floats:
    """(h, w) of a slope in three colours, 1 where it is enough for an edge."""
    steep = np.sqrt(np.einsum("...i,...i", slope, slope)) / ENOUGH_LEVELS[_LEVEL]
    return np.asarray(np.minimum(steep, _STEEPEST), np.float32)


def _is_edge(steep: Floats, reach: tuple[int, int]) -> Floats:
    """(h, w) how far there is an edge of such steepness (h, w) within some cells, 0 to 1."""
    return np.asarray(cv2.dilate(np.minimum(steep, np.float32(1)), np.ones(reach, np.uint8)), np.float32)


def _blocks_in(lines: _Lines, footprint: Polygon, plane: TablePlane) -> Array:
    """(n, 6) parameters (`forms.BLOCK`) of the best blocks of one turn."""
    tops, held = _tops(lines)
    high_mm = float(plane.camera_position_mm[2])
    heights = _HEIGHTS_MM[_BELOW_CAMERA * high_mm > _HEIGHTS_MM]
    if len(tops) == 0 or len(heights) == 0:
        return np.zeros((0, 6))
    # (tops, heights): a top shows so many times as large as its foot.
    larger = high_mm / (high_mm - heights)
    feet = tops[:, None] / larger[:, None]
    faces, borne = _fronts(lines, feet)
    area = (feet[..., 1] - feet[..., 0]) * (feet[..., 3] - feet[..., 2])
    worth = (
        (4 * held[:, None] + borne) / (4 + faces)
        + _OUTER * np.log1p(heights / _OUTER_MM)
        + _OUTER_SIZE * np.log(area / footprint.area)
    )
    common = _common(feet, _turned_bounds(footprint, lines.turn, plane))
    worth[common < _COMMON] = -np.inf
    n, h = _best_of_bands(worth, heights)
    return _shapes(feet[n, h], heights[h], lines.turn, plane)


def _fronts(lines: _Lines, feet: Array) -> tuple[Array, Array]:
    """(tops, heights) how many sides of feet (tops, heights, 4) face the camera, and how far these lie on edges."""
    faces, borne = np.zeros(feet.shape[:2]), np.zeros(feet.shape[:2])
    for axis in (0, 1):
        low, high = feet[..., 2 * axis], feet[..., 2 * axis + 1]
        near = np.where(low > 0, low, high)
        share = lines.share(near, feet[..., 2 - 2 * axis], feet[..., 3 - 2 * axis], axis=1 - axis)
        seen = low * high > 0
        faces += seen
        borne += np.where(seen, share, 0)
    return faces, borne


def _best_of_bands(worth: Array, heights: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Of tops and heights those that are worth most, each top once in each band of heights."""
    bands = np.searchsorted(_BANDS_MM, heights)
    best = np.array([np.where(bands == band, worth, -np.inf).argmax(axis=1) for band in np.unique(bands)]).ravel()
    n = np.tile(np.arange(len(worth)), len(best) // len(worth))
    order = np.argsort(-worth[n, best])[:_TRIED]
    order = order[np.isfinite(worth[n, best][order])]
    return n[order], best[order]


def _tops(lines: _Lines) -> tuple[Array, Array]:
    """(n, 4) low x, high x, low y, high y of rectangles whose sides lie on edges, and (n,) how far."""
    xs, ys = _peaks(lines.seen_y) + lines.low_mm[0], _peaks(lines.seen_x) + lines.low_mm[1]
    x, y = _spans(xs), _spans(ys)
    both = np.concatenate([np.repeat(x, len(y), axis=0), np.tile(y, (len(x), 1))], axis=1)
    low_x, high_x, low_y, high_y = both.T
    sides = [lines.share(at, low_x, high_x, axis=0) for at in (low_y, high_y)]
    sides += [lines.share(at, low_y, high_y, axis=1) for at in (low_x, high_x)]
    held = np.mean(sides, axis=0)
    best = np.argsort(-held - _OUTER_SIZE * np.log((high_x - low_x) * (high_y - low_y)))[:_TOPS]
    return both[best], held[best]


def _peaks(sums: Floats) -> Array:
    """Where lines stand out of what is around them, in cells."""
    around = cv2.blur(sums[None], (41, 1))[0]
    out = sums - around
    largest = cv2.dilate(out[None], np.ones((1, 2 * _LINES_APART_MM + 1), np.uint8))[0]
    at = np.flatnonzero(out == largest)
    return np.sort(at[np.argsort(-out[at])[:_LINES]]).astype(float)


def _spans(at: Array) -> Array:
    """(n, 2) of every two lines that may be sides of one thing."""
    low, high = np.triu_indices(len(at), 1)
    pairs = np.stack([at[low], at[high]], axis=1).reshape(-1, 2)
    long = pairs[:, 1] - pairs[:, 0]
    return np.asarray(pairs[(long > _SIDE_MM[0]) & (long < _SIDE_MM[1])], float)


def _turned_bounds(footprint: Polygon, turn: float, plane: TablePlane) -> Array:
    """(4,) low x, high x, low y, high y of the rectangle of the footprint's area about it, in the turned frame."""
    back = np.array([(np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))])
    at = (np.array(footprint.exterior.coords) - np.asarray(plane.camera_position_mm)[:2]) @ back
    return np.stack([at.min(axis=0), at.max(axis=0)], axis=1).ravel()


def _common(feet: Array, bounds: Array) -> Array:
    wide = np.minimum(feet[..., 1], bounds[1]) - np.maximum(feet[..., 0], bounds[0])
    deep = np.minimum(feet[..., 3], bounds[3]) - np.maximum(feet[..., 2], bounds[2])
    both = np.maximum(wide, 0) * np.maximum(deep, 0)
    area = (feet[..., 1] - feet[..., 0]) * (feet[..., 3] - feet[..., 2])
    return np.asarray(both / (area + (bounds[1] - bounds[0]) * (bounds[3] - bounds[2]) - both), float)


def _shapes(feet: Array, heights_mm: Array, turn: float, plane: TablePlane) -> Array:
    """(n, 6) blocks on feet (n, 4) in the turned frame about the camera."""
    low_x, high_x, low_y, high_y = feet.T
    c, s = np.cos(turn), np.sin(turn)
    x, y = np.array([(c, -s), (s, c)]) @ ((low_x + high_x) / 2, (low_y + high_y) / 2)
    eye_x, eye_y = plane.camera_position_mm[:2]
    turns = np.full(len(feet), turn)
    return np.stack([x + eye_x, y + eye_y, high_x - low_x, high_y - low_y, turns, heights_mm], axis=1)
