"""How much of what is no ground each size of a die would cover: pips and rounded edges hide its edges, not that."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.plane import TablePlane
from models.pieces import DIE_SIDE_MM
from rules.compiled import compiled
from vision.frame import ImageBgr
from vision.metric.patch import patches

Array = NDArray[np.float64]
Floats = NDArray[np.float32]

# What is cut out around a top face, as the table shows it: a die of 20 mm seen from 30 degrees, and ground.
_AROUND_MM, _PX_PER_MM, _SIGMA_PX = 66.0, 1.2, 0.8
_SIZE_PX = round(_AROUND_MM * _PX_PER_MM)
_MIDDLE_PX = (_SIZE_PX - 1) / 2
_DOWN = np.array([1, -1])  # rows go down
# No die farther off shows in that.
_BESIDE_MM = 1.5 * _AROUND_MM
# Ground is what shows aside of a die of this side, mm, whatever its place; so many px of it tell its colours.
_LARGEST_MM, _SAMPLES = 28.0, 48
# Colours (Lab) are alike by their distance, lightness counting half, over this; what is as rare as this share of the
# ground itself is ground, so many times as rare is none.
_ALIKE, _LIGHTNESS, _RARE, _RARER = 6.0, 0.5, 0.06, 12.0
_OF_BYTES, _GREY = np.array([100 / 255, 1, 1], np.float32), np.array([0, 128, 128], np.float32)
# A shadow leaves so much of the lightness, and the colour within so much of Lab; a place that may lie in one of so many
# samples says nothing for a die.
_SHADED, _SHADE_COLOUR, _MAY_LIE_IN_SHADE = (0.62, 0.95), 4.5, 0.15
# How far off the middle of a top face may be, mm.
_OFF_MM = np.arange(-3.0, 3.1, 1.0)
_OFFSETS_MM = np.stack(np.meshgrid(_OFF_MM, _OFF_MM), axis=-1).reshape(-1, 2)
_OFFSETS_PX = _OFFSETS_MM * _DOWN * _PX_PER_MM
# Points along each side of an outline.
_ALONG = 24
_CORNERS = np.array([(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)])


def covered(
    image_bgr: ImageBgr,
    plane: TablePlane,
    at_mm: Array,
    turn: float,
    sides_mm: Array,
    others: Iterable[tuple[Array, float]] = (),
) -> tuple[Array, Array]:
    """How much that is no ground, less what is, a die of each of n sides covers at best, (n,) mm2 of the table, and by
    how much the middle of its top then shows aside of the place, (n, 2) mm.

    at_mm   (2,) where the middle of the top shows on the table
    turn    of its sides, radians
    others  the same of other dice: what shows of them is neither
    """
    patch = patches(image_bgr, plane, at_mm[None], np.zeros(1), (_SIZE_PX, _SIZE_PX), _PX_PER_MM)[0]
    beside_px = [
        _outline_px(plane, beside_mm, turned, DIE_SIDE_MM) + (beside_mm - at_mm) * _DOWN * _PX_PER_MM
        for beside_mm, turned in others
        if np.linalg.norm(beside_mm - at_mm) < _BESIDE_MM
    ]
    other = _other_than_ground(patch, _outline_px(plane, at_mm, turn, _LARGEST_MM), _filled(beside_px, patch))
    # A pixel's middle lies on its place, so that half of it lies before that.
    summed = (np.cumsum(other, axis=1) - other / 2) / _PX_PER_MM**2
    within = np.array([sums_within(summed, each, _OFFSETS_PX) for each in _outlines_px(plane, at_mm, turn, sides_mm)])
    return within.max(axis=1), _OFFSETS_MM[within.argmax(axis=1)]


def area_mm2(plane: TablePlane, at_mm: Array, turn: float, side_mm: float) -> float:
    """How much of the table a die hides, mm2; what is given is as in `covered`."""
    return float(cv2.contourArea(_outline_px(plane, at_mm, turn, side_mm).astype(np.float32))) / _PX_PER_MM**2


def _filled(outlines_px: Iterable[Array], patch: ImageBgr) -> NDArray[np.bool_]:
    """(h, w) what lies within any of the outlines (k, 2)."""
    mask = np.zeros(patch.shape[:2], np.uint8)
    for outline_px in outlines_px:
        cv2.fillConvexPoly(mask, np.rint(outline_px).astype(np.int32), 1)
    return mask > 0


def _outline_px(plane: TablePlane, at_mm: Array, turn: float, side_mm: float) -> Array:
    """(k, 2) corners of what a die hides of the table, its top's middle showing in the middle of the patch."""
    return _outlines_px(plane, at_mm, turn, np.array([side_mm]))[0]


def _outlines_px(plane: TablePlane, at_mm: Array, turn: float, sides_mm: Array) -> list[Array]:
    """The same of dice of n sides."""
    eye_mm = np.asarray(plane.camera_position_mm, float)
    nearer = (eye_mm[2] / (eye_mm[2] - sides_mm))[:, None, None]
    foot_mm = sides_mm[:, None, None] * (
        _CORNERS @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
    )
    # The foot shows nearer to the camera than the top above it.
    corners_mm = np.concatenate([foot_mm + (eye_mm[:2] - at_mm) * (1 - 1 / nearer), foot_mm * nearer], axis=1)
    # The rows go down, so that it runs the way in which its sums count.
    hulls_mm = [cv2.convexHull(each, clockwise=True)[:, 0] for each in corners_mm.astype(np.float32)]
    return [_MIDDLE_PX + hull_mm * _DOWN * _PX_PER_MM for hull_mm in hulls_mm]


@compiled
def sums_within(summed: Array, outline_px: Array, offsets_px: Array) -> Array:
    """(n,) what the pixels within an outline (k, 2) sum up to at n offsets; `summed` holds the sums along each row."""
    within, corners = np.zeros(len(offsets_px)), len(outline_px)
    last_v, last_u = summed.shape[0] - 1, summed.shape[1] - 1
    for k in range(corners):
        first_u, first_v = outline_px[k]
        ahead_u, ahead_v = outline_px[(k + 1) % corners]
        for i in range(_ALONG):
            share = (i + 0.5) / _ALONG
            at_u, at_v = first_u + (ahead_u - first_u) * share, first_v + (ahead_v - first_v) * share
            for n in range(len(offsets_px)):
                u, v = round(at_u + offsets_px[n, 0]), round(at_v + offsets_px[n, 1])
                at = summed[min(max(v, 0), last_v), min(max(u, 0), last_u)]
                within[n] += at * (ahead_v - first_v) / _ALONG
    return within


def _other_than_ground(patch: ImageBgr, largest_px: Array, beside: NDArray[np.bool_]) -> Floats:
    """(h, w) how surely each pixel is no ground, -1 to 1; at most 0 of what may be in a shadow, -1 beyond any die, and
    0 of what is another die's, (h, w)."""
    soft = cv2.cvtColor(cv2.GaussianBlur(patch, (0, 0), _SIGMA_PX), cv2.COLOR_BGR2LAB)
    # As bytes lightness goes to 255, and no colour is 128.
    lab = np.asarray(soft.reshape(-1, 3) * _OF_BYTES - _GREY, np.float32)
    largest = _filled([largest_px], patch)
    within, beyond = np.flatnonzero(largest), np.flatnonzero(~(largest | beside))
    if len(beyond) < _SAMPLES:  # dice all round
        beyond = np.flatnonzero(~largest)
    shown, ground = lab[within], lab[beyond[np.linspace(0, len(beyond) - 1, _SAMPLES).astype(int)]]
    rare = max(float(np.quantile(_often(ground, ground) - 1 / _SAMPLES, _RARE)), 0.3 / _SAMPLES)
    rarer = np.log(rare / np.maximum(_often(shown, ground), 1e-6)) / np.log(_RARER)
    told = np.clip(2 * rarer - 1, -1, 1)
    other = np.full(len(lab), -1, np.float32)
    other[within] = np.where(_may_be_shaded(shown, ground), np.minimum(told, 0), told)
    other[beside.ravel()] = 0
    return other.reshape(patch.shape[:2])


def _often(lab: Floats, ground: Floats) -> Floats:
    """(n,) how often colours as n (n, 3) show among those of the ground (m, 3)."""
    weights = np.sqrt(np.array([_LIGHTNESS, 1.5, 1.5], np.float32)) / _ALIKE
    one, two = lab * weights, ground * weights
    apart = (one**2).sum(axis=1)[:, None] + (two**2).sum(axis=1) - 2 * one @ two.T
    return np.asarray(np.exp(-apart / 2).mean(axis=1), np.float32)


def _may_be_shaded(lab: Floats, ground: Floats) -> NDArray[np.bool_]:
    """(n,) which of n colours the ground may have in a shadow."""
    ground = ground[::4]
    left = lab[:, :1] / np.maximum(ground[:, 0], 1)
    apart = [lab[:, i : i + 1] - ground[:, i] * left for i in (1, 2)]
    shaded = (left > _SHADED[0]) & (left < _SHADED[1]) & (apart[0] ** 2 + apart[1] ** 2 < _SHADE_COLOUR**2)
    return np.asarray(shaded.mean(axis=1) > _MAY_LIE_IN_SHADE, bool)
