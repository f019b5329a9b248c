"""A table of which three corners are known: the coins on it tell the rest, named and measured together with it.

A coin is named by its size too, and how large it is hangs on the plane. So the eyes look at it on all planes that the
corners leave; those that name the most are measured by them, and looked at again, until the planes come to rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.bending.plumb_line import Bend
from calibration.corners.three_points import FEWEST_CIRCLES, three_point_guesses
from calibration.fit.correspondence import Correspondences
from calibration.fit.plane_fit import fit_plane
from calibration.fit.seen import Seen
from calibration.lens import Lens
from calibration.plane import SIGMAS_95, TablePlane
from vision.detection import Detection
from vision.frame import Frame
from vision.scale.coin_sizes import ROUGH_SHARE, SIZE_SHARE, CoinEllipse, as_rulers, coin_sizes

Array = NDArray[np.float64]
Looking = Callable[[Frame, TablePlane], Sequence[Detection]]

# So many of the planes are followed further.
_FOLLOWED = 2
# How well the coins' sizes are taken to be measured from look to look.
_SHARES = (ROUGH_SHARE, SIZE_SHARE)
# Another plane with more than this share of the best one's coins leaves a doubt, if it lies farther off than what the
# best one states and this.
_RIVAL, _APART_MM = 0.6, 2.0


@dataclass(frozen=True, eq=False)
class Corners:
    """What is known: three corners in the picture and on the table, of that size in mm, and the lens.

    lens  None where nobody measured it
    bend  what straight edges of the picture tell of it then
    """

    points: Correspondences
    size_mm: tuple[float, float]
    lens: Lens | None
    bend: Bend | None

    @property
    def outline_mm(self) -> Array:
        """(4, 2) corners of the table."""
        right, far = self.size_mm
        return np.array([[0, 0], [right, 0], [right, far], [0, far]], float)

    def plane(self, size_px: tuple[int, int], coins: tuple[CoinEllipse, ...], share: float = SIZE_SHARE) -> TablePlane:
        """ValueError where corners and coins, whose sizes are good to that share, leave more than one, or none."""
        return fit_plane(self.points, self.lens, size_px, self.size_mm, as_rulers(coins, share), self.bend)


def coins_beside(frame: Frame, corners: Corners, look: Looking) -> tuple[CoinEllipse, ...]:
    """The coins that, with the corners, leave one plane; ValueError, one line, where none do."""
    height, width = frame.image_bgr.shape[:2]
    planes = _rough(corners, (width, height))
    rough = sorted((coin_sizes(frame.image_bgr, plane, look(frame, plane)) for plane in planes), key=len, reverse=True)
    most = len(rough[0]) if rough else 0
    told_apart = "1 coin is" if most == 1 else f"{most} coins are"
    refused, found = f"only {told_apart} told apart, and three corners want {FEWEST_CIRCLES}", list[_Rest]()
    for coins in rough[:_FOLLOWED] if most >= FEWEST_CIRCLES else ():
        try:
            found.append(_at_rest(frame, corners, coins, look))
        except ValueError:
            refused = "the coins about do not agree with the three corners"
    if not found:
        raise ValueError(refused)
    best = max(found, key=lambda rest: rest.agreeing)
    if any(best.is_doubted_by(other, corners.outline_mm) for other in found):
        raise ValueError("three corners and the coins leave two places where the camera may be: give a fourth")
    return best.coins


@dataclass(frozen=True, eq=False)
class _Rest:
    """Coins, and the plane that they tell."""

    coins: tuple[CoinEllipse, ...]
    plane: TablePlane

    @property
    def agreeing(self) -> int:
        """How many coins agree with the plane."""
        return len(self.coins) - len(self.plane.rejected)

    def is_doubted_by(self, other: _Rest, outline_mm: Array) -> bool:
        """Whether another plane has nearly as many coins and is not what this one's error allows for."""
        corners_px = self.plane.to_image(outline_mm)
        apart_mm = np.hypot(*(other.plane.to_table(corners_px) - outline_mm).T)
        is_other = bool(
            (np.nan_to_num(apart_mm, nan=np.inf) > _APART_MM + SIGMAS_95 * self.plane.sigma_mm(corners_px)).any()
        )
        return is_other and other.agreeing > _RIVAL * self.agreeing


def _rough(corners: Corners, size_px: tuple[int, int]) -> Iterator[TablePlane]:
    lens = (corners.lens or Lens.unknown(size_px)).scaled_to(size_px)
    for guess in three_point_guesses(Seen(corners.points), lens, corners.outline_mm):
        yield TablePlane.exact(guess.lens, guess.pose.rvec, guess.pose.tvec)


def _at_rest(frame: Frame, corners: Corners, coins: tuple[CoinEllipse, ...], look: Looking) -> _Rest:
    """The coins as the plane that they tell shows them."""
    height, width = frame.image_bgr.shape[:2]
    for share in _SHARES:
        plane = corners.plane((width, height), coins, share)
        coins = coin_sizes(frame.image_bgr, plane, look(frame, plane))
    return _Rest(coins, corners.plane((width, height), coins))
