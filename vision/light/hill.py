"""A hill of light, as high as the lowest of many points allow: of any length and turn, its top round or flat."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# So many steps at most, until they change so little; after the first few a true hill is half as high as it must be.
_STEPS, _STOP, _EARLY = 12, 3e-3, 6
# Points below the hill pull with all their weight, those above with so much, and hardly where they lie higher than so
# large a share of the hill: there the ground is bright.
_ABOVE, _BRIGHT = 0.12, 0.1
# A hill is fitted within so many of the spreads that it began with.
_WITHIN = 2.6
_FEWEST = 12
# Spreads, in the unit of the points, and how far one step goes: height, place, logarithms of spreads, turn.
_NARROWEST, _WIDEST, _LOWEST = 0.8, 9.0, 0.01
_FARTHEST = np.array([0.3, 1.0, 1.0, 0.25, 0.25, 0.4, 0.2])
_FLATTEST = 3.0
# Prior beliefs, with this share of the points' weight: as long as wide, as wide as at the start, and Gaussian.
_ROUND, _TURN, _SIZE, _GAUSSIAN, _PRIOR = 1.0, 0.05, 0.2, 0.7, 0.3
_DAMPING = 1e-3


@dataclass(frozen=True, eq=False)
class Hill:
    """A hill exp(-(r^2 / 2)^flat); lengths in the unit of the points that it was fitted to.

    height    of its top
    top       (2,) where
    spread    (2,) along its two axes, of which r counts the distance
    turn_rad  of the first axis from +x
    flat      1 for a Gaussian hill, more for a flat top with steep sides
    """

    height: float
    top: Array
    spread: Array
    turn_rad: float
    flat: float = 1.0

    def at(self, x: Array, y: Array) -> Array:
        """The hill's height at places; x and y of any one shape, which the answer has too."""
        half_square = np.square(self.away(x, y)).sum(axis=0) / 2
        return np.asarray(self.height * np.exp(-(half_square**self.flat)), float)

    def away(self, x: Array, y: Array) -> Array:
        """(2, ...) how far places lie from its top along its axes, in spreads."""
        cos, sin = np.cos(self.turn_rad), np.sin(self.turn_rad)
        right, down = x - self.top[0], y - self.top[1]
        along, across = right * cos + down * sin, -right * sin + down * cos
        return np.stack([along / self.spread[0], across / self.spread[1]])


def fit_hill(x: Array, y: Array, height: Array, start: Hill, least: float = 0.0) -> Hill | None:
    """The hill near `start` under points (n,) each; None where there are too few, or it will not be `least` high.

    Reweighted least squares, damped (Levenberg 1944); what lies high above is left out softly (Cauchy).
    """
    near = np.hypot(x - start.top[0], y - start.top[1]) < _WITHIN * start.spread.max()
    if near.sum() < _FEWEST:
        return None
    x, y, height = x[near], y[near], height[near]
    begun = state = np.array([start.height, *start.top, *np.log(start.spread), start.turn_rad, np.log(start.flat)])
    for done in range(_STEPS):
        step = _step(state, begun, x, y, height)
        state = state + step
        state[0], state[3:5] = max(state[0], _LOWEST), np.clip(state[3:5], np.log(_NARROWEST), np.log(_WIDEST))
        state[6] = np.clip(state[6], 0, np.log(_FLATTEST))
        if np.abs(step).max() < _STOP:
            break
        if done == _EARLY and state[0] < least / 2:
            return None
    return _hill(state) if state[0] >= least else None


def _hill(state: Array) -> Hill:
    return Hill(float(state[0]), state[1:3], np.exp(state[3:5]), float(state[5]), float(np.exp(state[6])))


def _step(state: Array, begun: Array, x: Array, y: Array, height: Array) -> Array:
    hill = _hill(state)
    rest = height - hill.at(x, y)
    usual = _BRIGHT * max(hill.height, 0.05)
    weight = np.where(rest < 0, 1.0, _ABOVE / (1 + np.square(rest / usual)))
    slopes = _slopes(hill, x, y)
    prior, astray = _prior(state, begun)
    believed = np.square(_PRIOR * usual)
    normal = (slopes * weight[:, None]).T @ slopes + believed * prior.T @ prior
    normal += np.diag(_DAMPING * np.diag(normal) + 1e-9)
    pull = (slopes * weight[:, None]).T @ rest + believed * prior.T @ astray
    return np.asarray(np.clip(np.linalg.solve(normal, pull), -_FARTHEST, _FARTHEST), float)


def _slopes(hill: Hill, x: Array, y: Array) -> Array:
    """(n, 7) how its height at points changes with height, place, log spreads, turn and log flatness."""
    height, (along, across) = hill.at(x, y), hill.away(x, y)
    cos, sin = np.cos(hill.turn_rad), np.sin(hill.turn_rad)
    first, second = hill.spread
    half_square = np.maximum((np.square(along) + np.square(across)) / 2, 1e-6)
    steep = height * hill.flat * half_square ** (hill.flat - 1)
    return np.stack(
        [
            height / hill.height,
            steep * (along * cos / first - across * sin / second),
            steep * (along * sin / first + across * cos / second),
            steep * np.square(along),
            steep * np.square(across),
            -steep * along * across * (second / first - first / second),
            -steep * half_square * np.log(half_square),
        ],
        axis=1,
    )


def _prior(state: Array, begun: Array) -> tuple[Array, Array]:
    """(4, 7) what is believed of shape, turn, size and flatness, and (4,) how far off each is."""
    prior = np.zeros((4, 7))
    prior[0, 3:5], prior[1, 5], prior[2, 3:5], prior[3, 6] = (_ROUND, -_ROUND), _TURN, _SIZE, _GAUSSIAN
    wider = float((begun[3:5] - state[3:5]).sum())
    return prior, np.array([-_ROUND * (state[3] - state[4]), 0.0, _SIZE * wider, -_GAUSSIAN * state[6]])
