"""From national grid metres, or degrees, to millimetres on a sheet of given scale."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

Array = NDArray[np.float64]

# WGS 84 (EPSG:4326): semi-major axis and flattening.
_AXIS_M = 6378137.0
_FLATTENING = 1 / 298.257223563
# Less than is written (three decimals), and more than arithmetic with a grid's metres loses.
_EDGE_MM = 1e-4


@dataclass(frozen=True)
class MapSheet:
    """Where the table lies on the earth.

    scale      250000 for 1:250 000
    anchor     a place in the data's coordinates: (east, north) m, or (longitude, latitude) degrees
    anchor_mm  where that place lies on the table
    degrees    whether the data are degrees; they are projected about the sheet's own middle meridian
    """

    size_mm: tuple[float, float]
    scale: float
    anchor: tuple[float, float]
    anchor_mm: tuple[float, float]
    degrees: bool

    @classmethod
    def over(
        cls,
        bounds: tuple[float, float, float, float],
        size_mm: tuple[float, float],
        scale: float,
        origin: tuple[float, float] | None,
        *,
        degrees: bool,
    ) -> MapSheet:
        """A sheet whose near left corner is at `origin`, or whose middle is that of the data; ValueError for an origin
        that is no longitude and latitude where the data are in degrees."""
        west, south, east, north = bounds
        if origin is not None:
            if degrees and not are_degrees((*origin, *origin)):
                raise ValueError(
                    "--origin: this map is in degrees (the web's metres are turned into them); give the"
                    " near left corner's longitude and latitude"
                )
            return cls(size_mm, scale, origin, (0.0, 0.0), degrees)
        middle = ((west + east) / 2, (south + north) / 2)
        return cls(size_mm, scale, middle, (size_mm[0] / 2, size_mm[1] / 2), degrees)

    def to_table(self, geometries: Sequence[BaseGeometry]) -> NDArray[np.object_]:
        """The geometries in table mm, cut at the table's edge; empty where they lie beside the table."""
        # All in one go: a county has 100,000 roads, and each by itself takes as long as 30 together.
        moved = shapely.transform(np.array(geometries, object), self._mm)
        # A road along the edge, or a town on it, is on the table: cut exactly there, it would be lost.
        width, height = self.size_mm
        cut = shapely.clip_by_rect(moved, -_EDGE_MM, -_EDGE_MM, width + _EDGE_MM, height + _EDGE_MM)
        # Junctions share a vertex before and after: rounding gives equal numbers for equal places.
        return np.asarray(shapely.transform(cut, lambda xy: np.clip(np.round(xy, 3), 0, self.size_mm)))

    def _mm(self, xy: Array) -> Array:
        metres = self._metres(xy) - self._metres(np.array([self.anchor]))
        return np.asarray(metres * (1000.0 / self.scale) + self.anchor_mm, float)

    def _metres(self, xy: Array) -> Array:
        return transverse_mercator(xy, self._meridian_deg) if self.degrees else xy

    @property
    def _meridian_deg(self) -> float:
        longitude, latitude = self.anchor
        to_middle_m = (self.size_mm[0] / 2 - self.anchor_mm[0]) * self.scale / 1000
        return longitude + math.degrees(to_middle_m / (_AXIS_M * math.cos(math.radians(latitude))))


def are_degrees(bounds: tuple[float, float, float, float]) -> bool:
    """Whether all between west, south, east and north can be longitudes and latitudes."""
    west, south, east, north = bounds
    return max(abs(west), abs(east)) <= 180 and max(abs(south), abs(north)) <= 90


def transverse_mercator(lon_lat_deg: Array, meridian_deg: float) -> Array:
    """(n, 2) metres east and north of (meridian, equator), scale 1 on the meridian.

    Krueger's series to n^3, below 1 mm within 30 degrees of the meridian
    (Karney, Transverse Mercator with an accuracy of a few nanometers, 2011, equations 7 to 9 and 35).
    """
    n = _FLATTENING / (2 - _FLATTENING)
    alphas = (n / 2 - 2 * n**2 / 3 + 5 * n**3 / 16, 13 * n**2 / 48 - 3 * n**3 / 5, 61 * n**3 / 240)
    radius_m = _AXIS_M / (1 + n) * (1 + n**2 / 4 + n**4 / 64)
    eccentricity = math.sqrt(_FLATTENING * (2 - _FLATTENING))
    longitude, latitude = np.radians(lon_lat_deg[:, 0] - meridian_deg), np.radians(lon_lat_deg[:, 1])
    sine = np.sin(latitude)
    with np.errstate(divide="ignore"):  # a pole is endlessly far in Mercator's projection, and has its place in this
        conformal = np.sinh(np.arctanh(sine) - eccentricity * np.arctanh(eccentricity * sine))
    north = np.arctan2(conformal, np.cos(longitude))
    east = np.arcsinh(np.sin(longitude) / np.hypot(conformal, np.cos(longitude)))
    easting, northing = east.copy(), north.copy()
    for j, alpha in enumerate(alphas, start=1):
        easting += alpha * np.cos(2 * j * north) * np.sinh(2 * j * east)
        northing += alpha * np.sin(2 * j * north) * np.cosh(2 * j * east)
    return np.stack([radius_m * easting, radius_m * northing], axis=1)
