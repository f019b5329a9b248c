"""What patches of two pictures tell of the way between them: across a grain, along it, and of noise nothing."""

import cv2
import numpy as np
import pytest

from calibration.kick.patches import compared, followed, squares
from calibration.kick.texture import Search, Texture

SIZE = (480, 640)


def noise(seed: int, blur_px: tuple[float, float]) -> np.ndarray:
    """Spots that are so soft across and down."""
    rng = np.random.default_rng(seed)
    soft = cv2.GaussianBlur(rng.normal(0, 1, SIZE), (0, 0), sigmaX=blur_px[0], sigmaY=blur_px[1])
    return 128 + 40 * soft / soft.std()


def texture(picture: np.ndarray, seed: int = 0, level: float = 1.0) -> Texture:
    """With a sensor's noise."""
    seen = picture + np.random.default_rng(seed).normal(0, level, picture.shape)
    return Texture.of_half(np.clip(np.round(seen), 0, 255).astype(np.uint8))


def shifted(picture: np.ndarray, x: float, y: float) -> np.ndarray:
    way = np.array([[1, 0, x], [0, 1, y]], float)
    return cv2.warpAffine(picture, way, picture.shape[::-1], flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REFLECT)


INNER = np.ones((30, 40), bool)
INNER[:2], INNER[-2:], INNER[:, :2], INNER[:, -2:] = False, False, False, False


@pytest.mark.parametrize("times", [1, 2])
def test_what_is_left_between_two_pictures_is_the_way_that_one_went(times: int) -> None:
    spots = noise(1, (6.0, 6.0))
    patches = compared(texture(spots), texture(shifted(spots, 0.4, -0.3), seed=1), times)
    assert len(squares(texture(spots), times)) == len(patches.alike)
    told = np.linalg.inv(patches.shared.sum(axis=0)) @ patches.pull.sum(axis=0)
    # Px, of which a half px has two; differences of neighbours make slopes a little flat, and steps a little long.
    assert told == pytest.approx([0.8, -0.6], rel=0.2)
    assert np.median(patches.alike) > 0.9


@pytest.mark.parametrize("size", [(319, 639), (320, 640), (321, 641)])
def test_pictures_of_any_size_are_compared_square_by_square(size: tuple[int, int]) -> None:
    odd = Texture.of_half(np.zeros(size, np.uint8))
    assert all(len(compared(odd, odd, times).alike) == len(squares(odd, times)) for times in (1, 2))


def test_along_the_grain_a_patch_tells_next_to_nothing() -> None:
    wood = noise(2, (90.0, 2.5))
    patches = compared(texture(wood, level=4), texture(shifted(wood, 0.0, 0.4), seed=1, level=4), 1)
    inner = patches.only(INNER.ravel())
    assert np.median(inner.shared[:, 1, 1] / np.maximum(inner.shared[:, 0, 0], 1e-9)) > 30
    told = np.linalg.inv(inner.shared.sum(axis=0)) @ inner.pull.sum(axis=0)
    assert told[1] == pytest.approx(0.8, rel=0.4)
    # Noise alone has slopes too, but none that two pictures share.
    assert np.median(inner.told[:, 0, 0]) > 4 * abs(np.median(inner.shared[:, 0, 0]))


def test_flow_finds_what_lies_far_off_and_says_how_well() -> None:
    spots, wood = noise(3, (4.0, 4.0)), noise(4, (60.0, 1.5))
    px = squares(texture(spots), 1)[INNER.ravel()]
    far = followed(texture(spots), texture(shifted(spots, 9.0, -6.0), seed=1), px, Search(3, 31))
    found = far.alike > 0.8
    assert found.mean() > 0.8
    assert np.median(far.off_px()[found], axis=0) == pytest.approx([18.0, -12.0], abs=0.1)
    grain = followed(texture(wood, level=8), texture(shifted(wood, 0.0, 0.4), seed=1, level=8), px, Search(1, 31))
    assert np.median(grain.told[:, 1, 1] / grain.told[:, 0, 0]) > 1.3


def test_what_has_nothing_to_do_with_it_is_not_alike() -> None:
    patches = compared(texture(noise(5, (3.0, 3.0))), texture(noise(6, (3.0, 3.0)), seed=1), 1)
    assert np.median(np.abs(patches.alike)) < 0.3
    sigmas = patches.sigmas(patches.off_px())
    assert np.isfinite(sigmas).all() and np.isfinite(patches.px_of(sigmas)).all()
