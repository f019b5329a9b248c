"""What a rule may know of the table: pieces and terrain, measured. A leaf; it imports none of ours.

Frame: the table's, in millimetres (x right, y away from the near edge, z up), angles counter-clockwise from +x.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, Protocol

from shapely import Point, Polygon

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Kind = Literal["coin", "card", "die", "match", "soldier", "base", "terrain"]
Point2 = tuple[float, float]

KINDS: tuple[Kind, ...] = ("coin", "card", "die", "match", "soldier", "base", "terrain")
UNKNOWN = "unknown"
NONE = "none"

# Two looks at a thing that nobody touched share more of their outlines (terrain in OMOG's sample match: 95 %), and one
# that is seen less well is of another size.
_SAME_OUTLINE, _SAME_AREA = 0.8, 0.9

# Rule note C2: diameters in mm.
COIN_DIAMETER_MM: Mapping[str, float] = MappingProxyType(
    {
        "gbp-1p": 20.3,
        "gbp-2p": 25.9,
        "gbp-5p": 18.0,
        "gbp-10p": 24.5,
        "gbp-20p": 21.4,
        "gbp-50p": 27.3,
        "gbp-1": 23.43,
        "gbp-2": 28.4,
        "eur-1c": 16.25,
        "eur-2c": 18.75,
        "eur-5c": 21.25,
        "eur-10c": 19.75,
        "eur-20c": 22.25,
        "eur-50c": 24.25,
        "eur-1": 23.25,
        "eur-2": 25.75,
        "usd-1c": 19.05,
        "usd-5c": 21.21,
        "usd-10c": 17.91,
        "usd-25c": 24.26,
        "usd-50c": 30.61,
        "usd-1": 26.49,
        "usd-1-silver": 38.1,
    }
)


class Placed(Protocol):
    """What was measured: a `Piece`, or what a camera saw of one."""

    @property
    def sigma_mm(self) -> float:
        """As `Piece.sigma_mm`."""

    @property
    def shared_sigma_mm(self) -> float:
        """As `Piece.shared_sigma_mm`."""

    @property
    def plane(self) -> str | None:
        """As `Piece.plane`."""


def shift_sigma_mm(before: Placed, after: Placed) -> float:
    """The sigma of how far a thing moved, a little way: both sigmas, squared and added (C3.2), without the error that
    both looks share because they were measured on the same plane."""
    sigmas_mm = [before.sigma_mm, after.sigma_mm]
    if before.plane is not None and before.plane == after.plane:
        sigmas_mm = [math.sqrt(max(each.sigma_mm**2 - each.shared_sigma_mm**2, 0.0)) for each in (before, after)]
    return math.hypot(*sigmas_mm)


def lies_otherwise(before: Polygon, after: Polygon) -> bool:
    """Whether a thing of that outline was turned, or shifted by much of its breadth: its middle may be where it was."""
    shared_mm2, least_mm2, most_mm2 = before.intersection(after).area, *sorted((before.area, after.area))
    is_as_large = least_mm2 >= _SAME_AREA * most_mm2
    return is_as_large and shared_mm2 < _SAME_OUTLINE * (least_mm2 + most_mm2 - shared_mm2)


@dataclass(frozen=True)
class Piece:
    """One thing on the table, terrain included (`kind == "terrain"`).

    position_mm  centre of the footprint on the surface that it stands on
    footprint    table frame, mm; what the camera measured (a rule that needs a coin's disc uses `radius_mm`)
    sigma_mm     the true position lies within 2.45 sigma in 95 % of all cases
    shared_sigma_mm  of that, what it has in common with all pieces that were measured on the same `plane`
    plane        name of the measurement of the table that it was measured on; None where nobody told
    came_in_sight  whether it is new to the scene, but lay there before: what hid it went
    """

    id: str
    kind: Kind
    cls: str
    position_mm: Point2
    footprint: Polygon
    owner: str = UNKNOWN
    face: str = UNKNOWN
    sigma_mm: float = 0.0
    elevation_mm: float = 0.0
    height_mm: float | None = None
    rotation_deg: float = 0.0
    facing_deg: float | None = None
    colour: str | None = None
    level: int | None = None
    roster: str | None = None
    on: str | None = None
    confidence: float = 1.0
    image_px: Point2 | None = None
    shared_sigma_mm: float = 0.0
    plane: str | None = None
    came_in_sight: bool = False

    @property
    def radius_mm(self) -> float:
        """Half the class's diameter for a coin (C2.1), else the radius of the disc with the footprint's area."""
        diameter_mm = COIN_DIAMETER_MM.get(self.cls)
        return diameter_mm / 2 if diameter_mm else math.sqrt(self.footprint.area / math.pi)

    @property
    def point(self) -> Point:
        """`position_mm` as a shapely point."""
        return Point(self.position_mm)

    @property
    def is_known(self) -> bool:
        """Whether both class and owner are known (C5.2); terrain and neutral things need no owner."""
        return UNKNOWN not in (self.cls, self.owner)


@dataclass(frozen=True)
class Scene:
    """What lies on the table at one moment.

    table_size_mm  width and depth of the playing area; its near left corner is the origin
    grid           a hex grid that is drawn on the table, as the `grid` of a state file
    numbered_anew  whether its ids are of this picture alone, and another one's need not mean the same pieces
    """

    table_size_mm: tuple[float, float]
    pieces: tuple[Piece, ...] = ()
    time_s: float = 0.0
    reprojection_error_px: float = 0.0
    sigma_mm: float = 0.0
    notes: tuple[str, ...] = field(default=())
    grid: Mapping[str, Any] | None = field(default=None, compare=False)
    numbered_anew: bool = field(default=False, compare=False)

    def __iter__(self) -> Iterator[Piece]:
        return iter(self.pieces)

    def __contains__(self, piece_id: object) -> bool:
        return piece_id in self._by_id

    def __getitem__(self, piece_id: str) -> Piece:
        return self._by_id[piece_id]

    @cached_property
    def _by_id(self) -> dict[str, Piece]:
        return {piece.id: piece for piece in self.pieces}

    def of_kind(self, *kinds: Kind) -> tuple[Piece, ...]:
        """The pieces of the given kinds, in the scene's order."""
        return tuple(piece for piece in self.pieces if piece.kind in kinds)
