"""Map data in a zip file, as map agencies hand it out: in a folder of its own, beside notes and licences."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from zipfile import BadZipFile, ZipFile

_DATA = (".gpkg", ".shp")
# Beside each file a Mac packs another of that name, which holds no data.
_OF_A_MAC = "._"
# Source: APPNOTE.TXT of the zip format, 4.4.4, bit 0.
_LOCKED = 1


def packed_in(path: Path) -> list[str]:
    """The GeoPackages and Shapefiles in the zip file, as GDAL names them; ValueError for no map data or a locked file.

    Without either, the whole file is given to GDAL, which knows more kinds, such as GeoJSON or a geodatabase.

    Source: GDAL, "Virtual File Systems", /vsizip/.
    """
    try:
        with ZipFile(path) as packed:
            files = [file for file in packed.infolist() if not file.is_dir()]
    except BadZipFile:
        raise ValueError(f"{path}: it is no zip file, or its end is missing; copy it again") from None
    if any(file.flag_bits & _LOCKED for file in files):
        raise ValueError(f"{path}: it is locked by a password; unpack it, and give the file that was in it")
    names = (PurePosixPath(file.filename) for file in files)
    data = [name for name in names if name.suffix.lower() in _DATA and not name.name.startswith(_OF_A_MAC)]
    whole = f"/vsizip/{path.absolute().as_posix()}"
    if not data and not _is_known(whole):
        raise ValueError(f"{path}: no GeoPackage and no Shapefile is in it; give another file, or unpack it")
    return [f"{whole}/{name}" for name in sorted(data)] or [whole]


def _is_known(whole: str) -> bool:
    import pyogrio

    try:
        pyogrio.list_layers(whole)
    except pyogrio.errors.DataSourceError:
        return False
    return True
