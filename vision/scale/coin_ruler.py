"""Coins that a person pointed at and named, and nothing else, as the table's rulers: as large as the rim net says.

Edges alone choose a plane that shows coins up to a tenth larger than they are, since circles outside a rim find its
edge and the shadow's, and that is 4 degrees too steep. From there the net finds the rims, which tell a plane on which
it sees them better.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.fit.correspondence import Circle
from calibration.fit.degenerate import FEWEST_CIRCLES
from calibration.plane import TablePlane
from calibration.rulers.coins import CoinAt
from calibration.table import CalibrationSpec, calibrate_table
from vision.frame import ImageBgr
from vision.shape.net_rims import NetRims

Array = NDArray[np.float64]

# A rim farther from where it was pointed at, in radii, has been taken for another coin's.
_OFF_CLICK = 0.6
# Of the radius, its error from coin to coin (95 % of 328 on tables drawn by another maker 3.2, of 726 on photographs
# 3.5; neighbours err alike).
_SIZE_SHARE = 0.02
# One that shows so much larger or smaller beside the others, and by so many times what these scatter by, is not what it
# was called.
_OTHER_SHARE, _OTHER = 0.06, 4.0
# Of normal errors, how many times the median of their sizes is one sigma.
_OF_MEDIAN = 1.48
# The first plane is off by up to 12 % and 13 degrees: after three looks it moves by half a per cent on one in six.
_LOOKS = 4
# So many places along a rim tell its size.
_AROUND = 16


def by_coins_alone(image_bgr: ImageBgr, spec: CalibrationSpec) -> TablePlane:
    """The plane by `spec.coins`, which alone measure it; ValueError where their edges tell none."""
    plane = by_edges = calibrate_table(image_bgr, spec)
    for _ in range(_LOOKS):
        rims = _Rims.seen(image_bgr, plane, spec.coins)
        circles = tuple(rims.circles(plane))
        if len(circles) < FEWEST_CIRCLES:
            return by_edges
        plane = calibrate_table(image_bgr, replace(spec, coins=(), circles=circles))
    return replace(plane, notes=(*rims.left_out(), *plane.notes))


@dataclass(frozen=True, eq=False)
class _Rims:
    """The rims of coins on a plane that may be a tenth off.

    is_met  (n,) whether the coin's rim shows where it was pointed at
    share   (n,) logarithm of how many times as large as told it shows, beside most of the others
    """

    coins: Sequence[CoinAt]
    rims: NetRims
    is_met: NDArray[np.bool_]
    share: Array

    @classmethod
    def seen(cls, image_bgr: ImageBgr, plane: TablePlane, coins: Sequence[CoinAt]) -> _Rims:
        """As the rim net sees them, each begun where it was pointed at."""
        heights_mm = np.array([coin.height_mm for coin in coins])
        radii_mm = np.array([coin.diameter_mm / 2 for coin in coins])
        clicked_mm = plane.to_table([coin.at_px for coin in coins], heights_mm)
        rims = NetRims.seen(image_bgr, plane, clicked_mm, radii_mm, heights_mm)
        is_near = np.hypot(*(rims.at.centre_mm - clicked_mm).T) < _OFF_CLICK * radii_mm
        is_met = rims.is_borne_out & is_near
        share = np.log(rims.at.radius_mm / radii_mm)
        return cls(coins, rims, is_met, share - (np.median(share[is_met]) if is_met.any() else 0.0))

    @property
    def is_other(self) -> NDArray[np.bool_]:
        """(n,) whether the coin is of another size than it was told to be."""
        off = np.abs(self.share)
        usual = _OF_MEDIAN * float(np.median(off[self.is_met])) if self.is_met.any() else 0.0
        return self.is_met & (off > max(_OTHER_SHARE, _OTHER * usual))

    def circles(self, plane: TablePlane) -> Iterator[Circle]:
        """Those that measure the table, as discs of which only the size was measured."""
        for k in np.flatnonzero(self.is_met & ~self.is_other):
            coin, at = self.coins[int(k)], self.rims.at
            px_per_mm = float(plane.px_per_mm(at.centre_mm[k][None], coin.height_mm)[0])
            rim_px, sigma_px = self.rims.outline_px(int(k), plane, _AROUND), _SIZE_SHARE * at.radius_mm[k] * px_per_mm
            yield Circle(f"coin {k + 1}", rim_px, coin.diameter_mm / 2, coin.height_mm, sigma_px, size_only=True)

    def left_out(self) -> Iterator[str]:
        """A line on each coin that does not measure the table."""
        for number, coin in enumerate(self.coins, 1):
            if not self.is_met[number - 1]:
                yield f"no rim of a {coin.name} shows about ({coin.at_px[0]:.0f}, {coin.at_px[1]:.0f})"
            elif self.is_other[number - 1]:
                off = 100 * (np.exp(self.share[number - 1]) - 1)
                than = f"{abs(off):.0f} % {'larger' if off > 0 else 'smaller'} than a {coin.name} beside the others"
                yield f"coin {number} shows {than} and was left out: mend calibration.coins if it is none"
