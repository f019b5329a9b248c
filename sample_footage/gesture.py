"""One reach over the table: in, grasp, carry, let go, out. All is a function of time, so frames and truth agree."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.hand_draw import Pose

if TYPE_CHECKING:
    from sample_footage.block import Block
    from sample_footage.coin import Coin
    from sample_footage.hand import Person

Point3 = tuple[float, float, float]

ENTER_S, GRASP_S, RELEASE_S, LEAVE_S = 1.15, 0.32, 0.32, 1.1
CARRY_MM_S = 72.0  # a careful player's pace
LIFT_MM = 20.0
AWAY_MM = 46.0  # how high the hand comes in and goes out


@dataclass(frozen=True)
class Seat:
    """Who reaches, and from where: the point (mm) around which the arm turns, out of the picture."""

    name: str
    colour: str
    person: Person
    shoulder_mm: tuple[float, float]


@dataclass(frozen=True)
class Gesture:
    """A hand that comes, does something with a coin, and goes.

    coin    (card, die) as it lies before; to_mm and rest_low_mm say where it comes to lie, None takes it off the table
    holds   False: the hand comes, hovers and goes, and touches nothing
    pace    how many times as quick as a careful player
    lift_mm how high the coin is carried; 0 slides it
    brings  the coin comes with the hand, from where the arm turns
    """

    seat: Seat
    start_s: float
    coin: Coin | Block
    to_mm: tuple[float, float] | None
    rest_low_mm: float = 0.0
    holds: bool = True
    hover_s: float = 0.0
    pace: float = 1.0
    lift_mm: float = LIFT_MM
    brings: bool = False

    @property
    def _thick_mm(self) -> float:
        return self.coin.high_mm - self.coin.low_mm

    @cached_property
    def _source(self) -> Point3:
        return (*self.coin.position_mm, self.coin.high_mm)

    @cached_property
    def _target(self) -> Point3:
        if self.to_mm is not None:
            return (*self.to_mm, self.rest_low_mm + self._thick_mm)
        return self._source if not self.holds else (*self.seat.shoulder_mm, 60.0)

    @cached_property
    def taken_s(self) -> float:
        """When the coin leaves the table."""
        return self.start_s + (ENTER_S + GRASP_S) / self.pace

    @cached_property
    def carry_s(self) -> float:
        """How long it is in the hand."""
        if not self.holds:
            return self.hover_s
        within = self.to_mm is not None and not self.brings
        way_s = math.dist(self._source[:2], self._target[:2]) / (CARRY_MM_S if within else 4 * CARRY_MM_S)
        return max(0.9, way_s + 0.5) / self.pace

    @cached_property
    def put_s(self) -> float:
        """When it lies again, or is out of sight."""
        return self.taken_s + self.carry_s

    @cached_property
    def end_s(self) -> float:
        """When the hand is out of the picture."""
        stays = self.to_mm is not None or not self.holds
        return self.put_s + (RELEASE_S + LEAVE_S if stays else 0.0) / self.pace

    def is_on(self, t_s: float) -> bool:
        """Whether the hand is over the table."""
        return self.start_s <= t_s < self.end_s

    def in_hand(self, t_s: float) -> bool:
        """Whether the coin is held."""
        return self.holds and self.taken_s <= t_s < self.put_s

    def pose(self, t_s: float) -> Pose:
        """Where the hand is."""
        tip, spread = self._tip(t_s)
        x, y = self.seat.shoulder_mm
        ahead = tip if tip[:2] != (x, y) else self._source
        return Pose(tip, math.degrees(math.atan2(ahead[1] - y, ahead[0] - x)), spread)

    def held_coin(self, t_s: float) -> Coin | Block:
        """The coin in the fingers, or as it lies afterwards; it turns with the hand."""
        tip, _ = self._tip(min(t_s, self.put_s))
        x, y = self.seat.shoulder_mm
        turned = math.atan2(tip[1] - y, tip[0] - x) - math.atan2(self._source[1] - y, self._source[0] - x)
        low = tip[2] - self._thick_mm
        return replace(
            self.coin,
            position_mm=(tip[0], tip[1]),
            low_mm=low,
            turn_deg=(self.coin.turn_deg + math.degrees(turned)) % 360,
            on=None,
        )

    def _tip(self, t_s: float) -> tuple[Point3, float]:
        """The middle between the fingertips, and how open they are."""
        outside = (*self.seat.shoulder_mm, AWAY_MM)
        above = 0.0 if self.holds else 26.0
        since_s, left_s = (t_s - self.start_s) * self.pace, (t_s - self.put_s) * self.pace
        if since_s < ENTER_S:
            return _between(outside, self._source, since_s / ENTER_S, above), 1.0
        if t_s < self.taken_s:
            share = (since_s - ENTER_S) / GRASP_S
            return _raised(self._source, above), 1.0 - _ease(share) if self.holds else 1.0
        if t_s < self.put_s:
            return self._carried(t_s, above)
        if self.to_mm is None and self.holds:
            return self._target, 0.0
        if left_s < RELEASE_S:
            return _raised(self._target, above), _ease(left_s / RELEASE_S) if self.holds else 1.0
        return _between(outside, self._target, 1 - (left_s - RELEASE_S) / LEAVE_S, above), 1.0

    def _carried(self, t_s: float, above: float) -> tuple[Point3, float]:
        share = (t_s - self.taken_s) / self.carry_s
        if not self.holds:
            sway = 9.0 * np.sin(2 * np.pi * 0.55 * (t_s - self.taken_s))
            return (self._source[0] + sway, self._source[1] + 0.6 * sway, self._source[2] + above), 1.0
        a, b = np.asarray(self._source), np.asarray(self._target)
        x, y, z = a + _ease(share) * (b - a)
        lift = self.lift_mm * min(1.0, math.sin(math.pi * share) * 2.2) if self.to_mm is not None else 0.0
        return (float(x), float(y), float(z + lift)), 0.0


def _ease(share: float) -> float:
    share = min(max(share, 0.0), 1.0)
    return share * share * (3 - 2 * share)


def _between(outside: Point3, inside: Point3, share: float, above: float) -> Point3:
    """In from outside, first level, at last down on to the place."""
    x, y = (o + _ease(share) * (i - o) for o, i in zip(outside[:2], inside[:2], strict=True))
    down = _ease((share - 0.55) / 0.45)
    return (x, y, outside[2] + down * (inside[2] + above - outside[2]))


def _raised(point: Point3, above: float) -> Point3:
    return (point[0], point[1], point[2] + above)
