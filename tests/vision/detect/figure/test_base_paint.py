"""What bases are painted with is read about the feet of miniatures, and tells two apart that were moved at once."""

from dataclasses import replace

import numpy as np
import pytest
from shapely import Point

from tests.vision.planes import plane_from
from vision.detect.figure.base_paint import painted
from vision.detect.solid.glance import Sight
from vision.detection import Detection
from vision.memory.tracker import Tracker
from vision.metric.topview import TopView

PLANE = plane_from((350.0, -350.0, 700.0), (350.0, 250.0))
VIEW = TopView.of_table(PLANE, (700.0, 500.0), 2.0, 0.0, 10.0)
GREEN, BROWN, FEET = (40, 110, 60), (50, 80, 120), (230, 20, 20)


def base(x: float, y: float, radius_mm: float = 12.5) -> Detection:
    return Detection("base", "base", (x, y), Point(x, y).buffer(radius_mm), 1.0, 0.95, (0, 0))


def seen(*bases: tuple[Detection, tuple[int, int, int]], light: float = 1.0) -> list[Detection]:
    """The bases, each in its colour on a grey table with a man's feet on it, as they are told to be painted."""
    picture = np.full((VIEW.size_px[1], VIEW.size_px[0], 3), 150, np.uint8)
    rows, columns = np.mgrid[: picture.shape[0], : picture.shape[1]]
    for one, colour in bases:
        u, v = VIEW.to_px(np.array([one.position_mm]))[0]
        apart_mm = np.hypot(columns - u, rows - v) / VIEW.px_per_mm
        picture[apart_mm < one.radius_mm] = colour
        picture[apart_mm < 0.4 * one.radius_mm] = FEET
    lit = np.clip(picture * light, 0, 255).astype(np.uint8)
    return painted([one for one, _ in bases], Sight(PLANE, VIEW, lit))


def test_paint_is_that_about_the_feet() -> None:
    green, brown = seen((base(200, 200), GREEN), (base(400, 300), BROWN))
    assert green.paint == pytest.approx(np.log(np.array((0.0212, 0.1559, 0.0452)) + 0.01), abs=0.01)
    assert np.argmax(brown.paint) == 2
    assert np.argmax(green.paint) == 1


@pytest.mark.parametrize("one", [replace(base(200, 200), faint=True), replace(base(200, 200), kind="soldier")])
def test_only_sure_bases_are_asked_for_paint(one: Detection) -> None:
    assert seen((one, GREEN)) == [one]


@pytest.mark.parametrize("at_mm", [(2000.0, 200.0), (-400.0, 200.0), (200.0, 3000.0)])
def test_beyond_the_view_no_paint_is_told(at_mm: tuple[float, float]) -> None:
    assert seen((base(*at_mm), GREEN))[0].paint is None


@pytest.mark.parametrize("light", [0.85, 1.0, 1.15])
def test_of_two_bases_moved_at_once_each_is_known_by_its_paint(light: float) -> None:
    """Each lies nearer to where the other lay."""
    stood = Tracker().after(seen((base(200, 200), GREEN), (base(200, 300), BROWN)), 0.0)
    now = stood.after(seen((base(260, 310), GREEN), (base(260, 190), BROWN), light=light), 1.0)
    assert {track.id: track.seen.position_mm for track in now.tracks} == {"b1": (260, 310), "b2": (260, 190)}


def test_bases_painted_alike_go_the_shorter_way() -> None:
    stood = Tracker().after(seen((base(200, 200), GREEN), (base(200, 300), GREEN)), 0.0)
    now = stood.after(seen((base(260, 310), GREEN), (base(260, 190), GREEN), light=0.9), 1.0)
    assert {track.id: track.seen.position_mm for track in now.tracks} == {"b1": (260, 190), "b2": (260, 310)}
