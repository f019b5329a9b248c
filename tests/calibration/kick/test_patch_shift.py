"""Patches found to a hundredth of a pixel, whatever their light and contrast."""

import cv2
import numpy as np

from calibration.kick.patch_shift import refined

RNG = np.random.default_rng(4)
PRINT = np.asarray(
    cv2.GaussianBlur(RNG.integers(0, 256, (240, 320)).astype(np.float32), (0, 0), 2.0) * 4 - 384, np.float64
)
PLACES = np.array([[u, v] for u in range(40, 300, 40) for v in range(40, 220, 40)], float)


def _drawn(shift_px, contrast=1.0, light=0.0):
    """The print by its spectrum, moved without a pixel's interpolation."""
    rows, columns = (np.fft.fftfreq(side) for side in PRINT.shape)
    turn = np.exp(-2j * np.pi * (columns * shift_px[0] + rows[:, None] * shift_px[1]))
    moved = np.fft.ifft2(np.fft.fft2(PRINT) * turn).real
    return np.clip(np.round(moved * contrast + light), 0, 255).astype(np.uint8)


def test_a_shift_is_told_to_a_hundredth_in_half_the_contrast_and_other_light():
    shift_px = np.array([0.08, -0.05])
    found = refined(_drawn((0, 0)), _drawn(shift_px, 0.5, 60), PLACES, PLACES)
    assert np.abs(np.median(found - PLACES, axis=0) - shift_px).max() < 0.01
    assert np.std(found - PLACES, axis=0).max() < 0.02


def test_from_half_a_pixel_off():
    found = refined(_drawn((0, 0)), _drawn((0.0, 0.0)), PLACES, PLACES + np.array([0.5, -0.4]))
    assert np.abs(found - PLACES).max() < 0.02


def test_what_does_not_show_is_nowhere():
    hidden = _drawn((0, 0))
    hidden[:, 160:] = 90
    found = refined(_drawn((0, 0)), hidden, PLACES, PLACES)
    assert np.isnan(found[PLACES[:, 0] > 180]).all()
    assert np.isfinite(found[PLACES[:, 0] < 140]).all()
