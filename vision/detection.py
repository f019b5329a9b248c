"""What a detector says of one thing in one frame. Stays in vision; the rules see pieces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

import numpy as np
from shapely import Polygon
from shapely.affinity import translate

from rules.scene import NONE, UNKNOWN, Kind, Point2
from vision.shape.oval import Oval

# What stands on a base of its own and is taller than that is wide.
FIGURES: tuple[Kind, ...] = ("soldier", "base")

_EMPTY: Mapping[str, float] = MappingProxyType({})

# What lies this much higher than the table lies on another piece; a card is 0.3 mm thick, the thinnest coin 1.35.
ON_ANOTHER_MM = 0.5


@dataclass(frozen=True)
class Detection:
    """One thing seen, measured in the table frame.

    position_mm         centre of the footprint on the surface that it stands on
    elevation_mm        height of that surface above the table (a coin on a coin: the lower one's thickness)
    elevation_sigma_mm  standard deviation of that; 0 where it is plain
    sigma_at_height_mm  what `sigma_mm` would be, were `elevation_mm` known past doubt; None where it is
    lean                (x, y) how far aside it is, in mm, for each mm that it lies higher on the line of sight
    risen_log_odds      of a coin, by the side that shows below its rim alone: that it lies on something, to that it
                        lies on the table
    height_sigma_mm     standard deviation of its own height
    level               of a book or box, how many lie on one another: 1 where it lies on the table; None if not told
    shared_sigma_mm     of `sigma_mm`, what it has in common with all that was measured on the same `plane`, as a piece
    class_log_probs     log probability of each class, where a net gave one; tracking sums them over frames
    sided               of a die, whether pips of a side of it were read below those of its top
    oval                of a base, what it is if it is no circle
    paint               of a base, the logarithm of the light from it, blue, green and red; None if not told
    faint               too unlikely to be told by itself: only a piece that is missed may be there, a coin on a card
    """

    kind: Kind
    cls: str
    position_mm: Point2
    footprint: Polygon
    sigma_mm: float
    confidence: float
    image_px: Point2
    face: str = UNKNOWN
    owner: str = NONE
    elevation_mm: float = 0.0
    elevation_sigma_mm: float = 0.0
    sigma_at_height_mm: float | None = None
    lean: Point2 = (0.0, 0.0)
    risen_log_odds: float = 0.0
    height_mm: float | None = None
    height_sigma_mm: float = 0.0
    rotation_deg: float = 0.0
    facing_deg: float | None = None
    colour: str | None = None
    level: int | None = None
    shared_sigma_mm: float = 0.0
    plane: str | None = None
    class_log_probs: Mapping[str, float] = field(default_factory=lambda: _EMPTY)
    sided: bool = False
    oval: Oval | None = None
    paint: tuple[float, float, float] | None = None
    faint: bool = False

    @property
    def radius_mm(self) -> float:
        """Radius of the circle that is as large as the footprint."""
        return float(np.sqrt(self.footprint.area / np.pi))

    def higher_by(self, rise_mm: float) -> Detection:
        """The same thing, so much higher on the line of sight; its sigma stays."""
        aside = self.shifted(*(lean * rise_mm for lean in self.lean))
        return replace(aside, elevation_mm=self.elevation_mm + rise_mm)

    def shifted(self, dx_mm: float, dy_mm: float) -> Detection:
        """The same thing, lying so far aside."""
        (x, y), footprint = self.position_mm, translate(self.footprint, dx_mm, dy_mm)
        return replace(self, position_mm=(x + dx_mm, y + dy_mm), footprint=footprint)

    def raised_to(self, elevation_mm: float, elevation_sigma_mm: float = 0.0) -> Detection:
        """The same thing, known to lie at that height, as well as that is known."""
        at_height_mm = self.sigma_mm if self.sigma_at_height_mm is None else self.sigma_at_height_mm
        return replace(
            self.higher_by(elevation_mm - self.elevation_mm),
            elevation_mm=elevation_mm,
            elevation_sigma_mm=elevation_sigma_mm,
            sigma_mm=float(np.hypot(at_height_mm, elevation_sigma_mm * np.hypot(*self.lean))),
        )
