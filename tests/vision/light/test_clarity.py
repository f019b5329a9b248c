"""A drawn table, spoilt by known amounts: what is measured is what was done to it."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from tests.vision.planes import plane_from
from vision.frame import Frame
from vision.light.clarity import clarity_anywhere, clarity_of
from vision.light.developed import developed
from vision.light.faults import faults_of

TABLE_MM = (300.0, 200.0)
SIZE_PX = (640, 480)
PLANE = plane_from((150.0, -150.0, 350.0), (150.0, 100.0), SIZE_PX, 700.0)


def picture(seed=0, bright=225):
    """A map: patches of colour with sharp borders, and discs."""
    rng = np.random.default_rng(seed)
    drawn = np.full((SIZE_PX[1], SIZE_PX[0], 3), bright, np.uint8)
    for _ in range(80):
        at, radius = rng.integers(0, SIZE_PX[0], 2), int(rng.integers(6, 30))
        shade = rng.integers(40, bright, 3).tolist()
        cv2.circle(drawn, (int(at[0]), int(at[1] % SIZE_PX[1])), radius, shade, -1, cv2.LINE_AA)
    return drawn


def noisy(image, sigma, seed=1):
    rng = np.random.default_rng(seed)
    return np.clip(np.rint(image + rng.normal(0, sigma, (*image.shape[:2], 1))), 0, 255).astype(np.uint8)


def clarity(image):
    return clarity_of(Frame(image), PLANE, TABLE_MM)


def kinds(image):
    return [fault.kind for fault in faults_of(clarity(image))]


@pytest.mark.parametrize("seed", range(4))
def test_a_good_picture_is_not_complained_about_and_stays_as_it_is(seed):
    frame = Frame(noisy(picture(seed), 1.5))
    seen = clarity_of(frame, PLANE, TABLE_MM)
    assert faults_of(seen) == ()
    assert developed(frame, seen) is frame


@pytest.mark.parametrize("sigma_px", [1.0, 1.5, 2.0, 3.0])
def test_blur_is_measured_to_a_fifth(sigma_px):
    soft = cv2.GaussianBlur(picture(), (0, 0), sigma_px)
    assert clarity(noisy(soft, 1.0)).edge_px == pytest.approx(sigma_px, rel=0.2)


def test_the_rounded_slopes_of_a_plain_cloth_are_no_sharp_edges():
    """A few dark things at the far edge, and folds of a few grey levels everywhere else."""
    across, down = np.meshgrid(np.arange(SIZE_PX[0]), np.arange(SIZE_PX[1]))
    folds = 120 + 8 * np.sin(across / 25 + down / 60)
    drawn = np.repeat(np.rint(folds)[..., None], 3, axis=2).astype(np.uint8)
    for u in range(80, 600, 40):
        cv2.circle(drawn, (u, 50), 9, (30, 30, 30), -1, cv2.LINE_AA)
    soft = np.rint(cv2.GaussianBlur(drawn.astype(np.float32), (0, 0), 3.0)).astype(np.uint8)
    assert clarity_anywhere(Frame(soft)).edge_px == pytest.approx(3.0, rel=0.2)


@pytest.mark.parametrize("sigma", [2.0, 5.0, 10.0, 20.0])
def test_grain_is_measured_to_a_tenth(sigma):
    assert clarity(noisy(picture(bright=150), sigma)).grain == pytest.approx(sigma, rel=0.1)


def test_every_fault_is_told_with_what_to_do():
    jpeg = cv2.imdecode(cv2.imencode(".jpg", picture(), [cv2.IMWRITE_JPEG_QUALITY, 8])[1], cv2.IMREAD_COLOR)
    white = picture()
    white[100:380, 200:440] = 255
    spoilt = {
        "dark": picture() // 6,
        "blurred": cv2.GaussianBlur(picture(), (0, 0), 2.5),
        "grainy": noisy(picture(bright=150), 12.0),
        "coded": jpeg,
        "grey": cv2.cvtColor(cv2.cvtColor(picture(), cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR),
        "glare": white,
    }
    for kind, image in spoilt.items():
        assert kind in kinds(image)
    assert all(": " in str(fault) for image in spoilt.values() for fault in faults_of(clarity(image)))


def test_glare_is_told_with_where_it_is():
    white = picture()
    at_px = np.round(PLANE.to_image([(200.0, 120.0)])[0]).astype(int)
    cv2.circle(white, tuple(map(int, at_px)), 40, (255, 255, 255), -1)
    seen = clarity(white)
    assert seen.clipped_mm == pytest.approx((200, 120), abs=15)
    assert f"near {seen.clipped_mm[0]:.0f}, {seen.clipped_mm[1]:.0f} mm" in str(faults_of(seen)[0])


def test_a_picture_of_nothing_is_only_as_dark_as_it_is():
    wood, black = (Frame(np.full((480, 640, 3), level, np.uint8)) for level in ((70, 100, 130), (8, 8, 8)))
    assert faults_of(clarity_anywhere(wood)) == ()
    assert [fault.kind for fault in faults_of(clarity_anywhere(black))] == ["black"]


def test_a_far_camera_is_told():
    far = plane_from((150.0, -600.0, 1400.0), (150.0, 100.0), SIZE_PX, 700.0)
    assert [fault.kind for fault in faults_of(clarity_of(Frame(picture()), far, TABLE_MM))] == ["far"]


def test_a_picture_beside_the_table_is_not_complained_about():
    aside = plane_from((5000.0, 100.0, 350.0), (5000.0, 101.0), SIZE_PX, 700.0)
    assert faults_of(clarity_of(Frame(picture()), aside, TABLE_MM)) == ()


def test_what_is_dark_is_lit_as_if_it_had_been_lit():
    good = picture()
    light = (good / 255.0) ** 2.2 * 0.1
    dark = np.rint(255 * light ** (1 / 2.2)).astype(np.uint8)
    lit = developed(Frame(dark), clarity(dark)).image_bgr
    assert clarity(lit).bright == pytest.approx(200, abs=6)
    ratio = lit.reshape(-1, 3).astype(float).mean(axis=0) / good.reshape(-1, 3).mean(axis=0)
    assert np.ptp(ratio) < 0.03


def coins_on_black(count):
    """Silver discs, brighter to the right, each with an orange dot."""
    cloth = np.full((SIZE_PX[1], SIZE_PX[0], 3), 18, np.uint8)
    shade = np.repeat(np.linspace(110, 175, SIZE_PX[0]).astype(np.uint8)[None, :, None], 3, axis=2)
    for index in range(count):
        at = (200 + 60 * index, 240)
        coin = cv2.circle(np.zeros(cloth.shape[:2], np.uint8), at, 18, 1, -1) > 0
        cloth[coin] = np.broadcast_to(shade, cloth.shape)[coin]
        cv2.circle(cloth, at, 6, (20, 90, 180), -1)
    return cloth


def test_a_few_coins_on_a_black_cloth_are_a_good_picture():
    assert "dark" not in kinds(coins_on_black(4))
    assert "dark" in kinds(coins_on_black(4) // 4)


def test_silver_and_dots_on_a_black_cloth_keep_their_drawing_and_hue_when_it_is_lit():
    seen = coins_on_black(4)
    lit = developed(Frame(seen), replace(clarity(seen), edge_px=0.5, grain=1.0)).image_bgr
    assert lit[10, 10, 0] > 20
    silver = lit[228, 192:209, 0].astype(int)
    assert (np.diff(silver) >= 0).all()
    assert silver[-1] < 252
    assert np.ptp(lit[228, 190:400, 0][seen[228, 190:400, 0] > 100]) > 15
    blue, green, red = lit[240, 200].astype(float)
    assert (blue / red, green / red) == pytest.approx((20 / 180, 90 / 180), abs=0.05)


def test_what_is_blurred_is_nearer_to_the_sharp_picture_after_it_was_developed():
    good = picture()
    soft = cv2.GaussianBlur(good, (0, 0), 1.6)
    sharp = developed(Frame(soft), clarity(soft)).image_bgr
    assert np.square(sharp.astype(float) - good).mean() < 0.6 * np.square(soft.astype(float) - good).mean()
