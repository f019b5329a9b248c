"""A measured value as a sentence tells it beside its limit."""

from __future__ import annotations

# Beyond so many decimals a value is its limit: no measurement tells them apart, and rounding in the last bits does not.
_MOST = 6


def set_apart(value: float, limit: float, decimals: int) -> str:
    """`value` with `decimals`, or with as many more as it takes to show on which side of `limit` it lies: "6.00 inches,
    the range is 6" would not say why that is too far. Both have one unit, any; what equals its limit has `decimals`.

    >>> set_apart(6.004, 6, 2), set_apart(5.96, 6, 2), set_apart(6, 6, 2)
    ('6.004', '5.96', '6.00')
    """
    side = round(value - limit, _MOST)
    for places in range(decimals, _MOST + 1):
        written = f"{value:.{places}f}"
        if side * round(float(written) - limit, _MOST) > 0:
            return written
    return f"{value:.{decimals}f}"


def limit_beside(value: float, limit: float, decimals: int) -> str:
    """`limit` as it is told beside what `set_apart` writes: with two decimals at most, or with as many more as it takes
    to keep it on its side of that.

    >>> limit_beside(63.508, 63.506, 1), limit_beside(70.0, 63.506, 1), limit_beside(70.0, 63.5, 1)
    ('63.506', '63.51', '63.5')
    """
    side, written = round(value - limit, _MOST), float(set_apart(value, limit, decimals))
    for places in range(2, _MOST + 1):
        told = f"{limit:.{places}f}"
        if side == 0 or side * (written - float(told)) > 0:
            return told.rstrip("0").rstrip(".")
    return f"{limit:g}"
