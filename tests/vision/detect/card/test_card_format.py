"""Cards of no usual format, told by their indices and measured by their sides."""

from dataclasses import replace

import numpy as np
import pytest

from models.pieces import INDEX_FROM_CORNER_MM
from tests.vision.shape.test_rectangle import drawn, oblique
from vision.detect.card.card_format import in_their_format
from vision.detect.card.card_hints import Hint
from vision.detect.card.cards import SIZES_MM
from vision.shape.rectangle import _own_samples, rectangle_corners

SMALL_MM, POKER_MM = (67.0, 44.0), SIZES_MM[0]


def index_at(cls: str, centre_mm: np.ndarray, angle_rad: float, size_mm: tuple[float, float], inset: float) -> Hint:
    """An index whose card lies there, so many times as far from its corner as usual."""
    down = np.array([np.cos(angle_rad), np.sin(angle_rad)])
    right = np.array([-down[1], down[0]])
    across_mm, along_mm = inset * np.array(INDEX_FROM_CORNER_MM)
    x, y = centre_mm - down * (size_mm[0] / 2 - along_mm) - right * (size_mm[1] / 2 - across_mm)
    return Hint((0.0, 0.0), angle_rad, 0.9, cls, 0.0, True, (float(x), float(y)))


def a_row(size_mm: tuple[float, float], inset: float, gap_mm: float, count: int = 4):
    """Upright cards beside one another: their middles, their picture on the table, and the hints of their indices."""
    middles = np.array([200.0, 150.0]) + [[(n - (count - 1) / 2) * (size_mm[1] + gap_mm), 0] for n in range(count)]
    image = drawn(oblique(), *((rectangle_corners(at, np.pi / 2, size_mm), 220) for at in middles))
    turns = (np.pi / 2 + 0.05, -np.pi / 2 - 0.03)
    hints = [index_at(f"{n + 2}H", at, t, size_mm, inset) for n, at in enumerate(middles) for t in turns]
    return middles, image, hints


@pytest.mark.parametrize("gap_mm", [2.5, 20.0])
def test_small_cards_that_nobody_told_are_measured(gap_mm: float) -> None:
    middles, image, hints = a_row(SMALL_MM, 0.75, gap_mm)
    hints, sizes_mm = in_their_format(image, oblique(), hints, SIZES_MM)
    assert sizes_mm[0] == pytest.approx(SMALL_MM, abs=0.6)
    assert sizes_mm[1:] == SIZES_MM
    centres = np.array([hint.centre_mm for hint in hints]).reshape(-1, 2, 2)
    assert np.hypot(*(centres - middles[:, None]).reshape(-1, 2).T).max() < 6


@pytest.mark.parametrize("size_mm", SIZES_MM)
@pytest.mark.parametrize("inset", [1.0, 1.8])
def test_cards_of_the_usual_formats_stay(size_mm: tuple[float, float], inset: float) -> None:
    """Large indices lie farther inside, as if their card were 16 mm shorter."""
    _, image, hints = a_row(size_mm, inset, 4.0)
    assert in_their_format(image, oblique(), hints, SIZES_MM) == (hints, SIZES_MM)


@pytest.mark.parametrize("size_mm", SIZES_MM)
def test_the_format_of_most_cards_is_tried_first(size_mm: tuple[float, float]) -> None:
    """In a grid a bridge card and the gap beside it are as broad as a poker card."""
    _, image, hints = a_row(size_mm, 1.0, POKER_MM[1] - SIZES_MM[1][1])
    _, sizes_mm = in_their_format(image, oblique(), hints, SIZES_MM[::-1])
    assert sizes_mm[0] == pytest.approx(size_mm, abs=0.6)
    assert len(sizes_mm) == 2


def test_cards_of_a_make_that_is_cut_smaller_are_as_large_as_they_are() -> None:
    _, image, hints = a_row((88.0, 63.0), 1.0, 4.0)
    _, sizes_mm = in_their_format(image, oblique(), hints, SIZES_MM)
    assert sizes_mm[0] == pytest.approx((88.0, 63.0), abs=0.3)
    assert sizes_mm[1:] == SIZES_MM[1:]


def test_two_cards_are_too_few() -> None:
    _, image, hints = a_row(SMALL_MM, 1.0, 10.0, count=2)
    assert in_their_format(image, oblique(), hints, SIZES_MM) == (hints, SIZES_MM)


def test_a_told_size_stays() -> None:
    _, image, hints = a_row(SMALL_MM, 0.75, 10.0)
    told = (SMALL_MM, *SIZES_MM)
    assert in_their_format(image, oblique(), hints, told) == (hints, told)


def test_sizes_that_are_measured_anew_at_each_look_do_not_fill_the_memory() -> None:
    """Each look tells a size that no look before it told; of all of them the samples were kept."""
    _, image, hints = a_row(SMALL_MM, 0.75, 2.5)
    for n in range(20):
        moved = [replace(hint, at_mm=(hint.at_mm[0] * (1 + 1e-5 * n), hint.at_mm[1])) for hint in hints]
        in_their_format(image, oblique(), moved, SIZES_MM)
    assert _own_samples.cache_info().currsize <= 32
