"""Map data in a zip file, as map agencies hand it out: in a folder of its own, beside notes and licences."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

_DATA = (".gpkg", ".shp")
# Beside each file a Mac packs another of that name, which holds no data.
_OF_A_MAC = "._"


def packed_in(path: Path) -> Iterator[str]:
    """The GeoPackages and Shapefiles in the zip file, as GDAL names them; ValueError where there is none.

    Source: GDAL, "Virtual File Systems", /vsizip/.
    """
    try:
        with ZipFile(path) as packed:
            names = [PurePosixPath(name) for name in packed.namelist()]
    except BadZipFile:
        raise ValueError(f"{path}: it is no zip file, or its end is missing; copy it again") from None
    data = [name for name in names if name.suffix.lower() in _DATA and not name.name.startswith(_OF_A_MAC)]
    if not data:
        raise ValueError(f"{path}: no GeoPackage and no Shapefile is in it; give another file, or unpack it")
    yield from (f"/vsizip/{path.absolute().as_posix()}/{name}" for name in sorted(data))
