"""What the numbers of a map file are: degrees, or metres or feet of a grid, by the name of its coordinates."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

from ui.map_import.web_mercator import is_web_mercator, number_of

# Longitude and latitude on WGS 84, by every name that map programs give them.
_DEGREES = ("4326", "CRS84", "CRS84h", "4979")
# The British grid, which needs no register to be known.
_BRITISH = "27700"
# Units in the register's own text, such as UNIT["US survey foot",0.304800609601219].
_UNIT = re.compile(r'UNIT\["([^"]+)",([0-9.eE+-]+)')
_DEGREE = 0.0174532925
# Maps of the whole earth, as ESRI's text names their projections. Mercator's with another standard parallel than the
# equator is a map of the country that lies there.
_OF_THE_EARTH = re.compile(
    r'PROJECTION\["(?:(?:Mercator|Equidistant_Cylindrical)".*"Standard_Parallel_1",-?0\.0\]'
    r"|(?:Plate_Carree|Miller_Cylindrical|Robinson|Mollweide|Winkel|Behrmann|Cylindrical_Equal_Area|Eckert|Equal_Earth))"
)
_LONGEST_NAME = 60


@dataclass(frozen=True)
class Reference:
    """The coordinates of a layer.

    called   for the person: "EPSG:2263"; "" where the file says nothing
    grid     the same text for the same grid, whatever a file calls it; "" where the file says nothing
    degrees  whether they are longitude and latitude, or are made into them; None where the file says nothing
    unit     its unit's name, "" for metres and degrees
    unit_m   a unit of its numbers in m; 1 for degrees
    of_the_earth  whether it is of a map of the whole earth: a metre of it is one on the ground along a line or two only
    """

    called: str = ""
    grid: str = ""
    degrees: bool | None = None
    unit: str = ""
    unit_m: float = 1.0
    of_the_earth: bool = False

    @property
    def words(self) -> str:
        """What they are in, for the person."""
        if self.degrees:
            return self.called or "degrees"
        return f"metres of {self.called}" if self.called else "metres"


UNTOLD = Reference()
DEGREES = Reference("degrees", "degrees", degrees=True)
WEB_MERCATOR = Reference("Web Mercator", "degrees", degrees=True)


def reference_of(crs: str, path: Path) -> Reference:
    """The coordinates of that name or text (WKT); ValueError, which names the file, for what they cannot be."""
    if crs in ("", "None"):
        return UNTOLD
    if is_web_mercator(crs):
        return WEB_MERCATOR
    if number_of(crs) in _DEGREES:
        return DEGREES
    called = _called(crs)
    try:
        text = _registered(crs)
    except ModuleNotFoundError:
        if called == f"EPSG:{_BRITISH}":
            return Reference(called, called, degrees=False)
        raise ValueError(
            f"{path}: to know its coordinates ({called}) pyogrio is needed; install it with: pip install"
            " 'sandtable[map]'"
        ) from None
    return _described(called, text, path)


def _described(called: str, text: str, path: Path) -> Reference:
    """The coordinates that the register describes so."""
    if is_web_mercator(text):
        return WEB_MERCATOR
    if text.startswith("PROJCS"):
        unit, unit_m = _UNIT.findall(text)[-1]
        name = "" if float(unit_m) == 1.0 else unit
        return Reference(called, text, False, name, float(unit_m), _OF_THE_EARTH.search(text) is not None)
    if text.startswith("GEOGCS") and 'PRIMEM["Greenwich"' in text and abs(_last_unit(text) - _DEGREE) < 1e-9:
        return DEGREES
    raise ValueError(
        f"{path}: its coordinates ({called}) are none that can be read; export the layer again in EPSG:4326 (longitude"
        " and latitude)"
    )


def _last_unit(text: str) -> float:
    return float(_UNIT.findall(text)[-1][1])


def _called(crs: str) -> str:
    """The short name: of `urn:ogc:def:crs:EPSG::2263` EPSG:2263, of a WKT what stands in its first quotes."""
    quoted = re.search(r'"([^"]*)"', crs)
    if quoted is not None:
        return quoted[1][:_LONGEST_NAME]
    parts = [part for part in crs.split(":") if part]
    return (":".join(parts[-2:]) if parts[0] == "urn" else crs)[:_LONGEST_NAME]


@lru_cache(maxsize=64)
def _registered(crs: str) -> str:
    """What GDAL's register says of it on the ground, as it writes it beside a Shapefile; "" for nothing.

    pyogrio tells of coordinates no more than their name; what it writes out tells the rest.
    """
    import numpy as np
    from pyogrio.errors import CRSError
    from pyogrio.raw import write

    with TemporaryDirectory() as folder:
        path = Path(folder) / "empty.shp"
        try:
            write(path, np.array([], object), [], [], geometry_type="Point", crs=crs, driver="ESRI Shapefile")
        except CRSError:
            return ""
        told = path.with_suffix(".prj")
        return told.read_text("utf-8").partition(",VERTCS")[0] if told.is_file() else ""
