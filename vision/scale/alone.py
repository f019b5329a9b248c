"""A round piece alone in a picture of unknown scale: its owner says how wide it is, and so it is the ruler."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.plane import TablePlane
from calibration.pose import Pose
from models.coins import CELL_PX, TOPVIEW_PX_PER_MM, TYPICAL_THICKNESS_MM
from vision.frame import Frame
from vision.metric.topview import TopView
from vision.taught.rounds import Rounds, rounds_in
from vision.taught.sample import Sample, to_learn

Array = NDArray[np.float64]

# What nets look at is no larger than this; a telephone's picture is made smaller first.
_LONGEST_PX = 1600
# How wide the piece may show: from so many px, or a share of the picture's shorter side, to a share of it; each width
# tried is so many times the last, which the nets bridge.
_FEWEST_PX, _SMALLEST, _LARGEST, _STEP = 24.0, 0.08, 0.94, 1.12
# A circle is the piece if it measures what was told, to this share, on a table that is looked at as wide as that.
_AS_TOLD = 0.15
# How steeply a camera that is held level may look down, degrees, to find the piece and then to see it round: aslant it
# is flattened. Straight down unless another way is so much rounder.
_SEARCHED_DEG, _ROUNDED_DEG, _SLANTED = (90.0, 64.0), (90.0, 78.0, 70.0, 64.0, 58.0, 52.0), 0.15
# What a circle is worth: the detector's heat, the share of its rim that shows, and the rim net's doubt so many times.
# Below the least it is none: of 60 close pictures of one coin the right circle has 0.7 and more.
_DOUBTED, _LEAST_WORTH = 30.0, 0.6
# What is as hot as this beside the piece is another one rather than grain or print.
_ANOTHER = 0.5
# A circle within one so many times as wide is relief on that one.
_WIDER = 1.4
# No camera sees anything sharp that is nearer; how far it sees; and its focal length, as a share of the longer side.
_NEAREST_MM, _FARTHEST_MM, _FOCAL_OF_LONGER = 120.0, 1000.0, 0.8
_MULTIPLE_PX = 4 * CELL_PX
_MARGIN_MM = 8.0


@dataclass(frozen=True, eq=False)
class _Seen:
    """A circle that may be the piece, on a table that shows it about as wide as told.

    px_per_mm  of that table in the middle of the picture
    too_wide   how many times as wide as told it measures there
    """

    frame: Frame
    plane: TablePlane
    px_per_mm: float
    rounds: Rounds
    index: int
    too_wide: float

    @property
    def at_px(self) -> Array:
        """(2,) where its middle shows."""
        centre_mm = self.rounds.centre_mm[[self.index]]
        return np.asarray(self.plane.to_image(centre_mm, TYPICAL_THICKNESS_MM)[0], float)

    @property
    def width_px(self) -> float:
        """How wide it shows."""
        centre_mm = self.rounds.centre_mm[[self.index]]
        scale = float(self.plane.px_per_mm(centre_mm, TYPICAL_THICKNESS_MM)[0])
        return 2 * float(self.rounds.radius_mm[self.index]) * scale

    @property
    def worth(self) -> float:
        """By which one circle is taken for the piece rather than another."""
        return float(self.rounds.heat[self.index]) + self._closed

    @property
    def roundness(self) -> float:
        """By which one table is taken for the one that it lies on rather than another."""
        slanted = _SLANTED * (self.plane.tilt_deg < _ROUNDED_DEG[0] - 1)
        return self._closed - slanted

    @property
    def _closed(self) -> float:
        return float(self.rounds.support[self.index] - _DOUBTED * self.rounds.doubt[self.index])

    @property
    def sample(self) -> Sample:
        """The piece cut out."""
        return to_learn(self.frame, self.plane, self.rounds.only(np.array([self.index])))[0]


def pieces_alone(frame: Frame, diameter_mm: float) -> list[Sample]:
    """The round piece that lies alone in a picture taken from above, as wide as told; several where several lie there.

    Their places are those on the table that the picture would show. None where the piece is narrower than 24 px.
    """
    shorter = min(frame.image_bgr.shape[:2])
    widest, narrowest = _LARGEST * shorter, max(_FEWEST_PX, _SMALLEST * shorter)
    widths_px = np.exp(np.arange(np.log(widest), np.log(narrowest), -np.log(_STEP)))
    tables = itertools.product(widths_px / diameter_mm, _SEARCHED_DEG)
    seen = [one for px_per_mm, tilt_deg in tables for one in _seen(frame, px_per_mm, diameter_mm, tilt_deg)]
    return [replace(_upright(one, diameter_mm).sample, size_mm=diameter_mm) for one in _pieces(seen)]


def _pieces(seen: Sequence[_Seen]) -> list[_Seen]:
    """The plainest circle that lies in no wider one, as relief does, and those beside it that are pieces too."""
    plain = sorted((one for one in seen if one.worth > _LEAST_WORTH), key=lambda one: -one.worth)
    found: list[_Seen] = []
    for one in plain:
        in_another = any(_lies_in(one, other) for other in plain)
        apart = all(np.hypot(*(one.at_px - other.at_px)) > (one.width_px + other.width_px) / 2 for other in found)
        if not in_another and (not found or (apart and one.rounds.heat[one.index] > _ANOTHER)):
            found.append(one)
    return found


def _lies_in(one: _Seen, other: _Seen) -> bool:
    off_px = float(np.hypot(*(one.at_px - other.at_px)))
    return other.width_px > _WIDER * one.width_px and off_px < other.width_px / 2


def _upright(one: _Seen, diameter_mm: float) -> _Seen:
    """The same circle on the table that shows it roundest and as wide as told."""
    scale = one.px_per_mm * one.too_wide
    tilted = [each for tilt_deg in _ROUNDED_DEG for each in _again(one, scale, diameter_mm, tilt_deg)]
    return max(tilted, key=lambda each: each.roundness, default=one)


def _again(one: _Seen, px_per_mm: float, diameter_mm: float, tilt_deg: float) -> list[_Seen]:
    """It on another table."""
    seen = _seen(one.frame, px_per_mm, diameter_mm, tilt_deg)
    return [each for each in seen if np.hypot(*(each.at_px - one.at_px)) < one.width_px / 4]


def near_enough(frame: Frame) -> Frame:
    """The picture as large as it need be."""
    times = _LONGEST_PX / max(frame.image_bgr.shape[:2])
    if times >= 1:
        return frame
    smaller = cv2.resize(frame.image_bgr, None, fx=times, fy=times, interpolation=cv2.INTER_AREA)
    return replace(frame, image_bgr=np.asarray(smaller, np.uint8))


def _seen(frame: Frame, px_per_mm: float, diameter_mm: float, tilt_deg: float) -> Iterator[_Seen]:
    """Circles as wide as told on a table that shows at that scale in the middle, of a camera that looks down so far."""
    plane, size_mm = _table(frame, px_per_mm, tilt_deg)
    view = TopView.of_table(plane, size_mm, TOPVIEW_PX_PER_MM, TYPICAL_THICKNESS_MM, _MARGIN_MM, _MULTIPLE_PX)
    rounds = rounds_in(frame, plane, view)
    too_wide = 2 * rounds.radius_mm / diameter_mm
    for index in np.flatnonzero(rounds.are_plain & (np.abs(np.log(too_wide)) < _AS_TOLD)):
        yield _Seen(frame, plane, px_per_mm, rounds, int(index), float(too_wide[index]))


def _table(frame: Frame, px_per_mm: float, tilt_deg: float) -> tuple[TablePlane, tuple[float, float]]:
    """The plane of a table as large as the picture shows it, its origin in the near left corner."""
    height, width = frame.image_bgr.shape[:2]
    focal_px = max(_FOCAL_OF_LONGER * max(width, height), _NEAREST_MM * px_per_mm)
    matrix = np.array([(focal_px, 0, (width - 1) / 2), (0, focal_px, (height - 1) / 2), (0, 0, 1)])
    lens, tilt = Lens.measured((width, height), matrix), np.radians(tilt_deg)
    ahead = np.array([0.0, np.cos(tilt), -np.sin(tilt)])
    rotation = np.array([(1.0, 0.0, 0.0), np.cross(ahead, (1.0, 0.0, 0.0)), ahead])
    rvec = np.asarray(cv2.Rodrigues(rotation)[0], float).ravel()
    away_mm = np.array([0.0, 0.0, focal_px / px_per_mm])
    corners = np.array([(0, 0), (width - 1, 0), (width - 1, height - 1), (0, height - 1)], float)
    shown = np.nan_to_num(Pose(rvec, away_mm).to_table(lens, corners), nan=_FARTHEST_MM)
    shown = np.clip(shown, -_FARTHEST_MM, _FARTHEST_MM)
    left, near = shown.min(axis=0)
    across, deep = shown.max(axis=0) - (left, near)
    tvec = rotation @ (left, near, 0.0) + away_mm
    return TablePlane.exact(lens, rvec, tvec), (float(across), float(deep))
