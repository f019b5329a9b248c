"""What a picture shows of things of known place, shape or size: all that a table may be measured by."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.bending.plumb_line import Bend
from calibration.fit.correspondence import Circle, Correspondences
from calibration.rulers.slant import Slant

Array = NDArray[np.float64]

# So many numbers a plane's homography takes; a thing that lies anywhere takes three, one that lies askew takes one, a
# disc two of its ellipse's five.
_PLANE_NUMBERS = 8


@dataclass(frozen=True, eq=False)
class Seen:
    """All that a table may be measured by.

    points   fixed on the table, or, for the sources in `points.loose`, of known shape but lying anywhere
    circles  discs of known size lying anywhere
    bend     what straight edges of the picture tell of a lens that nobody measured
    slant    what a lattice that is drawn on the table tells of the lens and of the table's tilt
    """

    points: Correspondences
    circles: tuple[Circle, ...] = ()
    bend: Bend | None = None
    slant: Slant | None = None

    @property
    def groups(self) -> tuple[str, ...]:
        """What stands or falls together: the sources of points, then the circles."""
        return self.points.groups + tuple(circle.source for circle in self.circles)

    @property
    def image_px(self) -> Array:
        """(n, 2) where the points and the circles' rims show."""
        return np.concatenate([self.points.image_px, *(circle.rim_px for circle in self.circles)])

    @property
    def tells_bend(self) -> bool:
        """Whether something besides points and circles tells how the lens bends."""
        return self.bend is not None or self.slant is not None

    @property
    def spare(self) -> int:
        """How many numbers were measured beyond those that the plane and where things lie on it take."""
        lying = 3 * len(self.points.loose) + len(self.points.askew)
        return self.points.numbers - lying + 3 * len(self.circles) - _PLANE_NUMBERS

    def only(self, groups: tuple[str, ...]) -> Seen:
        """What these sources say."""
        circles = tuple(c for c in self.circles if c.source in groups)
        return replace(self, points=self.points.only(groups), circles=circles)

    def blurred(self, sigma_px: float) -> Seen:
        """The same with that much more error in each place."""
        points = replace(self.points, sigma_px=np.hypot(self.points.sigma_px, sigma_px))
        circles = tuple(replace(c, sigma_px=float(np.hypot(c.sigma_px, sigma_px))) for c in self.circles)
        return replace(self, points=points, circles=circles)
