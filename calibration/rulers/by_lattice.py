"""A table that others measured, sharpened by a lattice that is drawn on it: a hex mat under four clicks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from calibration.fit.correspondence import Correspondences
from calibration.plane import TablePlane
from calibration.rulers.lattice import Lattice
from calibration.rulers.slant import Slant

Array = NDArray[np.float64]

# Finds the lattice on a plane that is nearly right; None where there is none to be sure of. Asked again and again, as
# the plane gets better: what a wide lens had bent out of its place is found then.
SeesLattice = Callable[[TablePlane], Lattice | None]

# Clicks through a wide lens were 43 mm off and took six looks, others two or three (benchmarks.clicked_hexes).
_MOST_LOOKS, _MOST_STEPS = 8, 5
# From look to look a few faint marks come and go, and move the plane by a part of what it errs by anyway.
_SAME_LOOK_SIGMAS, _SAME_STEP_MM = 0.4, 0.01
# What leaves more than this was misread: marks are found to 0.02 to 0.36 px, chance leaves 0.7 to 1.2.
_ROUGHEST_PX = 0.45
# Clicks and hexes together cost so much more than clicks alone, in their variances, once in a thousand times by chance
# (chi-square of six: a tilt of two and four of the lens).
_CONTRADICTS = 22.5


def sharpened_by(
    see: SeesLattice, rough: TablePlane, seen: Correspondences, fitted: Callable[[Slant], TablePlane]
) -> TablePlane:
    """The plane improved by a lattice; `rough` itself where no lattice is seen or it contradicts the rest.

    seen    what measured `rough`
    fitted  gives the plane by that and by what a lattice tells
    """
    plane = rough
    for _ in range(_MOST_LOOKS):
        lattice = see(plane)
        if lattice is None:
            return rough
        try:
            better, slant = _settled(lattice, plane, fitted)
        except (ValueError, np.linalg.LinAlgError):
            return rough
        moved_mm = _apart_mm(better, plane, lattice)
        plane = better
        if moved_mm < _SAME_LOOK_SIGMAS * float(np.median(plane.sigma_mm(lattice.px))):
            break
    else:
        return rough
    if slant.rms_px > _ROUGHEST_PX:
        return rough
    more = _cost(plane, seen) + float(np.square(slant.misfit(plane.lens, plane.pose)[0]).sum()) - _cost(rough, seen)
    if plane.rejected != rough.rejected or more > _CONTRADICTS:
        return replace(rough, notes=(*rough.notes, "the hexes that are drawn here contradict it and were left out"))
    told = f"{len(lattice)} places of the hexes that are drawn here, off by {slant.rms_px:.2f} px"
    notes = (*plane.notes, f"{told}, told the lens and the tilt")
    return replace(plane, notes=notes, lattice=lattice.placed(plane.lens, plane.pose))


def _settled(lattice: Lattice, plane: TablePlane, fitted: Callable[[Slant], TablePlane]) -> tuple[TablePlane, Slant]:
    """Where first orders lead to, one about the other, and what the lattice tells there."""
    for _ in range(_MOST_STEPS):
        slant, before = lattice.slant(plane.lens, plane.pose), plane
        plane = fitted(slant)
        if _apart_mm(plane, before, lattice) < _SAME_STEP_MM:
            break
    return plane, slant


def _apart_mm(one: TablePlane, other: TablePlane, lattice: Lattice) -> float:
    """How far apart two planes have the lattice's places, at most."""
    return float(np.nan_to_num(np.abs(one.to_table(lattice.px) - other.to_table(lattice.px)), nan=np.inf).max())


def _cost(plane: TablePlane, seen: Correspondences) -> float:
    """Of the fixed points, in their variances."""
    fixed = seen.only(name for name in seen.groups if name not in seen.loose)
    off = plane.to_image(fixed.table_mm, fixed.height_mm) - fixed.image_px
    return float(np.square(fixed.seen_part(off) / fixed.sigma_px[:, None]).sum())
