"""Cards moved onto their own sides, from those of the cards beside them: in a grid these are as near and as plain, and
a card that lies with one side on them shows four sides that are edge all the same."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from shapely import Polygon, STRtree

from calibration.plane import TablePlane
from vision.detect.card.paper import papers_bgr
from vision.frame import ImageBgr
from vision.shape.rectangle import RectangleFit, edges_beside, rectangles_at

Array = NDArray[np.float64]

# Sides are sought so far out and in, in such steps.
_REACH_MM, _STEP_MM = 6.0, 0.2
# Two opposite sides are so much nearer to one another than said, or farther apart, at most: 88 mm are sold for 88.9.
_NEARER_MM, _APART_MM = 1.2, 0.4
# Where they lie now is so far from the fit, at most; they lie elsewhere if so much more of the two is edge there.
_HERE_MM, _MORE = 0.9, 0.35
# Of places as good the nearest is taken, of the size that was said; sides are sought so near that several are as good.
_PER_MM_OF_SIZE, _PER_MM, _AS_GOOD = 0.05, 0.01, 0.05
# A side so near to one of another card that looks at it is that card's.
_OWED_MM, _FACING = 0.6, -0.97
# A card may have slid aside where so little of a side shows and so much of the opposite one; both are sought so far
# away.
_MISSING, _SHOWN, _FAR_MM = 0.3, 0.6, 15.0
# So near to another a card may lie with a side on that one's.
_BESIDE_MM = 8.0
# Cards whose middles are so far apart have no sides that pass for one another's.
_NEIGHBOURS_MM = 120.0


def on_own_sides(
    image_bgr: ImageBgr, plane: TablePlane, fits: list[RectangleFit], faces: NDArray[np.bool_]
) -> list[RectangleFit]:
    """The fits of n cards; elsewhere those of which two opposite sides are rather found there, and are no other card's.

    faces  (n,) which of them show their face, whose sides have bare paper within
    """
    best, beside = list(fits), lie_beside(fits)
    for size_mm in {fit.size_mm for fit in fits}:
        of_size = beside & np.array([fit.size_mm == size_mm for fit in fits])
        for which in (np.flatnonzero(of_size & faces), np.flatnonzero(of_size & ~faces)):
            for number, fit in zip(which, _on_own(image_bgr, plane, fits, which, faces), strict=True):
                best[number] = fit
    return best


def slid_aside(fits: list[RectangleFit]) -> NDArray[np.bool_]:
    """(n,) which of the cards show one side plainly and hardly anything of the opposite one: this is hidden, or the
    one that shows is a printed line."""
    return np.array([any(map(_is_slid, fit.sides[::2], fit.sides[1::2])) for fit in fits], bool)


def _is_slid(one: float, other: float) -> bool:
    return min(one, other) < _MISSING and max(one, other) >= _SHOWN


def between_far_sides(image_bgr: ImageBgr, plane: TablePlane, fits: list[RectangleFit]) -> Array:
    """(n, 2) mm, the middles of n cards of one size between two opposite sides that show far more plainly there; those
    of the fits where none do."""
    centre_mm, angle_rad = np.array([fit.centre_mm for fit in fits]), np.array([fit.angle_rad for fit in fits])
    shares = edges_beside(image_bgr, plane, centre_mm, angle_rad, fits[0].size_mm, (_FAR_MM, _STEP_MM))
    return _moved(centre_mm, angle_rad, list(shares))[0]


def _moved(centre_mm: Array, angle_rad: Array, shares: list[Array]) -> tuple[Array, Array]:
    """Middles (n, 2) of cards, each way between the opposite sides that `shares`, (4, m) of each card, tell; and by how
    much each is moved along and across the card."""
    offsets_mm = _offsets_mm(shares[0].shape[1])
    moved_mm = np.array([[_shift_mm(side[way], side[way + 1], offsets_mm) for way in (0, 2)] for side in shares])
    turn = np.exp(1j * angle_rad) * (moved_mm @ [1, 1j])
    return np.asarray(centre_mm + np.stack([turn.real, turn.imag], axis=1), float), moved_mm


def _offsets_mm(steps: int) -> Array:
    """How far out sides are sought, in so many steps."""
    return np.asarray(_STEP_MM * (np.arange(steps) - (steps - 1) / 2), float)


def lie_beside(fits: list[RectangleFit]) -> NDArray[np.bool_]:
    """(n,) which of the cards lie so near to another that a side of this may pass for one of theirs."""
    outlines = np.array([Polygon(fit.corners()) for fit in fits], object)
    one, other = STRtree(outlines).query(outlines, predicate="dwithin", distance=_BESIDE_MM)
    return np.isin(np.arange(len(fits)), one[one != other])


def _on_own(
    image_bgr: ImageBgr,
    plane: TablePlane,
    fits: list[RectangleFit],
    which: NDArray[np.intp],
    faces: NDArray[np.bool_],
) -> list[RectangleFit]:
    """Those of the fits, all of one size, and all of faces or none."""
    some = [fits[number] for number in which]
    if not some:
        return []
    centre_mm, angle_rad = np.array([fit.centre_mm for fit in some]), np.array([fit.angle_rad for fit in some])
    paper_bgr = papers_bgr(image_bgr, plane, some) if faces[which[0]] else None
    size_mm = some[0].size_mm
    shares = edges_beside(image_bgr, plane, centre_mm, angle_rad, size_mm, (_REACH_MM, _STEP_MM), paper_bgr)
    offsets_mm = _offsets_mm(shares.shape[2])
    own = [share * ~_owed(fit, fits, offsets_mm) for fit, share in zip(some, shares, strict=True)]
    at_mm, moved_mm = _moved(centre_mm, angle_rad, own)
    again = rectangles_at(image_bgr, plane, at_mm, angle_rad, size_mm)
    return [new if moved.any() else fit for fit, new, moved in zip(some, again, moved_mm, strict=True)]


def _shift_mm(one: Array, other: Array, offsets_mm: Array) -> float:
    """How far two opposite sides lie to the latter's, by how much of each, (m,), is edge if it lies so much farther
    out; nought where they may as well lie where they were put."""
    apart_mm = offsets_mm[:, None] + offsets_mm
    shift_mm = (offsets_mm - offsets_mm[:, None]) / 2
    score = one[:, None] + other - _PER_MM_OF_SIZE * np.abs(apart_mm) - _PER_MM * np.abs(shift_mm)
    score[(apart_mm < -_NEARER_MM) | (apart_mm > _APART_MM)] = -np.inf
    is_here = np.maximum(np.abs(offsets_mm[:, None]), np.abs(offsets_mm)) <= _HERE_MM
    if score.max() <= score[is_here].max() + _MORE:
        return 0.0
    beside_mm = np.abs(shift_mm - shift_mm.flat[score.argmax()])
    return float(shift_mm[(score >= score.max() - _AS_GOOD) & (beside_mm < _HERE_MM)].mean())


def _owed(fit: RectangleFit, fits: list[RectangleFit], offsets_mm: Array) -> NDArray[np.bool_]:
    """(4, m) whether each side of a card, so much farther out, lies on a side of another one that looks at it."""
    owed = np.zeros((4, len(offsets_mm)), bool)
    for other in fits:
        if other is not fit and np.hypot(*np.subtract(other.centre_mm, fit.centre_mm)) < _NEIGHBOURS_MM:
            owed |= _on_sides_of(other, fit, offsets_mm)
    return owed


def _on_sides_of(other: RectangleFit, fit: RectangleFit, offsets_mm: Array) -> NDArray[np.bool_]:
    """The same of one other card."""
    (normals, half_mm, long_mm), (others, others_half_mm, _) = _sides(fit), _sides(other)
    middles_mm = np.subtract(other.centre_mm, fit.centre_mm) + others * others_half_mm[:, None]
    out_mm = normals @ middles_mm.T - half_mm[:, None]
    aside_mm = np.abs(normals[:, ::-1] * [-1, 1] @ middles_mm.T)
    looks = (normals @ others.T < _FACING) & (aside_mm < long_mm[:, None])
    return np.asarray((looks[..., None] & (np.abs(offsets_mm - out_mm[..., None]) < _OWED_MM)).any(axis=1))


def _sides(fit: RectangleFit) -> tuple[Array, Array, Array]:
    """Outward normals (4, 2) of a card's sides, in the order of `RectangleFit.sides`, how far each lies from its middle
    and how long it is (4,)."""
    along = np.array([np.cos(fit.angle_rad), np.sin(fit.angle_rad)])
    across = np.array([-along[1], along[0]])
    length_mm, breadth_mm = fit.size_mm
    halves_mm = np.repeat([length_mm / 2, breadth_mm / 2], 2)
    return np.array([-along, along, -across, across]), halves_mm, np.repeat([breadth_mm, length_mm], 2)
