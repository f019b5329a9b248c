"""Silver coins drawn from above: a dot says where to look, print and a bare coin do not."""

import cv2
import numpy as np
import pytest

from models.coins import CELL_PX, TOPVIEW_PX_PER_MM, TYPICAL_THICKNESS_MM
from tests.vision.planes import plane_from
from vision.detect.coin.dotted import are_dotted
from vision.detect.coin.proposals import proposals_in
from vision.metric.topview import TopView

WHITE, BLACK, SILVER, RED_ROAD = (235, 235, 235), (40, 40, 40), (165, 165, 165), (60, 60, 200)
# No darker than silver by half of what a dot is asked for, in grey.
GREEN = (80, 185, 90)
AT_PX = np.array([[120.0, 100.0]])
DOT_PX, COIN_PX = 5, 15


@pytest.fixture
def cloth():
    grain = np.random.default_rng(3).normal(0, 4, (192, 256, 3))
    return np.clip(np.array([150, 190, 205]) + grain, 0, 255).astype(np.uint8)


def disc(top, bgr, radius_px, off_px=(0, 0)):
    at = tuple(int(value) for value in AT_PX[0] + off_px)
    return cv2.circle(top.copy(), at, radius_px, bgr, -1, cv2.LINE_AA)


@pytest.mark.parametrize("dot", [WHITE, BLACK, GREEN])
@pytest.mark.parametrize("off_px", [(0, 0), (2, -2), (-3, 0)])
def test_a_dot_on_silver_stands_out_wherever_a_hand_put_it(cloth, dot, off_px):
    top = disc(disc(cloth, SILVER, COIN_PX), dot, DOT_PX, off_px)
    assert are_dotted(top, TOPVIEW_PX_PER_MM, AT_PX).all()
    assert not are_dotted(top, TOPVIEW_PX_PER_MM, AT_PX + 60).any()


def test_a_bare_coin_a_road_and_large_letters_are_no_dots(cloth):
    road = cv2.line(cloth.copy(), (60, 90), (180, 110), RED_ROAD, 6, cv2.LINE_AA)
    letters = cv2.putText(cloth.copy(), "NETHER", (60, 106), cv2.FONT_HERSHEY_DUPLEX, 0.8, BLACK, 2, cv2.LINE_AA)
    tops = disc(cloth, SILVER, COIN_PX), road, letters
    assert not any(are_dotted(top, TOPVIEW_PX_PER_MM, AT_PX).any() for top in tops)


def test_places_beyond_the_view_are_asked_at_its_edge(cloth):
    assert not are_dotted(cloth, TOPVIEW_PX_PER_MM, np.array([[-9.0, 400.0], [300.0, -2.0]])).any()
    assert are_dotted(cloth, TOPVIEW_PX_PER_MM, np.zeros((0, 2))).shape == (0,)


def test_where_the_net_is_nearly_sure_of_none_a_dot_makes_a_proposal(cloth):
    plane = plane_from((100.0, -300.0, 500.0), (100.0, 75.0))
    view = TopView.of_table(plane, (200.0, 150.0), TOPVIEW_PX_PER_MM, TYPICAL_THICKNESS_MM, 0.0, 4 * CELL_PX)
    output = np.zeros((4, 48, 64), np.float32)
    output[0] = -9.0
    column, row = (AT_PX[0] // CELL_PX).astype(int)
    output[0, row, column] = -3.0
    assert len(proposals_in(output, view, disc(cloth, SILVER, COIN_PX)).heat) == 0
    (found,) = proposals_in(output, view, disc(disc(cloth, SILVER, COIN_PX), BLACK, DOT_PX)).centre_mm
    assert found == pytest.approx(view.to_table(AT_PX)[0], abs=2.0)
