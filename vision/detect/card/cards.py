"""Playing cards: indices and middles proposed by a net, read, joined into cards, and measured by their edges."""

from __future__ import annotations

from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from calibration.plane import TablePlane
from models.pieces import CARD, INDEX
from rules.scene import UNKNOWN
from vision.detect.card.borne_out import borne_out
from vision.detect.card.bowed import as_they_lie
from vision.detect.card.by_signs import by_signs
from vision.detect.card.card_doubles import without_doubles
from vision.detect.card.card_ends import Reading
from vision.detect.card.card_fits import Starts, best_fits, in_sleeves, on_far_sides
from vision.detect.card.card_format import in_their_format
from vision.detect.card.card_hints import NAMED, Hint, index_hints, middle_hints
from vision.detect.card.card_hold import STRAIGHT_MM, card_sigma_mm, least_sides
from vision.detect.card.card_names import told_name
from vision.detect.card.hint_groups import (
    FAINT_HEAT,
    SURE_HEAT,
    are_of_a_deck,
    grouped,
    is_worth_measuring,
    shows_back,
    shows_both_ends,
    shows_face,
    shows_two_signs,
    start_of,
)
from vision.detect.card.own_sides import on_own_sides
from vision.detect.card.piled import as_piled
from vision.detect.card.pips import by_pips
from vision.detect.card.strays import CLEARLY, PLAINLY, Card, without_strays
from vision.detect.coin.on_cards import CARD_MM
from vision.detect.pieces import Peaks
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.light import srgb
from vision.shape.rectangle import RectangleFit, between_sides, fit_rectangle

Array = NDArray[np.float64]

# Length and breadth of the two usual formats (rule note C1.4), tried in turn.
SIZES_MM = ((88.9, 63.5), (88.9, 57.15))
# Where the picture shows a millimetre by fewer px, what is printed on a card does not tell it: clubs are read for
# spades, threes for jacks, as surely as 0.99 (rendered cards made smaller: of 66 read below that 23 are wrong, of 126
# above one; photographed ones are read right down to 0.90).
_LEGIBLE_PX_PER_MM = 0.89

# Light for levels. What blur spreads over an edge lies even about it in light, in levels on the dark side, and the more
# so the more it was lit up (a white card on cloth that was lit 3.5 times: 0.82 mm off, by light 0.01).
_LIGHT = np.rint(255 * srgb.light(np.arange(256.0))).astype(np.uint8)


def find_cards(
    image_bgr: ImageBgr,
    plane: TablePlane,
    found: dict[int, Peaks],
    sizes_mm: tuple[tuple[float, float], ...],
    *,
    unlit_bgr: ImageBgr | None = None,
    on_known_plane: bool = False,
    beyond_doubt: bool = False,
) -> list[Detection]:
    """Every card of which an index or the whole shows.

    unlit_bgr       the picture before it was lit up, if it was: paper that is white then spreads over its edges
    on_known_plane  they may be in sleeves, a line with print within and the margin beyond is no side, and only what
                    shows large enough to be read has a name. Not so where cards measure the table: planes are tried
                    then that are far off, and cards in sleeves are like nearer ones
    beyond_doubt    only those that show an index and another sign of themselves, the other index or the middle, or that
                    show a middle and surely say the same at both ends
    """
    groups, sizes_mm = _hinted(
        image_bgr, plane, found, sizes_mm, on_known_plane=on_known_plane, beyond_doubt=beyond_doubt
    )
    fits = _fitted(image_bgr, plane, groups, sizes_mm, on_known_plane=on_known_plane)
    as_lit_bgr = image_bgr
    if unlit_bgr is not None:
        as_lit_bgr = np.asarray(cv2.LUT(unlit_bgr, _LIGHT), np.uint8)
        fits = [_by_light(as_lit_bgr, plane, fit) for fit in fits]
    cards = without_strays(list(zip(groups, fits, strict=True)))
    told, readings, whole = borne_out(image_bgr, plane, cards, beyond_doubt=beyond_doubt)
    if on_known_plane:
        told = [(group, _between_borders(as_lit_bgr, plane, fit)) for group, fit in told]
        told = _on_own_sides(as_lit_bgr, plane, told)
    least = least_sides(told)
    if on_known_plane:
        told = by_signs(told, least)
    further_mm: Array | float = 0.0
    named = [told_name(group, reading) for (group, _), reading in zip(told, readings, strict=True)]
    if on_known_plane:
        named = by_pips(image_bgr, plane, [fit for _, fit in told], named)
        fits, further_mm = as_they_lie(as_lit_bgr, plane, [fit for _, fit in told])
        told = [(group, fit) for (group, _), fit in zip(told, fits, strict=True)]
    seen = _detections(plane, told, named, least, further_mm)
    single = without_doubles(seen, whole)
    if not on_known_plane:
        return single
    shown = {id(card): fit.support for card, (_, fit) in zip(seen, told, strict=True)}
    return _as_legible(as_piled(plane, single, [shown[id(card)] for card in single]), plane)


def sizes_from(card_mm: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """The sizes to try where cards have that one, most likely."""
    return (card_mm, *(size for size in SIZES_MM if size != card_mm))


def _hinted(
    image_bgr: ImageBgr,
    plane: TablePlane,
    found: dict[int, Peaks],
    sizes_mm: tuple[tuple[float, float], ...],
    *,
    on_known_plane: bool,
    beyond_doubt: bool,
) -> tuple[list[list[Hint]], tuple[tuple[float, float], ...]]:
    """The hints of each thing that may be a card, and the sizes to try, those that the cards tell first."""
    indices = index_hints(image_bgr, plane, found[INDEX], sizes_mm[0])
    if on_known_plane:
        indices, sizes_mm = in_their_format(image_bgr, plane, indices, sizes_mm)
    groups = grouped([*indices, *middle_hints(found[CARD])])
    least_heat = FAINT_HEAT if on_known_plane and are_of_a_deck(groups) else SURE_HEAT
    groups = [group for group in groups if is_worth_measuring(group, least_heat)]
    if beyond_doubt:
        groups = [group for group in groups if shows_two_signs(group) or group[0].cls == UNKNOWN]
    return groups, sizes_mm


def _fitted(
    image_bgr: ImageBgr,
    plane: TablePlane,
    groups: list[list[Hint]],
    sizes_mm: tuple[tuple[float, float], ...],
    *,
    on_known_plane: bool,
) -> list[RectangleFit]:
    """Each as its edges measure it, in a sleeve perhaps."""
    starts = _starts(groups, sizes_mm[0], may_have_margins=on_known_plane)
    fits = best_fits(image_bgr, plane, starts, sizes_mm)
    if not on_known_plane:
        return fits
    return in_sleeves(image_bgr, plane, starts, on_far_sides(image_bgr, plane, starts, fits))


def _starts(groups: list[list[Hint]], size_mm: tuple[float, float], *, may_have_margins: bool) -> Starts:
    """Where the cards lie by their hints."""
    starts = np.array([start_of(group, size_mm) for group in groups]).reshape(-1, 3)
    faces = np.array([may_have_margins and not shows_back(group) for group in groups], bool)
    held = np.array([shows_both_ends(group) for group in groups], bool)
    return Starts(starts[:, :2], starts[:, 2], faces, held)


def _by_light(in_light: ImageBgr, plane: TablePlane, lit: RectangleFit) -> RectangleFit:
    """The same card in light as it fell, before the picture was lit up, if as much of its edges shows there."""
    fit = fit_rectangle(in_light, plane, np.array(lit.centre_mm), lit.angle_rad, lit.size_mm)
    return fit if fit.support >= lit.support - CLEARLY else lit


def _between_borders(image_bgr: ImageBgr, plane: TablePlane, fit: RectangleFit) -> RectangleFit:
    """The same card in the middle of its sides, where these do not all show, or not as straight as a card's end."""
    is_plain = fit.support >= PLAINLY and fit.residual_mm <= STRAIGHT_MM
    return fit if is_plain else between_sides(image_bgr, plane, fit)


def _on_own_sides(image_bgr: ImageBgr, plane: TablePlane, cards: list[Card]) -> list[Card]:
    """The cards, none with a side on that of the card beside it."""
    faces = np.array([shows_face(group) for group, _ in cards], bool)
    fits = on_own_sides(image_bgr, plane, [fit for _, fit in cards], faces)
    return [(group, fit) for (group, _), fit in zip(cards, fits, strict=True)]


def _detections(
    plane: TablePlane,
    cards: list[Card],
    named: list[Reading],
    least: list[float],
    further_mm: Array | float = 0.0,
) -> list[Detection]:
    """The cards; further_mm: (n,) by how much more each may be off than its edges say."""
    at_px = plane.to_image(np.array([fit.centre_mm for _, fit in cards]).reshape(-1, 2))
    # It is their upper face that is seen.
    lies_mm = plane.to_table(at_px, CARD_MM)
    of_fit_mm = [card_sigma_mm(fit, side) for (_, fit), side in zip(cards, least, strict=True)]
    sigma_mm = np.sqrt(np.square(plane.sigma_mm(at_px)) + np.square(of_fit_mm) + np.square(further_mm))
    return [
        _detection(replace(fit, centre_mm=(float(x), float(y))), read, (float(u), float(v)), float(sigma))
        for (_, fit), read, (x, y), (u, v), sigma in zip(cards, named, lies_mm, at_px, sigma_mm, strict=True)
    ]


def _detection(fit: RectangleFit, read: Reading, at_px: tuple[float, float], sigma_mm: float) -> Detection:
    return Detection(
        "card",
        read.cls if read.log_prob >= NAMED else UNKNOWN,
        fit.centre_mm,
        Polygon(fit.corners()),
        sigma_mm,
        float(np.exp(read.log_prob)),
        at_px,
        rotation_deg=float(np.degrees(fit.angle_rad) % 180),
        class_log_probs={read.cls: read.log_prob},
    )


def _as_legible(cards: list[Detection], plane: TablePlane) -> list[Detection]:
    """The cards; those that show too small to be read without a name, for backs need no reading."""
    px_per_mm = plane.px_per_mm(np.array([card.position_mm for card in cards]).reshape(-1, 2))
    return [
        card if scale >= _LEGIBLE_PX_PER_MM or card.cls == "BACK" else replace(card, cls=UNKNOWN)
        for card, scale in zip(cards, px_per_mm, strict=True)
    ]
