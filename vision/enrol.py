"""Pieces that a user taught from one or two pictures: learning them, and knowing them again."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray
from shapely import Point

from calibration.plane import TablePlane
from models.coins import CLASSES, TYPICAL_THICKNESS_MM
from rules.scene import NONE, Kind, Point2
from vision.appearance import features, variants
from vision.circle import fit_rims
from vision.classify import classify, crops_of
from vision.currency import name_coins
from vision.detect.proposals import propose
from vision.detection import Detection
from vision.frame import Frame, ImageBgr
from vision.metal import tints_of
from vision.observe import LookAt, Readied
from vision.patch import patches
from vision.topview import TopView

Array = NDArray[np.float64]
ViewOf = Callable[[Frame, TablePlane], TopView]

# A circle that the net proposes is a piece to learn or to know again if the rim fit agrees so far with it, or if the
# net is as sure as this; then it is as large as the net says.
_LEAST_SUPPORT, _ASTRAY, _HOT = 0.35, 0.16, 0.5
# Of a piece that lies alone nearly the whole rim shows: 1.0 on eight rendered tables (seeds 170140, 170150 on, one of
# them out of focus), where grain and seams of wood that pass for a piece among known ones reach 0.6.
PLAIN_SUPPORT = 0.8
# Two sizes of the same piece differ by less than this share: shadow and a pale ground each move a rim by 5 %, and how
# large a soldier's base is, the net says to a tenth.
_SIZE_SHARE, _BASE_SHARE = 0.10, 0.25
# A piece is known again within so many spreads of a picture of it (root mean square over the numbers), and where the
# next class is at least so many times as far. Measured on rendered coins: the same coin at another turn on the same
# table lies at 0.6 to 1.2, on a map at 0.7 to 1.9; others of about its size at 1.35 to 3.2, half of them above 1.9.
NEAR, CLEARER = 1.6, 1.2
# A coin that the eyes name is only called otherwise if the taught one may, by this chance, bear that name too.
_LEAST_CHANCE = 0.01
# No number is known better than this, in units of its usual difference.
_LEAST_SPREAD = 0.35
# A found coin nearer than this to a circle is that circle.
_SAME_MM = 5.0
_CROP_PX, _FIGURE_MM = (48, 72), (40.0, 60.0)
_SEGMENTS = 12


@dataclass(frozen=True, eq=False)
class Sample:
    """One piece in a picture: its crop (h, w, 3), its size (diameter, or root of the footprint's area), its place."""

    kind: Kind
    crop: ImageBgr
    size_mm: float
    position_mm: Point2


@dataclass(frozen=True, eq=False)
class Enrolled:
    """A class that a user taught: the crops are kept, their numbers are worked out anew with the nets of the day."""

    name: str
    kind: Kind
    size_mm: float
    crops: tuple[ImageBgr, ...]

    @cached_property
    def _pictures(self) -> tuple[tuple[Array, Array], ...]:
        """Mean and spread of the numbers of each crop over other turns and lights."""
        learned = [features(self.kind, variants(self.kind, crop)) for crop in self.crops]
        return tuple((seen.mean(axis=0), np.maximum(seen.std(axis=0), _LEAST_SPREAD)) for seen in learned)

    def distances(self, crops: ImageBgr) -> Array:
        """(n,) how many spreads crops (n, h, w, 3) are from the nearest of the pictures."""
        seen = features(self.kind, crops)
        away = [np.sqrt((((seen - mean) / spread) ** 2).mean(axis=1)) for mean, spread in self._pictures]
        return np.asarray(np.min(away, axis=0), float)

    @cached_property
    def doubles(self) -> frozenset[str]:
        """The coins that it may be taken for: by the classifier, blind to size, or by its colour and about its size."""
        if self.kind != "coin":
            return frozenset()
        crops, count = np.stack(self.crops), len(self.crops)
        looks, size_mm = classify(crops).classes, np.full(count, self.size_mm)
        named = name_coins(looks, size_mm, _SIZE_SHARE / 2 * size_mm, tints=tints_of(crops)).probs
        best = np.maximum(np.exp(looks), named).max(axis=0)
        return frozenset(cls for cls, chance in zip(CLASSES, best, strict=False) if chance >= _LEAST_CHANCE)

    def may_be(self, size_mm: float) -> bool:
        """Whether a piece of that size can be one of these."""
        share = _BASE_SHARE if self.kind == "soldier" else _SIZE_SHARE
        return abs(size_mm - self.size_mm) <= share * self.size_mm


def learned(name: str, pictures: Sequence[Sequence[Sample]]) -> Enrolled:
    """The class that the pieces in some pictures show; pieces that are alike in one picture count as one.

    ValueError for a picture with no piece or with different ones, and for pictures of pieces of different sizes.
    """
    samples = [_only_piece(number, found) for number, found in enumerate(pictures, 1)]
    first = samples[0]
    for number, sample in enumerate(samples[1:], 2):
        if not Enrolled(name, first.kind, first.size_mm, ()).may_be(sample.size_mm):
            raise ValueError(
                f"photo {number}: two different pieces: {sample.size_mm:.1f} mm across here, {first.size_mm:.1f} mm in"
                " photo 1; give photos of the same piece"
            )
    size_mm = float(np.mean([sample.size_mm for sample in samples]))
    return Enrolled(name, first.kind, size_mm, tuple(sample.crop for sample in samples))


def _only_piece(number: int, found: Sequence[Sample]) -> Sample:
    if not found:
        raise ValueError(f"photo {number}: no piece found; lay it alone on the table, in good light, wholly in view")
    first = Enrolled("", found[0].kind, found[0].size_mm, (found[0].crop,))
    for other in found[1:]:
        if not first.may_be(other.size_mm) or first.distances(other.crop[None])[0] > NEAR:
            places = " and ".join(f"({s.position_mm[0]:.0f}, {s.position_mm[1]:.0f})" for s in (found[0], other))
            raise ValueError(
                f"photo {number}: two different pieces found, at {places} mm; leave only the one to learn on the table"
            )
    return found[0]


def round_pieces(frame: Frame, plane: TablePlane, view: TopView, least_support: float = _LEAST_SUPPORT) -> list[Sample]:
    """Everything on the table that is as round as a coin, whatever it shows; `view` as for `find_coins`.

    least_support  share of a rim that shows, unless the net is sure of it
    """
    proposed = propose(frame.image_bgr, view)
    height = np.full(len(proposed.heat), TYPICAL_THICKNESS_MM)
    rims = fit_rims(frame.image_bgr, plane, proposed.centre_mm, proposed.radius_mm, height)
    off = np.linalg.norm(rims.centre_mm - proposed.centre_mm, axis=1) / proposed.radius_mm
    grown = np.abs(rims.radius_mm / proposed.radius_mm - 1)
    fits = (rims.support >= least_support) & (off < _ASTRAY) & (grown < _ASTRAY)
    keep = fits | (proposed.heat >= _HOT)
    centre = np.where(fits[:, None], rims.centre_mm, proposed.centre_mm)[keep]
    radius = np.where(fits, rims.radius_mm, proposed.radius_mm)[keep]
    crops = crops_of(frame.image_bgr, plane, centre, radius, height[keep])
    return [
        Sample("coin", crop, 2 * float(r), (float(x), float(y)))
        for crop, r, (x, y) in zip(crops, radius, centre, strict=True)
    ]


def sample_of(frame: Frame, plane: TablePlane, seen: Detection) -> Sample:
    """A found card, figure or other thing as a sample."""
    if seen.kind == "card":
        crop = _flat_crop(frame.image_bgr, plane, seen)
    else:
        crop = _standing_crop(frame.image_bgr, plane, seen.position_mm)
    return Sample(seen.kind, crop, float(np.sqrt(seen.footprint.area)), seen.position_mm)


def _flat_crop(image_bgr: ImageBgr, plane: TablePlane, seen: Detection) -> ImageBgr:
    """The whole card, its long side down the crop."""
    along = np.radians([seen.rotation_deg - 90])
    ring = np.asarray(seen.footprint.exterior.coords)
    longest = float(np.linalg.norm(np.diff(ring, axis=0), axis=1).max())
    return np.asarray(
        patches(image_bgr, plane, np.array([seen.position_mm]), along, _CROP_PX, _CROP_PX[1] / longest)[0], np.uint8
    )


def _standing_crop(image_bgr: ImageBgr, plane: TablePlane, at_mm: Point2) -> ImageBgr:
    """A figure as it stands up from the table, in the picture's own directions."""
    place = np.array(at_mm)
    seen = plane.to_image(place + np.array([(0, 0), (1, 0), (0, 1)]))
    jacobian = np.stack([seen[1] - seen[0], seen[2] - seen[0]], axis=1)
    across = np.linalg.solve(jacobian, (1.0, 0.0))
    across *= _FIGURE_MM[0] / 2 / np.linalg.norm(across)
    low = plane.to_image(np.array([place - across, place + across]))
    high = plane.to_image(np.array([place - across, place + across]), _FIGURE_MM[1])
    corners = np.array([high[0], high[1], low[1], low[0]], np.float32)
    width, height = _CROP_PX
    target = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    return np.asarray(cv2.warpPerspective(image_bgr, cv2.getPerspectiveTransform(corners, target), _CROP_PX), np.uint8)


@dataclass(eq=False)
class Recogniser:
    """Eyes that also know what a user taught them.

    look      the eyes themselves
    view_of   the view of a picture's table as `find_coins` wants it
    meaning   the class that a taught name stands for, where the set-up says so
    """

    look: LookAt
    classes: tuple[Enrolled, ...]
    view_of: ViewOf
    meaning: Mapping[str, str] = field(default_factory=dict)

    def make_ready(self, frame: Frame, plane: TablePlane) -> None:
        """As the eyes' own."""
        if isinstance(self.look, Readied):
            self.look.make_ready(frame, plane)

    def __call__(self, frame: Frame, plane: TablePlane) -> tuple[Detection, ...]:
        """What shows on the table, taught pieces by their names."""
        seen = list(self.look(frame, plane))
        others = [index for index, one in enumerate(seen) if one.kind != "coin" and self._teach(one.kind)]
        for index in others:
            seen[index] = self._named(seen[index], sample_of(frame, plane, seen[index]))
        if self._teach("coin"):
            seen = self._with_coins(seen, frame, plane)
        return tuple(seen)

    def _teach(self, kind: Kind) -> bool:
        return any(known.kind == kind for known in self.classes)

    def _with_coins(self, seen: list[Detection], frame: Frame, plane: TablePlane) -> list[Detection]:
        """Round pieces by their taught names; those that the eyes took for no coin are added."""
        for sample in round_pieces(frame, plane, self.view_of(frame, plane)):
            near = [index for index, one in enumerate(seen) if one.kind == "coin" and _is_at(one, sample)]
            if near:
                seen[near[0]] = self._named(seen[near[0]], sample)
            elif (found := self._class_of(sample)) is not None:
                seen.append(_detection(sample, found, self.meaning.get(found.name, found.name), plane))
        return seen

    def _named(self, seen: Detection, sample: Sample) -> Detection:
        found = self._class_of(sample)
        if found is None or (seen.cls in CLASSES and seen.cls not in found.doubles):
            return seen
        return replace(seen, cls=self.meaning.get(found.name, found.name), class_log_probs={})

    def _class_of(self, sample: Sample) -> Enrolled | None:
        """The taught class that the sample is clearly nearest to, within its spread."""
        fitting = [known for known in self.classes if known.kind == sample.kind and known.may_be(sample.size_mm)]
        away = sorted((float(known.distances(sample.crop[None])[0]), index) for index, known in enumerate(fitting))
        if not away or away[0][0] > NEAR or (len(away) > 1 and away[1][0] < CLEARER * away[0][0]):
            return None
        return fitting[away[0][1]]


def _is_at(seen: Detection, sample: Sample) -> bool:
    return float(np.hypot(*np.subtract(seen.position_mm, sample.position_mm))) < _SAME_MM


def _detection(sample: Sample, known: Enrolled, cls: str, plane: TablePlane) -> Detection:
    px = plane.to_image([sample.position_mm], TYPICAL_THICKNESS_MM)
    sigma_mm = float(np.hypot(plane.sigma_mm(px, height_mm=TYPICAL_THICKNESS_MM)[0], 0.02 * known.size_mm))
    footprint = Point(sample.position_mm).buffer(known.size_mm / 2, _SEGMENTS)
    at_px = (float(px[0, 0]), float(px[0, 1]))
    return Detection(
        "coin", cls, sample.position_mm, footprint, sigma_mm, 0.9, at_px, owner=NONE, height_mm=TYPICAL_THICKNESS_MM
    )
