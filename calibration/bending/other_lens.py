"""Whether a lens file is of another camera, zoom or picture than this one: references lie together without it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from calibration.fit.bundle import CameraFit
from calibration.fit.seen import Seen
from calibration.lens import Lens

# What contradicts through the lens as chance does once in a thousand times lies together without it where no more is
# left than slips make, and this share at most: of lenses 5 to 30 % off 0.3 to 13 % were left, of markers pushed aside
# or told wrong 20 % and more.
_CONTRADICTING, _LEFT, _LEFT_SHARE = 13.8, 9.0, 0.15
# So many numbers left over, since an unknown lens explains much: three markers and more.
_FEWEST_SOURCES, _FEWEST_SPARE = 3, 12
_MISLED = (
    "the lens file is of another camera, zoom or picture size: through it the references contradict one another, "
    "without it they agree; measured without it: measure the lens again (`sandtable calibrate lens`)"
)
FOLDED = (
    "the lens file's distortion folds over within the picture, as no lens does: measured without it: check its numbers "
    "or measure the lens again, the board in the picture's corners too (`sandtable calibrate lens`)"
)
# How what is told of a lens begins that nobody measured.
NO_LENS = "no lens file: "


def is_of_another(seen: Seen, lens: Lens, fit: Callable[[Lens], CameraFit]) -> bool:
    """Whether references contradict one another through a measured `lens` and lie together through some ordinary one.

    fit  the camera that explains them best, each slipping a little, its lens taken from such a prior
    """
    if not lens.known or len(seen.groups) < _FEWEST_SOURCES or seen.spare < _FEWEST_SPARE:
        return False
    cost = fit(lens).cost
    if cost < _CONTRADICTING:
        return False
    free = fit(Lens.unknown(lens.size_px))
    return free.cost < min(_LEFT, _LEFT_SHARE * cost) and not free.lens.is_off_centre


def measured_without(notes: Iterable[str], why: str = _MISLED) -> tuple[str, ...]:
    """The notes where a lens file was given and not used: they say why, and no longer that there is no lens."""
    return (why, *(note.removeprefix(NO_LENS) for note in notes))
