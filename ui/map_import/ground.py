"""Grids whose metres are none on the ground where the sheet lies: those of whole continents, and of the poles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import escape

import numpy as np
import shapely
from numpy.typing import NDArray

from ui.map_import.document import bounds_of
from ui.map_import.places import Found
from ui.map_import.reference import DEGREES, Reference
from ui.map_import.sheet import MapSheet, transverse_mercator

Array = NDArray[np.float64]

# A share by which lengths on the sheet may be off: 1 mm of 200. National grids and UTM keep to 0.15 %.
MOST_OFF = 0.005
# As the register calls a grid that a person made up.
_NAMELESS = "unknown"
# Lengths are compared at so many places along each side, over this share of it.
_PLACES, _STEP_SHARE = 3, 1 / 200
# GDAL, "VRT -- Virtual Format", OGRVRTWarpedLayer.
_WARPED = (
    '<OGRVRTDataSource><OGRVRTWarpedLayer><OGRVRTLayer name="{name}"><SrcDataSource>{path}</SrcDataSource>'
    "</OGRVRTLayer><TargetSRS>EPSG:4326</TargetSRS></OGRVRTWarpedLayer></OGRVRTDataSource>"
)


def laid_true(found: list[Found], sheet: MapSheet, where: str) -> tuple[list[Found], MapSheet, tuple[str, ...]]:
    """The data and the sheet as they are, or in degrees where the data's metres are not those on the ground; and what
    is to be said of that, which begins with `where`. ValueError where they cannot be turned into degrees."""
    grid = None if sheet.degrees else grid_of(found)
    told = _not_on_the_ground(grid, sheet, found) if grid is not None else ""
    if grid is None or not told:
        return found, sheet, ()
    turned, anchor = in_degrees_of(grid, found), to_degrees(grid, np.array([sheet.anchor]))
    if turned is None or anchor is None:
        raise ValueError(f"{where}: {told}; export the layer again in EPSG:4326 (longitude and latitude)")
    longitude, latitude = anchor[0]
    moved = replace(sheet, anchor=(float(longitude), float(latitude)), degrees=True)
    return turned, moved, (f"{where}: {told}: the map is laid true to scale, with north at its far side",)


def _not_on_the_ground(grid: Reference, sheet: MapSheet, found: Sequence[Found]) -> str:
    """What is to be said of a grid whose metres are none on the ground where the sheet lies; "" where they are."""
    called = f" ({grid.called})" if grid.called != _NAMELESS else ""
    if grid.of_the_earth:  # whatever the part of the sheet with data on it is, as far as its own metres tell
        return f"its metres{called} are those of a map of the whole earth, and none on the ground"
    off = off_by(grid, sheet, found)
    is_off = off > MOST_OFF
    return f"its metres{called} are up to {100 * off:.1f} % longer or shorter than those on the ground here" * is_off


def grid_of(found: Sequence[Found]) -> Reference | None:
    """The grid of the data's metres, if they tell one that the register describes."""
    return next((one.reference for one in found if one.reference.grid.startswith("PROJCS")), None)


def off_by(grid: Reference, sheet: MapSheet, found: Sequence[Found]) -> float:
    """The largest share by which a length is off where data lie on the sheet, in any direction; 0 where none do, or the
    register cannot tell."""
    lows, highs = np.array(bounds_of(list(found))).reshape(2, 2)
    near = np.array(sheet.anchor) - np.array(sheet.anchor_mm) * sheet.scale / 1000
    lows, highs = np.maximum(lows, near), np.minimum(highs, near + np.array(sheet.size_mm) * sheet.scale / 1000)
    if not (highs >= lows).all():
        return 0.0
    step_m = max(float((highs - lows).max()) * _STEP_SHARE, 1.0)
    places = np.stack(np.meshgrid(*np.linspace(lows, highs, _PLACES).T), -1).reshape(-1, 1, 2)
    steps = np.array([(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, 1), (-1, 1), (1, -1)]) * step_m / 2
    degrees = to_degrees(grid, (places + steps).reshape(-1, 2))
    if degrees is None:
        return 0.0
    true_m = np.array([_lengths_m(crossed) for crossed in degrees.reshape(-1, len(steps), 2)])
    return float(np.abs(np.hypot(*(steps[1::2] - steps[::2]).T) / true_m - 1).max())


def in_degrees_of(grid: Reference, found: Sequence[Found]) -> list[Found] | None:
    """The same in longitude and latitude; None where the register cannot tell them."""
    shapes = np.array([one.geometry for one in found], object)
    degrees = to_degrees(grid, shapely.get_coordinates(shapes))
    if degrees is None:
        return None
    turned = shapely.set_coordinates(shapes, degrees)
    return [one._replace(geometry=shape, reference=DEGREES) for one, shape in zip(found, turned, strict=True)]


def to_degrees(grid: Reference, metres: Array) -> Array | None:
    """(n, 2) longitude and latitude of (n, 2) metres, by GDAL's register; None where it cannot tell one of them."""
    from pyogrio.errors import CRSError, DataSourceError
    from pyogrio.raw import read, write

    # One line through all: a hundred times as fast as a point each. Of one place alone there is no line.
    line = shapely.to_wkb(shapely.LineString([*(metres / grid.unit_m), metres[-1] / grid.unit_m]))
    with TemporaryDirectory() as folder:
        path, warped = Path(folder) / "line.gpkg", Path(folder) / "line.vrt"
        warped.write_text(_WARPED.format(name=path.stem, path=escape(str(path))), "utf-8")
        try:
            write(path, np.array([line], object), [], [], geometry_type="LineString", crs=grid.grid, driver="GPKG")
            shapes = read(warped)[2]
        except (CRSError, DataSourceError):
            return None
    found = shapely.get_coordinates(shapely.from_wkb(shapes))
    return found[:-1] if len(found) == len(metres) + 1 and np.isfinite(found).all() else None


def _lengths_m(crossed: Array) -> Array:
    """On the ground, between the first and the second of some degrees, the third and the fourth, and so on."""
    middle = crossed[0, 0]
    beside = crossed - (middle, 0)
    beside[:, 0] = (beside[:, 0] + 180) % 360 - 180  # on both sides of the 180th meridian
    metres = transverse_mercator(beside, 0.0)
    return np.asarray(np.hypot(*(metres[1::2] - metres[::2]).T), float)
