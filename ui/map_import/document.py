"""The map file (`sandtable/map/1`) of a sheet, from features of foreign map data."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from rules.files.geojson import geometry_document
from rules.files.map_file import SCHEMA
from ui.map_import.kinds import game_properties
from ui.map_import.layers import Feature
from ui.map_import.places import Found, told_once
from ui.map_import.sheet import MapSheet

# What remains of a feature after cutting at the table's edge may be of a lower dimension; only these count.
_WANTED: dict[str, tuple[str, ...]] = {
    "road": ("LineString",),
    "river": ("LineString",),
    "water": ("Polygon",),
    "land": ("Polygon",),
    "settlement": ("Point", "Polygon"),
}


def useful(features: Iterable[Feature]) -> list[Found]:
    """The features that the game uses."""
    drawn = (feature for feature in features if not feature.geometry.is_empty)
    return [Found(f.geometry, known, f.reference) for f in drawn if (known := game_properties(f)) is not None]


def map_document(found: list[Found], sheet: MapSheet, where: str, lie: str = "") -> dict[str, Any]:
    """The map file; ValueError, which begins with `where`, if no road lies on the sheet.

    lie  where the roads lie, in the person's coordinates
    """
    told = told_once(found)
    cut = sheet.to_table([one.geometry for one in told])
    features: list[dict[str, Any]] = [
        {"type": "Feature", "geometry": geometry_document(part), "properties": known}
        for geometry, (_, known, _) in zip(cut, told, strict=True)
        for part in shapely.get_parts(geometry)
        if part.geom_type in _WANTED[known["kind"]] and _is_something(part)
    ]
    if not any(feature["properties"]["kind"] == "road" for feature in features):
        has_roads = any(one.known["kind"] == "road" for one in found)
        instead = f"check --origin and --scale{lie}" if has_roads else "import a file with roads"
        raise ValueError(f"{where}: there is no road on the sheet; {instead}")
    return {
        "type": "FeatureCollection",
        "schema": SCHEMA,
        "sheet": {"size_mm": list(sheet.size_mm)},
        "features": features,
    }


def _is_something(part: BaseGeometry) -> bool:
    """Whether it is a point, or has a length or an area: what only touches the sheet's edge from outside has none."""
    return not part.is_empty and (part.geom_type == "Point" or part.length > 0) and _has_area(part)


def _has_area(part: BaseGeometry) -> bool:
    return part.geom_type != "Polygon" or part.area > 0


def bounds_of(found: list[Found]) -> tuple[float, float, float, float]:
    """West, south, east, north of the roads, or of everything where there is none."""
    west, south, east, north = shapely.total_bounds(_drawn(found))
    return float(west), float(south), float(east), float(north)


def lie_words(bounds: tuple[float, float, float, float], *, degrees: bool) -> str:
    """Where the data lie, as `--origin` is told."""
    west, south, east, north = (f"{bound:.2f}" if degrees else f"{bound:.0f}" for bound in bounds)
    unit = "degrees of longitude and latitude" if degrees else "m east and north"
    return f": the roads lie from {west} {south} to {east} {north} {unit}"


def degree_bounds_of(found: list[Found]) -> tuple[float, float, float, float]:
    """The same in degrees, counted from 0 to 360 where data on both sides of the 180th meridian lie together so: from
    -180 on their middle would be on the other side of the earth."""
    west, south, east, north = bounds_of(found)
    eastward = shapely.get_coordinates(_drawn(found))[:, 0] % 360
    if np.ptp(eastward) < east - west:
        west, east = float(eastward.min()), float(eastward.max())
    return west, south, east, north


def _drawn(found: list[Found]) -> list[BaseGeometry]:
    roads = [one.geometry for one in found if one.known["kind"] == "road"]
    return roads or [one.geometry for one in found]
