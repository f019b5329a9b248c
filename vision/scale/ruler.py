"""Cards as a first ruler where nothing else measures the table: found by the nets at a guessed scale.

The nets know cards at one scale only. The picture is taken for a view straight down at several scales in turn; where
the nets read the most cards, those cards' outlines are near enough for `calibration.rulers.cards` to measure them, if
they lie bright on dark. Others are measured by their two indices and whatever edge their sides show.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.plane import TablePlane
from models import pieces
from rules.scene import UNKNOWN
from vision.detect.card.card_hints import Hint, index_hints, middle_hints
from vision.detect.card.cards import SIZES_MM, find_cards, sizes_from
from vision.detect.pieces import Peaks, look_for_pieces
from vision.detection import Detection
from vision.frame import Frame, ImageBgr
from vision.metric.topview import TopView
from vision.metric.views import Views
from vision.scale.tilted import IndexPair, Outline, index_reach, outline_of

Array = NDArray[np.float64]

# A card's length in the picture is tried from this many px to this share of the picture's longer side.
_SHORTEST_PX, _LONGEST_SHARE = 70.0, 0.75
# A net that was taught cards within 5 % of their size still finds them within 15 %.
_STEP = 1.25
CARD_MM = SIZES_MM[0]
# Two indices are one card's if both readings together are this likely, if they are turned and lie so far askew at most
# and so many times as far apart as on a card at the guessed scale: cameras are tilted.
_READ, _ASKEW_RAD, _OTHER_SCALE = np.log(0.3), 0.4, 1.4
# The middle counts as an index that is read so surely.
_BY_MIDDLE = np.log(0.5)
# So many cards are outlined at most; an outline counts if this share of it is edge.
_CARDS, _BORNE_OUT = 4, 0.6
# A card read by one of its ends has a chance of 0.97 at most, by both 0.98 and more.
BOTH_ENDS = 0.98
# Focal lengths of cameras, and how far off the middle their axis lies at most, as shares of the picture's longer side
# (`calibration.lens`: 0.6 to 0.95, and 0.02; pictures are cut a little, too).
_SHORT, _LONG, _OFF_AXIS = 0.4, 2.0, 0.1


def shows_a_card(frame: Frame, plane: TablePlane, card_mm: tuple[float, float] = CARD_MM) -> bool:
    """Whether a card, most likely of that size, lies there beyond doubt: it is read, by an index and another sign.

    By one sign alone print on a wrong plane passes for a card, boards of markers for jokers and backs.
    """
    return bool(cards_read(frame, plane, card_mm))


def how_sure(frame: Frame, plane: TablePlane, card_mm: tuple[float, float]) -> Array:
    """(n,) the chance of what each card that lies on that plane beyond doubt is read as; from `BOTH_ENDS` on both of
    its ends say so, and so it lies there."""
    return np.array([card.confidence for card in cards_read(frame, plane, card_mm)], float)


def cards_read(frame: Frame, plane: TablePlane, card_mm: tuple[float, float]) -> list[Detection]:
    """The cards, most likely of that size, that lie on that plane beyond doubt."""
    view = Views().of(frame, plane, pieces.TOPVIEW_PX_PER_MM, 0.0, pieces.STRIDE_PX)
    found = look_for_pieces(frame.image_bgr, view)
    cards = find_cards(frame.image_bgr, plane, found, sizes_from(card_mm), beyond_doubt=True)
    return [card for card in cards if card.cls not in (UNKNOWN, "BACK")]


def has_likely_lens(plane: TablePlane) -> bool:
    """Whether the lens that was estimated with the plane is one as cameras have them, its axis near the middle.

    What stands for a card and is none, or was measured badly, is often explained by a lens that there is not.
    """
    width, height = plane.lens.size_px
    focal_px, longer_px = float(plane.lens.matrix[0, 0]), max(width, height)
    off_px = plane.lens.matrix[:2, 2] - (np.array([width, height]) - 1) / 2
    return bool(_SHORT < focal_px / longer_px < _LONG and np.abs(off_px).max() < _OFF_AXIS * longer_px)


@dataclass(frozen=True, eq=False)
class Look:
    """What the net proposes where the picture is taken for a view straight down, and the size that cards have."""

    plane: TablePlane
    found: dict[int, Peaks]
    card_mm: tuple[float, float] = CARD_MM


def looks_at(image_bgr: ImageBgr, card_mm: tuple[float, float] = CARD_MM) -> list[Look]:
    """Looks at several scales: cards that show from so many px long to most of the picture."""
    looks, length_px = [], _SHORTEST_PX
    while length_px < _LONGEST_SHARE * max(image_bgr.shape[:2]):
        plane = _straight_down(image_bgr, length_px / CARD_MM[0])
        looks.append(Look(plane, look_for_pieces(image_bgr, _view(image_bgr, plane)), card_mm))
        length_px *= _STEP
    return looks


def card_seeds(image_bgr: ImageBgr, looks: list[Look]) -> tuple[Array, ...]:
    """Outlines (4, 2) in px, rough, of the cards that the nets read best; none where they read none."""
    best: tuple[float, tuple[Array, ...]] = (0.0, ())
    for look in looks:
        cards = find_cards(image_bgr, look.plane, look.found, sizes_from(look.card_mm))
        score = sum(card.confidence for card in cards if card.cls != UNKNOWN)
        if score > best[0]:
            best = score, tuple(look.plane.to_image(np.array(card.footprint.exterior.coords)[:4]) for card in cards)
    return best[1]


def card_outlines(image_bgr: ImageBgr, looks: list[Look]) -> Iterator[tuple[Array, ...]]:
    """Corners (4, 2) in px of cards, clockwise, the first side lengthwise: what may measure the table, in turn.

    All cards of which both indices are read, each of them alone, and each by one index and its middle.
    """
    both = _outlines(image_bgr, [pair for look in looks for pair in _both_indices(image_bgr, look)])
    if len(both) > 1:
        yield both
    for outline in (*both, *_outlines(image_bgr, [pair for look in looks for pair in _one_index(image_bgr, look)])):
        yield (outline,)


def _outlines(image_bgr: ImageBgr, pairs: list[IndexPair]) -> tuple[Array, ...]:
    """Of the cards that are read best, those whose outline is edge, the one that is most so first."""
    outlines: list[Outline] = []
    for pair in sorted(pairs, key=lambda pair: -pair.log_prob):
        if len(outlines) < _CARDS and not any(outline.holds(pair) for outline in outlines):
            outlines.append(outline_of(image_bgr, pair))
    outlines.sort(key=lambda outline: -outline.support)
    return tuple(outline.corners_px for outline in outlines if outline.support >= _BORNE_OUT)


def _both_indices(image_bgr: ImageBgr, look: Look) -> list[IndexPair]:
    """Indices that say one card and lie, roughly, as the two of a card do."""
    return _pairs(look, combinations(index_hints(image_bgr, look.plane, look.found[pieces.INDEX], look.card_mm), 2))


def _one_index(image_bgr: ImageBgr, look: Look) -> list[IndexPair]:
    """Indices with where the other one lies, as the middle of a card tells."""
    indices = index_hints(image_bgr, look.plane, look.found[pieces.INDEX], look.card_mm)
    middles = [hint for hint in middle_hints(look.found[pieces.CARD]) if hint.cls != "BACK"]
    return _pairs(look, [(index, _across(index, middle)) for index, middle in product(indices, middles)])


def _pairs(look: Look, hints: Iterable[tuple[Hint, Hint]]) -> list[IndexPair]:
    return [
        _pair(look, first, second)
        for first, second in hints
        if first.cls == second.cls
        and first.log_prob + second.log_prob > _READ
        and _are_opposite(first, second, look.card_mm)
    ]


def _pair(look: Look, first: Hint, second: Hint) -> IndexPair:
    at_px = look.plane.to_image(np.array([first.at_mm, second.at_mm]))
    return IndexPair(at_px, first.log_prob + second.log_prob, look.card_mm)


def _across(index: Hint, middle: Hint) -> Hint:
    """Where a card's other index lies, were that its middle."""
    (x, y), (mx, my) = index.at_mm, middle.at_mm
    turn = (middle.angle_rad - index.angle_rad + np.pi / 2) % np.pi - np.pi / 2
    angle_rad = index.angle_rad + turn + np.pi
    return replace(index, at_mm=(2 * mx - x, 2 * my - y), angle_rad=angle_rad, log_prob=_BY_MIDDLE)


def _are_opposite(first: Hint, second: Hint, card_mm: tuple[float, float]) -> bool:
    x, y = np.subtract(second.at_mm, first.at_mm)
    lengthwise, sidewise = index_reach(card_mm)
    askew = (
        np.arctan2(y, x) - np.arctan2(sidewise, lengthwise) - first.angle_rad,
        second.angle_rad - first.angle_rad - np.pi,
    )
    scale = np.hypot(x, y) / np.hypot(lengthwise, sidewise)
    return bool(np.cos(askew).min() > np.cos(_ASKEW_RAD) and 1 / _OTHER_SCALE < scale < _OTHER_SCALE)


def _straight_down(image_bgr: ImageBgr, px_per_mm: float) -> TablePlane:
    """The plane of a camera that looks straight down, `px_per_mm` px to the millimetre."""
    height, width = image_bgr.shape[:2]
    corners_px = np.array([(0, height - 1), (width - 1, height - 1), (width - 1, 0), (0, 0)], float)
    corners_mm = np.stack([corners_px[:, 0], height - 1 - corners_px[:, 1]], axis=1) / px_per_mm
    return fit_plane(Correspondences.of(corners_px, corners_mm), None, (width, height))


def _view(image_bgr: ImageBgr, plane: TablePlane) -> TopView:
    width = image_bgr.shape[1]
    size_mm = tuple(float(side) for side in plane.to_table([(width - 1, 0)])[0])
    return TopView.of_table(plane, (size_mm[0], size_mm[1]), pieces.TOPVIEW_PX_PER_MM, 0.0, 0.0, pieces.STRIDE_PX)
