"""What of each thing's error all have in common that one measurement of the table plane placed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from calibration.plane import TablePlane
from vision.detection import Detection


def with_shared_error(look: Sequence[Detection], plane: TablePlane) -> tuple[Detection, ...]:
    """The look, each thing with its share of the error of the plane by which it was measured, and the plane's name."""
    if not look:
        return ()
    lies_mm = [seen.elevation_mm for seen in look]
    shared_mm = plane.shared_sigma_mm([seen.position_mm for seen in look], lies_mm)
    return tuple(
        replace(seen, shared_sigma_mm=min(float(mm), seen.sigma_mm), plane=plane.history.name)
        for seen, mm in zip(look, shared_mm, strict=True)
    )
