"""Whether the layers of one map go together, and what is taken of those that do not tell their coordinates."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

from ui.map_import.document import bounds_of
from ui.map_import.places import Found
from ui.map_import.reference import Reference
from ui.map_import.sheet import are_degrees

# GeoJSON is in degrees unless it says otherwise (RFC 7946, 4).
_GEOJSON = (".geojson", ".json")
_ROUND_DEG = 360.0


def in_degrees(found_in: Mapping[Path, list[Found]]) -> bool:
    """Whether all are longitudes and latitudes, and not metres of one grid; ValueError where they do not go together
    (they would lie a world apart, or over one another), or are no such numbers."""
    seen = [(path, told) for path, found in found_in.items() for told in _references(path, found)]
    # Degrees first, then what tells no grid: it goes with any.
    seen.sort(key=lambda one: (not one[1].degrees, bool(one[1].grid)))
    for (one, first), (other, second) in pairwise(seen):
        if first.degrees != second.degrees or (first.grid and second.grid and first.grid != second.grid):
            raise ValueError(
                f"{one}: in {first.words}, and {other} in {second.words}; export both with the same coordinates"
            )
    return any(told.degrees for _, told in seen)


def notes_of(found_in: Mapping[Path, list[Found]]) -> Iterator[str]:
    """What was made of each file's numbers that the person may not expect, a sentence each."""
    for path, found in found_in.items():
        for told in _references(path, found):
            if told.unit:
                yield f"{path}: its numbers ({told.called}, {told.unit}) are turned into metres; --origin is in metres"
            if not told.grid and not (told.degrees and path.suffix.lower() in _GEOJSON):
                yield f"{path}: it does not say what its numbers are; {_TAKEN[bool(told.degrees)]}"


_TAKEN = {
    True: "degrees are taken",
    False: "metres of a national grid are taken (those of a map of the web, EPSG:3857, are too long: export it with its"
    " coordinates, which for a Shapefile are the .prj beside it)",
}


def _references(path: Path, found: list[Found]) -> list[Reference]:
    """The coordinates of a file's layers; where they have no name, the numbers tell whether they are degrees."""
    return [_told(path, name, [one for one in found if one.reference == name]) for name in _names(found)]


def _names(found: list[Found]) -> list[Reference]:
    return list(dict.fromkeys(one.reference for one in found))


def _told(path: Path, name: Reference, found: list[Found]) -> Reference:
    bounds = bounds_of(found)
    _refuse_beyond(path, name, bounds)
    return replace(name, degrees=are_degrees(bounds)) if name.degrees is None else name


def _refuse_beyond(path: Path, name: Reference, bounds: tuple[float, float, float, float]) -> None:
    """ValueError for degrees that lie nowhere on the earth."""
    west, south, east, north = bounds
    latitude = north if abs(north) > abs(south) else south
    longitude = east if abs(east) > abs(west) else west
    are_meant = name.degrees or (
        name.degrees is None and path.suffix.lower() in _GEOJSON and max(map(abs, bounds)) <= _ROUND_DEG / 2
    )
    if are_meant and abs(latitude) > 90:
        raise ValueError(
            f"{path}: a latitude of {latitude:g} degrees is nowhere on the earth; are longitude and latitude swapped?"
        )
    if are_meant and abs(longitude) > _ROUND_DEG:
        raise ValueError(f"{path}: a longitude of {longitude:g} degrees is nowhere on the earth; mend it")
