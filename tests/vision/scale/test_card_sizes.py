"""Cards as bright as what they lie on, measured by the size that their edges bear out."""

import cv2
import numpy as np
import pytest
from shapely import Polygon

from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from vision.detection import Detection
from vision.frame import Frame
from vision.scale.card_sizes import size_proofs
from vision.shape.rectangle import rectangle_corners

POKER = (88.9, 63.5)
LIES = ((120.0, 120.0, 20.0), (330.0, 140.0, 75.0), (160.0, 300.0, 110.0), (380.0, 310.0, 0.0))
PX_PER_MM = 2.0


def granite(lies=LIES, seed=47001):
    """A picture straight down, of stone as bright as the cards on it."""
    rng = np.random.default_rng(seed)
    grain = cv2.GaussianBlur(rng.normal(0, 40, (900, 1100)).astype(np.float32), (0, 0), 1.2)
    gray = np.clip(212 + grain, 0, 255)
    for x, y, turn_deg in lies:
        corners = rectangle_corners(np.array([x, y]), np.radians(turn_deg), POKER) * PX_PER_MM * (1, -1) + (0, 899)
        card = cv2.fillConvexPoly(np.zeros(gray.shape, np.uint8), np.rint(corners * 16).astype(int), 1, shift=4)
        gray = np.where(card > 0, 232, gray)
    return Frame(cv2.cvtColor(cv2.GaussianBlur(gray, (0, 0), 0.7).astype(np.uint8), cv2.COLOR_GRAY2BGR))


def told(share):
    """The plane of that picture, of a table that was told larger by a share."""
    corners_px = np.array([(0, 899), (1099, 899), (1099, 0), (0, 0)], float)
    corners_mm = (corners_px * (1, -1) + (0, 899)) / PX_PER_MM * (1 + share)
    return fit_plane(Correspondences.of(corners_px, corners_mm), None, (1100, 900))


def read(share, lies=LIES, size_mm=POKER):
    """Cards as the eyes find them there, a little off."""
    places = [(x * (1 + share) + 1, y * (1 + share) - 1) for x, y, _ in lies]
    return [
        Detection(
            "card",
            "AS",
            place,
            Polygon(rectangle_corners(np.array(place), np.radians(turn_deg + 1), size_mm)),
            0.4,
            0.99,
            (0.0, 0.0),
            rotation_deg=turn_deg + 1,
        )
        for place, (_, _, turn_deg) in zip(places, lies, strict=True)
    ]


@pytest.mark.parametrize("share", [0.0, 0.05, -0.05])
def test_a_wrong_scale_shows_in_the_size_of_cards_on_granite(share):
    proofs = size_proofs(granite(), told(share), read(share), POKER)
    assert len(proofs) >= 3 and {proof.kind for proof in proofs} == {"card"}
    assert np.median([proof.off_mm / proof.true_mm for proof in proofs]) == pytest.approx(share, abs=0.008)


def test_a_card_that_is_found_in_another_size_proves_nothing():
    assert size_proofs(granite(), told(0.0), read(0.0, size_mm=(88.9, 57.15)), POKER) == []


def test_grain_alone_bears_out_no_size():
    assert size_proofs(granite(lies=()), told(0.0), read(0.0), POKER) == []
    assert size_proofs(granite(), told(0.0), [], POKER) == []
