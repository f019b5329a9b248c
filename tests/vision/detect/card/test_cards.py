"""Cards of a deck that no net was taught, read at both ends."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from shapely import Polygon

from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.plane import TablePlane
from models.pieces import INDEX_FROM_CORNER_MM, RANKS, SUITS
from rules.files.scene_file import read_scene
from sample_footage.block_faces import CARD_PX_PER_MM, card_face
from tests.vision.planes import plane_from
from tests.vision.shape.test_rectangle import drawn, oblique
from ui.measuring.table import plane_for
from ui.setup.setup_file import read_setup
from vision.detect.card.borne_out import is_borne_out
from vision.detect.card.by_signs import _by_hints
from vision.detect.card.card_doubles import without_doubles
from vision.detect.card.card_ends import USUAL, Reading, both_ends
from vision.detect.card.card_hints import Hint
from vision.detect.card.card_hold import SUPPORT, least_sides
from vision.detect.card.card_names import told_name
from vision.detect.card.cards import (
    _LIGHT,
    SIZES_MM,
    _as_legible,
    _by_light,
    _detections,
)
from vision.detection import Detection
from vision.eyes import Eyes
from vision.frame import Frame
from vision.light.clarity import Clarity
from vision.light.developed import developed
from vision.light.srgb import level, light
from vision.naming.read import CARDS, Indices
from vision.scale.ruler import card_outlines, has_likely_lens, looks_at, shows_a_card
from vision.shape.rectangle import RectangleFit, fit_rectangle, rectangle_corners
from vision.stream.picture import read_picture
from vision.wanted import Wanted

THINGS = Path(__file__).parents[4] / "sample_footage" / "things"


def sure_of(rank: str, suit: str, chance: float) -> tuple[np.ndarray, np.ndarray]:
    """Log probabilities of an index that is probably so."""
    ranks = np.full(len(RANKS), (1 - chance) / (len(RANKS) - 1))
    suits = np.full(len(SUITS), (1 - chance) / (len(SUITS) - 1))
    ranks[RANKS.index(rank)] = suits[SUITS.index(suit)] = chance
    return np.log(ranks), np.log(suits)


def read(*ends: tuple[str, str, float]) -> tuple[list[str], np.ndarray]:
    ranks, suits = zip(*(sure_of(*end) for end in ends), strict=True)
    return Indices(np.array(ranks), np.array(suits)).of_cards()[:2]


def test_two_ends_that_agree_are_surer_than_one() -> None:
    (name, _), (agreed, alone) = read(("9", "S", 0.9), ("9", "S", 0.9), ("9", "S", 0.9), ("none", "S", 0.99))
    assert name == "9S"
    assert agreed > alone


def test_the_end_that_shows_decides() -> None:
    assert read(("none", "H", 0.97), ("K", "D", 0.9))[0] == ["KD"]


def test_two_ends_that_contradict_are_not_sure() -> None:
    assert np.exp(read(("2", "S", 0.9), ("Q", "S", 0.9))[1][0]) < 0.6


def test_no_index_is_any_card() -> None:
    _, chance = read(("none", "S", 1 - 1e-9), ("none", "S", 1 - 1e-9))
    assert np.exp(chance[0]) == pytest.approx(1 / len(CARDS), rel=0.05)


@pytest.mark.parametrize(
    ("middle", "sure", "said"),
    [("BACK", 0.99, "BACK"), ("BACK", 0.55, "JOKER"), ("unknown", 0.99, "JOKER")],
)
def test_a_sure_back_is_no_joker(middle: str, sure: float, said: str) -> None:
    sign = Hint((0.0, 0.0), 0.0, 0.46, "JOKER", float(np.log(0.9)), True, (30.0, 20.0))
    group = [sign, Hint((0.0, 0.0), 0.0, 0.86, middle, float(np.log(sure)), False, (0.0, 0.0))]
    assert told_name(group, Reading("JOKER", float(np.log(0.93)), float(np.log(0.93)))).cls == said


@pytest.mark.parametrize(("chance", "sure", "said"), [(0.4, 0.99, "BACK"), (0.93, 0.99, "3C"), (0.66, 0.94, "3C")])
def test_a_middle_that_is_surely_a_back_is_no_face_where_no_index_is_read(chance, sure, said) -> None:
    """A joker's middle may be taken for a back, though less surely than a back's."""
    group = [
        Hint((0.0, 0.0), 0.0, 0.4, "3C", float(np.log(chance)), True, (0.0, 0.0)),
        Hint((0.0, 0.0), 0.0, 0.8, "BACK", float(np.log(sure)), False, (0.0, 0.0)),
    ]
    assert told_name(group, Reading("3C", float(np.log(0.74)), float(np.log(0.74)))).cls == said


@pytest.mark.parametrize(
    ("residual_mm", "straight_mm", "is_card"), [(0.12, 0.12, True), (0.3, 0.3, False), (0.27, 0.14, True)]
)
def test_a_back_by_its_middle_alone_has_straight_sides(residual_mm: float, straight_mm: float, is_card: bool) -> None:
    fit = RectangleFit((0.0, 0.0), 0.0, SIZES_MM[0], 0.9, residual_mm, 110, (0.9,) * 4, straight_mm)
    assert is_borne_out([Hint((0.0, 0.0), 0.0, 0.6, "BACK", 0.0, False, (0.0, 0.0))], fit) == is_card


@pytest.mark.parametrize(("residual_mm", "is_card"), [(0.16, True), (0.31, False)])
def test_an_index_that_does_not_read_has_straight_sides(residual_mm: float, is_card: bool) -> None:
    fit = RectangleFit((0.0, 0.0), 0.0, SIZES_MM[0], 0.62, residual_mm, 110, (0.7, 0.8, 0.4, 0.6), residual_mm)
    assert is_borne_out([Hint((0.0, 0.0), 0.0, 0.43, "9D", -1.15, True, (0.0, 0.0))], fit) == is_card


@pytest.mark.parametrize(("sides", "is_card"), [((1.0, 0.54, 0.23, 1.0), False), ((1.0, 0.2, 0.7, 1.0), True)])
@pytest.mark.parametrize("hint", [("BACK", 0.6, 0.0, False), ("KH", 0.46, -1.2, True)])
def test_the_corner_of_a_line_is_no_card(sides: tuple[float, ...], is_card: bool, hint: tuple[str, float, float, bool]):
    cls, heat, log_prob, is_index = hint
    fit = RectangleFit((0.0, 0.0), 0.0, SIZES_MM[0], 0.68, 0.16, 110, sides, 0.16)
    assert is_borne_out([Hint((0.0, 0.0), 0.0, heat, cls, log_prob, is_index, (0.0, 0.0))], fit) == is_card


def test_a_white_card_on_dark_cloth_is_measured_before_the_cloth_was_lit_up() -> None:
    plane, truth = oblique(), np.array([200.0, 150.0])
    sharp = drawn(plane, (rectangle_corners(truth, 0.8, SIZES_MM[0]), 165))
    soft = level(cv2.GaussianBlur(light(np.where(sharp == 60, 20, sharp).astype(float)), (0, 0), 1.2))
    taken = Frame(np.rint(soft).astype(np.uint8))
    lit = developed(taken, Clarity(bright=80.0, brightest=165.0))
    before = fit_rectangle(lit.image_bgr, plane, truth, 0.8, SIZES_MM[0])
    assert lit.unlit_bgr is taken.image_bgr
    after = _by_light(cv2.LUT(lit.unlit_bgr, _LIGHT), plane, before)
    assert np.hypot(*(after.centre_mm - truth)) < 0.5 * np.hypot(*(before.centre_mm - truth))


@pytest.mark.parametrize(
    ("sides", "at_mm", "is_sure"), [((0.0, 0.1, 1.0, 0.4), 200, False), ((0.4, 0, 1, 0), 208, True)]
)
def test_a_card_that_shows_no_end_lies_along_itself_where_its_signs_say(
    sides: tuple[float, ...], at_mm: float, is_sure: bool
) -> None:
    middle = Hint((200.0, 150.0), 0.0, 0.8, "unknown", 0.0, False, (200.0, 150.0))
    slid = RectangleFit((208.0, 150.4), 0.0, SIZES_MM[0], 0.45, 0.2, 60, sides, 0.2)
    fit = _by_hints([middle], slid, SUPPORT)
    assert fit.centre_mm == pytest.approx((at_mm, 150.4))
    (card,) = _detections(oblique(), [([middle], fit)], [Reading("unknown", -3.0, -3.0)], [SUPPORT])
    assert (card.sigma_mm < 1) == is_sure


@pytest.mark.parametrize(
    ("across_mm", "sides", "at_mm", "is_sure"),
    [(2.6, (1.0, 0.9, 0.7, 0.1), 150.0, False), (2.6, (1.0,) * 4, 152.6, True), (0.8, (1, 1, 1, 0), 150.8, True)],
)
def test_a_side_that_both_indices_say_is_not_its_own_does_not_hold_a_card(
    across_mm: float, sides: tuple[float, ...], at_mm: float, is_sure: bool
) -> None:
    """On white cloth a long side lay on its own shadow, or on print: 3 mm aside, and 0.35 were stated."""
    corner_mm = np.subtract(SIZES_MM[0], 2 * np.array(INDEX_FROM_CORNER_MM[::-1])) / 2
    ends = [
        Hint((200.0, 150.0), turn, 0.8, "3H", 0.0, True, (200.0 + side * corner_mm[0], 150.0 + side * corner_mm[1]))
        for side, turn in ((-1, 0.0), (1, np.pi))
    ]
    fit = _by_hints(ends, RectangleFit((200.0, 150.0 + across_mm), 0.0, SIZES_MM[0], 0.7, 0.1, 90, sides, 0.1), SUPPORT)
    assert fit.centre_mm == pytest.approx((200.0, at_mm))
    (card,) = _detections(oblique(), [(ends, fit)], [Reading("3H", 0.0, 0.0)], [SUPPORT])
    assert (card.sigma_mm < 0.8) == is_sure


def test_among_other_cards_more_of_a_side_must_show_and_more_is_stated() -> None:
    """Sides of cards below and above pass for parts of its own."""
    signs = [Hint((200.0, 150.0), 0.0, 0.8, "unknown", 0.0, False, (200.0, 150.0))]
    half = RectangleFit((200.0, 150.0), 0.0, SIZES_MM[0], 0.7, 0.2, 90, (1.0, 0.9, 0.5, 0.4), 0.2)
    above = signs, RectangleFit((215.0, 165.0), 0.0, SIZES_MM[0], 1.0, 0.1, 140, (1.0,) * 4, 0.1)
    told = {
        case: _detections(oblique(), cards, [Reading("unknown", -3.0, -3.0)] * len(cards), least_sides(cards))[
            0
        ].sigma_mm
        for case, cards in {
            "alone": [(signs, half)],
            "half a side": [(signs, half), above],
            "a side": [(signs, replace(half, sides=(1.0, 0.9, 0.8, 0.2))), above],
            "above": [above, (signs, half)],
        }.items()
    }
    assert max(told["alone"], told["above"]) < 0.6
    assert 0.8 < told["a side"] < 1.2
    assert told["half a side"] > 2.5


@pytest.mark.parametrize("name", ["things-000", "things-001"])
def test_rendered_cards_are_named(name: str) -> None:
    picture = next(THINGS.glob(f"{name}*.jpg"))
    truth = read_scene(picture.with_name(f"{picture.stem}.truth.geojson"))
    setup = read_setup(picture.with_name(f"{picture.stem}.setup.toml"))
    frame = read_picture(picture)
    found = Eyes(setup.rules.table_size_mm, Wanted(frozenset(("card",)))).look(frame, plane_for(setup, frame))
    known = sorted(piece.cls for piece in truth.pieces if piece.kind == "card")
    assert known
    assert sorted(card.cls for card in found) == known


def test_a_card_is_beyond_doubt_where_it_reads_and_not_on_a_plane_of_another_scale() -> None:
    picture = THINGS / "things-000-plain.jpg"
    setup, frame = read_setup(picture.with_suffix(".setup.toml")), read_picture(picture)
    assert shows_a_card(frame, plane_for(setup, frame))
    corners_px = np.array([(0, 1079), (1919, 1079), (1919, 0), (0, 0)], float)
    for width_mm in (300.0, 3000.0):
        corners_mm = (corners_px * (1, -1) + (0, 1079)) * width_mm / 1919
        assert not shows_a_card(frame, fit_plane(Correspondences.of(corners_px, corners_mm), None, (1920, 1080)))


def test_cards_are_measured_by_their_signs_in_a_picture_that_says_nothing_of_the_camera() -> None:
    picture = THINGS / "things-000-plain.jpg"
    setup, frame = read_setup(picture.with_suffix(".setup.toml")), read_picture(picture)
    truth = read_scene(picture.with_name("things-000-plain.truth.geojson"))
    plane, outlines = plane_for(setup, frame), next(card_outlines(frame.image_bgr, looks_at(frame.image_bgr)))
    cards = [np.array(piece.footprint.exterior.coords)[:4] for piece in truth.pieces if piece.kind == "card"]
    away_px = [
        np.linalg.norm(outlines[0][:, None] - plane.to_image(card, 0.3), axis=2).min(axis=1).max() for card in cards
    ]
    assert min(away_px) < 2.5
    sides_px = np.linalg.norm(np.diff(outlines[0], axis=0), axis=1)
    assert len(outlines) > 1
    assert sides_px[0] != pytest.approx(sides_px[1], rel=0.05)


def test_a_lens_that_nobody_has_is_not_likely() -> None:
    plane = plane_from((180.0, -350.0, 500.0), (200.0, 150.0))
    assert has_likely_lens(plane)
    matrix = plane.lens.matrix.copy()
    matrix[:2, :2] *= 5
    assert not has_likely_lens(replace(plane, lens=replace(plane.lens, matrix=matrix)))


def a_card(name: str, x_mm: float, chance: float) -> Detection:
    """A card that lies along x."""
    outline = Polygon(rectangle_corners(np.array([x_mm, 0.0]), 0.0, SIZES_MM[0]))
    return Detection("card", name, (x_mm, 0.0), outline, 0.4, chance, (0.0, 0.0))


@pytest.mark.parametrize(("other", "away_mm", "left"), [("JD", 30, 1), ("JH", 30, 2), ("JD", 60, 2), ("JH", 5, 1)])
def test_a_card_that_is_read_twice_is_one(other: str, away_mm: float, left: int) -> None:
    assert len(without_doubles([a_card("JD", 0.0, 0.99), a_card(other, away_mm, 0.9)], (False, False))) == left


@pytest.mark.parametrize(("whole", "left"), [((True, True), 2), ((True, False), 1), ((False, False), 1)])
def test_of_equal_cards_half_over_each_other_one_is_none_unless_four_indices_show(
    whole: tuple[bool, bool], left: int
) -> None:
    assert len(without_doubles([a_card("10H", 0.0, 0.94), a_card("10H", 45.0, 0.87)], whole)) == left


def test_an_unread_card_lies_where_most_of_its_sides_show_whatever_is_read_there() -> None:
    first, beside = a_card("unknown", 0.0, 0.59), a_card("unknown", 11.0, 0.75)
    assert without_doubles([first, beside], (False, False)) == [first]
    assert without_doubles([first, a_card("JD", 11.0, 0.9)], (False, False)) == [a_card("JD", 11.0, 0.9)]


@pytest.mark.parametrize(("confidence", "left"), [(0.87, ["BACK"]), (1.0, ["JOKER"])])
def test_a_back_whose_print_passes_for_a_jokers_sign_is_the_back(confidence, left):
    found = without_doubles([a_card("JOKER", 1.0, confidence), a_card("BACK", 0.0, 0.99)], (False, False))
    assert [card.cls for card in found] == left


@pytest.mark.parametrize(("focal_px", "named"), [(500.0, "unknown"), (800.0, "6S")])
def test_a_card_that_shows_too_small_to_be_read_has_no_name_and_a_back_needs_no_reading(focal_px: float, named: str):
    plane = plane_from((0.0, -400.0, 600.0), (0.0, 0.0), focal_px=focal_px)
    found = _as_legible([a_card("6S", 0.0, 0.99), a_card("BACK", 0.0, 0.99)], plane)
    assert [card.cls for card in found] == [named, "BACK"]
    assert _as_legible([], plane) == []


DEALT = ("7S", "KH", "4C", "9D", "QS", "AD")
SCALE_PX = 2.0


def card_with_indices(cls: str, size: float, inset_mm: float = 0.0) -> np.ndarray:
    """A card of the sample's deck, upright, 8 px/mm, whose indices are printed so many times as large, so far in."""
    usual, wide, high = card_face(cls), round(11 * CARD_PX_PER_MM), round(18 * CARD_PX_PER_MM)
    index = cv2.resize(usual[8:high, 8:wide], None, fx=size, fy=size, interpolation=cv2.INTER_AREA)
    card, first = usual.copy(), 8 + round(inset_mm * CARD_PX_PER_MM)
    if inset_mm:
        card[8:-8, 8:-8] = 255
    for _ in range(2):
        card[first : first + index.shape[0], first : first + index.shape[1]] = index
        card = np.ascontiguousarray(card[::-1, ::-1])
    return card


def dealt_in_a_row(size: float, inset_mm: float = 0.0) -> tuple[np.ndarray, list[RectangleFit]]:
    """Six cards on green, `SCALE_PX` px/mm, as a camera above would show them, and where they lie."""
    picture = np.full((260, 1000, 3), (62, 96, 44), np.uint8)
    rows, columns = round(88.9 * SCALE_PX), round(63.5 * SCALE_PX)
    places = [40 + 160 * number for number in range(len(DEALT))]
    for cls, left in zip(DEALT, places, strict=True):
        small = cv2.resize(card_with_indices(cls, size, inset_mm), (columns, rows), interpolation=cv2.INTER_AREA)
        picture[40 : 40 + rows, left : left + columns] = small
    picture = cv2.GaussianBlur(picture, (0, 0), 0.7)
    y_mm = (260 - 40 - rows / 2) / SCALE_PX
    middles = [((left + columns / 2) / SCALE_PX, y_mm) for left in places]
    return picture, [RectangleFit(middle, np.pi / 2, SIZES_MM[0], 1.0, 0.1, 140, (1.0,) * 4, 0.1) for middle in middles]


@pytest.mark.parametrize(("size", "larger"), [(1.0, False), (1.8, True)])
def test_large_indices_are_read_at_their_size(size: float, larger: bool) -> None:
    picture, fits = dealt_in_a_row(size)
    ends = both_ends(picture, above_the_row(), fits)
    assert [read.cls for read in ends.readings] == list(DEALT)
    assert (ends.printed.size > 1) == larger and min(read.log_prob for read in ends.readings) > np.log(0.85)


def above_the_row() -> TablePlane:
    """The plane of `dealt_in_a_row`."""
    corners = np.array([(0, 0), (1000, 0), (1000, 260), (0, 260)], float)
    return fit_plane(Correspondences.of(corners, (corners * (1, -1) + (0, 260)) / SCALE_PX), None, (1000, 260))


@pytest.mark.parametrize("count", [1, 3, 6])
def test_indices_far_inside_a_white_rim_are_read_on_few_cards_too(count: int) -> None:
    picture, fits = dealt_in_a_row(1.0, inset_mm=6.0)
    ends = both_ends(picture, above_the_row(), fits[:count])
    assert [read.cls for read in ends.readings] == list(DEALT[:count])
    assert ends.agree.all() and ends.printed != USUAL


@pytest.mark.parametrize("count", [1, 4])
def test_few_usual_cards_are_not_read_otherwise(count: int) -> None:
    picture, fits = dealt_in_a_row(1.0)
    ends = both_ends(picture, above_the_row(), fits[:count])
    assert ends.printed == USUAL and [read.cls for read in ends.readings] == list(DEALT[:count])


def test_a_bare_table_agrees_with_itself_in_nothing() -> None:
    _, fits = dealt_in_a_row(1.0)
    cloth = np.random.default_rng(5).integers(40, 90, (260, 1000, 3), np.uint8)
    assert not both_ends(cloth, above_the_row(), fits).agree.any()


def test_cards_with_indices_far_inside_measure_a_table_that_has_no_other_reference() -> None:
    picture, _ = dealt_in_a_row(1.0, inset_mm=6.0)
    frame = Frame(picture, 0, 0.0, "drawn")
    plane = above_the_row()
    assert shows_a_card(frame, plane)
    found = {card.cls for card in Eyes(None, Wanted(frozenset(("card",)))).look(frame, plane)}
    assert found == set(DEALT)


def test_cards_of_the_size_that_a_set_up_names_are_measured_as_large() -> None:
    tall_mm = (120.0, 70.0)
    rows, columns = round(tall_mm[0] * SCALE_PX), round(tall_mm[1] * SCALE_PX)
    tall = np.full((rows, columns, 3), 245, np.uint8)
    small = cv2.resize(card_face("9D"), (round(63.5 * SCALE_PX), round(88.9 * SCALE_PX)), interpolation=cv2.INTER_AREA)
    top, left = round(20 * SCALE_PX), round(14 * SCALE_PX)
    for _ in range(2):
        tall[2:top, 2:left] = small[2:top, 2:left]
        tall = np.ascontiguousarray(tall[::-1, ::-1])
    picture = np.full((260, 1000, 3), (62, 96, 44), np.uint8)
    picture[10 : 10 + rows, 300 : 300 + columns] = tall
    frame = Frame(cv2.GaussianBlur(picture, (0, 0), 0.7), 0, 0.0, "drawn")
    (card,) = Eyes(None, Wanted(frozenset(("card",)), card_mm=tall_mm)).look(frame, above_the_row())
    assert card.cls == "9D"
    assert card.footprint.area == pytest.approx(tall_mm[0] * tall_mm[1])
    assert card.position_mm == pytest.approx(((300 + columns / 2) / SCALE_PX, (250 - rows / 2) / SCALE_PX), abs=0.7)
