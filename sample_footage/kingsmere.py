"""The map of Kingsmere as a `sandtable/map/1` FeatureCollection, the same every time."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from shapely import Point, Polygon
from shapely.geometry import mapping
from shapely.ops import unary_union

from sample_footage.lie_of_the_land import CITIES_AND_TOWNS, SUBURBS, Settlement, country, villages
from sample_footage.road_net import motorways, road_net
from sample_footage.whole_file import write_whole

SEED = 1805
MAP_FILE = Path(__file__).parent / "omms" / "kingsmere.geojson"


def kingsmere() -> dict[str, Any]:
    """All features: land, water, rivers, roads, settlements; table mm, two decimals."""
    rng = np.random.default_rng(SEED)
    land = country(rng)
    places = [*CITIES_AND_TOWNS, *villages(land, unary_union([road.line for road in motorways()]), rng)]
    features = [_feature(shape, kind="land") for shape in land.land]
    features += [_feature(shape, kind="water") for shape in land.water]
    features += [_feature(shape, kind="river") for shape in land.rivers]
    features += [_feature(r.line, kind="road", **{"class": r.cls}, ref=r.ref) for r in road_net(places, land, rng)]
    features += [_settlement(place, rng) for place in (*places, *SUBURBS)]
    return {"type": "FeatureCollection", "schema": "sandtable/map/1", "name": "Kingsmere", "features": features}


def _settlement(place: Settlement, rng: np.random.Generator) -> dict[str, Any]:
    size_mm = {"city": 11.0, "town": 4.2}.get(place.cls)
    shape = Point(place.at_mm) if size_mm is None else built_up(place.at_mm, size_mm, rng)
    return _feature(shape, kind="settlement", **{"class": place.cls}, name=place.name, port=place.port)


def built_up(at_mm: tuple[float, float], radius_mm: float, rng: np.random.Generator) -> Polygon:
    """The ragged outline of a town around its centre."""
    angles = np.linspace(0, 2 * np.pi, 22, endpoint=False)
    radii = radius_mm * (1 + 0.22 * rng.standard_normal(22)).clip(0.55, 1.5)
    ring = np.column_stack([radii * np.cos(angles), 0.85 * radii * np.sin(angles)]) + at_mm
    return Polygon(ring)


def _feature(geometry: Any, **properties: Any) -> dict[str, Any]:
    return {"type": "Feature", "geometry": _rounded(mapping(geometry)), "properties": properties}


def _rounded(geometry: Any) -> Any:
    if isinstance(geometry, dict):
        return {key: _rounded(value) for key, value in geometry.items()}
    if isinstance(geometry, (list, tuple)):
        return [_rounded(value) for value in geometry]
    return round(geometry, 2) if isinstance(geometry, float) else geometry


def write_map(path: Path = MAP_FILE) -> None:
    """Write the map, whole or not at all."""
    collection = kingsmere()
    lines = ",\n".join(json.dumps(feature, ensure_ascii=False) for feature in collection.pop("features"))
    head = json.dumps(collection, ensure_ascii=False)[:-1]
    write_whole(path, f'{head}, "features": [\n{lines}\n]}}\n')
