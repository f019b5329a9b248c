"""The table from above beyond where its view ends: what stands near the far side shows its top there."""

from __future__ import annotations

from dataclasses import dataclass

from calibration.plane import TablePlane
from vision.detect.solid.glance import Sight
from vision.frame import ImageBgr
from vision.metric.topview import TopView

# How far beyond the view it goes, px of its own: 110 mm, a mug's height seen at 45 degrees.
_BEYOND_PX = 224


@dataclass(eq=False)
class WideView:
    """A view grown to all sides, worked out when it is first asked for under one camera."""

    _plane: TablePlane | None = None
    _view: TopView | None = None
    _wide: TopView | None = None

    def of(self, image_bgr: ImageBgr, plane: TablePlane, view: TopView) -> Sight[TopView]:
        """What the picture shows in `view` and around it, at the same scale."""
        if self._wide is None or self._plane is not plane or self._view is not view:
            self._plane, self._view, self._wide = plane, view, view.grown(plane, _BEYOND_PX)
        return Sight(plane, self._wide, self._wide.resample(image_bgr))
