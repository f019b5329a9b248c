"""What stands hides what lies behind it."""

from shapely import Point, box

from tests.vision.planes import plane_from
from vision.detection import Detection
from vision.memory.hiding import hidden_by

EYE_MM = (200.0, -420.0, 560.0)


def test_a_die_hides_what_lies_behind_it_as_far_as_its_upper_edge_shows() -> None:
    die = Detection("die", "6", (200.0, 150.0), box(192, 142, 208, 158), 0.8, 0.99, (0.0, 0.0), height_mm=16.0)
    hidden = hidden_by(die, plane_from(EYE_MM, (200.0, 150.0)))
    # By similar triangles: the far upper edge, 578 mm away and 16 of 560 mm high, shows 17 mm behind itself.
    assert hidden.contains(Point(200, 174))
    assert not hidden.contains(Point(200, 176))
    assert not hidden.contains(Point(200, 140))
