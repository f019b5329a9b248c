"""What a feature of foreign map data is in the game: which road, which place, water or land.

Sources: OS Open Roads and OS VectorMap District product guides (road classification, `primaryRoute`), OS Open Names
(`local_type`), OpenStreetMap's keys `highway`, `place`, `natural`, `waterway` and Geofabrik's `fclass` (OpenStreetMap
Data in Layered GIS Format, free shapefiles). In Britain OpenStreetMap's trunk roads are the primary routes, its primary
roads the other A roads, its secondary the B roads.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from rules.files.map_file import PLACE_CLASSES, ROAD_CLASSES
from ui.map_import.layers import Feature
from ui.map_import.zoomstack import in_other_words

# What a map file of ours may say, by kind.
_CLASSES: Mapping[str, tuple[str, ...]] = MappingProxyType({"road": ROAD_CLASSES, "settlement": PLACE_CLASSES})
_OSM_ROADS = {
    "motorway": "motorway",
    "trunk": "primary",
    "primary": "a",
    "secondary": "b",
    "tertiary": "minor",
    "unclassified": "minor",
    "residential": "minor",
}
_OS_ROADS = {
    "motorway": "motorway",
    "primary road": "primary",
    "a road": "a",
    "b road": "b",
    "minor road": "minor",
    "local street": "minor",
    "classified unnamed": "minor",
    "not classified": "minor",
    "unclassified": "minor",
    "unknown": "minor",
}
_PLACES = {
    "capital": "city",
    "national_capital": "city",
    "city": "city",
    "town": "town",
    "village": "village",
    "suburb": "major-suburb",
    "suburban area": "major-suburb",
    "neighbourhood": "minor-suburb",
    "quarter": "minor-suburb",
}
_WATER = ("water", "reservoir", "lake", "riverbank", "dock", "bay", "wetland_water")
# Geofabrik's word for both banks of a river; elsewhere a river that is drawn as an area may be a line round an island.
_BANKS = ("river",)
_WATER_LAYERS = (
    "surface_water_area",
    "surfacewater_area",
    "surfacewater",
    "tidal_water",
    "tidalwater",
    "sea",
    "water_polygons",
)
_RIVERS = ("river", "canal", "inlandriver", "tidalriver")


def game_properties(feature: Feature) -> dict[str, Any] | None:
    """The feature's properties in the map file, or None for what the game does not use."""
    own = _own(feature.properties)
    if own is not None:
        return own
    known = in_other_words(feature.properties, feature.layer)
    shape = feature.geometry.geom_type
    if "LineString" in shape:
        return _road(known) or _river(known, feature.layer)
    place = _place(known)
    if place is not None:
        return place
    return _area(known, feature.layer) if "Polygon" in shape else None


def _own(known: Mapping[str, Any]) -> dict[str, Any] | None:
    """What our own map files say of a feature; None where another's `kind` or `class` has no meaning in them."""
    kind, cls = _text(known, "kind"), _text(known, "class")
    if kind not in (*_CLASSES, "land", "water", "river") or cls not in _CLASSES.get(kind, (cls,)):
        return None
    own: dict[str, Any] = {key: str(known[key]) for key in ("class", "ref", "name") if known.get(key) is not None}
    port = {"port": _text(known, "port") in _YES} if known.get("port") is not None else {}
    return {"kind": kind, **own, **port}


def _road(known: Mapping[str, Any]) -> dict[str, Any] | None:
    osm = _text(known, "highway", "fclass").removesuffix("_link")
    official = _text(known, *_ROAD_KEYS).partition(",")[0]
    cls = _OSM_ROADS.get(osm) or _OS_ROADS.get(official)
    if cls is None:
        return None
    if cls == "a" and any(_is_true(known.get(key)) for key in _PRIMARY_KEYS):
        cls = "primary"
    ref = next((known[key] for key in _REFS if known.get(key)), "")
    return {"kind": "road", "class": cls, "ref": str(ref)}


# Shapefiles cut names after ten letters.
_ROAD_KEYS = ("road_classification", "roadclassification", "classification", "class", "road_class", "classifica")
_PRIMARY_KEYS = ("primary_route", "primaryroute", "primary_ro", "primaryrou", "primary")
_REFS = ("ref", "road_classification_number", "roadclassificationnumber", "roadnumber", "dftnumber")


def _place(known: Mapping[str, Any]) -> dict[str, Any] | None:
    cls = _PLACES.get(_text(known, "place", "local_type", "fclass", "classification"))
    if cls is None:
        return None
    name = next((known[key] for key in ("name", "name1", "distname") if known.get(key)), "")
    return {"kind": "settlement", "class": cls, "name": str(name), "port": _text(known, "harbour", "port") in _YES}


def _river(known: Mapping[str, Any], layer: str) -> dict[str, Any] | None:
    return {"kind": "river"} if _text(known, "waterway", "fclass", "form") in _RIVERS else None


def _area(known: Mapping[str, Any], layer: str) -> dict[str, Any] | None:
    is_water = _text(known, "natural", "fclass", "landuse", "water") in _WATER or _text(known, "fclass") in _BANKS
    if is_water or layer in _WATER_LAYERS:
        return {"kind": "water"}
    return {"kind": "land"} if "land_polygons" in layer else None


_YES = ("yes", "true", "1")


def _is_true(value: object) -> bool:
    return value is True or str(value).lower() in _YES


def _text(known: Mapping[str, Any], *keys: str) -> str:
    """The first of these properties that says anything, in lower case."""
    return next((str(known[key]).lower() for key in keys if known.get(key)), "")
