"""How many millimetres to believe, and where: what `calibrate check` tells of a measured table."""

from __future__ import annotations

from typing import Any

import numpy as np

from calibration.plane import SIGMAS_95, TablePlane

# What a good detection of a piece's edge adds to the plane's own error, px.
_SEEN_PX = 0.2
_GOOD_MM, _FAIR_MM = 1.0, 2.5


def trust_document(plane: TablePlane, size_mm: tuple[float, float]) -> dict[str, Any]:
    """Reprojection error, the worst residuals first, and the 95 % radius of a measured place over the table."""
    worst = sorted(plane.residuals, key=lambda residual: residual.mm, reverse=True)
    places = _places(size_mm)
    radii = SIGMAS_95 * plane.sigma_mm(plane.to_image(list(places.values())), _SEEN_PX)
    within = {name: round(float(radius), 3) for name, radius in zip(places, radii, strict=True)}
    return {
        "schema": "sandtable/calibration-check/1",
        "reprojection_error_px": round(plane.reprojection_error_px, 3),
        "camera_height_mm": round(float(plane.camera_position_mm[2]), 1),
        "tilt_deg": round(plane.tilt_deg, 1),
        "within_mm_95": within,
        "light": light(float(np.max(radii))),
        "residuals": [
            {"source": r.source, "px": round(r.px, 3), "mm": round(r.mm, 3), "rejected": r.rejected} for r in worst
        ],
        "notes": list(plane.notes),
    }


def light(radius_mm: float) -> str:
    """Green, yellow or red: whether the farthest place of the table is good to 1 mm, to 2.5 mm, or not."""
    if radius_mm <= _GOOD_MM:
        return "green"
    return "yellow" if radius_mm <= _FAIR_MM else "red"


def _places(size_mm: tuple[float, float]) -> dict[str, tuple[float, float]]:
    width, depth = size_mm
    return {
        "middle": (width / 2, depth / 2),
        "near left": (0.0, 0.0),
        "near right": (width, 0.0),
        "far right": (width, depth),
        "far left": (0.0, depth),
    }
