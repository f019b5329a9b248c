"""Playing cards: indices and middles proposed by a net, read, joined into cards, and measured by their edges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import compress

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Polygon

from calibration.plane import TablePlane
from models.pieces import CARD, INDEX, INDEX_FROM_CORNER_MM
from rules.scene import UNKNOWN
from vision import srgb
from vision.detect.card_ends import USUAL, Reading, both_ends
from vision.detect.card_fits import Starts, best_fits, in_sleeves
from vision.detect.card_format import in_their_format
from vision.detect.card_hints import NAMED, Hint, index_hints, middle_hints, unread
from vision.detect.card_hold import STRAIGHT_MM, SUPPORT, card_sigma_mm, held, least_sides
from vision.detect.deck_print import moved, printed_aside
from vision.detect.on_cards import CARD_MM
from vision.detect.own_sides import on_own_sides
from vision.detect.pieces import Peaks
from vision.detect.pips import by_pips
from vision.detect.strays import CLEARLY, PLAINLY, Card, owed_share, without_strays
from vision.detect.twice_read import weighed
from vision.detection import Detection
from vision.frame import ImageBgr
from vision.rectangle import RectangleFit, between_sides, fit_rectangle

Array = NDArray[np.float64]

# Length and breadth of the two usual formats (rule note C1.4), tried in turn.
SIZES_MM = ((88.9, 63.5), (88.9, 57.15))
# Two proposals are one card when their middles and directions are this near.
_SAME_MM, _SAME_RAD = 14.0, 0.35
# A card by one sign alone must have at least this heat; one of which no index shows straight sides as well.
_SURE_HEAT = 0.5
# Where a deck lies a back has this heat at least, and is as likely as that.
_FAINT_HEAT, _LIKELY_BACK = 0.3, float(np.log(0.9))
# One that nothing is read of has edge along so much of three of its sides: in the corner of a chalk line two are wholly
# edge, a third up to 0.54.
_A_SIDE = 0.6
# So many cards that are read are a deck. Sides of its backs and jokers are found at either end of a border, and of the
# gap to the next card: holes among cards, bare table, are rather told by how much of their sides is edge (heats of 0.5
# and more, 32 drawn grids: 0.64 at most, one 0.94, of backs 0.85 and more).
_A_DECK, _OF_A_DECK_MM = 4, 0.36
# Of cards that cover one another so much one is none: where they say the same, where one says nothing, and where they
# differ. Where the table's scale is off by a fifth each index of a card tells one of its own, half over the other.
_ONE_NAME, _ONE_CARD, _ONE_PLACE = 0.4, 0.5, 0.85
# So sure are middles of backs beside an index that cannot be read, all but two of 45 of 26 decks; those of jokers that
# pass for backs are 0.94 at most (60 rendered pairs of cards on one another).
_SURELY_BACK = float(np.log(0.98))
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
    indices = index_hints(image_bgr, plane, found[INDEX], sizes_mm[0])
    if on_known_plane:
        indices, sizes_mm = in_their_format(image_bgr, plane, indices, sizes_mm)
    groups = _grouped([*indices, *middle_hints(found[CARD])])
    least_heat = _FAINT_HEAT if on_known_plane and _of_a_deck(groups) else _SURE_HEAT
    groups = [group for group in groups if _is_worth_measuring(group, least_heat)]
    if beyond_doubt:
        groups = [group for group in groups if _shows_two_signs(group) or group[0].cls == UNKNOWN]
    starts = _starts(groups, sizes_mm[0], may_have_margins=on_known_plane)
    fits = best_fits(image_bgr, plane, starts, sizes_mm)
    if on_known_plane:
        fits = in_sleeves(image_bgr, plane, starts, fits)
    as_lit_bgr = image_bgr
    if unlit_bgr is not None:
        as_lit_bgr = np.asarray(cv2.LUT(unlit_bgr, _LIGHT), np.uint8)
        fits = [_by_light(as_lit_bgr, plane, fit) for fit in fits]
    cards = without_strays(list(zip(groups, fits, strict=True)))
    told, readings, whole = _borne_out(image_bgr, plane, cards, beyond_doubt=beyond_doubt)
    if on_known_plane:
        told = [(group, _between_borders(as_lit_bgr, plane, fit)) for group, fit in told]
        told = _on_own_sides(as_lit_bgr, plane, told)
    least = least_sides(told)
    if on_known_plane:
        told = _by_signs(told, least)
    named = [_told(group, reading) for (group, _), reading in zip(told, readings, strict=True)]
    if on_known_plane:
        named = by_pips(image_bgr, plane, [fit for _, fit in told], named)
    single = _without_doubles(_detections(plane, told, named, least), whole)
    return _as_legible(single, plane) if on_known_plane else single


def sizes_from(card_mm: tuple[float, float]) -> tuple[tuple[float, float], ...]:
    """The sizes to try where cards have that one, most likely."""
    return (card_mm, *(size for size in SIZES_MM if size != card_mm))


def _starts(groups: list[list[Hint]], size_mm: tuple[float, float], *, may_have_margins: bool) -> Starts:
    """Where the cards lie by their hints."""
    starts = np.array([_start(group, size_mm) for group in groups]).reshape(-1, 3)
    faces = np.array([may_have_margins and not _shows_back(group) for group in groups], bool)
    held = np.array([_shows_both_ends(group) for group in groups], bool)
    return Starts(starts[:, :2], starts[:, 2], faces, held)


def _start(group: list[Hint], size_mm: tuple[float, float]) -> tuple[float, float, float]:
    """Middle and direction that a card's hints tell: from one index to the other, if both ends show."""
    first = group[0]
    other = next((hint for hint in group[1:] if hint.is_index and _looks_back(hint, first)), None)
    if other is None:
        x, y = np.mean([hint.centre_mm for hint in group], axis=0)
        return float(x), float(y), first.angle_rad
    (ax, ay), (bx, by) = first.at_mm, other.at_mm
    slant_rad = np.arctan2(size_mm[1] - 2 * INDEX_FROM_CORNER_MM[0], size_mm[0] - 2 * INDEX_FROM_CORNER_MM[1])
    return (ax + bx) / 2, (ay + by) / 2, float(np.arctan2(by - ay, bx - ax) - slant_rad)


def _looks_back(hint: Hint, first: Hint) -> bool:
    """Whether an index is read from the other end of the card."""
    return first.is_index and bool(np.cos(hint.angle_rad - first.angle_rad) < 0)


def _shows_back(group: list[Hint]) -> bool:
    """Whether a middle says that the card lies on its face."""
    return any(hint.cls == "BACK" for hint in group)


def _shows_face(group: list[Hint]) -> bool:
    """Whether an index says that the card lies face up."""
    return group[0].is_index and not _shows_back(group)


def _shows_both_ends(group: list[Hint]) -> bool:
    """Whether an index shows at either end of the card."""
    return any(hint.is_index and _looks_back(hint, group[0]) for hint in group[1:])


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
    faces = np.array([_shows_face(group) for group, _ in cards], bool)
    fits = on_own_sides(image_bgr, plane, [fit for _, fit in cards], faces)
    return [(group, fit) for (group, _), fit in zip(cards, fits, strict=True)]


def _by_signs(cards: list[Card], least: list[float]) -> list[Card]:
    """The cards, where sides do not hold them as their signs say, from where their deck prints indices.

    least  how much of a side must show to hold each
    """
    shift_mm = printed_aside(cards)
    return [
        (group, _by_hints(moved(group, shift_mm), fit, side)) for (group, fit), side in zip(cards, least, strict=True)
    ]


def _by_hints(group: list[Hint], fit: RectangleFit, least: float) -> RectangleFit:
    """The same card, along a way in which neither of its sides shows where its hints say: a fit slides along the one
    side that does show, onto the edge of the card above it."""
    along = np.array([np.cos(fit.angle_rad), np.sin(fit.angle_rad)])
    slid_mm = np.array(_start(group, fit.size_mm)[:2]) - fit.centre_mm
    back_mm = np.zeros(2)
    for way, is_held in zip((along, np.array([-along[1], along[0]])), held(fit, least), strict=True):
        back_mm += 0.0 if is_held else (slid_mm @ way) * way
    x, y = fit.centre_mm + back_mm
    return replace(fit, centre_mm=(float(x), float(y)))


def _grouped(hints: list[Hint]) -> list[list[Hint]]:
    """Hints of one card together, the surest hint first; an index never joins one that says another card."""
    groups: list[list[Hint]] = []
    for hint in sorted(hints, key=lambda h: (not h.is_index, -h.heat)):
        home = next((group for group in groups if _joins(hint, group)), None)
        if home is None:
            groups.append([hint])
        else:
            home.append(hint)
    return groups


def _joins(hint: Hint, group: list[Hint]) -> bool:
    first = group[0]
    turn = abs((hint.angle_rad - first.angle_rad + np.pi / 2) % np.pi - np.pi / 2)
    near = np.hypot(hint.centre_mm[0] - first.centre_mm[0], hint.centre_mm[1] - first.centre_mm[1]) < _SAME_MM
    if not near or turn > _SAME_RAD:
        return False
    return not (hint.is_index and first.is_index) or hint.cls == first.cls


def _shows_two_signs(group: list[Hint]) -> bool:
    """Whether an index shows and the other one or the middle."""
    return len(group) > 1 and group[0].is_index


def _of_a_deck(groups: list[list[Hint]]) -> bool:
    """Whether so many cards show two signs that a deck lies there."""
    return sum(map(_shows_two_signs, groups)) >= _A_DECK


def _is_worth_measuring(group: list[Hint], least_heat: float) -> bool:
    """Whether the hints may be a card at all: an index, or a middle that the net is sure of, or as sure of a back."""
    return any(hint.is_index or hint.heat >= _SURE_HEAT or _may_be_back(hint, least_heat) for hint in group)


def _may_be_back(hint: Hint, least_heat: float) -> bool:
    return hint.cls == "BACK" and hint.heat >= least_heat and hint.log_prob >= _LIKELY_BACK


def _straight_mm(cards: list[Card]) -> float:
    """How far off straight the plain sides of one without an index may be: farther where a deck lies."""
    sure = sum(group[0].is_index and len(group) > 1 and fit.support >= PLAINLY for group, fit in cards)
    return _OF_A_DECK_MM if sure >= _A_DECK else STRAIGHT_MM


def _borne_out(
    image_bgr: ImageBgr, plane: TablePlane, cards: list[Card], *, beyond_doubt: bool
) -> tuple[list[Card], list[Reading], list[bool]]:
    """The cards that their edges, their hints or their ends bear out, that of which most of the sides show first; what
    their ends say, and whether both ends are known."""
    straight_mm = _straight_mm(cards)
    told = sorted((card for card in cards if _may_be_told(*card)), key=lambda card: -card[1].support)
    ends = both_ends(image_bgr, plane, [fit for _, fit in told])
    are_cards = [_is_card(group, _own(group, fit, cards), straight_mm) for group, fit in told]
    if ends.printed is not USUAL:
        told = [(unread(group), fit) for group, fit in told]
    of_two_signs = [_shows_two_signs(group) or not beyond_doubt for group, _ in told]
    whole = [bool(agree) or _shows_both_ends(group) for agree, (group, _) in zip(ends.agree, told, strict=True)]
    kept = [
        agree or (is_card and signs) for agree, is_card, signs in zip(ends.agree, are_cards, of_two_signs, strict=True)
    ]
    return list(compress(told, kept)), list(compress(ends.readings, kept)), list(compress(whole, kept))


def _may_be_told(group: list[Hint], fit: RectangleFit) -> bool:
    """Whether what both ends say may yet bear out the card that a group of hints shows."""
    return fit.support >= SUPPORT or group[0].is_index


def _own(group: list[Hint], fit: RectangleFit, cards: list[Card]) -> RectangleFit:
    """The fit; of one by its middle alone that does not show its sides plainly the support is less by what may be the
    sides of cards beside it: bare table among four cards looks like a back."""
    if group[0].is_index or fit.support >= PLAINLY:
        return fit
    return replace(fit, support=fit.support - owed_share(fit, cards))


def _is_card(group: list[Hint], fit: RectangleFit, straight_mm: float = STRAIGHT_MM) -> bool:
    """Whether its edges or its readings bear out the card that a group of hints shows."""
    indices = [hint for hint in group if hint.is_index]
    shows_three = fit.support >= 2 * SUPPORT and sorted(fit.sides)[1] >= _A_SIDE
    has_sides = shows_three and fit.straight_mm <= STRAIGHT_MM
    if not indices:
        is_sure = group[0].heat >= _SURE_HEAT
        is_plain = fit.support >= PLAINLY and fit.straight_mm <= (straight_mm if is_sure else STRAIGHT_MM)
        return is_plain or (is_sure and has_sides)
    if len(group) > 1:
        return fit.support >= SUPPORT or indices[0].heat > _SURE_HEAT
    is_read = fit.support >= 2 * SUPPORT and indices[0].log_prob >= NAMED
    return is_read or has_sides or indices[0].heat > _SURE_HEAT


def _detections(plane: TablePlane, cards: list[Card], named: list[Reading], least: list[float]) -> list[Detection]:
    at_px = plane.to_image(np.array([fit.centre_mm for _, fit in cards]).reshape(-1, 2))
    # It is their upper face that is seen.
    lies_mm = plane.to_table(at_px, CARD_MM)
    sigma_mm = np.hypot(
        plane.sigma_mm(at_px), [card_sigma_mm(fit, side) for (_, fit), side in zip(cards, least, strict=True)]
    )
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


def _told(group: list[Hint], reading: Reading) -> Reading:
    """The likelier of what its ends say and of what its hints say; the print of a back may pass for a joker's sign, or
    for an index at which the net sees none that can be read."""
    by_hints = _reading(group)
    readings = sorted((by_hints, reading), key=lambda told: told.log_prob if told.cls != UNKNOWN else -np.inf)
    best = weighed(readings[1]._replace(of_ranks=reading.of_ranks), readings[0])
    back = max((hint.log_prob for hint in group if hint.cls == "BACK"), default=-np.inf)
    shows_index = any(hint.is_index and hint.log_prob >= NAMED for hint in group)
    is_surely_back = back >= _SURELY_BACK and not shows_index
    if back > max(best.log_prob, NAMED) and (best.cls == "JOKER" or is_surely_back):
        return Reading("BACK", back, back)
    return best


def _reading(group: list[Hint]) -> Reading:
    """What the indices of a card say, or else its middle, with the log probability."""
    indices = [hint for hint in group if hint.is_index]
    if not indices:
        return Reading(group[0].cls, group[0].log_prob, group[0].log_prob)
    best = max(indices, key=lambda hint: hint.log_prob)
    log_prob = sum(hint.log_prob for hint in indices if hint.cls == best.cls) / len(indices)
    return Reading(best.cls, log_prob, log_prob)


def _without_doubles(cards: list[Detection], whole: Sequence[bool]) -> list[Detection]:
    """Of cards in one place the one read best, the first of those that are not read; an unread one that a read one
    mostly covers is a part of it, and so is one that says the same, unless four indices of theirs show.

    cards  that of which most of the sides show first
    whole  which of them show both their indices
    """
    kept: list[tuple[Detection, bool]] = []
    told = [(card, both) for card, both in zip(cards, whole, strict=True) if not _is_print_of_a_back(card, cards)]
    for card, shows_both in sorted(told, key=lambda each: _read_last(each[0])):
        if not any(_share(card, other) >= _least_double(card, other, shows_both and both) for other, both in kept):
            kept.append((card, shows_both))
    return [card for card, _ in kept]


def _is_print_of_a_back(card: Detection, cards: list[Detection]) -> bool:
    """Whether a joker lies where a back is surer: as in `_told`, its print passes for a joker's sign."""
    surer = (other for other in cards if other.cls == "BACK" and other.confidence > card.confidence)
    return card.cls == "JOKER" and any(_share(card, back) >= _ONE_CARD for back in surer)


def _read_last(card: Detection) -> tuple[bool, bool, float]:
    """The order in which cards are believed: what is read best first."""
    return card.cls == UNKNOWN, card.cls == "BACK", 0.0 if card.cls == UNKNOWN else -card.confidence


def _share(card: Detection, other: Detection) -> float:
    """How much of a card another covers."""
    return float(card.footprint.intersection(other.footprint).area / card.footprint.area)


def _least_double(card: Detection, other: Detection, both_whole: bool) -> float:
    """From what share on a card that another covers is that other one."""
    if card.cls in (UNKNOWN, "BACK"):
        return _ONE_CARD
    return _ONE_NAME if card.cls == other.cls and not both_whole else _ONE_PLACE
