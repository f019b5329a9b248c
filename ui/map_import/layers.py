"""Features of GeoPackage, Shapefile and GeoJSON files, whatever they contain."""

from __future__ import annotations

import errno
import math
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from rules.files.geojson import geometry_from
from rules.files.json_file import read_json
from rules.files.map_file import SCHEMA
from ui.map_import.packed import packed_in
from ui.map_import.reference import UNTOLD, WEB_MERCATOR, Reference, reference_of
from ui.map_import.web_mercator import degrees_of

_GEOJSON = (".geojson", ".json")
_WITH_GDAL = (".gpkg", ".shp", ".zip")

# As which GDAL reads the letters of a Shapefile without the .cpg that tells them.
_UNTOLD_ENCODING = "ISO-8859-1"

_EXPORT = "export the layer again from your map program"


@dataclass(frozen=True)
class Feature:
    """A geometry in degrees or m of the file's own grid, its properties with keys in lower case, and its layer's name
    and coordinates."""

    geometry: BaseGeometry
    properties: Mapping[str, Any]
    layer: str
    reference: Reference = UNTOLD


def read_features(path: Path) -> Iterator[Feature]:
    """All features of a file; ValueError if it is none of the formats, OSError if it cannot be read."""
    suffix = path.suffix.lower()
    if suffix in _GEOJSON:
        return _geojson(path)
    if suffix in _WITH_GDAL:
        if not path.is_file():
            number = errno.EISDIR if path.is_dir() else errno.ENOENT
            raise OSError(number, os.strerror(number), str(path))
        return _gdal(path)
    raise ValueError(f"{path}: not a map format that can be read; give a .gpkg, .shp, .zip or .geojson file")


def _geojson(path: Path) -> Iterator[Feature]:
    document = read_json(path, _EXPORT)
    features = document.get("features") if isinstance(document, dict) else None
    if not isinstance(features, list):
        raise ValueError(f"{path}: not a GeoJSON FeatureCollection; {_EXPORT}")
    _refuse_map_file(document, path)
    reference = reference_of(_crs(document), path)
    for index, feature in enumerate(features):
        where = f"{path}: features.{index}"
        geometry, properties = (_object(feature, key, where) for key in ("geometry", "properties"))
        if geometry:
            whole = geometry_from(geometry, f"{where}.geometry")
            yield from _features(whole, properties, path.stem, reference)


def _refuse_map_file(document: dict[str, Any], path: Path) -> None:
    """ValueError for a map file in mm of its table, which would be taken for metres; one on a grid may be cut anew."""
    sheet = document.get("sheet")
    if document.get("schema") == SCHEMA and not (isinstance(sheet, dict) and sheet.get("origin")):
        raise ValueError(
            f"{path}: it is a map file already, in mm on its table; name it in the set-up as it is, or import the data"
            " that it was made of"
        )


def _object(feature: Any, key: str, where: str) -> dict[str, Any]:
    """What a feature has under `key`, empty for nothing; ValueError if it is no object, or the feature is none."""
    told = (feature.get(key) or {}) if isinstance(feature, dict) else None
    if not isinstance(told, dict):
        raise ValueError(f"{where}: not a GeoJSON feature with its {key} in braces; mend it, or leave it out")
    return told


def _crs(document: dict[str, Any]) -> str:
    """The coordinates' name, as GeoJSON had it until 2016 and map programs still write it; "" for none."""
    crs = document.get("crs")
    named = crs.get("properties") if isinstance(crs, dict) else None
    return str(named.get("name")) if isinstance(named, dict) else ""


def _gdal(path: Path) -> Iterator[Feature]:
    try:
        import pyogrio
    except ModuleNotFoundError:
        raise ValueError(f"{path}: reading it needs pyogrio; install it with: pip install 'sandtable[map]'") from None
    if path.suffix.lower() == ".shp":
        _refuse_parts(path)
    sources = packed_in(path) if path.suffix.lower() == ".zip" else [str(path)]
    warnings.filterwarnings("ignore", module="pyogrio")  # what GDAL remarks besides is for map makers
    try:
        for source in sources:
            for layer, geometry_type in pyogrio.list_layers(source):
                if geometry_type is not None:
                    yield from _layer(path, source, str(layer))
    except pyogrio.errors.DataSourceError as error:
        raise ValueError(f"{path}: cannot be read as map data ({error}); give the file as it was downloaded") from None


def _layer(path: Path, source: str, layer: str) -> Iterator[Feature]:
    from pyogrio.raw import read

    meta, _, geometries, columns = read(source, layer=layer)
    names, reference = [str(name) for name in meta["fields"]], reference_of(str(meta["crs"]), path)
    with np.errstate(invalid="ignore"):  # of places that are none
        shapes = shapely.from_wkb(geometries)
    for index, geometry in enumerate(shapes):
        if geometry is not None:
            known = {name: _told(column[index], meta["encoding"]) for name, column in zip(names, columns, strict=True)}
            yield from _features(geometry, known, layer, reference)


def _told(value: Any, encoding: str) -> Any:
    """What a column says: where some rows say nothing, whole numbers (and yes and no) of others come as fractions."""
    if isinstance(value, float):
        return None if math.isnan(value) else int(value) if value.is_integer() else value
    return _as_written(value) if isinstance(value, str) and encoding == _UNTOLD_ENCODING else value


def _as_written(text: str) -> str:
    """Text of a file that does not say how its letters are written: what can be read as UTF-8 is nothing else."""
    try:
        return text.encode(_UNTOLD_ENCODING).decode("utf-8")
    except UnicodeError:
        return text


def _refuse_parts(path: Path) -> None:
    """ValueError for a Shapefile without the files that belong to it, or without its end.

    Source: ESRI Shapefile Technical Description (1998): bytes 24 to 27 tell its length in words of 16 bits.
    """
    there = {each.name.lower() for each in path.parent.iterdir()}
    for name in (path.with_suffix(ending).name for ending in (".shx", ".dbf")):
        if name.lower() not in there:
            raise ValueError(f"{path}: it is read with {name}, which does not lie beside it; copy it there too")
    with path.open("rb") as file:
        words = int.from_bytes(file.read(28)[24:])
    if path.stat().st_size < 2 * words:
        raise ValueError(f"{path}: its end is missing; copy it again")


def _features(
    whole: BaseGeometry, properties: Mapping[str, Any], layer: str, reference: Reference
) -> Iterator[Feature]:
    """The feature, or one for each part of a collection: what a road or a lake is, is told by its shape, too."""
    parts = shapely.get_parts(whole) if whole.geom_type == "GeometryCollection" else (whole,)
    return (_feature(part, properties, layer, reference) for part in parts if _is_somewhere(part))


def _is_somewhere(geometry: BaseGeometry) -> bool:
    """Not for what holds no number, or an endless one: so programs write a place that their grid cannot have."""
    return bool(np.isfinite(shapely.get_coordinates(geometry)).all())


def _feature(geometry: BaseGeometry, properties: Mapping[str, Any], layer: str, reference: Reference) -> Feature:
    flat = shapely.force_2d(geometry)
    if reference is WEB_MERCATOR:
        flat = degrees_of(flat)
    elif reference.unit_m != 1.0:
        flat = shapely.transform(flat, lambda xy: xy * reference.unit_m)
    return Feature(flat, {str(k).lower(): v for k, v in properties.items()}, layer.lower(), reference)
