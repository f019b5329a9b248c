"""From a set-up file and a picture to the table plane that everything is measured on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from calibration.boards.lens_file import lens_in
from calibration.fit.correspondence import Correspondences
from calibration.kick.drift import Anchor
from calibration.maps.sheet import Sheet
from calibration.plane import SIGMAS_95, TablePlane
from calibration.rulers.by_lattice import SeesLattice
from calibration.rulers.card_makes import are_met, breadth_off, likelier_size
from calibration.rulers.coins import CoinAt
from calibration.table import CalibrationSpec, MarkerSheet, calibrate_table
from models.coins import DIAMETER_MM, THICKNESS_MM
from rules.map import Map
from rules.setup import CARD_SIZE_MM
from ui.measuring.coins_told import told_as_others
from ui.measuring.map_lie import as_it_lies
from ui.measuring.since import plane_since
from ui.paint.grid import HEX_GAME
from ui.setup.calibration_block import CalibrationBlock, MarkerBlock, SheetBlock
from ui.setup.setup_file import SetupFile
from vision.frame import Frame
from vision.mat.known_print import KnownPrint
from vision.scale.coin_ruler import by_coins_alone
from vision.scale.coin_sizes import CoinEllipse, as_rulers
from vision.scale.ruler import BOTH_ENDS, card_outlines, card_seeds, has_likely_lens, how_sure, looks_at
from vision.stream.picture import read_picture

# Four points, where nothing else helps, are met by some camera in any order.
_CORNERS = 4
# A corner that does not show may be guessed so far beyond the picture, of its longer side.
_BEYOND = 0.02
# A table whose middle is known no better than this (95 %) is none that anything could be played on.
_WORST_MM = 60.0
# A table that no set-up describes is measured by the cards on it, if there are any.
_CARDS_ONLY = CalibrationSpec(card_size_mm=CARD_SIZE_MM["poker"])


def plane_for(setup: SetupFile | None, frame: Frame) -> TablePlane:
    """The table plane in `frame`, by everything that the set-up calibrates with; by poker cards without one.

    ValueError says what is missing or contradicts, and names the set-up file.
    """
    spec = spec_of(setup) if setup is not None else _CARDS_ONLY
    try:
        anchor = anchor_of(setup) if setup is not None else None
        if setup is not None and anchor is not None:
            return as_it_lies(setup, plane_since(setup, anchor, frame), frame)
        if setup is None:
            return _by_cards_of_any_make(frame)
        plane = _calibrated_at_any_size(setup, spec, frame)
        if _cards_alone(spec):
            _refuse_odd_cards(spec, frame, plane)
        _refuse_unknown(plane, setup.rules.table_size_mm)
        # On a plane that misnamed coins tell right ones may look like others.
        others = () if _coins_alone(spec) else told_as_others(setup, plane, frame)
        plane = replace(plane, notes=(*_points_outside(setup, frame), *plane.notes, *others))
        return as_it_lies(setup, plane, frame)
    except ValueError as error:
        where = f"{setup.path}: calibration" if setup is not None else f"{frame.source}: without --setup"
        why = "; ".join((*(_points_outside(setup, frame) if setup is not None else ()), str(error)))
        raise ValueError(f"{where}: {why}") from None


def _points_outside(setup: SetupFile, frame: Frame) -> tuple[str, ...]:
    """A line on points that nobody can have clicked in this picture; none where they were clicked in another."""
    height, width = frame.image_bgr.shape[:2]
    block, camera = setup.calibration, setup.camera
    if block.seen is not None or (camera is not None and camera.size_px[0] != width):
        return ()
    beyond = _BEYOND * max(width, height)
    stray = [
        f"point {number}"
        for number, (u, v, *_) in enumerate(block.points, 1)
        if not (-beyond <= u <= width + beyond and -beyond <= v <= height + beyond)
    ]
    lie = "lies" if len(stray) == 1 else "lie"
    larger = f"outside the picture, which is {width} x {height} px: click in one of that size"
    return (f"{', '.join(stray)} {lie} {larger}",) if stray else ()


def refuse_turned(spec: CalibrationSpec, frame: Frame) -> None:
    """ValueError for four points that an ordinary camera would see if each were the next one's place."""
    places = [point[2:] for point in spec.points]
    turned = zip(spec.points, (*places[1:], places[0]), strict=True)
    again = replace(spec, points=tuple((*point[:2], *place) for point, place in turned))
    if _is_ordinary(again, frame):
        raise ValueError(
            "the points look turned by one: no ordinary camera sees them so, and one would if point 1 lay at the place"
            " of point 2, and so on; give each its own place"
        )


def _is_ordinary(spec: CalibrationSpec, frame: Frame) -> bool:
    """Whether a camera as people have them sees the table so; of points in no order round the table none does."""
    try:
        return has_likely_lens(calibrate_table(frame.image_bgr, spec))
    except ValueError:
        return False


def _refuse_unknown(plane: TablePlane, size_mm: tuple[float, float]) -> None:
    """ValueError for a plane by which no place on the table is known to anything."""
    off_mm = SIGMAS_95 * float(plane.sigma_mm(plane.to_image([(size_mm[0] / 2, size_mm[1] / 2)]))[0])
    if not off_mm < _WORST_MM:
        known = f"to {off_mm:.0f} mm" if np.isfinite(off_mm) else "not at all"
        raise ValueError(
            f"the middle of the table is known {known}: check the references' places, order, turn and signs"
        )


@lru_cache(maxsize=1)
def anchor_of(setup: SetupFile) -> Anchor | None:
    """The picture that the set-up was made in, measured, to compare later ones with; None where it names none.

    Kept, since a camera that does not show the table yet is asked again for seconds.
    """
    if setup.calibration.seen is None:
        return None
    then = read_picture(setup.calibration.seen)
    plane = _calibrated(spec_of(setup), then, sees_hexes(setup, then))
    return Anchor.of(then.image_bgr, plane, setup.rules.table_size_mm)


def sees_hexes(setup: SetupFile | None, frame: Frame) -> SeesLattice | None:
    """What sees the hexes of a table on which a game is played on hexes; None for all others."""
    if setup is None or setup.rules.game != HEX_GAME:
        return None
    from vision.detect.hex.hex_places import HexPlaces

    return HexPlaces(frame.image_bgr, setup.rules.table_size_mm)


def _calibrated(spec: CalibrationSpec, frame: Frame, see: SeesLattice | None = None) -> TablePlane:
    """The table plane by the spec; ValueError, one line, if the spec does not determine it."""
    if _cards_alone(spec):
        return _by_cards(spec, frame)
    if see is None and _coins_alone(spec):
        return by_coins_alone(frame.image_bgr, spec)
    plane = calibrate_table(frame.image_bgr, spec, see)
    is_by_points = len(spec.points) == _CORNERS and not (_others(spec) or spec.card_size_mm)
    if is_by_points and not has_likely_lens(plane):
        refuse_turned(spec, frame)
    return plane


def _calibrated_at_any_size(setup: SetupFile, spec: CalibrationSpec, frame: Frame) -> TablePlane:
    """The table plane by the spec, in a picture of any size.

    If the picture has another size than the set-up's camera, the points are also tried as clicked at the camera's size;
    the plane that fits its points better is taken.
    """
    enlarged = _points_enlarged(setup, spec, frame)
    see = sees_hexes(setup, frame)
    if enlarged is None:
        return _calibrated(spec, frame, see)
    try:
        plane = _calibrated(enlarged, frame, see)
    except ValueError:
        return _calibrated(spec, frame, see)
    try:
        told = _calibrated(spec, frame, see)
    except ValueError:
        return plane
    return plane if _misfit(plane) < _misfit(told) else told


def _points_enlarged(setup: SetupFile, spec: CalibrationSpec, frame: Frame) -> CalibrationSpec | None:
    """The spec with points that were clicked at the camera's size, scaled to this picture's size.

    None if both are of one size, or if coins are told by their px, too.
    """
    width = frame.image_bgr.shape[1]
    if setup.camera is None or setup.camera.size_px[0] == width or not spec.points or spec.coins or spec.circles:
        return None
    factor, points = width / setup.camera.size_px[0], np.array(spec.points, float)
    clicked = Correspondences.of(points[:, :2], points[:, 2:], sigma_px=spec.points_sigma_px or None)
    # Pixel centres are whole numbers: the picture's corner is (-0.5, -0.5).
    places = np.c_[(points[:, :2] + 0.5) * factor - 0.5, points[:, 2:]]
    sigmas = (clicked.sigma_px * factor).tolist()
    return replace(spec, points=tuple(map(tuple, places.tolist())), points_sigma_px=tuple(sigmas))


def _misfit(plane: TablePlane) -> tuple[int, float]:
    """How ill what measures the plane fits: what was said of it, and what is left in px."""
    return len(plane.notes), plane.reprojection_error_px


def _by_cards(spec: CalibrationSpec, frame: Frame) -> TablePlane:
    """The table plane by cards alone.

    Cards that stand out by their shape are tried first, then cards that the nets recognise. The first plane is taken
    that an ordinary camera would have and on which a card is read at both ends, or else the one with most cards read.
    """
    proven: list[tuple[bool, int, TablePlane]] = []
    told: list[ValueError] = []
    for cards in chain([spec], _recognised(spec, frame)):
        try:
            plane, chances = _proven_by_cards(cards, frame)
        except ValueError as error:
            told.append(error)
            if cards is spec:
                _refuse_other_cards(spec, frame)
            continue
        if cards is spec and not are_met(plane):
            _refuse_other_cards(spec, frame)
        is_likely = has_likely_lens(plane)
        if is_likely and chances.max() >= BOTH_ENDS:
            return plane
        proven.append((is_likely, len(chances) if is_likely else 0, plane))
    if not proven:
        _refuse_mirrored(spec, frame)
        raise told[-1]
    return max(proven, key=lambda one: one[:2])[2]


def _others(spec: CalibrationSpec) -> bool:
    """Whether something else than points and cards measures the table."""
    return bool(spec.coins or spec.roads_mm or spec.markers is not None or spec.sheet is not None)


def _cards_alone(spec: CalibrationSpec) -> bool:
    """Whether nothing but cards measures the table."""
    return spec.card_size_mm is not None and not (_others(spec) or spec.points)


def _coins_alone(spec: CalibrationSpec) -> bool:
    """Whether nothing but coins that were pointed at measures the table."""
    others = spec.points or spec.circles or spec.card_size_mm or spec.roads_mm
    return bool(spec.coins) and not (others or spec.markers is not None or spec.sheet is not None)


def _by_cards_of_any_make(frame: Frame) -> TablePlane:
    """The plane by poker cards, or by those of another size that are seen: nobody told one."""
    try:
        return _calibrated(_CARDS_ONLY, frame)
    except OtherCardsError as other:
        return _calibrated(replace(_CARDS_ONLY, card_size_mm=other.size_mm), frame)


class OtherCardsError(ValueError):
    """Cards of another usual size than the told one; `size_mm` (length, breadth)."""

    def __init__(self, told_mm: tuple[float, float], name: str) -> None:
        self.size_mm = CARD_SIZE_MM[name]
        told, right = (f"{length:g} x {breadth:g} mm" for length, breadth in (told_mm, self.size_mm))
        super().__init__(f'the cards are not {told}: they look like {name} cards, {right}; write card = "{name}"')


def _refuse_other_cards(spec: CalibrationSpec, frame: Frame) -> None:
    """`OtherCardsError` where cards of another usual size fit clearly better, and are read."""
    told_mm = spec.card_size_mm or CARD_SIZE_MM["poker"]
    size_mm = likelier_size(frame.image_bgr, told_mm, CARD_SIZE_MM.values(), spec.lens)
    if size_mm is None:
        return
    try:
        _proven_by_cards(replace(spec, card_size_mm=size_mm), frame)
    except ValueError:  # what has that shape is no card
        return
    raise OtherCardsError(told_mm, next(name for name, each in CARD_SIZE_MM.items() if each == size_mm))


def _refuse_odd_cards(spec: CalibrationSpec, frame: Frame, plane: TablePlane) -> None:
    """ValueError where the cards' shape is not the told one's, and so nobody knows their size."""
    if spec.card_size_mm is None or are_met(plane):
        return
    off = breadth_off(frame.image_bgr, spec.card_size_mm, spec.lens)
    if off is None or not off.is_sure:
        return
    length_mm, breadth_mm = spec.card_size_mm
    shape = length_mm / breadth_mm
    raise ValueError(
        f"the cards are not {length_mm:g} x {breadth_mm:g} mm: they are {shape / (1 + off.share):.2f} times as long as"
        f" broad, not {shape:.2f}; measure one and write card = [length, breadth] in mm"
    )


def _refuse_mirrored(spec: CalibrationSpec, frame: Frame) -> None:
    """ValueError where cards are read in the picture's mirror image."""
    try:
        _proven_by_cards(
            replace(spec, lens=None), replace(frame, image_bgr=np.ascontiguousarray(frame.image_bgr[:, ::-1]))
        )
    except ValueError:
        return
    raise ValueError("no card is read in the picture, but mirrored: switch mirroring off in the camera's program")


def _recognised(spec: CalibrationSpec, frame: Frame) -> Iterator[CalibrationSpec]:
    """The spec with the cards that the nets find: rough outlines, then what two signs of one tell."""
    looks = looks_at(frame.image_bgr, spec.card_size_mm or CARD_SIZE_MM["poker"])
    if seeds := card_seeds(frame.image_bgr, looks):
        yield replace(spec, cards_px=seeds)
    for outlines in card_outlines(frame.image_bgr, looks):
        yield replace(spec, measured_px=outlines)


def _proven_by_cards(spec: CalibrationSpec, frame: Frame) -> tuple[TablePlane, NDArray[np.float64]]:
    """The plane and how surely each card is read on it; ValueError where none is: maps and screens have much a card's
    shape."""
    plane = calibrate_table(frame.image_bgr, spec)
    chances = how_sure(frame, plane, spec.card_size_mm or CARD_SIZE_MM["poker"])
    if not len(chances):
        raise ValueError(
            "what has a card's shape does not read as one: lay a playing card flat, face up and in full sight, or name"
            " other references"
        )
    return plane, chances


def spec_of(setup: SetupFile) -> CalibrationSpec:
    """What a set-up file says for `calibrate_table`; ValueError where its sheet's picture cannot be read."""
    block, rules = setup.calibration, setup.rules
    by_cards = block.card is not None or block == CalibrationBlock()
    return CalibrationSpec(
        points=block.points,
        points_sigma_px=block.points_sigma_px,
        points_raised_mm=block.points_raised_mm,
        markers=marker_sheet(block.markers) if block.markers is not None else None,
        # A joker is measured on the table; it cannot measure the table as well.
        card_size_mm=rules.card_mm if by_cards and block.card != "joker" else None,
        coins=tuple(
            CoinAt(coin.cls, coin.at_px, DIAMETER_MM[coin.cls], THICKNESS_MM[coin.cls]) for coin in block.coins
        ),
        circles=as_rulers([CoinEllipse(c.cls, c.at_px, c.axes_px, c.angle_deg) for c in block.ellipses]),
        sheet=_sheet(block.sheet, rules.table_size_mm) if block.sheet is not None else None,
        roads_mm=roads_mm(rules.map) if block.roads and rules.map is not None else (),
        lens=lens_in(setup.text, setup.path) if setup.camera is not None else None,
        table_size_mm=rules.table_size_mm,
        placing_mm=block.placing_mm,
    )


def print_of(setup: SetupFile | None) -> KnownPrint | None:
    """The print that lies there, if the set-up names its picture; ValueError where that cannot be read."""
    block = setup.calibration.sheet if setup is not None else None
    if setup is None or block is None:
        return None
    return KnownPrint.of(_sheet(block, setup.rules.table_size_mm))


def marker_sheet(block: MarkerBlock) -> MarkerSheet:
    """The markers that a set-up names."""
    return MarkerSheet(block.dictionary, block.size_mm, block.centres, block.turn_deg)


def _sheet(block: SheetBlock, table_size_mm: tuple[float, float]) -> Sheet:
    picture = read_picture(block.picture).image_bgr if block.picture is not None else None
    return Sheet(picture, block.size_mm or table_size_mm, block.corner_mm, block.turn_deg)


def roads_mm(drawn: Map) -> tuple[NDArray[np.float64], ...]:
    """The roads of a map as lines (n, 2), table mm."""
    return tuple(np.asarray(road.line.coords, float)[:, :2] for road in drawn.roads)
