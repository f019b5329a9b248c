"""A measured value against a limit, with its error: yes, no, or too close to call (rule note C3)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Verdict = Literal["yes", "no", "close"]

# C3.2: a verdict is close within three standard deviations of its limit.
CLOSE_SIGMAS = 3.0
# A distance that equals its limit is within it (C3.2); rounding in the last bits may not turn that.
ROUNDING_MM = 1e-9
# What no single distance can turn is told so far beyond the band of three sigma that a file's decimals keep it there.
BEYOND_MM = 1e-3


@dataclass(frozen=True)
class Margin:
    """By how much a condition holds: `margin_mm` >= 0 means that it does, nominally.

    margin_mm  limit minus distance, for "at most"; distance minus limit, for "at least"
    sigma_mm   standard deviation of the distance

    >>> Margin(0.5, sigma_mm=0.2).verdict
    'close'
    """

    margin_mm: float
    sigma_mm: float = 0.0

    @property
    def verdict(self) -> Verdict:
        """Yes, no, or close (C3.2); never close without an error."""
        band_mm = CLOSE_SIGMAS * self.sigma_mm
        if self.margin_mm >= band_mm - ROUNDING_MM:
            return "yes"
        return "no" if self.margin_mm < -band_mm - ROUNDING_MM else "close"


# What is known and not measured holds or fails by no distance that anybody could tell, whatever the error.
CERTAIN, REFUSED = Margin(0.0), Margin(-1.0)
# What nobody knows is neither yes nor no until a person says; the verdict's own error tells so.
UNTOLD = Margin(0.0, 1.0)


def at_most(distance_mm: float, limit_mm: float, sigma_mm: float = 0.0) -> Margin:
    """The margin of `distance_mm <= limit_mm`.

    >>> at_most(19.0, 20.0)
    Margin(margin_mm=1.0, sigma_mm=0.0)
    """
    return Margin(limit_mm - distance_mm, sigma_mm)


def at_least(distance_mm: float, limit_mm: float, sigma_mm: float = 0.0) -> Margin:
    """The margin of `distance_mm >= limit_mm`.

    >>> at_least(19.0, 20.0).verdict
    'no'
    """
    return Margin(distance_mm - limit_mm, sigma_mm)


def pair_sigma_mm(*sigmas_mm: float) -> float:
    """The sigma of a distance between pieces: the root of the sum of the squares (C3.2).

    >>> pair_sigma_mm(0.3, 0.4)
    0.5
    """
    return math.hypot(*sigmas_mm)


def all_of(margins: Iterable[Margin]) -> Margin:
    """The deciding margin of a conjunction: a `no` if there is one, else a `close`, else the smallest (C3.4).

    Two that fail make a `no`, however near: moving any one of the distances leaves the other.

    >>> all_of([Margin(3.0), Margin(0.1, sigma_mm=0.2), Margin(5.0)]).verdict
    'close'
    >>> all_of([Margin(-0.1, sigma_mm=0.2), Margin(-0.1, sigma_mm=0.2)]).verdict
    'no'
    """
    told = tuple(margins)
    if len(told) == 1:
        return told[0]
    deciding = told[decider(told)]
    failing = sum(margin.margin_mm < -ROUNDING_MM for margin in told)
    return beyond_doubt(deciding) if failing > 1 else deciding


def any_of(margins: Iterable[Margin]) -> Margin:
    """The deciding margin of a disjunction: a `yes` if there is one, else a `close`, else the largest (C3.4).

    Two that hold make a `yes`, however near: moving any one of the distances leaves the other.

    >>> any_of([Margin(-3.0), Margin(0.1, sigma_mm=0.2)]).verdict
    'close'
    >>> any_of([Margin(0.1, sigma_mm=0.2), Margin(0.1, sigma_mm=0.2)]).verdict
    'yes'
    """
    told = tuple(margins)
    deciding = told[chooser(told)]
    holding = sum(margin.margin_mm >= -ROUNDING_MM for margin in told)
    return beyond_doubt(deciding) if holding > 1 else deciding


def decider(margins: Sequence[Margin]) -> int:
    """The place of the margin that a conjunction hangs on; the first of equals."""
    if len(margins) == 1:
        return 0
    return min(range(len(margins)), key=lambda place: _rank(margins[place], ("no", "close", "yes"), 1.0))


def chooser(margins: Sequence[Margin]) -> int:
    """The place of the margin that a disjunction hangs on; the first of equals."""
    return min(range(len(margins)), key=lambda place: _rank(margins[place], ("yes", "close", "no"), -1.0))


def _rank(margin: Margin, order: tuple[Verdict, ...], sign: float) -> tuple[int, float]:
    return order.index(margin.verdict), sign * margin.margin_mm


def beyond_doubt(margin: Margin) -> Margin:
    """The margin of what holds, or fails, though this distance may be too close to call: no doubt in it can turn that.

    >>> beyond_doubt(Margin(-0.1, sigma_mm=1.0))
    Margin(margin_mm=-3.001, sigma_mm=1.0)
    """
    if margin.verdict != "close":
        return margin
    size_mm = CLOSE_SIGMAS * margin.sigma_mm + BEYOND_MM
    return Margin(-size_mm if margin.margin_mm < -ROUNDING_MM else size_mm, margin.sigma_mm)


def read_anew(holds: bool, readings: Iterable[tuple[bool, Margin]], places: Iterable[Margin]) -> Margin:
    """The margin of what holds, or not, on pieces that may each count as elsewhere: the nearest reading that turns it
    (C3.4); if none does, the least sure place, beyond doubt.

    readings  what it would be with one piece elsewhere, and how far the piece is from that
    places    how sure each piece's place is

    >>> read_anew(True, [(False, Margin(0.2, sigma_mm=0.1)), (True, Margin(0.1, sigma_mm=0.1))], []).verdict
    'close'
    >>> read_anew(False, [], [Margin(0.2, sigma_mm=0.1), Margin(9.0, sigma_mm=0.1)]).verdict
    'no'
    """
    sign = 1.0 if holds else -1.0
    turning = [margin for otherwise, margin in readings if otherwise != holds]
    if turning:
        nearest = min(turning, key=lambda margin: margin.margin_mm)
        return Margin(sign * nearest.margin_mm, nearest.sigma_mm)
    least = min(places, key=lambda margin: margin.margin_mm - CLOSE_SIGMAS * margin.sigma_mm)
    return Margin(sign * max(least.margin_mm, CLOSE_SIGMAS * least.sigma_mm + BEYOND_MM), least.sigma_mm)


def is_shared(way: Margin, room: Iterable[Margin], slack_mm: float) -> bool:
    """Whether a way to a place fails only because the place itself has no room: both fail by the same distance.

    >>> is_shared(Margin(-0.5, 0.2), [Margin(-0.5, 0.3)], slack_mm=0.1)
    True
    """
    return way.margin_mm < 0 and any(gap.margin_mm < 0 and way.margin_mm >= gap.margin_mm - slack_mm for gap in room)


def turned(nominal: Margin, flips: Iterable[Margin]) -> Margin:
    """The margin of a verdict that any of these distances, too close to call, would turn: the nearest one's (C3.4).

    >>> turned(Margin(5.0), [Margin(0.2, sigma_mm=0.1)]).verdict
    'close'
    """
    nearest = min(flips, key=lambda margin: abs(margin.margin_mm), default=None)
    if nearest is None or nominal.verdict == "close":
        return nominal
    return Margin(math.copysign(nearest.margin_mm, nominal.margin_mm), nearest.sigma_mm)
