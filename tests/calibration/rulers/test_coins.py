"""Coins of known size as a calibration: pointed at and named, their rims tell the plane."""

import cv2
import numpy as np
import pytest

from calibration.lens import Lens
from calibration.pose import CameraGuess
from calibration.rulers.coins import CoinAt, coins_seen
from calibration.table import CalibrationSpec, calibrate_table
from tests.calibration.table_picture import a_camera, a_lens, shoot

SIZE = (1280, 720)
LENS = a_lens(SIZE)
TEXELS = 5
# Places, diameters and thicknesses: two euro, one euro, fifty cent, by the European Central Bank's table.
COINS = (
    ((70, 60), 25.75),
    ((330, 50), 23.25),
    ((210, 150), 24.25),
    ((60, 240), 23.25),
    ((350, 250), 25.75),
)
CORNERS = np.array([[0, 0], [420, 0], [420, 297], [0, 297]], float)


def a_picture(camera, grown=None, noise=2.0):
    """Flat discs on a plain sheet; `grown` is by how much one of them is larger than it is said to be."""
    sheet = np.full((297 * TEXELS, 420 * TEXELS), 190, np.uint8)
    for number, ((x, y), diameter) in enumerate(COINS):
        radius = diameter * (grown[1] if grown and grown[0] == number else 1.0) / 2 * TEXELS
        at = (round((x * TEXELS - 0.5) * 16), round((sheet.shape[0] - y * TEXELS - 0.5) * 16))
        cv2.circle(sheet, at, round((radius - 0.5) * 16), 90, -1, cv2.LINE_8, 4)
    return shoot(camera, sheet, TEXELS, rays=2, noise=noise, beyond=150)


def named(camera, off_px=0.0):
    """The coins as a person points at them, `off_px` off their middles."""
    pairs = zip(camera.to_image([place for place, _ in COINS]), COINS, strict=True)
    return tuple(CoinAt(f"{d} mm", (float(u) + off_px, float(v) - off_px), d, 0.0) for (u, v), (_, d) in pairs)


def lengths_mm(plane, camera):
    """Width and depth of the table as the plane measures them."""
    mm = plane.to_table(camera.to_image(CORNERS))
    return np.hypot(*(mm[1] - mm[0])), np.hypot(*(mm[3] - mm[0]))


@pytest.mark.parametrize("tilt_deg", [60])
def test_five_coins_alone_measure_a_table(tilt_deg):
    camera = a_camera(tilt_deg, 520, 3, 10, lens=LENS, aim_mm=(210, 150))
    plane = calibrate_table(a_picture(camera), CalibrationSpec(coins=named(camera, 2.0), lens=LENS))
    assert lengths_mm(plane, camera) == pytest.approx((420, 297), rel=0.02)
    assert {residual.source for residual in plane.residuals} == {f"coin {k}" for k in range(1, 6)}


def test_coins_alone_measure_a_small_table_in_a_telephones_picture():
    lens = a_lens((3840, 2160))
    camera = a_camera(60, 370, 3, 10, lens=lens, aim_mm=(210, 150))
    assert camera.px_per_mm([[210, 150]])[0] > 7
    plane = calibrate_table(a_picture(camera), CalibrationSpec(coins=named(camera, 2.0), lens=lens))
    assert lengths_mm(plane, camera) == pytest.approx((420, 297), rel=0.02)


def test_the_rims_are_where_the_coins_are_seen():
    camera = a_camera(60, 520, lens=LENS, aim_mm=(210, 150))
    notes: list[str] = []
    circles = coins_seen(a_picture(camera), named(camera, 3.0), LENS, CameraGuess(LENS, camera.pose), notes)
    assert not notes and len(circles) == len(COINS)
    for circle, ((x, y), diameter) in zip(circles, COINS, strict=True):
        out_mm = np.hypot(*(camera.to_table(circle.rim_px) - (x, y)).T)
        assert np.allclose(out_mm, diameter / 2, atol=0.5)
        assert circle.radius_mm == diameter / 2


def test_a_coin_that_is_not_there_is_said_to_be_missing():
    camera = a_camera(60, 520, lens=LENS, aim_mm=(210, 150))
    nothing = camera.to_image([[140, 220]])[0]
    notes: list[str] = []
    elsewhere = CoinAt("25.75 mm", (float(nothing[0]), float(nothing[1])), 25.75, 0.0)
    circles = coins_seen(a_picture(camera), (*named(camera), elsewhere), LENS, CameraGuess(LENS, camera.pose), notes)
    assert len(circles) == len(COINS)
    assert notes == [f"no rim of a 25.75 mm shows about ({nothing[0]:.0f}, {nothing[1]:.0f})"]


def test_a_coin_with_the_wrong_name_is_not_used():
    camera = a_camera(60, 520, lens=LENS, aim_mm=(210, 150))
    points = tuple((*px, *mm) for px, mm in zip(camera.to_image(CORNERS).tolist(), CORNERS.tolist(), strict=True))
    spec = CalibrationSpec(points=points, coins=named(camera), lens=LENS)
    plane = calibrate_table(a_picture(camera, grown=(2, 1.35)), spec)
    assert lengths_mm(plane, camera) == pytest.approx((420, 297), abs=0.3)
    used = {residual.source for residual in plane.residuals if not residual.rejected}
    assert "coin 3" not in used and {"coin 1", "coin 5"} <= used


def test_coins_without_a_lens_file_measure_too():
    camera = a_camera(55, 520, lens=LENS, aim_mm=(210, 150))
    plane = calibrate_table(a_picture(camera), CalibrationSpec(coins=named(camera)))
    assert lengths_mm(plane, camera) == pytest.approx((420, 297), rel=0.04)


def test_too_few_coins_are_refused_with_what_to_do():
    camera = a_camera(60, 520, lens=LENS, aim_mm=(210, 150))
    with pytest.raises(ValueError, match="at least four"):
        calibrate_table(a_picture(camera), CalibrationSpec(coins=named(camera)[:3], lens=Lens.unknown(SIZE)))
