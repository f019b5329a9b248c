"""From a picture and what lies on the table to the table plane: every reference used, every residual told."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calibration.bending.bow import without_bow
from calibration.bending.lens_fold import folded_at, folds
from calibration.bending.other_lens import FOLDED, measured_without
from calibration.corners.sheet_shape import clicked_shape, in_doubt, shape_seen
from calibration.edges.tints import bend_shown
from calibration.fiducials.blurred_markers import unpulled
from calibration.fiducials.exchanged_markers import exchanged, in_words
from calibration.fiducials.markers import Marker, corners_mm, find_markers, shown_twice
from calibration.fiducials.missing_markers import why_missing
from calibration.fiducials.turned_markers import turned_by
from calibration.fit.correspondence import Circle, Correspondences
from calibration.fit.degenerate import FEWEST_CIRCLES, check_points
from calibration.fit.first_guesses import first_guesses
from calibration.fit.plane_fit import fit_plane
from calibration.fit.seen import Seen
from calibration.lens import Lens
from calibration.maps.road_guess import GUESSED_PX, plane_by_roads
from calibration.maps.roads import ROUGH_PX, roads_seen
from calibration.maps.sheet import Sheet, match_sheet
from calibration.plane import TablePlane
from calibration.pose import CameraGuess
from calibration.rulers.by_lattice import SeesLattice, sharpened_by
from calibration.rulers.cards import cards_at, find_cards, find_cards_beside
from calibration.rulers.coins import CoinAt, coins_seen

Array = NDArray[np.float64]
Image = NDArray[np.uint8]

# So far off clicks are taken to be that only say where to look for a map's roads.
_ROUGH_CLICK_PX = 3.0
# So many clicks measure a table by themselves, if nothing else lies there.
_CLICKED = 4
# Below this mean grey a webcam's noise is as strong as a printed line.
_DARK = 30.0
_UPRIGHT: Mapping[int, float] = MappingProxyType({})


@dataclass(frozen=True)
class MarkerSheet:
    """Markers on the table: `centres` in table mm by id, `size_mm` over the black border.

    turn_deg  counter-clockwise by id; a marker not in it lies upright, its top side away from the near edge
    """

    dictionary: str
    size_mm: float
    centres: Mapping[int, tuple[float, float]]
    turn_deg: Mapping[int, float] = field(default_factory=lambda: _UPRIGHT)


@dataclass(frozen=True, eq=False)
class CalibrationSpec:
    """All that a table may be calibrated by; one is enough, with several all count.

    points         (u px, v px, x mm, y mm), u and v as in the picture
    points_sigma_px  how exactly each of them is seen (standard deviation); empty where their decimals say it
    points_raised_mm  how thick the things may be on which they were clicked, all alike (standard deviation; 0: flat)
    card_size_mm   (length, breadth) of the cards on the table, if they are to be rulers
    cards_px       rough outlines (4, 2) of cards that somebody recognised in the picture
    measured_px    corners (4, 2) of cards that somebody measured, clockwise, the first side along the length; no others
                   are looked for then
    coins          coins that somebody pointed at and named
    circles        coins that somebody found, measured and named
    sheet          the printed map or mat, by its picture or by its outline
    roads_mm       the roads of the map that lies there, table mm; they sharpen what others say roughly, and calibrate
                   alone where the map's sheet is seen whole
    lens           None if the set-up has no `[camera]`
    table_size_mm  the playing area
    placing_mm     how exactly points and markers lie where the set-up says (standard deviation; a tape measure: 0.5)
    """

    points: tuple[tuple[float, float, float, float], ...] = ()
    markers: MarkerSheet | None = None
    card_size_mm: tuple[float, float] | None = None
    cards_px: tuple[Array, ...] = ()
    measured_px: tuple[Array, ...] = ()
    coins: tuple[CoinAt, ...] = ()
    circles: tuple[Circle, ...] = ()
    sheet: Sheet | None = None
    roads_mm: tuple[Array, ...] = ()
    lens: Lens | None = None
    table_size_mm: tuple[float, float] | None = None
    placing_mm: float = 0.0
    points_sigma_px: tuple[float, ...] = ()
    points_raised_mm: float = 0.0


def calibrate_table(image: Image, spec: CalibrationSpec, see: SeesLattice | None = None) -> TablePlane:
    """The plane in this picture.

    image   (h, w) or (h, w, 3) uint8
    see     finds a lattice that is drawn on the table, which sharpens what else tells the plane
    Raises  ValueError, one line, when what the spec names is not there or fixes no plane
    """
    try:
        return _calibrated(image, spec, see)
    except ValueError:
        if spec.lens is None or not folds(spec.lens):
            raise
    plane = _calibrated(image, replace(spec, lens=None), see)
    return replace(plane, notes=measured_without(plane.notes, FOLDED))


def _calibrated(image: Image, spec: CalibrationSpec, see: SeesLattice | None) -> TablePlane:
    """As `calibrate_table`; ValueError too where something was seen in which the lens file shows no ray."""
    size_px = (image.shape[1], image.shape[0])
    lens = (spec.lens or _unknown_lens(spec, size_px)).scaled_to(size_px)
    notes: list[str] = []
    seen, circles = _references(image, spec, lens, notes)
    if lens.known and folded_at(lens, _in_picture(Seen(seen, circles).image_px, size_px)).any():
        raise ValueError(FOLDED)
    seen, bend = without_bow(seen, lens), None if lens.known else bend_shown(image)
    fitted = partial(
        fit_plane, lens=lens, size_px=size_px, table_size_mm=spec.table_size_mm, circles=circles, bend=bend
    )
    by_roads = bool(spec.roads_mm) and not (len(seen) or circles)
    if by_roads:
        plane = plane_by_roads(image, spec.roads_mm, spec.table_size_mm or _extent_mm(spec.roads_mm), lens, bend)
    else:
        _check_something(circles, seen, [*notes, *darkness(image)], 3 if lens.known else 4)
        plane = fitted(seen)
    if not lens.known:
        before, seen = seen, without_bow(seen, plane.lens)
        plane = plane if seen is before else fitted(seen)
    if spec.roads_mm:
        reach_px = GUESSED_PX if by_roads else ROUGH_PX
        seen = Correspondences.joined([seen, roads_seen(image, spec.roads_mm, plane, lens, reach_px, bend)])
        plane = fitted(seen)
    if see is not None:
        plane = sharpened_by(see, plane, seen, lambda slant: fitted(seen, slant=slant))
    plane = _in_doubt_of_shape(plane, spec.sheet, seen, circles, lens)
    return replace(plane, notes=(*notes, *plane.notes))


def _in_doubt_of_shape(
    plane: TablePlane, sheet: Sheet | None, seen: Correspondences, circles: tuple[Circle, ...], lens: Lens
) -> TablePlane:
    """The plane with what it is off if the sheet, or the field that was clicked, has another shape than said."""
    if sheet is not None:
        return in_doubt(plane, sheet, sheet.off_shape if sheet.image is not None else shape_seen(seen, plane, lens))
    return plane if circles else clicked_shape(seen, plane, lens)


def _in_picture(px: Array, size_px: tuple[int, int]) -> Array:
    """Those of places (n, 2) that the picture holds: a sheet's corner may lie beyond, where a lens may fold."""
    return px[((px >= 0) & (px <= np.array(size_px) - 1)).all(axis=1)]


def _unknown_lens(spec: CalibrationSpec, size_px: tuple[int, int]) -> Lens:
    """A lens that nobody measured. Beside clicked points nothing tells which, or a few cards and coins, which hardly
    do; sheets have straight sides."""
    is_clicked = len(spec.points) >= _CLICKED
    lens = Lens.unknown(size_px, barrels=spec.card_size_mm is None)
    telling = spec.roads_mm or spec.markers or spec.sheet
    return replace(lens, may_be_any=is_clicked and not telling)


def _references(
    image: Image, spec: CalibrationSpec, lens: Lens, notes: list[str]
) -> tuple[Correspondences, tuple[Circle, ...]]:
    """All points and coins that the spec names and the picture shows; what is missing is added to `notes`."""
    parts = [_clicked(spec)]
    if spec.markers is not None:
        parts.append(markers_seen(image, spec.markers, notes))
    if spec.sheet is not None:
        parts.append(match_sheet(image, spec.sheet, lens, notes))
    fixed = Correspondences.joined(parts)
    guess = _first_guess(fixed, lens) if spec.card_size_mm is not None or spec.coins else None
    if spec.card_size_mm is not None:
        parts.append(_cards_seen(image, spec, spec.card_size_mm, lens, guess, notes))
    circles = (*spec.circles, *coins_seen(image, spec.coins, lens, guess, notes))
    return replace(Correspondences.joined(parts), placing_mm=spec.placing_mm), circles


def _extent_mm(roads_mm: Sequence[Array]) -> tuple[float, float]:
    width, depth = np.max([road.max(axis=0) for road in roads_mm], axis=0)
    return float(width), float(depth)


def markers_seen(image: Image, sheet: MarkerSheet, notes: list[str]) -> Correspondences:
    """The corners of a sheet's markers in a picture; the missing ones are added to `notes`."""
    if not sheet.size_mm > 0:
        raise ValueError(f"calibration.markers.size_mm is {sheet.size_mm}: give the black square's side in mm")
    shown = find_markers(image, sheet.dictionary, sheet.centres.keys())
    found = {marker.id: marker for marker in unpulled(image, shown, sheet.dictionary)}
    missing = [marker_id for marker_id in sheet.centres if marker_id not in found]
    if missing:
        verb = "is" if len(missing) == 1 else "are"
        notes.append(f"{_called(missing, sheet)} {verb} not found{why_missing(image, sheet, found.keys())}")
    twice = shown_twice(image, sheet.dictionary, found.keys())
    if twice:
        verbs = "shows twice and was" if len(twice) == 1 else "show twice and were"
        notes.append(f"{_called(twice, sheet)} {verbs} left out: take the other one away")
        found = {marker_id: marker for marker_id, marker in found.items() if marker_id not in twice}
    turn_deg = _turns(found, sheet, notes, (image.shape[1], image.shape[0]))
    return Correspondences.joined(
        Correspondences.of(
            marker.corners_px,
            corners_mm(sheet.centres[marker_id], sheet.size_mm, turn_deg.get(marker_id, 0.0)),
            [f"marker {marker_id}"] * 4,
            marker.sigma_px,
        )
        .found_by_sides()
        .dark_on_light()
        for marker_id, marker in found.items()
    )


def _turns(
    found: Mapping[int, Marker], sheet: MarkerSheet, notes: list[str], size_px: tuple[int, int]
) -> Mapping[int, float]:
    """How each marker lies, degrees: as the set-up says, or turned by quarters, which `notes` tell.

    ValueError where all are turned alike, or one by anything else: then their places may be wrong; or where they lie in
    one another's.
    """
    turned = turned_by(found.values(), sheet.centres, sheet.size_mm, sheet.turn_deg)
    are_alike = len(turned) == len(found) and len(set(turned.values())) == 1
    if not are_alike:
        _refuse_exchanged(found, sheet, size_px)
    if not turned:
        return sheet.turn_deg
    lies = {marker: (sheet.turn_deg.get(marker, 0.0) + off_deg) % 360 for marker, off_deg in turned.items()}
    said = ", ".join(f"{marker} = {turn:g}" for marker, turn in lies.items())
    by = ", ".join(f"marker {marker} by {off_deg:g} degrees" for marker, off_deg in turned.items())
    told = f"turned to what the set-up says: {by}"
    if are_alike or any(off_deg % 90 for off_deg in turned.values()):
        raise ValueError(f"{told}: turn them, write turn_deg = {{ {said} }} beside the centres, or mend the centres")
    notes.append(f"{told}; measured so, and `turn_deg = {{ {said} }}` beside the centres says it")
    return {**sheet.turn_deg, **lies}


def _refuse_exchanged(found: Mapping[int, Marker], sheet: MarkerSheet, size_px: tuple[int, int]) -> None:
    places = exchanged(found.values(), sheet.centres, sheet.size_mm, sheet.turn_deg, size_px)
    if places:
        raise ValueError(
            f"{in_words(places)}: laid so they agree with the picture, and as the set-up has them they do not; lay each"
            " in its own place, or exchange their centres in the set-up"
        )


def _called(ids: Collection[int], sheet: MarkerSheet) -> str:
    return f"marker{'' if len(ids) == 1 else 's'} {', '.join(map(str, ids))} of {sheet.dictionary}"


def _clicked(spec: CalibrationSpec) -> Correspondences:
    points = np.array(spec.points, float).reshape(-1, 4)
    sigma_px = _ROUGH_CLICK_PX if spec.roads_mm else (spec.points_sigma_px or None)
    clicked = Correspondences.of(points[:, :2], points[:, 2:], sigma_px=sigma_px)
    return clicked.raised_alike(spec.points_raised_mm)


def _first_guess(fixed: Correspondences, lens: Lens) -> CameraGuess | None:
    """What cards and coins are looked for with, where points or markers tell a first camera."""
    if len(fixed) < 4:
        return None
    check_points(fixed)
    return first_guesses(Seen(fixed), lens)[0]


def _cards_seen(
    image: Image,
    spec: CalibrationSpec,
    size_mm: tuple[float, float],
    lens: Lens,
    guess: CameraGuess | None,
    notes: list[str],
) -> Correspondences:
    if spec.measured_px:
        return cards_at(spec.measured_px, size_mm)
    cards = find_cards(image, size_mm, lens, None if guess is None else (guess.lens, guess.pose), spec.cards_px)
    if len(cards.groups) < 2 and guess is not None and not (spec.markers or spec.sheet):
        # One wrong click turns the plane: hardly a card has its size there, and what could name the click is not seen.
        cards = find_cards_beside(image, size_mm, lens, _clicked(spec), spec.cards_px) or cards
    if not len(cards):
        notes.append(f"no card of {size_mm[0]:g} x {size_mm[1]:g} mm is seen whole")
    return cards


def darkness(image: Image) -> list[str]:
    """A line that says so if the picture is too dark to find anything in it."""
    level = float(np.mean(image[::8, ::8]))
    return [f"the picture is dark (mean {level:.0f} of 255): more light"] if level < _DARK else []


def _check_something(circles: tuple[Circle, ...], seen: Correspondences, notes: list[str], fewest: int) -> None:
    if not len(seen) and not circles:
        asked = notes or ["the set-up names no reference"]
        raise ValueError(f"{'; '.join(asked)}: lay one down in full view and in good light, or give four points")
    fixed = [name for name in seen.sources if name not in seen.loose]
    if len(fixed) < fewest and not seen.loose and len(circles) < FEWEST_CIRCLES and notes:
        raise ValueError(f"{'; '.join(notes)}: what is left fixes no plane; uncover it or give four points")
