"""Geometries of GeoJSON files: checked as they are read, their rings turned as they are written."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from shapely.geometry import mapping, shape
from shapely.geometry.base import BaseGeometry

# Beyond every table in mm and every national grid in m; arithmetic with far larger numbers overflows.
FARTHEST = 1e9
# So much of what is no number is told.
_SHOWN = 20


def geometry_from(document: dict[str, Any], where: str) -> BaseGeometry:
    """The plane geometry of a GeoJSON `geometry`, in the file's units; heights are left out.

    ValueError, beginning with `where`, for what is none, or has a coordinate that is no finite number.
    """
    _refuse_words(document.get("coordinates"), where)
    try:
        with np.errstate(invalid="ignore"):  # a coordinate that is no number is told below, not on standard error
            geometry = shape(_without_empty_parts(document))
            geometry = shapely.force_2d(geometry) if geometry.has_z else geometry
    except (shapely.errors.ShapelyError, AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{where}: not a GeoJSON geometry ({error}); mend it, or leave it out") from None
    coordinates = np.abs(shapely.get_coordinates(geometry))
    if not (coordinates <= FARTHEST).all():
        if not np.isfinite(coordinates).all():
            raise ValueError(f"{where}: a coordinate is not a finite number; mend it")
        raise ValueError(f"{where}: a coordinate is beyond {FARTHEST:g}; is it in millimetres, or metres of a grid?")
    return geometry


def _without_empty_parts(document: dict[str, Any]) -> dict[str, Any]:
    """The geometry without parts that have no coordinates at all, which map programs leave where they cut one away."""
    parts = document.get("coordinates")
    if not (str(document.get("type")).startswith("Multi") and isinstance(parts, list) and [] in parts):
        return document
    return {**document, "coordinates": [part for part in parts if part != []]}


def geometry_document(geometry: BaseGeometry) -> dict[str, Any]:
    """The GeoJSON `geometry`, outer rings counter-clockwise and holes clockwise as the format wants them (RFC 7946,
    3.1.6); some programs take an area drawn the other way round for all the rest of the plane."""
    return dict(mapping(shapely.orient_polygons(geometry)))


def _refuse_words(told: Any, where: str) -> None:
    """ValueError for a coordinate that is written as a word, or is true or false: shapely would make a number of it."""
    if isinstance(told, list | tuple):
        for part in told:
            _refuse_words(part, where)
    elif told is not None and (isinstance(told, bool) or not isinstance(told, int | float)):
        raise ValueError(f"{where}: a coordinate should be a number, not {str(told)[:_SHOWN]!r}; mend it")
