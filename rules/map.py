"""A game map in table millimetres: roads, settlements, land, water, rivers; `rules/files/map_file.py` reads it."""

from __future__ import annotations

from dataclasses import dataclass

from shapely import LineString, MultiLineString, MultiPolygon, Point, Polygon


@dataclass(frozen=True)
class Road:
    """One road feature; roads join where they share a vertex. `cls` is motorway, primary, a, b or minor."""

    line: LineString
    cls: str
    ref: str = ""


@dataclass(frozen=True)
class Place:
    """A place on the map: `cls` is city, town, village, major-suburb or minor-suburb."""

    geometry: Point | Polygon | MultiPolygon
    cls: str
    name: str = ""
    port: bool = False


@dataclass(frozen=True)
class Map:
    """All that the map file says, in table millimetres."""

    roads: tuple[Road, ...] = ()
    places: tuple[Place, ...] = ()
    land: tuple[Polygon, ...] = ()
    water: tuple[Polygon, ...] = ()
    rivers: tuple[LineString, ...] = ()

    @property
    def roads_breadth_mm(self) -> float | None:
        """How far the roads spread over the table, in its longer direction; None where there are none."""
        if not self.roads:
            return None
        left, near, right, far = MultiLineString([road.line for road in self.roads]).bounds
        return max(right - left, far - near)

    def touches(self, area: Polygon) -> bool:
        """Whether anything on the map lies in the area (mm), or at its edge."""
        drawn = [road.line for road in self.roads] + [place.geometry for place in self.places]
        return any(each.intersects(area) for each in (*drawn, *self.land, *self.water, *self.rivers))
