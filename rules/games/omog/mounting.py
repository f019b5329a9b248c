"""Where nobody gets on or off a horse (OMOG-2.4)."""

from __future__ import annotations

from types import MappingProxyType

from rules.games.omog.terrain import ROADS, WALLS, Land, Terrain
from rules.margin import CERTAIN, REFUSED, Margin, turned
from rules.scene import Piece, Point2

_FORBIDDEN = ("swamp", "river", *WALLS)
# What lies over a ground and is road (OMOG-2.3).
_PAVED = MappingProxyType({"river": ("bridge",), "swamp": ("bridge", *ROADS)})


def no_place_to_mount(at_mm: Point2, land: Land, but: Terrain | None = None) -> Terrain | None:
    """The swamp, ford or climb that holds a man there, where nobody gets on or off a horse (OMOG-2.4): a bridge over a
    river is road, as a road through a swamp is (OMOG-2.3). He counts as on the other side of the edge of `but`."""

    def holds(thing: Terrain) -> bool:
        """Whether he stands in it."""
        return thing.holds(at_mm) != (thing is but)

    held = (thing for thing in land.of_meaning(*_FORBIDDEN) if holds(thing))
    paved = {ground: any(map(holds, land.of_meaning(*roads))) for ground, roads in _PAVED.items()}
    return next((thing for thing in held if not paved.get(thing.meaning, False)), None)


def mount_margin(piece: Piece, land: Land) -> Margin:
    """The margin of his standing where he may get on or off a horse; an edge too near to tell decides (C3.4)."""
    held = no_place_to_mount(piece.position_mm, land)
    edges = ((thing, thing.edge_margin(piece)) for thing in land.of_meaning(*_FORBIDDEN, "bridge", *ROADS))
    near = ((thing, margin) for thing, margin in edges if margin.verdict == "close")
    is_held = held is not None
    other = (m for thing, m in near if (no_place_to_mount(piece.position_mm, land, thing) is None) == is_held)
    return turned(REFUSED if is_held else CERTAIN, other)
