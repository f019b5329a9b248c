"""What is told of a measured plane: what was left out, what turned out other than said, what nothing tells."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from calibration.bending.other_lens import NO_LENS
from calibration.fiducials.turned_markers import askew_in_words
from calibration.fit.bundle import CameraFit
from calibration.fit.correspondence import Correspondences
from calibration.fit.seen import Seen
from calibration.plane import SIGMAS_95, TablePlane

Array = NDArray[np.float64]

# Markers of 50 px look so much smaller, and no more, where the picture is out of focus by 2 px: light runs into them.
_SHRUNK_BY_LIGHT = 0.9


def notes_on(plane: TablePlane, fit: CameraFit, taken: Seen, corners_mm: Array) -> tuple[str, ...]:
    """What a person should know of a plane by a camera, a sentence each.

    taken       what was seen, as the camera took it
    corners_mm  (4, 2) of the table
    """
    notes = [f"{name} contradicts the other references and was left out" for name in plane.rejected]
    if fit.print_scale != 1.0:
        large = f"all markers are about {fit.print_scale:.2f} times as large as said: measured so"
        soft = ", or focus the camera if it is as said" if _SHRUNK_BY_LIGHT < fit.print_scale < 1.0 else ""
        notes.append(f"{large}; measure the black square and correct size_mm{soft}")
    for name, share in fit.odd.items():
        large = f"{name} is about {share:.2f} times as large as the other markers"
        notes.append(f"{large}: measured so, about its middle; print it as large as they are")
    if fit.turned_over:
        notes.append("the picture is upside down to that by which its lens was measured: the lens was turned with it")
        if taken.spare <= 0:  # one of four clicks that is wrong explains as much
            notes.append("if nobody turned camera or picture since, a point is far off instead: click them again")
    if not plane.lens.known:
        notes += _guessed(plane, corners_mm, is_told=fit.bent is None)
    askew = askew_in_words(fit.turns_deg, taken.points)
    return (*notes, *([askew] if askew else ()))


def raised(seen: Correspondences) -> Iterator[str]:
    """What the height of clicked marks leaves open."""
    thick_mm = float(seen.raised_mm.max(initial=0.0))
    if thick_mm > 0:
        flat = "tape, paper or a cross by pen would tell more"
        yield f"what marks the points may be {2 * thick_mm:.1f} mm thick, and a click on its top off by that: {flat}"


def _guessed(plane: TablePlane, corners_mm: Array, *, is_told: bool) -> Iterator[str]:
    """What references and edges told of a lens that has no file, and what they did not."""
    lens = plane.lens
    k1, sigma = lens.distortion[0], np.sqrt(plane.covariance[4, 4])
    barrel = f"distortion too (k1 {k1:.3f} +- {sigma:.3f})" if is_told else "distortion taken as none"
    yield f"{NO_LENS}focal length estimated as {lens.matrix[0, 0]:.0f} px, {barrel}"
    if lens.is_off_centre:
        cause = "the picture was cut out of a larger one, or a point or a told size is wrong"
        off = f"{lens.off_centre_px:.0f} px off the picture's middle"
        yield f"the lens's axis is {off}: {cause}; heights are told less well"
    if not is_told:
        # Halfway between the corners too: there a bend shows that four points hide.
        places_mm = np.vstack([corners_mm, (corners_mm + np.roll(corners_mm, 1, axis=0)) / 2])
        spread_mm = plane.sigma_mm(plane.to_image(places_mm))
        cure = "measure the lens once (`sandtable calibrate lens`), or lay down more (cards, markers)"
        worst_mm = SIGMAS_95 * spread_mm.max()
        # Through nine published wide lenses four points were five times as far off as is stated (25 mm, p95).
        more = "" if lens.may_be_any else ", and through a wide lens five times that"
        far = f"up to {worst_mm:.1f} mm{more}"
        yield f"so few references do not tell how the lens bends, {far}: {cure}"
