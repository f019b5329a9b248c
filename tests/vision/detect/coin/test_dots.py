"""What is taken for a die and is none: paper dots on coins, heads of soldiers; and for a figure: coins, dice."""

from dataclasses import replace

from shapely import Point

from tests.vision.planes import plane_from
from vision.detection import Detection
from vision.eyes import _without_dots, _without_mistaken

PLANE = plane_from((160, -400, 600), (160, 128))


def seen(kind, at, radius_mm, elevation_mm=0.0, cls="1"):
    return Detection(kind, cls, at, Point(at).buffer(radius_mm), 0.5, 0.9, (0.0, 0.0), elevation_mm=elevation_mm)


def where(at, height_mm):
    """Where what is so high above a place shows on the table."""
    x, y = PLANE.to_table(PLANE.to_image([at], height_mm))[0]
    return float(x), float(y)


def test_a_head_is_no_die_and_a_die_beside_a_soldier_is_one():
    man = seen("soldier", (160.0, 128.0), 8.0)
    head, beside, before = (
        seen("die", at, 8.0) for at in (where((160.0, 128.0), 44.0), (190.0, 140.0), (160.0, 105.0))
    )
    assert _without_dots([head, beside, before], [man], PLANE) == [beside, before]


def test_a_soldier_on_a_book_has_his_head_higher():
    man = seen("soldier", (160.0, 128.0), 8.0, elevation_mm=40.0)
    head, foot = (seen("die", where((160.0, 128.0), height), 8.0) for height in (84.0, 0.0))
    assert _without_dots([head, foot], [man], PLANE) == [foot]


def test_a_die_that_shows_its_pips_behind_a_figure_is_one_but_none_on_his_base():
    base = seen("base", (160.0, 128.0), 12.5)
    behind, on_it = (seen("die", at, 8.0, cls="5") for at in ((160.0, 165.0), (162.0, 130.0)))
    one, sided = seen("die", (160.0, 165.0), 8.0), replace(seen("die", (160.0, 165.0), 8.0), sided=True)
    assert _without_dots([behind, on_it, one, sided], [base], PLANE) == [behind, sided]


def test_a_dot_on_a_coin_is_no_die():
    coin = seen("coin", (100.0, 100.0), 12.0)
    assert _without_dots([seen("die", (101.0, 100.0), 8.0)], [coin], PLANE) == []


def test_a_coin_and_a_die_of_many_pips_are_no_base():
    coin, die = seen("coin", (60.0, 60.0), 12.0, cls="eur-2"), seen("die", (120.0, 60.0), 9.0, cls="4")
    on_coin, on_die = seen("base", (61.0, 60.0), 12.5), seen("base", (122.0, 52.0), 11.0)
    beside, bearing = seen("base", (81.0, 60.0), 11.0), seen("base", (180.0, 60.0), 12.5)
    dot, nameless = seen("die", (180.0, 60.0), 8.0), seen("coin", (180.0, 60.0), 12.0, cls="unknown")
    assert _without_mistaken([on_coin, on_die, beside, bearing], [coin, die, dot, nameless]) == [beside, bearing]


def test_a_die_of_many_pips_is_no_soldier_and_a_coin_may_bear_one():
    die, one = seen("die", (60.0, 60.0), 9.0, cls="5"), seen("die", (180.0, 60.0), 8.0)
    coin = seen("coin", (120.0, 60.0), 12.0, cls="eur-2")
    men = [seen("soldier", at, 11.0) for at in ((61.0, 58.0), (120.0, 60.0), (180.0, 60.0))]
    assert _without_mistaken(men, [coin, die, one]) == men[1:]
    assert _without_mistaken(men, [coin, replace(one, sided=True)]) == men[:2]  # no head has pips below it
