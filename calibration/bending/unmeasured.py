"""What a lens that nobody measured is taken for, by what the references tell of it.

A set-up without `[camera]` says that the picture is free of distortion. That holds unless the picture's straight edges
or many references say otherwise: four points never do, four markers do to 0.02 mm (benchmarks/calibration.py). Where
nothing tells, none is assumed, and the bend that webcams have goes into the error of every place. And
the lens's axis goes through the middle of the picture, unless that contradicts the references: then the picture was
cut out of a larger one, or its keystone was straightened, and the axis may be anywhere.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from calibration.bending.published_lenses import published_covariance
from calibration.fit.bundle import CameraFit, covariance_overlooking, covariance_under
from calibration.fit.seen import Seen
from calibration.lens import Lens

Array = NDArray[np.float64]

# Distortion is told where the references leave less than this share of a webcam's usual open.
_TOLD_SHARE = 0.5
# A centred axis explains the references by so much less than a free one, in their variances, once in a thousand
# times by chance (chi-square of two).
_CUT_COST = 13.8
# What fewer spare numbers leave is noise or another axis, and no bend.
_FEWEST_SPARE = 4


def likeliest(seen: Seen, lens: Lens, fit: Callable[[Lens], CameraFit]) -> Lens:
    """The prior of an unknown `lens` that these references leave: with distortion or without, centred or cut out.

    fit  the camera that explains them best, its lens taken from such a prior
    """
    centred, cut, straight = lens, lens.cut_out(), lens.straight()
    if not seen.tells_bend and not (seen.spare >= _FEWEST_SPARE and _tells_distortion(seen, lens, fit(straight))):
        centred, cut = straight, cut.straight()
    first = fit(centred)
    if first.cost < _CUT_COST:
        return centred
    free = fit(cut)
    noise = max(1.0, free.cost / seen.spare if seen.spare > 0 else 0.0)
    return cut if first.cost - free.cost > _CUT_COST * noise else centred


def _tells_distortion(seen: Seen, lens: Lens, fit: CameraFit) -> bool:
    left = covariance_under(seen, lens, fit)
    return bool(np.sqrt(left[4, 4]) < _TOLD_SHARE * np.sqrt(lens.covariance[4, 4]))


def bent(seen: Seen, lens: Lens, fit: CameraFit) -> Array | None:
    """The fit's covariance if its lens, taken to be `straight`, bends as webcams do, or as any that is published where
    it may be any; None where it was not taken so."""
    if lens.known or fit.lens.covariance[4:, 4:].any():
        return None
    bends = np.zeros_like(fit.lens.covariance)
    first = 6 if lens.may_be_any else 4
    bends[first:, first:] = lens.covariance[first:, first:]
    used = seen.only(fit.groups)
    overlooked = covariance_overlooking(used, bends, fit)
    return overlooked + published_covariance(used, lens, fit) if lens.may_be_any else overlooked
