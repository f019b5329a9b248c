"""Whether the camera still stands where it stood: kicks, drift, zoom, focus, mirrored and turned pictures."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.fiducials.markers import Image
from calibration.fit.planar import turn
from calibration.kick.from_above import FromAbove
from calibration.kick.texture import FAR, NEAR, REDUCTION, Mask, Match, Texture, flow, matched, to_half
from calibration.plane import TablePlane

Array = NDArray[np.float64]
Kind = Literal["still", "drift", "kick", "zoom", "focus", "mirrored", "turned", "covered", "dark"]

# The promise: two pixels are a kick. Below half a pixel the flow's own error could be all of it.
KICK_PX = 2.0
DRIFT_PX = 0.7
# A patch within this of its place stands; so many of them, on so many sides of the table, and the camera stands.
_STANDING_PX = 0.6
_FEWEST_STANDING = 0.25
_FEWEST_AGREEING = 0.35
# What stands beside a hand on a table with little to see: so many patches, and such a share, are no chance.
_FEWEST_IN_SIGHT, _LEAST_IN_SIGHT = 8, 0.15
_AGREED_HALF_PX = 0.6
_FEWEST_SIDES = 2
# Of what shows beside the table so much, that no arm hides.
_MOST_AROUND = 0.5
# Of texture on the table: with less nothing can be told.
FEWEST_CORNERS = 12
_DARKEST_LEVEL = 12.0
_FLATTEST = 4.0
# A picture out of focus (a blur of 1.5 px) loses half of its fine detail, whatever the light.
_SOFT = 0.5
_ZOOM = 0.01
# A lens that looks for its focus makes the picture larger or smaller about its middle ("breathes"), by less than this
# (assumed; no webcam was at hand to measure it); so much of the motion, or so many px, may be other motion.
_BREATH, _BESIDE_BREATH, _BESIDE_BREATH_PX = 0.025, 0.3, 0.25
# Patches on one side of the picture alone go nearly alike when it is larger: a shift of all must miss by so many times
# as much.
_NO_SHIFT = 2.0
# So much of a zoom's motion may be of another kind: the camera is pushed while its ring is turned.
_BESIDE_ZOOM = 0.5
_TURNED_DEG = 20.0
# Features of plain cloth agree by chance, 18 to 21 of them; a picture that a program mirrors shows all of them.
_FEWEST_MIRRORED = 40


@dataclass(frozen=True, eq=False)
class Anchor:
    """A calibrated picture to compare later ones with.

    corners  (n, 2) half px of the texture inside the table that the comparison rests on
    """

    texture: Texture
    plane: TablePlane
    corners: Array
    image: Image
    table_size_mm: tuple[float, float]

    @classmethod
    def of(cls, image: Image, plane: TablePlane, table_size_mm: tuple[float, float] | None = None) -> Anchor:
        """From the picture that `plane` was fitted in."""
        texture = Texture.of(image)
        size_mm = table_size_mm or _extent_mm(plane)
        outline_px = np.nan_to_num(plane.to_image(_outline_mm(size_mm)), nan=0.0)
        return cls(texture, plane, texture.corners(outline_px), image, size_mm)

    @cached_property
    def from_above(self) -> FromAbove:
        """What the anchor's picture shows of the table, as from above."""
        return FromAbove.of(self.image, self.plane, self.table_size_mm)

    @property
    def outline_mm(self) -> Array:
        """(4, 2) the table's corners."""
        return _outline_mm(self.table_size_mm)


@dataclass(frozen=True, eq=False)
class Drift:
    """How far the picture of the table has moved since the anchor.

    shift_px    median over the table, in full pixels; NaN where nothing could be compared
    kind        still | drift (under 2 px) | kick | zoom | focus | mirrored | turned | covered | dark
    confidence  the share of the texture that says so
    motion      (3, 3) homography from the anchor's full px to this picture's, where it was found
    turned_deg  how far the picture of the table is turned, clockwise, -180 to 180
    zoom        how much larger it is
    breathes    whether it is only larger or smaller, about the picture's middle, by no more than a lens makes it that
                looks for its focus
    is_back     whether a turn brings the table back as it lay at first
    """

    shift_px: float
    kind: Kind
    confidence: float
    motion: Array | None = None
    turned_deg: float = 0.0
    zoom: float = 1.0
    breathes: bool = False
    is_back: bool = False

    @property
    def moved(self) -> bool:
        """Whether overlays drawn with the old plane would lie beside the pieces."""
        return self.kind in ("kick", "zoom", "mirrored", "turned")


def apart_px(anchor: Anchor, one: TablePlane, other: TablePlane) -> float:
    """How far the table's places lie apart in the pictures of two planes; median."""
    one, other, shown = one.flat, other.flat, anchor.plane.flat
    grid_mm = shown.to_table(_grid_px(anchor))
    return float(np.nanmedian(np.hypot(*(one.to_image(grid_mm) - other.to_image(grid_mm)).T)))


def turned_back(first: Anchor, anchor: Anchor, drift: Drift) -> bool:
    """Whether a turn since `anchor` shows the table as it lay in the first picture."""
    if drift.kind != "turned" or drift.motion is None:
        return False
    was_px = _grid_px(first)
    now_px = cv2.perspectiveTransform(anchor.plane.to_image(first.plane.to_table(was_px))[None], drift.motion)[0]
    fit, _ = cv2.estimateAffinePartial2D(was_px, now_px)
    return bool(abs(np.degrees(np.arctan2(fit[1, 0], fit[0, 0]))) <= _TURNED_DEG)


def watch(anchor: Anchor, frame_bgr: Image) -> Drift:
    """Compare a picture with the anchor's; hands and sleeves are outvoted.

    frame_bgr  of the anchor's size; another size is a `zoom` with nothing known
    Cost       about 2 ms for 1080p on one core while the camera stands; a lost picture costs a feature match (20 ms)
    """
    if frame_bgr.shape[:2] != anchor.image.shape[:2]:
        return Drift(float("nan"), "zoom", 1.0)
    now = Texture.of(frame_bgr)
    if now.level < _DARKEST_LEVEL or now.contrast < _FLATTEST:
        return Drift(float("nan"), "dark", 1.0)
    places = anchor.corners
    if len(places) < FEWEST_CORNERS:
        return Drift(float("nan"), "covered", 0.0)
    return _standing(anchor, now, places) or _moved(anchor, now, places)


def is_same_motion(anchor: Anchor, one: Drift, other: Drift) -> bool:
    """Whether both saw the table go to the same place, to half of what a kick is."""
    if one.motion is None or other.motion is None:
        return False
    grid_px = _grid_px(anchor)[None]
    apart_px = cv2.perspectiveTransform(grid_px, one.motion) - cv2.perspectiveTransform(grid_px, other.motion)
    return float(np.median(np.linalg.norm(apart_px[0], axis=1))) < KICK_PX / 2


def surroundings_stand(anchor: Anchor, frame_bgr: Image) -> bool:
    """Whether what shows beside the table is where it was: then the camera is too, whatever became of the table."""
    height, width = anchor.image.shape[:2]
    whole_px = np.array([[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]], float)
    table = np.zeros((height, width), np.uint8)
    cv2.fillPoly(table, [np.round(np.nan_to_num(anchor.plane.to_image(anchor.outline_mm))).astype(np.int32)], 1)
    places = anchor.texture.corners(whole_px, table > 0)
    if len(places) < FEWEST_CORNERS:
        return False
    after, found = flow(anchor.texture, Texture.of(frame_bgr), places, NEAR)
    return float((found & _stand(places, after)).mean()) > _MOST_AROUND


def _stand(before: Array, after: Array) -> Mask:
    """(n,) which patches are where they were; half px."""
    return np.asarray(np.hypot(*(after - before).T) * REDUCTION < _STANDING_PX, bool)


def _standing(anchor: Anchor, now: Texture, places: Array) -> Drift | None:
    """Enough patches on enough sides of the table where they were: the rest is hands, pieces and light."""
    after, found = flow(anchor.texture, now, places, NEAR)
    stands = found & _stand(places, after)
    share = float(stands.mean())
    if share < _FEWEST_STANDING or _sides(places[stands], places) < _FEWEST_SIDES:
        return None
    shift_px = float(np.hypot(*np.median(after[stands] - places[stands], axis=0))) * REDUCTION
    kind: Kind = "focus" if _softened(anchor, now, places[stands]) else "still"
    return Drift(shift_px, kind, share, np.eye(3))


def _softened(anchor: Anchor, now: Texture, places: Array) -> bool:
    return bool(np.median(now.sharpness(places) / (anchor.texture.sharpness(places) + 1e-6)) < _SOFT)


def _moved(anchor: Anchor, now: Texture, places: Array) -> Drift:
    """One motion that most patches share, or else one that far features share."""
    after, found = flow(anchor.texture, now, places, FAR)
    if found.sum() >= FEWEST_CORNERS and not _may_be_mirrored(anchor.texture, now):
        motion, inliers = cv2.findHomography(places[found], after[found], cv2.RANSAC, _AGREED_HALF_PX)
        if motion is not None:
            agrees, shared = np.ravel(inliers) > 0, np.asarray(motion, float)
            told = _agreed(anchor, now, places, shared, places[found][agrees], after[found][agrees])
            if told is not None:
                return told
    return _far_moved(anchor, now, places, float(found.mean()))


def _agreed(anchor: Anchor, now: Texture, places: Array, motion: Array, before: Array, after: Array) -> Drift | None:
    """What patches that agree on a motion say, half px; None where they are too few.

    They may be those that no hand hides, too few to vouch for the table: where they stand, or a lens that looks for its
    focus shows them, they know nothing of another motion that few features tell.
    """
    share = len(before) / len(places)
    in_sight = len(before) >= max(_FEWEST_IN_SIGHT, _LEAST_IN_SIGHT * len(places))
    if in_sight and float(np.median(np.hypot(*(after - before).T))) * REDUCTION < _STANDING_PX:
        return Drift(float("nan"), "covered", share)
    breath = _breath(anchor, before, after) if in_sight else None
    if breath is None and (share < _FEWEST_AGREEING or _sides(before, places) <= _FEWEST_SIDES):
        return None
    drift = _judged(anchor, motion if breath is None else breath, share)
    return replace(drift, kind="focus") if not drift.moved and _softened(anchor, now, before) else drift


def _breath(anchor: Anchor, places: Array, there: Array) -> Array | None:
    """(3, 3) by which the picture is larger or smaller about its middle, where patches (n, 2) say that, and no shift
    of all of them would do; half px."""
    centre = to_half(anchor.plane.lens.matrix[:2, 2])
    before, after = (places - centre) * REDUCTION, (there - centre) * REDUCTION
    went = after - before
    zoom, left_px = _zoomed(before, after)
    unlike_px = float(np.median(np.hypot(*(went - np.median(went, axis=0)).T)))
    if _NO_SHIFT * left_px > unlike_px or not _breathes(before, after, float(np.median(np.hypot(*went.T)))):
        return None
    return np.array([[zoom, 0, (1 - zoom) * centre[0]], [0, zoom, (1 - zoom) * centre[1]], [0, 0, 1]])


def _far_moved(anchor: Anchor, now: Texture, places: Array, share: float) -> Drift:
    """The motion that far features share; more of them in the mirrored picture are a mirror's."""
    far, mirrored = matched(anchor.texture, now), matched(anchor.texture, now.mirrored)
    if mirrored is not None and _is_mirrored(mirrored, far, places):
        return Drift(float("nan"), "mirrored", 1.0)
    if far is not None and _plausible(far.motion, places):
        return _judged(anchor, far.motion, share)
    return Drift(float("nan"), "covered", share)


def _is_mirrored(mirrored: Match, far: Match | None, places: Array) -> bool:
    """Whether enough features say so, all over the table: a gun's wheels alone are much like their mirror image."""
    enough = max(_FEWEST_MIRRORED, len(far.places) + 1 if far else 0)
    return len(mirrored.places) >= enough and _sides(mirrored.places, places) > _FEWEST_SIDES


def _may_be_mirrored(before: Texture, now: Texture) -> bool:
    """Whether it looks more like its mirror image: a map's frame and grid, seen from the middle, flow into it."""
    was, is_now = (
        cv2.resize(each.even, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA) for each in (before, now)
    )
    ahead, flipped = (float(np.corrcoef(was.ravel(), each.ravel())[0, 1]) for each in (is_now, is_now[:, ::-1]))
    return flipped > ahead


def _judged(anchor: Anchor, motion: Array, share: float) -> Drift:
    """What kind of motion it is."""
    full = _in_full_px(motion)
    grid_px = _grid_px(anchor)
    there = cv2.perspectiveTransform(grid_px[None], full)[0]
    shift_px = float(np.median(np.hypot(*(there - grid_px).T)))
    centre = anchor.plane.lens.matrix[:2, 2]
    breathes = _breathes(grid_px - centre, there - centre, shift_px)
    if shift_px < KICK_PX:
        return Drift(shift_px, "drift" if shift_px >= DRIFT_PX else "still", share, full, breathes=breathes)
    fit, _ = cv2.estimateAffinePartial2D(grid_px, there)
    turned_deg = float(np.degrees(np.arctan2(fit[1, 0], fit[0, 0])))
    zoom = float(np.hypot(fit[0, 0], fit[1, 0]))
    kind: Kind = "kick"
    if abs(turned_deg) > _TURNED_DEG:
        kind = "turned"
    elif breathes or (abs(zoom - 1) > _ZOOM and _is_zoom(grid_px - centre, there - centre, shift_px)):
        kind = "zoom"
    return Drift(shift_px, kind, share, full, turned_deg, zoom, breathes)


def _breathes(before: Array, after: Array, shift_px: float) -> bool:
    """Whether places (n, 2) about the picture's middle went straight away from it or towards it, in proportion."""
    zoom, left_px = _zoomed(before, after)
    return abs(zoom - 1) < _BREATH and left_px < max(_BESIDE_BREATH * shift_px, _BESIDE_BREATH_PX)


def _is_zoom(before: Array, after: Array, shift_px: float) -> bool:
    """Whether most of the way that places (n, 2) went about the picture's middle is a zoom's: a camera that is carried
    round the table turns them about it and may bring them nearer too."""
    return _zoomed(before, after)[1] < _BESIDE_ZOOM * shift_px


def _zoomed(before: Array, after: Array) -> tuple[float, float]:
    """How much larger it is about the picture's middle, and by how many px (median) that misses."""
    zoom = float((before * after).sum() / np.square(before).sum())
    return zoom, float(np.median(np.hypot(*(after - zoom * before).T)))


def _plausible(motion: Array, places: Array) -> bool:
    """A camera's motion keeps the table's outline convex and about its size; a false match folds it."""
    corners = np.array([places.min(axis=0), [places[:, 0].max(), places[:, 1].min()], places.max(axis=0)])
    moved = cv2.perspectiveTransform(corners[None], motion)[0]
    area = turn(moved) / turn(corners)
    return bool(0.2 < area < 5)


def _sides(places: Array, among: Array) -> int:
    """In how many quarters of the texture's extent the places lie, at least a few in each."""
    middle = np.median(among, axis=0)
    quarter = (places[:, 0] > middle[0]) * 2 + (places[:, 1] > middle[1])
    return int(np.sum(np.bincount(quarter, minlength=4) >= 3))


def _in_full_px(motion: Array) -> Array:
    up = np.array([[REDUCTION, 0, (REDUCTION - 1) / 2], [0, REDUCTION, (REDUCTION - 1) / 2], [0, 0, 1]])
    full = up @ motion @ np.linalg.inv(up)
    return np.asarray(full / full[2, 2], float)


def _outline_mm(size_mm: tuple[float, float]) -> Array:
    width, depth = size_mm
    return np.array([[0, 0], [width, 0], [width, depth], [0, depth]], float)


def _grid_px(anchor: Anchor) -> Array:
    width, height = anchor.table_size_mm
    x, y = np.meshgrid(np.linspace(0, width, 6), np.linspace(0, height, 5))
    px = anchor.plane.to_image(np.c_[x.ravel(), y.ravel()])
    return px[np.isfinite(px).all(axis=1)]


def _extent_mm(plane: TablePlane) -> tuple[float, float]:
    """The table as far as the picture's lower corners and middle show it."""
    width, height = plane.lens.size_px
    mm = plane.to_table(np.array([[width - 1, height - 1], [width / 2, height / 3]]))
    return float(max(mm[0, 0], 50.0)), float(max(mm[1, 1], 50.0))
