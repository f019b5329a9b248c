"""How large a die is shows by what it covers where its edges do not tell; else it is doubtful."""

import cv2
import numpy as np
import pytest

from tests.calibration.table_picture import a_camera
from tests.vision.detect.die.test_die_edges import shown
from vision.detect.die.die_edges import die_forms
from vision.detect.die.die_silhouette import area_mm2, covered
from vision.detect.die.die_size import SIDES_MM, die_sizes

CAMERA = a_camera(50, 700)
TURN = np.radians(20)


def on_noise(side_mm, ground, die, beside_mm=()):
    """A picture of a die with round edges and no pips, blurred, and where the middle of its top shows; of others beside
    it, too, whose middles lie so far from its own."""
    points = [
        side_mm / 2 * each * (0.72 + 0.28 / max(1.0, float(np.linalg.norm(each))))
        for each in np.stack(np.meshgrid(*[np.linspace(-1, 1, 7)] * 3), -1).reshape(-1, 3)
    ]
    turned = np.array(points) @ np.array([[np.cos(TURN), np.sin(TURN), 0], [-np.sin(TURN), np.cos(TURN), 0], [0, 0, 1]])
    image = np.full((CAMERA.lens.size_px[1], CAMERA.lens.size_px[0], 3), ground, np.uint8)
    for apart_mm in ((0, 0), *beside_mm):
        at_mm = np.add((300, 260), apart_mm)
        px = np.concatenate([CAMERA.to_image(at_mm + x[None, :2], x[2] + side_mm / 2) for x in turned])
        hull = cv2.convexHull(np.rint(px * 16).astype(np.int32))
        cv2.fillPoly(image, [hull], die, cv2.LINE_AA, 4)
    noisy = cv2.GaussianBlur(image, (0, 0), 1.2) + np.random.default_rng(2).normal(0, 2, image.shape)
    return np.clip(noisy, 0, 255).astype(np.uint8), CAMERA.to_table(CAMERA.to_image([(300, 260)], side_mm))[0]


def alone(picture, at_mm, hiding=()):
    """The size of one die whose edges say nothing."""
    return die_sizes(picture, CAMERA, [(at_mm, TURN), *hiding], [np.ones(len(SIDES_MM))])[0]


def by_edges(*borne):
    """The sizes of dice of the ground's colour, far from one another, that lie on so much edge at each side."""
    picture = np.full((CAMERA.lens.size_px[1], CAMERA.lens.size_px[0], 3), 150, np.uint8)
    return die_sizes(picture, CAMERA, [(np.array([100.0 * (i + 1), 260]), TURN) for i in range(len(borne))], borne)


@pytest.mark.parametrize("side_mm", [12, 14, 18, 20])
def test_what_it_covers_tells_its_size_where_edges_say_nothing(side_mm):
    picture, at_mm = on_noise(side_mm, (70, 80, 75), (40, 40, 190))
    size = alone(picture, at_mm)
    assert abs(size.side_mm - side_mm) < 2.45 * size.side_sigma_mm
    assert size.side_sigma_mm < 2.3
    assert abs(size.side_mm - side_mm) < abs(16 - side_mm) + 0.1


def test_a_die_of_the_grounds_colour_is_of_the_usual_side_and_that_is_doubtful():
    picture, at_mm = on_noise(19, (150, 150, 150), (152, 150, 151))
    size = alone(picture, at_mm)
    assert size.side_mm == 16.0
    assert size.side_sigma_mm > 2
    assert not size.aside_mm.any()


def test_where_the_net_points_between_top_and_front_the_silhouette_tells_where_the_top_is():
    """Of small dice the net points up to 3.7 mm nearer to the camera than the middle of the top."""
    picture, at_mm = on_noise(13, (70, 80, 75), (40, 40, 190))
    pointed_mm = at_mm - np.array([0, 2.5])
    size = alone(picture, pointed_mm)
    assert np.linalg.norm(pointed_mm + size.aside_mm - at_mm) < 1.7


def test_a_die_covers_what_is_no_ground_up_to_its_own_outline():
    picture, at_mm = on_noise(16, (70, 80, 75), (40, 40, 190))
    covers, off_mm = covered(picture, CAMERA, at_mm, TURN, np.arange(10.0, 23.0))
    assert abs(np.arange(10.0, 23.0)[covers.argmax()] - 16) <= 1
    assert covers.max() == pytest.approx(area_mm2(CAMERA, at_mm, TURN, 16), rel=0.2)
    assert np.abs(off_mm[6]).max() <= 1


def test_a_shadow_beside_a_die_makes_it_no_larger():
    picture, at_mm = shown((300, 260), 20, 12)
    plain = die_forms(picture, CAMERA, at_mm)[0].size
    u, v = np.rint(CAMERA.to_image([(309, 262)])[0]).astype(int)
    shade = np.ones(picture.shape[:2])
    cv2.circle(shade, (u, v), 14, 0.75, -1)
    lit = cv2.convexHull(
        np.rint(
            np.concatenate(
                [CAMERA.to_image([(300 + dx, 260 + dy) for dx in (-8, 8) for dy in (-8, 8)], h) for h in (0, 12)]
            )
        ).astype(np.int32)
    )
    cv2.fillPoly(shade, [lit], 1.0)
    shaded = die_forms((picture * shade[..., None]).astype(np.uint8), CAMERA, at_mm)[0].size
    assert shaded.side_mm == pytest.approx(plain.side_mm, abs=1.5)


@pytest.mark.parametrize("gap_mm", [0.5, 3, 8])
@pytest.mark.parametrize(("quarter", "sigma_mm"), [(0, 1.0), (2, 1.0), (3, 2.2)])
def test_a_die_beside_another_is_no_larger_and_lies_where_it_lay(gap_mm, quarter, sigma_mm):
    """What shows of the other is no ground either: the die seemed 19 mm large, or its own colour that of the ground."""
    way = TURN + quarter * np.pi / 2
    apart_mm = (16 + gap_mm) * np.array([np.cos(way), np.sin(way)])
    picture, at_mm = on_noise(16, (70, 80, 75), (40, 40, 190), [apart_mm])
    beside_mm = CAMERA.to_table(CAMERA.to_image([np.add((300, 260), apart_mm)], 16))[0]
    size = alone(picture, at_mm, [(beside_mm, TURN)])
    assert size.side_mm == 16.0
    assert size.side_sigma_mm < sigma_mm
    assert np.linalg.norm(size.aside_mm) < 0.1


def test_dice_all_round_leave_no_ground_to_look_at_and_the_size_is_told_all_the_same():
    around = [(18 * i, 18 * j) for i in range(-3, 4) for j in range(-3, 4) if (i, j) != (0, 0)]
    picture, at_mm = on_noise(16, (70, 80, 75), (40, 40, 190), around)
    tops = [(at_mm + np.array(apart_mm) * 1.05, TURN) for apart_mm in around]
    assert alone(picture, at_mm, tops).side_mm == 16.0


def test_a_doubtful_die_is_as_large_as_the_others_on_the_table_are():
    """Dice on one table are mostly of one set: each was told by itself, so that one of six was 4 mm larger."""
    doubtful = np.where(SIDES_MM < 13, 1.0, 0.3)
    surely = np.where(SIDES_MM < 13, 1.0, 0.0)
    assert by_edges(np.where(SIDES_MM < 13, 1.0, 0.5))[0].side_mm == 16.0
    by_itself = by_edges(doubtful)[0]
    of_a_set = by_edges(doubtful, *[surely] * 5)[0]
    of_another = by_edges(doubtful, *[np.where(SIDES_MM == 16, 1.0, 0.0)] * 5)[0]
    assert abs(of_a_set.side_mm - 12) < min(2.5, abs(by_itself.side_mm - 12))
    assert of_a_set.side_sigma_mm < by_itself.side_sigma_mm
    assert of_another.side_mm == 16.0


def test_the_net_points_the_nearer_to_the_camera_the_smaller_a_die_is_and_so_both_are_off_the_same_way():
    (small,) = by_edges(np.where(SIDES_MM < 13, 1.0, 0.0))
    (large,) = by_edges(np.where(SIDES_MM > 18, 1.0, 0.0))
    (usual,) = by_edges(np.where(SIDES_MM == 16, 1.0, 0.0))
    toward = CAMERA.camera_position_mm[:2] - np.array([100.0, 260.0])
    assert small.aside_mm @ toward < usual.aside_mm @ toward < large.aside_mm @ toward
    assert not usual.aside_mm.any()
    for size in (small, large, usual):
        aside_mm = np.linalg.norm(toward) / CAMERA.camera_position_mm[2]
        # A mm of the side moves the top by that along the way of sight, and where it is pointed at by 0.1 mm more.
        assert size.height_sigma_mm * aside_mm == pytest.approx(size.side_sigma_mm * (aside_mm + 0.1), rel=1e-3)


def test_where_there_are_no_dice_no_sizes_are_told():
    assert by_edges() == []
