import cv2
import numpy as np

from vision.detect.hex.hex_fit import Ground, fitted

LARGE_MM = (1200.0, 900.0)
PX_PER_MM = 2.0
STEP = 32.0 * np.exp(1j * np.radians(7.0))
ORIGIN = 221.3 + 147.7j


def dotted():
    """A large mat with a dot on each corner of its hexes."""
    reach = np.arange(-60, 61)
    q, r = np.meshgrid(reach, reach)
    centres = ORIGIN + STEP * (q + r * np.exp(1j * np.pi / 3)).ravel()
    corners = (centres[:, None] + STEP * np.exp(1j * np.pi / 6 * np.array([1, 3])) / np.sqrt(3)).ravel()
    strength = np.zeros([round(side * PX_PER_MM) for side in LARGE_MM[::-1]], np.float32)
    for at in corners:
        px = (round(at.real * PX_PER_MM), round((LARGE_MM[1] - at.imag) * PX_PER_MM))
        cv2.circle(strength, px, 3, 1.0, -1)
    return Ground(cv2.GaussianBlur(strength, (0, 0), 1.2), PX_PER_MM, complex(0, LARGE_MM[1]))


def test_dots_are_looked_at_both_ways_however_many_there_are():
    near = STEP * np.exp(1j * np.radians(0.1))
    fit = fitted(dotted(), complex(near), ORIGIN + 1 - 1j, "corners", LARGE_MM)
    assert fit is not None
    assert abs(fit.factor - STEP) < 0.02
    assert fit.present.mean() > 0.95
