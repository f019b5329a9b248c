"""The `[calibration]` table of a set-up file: what tells where the table is. Plain numbers, so that `rule` can read a
set-up without loading what measures pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from math import dist
from pathlib import Path
from typing import Literal

from rules.scene import COIN_DIAMETER_MM
from rules.setup import LONGEST_CARD_MM, SHORTEST_CARD_MM
from ui.measuring.marker_names import MARKERS_OF
from ui.setup.toml_section import Section

# A plane has eight degrees of freedom, a point gives two; through a measured lens it has six.
MIN_POINTS, MIN_POINTS_WITH_LENS = 4, 3
# Coins alone hold a plane from so many on (calibration.fit.degenerate).
MIN_COINS = 4
CardRuler = Literal["poker", "bridge", "joker"] | tuple[float, float]
# Three corners and so many coins that agree (calibration.corners.three_points).
MIN_ELLIPSES = 6
# A coin that is measured fills a few pixels at least, and no picture is broader than this.
SHORTEST_AXIS_PX, LONGEST_AXIS_PX = 2.0, 20_000.0
# Who knows no better where his markers lie has nothing to measure by.
MOST_PLACING_MM = 100.0
# Table tops of glass are thinner.
MOST_GLASS_MM = 30.0
# A thicker mark hides the corner that it should mark.
MOST_RAISED_MM = 30.0
# A click on a picture of 8000 px that is shown 400 px wide.
MOST_SIGMA_PX = 20.0
KEYS = (
    "points",
    "points_sigma_px",
    "points_raised_mm",
    "seen",
    "markers",
    "card",
    "sheet",
    "roads",
    "coins",
    "ellipses",
    "placing_mm",
    "glass_mm",
)


@dataclass(frozen=True)
class MarkerBlock:
    """Markers that lie on the table: centres in table mm and turns in degrees, by marker id."""

    dictionary: str
    size_mm: float
    centres: Mapping[int, tuple[float, float]]
    turn_deg: Mapping[int, float]


@dataclass(frozen=True)
class SheetBlock:
    """A printed map or mat on the table.

    size_mm    (width, depth) of what the picture shows; None for the table's own size
    picture    of the print, cut at its edges; None to go by its outline
    corner_mm  where its near left corner lies
    turn_deg   counter-clockwise about that corner
    """

    size_mm: tuple[float, float] | None = None
    picture: Path | None = None
    corner_mm: tuple[float, float] = (0.0, 0.0)
    turn_deg: float = 0.0


@dataclass(frozen=True)
class CoinBlock:
    """A coin of known size: where in the picture its middle shows, and its class."""

    at_px: tuple[float, float]
    cls: str


@dataclass(frozen=True)
class EllipseBlock:
    """A coin as it was measured in the picture: centre and whole axes in px, the first turned by so much, its class."""

    at_px: tuple[float, float]
    axes_px: tuple[float, float]
    angle_deg: float
    cls: str


@dataclass(frozen=True)
class CalibrationBlock:
    """One or more ways to find the table plane.

    points      (u px, v px, x mm, y mm), as in the picture to the table
    points_sigma_px  standard deviation of each point's px; empty where the number of their decimals tells it
    points_raised_mm  thickness that the marks which were clicked may have, all the same (standard deviation)
    card        the ruler, if cards on the table are to calibrate it
    roads       whether the roads of the set-up's map lie there to be seen
    ellipses    coins that lay about when the table was measured: with them three points do
    placing_mm  how far points and markers may lie from where the file says (standard deviation)
    glass_mm    thickness of a pane that lies over all these and under the pieces
    seen        the picture that the px of points, coins and ellipses belong to; it finds the table again in later ones
    """

    points: tuple[tuple[float, float, float, float], ...] = ()
    markers: MarkerBlock | None = None
    card: CardRuler | None = None
    sheet: SheetBlock | None = None
    roads: bool = False
    coins: tuple[CoinBlock, ...] = ()
    ellipses: tuple[EllipseBlock, ...] = ()
    placing_mm: float = 0.0
    points_sigma_px: tuple[float, ...] = ()
    points_raised_mm: float = 0.0
    seen: Path | None = None
    glass_mm: float = 0.0


def calibration_of(section: Section | None, *, has_map: bool, has_camera: bool) -> CalibrationBlock:
    """The block, checked; ValueError names file, line and key."""
    if section is None:
        return CalibrationBlock()
    section.refuse_unknown(KEYS)
    ellipses = _ellipses(section)
    three_do = has_camera or len(ellipses) >= MIN_ELLIPSES or "card" in section.values
    block = CalibrationBlock(
        points=_points(section, MIN_POINTS_WITH_LENS if three_do else MIN_POINTS),
        markers=_markers(section.section("markers")),
        card=card_ruler(section),
        sheet=_sheet(section.section("sheet")),
        roads=section.flag("roads"),
        coins=_coins(section),
        ellipses=ellipses,
        placing_mm=section.number("placing_mm", 0.0),
        points_sigma_px=_points_sigma_px(section),
        points_raised_mm=section.number("points_raised_mm", 0.0),
        seen=_picture(section, "seen"),
        glass_mm=section.number("glass_mm", 0.0),
    )
    _check_together(section, block, has_map)
    return block


def _check_together(section: Section, block: CalibrationBlock, has_map: bool) -> None:
    """What one key says must make sense beside the others."""
    if not 0 <= block.placing_mm <= MOST_PLACING_MM:
        wanted = f"should be 0 to {MOST_PLACING_MM:g}"
        raise section.fault("placing_mm", f"{wanted}: how many mm markers and points may lie off their place")
    if not 0 <= block.points_raised_mm <= MOST_RAISED_MM:
        wanted = f"should be 0 to {MOST_RAISED_MM:g}"
        raise section.fault("points_raised_mm", f"{wanted}: how many mm thick the marks in the points may be")
    if not 0 <= block.glass_mm <= MOST_GLASS_MM:
        raise section.fault("glass_mm", f"should be 0 to {MOST_GLASS_MM:g}: how many mm thick the pane over the map is")
    if block.glass_mm and (block.card is not None or block.coins or block.ellipses):
        lies_on = "cards and coins lie on the pane, and what measures the table must lie under it"
        raise section.fault("glass_mm", f"{lies_on}: leave out card, coins and ellipses, or this")
    others = bool(block.points or block.markers or block.sheet or block.card is not None)
    if block.roads and not has_map:
        raise section.fault("roads", "there is no [map] whose roads could be seen; add one, or leave this out")
    if 0 < len(block.coins) < MIN_COINS and not others:
        raise section.fault("coins", f"{len(block.coins)} coins alone fix no plane; give at least {MIN_COINS}")
    if block.ellipses and not block.points:
        raise section.fault("ellipses", "coins so measured go with the corners in points; add those")


def _points(section: Section, fewest: int) -> tuple[tuple[float, float, float, float], ...]:
    rows = section.values.get("points", [])
    if not isinstance(rows, list):
        raise section.fault("points", "should be a list of [u, v, x, y]")
    found = [section.as_numbers("points", row, 4) for row in rows]
    if "points" in section.values and len(found) < fewest:
        raise section.fault("points", f"{len(found)} points do not fix a plane; give at least {fewest}")
    return tuple((u, v, x, y) for u, v, x, y in found)


def _points_sigma_px(section: Section) -> tuple[float, ...]:
    rows = section.values.get("points", [])
    if "points_sigma_px" not in section.values or not isinstance(rows, list):
        return ()
    sigma_px = section.numbers("points_sigma_px", len(rows), positive=True)
    if max(sigma_px, default=0.0) > MOST_SIGMA_PX:
        raise section.fault("points_sigma_px", f"should be {MOST_SIGMA_PX:g} at most: so few pixels a point may be off")
    return tuple(sigma_px)


def _markers(section: Section | None) -> MarkerBlock | None:
    if section is None:
        return None
    section.refuse_unknown(("dictionary", "size_mm", "centres", "turn_deg"))
    centres = section.section("centres")
    if centres is None or not centres.values:
        raise section.fault(None, "centres is missing; write centres = { 0 = [20, 20], ... }")
    dictionary = section.string("dictionary", None, tuple(MARKERS_OF))
    placed = _centres(centres, dictionary)
    size_mm = section.number("size_mm", positive=True)
    _refuse_on_one_another(centres, placed, size_mm)
    return MarkerBlock(dictionary, size_mm, placed, _turns(section, placed))


def _refuse_on_one_another(section: Section, placed: Mapping[int, tuple[float, float]], size_mm: float) -> None:
    """ValueError for two markers in one place: even printed half as large as said they would cover one another."""
    for first, second in combinations(placed, 2):
        apart_mm = dist(placed[first], placed[second])
        if apart_mm < size_mm / 2:
            where = f"{apart_mm:.0f} mm from marker {first}, and markers are {size_mm:g} mm wide"
            raise section.fault(str(second), f"marker {second} would lie {where}; give each its own middle, in mm")


def _turns(section: Section, placed: Mapping[int, tuple[float, float]]) -> dict[int, float]:
    turns = section.section("turn_deg")
    turn_deg = {_marker_id(turns, key): turns.number(key) for key in turns.values} if turns else {}
    stray = next((marker for marker in turn_deg if marker not in placed), None)
    if turns is not None and stray is not None:
        raise turns.fault(str(stray), f"centres has no marker {stray}; give its place, or leave out its turn")
    return turn_deg


def _centres(section: Section, dictionary: str) -> dict[int, tuple[float, float]]:
    placed: dict[int, tuple[float, float]] = {}
    for key in section.values:
        marker, (x, y) = _marker_id(section, key), section.numbers(key, 2)
        if marker in placed:
            raise section.fault(key, f"marker {marker} is given twice; take one out")
        if marker >= MARKERS_OF[dictionary]:
            last = MARKERS_OF[dictionary] - 1
            raise section.fault(key, f"{dictionary} has no marker {marker}: its last is {last}; choose another")
        placed[marker] = x, y
    return placed


def _marker_id(section: Section, key: str) -> int:
    if not (key.isascii() and key.isdecimal()):
        raise section.fault(key, "a marker is named by its number; write it, such as 0")
    return int(key)


def card_ruler(section: Section) -> CardRuler | None:
    """The key `card`, which `[calibration]` and `[rules]` may both have."""
    value = section.values.get("card")
    if value is None:
        return None
    if value in ("poker", "bridge", "joker"):
        return value  # type: ignore[no-any-return]
    if isinstance(value, str):
        raise section.fault("card", f"{value!r} is none of poker, bridge, joker, nor [length, breadth]")
    length_mm, breadth_mm = section.as_numbers("card", value, 2, positive=True)
    if not SHORTEST_CARD_MM <= min(length_mm, breadth_mm) <= max(length_mm, breadth_mm) <= LONGEST_CARD_MM:
        raise section.fault("card", f"a card's sides are {SHORTEST_CARD_MM:g} to {LONGEST_CARD_MM:g} mm, not {value!r}")
    if length_mm < breadth_mm:
        raise section.fault("card", f"the length comes first: write [{breadth_mm:g}, {length_mm:g}], not {value!r}")
    return length_mm, breadth_mm


def _sheet(section: Section | None) -> SheetBlock | None:
    if section is None:
        return None
    section.refuse_unknown(("size_mm", "picture", "corner_mm", "turn_deg"))
    size = section.numbers("size_mm", 2, positive=True) if "size_mm" in section.values else None
    x, y = section.numbers("corner_mm", 2) if "corner_mm" in section.values else (0.0, 0.0)
    return SheetBlock(
        (size[0], size[1]) if size is not None else None,
        _picture(section, "picture"),
        (x, y),
        section.number("turn_deg", 0.0),
    )


def _picture(section: Section, key: str) -> Path | None:
    if key not in section.values:
        return None
    path = section.path.parent / section.string(key)
    if not path.is_file():
        raise section.fault(key, f"there is no picture {path}; its path counts from the set-up file's folder")
    return path


def _ellipses(section: Section) -> tuple[EllipseBlock, ...]:
    rows = section.values.get("ellipses", [])
    if not isinstance(rows, list):
        raise section.fault("ellipses", 'should be a list of [u, v, axis, axis, degrees, "gbp-2p"]')
    return tuple(_ellipse(section, row) for row in rows)


def _ellipse(section: Section, row: object) -> EllipseBlock:
    if not (isinstance(row, list) and len(row) == 6):
        raise section.fault("ellipses", f'should be [u, v, axis, axis, degrees, "gbp-2p"], not {row!r}')
    u, v, first, second, angle_deg = section.as_numbers("ellipses", row[:5], 5)
    if not SHORTEST_AXIS_PX <= min(first, second) <= max(first, second) <= LONGEST_AXIS_PX:
        wanted = f"should be {SHORTEST_AXIS_PX:g} to {LONGEST_AXIS_PX:g} px"
        raise section.fault("ellipses", f"the axes of {row!r} {wanted}")
    return EllipseBlock((u, v), (first, second), angle_deg, _coin_class(section, "ellipses", row[5]))


def _coins(section: Section) -> tuple[CoinBlock, ...]:
    rows = section.values.get("coins", [])
    if not isinstance(rows, list):
        raise section.fault("coins", 'should be a list of [u, v, "gbp-2p"]')
    return tuple(_coin(section, row) for row in rows)


def _coin(section: Section, row: object) -> CoinBlock:
    if not (isinstance(row, list) and len(row) == 3):
        raise section.fault("coins", f'should be [u, v, "gbp-2p"], not {row!r}')
    u, v = section.as_numbers("coins", row[:2], 2)
    return CoinBlock((u, v), _coin_class(section, "coins", row[2]))


def _coin_class(section: Section, key: str, cls: object) -> str:
    if not isinstance(cls, str) or cls not in COIN_DIAMETER_MM:
        raise section.fault(key, f"there is no coin {cls!r}; there are {', '.join(COIN_DIAMETER_MM)}")
    return cls
