"""A place that somebody clicked, and how exactly: that follows from how large the picture was shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np

from calibration.fit.correspondence import CLICK_SIGMA_PX

# A careful hand misses by this on a screen of 96 px to the inch, in each coordinate; the mouse tells whole px of the
# screen besides. (Of pictures on screens PhotoModeler's manual says "one to three pixels, even on good targets".)
_HAND_PX, _ROUNDING_PX = 0.7, 0.29
# The eye tells an arcminute, 0.17 mm at 60 cm: what a screen shows finer than this makes no hand steadier.
_FINEST_SCREEN = 1.5
# However large a picture is shown, its own pixels tell a corner to no better.
_PICTURE_PX = 0.2


class Click(NamedTuple):
    """A place in the picture, px, and the standard deviation of each coordinate, px of the picture too."""

    u_px: float
    v_px: float
    sigma_px: float = CLICK_SIGMA_PX


class Clicks(Protocol):
    """Asks for places in a picture."""

    def __call__(self, names: tuple[str, ...], because: str = "", before: Sequence[Click] = ()) -> list[Click]:
        """The places clicked for these names: `because` says why; `before`, the first of them, were clicked already,
        and may be taken back: then there are only as many, clicked anew, if `because` was said of them."""
        ...


def click_sigma_px(px_per_screen_px: float, screen_fineness: float = 1.0) -> float:
    """How far off its place a click is in the picture, a standard deviation in px of the picture.

    px_per_screen_px  how many px of the picture one px of the screen covers, as the window's layout counts them
    screen_fineness   how many px across the screen really has for one of those (HiDPI: 1.25 to 3)

    >>> [round(click_sigma_px(scale), 2) for scale in (0.5, 1, 2)]
    [0.43, 0.78, 1.53]
    """
    screen_px = np.hypot(_HAND_PX / min(screen_fineness, _FINEST_SCREEN), _ROUNDING_PX / screen_fineness)
    return float(np.hypot(screen_px * px_per_screen_px, _PICTURE_PX))
