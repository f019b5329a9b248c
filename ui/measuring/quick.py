"""The quick set-up: the table found by what lies there already, with no printed marker and no click."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.maps.sheet import Sheet
from calibration.plane import SIGMAS_95, TablePlane
from calibration.pose import rigid_between
from calibration.proof import TrustReport, check_table
from calibration.rulers.card_makes import likely_sizes
from calibration.table import CalibrationSpec, calibrate_table, darkness
from rules.map import Map
from rules.setup import CARD_SIZE_MM, COLOURS, Player
from ui.currency import parts_in
from ui.measuring.corners import WORST_MM
from ui.measuring.table import roads_mm
from ui.setup.calibration_block import CalibrationBlock, CardRuler, SheetBlock
from ui.setup.fitness import FLAT_DEG, elevation_deg_of
from ui.setup.setup_file import SIDES, checked_game
from ui.setup.setup_text import calibration_text, head_text, legend_text, map_text, player_text
from vision.frame import Frame
from vision.stream.picture import read_picture

# Of the table: a corner far from all cards may be worse, and its own error says so.
_WORST_SHARE = 0.9
# Focal lengths of the picture's longer side that webcams and telephones have; a wrong size or outline needs another.
_FOCAL_OF_LONGER = (0.45, 1.8)
_GRID_MM = 100.0
_NAMES = ("Ann", "Ben")
_WHICH_CARDS = (
    "their shape fits poker cards and bridge cards, and these give different lengths; lay down more of one kind, far"
    " apart, or run `sandtable setup` without --quick, which asks which they are"
)
Size = tuple[float, float]


@dataclass(frozen=True, eq=False)
class Found:
    """A table that was found.

    way      by what, in words
    block    how a set-up file says it
    spec     what the plane was calibrated by; `trust` says how far to believe it
    refused  ways that a player told of (a sheet, a map) and that failed, each with the reason
    """

    way: str
    block: CalibrationBlock
    plane: TablePlane
    trust: TrustReport
    spec: CalibrationSpec
    refused: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class _Way:
    """How a table may be measured; `or_mm` are the sizes (length, breadth) that its cards may have as well."""

    name: str
    block: CalibrationBlock
    spec: CalibrationSpec
    or_mm: tuple[Size, ...] = ()


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


def found_table(frame: Frame, size_mm: Size, known: Known | None = None) -> Found:
    """The table by the map that is known to lie there; or else by the outline of its mat or top, or by the playing
    cards on it, whichever is the most exact.

    ValueError with the reason for each, and what to change.
    """
    refused: list[str] = []
    known = known or Known()
    unused: tuple[str, ...] = ()
    for ways in (_ways_known(known, size_mm), _ways(frame, size_mm, known.lens)):
        lent = (replace(way, spec=replace(way.spec, lens=known.lens)) for way in ways)
        tried = [_tried(frame, way, size_mm, refused) for way in lent]
        found = [each for each in tried if each is not None]
        if found:
            return replace(min(found, key=lambda each: each.trust.believe_mm), refused=unused)
        unused = tuple(refused)
    # In the dark nothing else that was missed says anything.
    raise ValueError("; ".join(darkness(frame.image_bgr) or refused))


def _ways_known(known: Known, size_mm: Size) -> Iterator[_Way]:
    if known.picture is not None:
        sheet = Sheet(read_picture(known.picture).image_bgr, size_mm)
        spec = CalibrationSpec(sheet=sheet, table_size_mm=size_mm)
        yield _Way("print", CalibrationBlock(sheet=SheetBlock(picture=known.picture)), spec)
    if known.drawn is not None:
        spec = CalibrationSpec(roads_mm=roads_mm(known.drawn), table_size_mm=size_mm)
        yield _Way("roads", CalibrationBlock(roads=True), spec)


def _ways(frame: Frame, size_mm: Size, lens: Lens | None) -> Iterator[_Way]:
    by_outline = CalibrationSpec(sheet=Sheet(None, size_mm), table_size_mm=size_mm)
    yield _Way("outline", CalibrationBlock(sheet=SheetBlock()), by_outline)
    card_mm, *others_mm = likely_sizes(frame.image_bgr, CARD_SIZE_MM.values(), lens)
    make = _make_of(card_mm)
    name = "cards" if make == "poker" else f"{make} cards"
    by_cards = CalibrationSpec(card_size_mm=card_mm, table_size_mm=size_mm)
    yield _Way(name, CalibrationBlock(card=make), by_cards, tuple(others_mm))


def _make_of(card_mm: Size) -> CardRuler:
    return "bridge" if card_mm == CARD_SIZE_MM["bridge"] else "poker"


def _tried(frame: Frame, way: _Way, size_mm: Size, refused: list[str]) -> Found | None:
    spec = way.spec
    try:
        plane = calibrate_table(frame.image_bgr, spec)
    except ValueError as error:
        refused.append(f"by {way.name}: {error}")
        return None
    focal_of_longer = plane.lens.matrix[0, 0] / max(plane.lens.size_px)
    # A fisheye that was measured is shorter, and told to be.
    if spec.lens is None and not _FOCAL_OF_LONGER[0] < focal_of_longer < _FOCAL_OF_LONGER[1]:
        refused.append(f"by {way.name}: no ordinary camera shows it so; is --size right, and the same way round?")
        return None
    trust = check_table(frame.image_bgr, plane, spec)
    if float(np.nanquantile(trust.map_mm, _WORST_SHARE)) > WORST_MM:
        refused.append(f"by {way.name}: not even good to {WORST_MM:.0f} mm; {_cure(way.block, plane, size_mm)}")
        return None
    others = (replace(spec, card_size_mm=or_mm) for or_mm in way.or_mm)
    if any(_says_otherwise(frame, plane, other, size_mm) for other in others):
        refused.append(f"by {way.name}: {_WHICH_CARDS}")
        return None
    return Found(way.name, way.block, plane, trust, spec)


def _says_otherwise(frame: Frame, plane: TablePlane, spec: CalibrationSpec, size_mm: Size) -> bool:
    """Whether most places on a plane are farther apart by another spec than its own error has it."""
    try:
        other = calibrate_table(frame.image_bgr, spec)
    except ValueError:
        return False
    here_mm = np.concatenate(_lines_mm(size_mm))
    px = plane.to_image(here_mm)
    there_mm = other.to_table(px)
    off_mm = np.hypot(*(rigid_between(here_mm, there_mm).apply(here_mm) - there_mm).T)
    return not float(np.median(off_mm / plane.sigma_mm(px))) < SIGMAS_95


def _cure(block: CalibrationBlock, plane: TablePlane, size_mm: Size) -> str:
    """What makes a table plainer to measure."""
    if block.card is not None:
        return "lay down more playing cards, far apart, or click the corners: of a large table cards know too little"
    is_low = elevation_deg_of(plane, size_mm) < FLAT_DEG
    return "let all its sides show" + (", and the camera look from higher up: grain hides sides" if is_low else "")


def quick_text(
    game: str,
    size_mm: Size,
    block: CalibrationBlock,
    map_file: str | None = None,
    camera: str | None = None,
    currency: str | None = None,
) -> str:
    """A set-up file for two players who sit across the table; `map_file` as the file is to name it, `camera` the text
    of its `[camera]`, `currency` of its coins."""
    players = (Player(*each) for each in zip(_NAMES, COLOURS, SIDES, strict=False))
    drawn = [map_text(map_file)] if map_file is not None else []
    lent = [camera] if camera is not None else []
    head = head_text(game, size_mm, currency)
    parts = parts_in(currency, checked_game(game).legend)
    legend = [legend_text(parts)] if parts else []
    return "\n".join([head, *lent, calibration_text(block), *map(player_text, players), *drawn, *legend])


def grid_px(plane: TablePlane, size_mm: Size) -> list[NDArray[np.float64]]:
    """The playing area's edge and its decimetres as lines (n, 2) in the picture."""
    return [plane.to_image(line) for line in _lines_mm(size_mm)]


def _lines_mm(size_mm: Size) -> list[NDArray[np.float64]]:
    width, depth = size_mm
    across = [np.c_[np.full(20, x), np.linspace(0, depth, 20)] for x in (*np.arange(0, width, _GRID_MM), width)]
    along = [np.c_[np.linspace(0, width, 20), np.full(20, y)] for y in (*np.arange(0, depth, _GRID_MM), depth)]
    return [*across, *along]
