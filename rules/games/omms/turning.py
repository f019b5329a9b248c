"""How far a distance must move until a verdict turns (C3.4)."""

from __future__ import annotations

from collections.abc import Callable

from rules.margin import Margin

# Of 3 sigma, this leaves a part in 16,000: far below any margin that is shown.
STEPS = 14


def turning_margin(turned: Callable[[float], bool], far_sigmas: float, sigma_mm: float, holds: bool) -> Margin:
    """The margin of a distance that turns a verdict when moved by `far_sigmas`, found by bisection.

    turned  whether the verdict is another one with the distance moved by so many sigmas; it is at `far_sigmas`
    holds   the verdict as measured: its margin is positive if it holds
    """
    near, far = 0.0, far_sigmas
    for _ in range(STEPS):
        middle = (near + far) / 2
        near, far = (near, middle) if turned(middle) else (middle, far)
    size_mm = abs(far) * sigma_mm
    return Margin(size_mm if holds else -size_mm, sigma_mm)
