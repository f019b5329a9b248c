"""Whether a table can be played on as its picture shows it: what to change, or why it will not do."""

from __future__ import annotations

from calibration.plane import TablePlane
from vision.frame import Frame
from vision.light.clarity import Clarity, clarity_of
from vision.light.faults import faults_of

# Of rendered coins on a map (seeds 170131 to 170136, by script) all are found down to 0.76 px a mm, 20 of 23 at 0.61,
# 11 of 21 at 0.50; and while the brightest part of the table is at 30 of 255.
_COARSEST_PX_PER_MM, _DARKEST = 0.55, 25.0
# From how far above the table a camera looks at it: too flat below the first, well from the second on.
_FLATTEST_DEG, FLAT_DEG = 20.0, 32.0
# Sine of the angle between the picture's down and the table that is no chance.
_PLAINLY_DOWN = 0.2


def faults_in(frame: Frame, plane: TablePlane, size_mm: tuple[float, float]) -> tuple[str, ...]:
    """What makes pieces hard to read or to measure in this picture, a sentence each, with what to change.

    ValueError where it cannot be played on as it shows.
    """
    clarity, elevation_deg = clarity_of(frame, plane, size_mm), elevation_deg_of(plane, size_mm)
    hopeless = _hopeless(clarity, elevation_deg)
    if hopeless:
        raise ValueError(hopeless)
    told = [fault.sentence for fault in faults_of(clarity)]
    if elevation_deg < FLAT_DEG:
        told.append(
            f"the camera looks at the table from only {elevation_deg:.0f} degrees above it: raise it "
            "(35 to 75 are best), or far pieces hide behind near ones and are measured badly"
        )
    if _is_upside_down(plane):
        told.append(
            "the picture is upside down: turn the camera over, or its picture in its program, or near and far, left "
            "and right may be exchanged"
        )
    return tuple(told)


def elevation_deg_of(plane: TablePlane, size_mm: tuple[float, float]) -> float:
    """How far above the horizon the camera stands, as seen from the table's middle."""
    return plane.pose.elevation_deg([size_mm[0] / 2, size_mm[1] / 2])


def _hopeless(clarity: Clarity, elevation_deg: float) -> str:
    """Why nothing can be played so; "" where it can."""
    if elevation_deg < _FLATTEST_DEG:
        return (
            f"the camera looks at the table from only {elevation_deg:.0f} degrees above it, too flat to measure: "
            "raise it, 35 to 75 degrees are best"
        )
    if clarity.brightest < _DARKEST:
        return f"the picture is too dark (its brightest parts at {clarity.brightest:.0f} of 255): switch on a lamp"
    if round(clarity.px_per_mm, 2) < _COARSEST_PX_PER_MM:
        return (
            f"the table is too small in the picture ({clarity.px_per_mm:.2f} px to a mm, and {_COARSEST_PX_PER_MM} are "
            "the least): bring the camera nearer, or choose a higher resolution"
        )
    return ""


def _is_upside_down(plane: TablePlane) -> bool:
    """Whether down in the picture is up in the room; from straight above no picture is."""
    return bool(plane.rotation[1, 2] > _PLAINLY_DOWN)
