"""Web Mercator (EPSG:3857), in which map programs save what was drawn over a map of the web.

Its metres are no metres on the ground: at 52 degrees north they are 1.6 times too long.
"""

from __future__ import annotations

import re

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

Array = NDArray[np.float64]

# A sphere as large as WGS 84 at the equator (EPSG Guidance Note 7-2, method 1024).
_RADIUS_M = 6378137.0
# EPSG's number of this projection today, and the numbers that programs used before it had one.
_NUMBERS = ("3857", "3785", "900913", "102100", "102113")
# As ESRI's text ends, in which GDAL's register writes it.
_DESCRIBED = (
    'PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["False_Easting",0.0],PARAMETER["False_Northing",0.0],'
    'PARAMETER["Central_Meridian",0.0],PARAMETER["Standard_Parallel_1",0.0],PARAMETER["Auxiliary_Sphere_Type",0.0],'
    'UNIT["Meter",1.0]'
)


def is_web_mercator(crs: str) -> bool:
    """Whether coordinates of that name, such as "EPSG:3857" or "http://www.opengis.net/def/crs/EPSG/0/3857", or of that
    text (WKT), are of this kind."""
    return number_of(crs) in _NUMBERS or _DESCRIBED in crs


def number_of(crs: str) -> str:
    """The end of a coordinates' name, whatever the rest of it: "27700" of "urn:ogc:def:crs:EPSG::27700"."""
    return re.split("[:/]", crs)[-1]


def degrees_of(geometry: BaseGeometry) -> BaseGeometry:
    """The geometry in degrees of longitude and latitude (WGS 84)."""
    return shapely.transform(geometry, _longitude_latitude)


def _longitude_latitude(xy_m: Array) -> Array:
    east, north = xy_m[:, 0] / _RADIUS_M, xy_m[:, 1] / _RADIUS_M
    return np.asarray(np.degrees(np.stack([east, np.arctan(np.sinh(north))], axis=1)), float)
