"""What the game uses of map data, each town of it once: open data hold many as a point and as an outline."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, NamedTuple

import shapely
from shapely.geometry.base import BaseGeometry

from ui.map_import.reference import Reference


class Found(NamedTuple):
    """A feature that the game uses: where it lies, its properties in the map file, its layer's coordinates."""

    geometry: BaseGeometry
    known: dict[str, Any]
    reference: Reference


def told_once(found: Sequence[Found]) -> list[Found]:
    """Without the points of settlements that an outline of the same name and class holds; a port stays one."""
    named = [one for one in found if one.known.get("name")]
    outlines: dict[tuple[str, str], list[Found]] = defaultdict(list)
    for one in named:
        if "Polygon" in one.geometry.geom_type:
            outlines[_called(one)].append(one)
    points = [one for one in named if "Point" in one.geometry.geom_type]
    held = {id(one): outline for one in points for outline in outlines.get(_called(one), ()) if _is_held(one, outline)}
    ports = {id(held[id(one)]) for one in found if id(one) in held and one.known.get("port")}
    return [
        one._replace(known={**one.known, "port": True}) if id(one) in ports else one
        for one in found
        if id(one) not in held
    ]


def _called(one: Found) -> tuple[str, str]:
    return str(one.known["name"]), str(one.known.get("class", ""))


def _is_held(one: Found, outline: Found) -> bool:
    """Whether a point lies in an outline."""
    # An outline that crosses itself is none that could be asked.
    return bool(shapely.make_valid(outline.geometry).covers(one.geometry))
