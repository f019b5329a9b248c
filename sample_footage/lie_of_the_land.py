"""Coast, lakes, rivers and settlements of the country of Kingsmere, all invented. Frame: the sheet's, mm."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from shapely import LineString, Point, Polygon, box
from shapely.ops import unary_union

from sample_footage.noise import wander

if TYPE_CHECKING:
    from collections.abc import Iterator

    from shapely.geometry.base import BaseGeometry

SHEET_MM = (700.0, 500.0)
MARKER_CENTRES_MM = ((20.0, 20.0), (680.0, 20.0), (680.0, 480.0), (20.0, 480.0))
MARKER_CLEAR_MM = 26.0  # half a marker and its white border
SPACING_MM = 20.0  # from a village to the next place, at least

COAST_MM = (
    (452, 0), (474, 38), (512, 62), (548, 96), (590, 132), (560, 160), (512, 172), (488, 181), (516, 190), (572, 184),
    (622, 196), (642, 236), (622, 286), (650, 330), (634, 376), (606, 398), (640, 424), (632, 462), (646, 500),
)  # fmt: skip
ISLAND_MM = ((604, 46), (628, 40), (650, 60), (648, 92), (622, 104), (600, 80))
LAKES_MM = (
    ((222, 262), (246, 250), (272, 258), (281, 282), (266, 304), (240, 312), (226, 292)),
    ((408, 372), (424, 366), (436, 378), (428, 394), (412, 390)),
    ((120, 66), (134, 60), (143, 72), (130, 82)),
)
RIVERS_MM = (
    ((262, 304), (276, 352), (262, 402), (270, 452), (256, 500)),
    ((274, 268), (318, 236), (372, 214), (430, 196), (490, 181)),
    ((40, 330), (96, 322), (150, 296), (198, 288), (226, 284)),
    ((424, 366), (440, 322), (436, 268), (452, 226), (484, 184)),
    ((140, 62), (186, 58), (226, 40), (252, 0)),
    ((520, 462), (556, 428), (606, 398)),
)


@dataclass(frozen=True)
class Settlement:
    """A named place; `cls` as in the map file's `class`."""

    name: str
    cls: str
    at_mm: tuple[float, float]
    port: bool = False


CITIES_AND_TOWNS = (
    Settlement("KINGSMERE", "city", (304, 268)),
    Settlement("PORT ALDER", "city", (478, 196), port=True),
    Settlement("WESTHALLOW", "city", (112, 372)),
    Settlement("Aldermoor", "town", (92, 122)),
    Settlement("Brackenford", "town", (184, 92)),
    Settlement("Coldwick", "town", (290, 134)),
    Settlement("Dunstow", "town", (366, 82)),
    Settlement("Elmsbury", "town", (424, 138)),
    Settlement("Farrowgate", "town", (196, 202)),
    Settlement("Grimsholt", "town", (74, 250)),
    Settlement("Harrowby", "town", (176, 322)),
    Settlement("Inglemouth", "town", (602, 262)),
    Settlement("Jessamy", "town", (390, 258)),
    Settlement("Kelderby", "town", (366, 344)),
    Settlement("Larkhaven", "town", (592, 392), port=True),
    Settlement("Marlstone", "town", (482, 302)),
    Settlement("Netherwold", "town", (512, 418)),
    Settlement("Oxcombe", "town", (312, 414)),
    Settlement("Pennerley", "town", (196, 438)),
    Settlement("Quarndon", "town", (424, 446)),
    Settlement("Rushmead", "town", (552, 332)),
    Settlement("Saltney Quay", "town", (500, 70), port=True),
    Settlement("Thornby Isle", "town", (626, 72), port=True),
    Settlement("Ullesby", "town", (342, 188)),
    Settlement("Sandholm", "town", (570, 224)),
    Settlement("Wrayburn", "town", (44, 432)),
)

SUBURBS = (
    Settlement("Lakeside", "major-suburb", (288, 286)),
    Settlement("Eastmere", "major-suburb", (319, 267)),
    Settlement("Millbank", "minor-suburb", (297, 253)),
    Settlement("Abbotsfield", "minor-suburb", (316, 281)),
    Settlement("Dockend", "major-suburb", (495, 208)),
    Settlement("Hanger Hill", "minor-suburb", (468, 212)),
    Settlement("St Bride's", "major-suburb", (96, 386)),
    Settlement("Castlegate", "minor-suburb", (126, 360)),
    Settlement("Northall", "major-suburb", (120, 391)),
)

FIRST_SYLLABLES = """
    Ash Bar Birch Black Bram Burn Cal Carl Chad Clap Cran Dag Dal Den Dod Drax Eal East Eld Fen Fern Flax Gar
    Gold Gran Had Hart Hazel Hens Hol Hux Ivel Kel Kings Lam Lang Lin Long Low Mal Mar Mels Mil Moss Nor Oak Orm
    Otter Pad Pen Pil Rad Red Roth Row Sal Sed Shel Sil Stan Stoke Swin Tad Tam Thorn Til Tod Ulver Wad Wal Whit
    Wil Win Wood Wrang Yar Yew
"""
LAST_SYLLABLES = """
    bourne bridge bury by combe cote dale den field ford gate ham hope hurst ley low mere over shaw stead stoke
    stow thorpe ton wick worth
"""


def natural_outline(points_mm: tuple[tuple[float, float], ...], rng: np.random.Generator, closed: bool) -> np.ndarray:
    """The given corners joined by winding stretches, (n, 2) in mm."""
    corners = [*points_mm, points_mm[0]] if closed else list(points_mm)
    stretches = [wander(a, b, 0.07, 2.5, rng)[:-1] for a, b in itertools.pairwise(corners)]
    return np.vstack([*stretches, np.asarray(corners[-1:], float)])


@dataclass(frozen=True)
class Country:
    """land, water and rivers in mm on the sheet."""

    land: tuple[Polygon, ...]
    water: tuple[Polygon, ...]
    rivers: tuple[LineString, ...]


def country(rng: np.random.Generator) -> Country:
    """Mainland and island; sea and lakes; rivers that end in water."""
    sheet = box(0, 0, *SHEET_MM)
    shore = natural_outline(COAST_MM, rng, closed=False)
    mainland = Polygon([(-1, -1), shore[0] - (0, 1), *shore, shore[-1] + (0, 1), (-1, 501)]).buffer(0) & sheet
    island = Polygon(natural_outline(ISLAND_MM, rng, closed=True)).buffer(0)
    lakes = [Polygon(natural_outline(lake, rng, closed=True)).buffer(4).buffer(-7).buffer(3) for lake in LAKES_MM]
    sea = sheet - mainland - island
    rivers = [LineString(natural_outline(river, rng, closed=False)) & sheet for river in RIVERS_MM]
    wet = unary_union([sea, *lakes])
    dry_rivers = tuple(max(_parts(river - wet), key=lambda part: part.length) for river in rivers)
    return Country((*_parts(mainland), island), (*_parts(sea), *lakes), dry_rivers)


def _parts(geometry: BaseGeometry) -> tuple[Any, ...]:
    return tuple(getattr(geometry, "geoms", (geometry,)))


def villages(land: Country, motorways: BaseGeometry, rng: np.random.Generator) -> list[Settlement]:
    """Villages all over the land, none nearer than `SPACING_MM` to another place."""
    dry = unary_union(land.land) - unary_union(land.water).buffer(3.0) - motorways.buffer(4.0) - _corner_margin()
    taken = [place.at_mm for place in (*CITIES_AND_TOWNS, *SUBURBS)]
    names = _names(rng)
    found: list[Settlement] = []
    for xy in rng.uniform((6, 6), (694, 494), (9000, 2)):
        near = min(np.hypot(*(np.asarray(taken) - xy).T))
        if near >= SPACING_MM and dry.contains(Point(xy)):
            at_mm = (round(float(xy[0]), 2), round(float(xy[1]), 2))
            taken.append(at_mm)
            found.append(Settlement(next(names), "village", at_mm))
    return found


def _corner_margin() -> BaseGeometry:
    return unary_union([Point(c).buffer(MARKER_CLEAR_MM + 6, cap_style="square") for c in MARKER_CENTRES_MM])


def _names(rng: np.random.Generator) -> Iterator[str]:
    pairs = [
        (a, b) for a in FIRST_SYLLABLES.split() for b in LAST_SYLLABLES.split() if a[-1] != b[0] and a[-2:] != b[:2]
    ]
    for index in rng.permutation(len(pairs)):
        first, last = pairs[index]
        yield first + last
