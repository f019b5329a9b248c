"""The map file, `sandtable/map/1`: roads, places, land and water as GeoJSON.

Coordinates are table millimetres, or metres of a national grid with a "sheet" that says where the table lies on it.
"""

from __future__ import annotations

from collections.abc import Callable
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal

import shapely
from pydantic import Field
from shapely import LineString, MultiLineString, MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.files.geojson import FARTHEST, geometry_from
from rules.files.json_file import Told, read_json, shortened, validated
from rules.files.json_value import Number, TrueOrFalse
from rules.garbage import no_search
from rules.map import Map, Place, Road

SCHEMA = "sandtable/map/1"
ROAD_CLASSES = ("motorway", "primary", "a", "b", "minor")
PLACE_CLASSES = ("city", "town", "village", "major-suburb", "minor-suburb")
KINDS = ("road", "settlement", "land", "water", "river")
# So much alike two words are that begin alike, of which one is a slip of the pen: raod, rivers. An island, a rail or a
# lake is none.
_ALIKE = 0.75

Positive = Annotated[Number, Field(gt=0, allow_inf_nan=False)]
Metres = Annotated[Number, Field(ge=-FARTHEST, le=FARTHEST, allow_inf_nan=False)]
# 1 to 1 is the table itself; a globe on it would be 1 to 30 million.
Scale = Annotated[Number, Field(ge=1, le=FARTHEST, allow_inf_nan=False)]


class _Sheet(Told):
    size_mm: tuple[Positive, Positive]
    crs: str = ""
    scale: Scale | None = None
    origin: tuple[Metres, Metres] | None = None


class _Properties(Told):
    kind: str
    cls: str = Field("", alias="class")
    ref: str | None = None
    name: str | None = None
    port: TrueOrFalse | None = None


class _Feature(Told):
    type: Literal["Feature"] = "Feature"
    geometry: dict[str, Any]
    properties: _Properties


class _Document(Told):
    type: Literal["FeatureCollection"]
    schema_name: Literal["sandtable/map/1"] = Field(alias="schema")
    sheet: _Sheet | None = None
    features: list[_Feature]


def read_map(path: Path) -> Map:
    """The map in `path`, in table millimetres; ValueError names the feature at fault."""
    with no_search():
        return map_from(read_json(path), str(path))


def map_from(document: Any, where: str) -> Map:
    """The map of a parsed document; `where` names it in errors."""
    parsed = validated(_Document, document, where)
    to_table = _table_transform(parsed.sheet, where)
    for index, feature in enumerate(parsed.features):
        _refuse_misspelt(feature.properties.kind, f"{where}: features.{index}.properties.kind")
    placed = [(f, to_table(_shape(f, index, where))) for index, f in enumerate(parsed.features)]
    roads = tuple(road for i, (f, drawn) in enumerate(placed) for road in _roads(f, drawn, f"{where}: features.{i}"))
    found = Map(
        roads=roads,
        places=tuple(_place(f, geometry, where) for f, geometry in placed if f.properties.kind == "settlement"),
        land=_of_kind(placed, "land", Polygon, where),
        water=_of_kind(placed, "water", Polygon, where),
        rivers=_of_kind(placed, "river", LineString, where),
    )
    if not any((found.roads, found.places, found.land, found.water, found.rivers)):
        raise ValueError(f"{where}: there is nothing on the map; add features of kind 'road', 'settlement' or 'water'")
    return found


def _refuse_misspelt(kind: str, where: str) -> None:
    """ValueError for a kind that is all but one of ours, which would be left out; others are whose they are."""
    word = kind.casefold()
    begin_alike = [known for known in KINDS if word[:1] == known[0]]
    meant = get_close_matches(word, begin_alike, 1, _ALIKE) if kind not in KINDS else []
    if meant:
        raise ValueError(f"{where}: there is no kind {shortened(kind)}; is {meant[0]!r} meant?")


def _table_transform(sheet: _Sheet | None, where: str) -> Callable[[BaseGeometry], BaseGeometry]:
    """From the file's coordinates to table mm: the sheet's origin is the table's, a metre is 1000 / scale mm."""
    if sheet is None or (sheet.scale is None and sheet.origin is None):
        return lambda geometry: geometry
    if sheet.scale is None or sheet.origin is None:
        missing = "scale" if sheet.scale is None else "origin"
        raise ValueError(f"{where}: sheet.{missing}: missing; a map in metres of a grid needs both scale and origin")
    mm_per_metre, (east, north) = 1000.0 / sheet.scale, sheet.origin
    return lambda geometry: shapely.transform(geometry, lambda xy: (xy - (east, north)) * mm_per_metre)


def _shape(feature: _Feature, index: int, where: str) -> BaseGeometry:
    """The feature's geometry; an area whose outline crosses itself is all that the outline encloses, without the spikes
    of it that enclose nothing."""
    geometry = geometry_from(feature.geometry, f"{where}: features.{index}.geometry")
    if geometry.is_empty:
        raise ValueError(f"{where}: features.{index}.geometry: empty; give it coordinates or leave it out")
    if not isinstance(geometry, (Polygon, MultiPolygon)):
        return geometry
    areas = [part for part in _parts(shapely.make_valid(geometry)) if isinstance(part, Polygon)]
    return areas[0] if len(areas) == 1 else MultiPolygon(areas)


def _parts(geometry: BaseGeometry) -> list[BaseGeometry]:
    if isinstance(geometry, (Point, LineString, Polygon)):  # all but few of a map of 100,000 roads
        return [geometry]
    return list(shapely.get_parts(shapely.get_parts(geometry)))


def _roads(feature: _Feature, geometry: BaseGeometry, where: str) -> list[Road]:
    if feature.properties.kind != "road":
        return []
    cls = feature.properties.cls.lower()
    if cls not in ROAD_CLASSES or not isinstance(geometry, (LineString, MultiLineString)):
        found = f"got a {geometry.geom_type} of class {cls!r}"
        raise ValueError(f"{where}: a road must be a LineString with a class of {', '.join(ROAD_CLASSES)}; {found}")
    return [Road(line, cls, feature.properties.ref or "") for line in _parts(geometry) if isinstance(line, LineString)]


def _place(feature: _Feature, geometry: BaseGeometry, where: str) -> Place:
    known = feature.properties
    cls = known.cls.lower()
    if geometry.is_empty:
        raise ValueError(f"{where}: settlement {known.name!r} has an outline that encloses nothing; draw it as a Point")
    if cls not in PLACE_CLASSES or not isinstance(geometry, (Point, Polygon, MultiPolygon)):
        raise ValueError(
            f"{where}: settlement {known.name!r} needs a Point or Polygon and a class of {', '.join(PLACE_CLASSES)}"
        )
    return Place(geometry, cls, known.name or "", bool(known.port))


def _of_kind(placed: list[tuple[_Feature, BaseGeometry]], kind: str, wanted: type[Any], where: str) -> tuple[Any, ...]:
    return tuple(
        part
        for index, (feature, geometry) in enumerate(placed)
        if feature.properties.kind == kind
        for part in _wanted(feature, geometry, wanted, f"{where}: features.{index}")
    )


def _wanted(feature: _Feature, geometry: BaseGeometry, wanted: type[Any], where: str) -> list[Any]:
    """The parts of the wanted shape, none of an area without breadth; ValueError for what was drawn as another."""
    parts, drawn = [part for part in _parts(geometry) if isinstance(part, wanted)], feature.geometry.get("type")
    if not parts and drawn not in (wanted.__name__, f"Multi{wanted.__name__}"):
        kind = feature.properties.kind
        raise ValueError(f"{where}: {kind} must be drawn as a {wanted.__name__}, not as a {drawn}; mend or remove it")
    return parts
