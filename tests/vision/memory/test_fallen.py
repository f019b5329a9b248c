"""A figure that is knocked over is not gone; one that is taken off is, though its shadow goes with it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from shapely import Point, Polygon, box

from calibration.plane import TablePlane
from rules.scene import Kind
from tests.vision.planes import plane_from
from vision.detection import Detection
from vision.frame import Frame
from vision.memory.fallen import fallen
from vision.memory.tracker import Tracker
from vision.observe import Observer
from vision.track import Track

PLANE = plane_from((350.0, -350.0, 700.0), (350.0, 250.0))
AT_MM, RADIUS_MM = (350.0, 250.0), 12.5
BASE = Detection("base", "base", AT_MM, Point(AT_MM).buffer(RADIUS_MM), 1.0, 0.95, (0, 0))
GREEN, GREY = (40, 110, 60), (150, 150, 145)


def table() -> np.ndarray:
    """Brown cloth."""
    grain = np.random.default_rng(1).normal(0, 3, (960, 1280, 1))
    return np.clip(np.array((60, 95, 140)) + grain, 0, 255).astype(np.uint8)


def fill(image: np.ndarray, shape_mm, height_mm: float, colour) -> np.ndarray:
    outline = PLANE.to_image(np.array(shape_mm.exterior.coords), height_mm)
    cv2.fillPoly(image, [np.rint(outline * 16).astype(np.int32)], colour, cv2.LINE_AA, 4)
    return image


def standing(image: np.ndarray, at_mm=AT_MM) -> np.ndarray:
    """A grey man on a green base, with his shadow to the right."""
    shadow = fill(image.copy(), Point(at_mm[0] + 18, at_mm[1]).buffer(11), 0.0, (40, 64, 94))
    fill(shadow, Point(at_mm).buffer(RADIUS_MM), 3.0, GREEN)
    for height_mm in range(4, 30):
        fill(shadow, Point(at_mm).buffer(4.5), height_mm, GREY)
    return shadow


def lying(image: np.ndarray, at_mm=AT_MM) -> np.ndarray:
    """The man on his back, his base upright beside him."""
    man = fill(image.copy(), Point(at_mm).buffer(5).union(Point(at_mm[0] - 18, at_mm[1])).convex_hull, 4.0, GREY)
    base = Point(at_mm[0] + 14, at_mm[1]).buffer(1.8)
    for height_mm in range(25):
        fill(man, base, height_mm, GREEN)
    return man


def test_whose_paint_lies_where_ground_was_is_not_gone() -> None:
    man, stood = Track("b1", BASE, 0.0), standing(table())
    assert fallen([man], [], stood, lying(table()), PLANE).equals(BASE.footprint)
    assert fallen([man], [], stood, table(), PLANE).is_empty
    assert fallen([man], [], stood, cv2.convertScaleAbs(table(), alpha=0.8), PLANE).is_empty


def test_who_is_seen_or_was_not_in_sight_did_not_fall() -> None:
    man, stood, fell = Track("b1", BASE, 0.0), standing(table()), lying(table())
    assert fallen([man], [BASE], stood, fell, PLANE).is_empty
    assert fallen([replace(man, hidden=True)], [], stood, fell, PLANE).is_empty
    assert not fallen([man], [replace(BASE, faint=True)], stood, fell, PLANE).is_empty


@pytest.mark.parametrize("aside_mm", [24, 40])
def test_another_who_came_beside_is_not_the_one_who_went(aside_mm: int) -> None:
    beside_mm = AT_MM[0] + aside_mm, AT_MM[1]
    other = replace(BASE, position_mm=beside_mm, footprint=Point(beside_mm).buffer(RADIUS_MM))
    after = standing(table(), beside_mm)
    assert fallen([Track("b1", BASE, 0.0)], [other], standing(table()), after, PLANE).is_empty


@pytest.mark.parametrize(
    ("kind", "shape_mm", "height_mm"),
    [
        ("die", box(375, 242, 391, 258), 16.0),
        ("die", box(345, 242, 361, 258), 16.0),
        ("coin", Point(385, 250).buffer(10), 1.6),
        ("terrain", box(370, 180, 470, 320), 0.3),
    ],
)
def test_what_was_laid_down_in_his_paint_is_not_him(kind: Kind, shape_mm: Polygon, height_mm: float) -> None:
    """A counter of his army's colour that takes his place, all of it within his reach, held him for fallen."""
    laid, after = shape_mm.centroid, table()
    for up_mm in np.linspace(0, height_mm, 9):
        fill(after, shape_mm, up_mm, GREEN)
    seen = Detection(kind, "unknown", (laid.x, laid.y), shape_mm, 1.0, 0.95, (0, 0), height_mm=height_mm)
    assert fallen([Track("b1", BASE, 0.0)], [seen], standing(table()), after, PLANE).is_empty


def test_he_lies_also_where_the_eyes_take_him_for_a_box() -> None:
    box_mm = box(325, 235, 370, 265)
    taken = Detection("terrain", "unknown", (347.5, 250.0), box_mm, 1.0, 0.95, (0, 0))
    assert not fallen([Track("b1", BASE, 0.0)], [taken], standing(table()), lying(table()), PLANE).is_empty


def test_nobody_falls_beyond_the_picture() -> None:
    far_mm = (5000.0, 250.0)
    away = replace(BASE, position_mm=far_mm, footprint=Point(far_mm).buffer(RADIUS_MM))
    assert fallen([Track("b1", away, 0.0)], [], table(), table(), PLANE).is_empty


def agreed(*pictures: np.ndarray) -> list[tuple[bool, str | None]]:
    """Whether the miniature is hidden, and its id, after each of these pictures was shown for two seconds; eyes see it
    only in the first."""
    return [(track.hidden, track.id) if track is not None else (False, None) for track in watched(*pictures)]


def watched(*pictures: np.ndarray, last: tuple[Detection, ...] = ()) -> list[Track | None]:
    """What is remembered of the miniature after each of these pictures, as `agreed` has it; the last one shows `last`
    beside it."""
    shown, told = [pictures[0]], []

    def look(frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        return (BASE,) if shown[-1] is pictures[0] else last if shown[-1] is pictures[-1] else ()

    observer = Observer(PLANE, look, (700.0, 500.0))
    for n in range(20 * len(pictures)):
        shown.append(pictures[n // 20])
        observer.update(Frame(shown[-1], n, n / 10))
        if n % 20 == 19:
            told.append(next((track for track in observer.tracker.tracks if track.id == "b1"), None))
    return told


def test_who_is_knocked_over_and_set_up_again_is_the_same_and_gone_once_taken_off() -> None:
    """It was told as gone, and as another who was put down."""
    stood, fell = standing(table()), lying(table())
    assert agreed(stood, fell, stood) == [(False, "b1"), (True, "b1"), (False, "b1")]
    assert agreed(stood, fell, table()) == [(False, "b1"), (True, "b1"), (False, None)]
    assert agreed(stood, table()) == [(False, "b1"), (False, None)]


def with_paper(image: np.ndarray) -> np.ndarray:
    """A slip of red paper was laid behind him."""
    return fill(image.copy(), box(334, 260, 356, 290), 0.3, (20, 40, 220))


def test_who_lies_is_not_gone_when_his_place_is_touched_again_and_is_once_he_is_taken() -> None:
    """Something laid down beside him: he was told as gone."""
    stood, fell = standing(table()), lying(table())
    paths = agreed(stood, fell, with_paper(fell), fell, with_paper(table()))
    assert paths == [(False, "b1"), (True, "b1"), (True, "b1"), (True, "b1"), (False, None)]


def test_who_is_taken_is_gone_though_paint_like_his_came_beside_him_before() -> None:
    """Of a figure that the eyes miss, say."""
    stood, fell, green = standing(table()), lying(table()), box(325, 266, 375, 278)
    after = fill(fell.copy(), green, 0.0, GREEN), fill(table(), green, 0.0, GREEN)
    assert agreed(stood, fell, *after) == [(False, "b1"), (True, "b1"), (True, "b1"), (False, None)]


def test_who_lies_and_is_pushed_on_lies_elsewhere_and_is_gone_once_he_is_taken() -> None:
    """He was told as gone."""
    near_mm, far_mm = (365.0, 238.0), (430.0, 280.0)
    stood, fell, near, far = standing(table()), lying(table()), lying(table(), near_mm), lying(table(), far_mm)
    tracks = watched(stood, fell, far, near, table())
    assert [track and (track.id, track.hidden) for track in tracks] == [("b1", False), *[("b1", True)] * 3, None]
    for track, at_mm in zip(tracks[2:4], (far_mm, near_mm), strict=True):
        assert track is not None and track.seen.position_mm == pytest.approx(at_mm, abs=4.0)
        assert track.seen.footprint.centroid.coords[0] == pytest.approx(track.seen.position_mm)


def test_who_is_taken_was_not_pushed_where_a_die_in_his_paint_is_laid() -> None:
    laid, after = box(390, 262, 406, 278), table()
    die = Detection("die", "unknown", (398.0, 270.0), laid, 1.0, 0.95, (0, 0), height_mm=16.0)
    for up_mm in np.linspace(0, 16, 9):
        fill(after, laid, up_mm, GREEN)
    assert watched(standing(table()), lying(table()), after, last=(die,))[-1] is None
    assert watched(standing(table()), lying(table()), after)[-1] is not None


def test_who_comes_near_one_that_lies_is_who_is_missing_elsewhere() -> None:
    """It was he who lies: he had the shorter way, and the other was told as gone."""
    other = replace(BASE, position_mm=(500.0, 100.0), footprint=Point(500, 100).buffer(RADIUS_MM))
    near = replace(BASE, position_mm=(350.0, 210.0), footprint=Point(350, 210).buffer(RADIUS_MM))
    lies = Tracker().after([BASE, other], 0.0).after([other], 1.0, cover_mm=BASE.footprint)
    after = lies.after([near], 2.0, cover_mm=BASE.footprint)
    assert {track.id: track.seen.position_mm for track in after.tracks} == {"b1": AT_MM, "b2": (350.0, 210.0)}
