"""What hands do to figures among household things while a match is drawn by chance."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from shapely import MultiPoint, Point

from sample_footage.lie_of_the_land import SHEET_MM as TABLE_MM
from sample_footage.play import Play

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    from sample_footage.camera import Camera
    from sample_footage.figure import Figure

# No more are taken when so few stand.
FEWEST = 3
# Between bases, and from a base to a thing.
GAP_MM, BESIDE_MM, EDGE_MM = 4.0, 8.0, 30.0


@dataclass
class SolidPlay(Play):
    """Hands among figures: places are free of figures and of household things, and of what these hide.

    things  footprints of household things, and what of the table they keep from the camera
    """

    reserve: list[Figure] = field(default_factory=list)
    things: list[BaseGeometry] = field(default_factory=list)

    @property
    def coins(self) -> list[Figure]:  # type: ignore[override]
        """All that stands."""
        return list(self.lying.values())  # type: ignore[arg-type]

    def take(self) -> None:
        """One is taken, while there are enough."""
        if len(self.coins) > FEWEST:
            super().take()
        else:
            self.move()

    def bring(self) -> None:
        """A figure of the reserve comes on to the table."""
        if self.reserve:
            seat, figure = self._seat(), self.reserve.pop()
            self._bring(figure, self._free_place(figure), seat)  # type: ignore[arg-type]

    def _free_place(self, figure: Figure) -> tuple[float, float]:  # type: ignore[override]
        for _ in range(500):
            x, y = (round(float(self.rng.uniform(EDGE_MM, side - EDGE_MM)), 2) for side in TABLE_MM)
            if self._is_free(figure, (x, y)) and math.dist((x, y), figure.position_mm) > 2 * figure.radius_mm:
                return x, y
        return figure.position_mm

    def _any_coin(self) -> Figure:  # type: ignore[override]
        """One that shows."""
        shown = [one for one in self.coins if one.low_mm > 0 or not self._is_hidden(one)]
        return shown[int(self.rng.integers(len(shown)))]

    def _is_hidden(self, figure: Figure) -> bool:
        return any(thing.contains(Point(figure.position_mm)) for thing in self.things)

    def _is_free(self, figure: Figure, at_mm: tuple[float, float]) -> bool:  # type: ignore[override]
        others = [one for one in self.coins if one.id != figure.id]
        clear = all(math.dist(at_mm, one.position_mm) > figure.radius_mm + one.radius_mm + GAP_MM for one in others)
        disc = Point(at_mm).buffer(figure.radius_mm + BESIDE_MM)
        return clear and not any(disc.intersects(thing) for thing in self.things)


DEEDS = (
    (Play.move, 0.4),
    (Play.slide, 0.14),
    (SolidPlay.take, 0.14),
    (SolidPlay.bring, 0.1),
    (Play.brush, 0.08),
    (Play.hover, 0.07),
    (Play.both, 0.07),
)


def hidden_by(outline_mm: NDArray[np.float64], height_mm: float, camera: Camera) -> BaseGeometry:
    """What a thing of that footprint and height keeps of the table from the camera."""
    *foot, high = camera.eye_mm
    top = outline_mm + (outline_mm - foot) * height_mm / (high - height_mm)
    return MultiPoint([*outline_mm, *top]).convex_hull
