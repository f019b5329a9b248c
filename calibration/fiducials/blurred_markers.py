"""What blur does to a marker's corners: where it is a good part of a bit, the white of the code runs through the black
border, and pulls each side by what lies behind it.

At a blur of 1.5 px (standard deviation) the sides of markers 30 px wide lie up to 0.3 px aside so, each its own way,
which no error common to all tells. But what lies behind is known: each marker is drawn where it was found, as soft as
the picture is, and by as much as its corners are then found beside where they were drawn they are put right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edges.edge import fit_quads, shortest_px, sides_softness, softness_of
from calibration.fiducials.markers import Marker, dictionary_named, gray_of, marker_image
from calibration.fit.correspondence import inward

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# Below this share of the smallest bit blur does not reach through a border: of markers drawn and found, what is not
# common to a marker's sides is 0.03 px then, put right or not.
_REACHES_SHARE = 0.2
# Shake softens two sides more than the other two, 1.1 to 1.7 times (4 px at a blur of 0.8; along a diagonal not); out
# of focus one marker in eight does, seen from 20 degrees above the table, none from higher. It would be put wrong.
_SHAKEN = 1.12
# Of what each marker is put right by, so much remains (0.41 to 0.54 on drawn pictures at blurs of 1.5 to 2.5 px).
_LEFT_SHARE = 0.5
# And a soft side is found to this share of its blur, whatever lies behind it: 0.03 to 0.05 px at 1.5 px.
_SOFT_SHARE = 0.03
# How a picture shows light, and how bright paper is drawn; ink as much darker as the largest marker's darkest and
# brightest places tell. The paper is taken for wide: how wide it is nobody told, and its end does alike to all sides.
_GAMMA, _PAPER, _EXTREMES = 2.2, 0.8, (3.0, 97.0)
_RAYS, _MARGIN_PX = 4, 12
# Drawn where they were found at first, they are found nearer to where they show the second time.
_TIMES = 2
# How soft a drawn marker is to be, is found in so many steps, each by no more than this factor.
_STEPS, _FARTHEST_STEP = 4, 1.4


def unpulled(image: Image, markers: Sequence[Marker], dictionary: str) -> tuple[Marker, ...]:
    """The markers of one picture, (h, w) or (h, w, 3), their corners put right by what the blur does to them; as they
    are where it is too sharp for that or in motion, or where their corners are rough."""
    fitted = [marker for marker in markers if marker.soft_px > 0]
    if not fitted:
        return tuple(markers)
    sides_px = shortest_px(np.array([marker.corners_px for marker in fitted]))
    bits = dictionary_named(dictionary).markerSize + 2
    # A drawn one is softer than it is told to be, not sharper.
    if max(marker.soft_px for marker in fitted) < _REACHES_SHARE * sides_px.min() / bits:
        return tuple(markers)
    largest = fitted[int(sides_px.argmax())]
    gray = gray_of(image)
    if _is_shaken(gray, largest):
        return tuple(markers)
    ink = _ink_in(gray, largest)
    blur_px = _blur_px(gray, largest, _Drawn.of(largest, dictionary, ink))
    return tuple(
        _unpulled(marker, _Drawn.of(marker, dictionary, ink), blur_px) if marker in fitted else marker
        for marker in markers
    )


def _is_shaken(gray: Image, marker: Marker) -> bool:
    """Whether a marker is softer along one of its ways than along the other."""
    one, other = sides_softness(gray, marker.corners_px[None])[0].reshape(2, 2).mean(axis=0)
    return bool(max(one, other) > _SHAKEN * min(one, other))


@dataclass(frozen=True, eq=False)
class _Drawn:
    """A marker's code (n, n), white or not, its border included, where its corners (4, 2) are drawn, and the light of
    its ink."""

    code: NDArray[np.bool_]
    quad: Array
    ink: float

    @classmethod
    def of(cls, marker: Marker, dictionary: str, ink: float) -> _Drawn:
        """As it was found, in the corner of a picture of its own."""
        bits = dictionary_named(dictionary).markerSize + 2
        first = np.floor(marker.corners_px.min(axis=0)) - _MARGIN_PX
        return cls(marker_image(dictionary, marker.id, bits) > 0, marker.corners_px - first, ink)

    def picture(self, blur_px: float) -> Image:
        """(h, w) as a camera of that blur shows it."""
        light = cv2.GaussianBlur(self._light(), (0, 0), blur_px)
        return np.asarray(255 * light ** (1 / _GAMMA) + 0.5, np.uint8)

    def found(self, blur_px: float) -> Array:
        """(4, 2) where its corners are found in that picture."""
        return np.asarray(fit_quads(self.picture(blur_px), self.quad[None])[0][0], float)

    def _light(self) -> Array:
        """(h, w) light, the mean of several rays to a pixel."""
        width, height = np.ceil(self.quad.max(axis=0)).astype(int) + _MARGIN_PX
        bits = len(self.code)
        corners = np.array([[0, 0], [bits, 0], [bits, bits], [0, bits]], np.float32)
        to_code = cv2.getPerspectiveTransform(self.quad.astype(np.float32), corners).astype(float)
        u, v = ((np.arange(many * _RAYS) + 0.5) / _RAYS - 0.5 for many in (width, height))
        rays = np.stack([*np.meshgrid(u, v), np.ones((len(v), len(u)))], axis=-1) @ to_code.T
        column, row = np.floor(rays[..., :2] / rays[..., 2:]).astype(int).transpose(2, 0, 1)
        is_within = (np.minimum(column, row) >= 0) & (np.maximum(column, row) < bits)
        is_white = ~is_within | self.code[np.clip(row, 0, bits - 1), np.clip(column, 0, bits - 1)]
        light = np.where(is_white, _PAPER, self.ink).reshape(height, _RAYS, width, _RAYS)
        return np.asarray(light.mean(axis=(1, 3)), float)


def _blur_px(gray: Image, marker: Marker, drawn: _Drawn) -> float:
    """The blur by which a drawn marker is as soft as it shows: sides that are wider than their border look sharper."""
    wanted_px = float(softness_of(gray, marker.corners_px[None])[0])
    blur_px = wanted_px
    for _ in range(_STEPS):
        soft_px = float(softness_of(drawn.picture(blur_px), drawn.quad[None])[0])
        blur_px *= float(np.clip(wanted_px / soft_px, 1 / _FARTHEST_STEP, _FARTHEST_STEP)) if soft_px > 0 else 1.0
    return blur_px


def _ink_in(gray: Image, marker: Marker) -> float:
    """The light of its ink, where its paper is as bright as it is drawn."""
    left, top, width, height = cv2.boundingRect(np.round(marker.corners_px).astype(np.int32))
    shown = gray[max(top, 0) : top + height, max(left, 0) : left + width]
    dark, bright = np.percentile(shown, _EXTREMES)
    return float(_PAPER * (dark / max(bright, 1.0)) ** _GAMMA)


def _unpulled(marker: Marker, seen: _Drawn, blur_px: float) -> Marker:
    """As it was found where it cannot be found in what is drawn."""
    drawn = seen
    for _ in range(_TIMES):
        found = drawn.found(blur_px)
        if not np.isfinite(found).all():
            return marker
        drawn = replace(drawn, quad=drawn.quad + seen.quad - found)
    by_px = drawn.quad - seen.quad
    errors_px = (marker.sigma_px, _LEFT_SHARE * _own_px(seen.quad, by_px), _SOFT_SHARE * blur_px)
    return replace(marker, corners_px=marker.corners_px + by_px, sigma_px=float(np.linalg.norm(errors_px)))


def _own_px(quad: Array, by_px: Array) -> float:
    """RMS, of each coordinate, of what corners (4, 2) are moved by beside what moves all sides inward or outward
    alike."""
    alike = inward(quad[None])[0]
    own = by_px - alike * (alike * by_px).sum() / np.square(alike).sum()
    return float(np.sqrt(np.square(own).mean()))
