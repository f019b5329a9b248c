"""Whether a program turns the picture of a camera that hangs upside down: then its measured lens is turned with it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from calibration.fit.bundle import CameraFit
from calibration.fit.seen import Seen
from calibration.lens import Lens

# So much less, in its variances, a lens the other way up explains once in a thousand times by chance; and it must leave
# less than this share, since what contradicts the rest (a marker pushed aside, a click far off) is no chance.
# Of four clicks any one that is wrong explains all that they leave: there it must leave no more than chance, too, or a
# click 35 px out was told as a picture upside down.
_CLEAR_COST, _LEFT_SHARE = 13.8, 0.2
# Where so many numbers are left over, and leave no more than noise of so many times its variance, they tell what is
# chance, whatever the share: markers through a lens whose axis is 2 px off the middle left 43 %, and were 0.3 mm off.
_MANY_SPARE, _NOISE = 16, 4.0


def as_shown(seen: Seen, lens: Lens, fit: Callable[[Lens], CameraFit]) -> Lens:
    """A measured `lens`, or the same of a picture turned by 180 degrees where that explains the references clearly
    better: its axis lies on the other side of the picture's middle then.

    fit  the camera that explains them best, its lens taken from such a prior
    """
    cost = fit(lens).cost
    if cost < _CLEAR_COST:
        return lens
    over = lens.upside_down()
    left = fit(over).cost
    is_most = left < min(cost - _CLEAR_COST, _LEFT_SHARE * cost, _CLEAR_COST if seen.spare <= 0 else np.inf)
    return over if is_most or _is_noise(left, seen.spare, cost) else lens


def _is_noise(left: float, spare: int, cost: float) -> bool:
    """Whether what is left is noise, and much less than the cost beside it."""
    noise = max(1.0, left / max(spare, 1))
    return spare >= _MANY_SPARE and noise < _NOISE and left < cost - _CLEAR_COST * noise
