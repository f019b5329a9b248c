"""The scene file, `sandtable/scene/1`: a GeoJSON FeatureCollection in table millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import shapely
from pydantic import AfterValidator, BaseModel, Field
from pydantic_core import PydanticCustomError
from shapely import MultiPolygon, Point, Polygon
from shapely.geometry.base import BaseGeometry

from rules.classes import misspelt
from rules.files.geojson import FARTHEST, geometry_document, geometry_from
from rules.files.json_file import Told, read_json, validated
from rules.files.json_value import Number, Whole
from rules.files.typed_scene import check_typed
from rules.footprint import drawn, usual_size_mm
from rules.scene import NONE, UNKNOWN, Kind, Piece, Point2, Scene
from rules.setup import COLOURS, LONGEST_TABLE_MM

SCHEMA = "sandtable/scene/1"
# Kinds that nobody owns unless the file says so.
_OWNERLESS: tuple[Kind, ...] = ("terrain", "card", "die", "match")
# A coin of unknown class that nobody drew: a speck where it lies.
_SPECK_MM = 1.0
# Slips of a mended outline cut off less than the rest of this share; a larger part is a second area.
_WHOLE = 0.999
# What `ids` says of a scene whose pieces were numbered for one picture.
_OF_PICTURE = "picture"
# Coordinates are written to a hundredth of the accuracy that we claim.
_DECIMALS = 4

Seconds = Annotated[Number, Field(allow_inf_nan=False)]
Finite = Annotated[Number, Field(ge=-FARTHEST, le=FARTHEST, allow_inf_nan=False)]
Positive = Annotated[Number, Field(gt=0, le=FARTHEST, allow_inf_nan=False)]
TableSide = Annotated[Number, Field(gt=0, le=LONGEST_TABLE_MM, allow_inf_nan=False)]
NotNegative = Annotated[Number, Field(ge=0, le=FARTHEST, allow_inf_nan=False)]


OWNERS = (*COLOURS, NONE, UNKNOWN)


def _owner(told: str) -> str:
    if told not in OWNERS:
        raise PydanticCustomError("owner", f"should be one of {', '.join(OWNERS)}")
    return told


class _Table(Told):
    size_mm: tuple[TableSide, TableSide] | None = None
    reprojection_error_px: NotNegative = 0.0
    sigma_mm: NotNegative = 0.0


class _Cell(BaseModel):
    q: Whole
    r: Whole


class _Grid(Told):
    kind: Literal["hex"]
    pitch_mm: Positive
    origin_mm: tuple[Finite, Finite] = (0.0, 0.0)
    turn_deg: Finite = 0.0
    top: Literal["pointy", "flat"] = "pointy"
    cells: list[_Cell] | None = None


class _Properties(Told):
    kind: Kind
    cls: str = Field(UNKNOWN, alias="class")
    face: Literal["heads", "tails", "unknown"] = "unknown"
    owner: Annotated[str, AfterValidator(_owner)] | None = None
    position_mm: tuple[Finite, Finite] | None = None
    elevation_mm: Finite = 0.0
    height_mm: Finite | None = None
    rotation_deg: Finite = 0.0
    facing_deg: Finite | None = None
    sigma_mm: NotNegative | None = None
    confidence: Finite = 1.0
    image_px: tuple[Finite, Finite] | None = None
    on: str | Whole | None = None
    colour: str | None = None
    level: Whole | None = None
    roster: str | None = None
    shared_sigma_mm: NotNegative = 0.0
    plane: str | None = None


class _Readings(_Properties):
    """What a correction says of a piece; it knows another one by its name alone."""

    on: str | None = None


class _Feature(Told):
    type: Literal["Feature"] = "Feature"
    id: str | Whole | None = None
    geometry: dict[str, Any] | None = None
    properties: _Properties


class _Document(Told):
    type: Literal["FeatureCollection"]
    schema_name: Literal["sandtable/scene/1"] = Field(alias="schema")
    time_s: Seconds = 0.0
    table: _Table = Field(default_factory=_Table)
    features: list[_Feature]
    grid: _Grid | None = None
    notes: tuple[str, ...] = ()
    ids: str | None = None

    @property
    def numbered_anew(self) -> bool:
        """Whether its ids are of one picture alone, or of the order in the file."""
        return self.ids == _OF_PICTURE or (bool(self.features) and all(one.id is None for one in self.features))


def read_scene(path: Path, table_size_mm: tuple[float, float] | None = None) -> Scene:
    """The scene in `path`. `table_size_mm` (the set-up's) serves where the file names no size.

    ValueError in one line names the file, the feature and the key at fault.
    """
    scene = scene_from(read_json(path), str(path), table_size_mm)
    check_typed(scene, str(path))
    return scene


def scene_from(document: Any, where: str, table_size_mm: tuple[float, float] | None = None) -> Scene:
    """The scene of a parsed document; `where` names it in errors."""
    parsed = validated(_Document, document, where)
    size_mm = parsed.table.size_mm or table_size_mm
    if size_mm is None:
        raise ValueError(f"{where}: table.size_mm: missing; give the playing area as [width, depth] in mm")
    pieces = tuple(_piece(feature, index, parsed.table, where) for index, feature in enumerate(parsed.features))
    _refuse_twins(pieces, where)
    table = parsed.table
    grid = parsed.grid.model_dump(mode="json", exclude_none=True) if parsed.grid is not None else None
    errors = table.reprojection_error_px, table.sigma_mm
    return Scene(size_mm, pieces, parsed.time_s, *errors, parsed.notes, grid, parsed.numbered_anew)


def _piece(feature: _Feature, index: int, table: _Table, where: str) -> Piece:
    seen = feature.properties
    place = f"{where}: features.{index}"
    _refuse_misspelt(seen, place)
    footprint = _footprint(feature, place)
    position = seen.position_mm or (footprint.centroid.x, footprint.centroid.y)
    return Piece(
        id=str(feature.id) if feature.id is not None else f"{seen.kind}{index + 1}",
        kind=seen.kind,
        cls=seen.cls,
        position_mm=position,
        footprint=footprint,
        owner=seen.owner or (NONE if seen.kind in _OWNERLESS else UNKNOWN),
        face=seen.face,
        sigma_mm=table.sigma_mm if seen.sigma_mm is None else seen.sigma_mm,
        elevation_mm=seen.elevation_mm,
        height_mm=seen.height_mm,
        rotation_deg=seen.rotation_deg,
        facing_deg=seen.facing_deg,
        colour=seen.colour,
        level=seen.level,
        roster=seen.roster,
        on=None if seen.on is None else str(seen.on),
        confidence=seen.confidence,
        image_px=seen.image_px,
        shared_sigma_mm=seen.shared_sigma_mm,
        plane=seen.plane,
    )


def refuse_no_readings(said: Mapping[str, Any], kind: Kind | None, where: str) -> None:
    """ValueError for what a correction says of a piece and no scene file could, such as a height in words.

    kind  of the piece; None for one that is not on the table, of which any class may be said
    """
    seen = validated(_Readings, {**said, "kind": kind or "soldier"}, where)
    fault = misspelt(kind, seen.cls) if kind is not None else None
    if fault is not None:
        raise ValueError(f"{where}: class: {fault}")


def _refuse_misspelt(seen: _Properties, place: str) -> None:
    fault = misspelt(seen.kind, seen.cls)
    if fault is not None:
        raise ValueError(f"{place}.properties.class: {fault}")


def _footprint(feature: _Feature, place: str) -> Polygon:
    """The feature's polygon; for a point or no geometry, what its kind usually covers around `position_mm`."""
    seen = feature.properties
    geometry = geometry_from(feature.geometry, f"{place}.geometry") if feature.geometry else None
    if isinstance(geometry, Polygon | MultiPolygon) and not geometry.is_empty:
        return _one_piece(geometry, place)
    centre = geometry if isinstance(geometry, Point) and not geometry.is_empty else None
    if centre is None and seen.position_mm is not None:
        centre = Point(seen.position_mm)
    if centre is None:
        raise ValueError(f"{place}: neither a Polygon nor position_mm; say where the piece lies")
    size_mm = usual_size_mm(seen.kind, seen.cls) or (_SPECK_MM if seen.kind == "coin" else None)
    if size_mm is None:
        raise ValueError(f"{place}.geometry: {seen.kind} has no usual size; draw its outline as a Polygon")
    return drawn((centre.x, centre.y), size_mm, seen.rotation_deg)


def _one_piece(geometry: Polygon | MultiPolygon, place: str) -> Polygon:
    """The area as one polygon: a MultiPolygon of one part is that part, a slip of the outline is put right."""
    mended = geometry if geometry.is_valid else shapely.make_valid(geometry)
    largest = max(_areas(mended), key=lambda area: area.area, default=None)
    if largest is not None and largest.area >= _WHOLE * mended.area:
        return largest
    if isinstance(geometry, MultiPolygon):
        raise ValueError(f"{place}.geometry: several areas; write one feature for each piece")
    raise ValueError(f"{place}.geometry: the polygon crosses itself; draw it as one simple ring")


def _areas(geometry: BaseGeometry) -> list[Polygon]:
    """Its polygons, one by one."""
    parts = shapely.get_parts(shapely.get_parts([geometry]))
    return [part for part in parts if isinstance(part, Polygon)]


def _refuse_twins(pieces: tuple[Piece, ...], where: str) -> None:
    seen: set[str] = set()
    for piece in pieces:
        if piece.id in seen:
            raise ValueError(f"{where}: two features have the id {piece.id!r}; every piece needs its own")
        seen.add(piece.id)


def scene_document(scene: Scene) -> dict[str, Any]:
    """The scene as a JSON-ready document."""
    return {
        "type": "FeatureCollection",
        "schema": SCHEMA,
        "time_s": round(scene.time_s, 3),
        "table": {
            "size_mm": rounded(scene.table_size_mm),
            "reprojection_error_px": round(scene.reprojection_error_px, 3),
            "sigma_mm": round(scene.sigma_mm, 3),
        },
        "features": [_feature(piece) for piece in scene.pieces],
        **({"grid": dict(scene.grid)} if scene.grid is not None else {}),
        **({"notes": list(scene.notes)} if scene.notes else {}),
        **({"ids": _OF_PICTURE} if scene.numbered_anew else {}),
    }


def _feature(piece: Piece) -> dict[str, Any]:
    return {
        "type": "Feature",
        "id": piece.id,
        "geometry": rounded(geometry_document(piece.footprint)),
        "properties": {key: value for key, value in _properties(piece).items() if value is not None},
    }


def _properties(piece: Piece) -> dict[str, Any]:
    return {
        "kind": piece.kind,
        "class": piece.cls,
        "face": piece.face if piece.kind == "coin" else None,
        "owner": piece.owner,
        "position_mm": _rounded_pair(piece.position_mm),
        "elevation_mm": round(piece.elevation_mm, 2),
        "height_mm": piece.height_mm,
        "rotation_deg": round(piece.rotation_deg, 1),
        "facing_deg": piece.facing_deg,
        "sigma_mm": round(piece.sigma_mm, 4),
        "confidence": round(piece.confidence, 3),
        "image_px": _rounded_pair(piece.image_px) if piece.image_px else None,
        "on": piece.on,
        "colour": piece.colour,
        "level": piece.level,
        "roster": piece.roster,
        "shared_sigma_mm": round(piece.shared_sigma_mm, 4) if piece.plane is not None else None,
        "plane": piece.plane,
    }


def _rounded_pair(pair: Point2) -> list[float]:
    return [round(float(value), _DECIMALS) for value in pair]


def rounded(geometry: Any, decimals: int = _DECIMALS) -> Any:
    """A GeoJSON mapping with its coordinates rounded, tuples as lists."""
    if isinstance(geometry, dict):
        return {key: rounded(value, decimals) for key, value in geometry.items()}
    if isinstance(geometry, (list, tuple)):
        return [rounded(value, decimals) for value in geometry]
    return round(geometry, decimals) if isinstance(geometry, float) else geometry
