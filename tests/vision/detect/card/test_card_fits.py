"""Cards measured by their edges: in grids, on checked cloth and pale tables, in sleeves."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.plane import TablePlane
from tests.vision.shape.test_rectangle import drawn, oblique
from vision.detect.card.card_fits import (
    SLEEVE_MM,
    Starts,
    _of_another_size,
    best_fits,
    borne_by_sides,
    in_sleeves,
    on_far_sides,
    supported_fits,
)
from vision.detect.card.cards import SIZES_MM
from vision.shape.rectangle import RectangleFit, fit_rectangle, rectangle_corners, rectangles_at


def starts(centre_mm: np.ndarray, angle_rad: float, *, faces: bool = True, held: bool = False) -> Starts:
    """Cards that all lie in one direction."""
    count = len(centre_mm)
    return Starts(centre_mm, np.full(count, angle_rad), np.full(count, faces), np.full(count, held))


def test_a_card_in_a_grid_is_not_measured_one_gap_aside() -> None:
    plane, truth, pitch = oblique(), np.array([200.0, 150.0]), np.array([SIZES_MM[0][0] + 6.7, 0.0])
    image = drawn(plane, *((rectangle_corners(truth + n * pitch, 0.0, SIZES_MM[0]), 220) for n in (-1, 0, 1)))
    start = truth + np.array([8.0, 1.5])
    assert fit_rectangle(image, plane, start, 0.02, SIZES_MM[0]).centre_mm[0] - truth[0] > 4
    [fit] = supported_fits(image, plane, starts(start[None], 0.02), SIZES_MM[0])
    assert fit.centre_mm == pytest.approx(tuple(truth), abs=0.1)


@pytest.mark.parametrize(("held", "off_mm"), [(True, 0.0), (False, 7.0)])
def test_a_card_that_shows_both_its_indices_lies_between_them(held: bool, off_mm: float) -> None:
    """On a checked cloth the far end of a white square passes for the card's."""
    plane, truth, (long_mm, broad_mm) = oblique(), np.array([200.0, 150.0]), SIZES_MM[0]
    ends = [((side * (long_mm / 2 + 7), 0.0), (0.8, broad_mm), 70) for side in (-1, 1)]
    print_mm = [((7.0 - long_mm / 2, 0.0), (1.0, broad_mm - 12), 60)]
    image = drawn(
        plane,
        (rectangle_corners(truth, 0.0, (long_mm + 40, broad_mm)), 225),
        *((strip(truth, 0.0, at, size), grey) for at, size, grey in (*ends, *print_mm)),
    )
    [fit] = best_fits(image, plane, starts(truth[None] + 0.4, 0.0, faces=False, held=held), SIZES_MM)
    assert np.hypot(*(fit.centre_mm - truth)) == pytest.approx(off_mm, abs=1.5)


@pytest.mark.parametrize("far_mm", [12.0, 20.0])
def test_a_card_with_one_side_on_its_printed_frame_lies_on_both_its_own(far_mm: float) -> None:
    """Large indices of an odd deck misled: a queen was *unknown*, 13 mm off. A line so far aside is never met."""
    plane, truth, (long_mm, broad_mm) = oblique(), np.array([200.0, 150.0]), SIZES_MM[0]
    frame = strip(truth, 0.0, (0.0, broad_mm / 2 - far_mm), (long_mm - 10, 0.8))
    image = drawn(plane, (rectangle_corners(truth, 0.0, SIZES_MM[0]), 225), (frame, 90))
    at_mm = truth - (0.0, far_mm)
    [slid] = rectangles_at(image, plane, at_mm[None], np.zeros(1), SIZES_MM[0])
    [fit] = on_far_sides(image, plane, starts(at_mm[None], 0.0), [slid])
    assert np.hypot(*(fit.centre_mm - truth)) < 0.1 if far_mm < 15 else fit == slid


def strip(centre_mm: np.ndarray, angle_rad: float, middle_mm: tuple[float, float], size_mm: tuple[float, float]):
    """Corners of a rectangle on a card, its middle from the card's along it and across."""
    cos, sin = np.cos(angle_rad), np.sin(angle_rad)
    return rectangle_corners(centre_mm + np.array([(cos, -sin), (sin, cos)]) @ middle_mm, angle_rad, size_mm)


def court_card_on_white(plane: TablePlane, truth: np.ndarray, angle_rad: float) -> np.ndarray:
    """A card as pale as the table: a faint shadow along its long sides and half of one end, its picture in a frame."""
    long_mm, broad_mm = SIZES_MM[0]
    shadows = [((0.0, side * broad_mm / 2), (long_mm, 0.5)) for side in (-1, 1)]
    shadows.append(((-long_mm / 2, broad_mm / 4), (0.5, broad_mm / 2)))
    picture = [((0.0, 0.0), (long_mm - 14, broad_mm - 14), 40), ((0.0, 0.0), (long_mm - 15, broad_mm - 15), 120)]
    sleeve = ((10.0, 5.0), (24.0, 20.0), 210)
    return drawn(
        plane,
        (rectangle_corners(truth, angle_rad, (300.0, 300.0)), 220),
        *((strip(truth, angle_rad, at, size), 190) for at, size in shadows),
        *((strip(truth, angle_rad, at, size), grey) for at, size, grey in (*picture, sleeve)),
    )


@pytest.mark.parametrize("index_off_mm", [(0.3, -0.4), (2.0, 1.5), (-2.0, -1.0)])
def test_the_line_about_a_picture_is_no_edge_of_a_card_on_a_pale_table(index_off_mm: tuple[float, float]) -> None:
    plane, truth, angle = oblique(), np.array([200.0, 150.0]), 1.4
    image = court_card_on_white(plane, truth, angle)
    [fit] = best_fits(image, plane, starts(truth[None] + index_off_mm, angle), SIZES_MM)
    assert fit.size_mm == SIZES_MM[0]
    assert np.hypot(*(fit.centre_mm - truth)) < 1.0


def test_a_back_may_have_print_within_its_sides() -> None:
    plane, truth = oblique(), np.array([200.0, 150.0])
    image = court_card_on_white(plane, truth, 0.0)
    aside = fit_rectangle(image, plane, truth + np.array([7.0, 0.0]), 0.0, SIZES_MM[0])
    face, back = borne_by_sides(image, plane, [aside, aside], np.array([True, False]))
    assert back == aside.support > face + 0.1


@pytest.mark.parametrize("covered", [False, True])
@pytest.mark.parametrize("lies_mm", [SLEEVE_MM, *SIZES_MM])
def test_a_deck_in_white_sleeves_is_measured_by_these_and_another_is_not(
    lies_mm: tuple[float, float], covered: bool
) -> None:
    plane, truth = oblique(), np.array([[140.0, 150.0], [260.0, 150.0]])
    cards = [(rectangle_corners(at, 1.4, lies_mm), 225) for at in truth]
    over = [(rectangle_corners(truth[1] - (0, 30), 0.0, (90.0, 40.0)), 60)] if covered else []
    image, hints = drawn(plane, *cards, *over), starts(truth + np.array([1.0, -0.8]), 1.42)
    bare = best_fits(image, plane, hints, SIZES_MM)
    fits = in_sleeves(image, plane, hints, bare)
    assert [fit.size_mm for fit in fits] == [lies_mm, lies_mm]
    assert np.linalg.norm([fit.centre_mm for fit in fits] - truth, axis=1).max() < 0.3


@pytest.mark.parametrize(
    ("plain_ones", "support", "is_narrow"), [(2, 0.7, False), (2, 0.9, True), (0, 0.7, True), (1, 0.9, True)]
)
def test_a_half_hidden_card_is_as_large_as_those_that_show_all_their_sides(
    plain_ones: int, support: float, is_narrow: bool
) -> None:
    """In a fan of wide cards one long side and the next card's make a narrow one, 3 mm aside."""
    shown = [fitted(1.0, SIZES_MM[0])] * plain_ones
    assert _of_another_size([*shown, fitted(0.5, SIZES_MM[0])], {plain_ones: fitted(support, SIZES_MM[1])}) == (
        [plain_ones] if is_narrow else []
    )


def fitted(support: float, size_mm: tuple[float, float]) -> RectangleFit:
    return RectangleFit((0.0, 0.0), 0.0, size_mm, support, 0.1, 100, (support,) * 4, 0.1)


def grid(size_mm: tuple[float, float], along_mm: float, across_mm: float) -> list[np.ndarray]:
    """Middles of three by three cards with such gaps, the fifth at (200, 150) mm."""
    pitch = np.add(size_mm, (along_mm, across_mm))
    return [np.array([200.0, 150.0]) + pitch * (i, j) for i in (-1, 0, 1) for j in (-1, 0, 1)]


def test_a_card_and_the_gaps_beside_it_are_no_sleeve() -> None:
    """The cards beside it are as far apart as the sides of a sleeve."""
    plane, middles = oblique(), grid(SIZES_MM[0], 2.1, 2.5)
    image = drawn(plane, *((rectangle_corners(at, 0.0, SIZES_MM[0]), 220) for at in middles))
    hints = starts(np.array(middles), 0.0)
    bare = best_fits(image, plane, hints, SIZES_MM)
    bare[4] = replace(bare[4], support=0.6)
    assert in_sleeves(image, plane, hints, bare) == bare


def test_a_deck_in_sleeves_is_measured_by_these_beside_what_is_no_card() -> None:
    """Three hints of nothing beside three cards in a row: none of them was taken to be in a sleeve, and one lay 8 mm
    off."""
    plane, middles = oblique(), np.array([[130.0, 150.0], [200.0, 150.0], [270.0, 150.0]])
    image = drawn(plane, *((rectangle_corners(at, np.pi / 2, SLEEVE_MM), 225) for at in middles))
    nothing = np.array([[90.0, 70.0], [200.0, 60.0], [310.0, 240.0]])
    hints = starts(np.concatenate([middles + np.array([1.0, -0.8]), nothing]), np.pi / 2 + 0.02)
    fits = in_sleeves(image, plane, hints, best_fits(image, plane, hints, SIZES_MM))[:3]
    assert [fit.size_mm for fit in fits] == [SLEEVE_MM] * 3
    assert np.linalg.norm([fit.centre_mm for fit in fits] - middles, axis=1).max() < 0.3


@pytest.mark.parametrize(
    ("size_mm", "gap_mm", "off_mm", "turn_rad"),
    [
        (SIZES_MM[0], 4.0, (-4.0, -1.9), -0.016),
        (SIZES_MM[0], 2.5, (2.3, -2.5), 0.06),
        ((88.0, 63.0), 1.5, (4, -2), -0.05),
    ],
)
def test_a_card_among_others_is_measured_by_edges_with_its_own_paper_within(
    size_mm: tuple[float, float], gap_mm: float, off_mm: tuple[float, float], turn_rad: float
) -> None:
    """They were 2.1, 0.6 and 1.3 mm off, and turned by up to 3 degrees, three sides on their own edges or more."""
    plane, middles = oblique(), grid(size_mm, gap_mm, gap_mm)
    image = drawn(plane, *((rectangle_corners(at, 0.0, size_mm), 225) for at in middles))
    hints = starts(np.array(middles), 0.0)
    hints.centre_mm[4] += off_mm
    hints.angle_rad[4] = turn_rad
    fit = supported_fits(image, plane, hints, SIZES_MM[0])[4]
    assert np.hypot(*(fit.centre_mm - middles[4])) < 0.5
    assert fit.angle_rad == pytest.approx(0.0, abs=0.005)
