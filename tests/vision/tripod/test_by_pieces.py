"""After the camera was carried off the table is measured again by the pieces that lie on it, or not at all."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from shapely import Point

from calibration.plane import TablePlane
from rules.scene import UNKNOWN, Kind
from tests.calibration.table_picture import a_camera, shoot
from vision.detection import Detection
from vision.frame import Frame
from vision.memory.tracker import Tracker
from vision.observe import Observer
from vision.tripod.by_pieces import carried_px, plane_by_pieces
from vision.tripod.constellation import recognised

TABLE_MM = (700.0, 500.0)
CAMERA = a_camera(55, 1000)
FRAME = Frame(np.zeros((1080, 1920, 3), np.uint8))
GRID = np.array([[x, y] for x in (0, 350, 700) for y in (0, 250, 500)], float)
CLASSES = ("gbp-5p", "gbp-10p", "gbp-1p")
PLACES = np.random.default_rng(5).uniform((60, 60), (640, 440), (12, 2))
NOISE_MM = 0.2


def coin(cls: str, at_mm: object, **more: object) -> Detection:
    x, y = (float(v) for v in np.asarray(at_mm))
    return Detection("coin", cls, (x, y), Point(x, y).buffer(10), NOISE_MM, 0.99, (0.0, 0.0), height_mm=1.7, **more)


def laid(places: np.ndarray) -> list[Detection]:
    return [coin(CLASSES[n % 3], place) for n, place in enumerate(places)]


class Eyes:
    """They see the coins as a camera shows them, and measure by whatever plane they are given."""

    def __init__(self, camera: TablePlane, coins: list[Detection]) -> None:
        self.camera, self.coins, self.rng, self.looks = camera, coins, np.random.default_rng(3), 0

    def __call__(self, frame: Frame, plane: TablePlane) -> list[Detection]:
        self.looks += 1
        places = np.array([d.position_mm for d in self.coins]) + self.rng.normal(0, NOISE_MM, (len(self.coins), 2))
        seen_mm = plane.to_table(self.camera.to_image(places))
        return [replace(d, position_mm=(float(x), float(y))) for d, (x, y) in zip(self.coins, seen_mm, strict=True)]


class SelectiveEyes(Eyes):
    """They can be asked for some kinds alone, and tell which they were asked for."""

    asked: frozenset[Kind] | None = None
    beyond_mm = 0.0

    def only(self, kinds: frozenset[Kind], beyond_mm: float = 0.0) -> "SelectiveEyes":
        self.asked, self.beyond_mm = kinds, beyond_mm
        return self

    def __call__(self, frame: Frame, plane: TablePlane) -> list[Detection]:
        seen = super().__call__(frame, plane)
        return [one for one in seen if (self.asked is None or one.kind in self.asked) and self.is_in_sight(one)]

    def is_in_sight(self, one: Detection) -> bool:
        return all(-self.beyond_mm < at < mm + self.beyond_mm for at, mm in zip(one.position_mm, TABLE_MM, strict=True))


def again(camera: TablePlane, known: list[Detection], there: list[Detection]) -> TablePlane | None:
    return plane_by_pieces(FRAME, CAMERA, Tracker().after(known, 0.0), Eyes(camera, there), TABLE_MM)


def off_mm(plane: TablePlane, camera: TablePlane) -> float:
    return float(np.hypot(*(plane.to_table(camera.to_image(GRID)) - GRID).T).max())


@pytest.mark.parametrize("degrees", [3, 20, 90, 170, -60])
def test_a_camera_carried_round_the_table_is_measured_by_the_coins_on_it(degrees: float) -> None:
    camera = a_camera(55, 1000, pan_deg=degrees)
    plane = again(camera, laid(PLACES), laid(PLACES))
    assert plane is not None and off_mm(plane, camera) < 0.6
    assert plane.history.name == CAMERA.history.name


def test_a_camera_that_stands_lower_and_farther_off_too() -> None:
    camera = a_camera(46, 1100, pan_deg=10)
    plane = again(camera, laid(PLACES), laid(PLACES))
    assert plane is not None and off_mm(plane, camera) < 0.6


def test_who_moved_a_coin_or_took_one_away_meanwhile_does_not_matter() -> None:
    camera = a_camera(55, 1000, pan_deg=30)
    there = laid(PLACES)[:-2]
    there[0] = coin(there[0].cls, (350, 30))
    there[4] = replace(there[4], cls=UNKNOWN)
    plane = again(camera, laid(PLACES), there)
    assert plane is not None and off_mm(plane, camera) < 0.8


def test_other_coins_or_too_few_tell_nothing() -> None:
    camera = a_camera(55, 1000, pan_deg=30)
    others = laid(np.random.default_rng(8).uniform((60, 60), (640, 440), (12, 2)))
    assert again(camera, laid(PLACES), others) is None
    assert again(camera, laid(PLACES[:3]), laid(PLACES[:3])) is None


def test_a_pattern_that_looks_alike_from_two_sides_tells_nothing() -> None:
    half = np.array([[60, 60], [640, 80], [350, 140], [120, 200], [520, 230]], float)
    both = np.vstack([half, np.array([700.0, 500.0]) - half])
    alike = [coin("gbp-5p", place) for place in both]
    camera = a_camera(55, 1000, pan_deg=20)
    assert again(camera, alike, alike) is None
    told = [coin("gbp-5p" if n < 5 else "gbp-1p", place) for n, place in enumerate(both)]
    plane = again(camera, told, told)
    assert plane is not None and off_mm(plane, camera) < 0.8


def test_owners_and_classes_that_are_told_must_agree() -> None:
    known = [replace(d, owner="red") for d in laid(PLACES)]
    assert recognised(known, known) is not None
    assert recognised(known, [replace(d, owner="blue") for d in known]) is None
    assert recognised(known, [replace(d, owner=UNKNOWN) for d in known]) is not None


def test_without_pieces_nobody_looks() -> None:
    eyes = Eyes(CAMERA, laid(PLACES))
    assert plane_by_pieces(FRAME, CAMERA, Tracker(), eyes, TABLE_MM) is None
    assert eyes.looks == 0


def test_pieces_that_all_went_together_tell_of_a_camera_and_not_of_a_player() -> None:
    known = laid(PLACES)
    tracker = Tracker().after(known, 0.0)
    seen = Eyes(a_camera(55, 1000, pan_deg=40), known)(FRAME, CAMERA)
    assert carried_px(CAMERA, tracker, seen, TABLE_MM) > 50
    assert carried_px(CAMERA, tracker, known, TABLE_MM) == 0
    rank = [coin(d.cls, np.add(d.position_mm, (0, 40))) if n < 8 else d for n, d in enumerate(known)]
    assert carried_px(CAMERA, tracker, rank, TABLE_MM) == 0


def test_what_went_beyond_the_table_is_not_missed() -> None:
    at_the_sides = np.array([[20, 90], [60, 400], [680, 210], [640, 330], [40, 250]], float)
    known = laid(np.vstack([PLACES[3:], at_the_sides[:3]]))
    camera = a_camera(55, 1000, pan_deg=90)
    eyes, tracker = SelectiveEyes(camera, known), Tracker().after(known, 0.0)
    seen = eyes(FRAME, CAMERA)
    assert 6 <= len(seen) <= 9
    assert carried_px(CAMERA, tracker, seen, TABLE_MM) > 50
    assert len(eyes.only(frozenset({"coin"}), 140)(FRAME, CAMERA)) == 12


def test_pieces_of_which_hardly_any_is_where_it_was_or_anywhere_went_nobody_knows_where() -> None:
    known, others = laid(PLACES), laid(PLACES[:4] @ [[0, -1], [1, 0]] + (60, 480))
    tracker = Tracker().after(known, 0.0)
    assert np.isnan(carried_px(CAMERA, tracker, others, TABLE_MM))
    assert np.isnan(carried_px(CAMERA, tracker, [*known[:2], *others], TABLE_MM))
    assert carried_px(CAMERA, tracker, [*known[:4], *others], TABLE_MM) == 0
    assert carried_px(CAMERA, tracker, [], TABLE_MM) == 0  # under a cloth


def test_two_ranks_of_men_who_look_alike_are_known_by_where_each_stands_not_by_the_rank() -> None:
    ranks = np.array([[80 + 12 * (n % 2), 70 + 80 * n] for n in range(5)], float)
    both = np.vstack([ranks, np.array([700.0, 505.0]) - ranks + np.array([[0, 17], [0, -9], [0, 4], [0, -15], [0, 8]])])
    men = [replace(coin(UNKNOWN, place), kind="base") for place in both]
    camera = a_camera(55, 1000, pan_deg=90)
    eyes, tracker = SelectiveEyes(camera, men), Tracker().after(men, 0.0)
    plane = plane_by_pieces(FRAME, CAMERA, tracker, eyes, TABLE_MM)
    assert plane is not None and off_mm(plane, camera) < 1.0


def test_a_camera_carried_round_a_plain_cloth_with_coins_keeps_them_all_where_they_are() -> None:
    cloth = np.full((1000, 1400, 3), 150, np.uint8)
    for x, y in PLACES:
        cv2.circle(cloth, (round(2 * x), round(2 * (500 - y))), 22, (60, 80, 110), -1, cv2.LINE_AA)
    cameras = [a_camera(55, 1000, pan_deg=degrees) for degrees in (0, 40)]
    pictures = [
        np.dstack([shoot(camera, np.ascontiguousarray(cloth[..., c]), 2, rays=1) for c in range(3)])
        for camera in cameras
    ]
    coins = laid(PLACES)

    def look(frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        return tuple(Eyes(cameras[int(frame.t_s >= 1.5)], coins)(frame, plane))

    eyes, told, before = Observer(CAMERA, look, TABLE_MM), [], Tracker()
    for n in range(45):
        now = n / 10
        seen = eyes.update(Frame(pictures[int(now >= 1.5)], n, now))
        told += [seen.camera.what] if seen.camera is not None else []
        before = eyes.tracker if now < 1.5 else before
    assert told == ["kicked", "registered"]
    assert off_mm(eyes.plane, cameras[1]) < 0.6
    assert [track.id for track in eyes.tracker.tracks] == [track.id for track in before.tracks]
    apart = [
        np.hypot(*np.subtract(a.seen.position_mm, b.seen.position_mm))
        for a, b in zip(eyes.tracker.tracks, before.tracks, strict=True)
    ]
    assert max(apart) < 1.5


def test_the_first_picture_from_elsewhere_is_developed_by_what_it_shows_itself() -> None:
    grain = np.random.default_rng(2).integers(0, 2, (1080, 1920, 1))
    dim, bright = (Frame(np.repeat(level + 2 * grain, 3, axis=2).astype(np.uint8)) for level in (60, 200))
    coins, given = Eyes(CAMERA, laid(PLACES)), []

    def look(frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        given.append(float(frame.image_bgr.mean()))
        return tuple(coins(frame, plane))

    eyes = Observer(CAMERA, look, TABLE_MM)
    for n in range(12):
        eyes.update(replace(dim, index=n, t_s=n / 10))
    assert eyes.tracker.tracks and max(given) > 150
    coins.camera = a_camera(55, 1000, pan_deg=40)
    given.clear()
    eyes._camera.by_pieces(bright, CAMERA.lens)
    assert given == pytest.approx([201.0, 201.0], abs=1.0)


@pytest.mark.parametrize(("coins", "asked"), [(8, {"coin"}), (7, {"coin", "soldier", "base", "terrain"})])
def test_coins_are_looked_for_alone_where_they_are_enough(coins: int, asked: set[Kind]) -> None:
    men = [replace(coin(UNKNOWN, place, owner="red"), kind="soldier") for place in PLACES[coins:]]
    known = [*laid(PLACES[:coins]), *men]
    there = a_camera(55, 1000, pan_deg=40)
    eyes = SelectiveEyes(there, known)
    plane = plane_by_pieces(FRAME, CAMERA, Tracker().after(known, 0.0), eyes, TABLE_MM)
    assert eyes.asked == asked
    assert plane is not None and off_mm(plane, there) < 1.0


def test_a_camera_that_went_by_one_step_of_a_print_that_repeats_moves_no_piece() -> None:
    """The print shows as before: twelve coins had each moved by one field, legally, in the log."""
    step_mm, corner_mm, texels = 40, np.array([-500, -400]), 2
    y, x = np.mgrid[: 1300 * texels, : 1700 * texels] // (step_mm * texels // 2)
    mat = np.where((x + y) % 2, 120, 170).astype(np.uint8)
    cameras = [a_camera(55, 1000, aim_mm=(350.0 + by, 250.0)) for by in (0, step_mm)]
    for place in PLACES:
        column, row = (texels * (place - corner_mm)).astype(int)
        cv2.circle(mat, (int(column), len(mat) - int(row)), 22, 40, -1, cv2.LINE_AA)
    pictures = [
        cv2.cvtColor(shoot(each, mat, texels, tuple(corner_mm), rays=1), cv2.COLOR_GRAY2BGR) for each in cameras
    ]
    coins = laid(PLACES)

    def look(frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        return tuple(Eyes(cameras[int(frame.t_s >= 1.5)], coins)(frame, plane))

    eyes, told = Observer(cameras[0], look, TABLE_MM), []
    for n in range(40):
        seen = eyes.update(Frame(pictures[int(n >= 15)], n, n / 10))
        told += [seen.camera.what] if seen.camera is not None else []
    assert told == ["kicked", "registered"]
    assert off_mm(eyes.plane, cameras[1]) < 0.6
    places = [track.seen.position_mm for track in eyes.tracker.tracks]
    assert len(places) == len(PLACES)
    assert max(np.hypot(*(PLACES - place).T).min() for place in places) < 1.5
