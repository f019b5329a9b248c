"""Rectangles drawn soft and sharp: which of two guesses is followed to the end."""

import cv2
import numpy as np
import pytest

from models import solids
from tests.vision.planes import plane_from
from vision.detect.solid.edges import Edges
from vision.detect.solid.fit import Guess, best_fit
from vision.detect.solid.forms import BLOCK
from vision.detect.solid.solids import EDGES_PX_PER_MM
from vision.metric.topview import TopView

SIZE_MM = (400.0, 320.0)
# The soft one stands out more, but along fine edges the sharp one does.
SOFT, SHARP = (110.0, 160.0), (290.0, 160.0)


@pytest.fixture
def edges():
    """A grey table with two lighter squares of 90 mm."""
    plane = plane_from((200, -350, 550), (200, 160))
    view = TopView.of_table(plane, SIZE_MM, EDGES_PX_PER_MM, 0.0, 25.0, solids.STRIDE_PX)
    top = np.full((view.size_px[1], view.size_px[0], 3), 100, np.uint8)
    fill(view, top, SOFT, 160)
    top = cv2.GaussianBlur(top, (0, 0), 6)
    fill(view, top, SHARP, 119)
    return Edges.within(top, plane, view, np.zeros(2), np.array(SIZE_MM))


def fill(view, top, at, grey):
    corners = view.to_px(BLOCK.footprint(square(at)).exterior.coords)
    cv2.fillPoly(top, [np.rint(corners).astype(np.int32)], (grey,) * 3)


def square(at):
    return np.array([*at, 90.0, 90.0, 0.0, 0.0])


@pytest.mark.parametrize(("several", "found"), [(1, SOFT), (2, SHARP)])
def test_of_two_that_are_followed_the_one_that_lies_on_fine_edges_is_found(edges, several, found):
    off, spread = np.array([(3, -3, 4, 4, 0, 0), (4, 4, 4, 4, 0, 0)], float)
    guesses = [Guess(BLOCK, square(at) + off, spread) for at in (SOFT, SHARP)]
    fit = best_fit(guesses, edges, several=several)
    assert tuple(fit.shape[:2]) == pytest.approx(found, abs=1)


def test_one_that_fine_edges_gainsay_makes_the_other_no_less_sure(edges):
    """They are 180 mm apart, and along coarse edges the soft one is the likelier."""
    guesses = [Guess(BLOCK, square(at), np.array([4.0, 4.0, 4.0, 4.0, 0.0, 0.0])) for at in (SOFT, SHARP)]
    assert best_fit(guesses, edges, several=2).doubt_mm < 4.0
