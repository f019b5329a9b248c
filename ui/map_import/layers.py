"""Features of GeoPackage, Shapefile and GeoJSON files, whatever they contain."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import shapely
from shapely.geometry import shape
from shapely.geometry.base import BaseGeometry

from rules.json_file import read_json

_GEOJSON = (".geojson", ".json")
_WITH_GDAL = (".gpkg", ".shp", ".zip")

_EXPORT = "export the layer again from your map program"


@dataclass(frozen=True)
class Feature:
    """A geometry in the file's own coordinates, its properties with keys in lower case, and its layer's name."""

    geometry: BaseGeometry
    properties: Mapping[str, Any]
    layer: str


def read_features(path: Path) -> Iterator[Feature]:
    """All features of a file; ValueError if it is none of the formats, OSError if it cannot be read."""
    suffix = path.suffix.lower()
    if suffix in _GEOJSON:
        return _geojson(path)
    if suffix in _WITH_GDAL:
        if not path.is_file():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path))
        return _gdal(path)
    raise ValueError(f"{path}: not a map format that can be read; give a .gpkg, .shp or .geojson file")


def _geojson(path: Path) -> Iterator[Feature]:
    document = read_json(path, _EXPORT)
    features = document.get("features") if isinstance(document, dict) else None
    if not isinstance(features, list):
        raise ValueError(f"{path}: not a GeoJSON FeatureCollection; {_EXPORT}")
    for index, feature in enumerate(features):
        try:
            geometry = shape(feature["geometry"]) if feature["geometry"] is not None else None
            properties = feature.get("properties") or {}
        except (shapely.errors.ShapelyError, AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
            raise ValueError(
                f"{path}: features.{index}: not a GeoJSON feature ({error}); mend it, or leave it out"
            ) from None
        if geometry is not None:
            yield _feature(geometry, properties, path.stem)


def _gdal(path: Path) -> Iterator[Feature]:
    try:
        import pyogrio
    except ImportError:
        raise ValueError(f"{path}: reading it needs pyogrio; install it with: pip install 'sandtable[map]'") from None
    try:
        for layer, geometry_type in pyogrio.list_layers(path):
            if geometry_type is not None:
                yield from _layer(path, str(layer))
    except pyogrio.errors.DataSourceError as error:
        raise ValueError(f"{path}: cannot be read as map data ({error}); give the file as it was downloaded") from None


def _layer(path: Path, layer: str) -> Iterator[Feature]:
    from pyogrio.raw import read

    meta, _, geometries, columns = read(path, layer=layer)
    names = [str(name) for name in meta["fields"]]
    for index, geometry in enumerate(shapely.from_wkb(geometries)):
        if geometry is not None:
            yield _feature(geometry, {name: column[index] for name, column in zip(names, columns, strict=True)}, layer)


def _feature(geometry: BaseGeometry, properties: Mapping[str, Any], layer: str) -> Feature:
    return Feature(shapely.force_2d(geometry), {str(k).lower(): v for k, v in properties.items()}, layer.lower())
