"""Playing cards as rulers: bright rectangles of one known size, lying anywhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges.edge import fit_quads
from calibration.fiducials.markers import gray_of
from calibration.fit.bundle import CameraFit, fit_bundle
from calibration.fit.correspondence import Correspondences
from calibration.fit.first_guesses import first_guesses
from calibration.fit.planar import cross, turn
from calibration.fit.seen import Seen
from calibration.lens import Lens
from calibration.pose import CameraGuess, Pose, guesses_from_points

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

THICKNESS_MM = 0.3
# Smaller than this a card's side tells its length no better than to two per cent.
_SHORTEST_SIDE_PX = 24.0
# Beyond this a picture shows the lens's bend and the card's in its sides, and no more of the card.
_WORKING_WIDTH_PX = 1280
# How far off straight a card's sides may be: in px, and in shares of their length, for cards lie a little curved, and
# are cut by hand.
_WORST_EDGE_RMS_PX, _BOWED = 0.8, 0.002
_FARTHEST_CORNER_PX = 9.0
# Cards are cut to 0.3 mm, and lie a little curved.
CARD_SIGMA_PX = 0.35
# The corners of a card that was measured by its indices and by edges of any kind, as a share of its length.
_MEASURED_OF_LENGTH = 0.005
# How far a side may be off, of its length, before a rectangle is no card: on a plane that one card told, and on the
# plane that all of them fit.
_SIDE_TOLERANCE = 0.1
_FITTED_TOLERANCE = 0.05
# So many cards that fit a plane of their own are cards, though on the clicked one they have another size.
# One of four clicks is in half of their pairs.
_AGREE, _MOST_PAIRS = 3, 0.5
# Ways to read the rectangles as cards that are fitted. Lying along or across, under another tilt, they may agree
# roughly; their cost tells. A card more that agrees costs five (eight numbers, three of them where it lies), and that
# it agrees is worth three sigma: at six a card, two squares in which chance saw cards won over four cards (107 mm off).
_TRIALS = 12
_CARD_COST = 15.0
# A card whose outline ran into what lies beside it: the others cost less by six sigma alone, and fit twice as well.
_STRAY_COST, _CLEARLY_BETTER = 36.0, 2.0
_KNOWN_PLANE_TOLERANCE = 0.03
# Rectangles whose corners lie within this share of their size of one another's are one. Seeds are told apart more
# finely: what is round a card, such as its own black border, is found first, fits no card, and would hide it. Nor does
# what fits by chance hide it, if the card's own sides are so many times as straight.
_SAME_PLACE, _SAME_SEED, _STRAIGHTER = 0.08, 0.02, 4.0


@dataclass(frozen=True)
class RectangleSeen:
    """One bright rectangle: corners_px clockwise as seen."""

    corners_px: tuple[tuple[float, float], ...]

    @property
    def corners(self) -> Array:
        """(4, 2) corners in px, clockwise as seen."""
        return np.array(self.corners_px)


def find_cards(
    image: Image,
    size_mm: tuple[float, float],
    lens: Lens,
    known: tuple[Lens, Pose] | None = None,
    guesses_px: tuple[Array, ...] = (),
) -> Correspondences:
    """The cards of one size in the picture as loose shapes ("card 1", ...), as many as agree on one plane.

    size_mm     (length, breadth)
    known       a first lens and pose where other references gave one; otherwise the cards choose the plane themselves
    guesses_px  rough outlines (4, 2) of cards that somebody recognised, besides those found here
    """
    quads = [rectangle.corners for rectangle in find_rectangles(image, guesses_px=guesses_px)]
    if known is not None:
        return _matching(quads, size_mm, CameraGuess(*known), _KNOWN_PLANE_TOLERANCE)
    ranked = [_matching(quads, size_mm, guess, _SIDE_TOLERANCE) for guess in _guesses(quads, size_mm, lens)]
    most = max(map(len, ranked), default=0)
    if most <= 4:
        return next((cards for cards in ranked if len(cards) == most), Correspondences.joined([]))
    several = _several([cards for cards in ranked if len(cards) >= max(most - 4, 8)])
    fits = [_without_strays(cards, lens) for cards in several]
    best = min(fits, key=lambda fit: fit.cost - _CARD_COST * len(fit.groups))
    cards = _matching(quads, size_mm, CameraGuess(best.lens, best.pose), _FITTED_TOLERANCE)
    if not len(cards):  # the best of what fits badly: it holds none of its own cards
        return cards
    return cards.only(_without_strays(cards, lens).groups)


def find_cards_beside(
    image: Image, size_mm: tuple[float, float], lens: Lens, clicked: Correspondences, guesses_px: tuple[Array, ...] = ()
) -> Correspondences:
    """The cards that fit a plane of their own on which most of the clicked places are as far apart as told; else none.

    Sheets of paper as slender as cards fit one, too, but on theirs all places are nearer to one another.
    """
    cards = find_cards(image, size_mm, lens, guesses_px=guesses_px)
    if len(cards.groups) < _AGREE:
        return Correspondences.joined([])
    fit = _fit(cards, lens)
    one, other = np.triu_indices(len(clicked), 1)
    told_mm, seen_mm = (
        np.hypot(*(at_mm[one] - at_mm[other]).T)
        for at_mm in (clicked.table_mm, fit.pose.to_table(fit.lens, clicked.image_px))
    )
    is_near = np.abs(seen_mm - told_mm) < _SIDE_TOLERANCE * told_mm
    return cards if is_near.mean() >= _MOST_PAIRS else Correspondences.joined([])


def cards_at(outlines_px: Iterable[Array], size_mm: tuple[float, float]) -> Correspondences:
    """Cards whose corners (4, 2) somebody measured, clockwise as seen, the first side along the length."""
    parts = []
    for number, corners_px in enumerate(outlines_px, 1):
        sigma_px = _MEASURED_OF_LENGTH * float(np.hypot(*(corners_px[1] - corners_px[0])))
        part = Correspondences.of(corners_px, _shape(size_mm), [f"card {number}"] * 4, sigma_px, THICKNESS_MM)
        parts.append(part.lying_anywhere())
    return Correspondences.joined(parts)


def _without_strays(cards: Correspondences, lens: Lens) -> CameraFit:
    """The fit to the cards, or to those of them that agree far better without the rest; never to fewer than two."""
    fit = _fit(cards, lens)
    while len(fit.groups) > 2:
        errors_px = fit.errors_px(Seen(cards.only(fit.groups)))
        worst = max(errors_px, key=lambda name: float(errors_px[name].max()))
        among = _fit(cards.only(name for name in fit.groups if name != worst), lens)
        if fit.cost < max(among.cost + _STRAY_COST, _CLEARLY_BETTER**2 * among.cost):
            break
        fit = among
    return fit


def _fit(cards: Correspondences, lens: Lens) -> CameraFit:
    return fit_bundle(Seen(cards), lens, first_guesses(Seen(cards), lens))


def _several(every: list[Correspondences]) -> list[Correspondences]:
    """Those that say different things, most cards first."""
    distinct = {(cards.image_px.tobytes(), cards.table_mm.tobytes()): cards for cards in every}
    return sorted(distinct.values(), key=len, reverse=True)[:_TRIALS]


def find_rectangles(
    image: Image, largest: float = 0.5, smallest: float = 0.0, guesses_px: tuple[Array, ...] = ()
) -> tuple[RectangleSeen, ...]:
    """All convex bright quadrilaterals with straight sides, the larger first, none twice.

    largest, smallest  share of the picture that one may fill
    """
    shrink = min(1.0, _WORKING_WIDTH_PX / max(image.shape[:2]))
    gray = np.asarray(cv2.resize(gray_of(image), None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    rough = [(_clockwise(guess) + 0.5) * shrink - 0.5 for guess in guesses_px]
    seeds = [*rough, *_distinct(_seeds(gray, (smallest * gray.size, largest * gray.size)), _SAME_SEED)]
    if not seeds:
        return ()
    nearer, _, _ = fit_quads(gray, np.array(seeds), light_inside=True)
    fitted, _, rms_px = fit_quads(gray, np.nan_to_num(nearer), light_inside=True)
    moved_px = np.hypot(*(fitted - np.array(seeds)).transpose(2, 0, 1)).max(axis=1)
    side_px = np.hypot(*(np.roll(fitted, -1, axis=1) - fitted).transpose(2, 0, 1)).mean(axis=1)
    good = (rms_px < np.fmax(_WORST_EDGE_RMS_PX, _BOWED * side_px)) & (moved_px < _FARTHEST_CORNER_PX)
    whole = [(quad + 0.5) / shrink - 0.5 for quad in _distinct(_straight(fitted[good], rms_px[good]), _SAME_PLACE)]
    return tuple(RectangleSeen(tuple(map(tuple, quad.tolist()))) for quad in whole)


def _straight(quads: Array, rms_px: Array) -> list[Array]:
    """Without those in whose place another's sides are so much straighter: they took a side from what lies beside."""
    near = [
        [_apart_px(quad, other) < _SAME_PLACE * np.hypot(*(quad[2] - quad[0])) for other in quads] for quad in quads
    ]
    return [
        quad for quad, mine, rms in zip(quads, near, rms_px, strict=True) if rms <= _STRAIGHTER * rms_px[mine].min()
    ]


def _clockwise(quad: Array) -> Array:
    return quad if turn(quad[:3]) > 0 else quad[::-1]


def _seeds(gray: Image, areas_px: tuple[float, float]) -> Iterator[Array]:
    """Corner guesses (4, 2) from contours at several thresholds: a card's white against whatever is round it."""
    calm = np.asarray(cv2.GaussianBlur(gray, (0, 0), 1.0), np.uint8)
    levels = np.unique(np.percentile(calm[::4, ::4], [30, 50, 65, 80, 90]).astype(int))
    otsu, _ = cv2.threshold(calm, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
    masks = [np.asarray(calm > level, np.uint8) for level in (*levels, otsu)]
    edges = cv2.dilate(cv2.Canny(calm, 40, 120), np.ones((3, 3), np.uint8))
    masks.append(np.asarray(edges == 0, np.uint8))
    # No line of n pixels, each beside the last, encloses more than a circle as long: most lines of a picture are short.
    fewest = np.sqrt(2 * np.pi) * max(_SHORTEST_SIDE_PX, areas_px[0] ** 0.5)
    for mask in masks:
        contours, _ = cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)
        quads = (_quad_of(np.asarray(contour), areas_px) for contour in contours if len(contour) > fewest)
        yield from (quad for quad in quads if quad is not None)


def _quad_of(contour: NDArray[np.int32], areas_px: tuple[float, float]) -> Array | None:
    if not max(_SHORTEST_SIDE_PX**2, areas_px[0]) < cv2.contourArea(contour) < areas_px[1]:
        return None
    hull = cv2.convexHull(contour)
    if cv2.contourArea(contour) < 0.92 * cv2.contourArea(hull):
        return None
    corners = np.asarray(cv2.approxPolyDP(hull, 0.04 * cv2.arcLength(hull, closed=True), closed=True), float)[:, 0]
    if len(corners) != 4:
        return None
    lines = _side_lines(np.asarray(hull, float)[:, 0], np.asarray(contour, float)[:, 0], corners)
    sides = np.hypot(*(np.roll(lines, -1, axis=0) - lines).T)
    return lines if np.isfinite(lines).all() and sides.min() > _SHORTEST_SIDE_PX else None


def _side_lines(hull: Array, contour: Array, corners: Array) -> Array:
    """(4, 2) crossings of the lines through the middle parts of the sides: the corners of a card are round."""
    if turn(corners[:3]) < 0:
        corners = corners[::-1]
    lines = []
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        length_px = float(np.hypot(*(end - start)))
        along = (end - start) / length_px
        part = (contour - start) @ along / length_px
        off = np.abs(cross(contour - start, along))
        mine = contour[(part > 0.15) & (part < 0.85) & (off < 4)]
        if len(mine) < 8:
            return np.full((4, 2), np.nan)
        du, dv, u, v = np.ravel(cv2.fitLine(mine.astype(np.float32), cv2.DIST_HUBER, 0, 0.01, 0.01)).tolist()
        lines.append(np.array([dv, -du, du * v - dv * u]))
    crossings = np.cross(np.roll(lines, 1, axis=0), lines)
    with np.errstate(divide="ignore", invalid="ignore"):  # parallel sides cross nowhere: the caller drops them
        return np.asarray(crossings[:, :2] / crossings[:, 2:], float)


def _distinct(quads: Iterable[Array], share: float) -> Iterator[Array]:
    """Larger first; of those whose corners lie within that share of their size of one another's, the first."""
    kept: list[Array] = []
    for quad in sorted(quads, key=lambda q: -cv2.contourArea(q.astype(np.float32))):
        size = float(np.hypot(*(quad[2] - quad[0])))
        if all(_apart_px(quad, other) > share * size for other in kept):
            kept.append(quad)
            yield quad


def _apart_px(quad: Array, other: Array) -> float:
    """The farthest that a corner of one lies from the other's, whichever corner comes first."""
    return min(float(np.abs(np.roll(quad, first, axis=0) - other).max()) for first in range(4))


def _guesses(quads: list[Array], size_mm: tuple[float, float], lens: Lens) -> list[CameraGuess]:
    """Cameras as each rectangle tells, were it a card lying along or across; the least rolled first."""
    shapes = (_shape(size_mm), _shape(size_mm[::-1]))
    every = [guess for quad in quads for shape in shapes for guess in guesses_from_points(quad, shape, lens)]
    above = [guess for guess in every if guess.pose.position_mm[2] > 0]
    # Seen weakly, a rectangle of one shape is one of another under another tilt; people hold cameras level.
    return sorted(above, key=lambda guess: abs(guess.pose.rotation[0, 2]))


def _matching(
    quads: list[Array], size_mm: tuple[float, float], guess: CameraGuess, tolerance: float
) -> Correspondences:
    """The rectangles that have a card's size on the guessed plane."""
    parts: list[Correspondences] = []
    for quad in quads:
        sides = _sides_mm(quad, guess)
        for size in (size_mm, size_mm[::-1]):
            if np.abs(sides / np.tile(size, 2) - 1).max() < tolerance:
                name = f"card {len(parts) + 1}"
                part = Correspondences.of(quad, _shape(size), [name] * 4, CARD_SIGMA_PX, THICKNESS_MM)
                parts.append(part.lying_anywhere().found_by_sides())
                break
    return Correspondences.joined(parts)


def _sides_mm(quad: Array, guess: CameraGuess) -> Array:
    mm = guess.pose.to_table(guess.lens, quad, THICKNESS_MM)
    return np.asarray(np.nan_to_num(np.hypot(*(np.roll(mm, -1, axis=0) - mm).T)), float)


def _shape(size_mm: tuple[float, float]) -> Array:
    """(4, 2) corners clockwise as seen from above, the first side along size_mm[0]."""
    a, b = size_mm
    return np.array([[0, 0], [a, 0], [a, -b], [0, -b]], float)
