"""Hands in a still picture: read off maps drawn here, and seen over the table of a sample clip."""

from pathlib import Path

import numpy as np
import pytest

from models import solids
from tests.vision.planes import plane_from
from ui.measuring.table import plane_for
from ui.setup.setup_file import read_setup
from ui.still import frames_of
from vision.detect.solid.glance import Glance
from vision.detect.solid.hands import hands_in, hands_over
from vision.metric.topview import TopView

TROUBLE = Path(__file__).parents[4] / "sample_footage" / "trouble"


@pytest.fixture
def glance():
    """An empty table of 320 x 256 mm at 1 px/mm, in cells of 4 mm; the far left corner is cell (0, 0)."""
    plane = plane_from((160, -400, 600), (160, 128))
    view = TopView.of_table(plane, (320.0, 256.0), 1.0, 0.0, 0.0, solids.STRIDE_PX)
    maps = np.full((solids.CHANNELS, 64, 80), -9.0, np.float32)
    return Glance(plane, view, np.zeros((256, 320, 3), np.uint8), maps, np.ones((64, 80), bool))


def test_a_hand_hides_the_cells_that_the_net_is_sure_of(glance):
    glance.maps[solids.HAND, 10:30, 20:35] = 4.0
    hands = hands_in(glance)
    # 15 x 20 cells of 4 mm, from 80 mm right of and 40 mm below the far left corner; round corners take little.
    assert hands.area == pytest.approx(60 * 80, rel=0.01)
    assert hands.bounds == pytest.approx((79.5, 136.5, 139.5, 216.5), abs=1.1)


@pytest.mark.parametrize("rows, logit, shown", [(6, 4.0, True), (20, 1.0, True), (20, 4.0, False)])
def test_what_is_small_doubtful_or_beyond_the_picture_is_no_hand(glance, rows, logit, shown):
    glance.maps[solids.HAND, 10 : 10 + rows, 20:35] = logit
    glance.shown[:] = shown
    assert hands_in(glance).is_empty


@pytest.mark.parametrize("first_row, hands", [(0, 1), (1, 0)])
def test_one_that_comes_in_over_the_edge_need_not_be_so_sure(glance, first_row, hands):
    glance.maps[solids.HAND, first_row : first_row + 20, 20:35] = 1.4
    assert len(hands_in(glance).geoms) == hands


@pytest.mark.parametrize("columns, hands", [(20, 1), (15, 0)])
def test_one_as_large_as_most_of_a_hand_need_not_be_so_sure(glance, columns, hands):
    # 18 x 20 cells of 4 mm are 5760 mm2, 18 x 15 are 4320.
    glance.maps[solids.HAND, 10:28, 20 : 20 + columns] = 1.4
    assert len(hands_in(glance).geoms) == hands


@pytest.mark.parametrize("at_s, hands", [(0.0, 0), (9.5, 1)])
def test_a_hand_over_the_table_is_told_of_one_picture(at_s, hands):
    setup = read_setup(TROUBLE / "setup.toml")
    frame = frames_of(TROUBLE / "hover.mp4", at_s)[0]
    told = hands_over(frame, plane_for(setup, frame), setup.rules.table_size_mm)
    assert len(told) == hands
    assert all("what lies under it is not seen" in line for line in told)
