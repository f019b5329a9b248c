"""The rim net: where a coin is and how large, learnt from tables of which both are known.

Edges alone take the raised border for the rim, or its shadow (`vision.shape.circle`): at two pixels a millimetre they
are one blur of three pixels. The net has seen which part of the blur the rim is.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.loading import load_model
from models.rims import OUTPUTS, RAYS, SHARES
from vision.frame import ImageBgr
from vision.metric.around import unrolled
from vision.rows import Rows

Array = NDArray[np.float64]

# It looks again at the circle that it found itself, which it then sees in the middle of the strip, and once more where
# that moved it by more than this share of the radius: a guess a third too large takes three looks.
_LOOKS, _MOVED = 3, 0.06
# The net sees a rim so much smaller than it is (medians of photographs 0.97 to 0.985, but the webcam's 1.007; of
# rendered stills 0.985).
_SEEN_RADIUS = 0.985
# An answer farther off than this, in radii, is none: a guess that bad was never taught.
_FARTHEST = 0.35
# The net's centres lean towards the camera, where a coin's side shows: by so many mm, and by this share of how far its
# foot shows outside its rim (five sets of rendered coins 0.10 and 0.06, path-traced ones 0.05 and 0.2).
_LEANS_MM, _LEANS_TO_FOOT = 0.07, 0.1
# Laplace's law with spread b has the variance 2 b^2.
SIGMA_OF_SPREAD = 2**0.5


@dataclass(frozen=True, eq=False)
class Circles(Rows):
    """n coins: centre_mm (n, 2) and radius_mm (n,) in the plane looked at, each with its standard deviation (n,).

    sigma_mm  of the centre in each direction
    """

    centre_mm: Array
    radius_mm: Array
    sigma_mm: Array
    radius_sigma_mm: Array

    def sharper(self, other: Circles, share: float, doubt: float) -> Circles:
        """The circles, replaced by those of another look where both radii agree to `share` and the other look doubts
        its own no more than `doubt` (logarithm of sigma over radius)."""
        agree = np.abs(np.log(other.radius_mm / self.radius_mm)) < share
        agree &= np.log(other.radius_sigma_mm / other.radius_mm) < doubt
        return self._or(other, agree)

    def surer(self, other: Circles, near: float) -> Circles:
        """The circles, replaced by those of another look where it doubts the radius less and its centre is within
        `near` radii: beyond, it has met a neighbour."""
        doubts_less = other.radius_sigma_mm / other.radius_mm < self.radius_sigma_mm / self.radius_mm
        apart = np.linalg.norm(other.centre_mm - self.centre_mm, axis=1)
        return self._or(other, doubts_less & (apart < near * self.radius_mm))

    def _or(self, other: Circles, take: NDArray[np.bool_]) -> Circles:
        return Circles(
            np.where(take[:, None], other.centre_mm, self.centre_mm),
            np.where(take, other.radius_mm, self.radius_mm),
            np.where(take, other.sigma_mm, self.sigma_mm),
            np.where(take, other.radius_sigma_mm, self.radius_sigma_mm),
        )


def look_at_rims(
    image_bgr: ImageBgr,
    plane: TablePlane,
    centre_mm: Array,
    radius_mm: Array,
    height_mm: Array,
    looks: int = _LOOKS,
) -> Circles:
    """The coins near circles guessed at `centre_mm` (n, 2) with `radius_mm` (n,), in the planes at `height_mm` (n,)."""
    centre, radius = np.array(centre_mm, float), np.array(radius_mm, float)
    told = np.zeros((len(radius), len(OUTPUTS)))
    for look in range(looks):
        asked = np.abs(told[:, :3]).max(axis=1) > _MOVED if look > 1 else np.full(len(radius), True)
        if asked.any():
            at = centre[asked], radius[asked], height_mm[asked]
            told[asked] = _told(unrolled(image_bgr, plane, at, RAYS, SHARES)[0])
            centre[asked] += told[asked, :2] * radius[asked, None]
            radius[asked] *= np.exp(told[asked, 2])
    radius = radius / _SEEN_RADIUS
    spread = SIGMA_OF_SPREAD * np.exp(told[:, 3:]) * radius[:, None]
    return Circles(centre, radius, spread[:, 0], spread[:, 1])


def upright(plane: TablePlane, centre_mm: Array, thickness_mm: Array) -> Array:
    """(n, 2) the centres (n, 2) that the net told, freed of their lean towards the camera."""
    away = plane.camera_position_mm[:2] - centre_mm
    far_mm = np.maximum(np.linalg.norm(away, axis=1), 1e-6)
    foot_mm = thickness_mm * far_mm / plane.camera_position_mm[2]
    return np.asarray(centre_mm - away * ((_LEANS_MM + _LEANS_TO_FOOT * foot_mm) / far_mm)[:, None], float)


def _told(strips: ImageBgr) -> Array:
    """(n, 5) what the net says of strips; see `models.rims.OUTPUTS`."""
    picture = np.ascontiguousarray(strips.transpose(0, 3, 1, 2), np.float32)
    (told,) = load_model("rim").run(None, {"strips": picture})
    return np.asarray(
        np.clip(told, (-_FARTHEST, -_FARTHEST, -_FARTHEST, -7, -7), (_FARTHEST, _FARTHEST, _FARTHEST, 0, 0))
    )
