"""Tables are laid as tables are: no solid stands in another, a sheet lies over a sheet and under what stands on it."""

import numpy as np
import pytest
from shapely import affinity, box

from models.training.rendered.berths import Berths, disc, outline_of, stands_on, turned
from models.training.rendered.heights import Heights, filled

MUG = np.array([(x, y, z) for x in (-40, 40) for y in (-40, 40) for z in (0, 90)], float)
PENCILS = np.array([(x, y, 0) for x in (-60, 500) for y in (-4, 4)], float)


def sheet(low, high, z_mm):
    """Points of a level sheet between two corners, as close as those of a bent one."""
    x, y = np.meshgrid(np.arange(low[0], high[0] + 1, 6.0), np.arange(low[1], high[1] + 1, 6.0))
    return np.c_[x.ravel(), y.ravel(), np.full(x.size, z_mm)]


def test_pencils_do_not_go_through_a_mug_that_stands_far_from_their_middle():
    berths = Berths()
    berths.take(outline_of(MUG + np.array([300.0, 0, 0])), 0)
    assert not berths.free(outline_of(PENCILS))
    assert berths.free(outline_of(turned(PENCILS, np.pi / 2)))


def test_men_stand_on_a_box_beside_one_another_and_not_over_its_edge():
    top = turned(MUG, 0.3)[[0, 4, 6, 2]]
    berths = Berths()
    berths.take(outline_of(MUG), 7)
    here, there = disc(np.zeros(2), 9.0), disc(np.array([30.0, 0]), 9.0)
    assert not berths.free(here) and berths.free(here, besides=7)
    berths.take(here, 8)
    assert not berths.free(affinity.translate(here, 10), besides=7) and berths.free(there, besides=7)
    assert stands_on(top, np.array([20.0, 0]), 9.0) and not stands_on(top, np.array([39.0, 0]), 9.0)


def test_a_sheet_lies_over_another_and_on_the_table_beside_it():
    heights = Heights.over(np.array([400.0, 300]))
    heights.add(sheet((-60, -60), (60, 60), 5.0))
    over = sheet((0, 0), (150, 40), 0.0)
    inside = (over[:, 0] <= 60) & (over[:, 1] <= 40)
    assert heights.at(over)[inside].min() > 4.9
    assert heights.at(over)[over[:, 0] > 90].max() == pytest.approx(0, abs=0.01)
    heights.add(over + np.array([0, 0, 8.0]))
    assert heights.at(np.array([[30.0, 20]]))[0] == pytest.approx(8, abs=0.1)


def test_what_lies_far_beyond_the_table_is_not_looked_for():
    heights = Heights.over(np.array([400.0, 300]))
    heights.add(np.array([[5000.0, 0, 50], [0, -5000, 50]]))
    assert heights.at(np.array([[5000.0, 0], [0, 0]])) == pytest.approx([0, 0])


def test_what_stands_on_a_sheet_presses_it_down():
    heights = Heights.over(np.array([400.0, 300]))
    press = heights.press([box(-30, -30, 30, 30)])
    under, beside, far = press.at(np.array([(0.0, 0), (31, 0), (60, 0)]))
    assert under == pytest.approx(1, abs=0.01) and beside > 0.5 and far < 0.01
    assert heights.high.max() == 0


def test_a_hand_passes_over_a_mug():
    heights = Heights.over(np.array([400.0, 300]))
    faces = [MUG[[1, 3, 7, 5]], MUG[[0, 1, 5, 4]]]
    heights.add(np.concatenate([filled(face) for face in faces]))
    arm = np.c_[np.linspace(-200, 0, 40), np.zeros(40), np.full(40, 50.0)]
    assert heights.clears(arm) == pytest.approx(42, abs=0.5)
    assert heights.clears(arm - np.array([90.0, 0, 0])) == 0
    assert heights.clears(arm + np.array([0, 0, 60.0])) == 0


def test_a_face_is_filled_without_gaps():
    points = filled(MUG[[1, 3, 7, 5]])
    x, y = np.meshgrid(np.arange(-40, 41, 5.0), np.arange(-40, 41, 5.0))
    away = np.hypot(points[:, None, 0] - x.ravel(), points[:, None, 1] - y.ravel())
    assert away.min(axis=0).max() < 8 and (points[:, 2] == 90).all()
