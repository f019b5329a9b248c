"""Feet by two glances at one part of the table, drawn here: what the net says in each is known exactly."""

import numpy as np
import pytest

from models import solids
from tests.vision.detect.solid.test_solids import blank, say_figure, upright
from tests.vision.planes import plane_from
from vision.detect.figure.feet import another_way
from vision.detect.figure.figures import find_figures

AT_MM = (150.0, 120.0)
ARMIES = ("red", "blue")


@pytest.fixture
def plane():
    return plane_from((160, -400, 600), (160, 128))


@pytest.fixture
def coarse(plane):
    glance = blank(plane, upright(plane, 1.0))
    say_figure(glance, AT_MM, "base")
    return glance


@pytest.fixture
def both(plane):
    """The same part, shown in two ways."""
    view = upright(plane, 2.0)
    return blank(plane, view), blank(plane, another_way(view))


def told(both, coarse):
    one, other = both
    return [figure for figure in find_figures(one, coarse, (), ARMIES, again=other) if not figure.faint]


def test_what_both_glances_see_is_told_once_and_as_wide_as_it_is(both, coarse):
    for glance in both:
        say_figure(glance, AT_MM, "base", radius_mm=14.0)
    (base,) = told(both, coarse)
    assert base.position_mm == pytest.approx(AT_MM, abs=0.1)
    assert base.radius_mm == pytest.approx(14.0, rel=0.01)


@pytest.mark.parametrize("seeing", [0, 1])
def test_what_one_glance_alone_sees_is_not_told(both, coarse, seeing):
    say_figure(both[seeing], AT_MM, "base")
    assert told(both, coarse) == []


@pytest.mark.parametrize("seeing", [0, 1])
def test_where_one_glance_has_no_peak_counts_what_it_says_there(both, coarse, seeing):
    for glance, heat in ((both[seeing], 8.0), (both[1 - seeing], -2.5)):
        say_figure(glance, AT_MM, "base")
        said = glance.maps[solids.HEAT]
        said[said > 0] = heat
    (base,) = told(both, coarse)
    assert base.position_mm == pytest.approx(AT_MM, abs=0.1)
    both[1 - seeing].maps[solids.HEAT] = -9
    assert told(both, coarse) == []


def test_a_foot_is_told_midway_between_where_the_glances_see_it(both, coarse):
    one, other = both
    say_figure(one, AT_MM, "base")
    say_figure(other, (AT_MM[0] + 3.0, AT_MM[1]), "base")
    (base,) = told(both, coarse)
    assert base.position_mm == pytest.approx((AT_MM[0] + 1.5, AT_MM[1]), abs=0.1)


def test_two_men_in_close_ranks_stay_two(both, coarse):
    beside_mm = (AT_MM[0] + 14.0, AT_MM[1])
    say_figure(coarse, beside_mm, "base")
    for glance in both:
        say_figure(glance, AT_MM, "base", radius_mm=6.0)
        say_figure(glance, beside_mm, "base", radius_mm=6.0)
    assert sorted(figure.position_mm[0] for figure in told(both, coarse)) == pytest.approx(
        (AT_MM[0], beside_mm[0]), abs=0.2
    )
    assert np.allclose([figure.position_mm[1] for figure in told(both, coarse)], AT_MM[1], atol=0.2)


def test_a_faint_foot_on_the_base_of_a_sure_one_takes_none_of_his_paint(both, coarse):
    faint_mm = (AT_MM[0] + 8.0, AT_MM[1])
    for glance in both:
        say_figure(glance, faint_mm, "foot", radius_mm=8.0)
        said = glance.maps[solids.HEAT]
        said[said > 0] = 1.5
    for glance in (*both, coarse):
        say_figure(glance, AT_MM, "foot")
    u, v = np.rint(both[0].view.to_px(np.array([faint_mm]))[0]).astype(int)
    both[0].seen[v - 30 : v - 8, u : u + 20] = (40, 40, 190)
    both[0].maps[solids.FIGURE][(v - 30) // 4 : (v - 8) // 4, u // 4 : (u + 20) // 4] = 5
    (man,) = told(both, coarse)
    assert man.owner == "red"
