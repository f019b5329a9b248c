"""The map file (`sandtable/map/1`) of a sheet, from features of foreign map data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import shapely
from shapely.geometry.base import BaseGeometry

from rules.geojson import geometry_document
from rules.map_file import SCHEMA
from ui.map_import.kinds import game_properties
from ui.map_import.layers import Feature
from ui.map_import.sheet import MapSheet, are_degrees

# What remains of a feature after cutting at the table's edge may be of a lower dimension; only these count.
_WANTED: dict[str, tuple[str, ...]] = {
    "road": ("LineString",),
    "river": ("LineString",),
    "water": ("Polygon",),
    "land": ("Polygon",),
    "settlement": ("Point", "Polygon"),
}


def useful(features: Iterable[Feature]) -> list[tuple[BaseGeometry, dict[str, Any]]]:
    """The features that the game uses, with the properties that the map file gives them."""
    drawn = (feature for feature in features if not feature.geometry.is_empty)
    return [(f.geometry, known) for f in drawn if (known := game_properties(f)) is not None]


def map_document(found: list[tuple[BaseGeometry, dict[str, Any]]], sheet: MapSheet, where: str) -> dict[str, Any]:
    """The map file; ValueError, which begins with `where`, if no road lies on the sheet."""
    features: list[dict[str, Any]] = [
        {"type": "Feature", "geometry": geometry_document(part), "properties": known}
        for geometry, known in found
        for part in shapely.get_parts(sheet.to_table(geometry))
        if part.geom_type in _WANTED[known["kind"]] and not part.is_empty
    ]
    if not any(feature["properties"]["kind"] == "road" for feature in features):
        raise ValueError(
            f"{where}: there is no road on the sheet; check --origin and --scale, or import a file with roads"
        )
    return {
        "type": "FeatureCollection",
        "schema": SCHEMA,
        "sheet": {"size_mm": list(sheet.size_mm)},
        "features": features,
    }


def refuse_two_units(found_in: Mapping[Path, list[tuple[BaseGeometry, dict[str, Any]]]]) -> None:
    """ValueError where one file is in degrees and another in metres: they would lie a world apart."""
    degrees = {path: are_degrees(bounds_of(found)) for path, found in found_in.items() if found}
    if len(set(degrees.values())) > 1:
        one, other = (next(path for path in degrees if degrees[path] is wanted) for wanted in (True, False))
        raise ValueError(f"{one}: in degrees, and {other} in metres; export both with the same coordinates")


def bounds_of(found: list[tuple[BaseGeometry, dict[str, Any]]]) -> tuple[float, float, float, float]:
    """West, south, east, north of the roads, or of everything where there is none."""
    roads = [geometry for geometry, known in found if known["kind"] == "road"]
    west, south, east, north = shapely.total_bounds(roads or [geometry for geometry, _ in found])
    return float(west), float(south), float(east), float(north)
