"""Self-proof: what lies on the table and has a known size says how far to trust the plane, and where."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from calibration.fit.correspondence import Circle
from calibration.fit.planar import circle_through
from calibration.plane import SIGMAS_95, TablePlane
from calibration.rulers.cards import THICKNESS_MM, find_rectangles
from calibration.rulers.known_length import Proof
from calibration.rulers.scale_doubt import scale_doubt
from calibration.rulers.told_shape import OtherShape, card_wider, other_shape
from calibration.rulers.told_size import contradiction, share_together, told_in_mm, unproven
from calibration.table import CalibrationSpec

Array = NDArray[np.float64]
Image = NDArray[np.uint8]
Light = Literal["green", "amber", "red"]

# Green is what the games are made for (coins 1 mm off at most); beyond 3 mm a soldier's move is in doubt.
GREEN_MM, AMBER_MM = 1.0, 3.0
# A rectangle this near a card's size is taken for one.
_CARD_TOLERANCE = 0.12
_PIECE_SIGMA_PX = 0.3
# Of its diameter: on 80 tables (16 rendered stills, 30 drawn by another maker, 34 photographs) all rims of one are
# found up to 4 % wide or narrow (on one photograph 7), 1.8 % RMS; one beside the others is off by 3 % (95 %), and one
# in a hundred by 5. A card is cut to 0.3 mm, its corners found to half a pixel.
_RIM_SIGMA = 0.03
_CARD_SIGMA_MM = 0.5
# Beyond so many sigmas things of one kind together say that the plane is off.
_TOGETHER = 2.0
# Cards of one deck that differ by more than so many sigmas lie on a plane that is bent.
_APART = 4.0
# A rectangle of another shape than this card's and more like one of these is another maker's: it proves nothing.
_USUAL_CARDS_MM = ((88.9, 63.5), (88.9, 57.15))
# Two places in which a card was seen are one card's.
_SAME_CARD_MM = 20.0
# Columns and rows of fields, and the table's size where nobody told it.
_GRID, _USUAL_TABLE_MM = (8, 6), (700.0, 500.0)
# Errors along a line: 95 % lie within so many sigmas. A cause is told as the main one if no more were left without it.
_NORMAL_95, _MOSTLY = 1.96, 0.6


@dataclass(frozen=True, eq=False)
class TrustReport:
    """How many millimetres to believe.

    believe_mm   95 % radius of a position's error: the worst over what the picture shows of the table, by the plane's
                 own error, by the bend of a lens that nothing tells, and by the proofs
    map_mm       (6, 8) the same by place, far row first
    shown        (6, 8) whether the picture shows the place
    proofs       known lengths, measured, but for cards where cards measure the table: these prove nothing more
    references   source, RMS px, RMS mm of what was used of it, whether all of it was rejected
    contradiction  one line where the proofs contradict the size told for the table or its sheet, or no table is of that
                   size; "" where they agree
    """

    light: Light
    believe_mm: float
    map_mm: Array
    shown: NDArray[np.bool_]
    proofs: tuple[Proof, ...]
    references: tuple[tuple[str, float, float, bool], ...]
    reprojection_error_px: float
    tilt_deg: float
    px_per_mm: tuple[float, float]
    notes: tuple[str, ...]
    contradiction: str = ""


def check_table(
    image: Image,
    plane: TablePlane,
    spec: CalibrationSpec,
    circles: tuple[Circle, ...] = (),
    cards: Sequence[Proof] | None = None,
    coins_wider: Sequence[float] = (),
) -> TrustReport:
    """Measure what has a known size in this picture.

    circles  coins found and named by the eyes, with their true diameter and rim height
    cards    what cards prove that were read; None to take all for cards that has their shape and size
    coins_wider  by what share (log) each coin shows wider, along the table's x, than deep
    """
    grid_mm = _grid_mm(spec.table_size_mm or _USUAL_TABLE_MM)
    by_cards = card_proofs(image, plane, spec) if cards is None else cards
    proofs = (*by_cards, *(_coin_proof(plane, circle) for circle in circles))
    bent, oval = bend_of_cards(by_cards), surely_oval(spec, by_cards, coins_wider)
    share = max(scale_error(proofs), abs(oval.share) if oval is not None else 0.0, *(abs(off) for off in bent))
    map_mm = _error_mm(plane, grid_mm, share)
    shown = _shown(plane, grid_mm)
    believe_mm = float(np.nanmax(map_mm[shown] if shown.any() else map_mm))
    scale = plane.px_per_mm(grid_mm)
    told_mm = _told_mm(spec)
    contradicted = told_in_mm(spec.table_size_mm or _USUAL_TABLE_MM) or _contradicted(proofs, plane, told_mm, oval)
    return TrustReport(
        light=light_of(believe_mm),
        believe_mm=believe_mm,
        map_mm=map_mm.reshape(_GRID[::-1]),
        shown=shown.reshape(_GRID[::-1]),
        proofs=tuple(proof for proof in proofs if proof.kind != "card" or not _is_by_cards(plane)),
        references=_references(plane),
        reprojection_error_px=plane.reprojection_error_px,
        tilt_deg=plane.tilt_deg,
        px_per_mm=(float(np.nanmin(scale)), float(np.nanmax(scale))),
        notes=(
            *plane.notes,
            *_where(grid_mm, map_mm, shown),
            *(_of_scale(plane, grid_mm[shown], believe_mm, share) if told_mm is None and shown.sum() > 1 else ()),
            *([contradicted] if contradicted else _unproven(spec, proofs, plane, told_mm)),
            *(_bent(*bent) if any(bent) else ()),
            *_refuting(proofs),
        ),
        contradiction=contradicted,
    )


def _grid_mm(table_size_mm: tuple[float, float]) -> Array:
    """(48, 2) the middles of fields all over the table, in rows, the far one first."""
    (width, depth), (columns, rows) = table_size_mm, _GRID
    x, y = np.meshgrid((np.arange(columns) + 0.5) * width / columns, (np.arange(rows)[::-1] + 0.5) * depth / rows)
    return np.asarray(np.c_[x.ravel(), y.ravel()], float)


def _error_mm(plane: TablePlane, grid_mm: Array, share: float) -> Array:
    """(n,) the 95 % radius of the error at places: by the plane's own, or as its scale is off by that share."""
    own_mm = SIGMAS_95 * plane.sigma_mm(plane.to_image(grid_mm), _PIECE_SIGMA_PX)
    shown_mm = np.hypot(*(grid_mm - grid_mm.mean(axis=0)).T) * share
    return np.asarray(np.maximum(own_mm, shown_mm), float)


def tells_no_shape(spec: CalibrationSpec) -> bool:
    """Whether the sides of a table were told, and nothing that measures it tells their shape: no lens that was
    measured, and no print."""
    has_print = spec.sheet is not None and spec.sheet.image is not None
    has_shape = spec.lens is not None or spec.markers is not None or bool(spec.roads_mm) or has_print
    return _told_mm(spec) is not None and not has_shape


def shape_shown(spec: CalibrationSpec, cards: Sequence[Proof], coins_wider: Sequence[float]) -> OtherShape | None:
    """What cards and coins say against the shape that was told, where nothing else tells it; None where they are too
    few.

    coins_wider  by what share (log) each coin shows wider, along the table's x, than deep
    """
    wider = {"card": [card.wider for card in cards if card.wider is not None], "coin": coins_wider}
    return other_shape(wider) if tells_no_shape(spec) else None


def surely_oval(spec: CalibrationSpec, cards: Sequence[Proof], coins_wider: Sequence[float]) -> OtherShape | None:
    """As `shape_shown`; None where they do not surely say it."""
    against = shape_shown(spec, cards, coins_wider)
    return against if against is not None and against.is_sure else None


def _contradicted(
    proofs: Sequence[Proof], plane: TablePlane, told_mm: tuple[float, float] | None, oval: OtherShape | None
) -> str:
    """What the proofs surely say against the size that was told, in one line; "" where they do not."""
    if told_mm is None:
        return ""
    if oval is not None:  # of one side told wrong all things measure too large or too small as well
        return oval.sentence(told_mm)
    against = contradiction(proofs, plane, told_mm)
    return against.sentence(told_mm) if against is not None and against.is_sure else ""


def _unproven(
    spec: CalibrationSpec, proofs: Sequence[Proof], plane: TablePlane, told_mm: tuple[float, float] | None
) -> list[str]:
    """That a told size stands by itself, in one line at most."""
    if told_mm is None:
        return []
    said = unproven(contradiction(proofs, plane, told_mm), _as_told(spec), max(told_mm))
    return [said] if said else []


def _as_told(spec: CalibrationSpec) -> str:
    """What the set-up told a size by, in words."""
    if spec.sheet is not None:
        width, depth = spec.sheet.size_mm
        return f"the {width:g} x {depth:g} mm told for the sheet"
    named = [name for name, has in (("points", spec.points), ("markers", spec.markers)) if has]
    return f"the millimetres told for the {' and '.join(named)}" if named else "the map's scale"


def light_of(believe_mm: float) -> Light:
    """Green, amber or red for a table on which so many mm are to be believed."""
    return "green" if believe_mm <= GREEN_MM else "amber" if believe_mm <= AMBER_MM else "red"


def _shown(plane: TablePlane, grid_mm: Array) -> NDArray[np.bool_]:
    """(n,) whether the picture shows the places."""
    px = plane.to_image(grid_mm)
    with np.errstate(invalid="ignore"):
        return np.asarray(((px >= 0) & (px <= np.array(plane.lens.size_px) - 1)).all(axis=1), bool)


def _where(grid_mm: Array, map_mm: Array, shown: NDArray[np.bool_]) -> Iterator[str]:
    """Where it is worst and where best, if that is not the same to a player; what the picture does not show."""
    if not shown.any():
        yield "the picture shows nothing of the table as the set-up has it: check table.size_mm, or turn the camera"
        return
    if not shown.all():
        share = f"the picture shows {100 * shown.mean():.0f} % of the table as the set-up has it"
        yield f"{share}: the rest is not spoken for; check table.size_mm, or let the camera see all of it"
    seen_mm = np.where(shown, map_mm, np.nan)
    worst, best = int(np.nanargmax(seen_mm)), int(np.nanargmin(seen_mm))
    if light_of(seen_mm[worst]) != light_of(seen_mm[best]):
        (x, y), (u, v) = grid_mm[worst], grid_mm[best]
        yield f"worst at {x:.0f}, {y:.0f}, {seen_mm[worst]:.1f} mm; best at {u:.0f}, {v:.0f}, {seen_mm[best]:.1f} mm"


def _of_scale(plane: TablePlane, places_mm: Array, believe_mm: float, proven: float) -> Iterator[str]:
    """Where nobody told a size and cards or coins measure alone: how much is of the scale, and what would tell it.

    proven  share by which the proofs say that the scale is off
    """
    doubt = scale_doubt(plane, places_mm)
    rest_mm = SIGMAS_95 * float(doubt.rest_mm.max())
    if light_of(believe_mm) == "green" or proven or rest_mm > _MOSTLY * believe_mm:
        return
    off, then = f"{100 * _NORMAL_95 * doubt.share:.1f}", f"{light_of(rest_mm)}, {rest_mm:.1f} mm"
    yield (
        f"most of that is of size, not of shape: cards and coins alone tell lengths to {off} %, so that all are off "
        f"alike, by up to {off} mm in 100; with a size told it would be {then}: click the field's corners and measure "
        "its sides (`sandtable setup`), or lay down a printed sheet"
    )


def _is_by_cards(plane: TablePlane) -> bool:
    """Whether cards are among what measured the plane."""
    return any(source.startswith("card ") and not rejected for source, _, _, rejected in _references(plane))


def _told_mm(spec: CalibrationSpec) -> tuple[float, float] | None:
    """The size that somebody told and the plane was measured by; None where cards and coins alone measure it."""
    if spec.sheet is not None:
        return spec.sheet.size_mm
    return spec.table_size_mm if spec.points or spec.roads_mm or spec.markers is not None else None


def scale_error(proofs: Sequence[Proof]) -> float:
    """By what share known lengths together say that the plane is too large or small; 0 if chance may."""
    if not proofs:
        return 0.0
    share, sigma = share_together(proofs)
    return abs(share) if abs(share) > _TOGETHER * sigma else 0.0


def bend_of_cards(cards: Sequence[Proof]) -> tuple[float, float]:
    """By what share the cards measure too small here and too large there, where that is more than chance: 0 if not."""
    shares = [proof.off_mm / proof.true_mm for proof in cards if proof.sigma_mm <= _CARD_SIGMA_MM]
    if not shares or max(shares) - min(shares) <= _APART * np.sqrt(2) * _CARD_SIGMA_MM / cards[0].true_mm:
        return 0.0, 0.0
    return min(shares), max(shares)


def _bent(least: float, most: float) -> Iterator[str]:
    """What a plane is that shows equal cards of several sizes."""
    yield (
        f"cards measure from {100 * least:+.1f} to {100 * most:+.1f} % of their size by where they lie: a reference is "
        "not where the set-up has it, or the lens is another; check the points, or lay down markers"
    )


def _refuting(proofs: Sequence[Proof]) -> list[str]:
    return [
        f"{proof.source} at {proof.position_mm[0]:.0f}, {proof.position_mm[1]:.0f} measures {proof.measured_mm:.1f} "
        f"in place of {proof.true_mm:.1f} mm: the plane is off there, or it is something else"
        for proof in proofs
        if proof.refutes
    ]


def card_proofs(image: Image, plane: TablePlane, spec: CalibrationSpec, cards_mm: Array | None = None) -> list[Proof]:
    """The diagonals of rectangles about as large as a card, as known lengths; of those where cards were read, if told.

    cards_mm  (n, 2) where cards were read
    """
    if spec.card_size_mm is None:
        return []
    proofs: list[Proof] = []
    true_mm = float(np.hypot(*spec.card_size_mm))
    for rectangle in find_rectangles(image):
        mm = plane.to_table(rectangle.corners, THICKNESS_MM)
        sides = _sides_mm(mm)
        wanted = np.sort(np.repeat(spec.card_size_mm, 2))
        is_known = cards_mm is None or bool((np.hypot(*(cards_mm - mm.mean(axis=0)).T) < _SAME_CARD_MM).any())
        if is_known and np.abs(sides / wanted - 1).max() < _CARD_TOLERANCE and not _is_other(sides, spec.card_size_mm):
            measured_mm = float(np.mean([np.hypot(*(mm[2] - mm[0])), np.hypot(*(mm[3] - mm[1]))]))
            x, y = mm.mean(axis=0)
            at_mm = (float(x), float(y))
            name, wider = f"card {len(proofs) + 1}", card_wider(mm, spec.card_size_mm)
            proofs.append(Proof(name, at_mm, true_mm, measured_mm, _CARD_SIGMA_MM, "card", wider))
    return proofs


def card_scale(image: Image, plane: TablePlane, card_mm: tuple[float, float]) -> float:
    """How many times too large rectangles of a card's shape measure, as most of them do; 1 where none has it."""
    wanted_mm, shares = np.sort(np.repeat(card_mm, 2)), []
    for rectangle in find_rectangles(image):
        sides_mm = _sides_mm(plane.to_table(rectangle.corners, THICKNESS_MM))
        share = sides_mm / wanted_mm
        if np.ptp(share) < _CARD_TOLERANCE * share.mean() and not _is_other(sides_mm, card_mm):
            shares.append(float(share.mean()))
    return max(shares, key=lambda share: sum(abs(other / share - 1) < _CARD_TOLERANCE for other in shares), default=1.0)


def _sides_mm(corners_mm: Array) -> Array:
    """(4,) the sides between corners (4, 2), from the shortest on."""
    return np.sort(np.hypot(*(np.roll(corners_mm, -1, axis=0) - corners_mm).T))


def _is_other(sides_mm: Array, card_mm: tuple[float, float]) -> bool:
    """Whether the shape of a rectangle, its sides from the shortest on, is more like another usual card's."""
    shape = np.log(sides_mm[2:].mean() / sides_mm[:2].mean())
    off = [abs(np.log(max(each) / min(each)) - shape) for each in (card_mm, *_USUAL_CARDS_MM)]
    return bool(off[0] > min(off[1:]))


def _coin_proof(plane: TablePlane, circle: Circle) -> Proof:
    rim_mm = plane.to_table(circle.rim_px, circle.height_mm)
    (x, y), radius_mm = circle_through(rim_mm)
    true_mm = 2 * circle.radius_mm
    return Proof(circle.source, (float(x), float(y)), true_mm, 2 * radius_mm, _RIM_SIGMA * true_mm)


def _references(plane: TablePlane) -> tuple[tuple[str, float, float, bool], ...]:
    told = []
    for name in dict.fromkeys(residual.source for residual in plane.residuals):
        mine = [residual for residual in plane.residuals if residual.source == name]
        # Of a ground's texture some places are left out, and the others measure the table.
        used = [residual for residual in mine if not residual.rejected] or mine
        px, mm = (float(np.sqrt(np.mean(np.square(each)))) for each in ([r.px for r in used], [r.mm for r in used]))
        told.append((name, px, mm, used[0].rejected))
    return tuple(told)
