"""The camera that references lead to: all of them, a part, or each thing slipping a little from where it was laid."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial

from calibration.bending.turned_over import as_shown
from calibration.bending.unmeasured import likeliest
from calibration.doubt.slip import SLIP_MM
from calibration.fit.bundle import CameraFit, fit_bundle
from calibration.fit.first_guesses import first_guesses
from calibration.fit.seen import Seen
from calibration.lens import Lens
from calibration.pose import CameraGuess

# Two explanations whose costs differ by less than this (three sigma) cannot be told apart.
CLEAR_COST = 9.0
# Four points fix a plane, and say nothing of whether they are right; two hold a table that cards or coins measure.
FIXED_BY, HELD_BY = 4, 2
# Paper curls and prints a little large: a marker's corners lie to this off its shape.
_SHAPE_PX = 0.3
# More cost for a point than this is no chance: markers laid to 1 mm reach 2.4, one 10 mm off its place 4 and more.
_STRAIN = 3.0


# Whether a lens file misleads, and what all agree on, are asked of the same references one after the other.
@lru_cache(maxsize=8)
def prior_of(seen: Seen, lens: Lens) -> Lens:
    """The lens to begin with: as the picture shows a measured one, or the likeliest of those that nobody measured."""
    return prior_by(seen, lens, partial(fit_all, seen))


def prior_by(seen: Seen, lens: Lens, fit: Callable[[Lens], CameraFit]) -> Lens:
    """The same for references that are fitted in another way."""
    return (as_shown if lens.known else likeliest)(seen, lens, fit)


# The same references are asked for their camera, for its lens, and whether they agree: a tenth of a second each time.
@lru_cache(maxsize=8)
def fit_all(seen: Seen, lens: Lens) -> CameraFit:
    """The fit of all references from the ground up."""
    return fit_bundle(seen, lens, first_guesses(seen, lens))


def fit_part(seen: Seen, part: Seen, lens: Lens) -> CameraFit:
    """The fit of a part of the references, from where all led to too: what is left may lead nowhere by itself, as three
    points beside coins, or four of which three lie on a line."""
    if part is seen:
        return fit_all(seen, lens)
    return min((fit_all(part, lens), refit(fit_all(seen, lens), part, lens)), key=lambda fit: fit.cost)


@lru_cache(maxsize=8)
def fit_slipping(seen: Seen, lens: Lens) -> CameraFit:
    """The fit of all references, each thing slipping a little."""
    return refit(fit_all(seen, lens), slipping(seen), lens)


def refit(fit: CameraFit, seen: Seen, lens: Lens) -> CameraFit:
    """The fit of the same references doubted more, or of a part of them, from where they led to."""
    return fit_bundle(seen, lens, [CameraGuess(fit.lens, fit.pose)])


def slipping(seen: Seen) -> Seen:
    """The same, each thing laid down and printed as hands and printers do it."""
    placing_mm = max(seen.points.placing_mm, SLIP_MM)
    return replace(seen, points=replace(seen.points, placing_mm=placing_mm)).blurred(_SHAPE_PX)


def strains(slipped: CameraFit, seen: Seen) -> bool:
    """Whether even the best camera does not explain what was seen, each thing slipping a little."""
    return slipped.cost > max(4 * CLEAR_COST, _STRAIN * len(seen.points))
