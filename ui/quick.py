"""The quick set-up: the table found by what lies there already, with no printed marker and no click."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.cards import find_cards
from calibration.correspondence import Correspondences
from calibration.fourth_corner import fourth_corner
from calibration.lens import Lens
from calibration.long_edge import long_edges
from calibration.plane import SIGMAS_95, TablePlane
from calibration.plumb_line import bend_of
from calibration.proof import TrustReport, check_table
from calibration.sheet import Sheet
from calibration.table import CalibrationSpec, calibrate_table, darkness
from rules.map import Map
from rules.scene import Point2
from rules.setup import CARD_SIZE_MM, Player
from ui.calibration_block import CalibrationBlock, EllipseBlock, SheetBlock
from ui.setup_file import COLOURS, SIDES
from ui.setup_text import calibration_text, head_text, map_text, player_text
from ui.table import roads_mm
from ui.wizard import CORNERS, Clicks, corner_points
from vision.coin_sizes import CoinEllipse, as_rulers
from vision.frame import Frame
from vision.picture import read_picture
from vision.ruler import shows_a_card
from vision.three_corners import Corners, coins_beside

# Worse than this and moves of a hand's breadth are in doubt: not worth beginning with.
WORST_MM = 10.0
# Of the table: a corner far from all cards may be worse, and its own error says so.
_WORST_SHARE = 0.9
# Focal lengths of the picture's longer side that webcams and telephones have; a wrong size or outline needs another.
_FOCAL_OF_LONGER = (0.45, 1.8)
_GRID_MM = 100.0
# One card might be another thing of its shape; two that agree with the corners, or with coins too, are cards.
_FEWEST_CARDS = 2
_NAMES = ("Ann", "Ben")


@dataclass(frozen=True, eq=False)
class Found:
    """A table that was found: by what, how a set-up file says it, the plane, and how far to trust it.

    refused  what was tried besides and did not do, with the reasons
    """

    way: str
    block: CalibrationBlock
    plane: TablePlane
    trust: TrustReport
    refused: tuple[str, ...] = ()


@dataclass(frozen=True)
class Known:
    """What a player knows of the sheet that lies there, and of the camera.

    picture  of the print, cut at its edges
    drawn    the map's roads, in table mm
    lens     as a lens file tells it
    """

    picture: Path | None = None
    drawn: Map | None = None
    lens: Lens | None = None


def found_table(frame: Frame, size_mm: tuple[float, float], known: Known | None = None) -> Found:
    """The table by the map that is known to lie there; or else by the outline of its mat or top, or by the playing
    cards on it, whichever is the most exact.

    ValueError with the reason for each, and what to change.
    """
    refused: list[str] = []
    known = known or Known()
    for ways in (_ways_known(known, size_mm), _ways(size_mm)):
        tried = [_tried(frame, way, block, replace(spec, lens=known.lens), refused) for way, block, spec in ways]
        found = [each for each in tried if each is not None]
        if found:
            return replace(min(found, key=lambda each: each.trust.believe_mm), refused=tuple(refused))
    raise ValueError("; ".join([*darkness(frame.image_bgr), *refused]))


def _ways_known(known: Known, size_mm: tuple[float, float]) -> Iterator[tuple[str, CalibrationBlock, CalibrationSpec]]:
    if known.picture is not None:
        sheet = Sheet(read_picture(known.picture).image_bgr, size_mm)
        spec = CalibrationSpec(sheet=sheet, table_size_mm=size_mm)
        yield "print", CalibrationBlock(sheet=SheetBlock(picture=known.picture)), spec
    if known.drawn is not None:
        spec = CalibrationSpec(roads_mm=roads_mm(known.drawn), table_size_mm=size_mm)
        yield "roads", CalibrationBlock(roads=True), spec


def _ways(size_mm: tuple[float, float]) -> tuple[tuple[str, CalibrationBlock, CalibrationSpec], ...]:
    by_outline = CalibrationSpec(sheet=Sheet(None, size_mm), table_size_mm=size_mm)
    by_cards = CalibrationSpec(card_size_mm=CARD_SIZE_MM["poker"], table_size_mm=size_mm)
    return (
        ("outline", CalibrationBlock(sheet=SheetBlock()), by_outline),
        ("cards", CalibrationBlock(card="poker"), by_cards),
    )


def _tried(frame: Frame, way: str, block: CalibrationBlock, spec: CalibrationSpec, refused: list[str]) -> Found | None:
    try:
        plane = calibrate_table(frame.image_bgr, spec)
    except ValueError as error:
        refused.append(f"by {way}: {error}")
        return None
    focal_of_longer = plane.lens.matrix[0, 0] / max(plane.lens.size_px)
    if not _FOCAL_OF_LONGER[0] < focal_of_longer < _FOCAL_OF_LONGER[1]:
        refused.append(f"by {way}: no ordinary camera shows it so; is --size right, and the same way round?")
        return None
    trust = check_table(frame.image_bgr, plane, spec)
    if float(np.nanquantile(trust.map_mm, _WORST_SHARE)) > WORST_MM:
        refused.append(f"by {way}: not even good to {WORST_MM:.0f} mm; lay down more playing cards, far apart")
        return None
    return Found(way, block, plane, trust)


def clicked_corners(
    frame: Frame, size_mm: tuple[float, float], clicks: Clicks, lens: Lens | None, say: Callable[[str], None]
) -> CalibrationBlock:
    """The table by its corners, each clicked once: three where the table's own sides, a measured lens, or the cards or
    coins that lie there make those do; or else all four, and what the three left open is said."""
    names = tuple(f"the {name} corner of the table" for name, _ in CORNERS)
    corners_px = _whole(clicks(names[:-1]))
    try:
        return by_three(frame, size_mm, corners_px, lens)
    except ValueError as error:
        say(f"a fourth corner is needed: {error}")
    return CalibrationBlock(corner_points(corners_px + _whole(clicks(names[-1:])), size_mm))


def _whole(clicked_px: list[Point2]) -> list[Point2]:
    """To whole pixels, as a hand clicks: decimals would say that they were measured (calibration.correspondence)."""
    return [(float(round(u)), float(round(v))) for u, v in clicked_px]


def by_three(
    frame: Frame, size_mm: tuple[float, float], corners_px: list[Point2], lens: Lens | None
) -> CalibrationBlock:
    """The table by three corners, with what else tells it: its sides, the lens, cards, or coins; ValueError, one line,
    where that is not enough."""
    points = corner_points(corners_px, size_mm)
    spec = CalibrationSpec(points, lens=lens, table_size_mm=size_mm)
    with suppress(ValueError):
        u, v = fourth_corner(frame.image_bgr, np.array(corners_px), size_mm, lens).tolist()
        whole = corner_points([*corners_px, *_whole([(u, v)])], size_mm)
        _checked(frame, replace(spec, points=whole), "three corners and the sides")
        return CalibrationBlock(whole)
    if lens is not None:
        with suppress(ValueError):
            _checked(frame, spec, "three corners and the lens")
            return CalibrationBlock(points)
    # Three points choose no cards, nor do coins: where none shows now, none will beside the coins.
    shows_cards = bool(len(find_cards(frame.image_bgr, CARD_SIZE_MM["poker"], _lens(frame, lens))))
    with suppress(ValueError):
        _check_cards(frame, replace(spec, card_size_mm=CARD_SIZE_MM["poker"]), _FEWEST_CARDS, shows_cards=shows_cards)
        return CalibrationBlock(points, card="poker")
    coins = _coins_beside(frame, spec)
    ellipses = tuple(EllipseBlock(coin.centre_px, coin.axes_px, coin.angle_deg, coin.cls) for coin in coins)
    beside = replace(spec, circles=as_rulers(coins))
    with suppress(ValueError):
        _check_cards(frame, replace(beside, card_size_mm=CARD_SIZE_MM["poker"]), 1, shows_cards=shows_cards)
        return CalibrationBlock(points, card="poker", ellipses=ellipses)
    _checked(frame, beside, f"three corners and {len(coins)} coins")
    return CalibrationBlock(points, ellipses=ellipses)


def _lens(frame: Frame, lens: Lens | None) -> Lens:
    height, width = frame.image_bgr.shape[:2]
    return (lens or Lens.unknown((width, height))).scaled_to((width, height))


def _check_cards(frame: Frame, spec: CalibrationSpec, fewest: int, *, shows_cards: bool) -> None:
    """ValueError where the corners and what has a card's shape contradict, or no card can be read."""
    if not shows_cards:
        raise ValueError("no card is seen whole")
    plane = _checked(frame, spec, "three corners and the cards")
    cards = {each.source for each in plane.residuals if each.source.startswith("card ")}
    if plane.rejected or len(cards) < fewest or not shows_a_card(frame, plane):
        raise ValueError(f"three corners want {fewest} cards that agree with them")


def _coins_beside(frame: Frame, spec: CalibrationSpec) -> tuple[CoinEllipse, ...]:
    from vision.eyes import Eyes, Wanted

    height, width = frame.image_bgr.shape[:2]
    bend = None if spec.lens is not None else bend_of(long_edges(frame.image_bgr), (width, height))
    rows = np.array(spec.points)
    size_mm = spec.table_size_mm or (float(rows[:, 2].max()), float(rows[:, 3].max()))
    corners = Corners(Correspondences.of(rows[:, :2], rows[:, 2:]), size_mm, spec.lens, bend)
    return coins_beside(frame, corners, Eyes.packaged(size_mm, Wanted(frozenset({"coin"}))).look)


def _checked(frame: Frame, spec: CalibrationSpec, by: str) -> TablePlane:
    """The plane; ValueError where the spec does not tell the table's corners well enough to begin with."""
    plane = calibrate_table(frame.image_bgr, spec)
    width, depth = spec.table_size_mm or (0.0, 0.0)
    corners_mm = np.array([(x * width, y * depth) for _, (x, y) in CORNERS])
    believe_mm = float((SIGMAS_95 * plane.sigma_mm(plane.to_image(corners_mm))).max())
    if not believe_mm < WORST_MM:
        raise ValueError(f"{by} tell the table to {believe_mm:.0f} mm only, and {WORST_MM:.0f} are wanted")
    return plane


def quick_text(
    game: str,
    size_mm: tuple[float, float],
    block: CalibrationBlock,
    map_file: str | None = None,
    camera: str | None = None,
) -> str:
    """A set-up file for two players who sit across the table; `map_file` as the file is to name it, `camera` the text
    of its `[camera]`."""
    players = (Player(*each) for each in zip(_NAMES, COLOURS, SIDES, strict=False))
    drawn = [map_text(map_file)] if map_file is not None else []
    lent = [camera] if camera is not None else []
    return "\n".join([head_text(game, size_mm), *lent, calibration_text(block), *map(player_text, players), *drawn])


def grid_px(plane: TablePlane, size_mm: tuple[float, float]) -> list[NDArray[np.float64]]:
    """The playing area's edge and its decimetres as lines (n, 2) in the picture."""
    width, depth = size_mm
    across = [np.c_[np.full(20, x), np.linspace(0, depth, 20)] for x in (*np.arange(0, width, _GRID_MM), width)]
    along = [np.c_[np.linspace(0, width, 20), np.full(20, y)] for y in (*np.arange(0, depth, _GRID_MM), depth)]
    return [plane.to_image(line) for line in (*across, *along)]
