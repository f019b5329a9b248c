"""From pieces and rulings to marks: what is worth showing, and how each is labelled."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from fractions import Fraction

import shapely.geometry
from shapely import LineString, MultiLineString, Point, Polygon
from shapely.geometry.base import BaseGeometry

from models.coins import THICKNESS_MM, TYPICAL_THICKNESS_MM
from rules.game import Mark, Ruling
from rules.margin import CLOSE_SIGMAS
from rules.scene import UNKNOWN, Piece, Scene
from ui.telling.words import class_name
from ui.theme import owner_role

# Rings of a ruling lie outside the owner's ring, so that both can be read.
_HALO_MM = 3.0
# A unit in melee may be wavering: the second ring of the two would hide the first.
_OUTER_HALO_MM = 6.0
_ARROW_MM = 7.0
# A match's ring leaves it in sight: it is as narrow as a line is wide.
_BESIDE_MATCH_MM = 2.0
# Of a reach by action points: more would be one blot.
MOST_RINGS = 4
# A ring runs out to a point where its man faces: so far out, from so much of the ring on both sides.
_BEAK_MM, _BEAK_DEG = 5.0, 35.0


def top_mm(piece: Piece) -> float:
    """Height above the table of the edge that the camera sees of a flat piece."""
    usual_mm = THICKNESS_MM.get(piece.cls, TYPICAL_THICKNESS_MM)
    thickness = piece.height_mm if piece.height_mm is not None else usual_mm
    return piece.elevation_mm + (thickness if piece.kind == "coin" else 0.0)


def piece_marks(scene: Scene, *, named: bool = False) -> tuple[Mark, ...]:
    """A ring for every piece in its owner's colour, with its name if asked; what is unknown is marked as a doubt.

    The ring of a soldier whose facing is known is pointed where he faces.
    """
    return tuple(_piece_mark(piece, named) for piece in scene)


def _piece_mark(piece: Piece, named: bool) -> Mark:
    shape = _ring(piece)
    name = class_name(piece.cls) if named else ""
    if piece.kind == "terrain":
        return Mark("terrain", shape, name if piece.cls != UNKNOWN else "what is this?", piece.elevation_mm)
    if piece.cls == UNKNOWN:
        return Mark("doubt", shape, "?", top_mm(piece))
    return Mark(owner_role(piece.owner), shape, "whose?" if piece.owner == UNKNOWN else name, top_mm(piece))


def _ring(piece: Piece) -> BaseGeometry:
    if piece.kind == "coin":
        return piece.point.buffer(piece.radius_mm)
    if piece.kind == "match":
        return piece.footprint.buffer(_BESIDE_MATCH_MM)
    ring = piece.point.buffer(piece.radius_mm) if piece.kind == "base" else piece.footprint
    if piece.facing_deg is None or piece.kind not in ("soldier", "base"):
        return ring
    return ring.union(_beak(piece, piece.facing_deg))


def _beak(piece: Piece, facing_deg: float) -> Polygon:
    reach_mm = piece.radius_mm
    flanks = [_off(piece, reach_mm, facing_deg + turn) for turn in (-_BEAK_DEG, _BEAK_DEG)]
    return Polygon([piece.position_mm, flanks[0], _off(piece, reach_mm + _BEAK_MM, facing_deg), flanks[1]])


def _off(piece: Piece, far_mm: float, towards_deg: float) -> tuple[float, float]:
    angle = math.radians(towards_deg)
    return piece.position_mm[0] + far_mm * math.cos(angle), piece.position_mm[1] + far_mm * math.sin(angle)


def selection_marks(scene: Scene, piece_id: str, rulings: Iterable[Ruling]) -> tuple[Mark, ...]:
    """What a piece may do: its reach, its targets with their odds, and what blocks it."""
    if piece_id not in scene:
        return ()
    own = [ruling for ruling in rulings if ruling.piece == piece_id]
    marks = [mark for ruling in own for mark in (*farther_marks(ruling), *ruling_marks(scene, ruling))]
    return (*marks, Mark("selected", _halo(scene[piece_id]), "", top_mm(scene[piece_id])))


def farther_marks(reach: Ruling, points: int | None = None) -> tuple[Mark, ...]:
    """Where a reach goes for two action points, three and so on, the widest first; no farther than for so many."""
    most = min(MOST_RINGS, reach.extra.get("ap", 1) if points is None else points)
    rings = (reach.extra.get(f"ap{count}") for count in range(most, 1, -1))
    return tuple(Mark("reach", shapely.geometry.shape(dict(ring))) for ring in rings if isinstance(ring, Mapping))


def status_marks(scene: Scene, rulings: Iterable[Ruling]) -> tuple[Mark, ...]:
    """What everybody should see without asking: sieges, engaged pairs, objectives, and the ground of a card or hex."""
    return tuple(mark for ruling in rulings if _is_status(ruling) for mark in ruling_marks(scene, ruling))


def _is_status(ruling: Ruling) -> bool:
    if ruling.kind in ("siege", "engaged", "control"):
        return ruling.verdict != "no"
    return any(mark.role in ("terrain", "wavering") for mark in ruling.marks)


def move_marks(
    from_mm: tuple[float, float] | None, to_mm: tuple[float, float] | None, verdict: str
) -> tuple[Mark, ...]:
    """An arrow from where a piece was to where it is, by the verdict on the move."""
    if from_mm is None or to_mm is None or math.dist(from_mm, to_mm) < 1.0:
        return ()
    return (Mark(f"move-{verdict}", _arrow(from_mm, to_mm)),)


def ruling_marks(scene: Scene, ruling: Ruling) -> tuple[Mark, ...]:
    """How one ruling is drawn: as the game says, or else by its kind."""
    if ruling.marks:
        return (*_band(ruling), *(_named(scene, _beside_the_rim(scene, ruling, mark)) for mark in ruling.marks))
    other = scene[ruling.other] if ruling.other is not None and ruling.other in scene else None
    if ruling.kind == "target":
        return _target_marks(ruling, other)
    if ruling.kind == "siege":
        return _siege_marks(ruling, scene)
    return _region_marks(ruling)


def _named(scene: Scene, mark: Mark) -> Mark:
    """A mark that tells a piece's id alone, called by its class too, as the panel heads that piece."""
    return replace(mark, label=_short_name(scene[mark.label])) if mark.label and mark.label in scene else mark


def _beside_the_rim(scene: Scene, ruling: Ruling, mark: Mark) -> Mark:
    """A game that marks a piece by its very disc: drawn a little outside, at the rim's height, so that the owner's ring
    does not hide it."""
    for piece_id in (ruling.other, ruling.piece):
        piece = scene[piece_id] if piece_id is not None and piece_id in scene else None
        if piece is not None and mark.role != "reach" and _is_disc_of(mark.shape, piece):
            out_mm = _OUTER_HALO_MM if mark.role == "wavering" else _HALO_MM
            return Mark(mark.role, _halo(piece, out_mm), mark.label, top_mm(piece))
    return _rising(scene, ruling, mark)


def _rising(scene: Scene, ruling: Ruling, mark: Mark) -> Mark:
    """A line from one piece to another, which begins and ends as high as they stand: a man on a book is shot at there,
    not on the table under the book."""
    ends = [scene[name] for name in (ruling.piece, ruling.other) if name is not None and name in scene]
    if len(ends) != 2 or not isinstance(mark.shape, LineString) or not any(end.elevation_mm for end in ends):
        return mark
    places = mark.shape.coords
    joins = len(places) == 2 and all(end.point.distance(Point(at)) < 1.0 for end, at in zip(ends, places, strict=True))
    if not joins:
        return mark
    risen = [(at[0], at[1], end.elevation_mm) for at, end in zip(places, ends, strict=True)]
    return replace(mark, shape=LineString(risen))


def _is_disc_of(shape: BaseGeometry, piece: Piece) -> bool:
    area = math.pi * piece.radius_mm**2
    return abs(shape.area / area - 1) < 0.05 and shape.centroid.distance(piece.point) < 0.5


def _short_name(piece: Piece) -> str:
    return piece.id if piece.cls == UNKNOWN else f"{class_name(piece.cls)} {piece.id}"


def odds_label(ruling: Ruling) -> str:
    """ "wins 42 %" where the ruling carries odds, "needs 4+" where it carries a number, else nothing."""
    odds = ruling.extra.get("odds")
    if isinstance(odds, dict) and "win" in odds:
        return f"wins {float(Fraction(str(odds['win']))):.0%}".replace("%", " %")
    needs = ruling.extra.get("needs")
    return f"needs {needs}+" if needs is not None else ""


def _region_marks(ruling: Ruling) -> tuple[Mark, ...]:
    if ruling.geometry is None or ruling.geometry.is_empty:
        return ()
    if ruling.kind in ("reach", "sight"):
        return (*_band(ruling), Mark(ruling.kind, ruling.geometry))
    role = "close" if ruling.verdict == "close" and ruling.kind != "blocked" else ruling.kind
    return (Mark(role, ruling.geometry),)


def _target_marks(ruling: Ruling, other: Piece | None) -> tuple[Mark, ...]:
    if ruling.verdict == "no" or other is None:
        return ()
    role = "close" if ruling.verdict == "close" else "target"
    label = odds_label(ruling) if ruling.verdict == "yes" else "too close to call"
    return (Mark(role, _halo(other), label, top_mm(other)),)


def _siege_marks(ruling: Ruling, scene: Scene) -> tuple[Mark, ...]:
    if ruling.verdict == "no" or ruling.piece is None or ruling.piece not in scene:
        return ()
    besieged = scene[ruling.piece]
    label = "besieged" if ruling.verdict == "yes" else "siege: too close to call"
    cuts = [Mark("blocked", Point(cut["at"])) for cut in ruling.extra.get("cut", ())]
    return (Mark("siege", _halo(besieged), label, top_mm(besieged)), *cuts)


def _halo(piece: Piece, out_mm: float = _HALO_MM) -> BaseGeometry:
    if piece.kind in ("coin", "base"):
        return piece.point.buffer(piece.radius_mm + out_mm)
    return piece.footprint.buffer(out_mm)


def _band(ruling: Ruling) -> tuple[Mark, ...]:
    """C3.3: the nominal edge of the ground with a band of three sigma on both sides; roads end at points."""
    if ruling.sigma_mm <= 0 or ruling.geometry is None or ruling.kind not in ("reach", "sight"):
        return ()
    ground = [part for part in shapely.get_parts(ruling.geometry) if part.area > 0]
    edges = shapely.union_all([part.boundary for part in ground])
    return (Mark("band", edges.buffer(CLOSE_SIGMAS * ruling.sigma_mm)),) if ground else ()


def _arrow(from_mm: tuple[float, float], to_mm: tuple[float, float]) -> MultiLineString:
    angle = math.atan2(to_mm[1] - from_mm[1], to_mm[0] - from_mm[0])
    barbs = [
        LineString(
            [to_mm, (to_mm[0] - _ARROW_MM * math.cos(angle + turn), to_mm[1] - _ARROW_MM * math.sin(angle + turn))]
        )
        for turn in (0.45, -0.45)
    ]
    return MultiLineString([LineString([from_mm, to_mm]), *barbs])
