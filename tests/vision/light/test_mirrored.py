"""A lamp that is mirrored is told with where; what is white or shines in itself is none."""

import cv2
import numpy as np
import pytest

from tests.vision.light.test_clarity import PLANE, TABLE_MM, clarity, picture
from vision.frame import Frame
from vision.light import srgb
from vision.light.clarity import clarity_of
from vision.light.faults import faults_of
from vision.light.mirrored import glow_px

SHOWN = np.ones((480, 640), bool)


def wood(seed: int = 3) -> np.ndarray:
    """Brown wood with copper discs on it, as the lamp's haze was seen over."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 1, (480, 640)), (0, 0), sigmaX=12, sigmaY=1) * 60
    drawn = np.clip(np.array([25, 60, 120]) + grain[..., None], 0, 255).astype(np.uint8)
    for _ in range(40):
        at = tuple(map(int, rng.integers(20, (620, 460))))
        cv2.circle(drawn, at, 22, (60, 110, 190), -1, cv2.LINE_AA)
        cv2.circle(drawn, at, 12, (45, 90, 170), 2, cv2.LINE_AA)
    return drawn


def with_a_glow(image: np.ndarray, at_px: tuple[float, float], light: float, spread_px: float) -> np.ndarray:
    rows, columns = np.mgrid[: image.shape[0], : image.shape[1]]
    glow = light * np.exp(-((columns - at_px[0]) ** 2 + (rows - at_px[1]) ** 2) / (2 * spread_px**2))
    return srgb.rounded((srgb.light_in(image) + glow[..., None]).astype(np.float32))


@pytest.mark.parametrize("light", [0.6, 0.8])
@pytest.mark.parametrize("at_px", [(300.0, 250.0), (420.0, 200.0)])
def test_a_mirrored_lamp_is_told_with_where(light: float, at_px: tuple[float, float]) -> None:
    assert glow_px(with_a_glow(wood(), at_px, light, 26.0), SHOWN) == pytest.approx(at_px, abs=8)


def test_it_is_told_on_the_table_alone() -> None:
    beside = SHOWN.copy()
    beside[:, 200:] = False
    assert glow_px(with_a_glow(wood(), (300.0, 250.0), 0.8, 26.0), beside) is None


def test_what_is_told_says_what_to_do() -> None:
    at_px = tuple(PLANE.to_image([(170.0, 110.0)])[0])
    seen = clarity_of(Frame(with_a_glow(wood(), at_px, 0.75, 14.0)), PLANE, TABLE_MM)
    told = [str(fault) for fault in faults_of(seen) if fault.kind == "glare"]
    assert len(told) == 1 and "near 1" in told[0]


@pytest.mark.parametrize("seed", range(3))
def test_nothing_is_mirrored_in_a_good_picture(seed: int) -> None:
    assert clarity(picture(seed)).glow_mm is None
    assert glow_px(wood(seed), SHOWN) is None


def test_white_paper_and_silver_are_no_lamps() -> None:
    drawn = wood()
    cv2.circle(drawn, (300, 250), 45, (235, 240, 240), -1, cv2.LINE_AA)
    cv2.rectangle(drawn, (420, 150), (500, 230), (250, 250, 250), -1)
    assert glow_px(drawn, SHOWN) is None


def test_a_lamp_that_blows_a_light_ground_out_is_told() -> None:
    ground = np.full((480, 640, 3), (185, 195, 200), np.uint8)
    lit = with_a_glow(ground, (330.0, 240.0), 0.8, 16.0)
    assert glow_px(lit, SHOWN) == pytest.approx((330, 240), abs=4)


def test_white_on_a_light_ground_is_no_lamp() -> None:
    ground = np.full((480, 640, 3), (185, 195, 200), np.uint8)
    cv2.circle(ground, (330, 240), 14, (255, 255, 255), -1, cv2.LINE_AA)
    assert glow_px(cv2.GaussianBlur(ground, (0, 0), 1.0), SHOWN) is None
