"""Which names of terrain are told."""

import pytest
from shapely import Point

from vision.detect.solid.sure_names import surely_named
from vision.detection import Detection


def thing(cls, chance, height_mm, level=None):
    return Detection(
        "terrain", cls, (0.0, 0.0), Point(0, 0).buffer(60), 5.0, chance, (0.0, 0.0), height_mm=height_mm, level=level
    )


@pytest.mark.parametrize(
    "cls, chance, height_mm, told",
    [
        ("plate", 0.9, 20.0, "plate"),
        ("plate", 0.82, 20.0, "unknown"),
        ("plate", 0.95, 31.0, "unknown"),
        ("napkin", 0.82, 2.0, "unknown"),
        ("napkin", 0.9, 2.0, "napkin"),
        ("mug", 0.76, 90.0, "mug"),
        ("unknown", 0.73, 40.0, "unknown"),
        ("book", 0.82, 8.0, "book"),
        ("book", 0.82, 2.8, "unknown"),
        ("box", 0.9, 2.8, "unknown"),
    ],
)
def test_a_name_is_told_where_its_kind_is_seldom_another_at_that_chance(cls, chance, height_mm, told):
    assert surely_named(thing(cls, chance, height_mm)).cls == told


def test_what_has_no_name_has_no_level():
    assert surely_named(thing("book", 0.76, 30.0, level=2)).level is None
    assert surely_named(thing("book", 0.9, 30.0, level=2)).level == 2
