"""A camera that went elsewhere, by points on a table and above it: exact where some lie on the table, else honest."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.kick.sighted import Seen, Sighted, Told
from calibration.plane import SIGMAS_95, TablePlane
from calibration.pose import Pose
from tests.calibration.table_picture import a_camera

BEFORE = a_camera(55, 900)
ASIDE, ROUND = a_camera(55, 900, aim_mm=(390, 250)), a_camera(50, 900, pan_deg=40)
TALL_MM = 30.0
NOISE_PX = 0.15
GRID = np.array([[x, y] for x in (0, 350, 700) for y in (0, 250, 500)], float)


def seen_from(
    camera: TablePlane,
    flat: int = 30,
    raised: int = 150,
    told: TablePlane | None = None,
    told_mm: float = 1.0,
    start: TablePlane | None = None,
    wrong: int = 0,
    hidden: int = 0,
    seed: int = 1,
) -> Seen | None:
    """Of points that lie flat, are raised, are raised though nobody knows it, and are found elsewhere."""
    rng = np.random.default_rng(seed)
    count = flat + raised + hidden
    height_mm = np.where(np.arange(count) < flat, 0.0, rng.uniform(0, 60, count))
    px = BEFORE.to_image(rng.uniform((20, 20), (680, 480), (count, 2)), height_mm)
    places = BEFORE.to_table(px, height_mm)
    now_px = camera.to_image(places, height_mm) + rng.normal(0, NOISE_PX, (count, 2))
    now_px[rng.choice(count, wrong, replace=False)] += rng.uniform(-15, 15, (wrong, 2))
    known = (np.arange(count) >= flat) & (np.arange(count) < flat + raised)
    points = Sighted.of(BEFORE, camera.lens, BEFORE.to_table(px), now_px, known, TALL_MM)
    spread = np.diag(np.square([told_mm / 700] * 3 + [told_mm] * 3)) if told is not None else None
    begin = (start or camera).pose
    return points.camera(begin, Told.of(told.pose if told is not None else begin, spread, TALL_MM))


def off_mm(seen: Seen, camera: TablePlane) -> np.ndarray:
    now = replace(camera, rvec=seen.pose.rvec, tvec=seen.pose.tvec)
    return np.hypot(*(now.to_table(camera.to_image(GRID)) - GRID).T)


def sigma_mm(seen: Seen, camera: TablePlane) -> np.ndarray:
    lens = len(camera.lens.parameters)
    now = replace(camera, covariance=np.pad(seen.covariance, ((lens, 0), (lens, 0))))
    return now.sigma_mm(now.to_image(GRID))


def beside(camera: TablePlane, mm: float) -> TablePlane:
    """The camera taken to be elsewhere: so many mm along each axis, and turned by as much at the table's distance."""
    return replace(camera, rvec=camera.rvec + mm / 900, tvec=camera.tvec + mm)


@pytest.mark.parametrize("camera", [ASIDE, ROUND])
@pytest.mark.parametrize("start_mm", [0.0, 6.0])
def test_what_stands_on_the_table_and_what_lies_on_it_tell_where_the_camera_went(
    camera: TablePlane, start_mm: float
) -> None:
    seen = seen_from(camera, start=beside(camera, start_mm))
    assert seen is not None and seen.borne_out.all()
    assert off_mm(seen, camera).max() < 0.2


def test_the_stated_interval_holds() -> None:
    inside = []
    for seed in range(25):
        seen = seen_from(ROUND, flat=12, seed=seed)
        assert seen is not None
        inside += list(off_mm(seen, ROUND) <= SIGMAS_95 * sigma_mm(seen, ROUND))
    assert np.mean(inside) > 0.93


def test_points_that_are_found_elsewhere_count_for_nothing() -> None:
    seen = seen_from(ROUND, wrong=50)
    assert seen is not None and 40 <= (~seen.borne_out).sum() <= 55
    assert off_mm(seen, ROUND).max() < 0.25


def test_without_a_point_on_the_table_the_lowest_tell_roughly_how_far_the_camera_went() -> None:
    alone, told = seen_from(ROUND, flat=0), seen_from(ROUND, flat=0, told=beside(ROUND, 0.3))
    assert alone is not None and told is not None
    assert (off_mm(alone, ROUND) <= SIGMAS_95 * sigma_mm(alone, ROUND)).all()
    assert 1.0 < sigma_mm(alone, ROUND).max() < 5.0
    assert off_mm(told, ROUND).max() < 1.0 and sigma_mm(told, ROUND).max() < 1.0


def test_a_book_that_nobody_knows_of_is_not_the_ground_though_most_of_what_seems_to_lie_there_is_on_it() -> None:
    rng = np.random.default_rng(4)
    on_book, feet = rng.uniform((300, 200), (420, 300), (25, 2)), rng.uniform((20, 20), (680, 480), (90, 2))
    height_mm = np.r_[np.full(25, 10.0), rng.uniform(0, 50, 90)]
    px = BEFORE.to_image(np.vstack([on_book, feet]), height_mm)
    places = BEFORE.to_table(px, height_mm)
    now_px = ROUND.to_image(places, height_mm) + rng.normal(0, NOISE_PX, (115, 2))
    raised = np.arange(115) >= 25
    points = Sighted.of(BEFORE, ROUND.lens, BEFORE.to_table(px), now_px, raised, TALL_MM)
    seen = points.camera(ROUND.pose, Told.of(ROUND.pose, None, TALL_MM))
    assert seen is not None
    assert (off_mm(seen, ROUND) <= SIGMAS_95 * sigma_mm(seen, ROUND)).all()
    assert off_mm(seen, ROUND).max() < 3.0  # on the book's top it would be 6


def test_few_points_beside_what_is_known_to_stand_are_not_taken_for_the_table() -> None:
    seen = seen_from(ROUND, flat=0, hidden=4)
    assert seen is not None
    assert (off_mm(seen, ROUND) <= SIGMAS_95 * sigma_mm(seen, ROUND)).all()


def test_a_camera_that_is_taken_to_stand_elsewhere_is_not_borne_out() -> None:
    far = a_camera(50, 900, pan_deg=-140)
    assert seen_from(ROUND, start=far) is None
    assert seen_from(ROUND, flat=8, raised=8) is None


def test_the_camera_stays_where_it_was_seen_when_nothing_moved() -> None:
    seen = seen_from(BEFORE, start=beside(BEFORE, 2.0))
    assert seen is not None
    still = Pose(BEFORE.rvec, BEFORE.tvec)
    assert np.linalg.norm(seen.pose.position_mm - still.position_mm) < 0.5
