"""A table of figures and household things in Blender that is photographed again where something was moved."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
import numpy as np

from models.training.rendered import room
from sample_footage.lie_of_the_land import SHEET_MM

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from sample_footage.camera import Camera
    from sample_footage.figure import Figure

    Floats = NDArray[np.float32]

# How far about a figure the picture is taken anew, and how far its shadow may reach for every mm of its height.
MARGIN_MM, SHADOW_SHARE = 25.0, 1.9
# Where the renderer has its origin.
MIDDLE_MM = np.array(SHEET_MM) / 2
# As bright as the stills are.
EXPOSURE = 0.8


class SolidTable:
    """The table as the last shot showed it.

    picture  (rows, columns, 3) linear, blue green red
    index    (rows, columns) the number of the figure that shows
    """

    def __init__(self, camera: Camera, figures: Iterable[Figure]) -> None:
        self.camera = camera
        self._lying = {figure.id: figure for figure in figures}
        self._things: dict[int, list[Any]] = {}
        for thing in bpy.context.scene.objects:
            if thing.type == "MESH":
                self._things.setdefault(thing.pass_index, []).append(thing)
        self._there = dict(self._lying)
        self.picture, self.index = self._shot()

    @property
    def lying(self) -> list[Figure]:
        """What stands on it now."""
        return list(self._lying.values())

    def show(self, figures: Iterable[Figure]) -> None:
        """The table with these figures on it; what was elsewhere before is photographed anew."""
        wanted = {figure.id: figure for figure in figures}
        changed = [one for one in {*self._lying.values(), *wanted.values()} if self._is_new(one, wanted)]
        for figure in {**self._there, **wanted}.values():
            self._put(figure, figure.id in wanted)
        self._lying = wanted
        for one in changed:
            self._shoot_about(one)

    def _is_new(self, one: Figure, wanted: dict[str, Figure]) -> bool:
        return self._lying.get(one.id) != wanted.get(one.id)

    def _put(self, figure: Figure, shows: bool) -> None:
        """Its objects where it stands."""
        before = self._there.get(figure.id, figure)
        turn = np.radians(figure.turn_deg - before.turn_deg)
        c, s = np.cos(turn), np.sin(turn)
        old, new = (np.subtract(one.position_mm, MIDDLE_MM) for one in (before, figure))
        for thing in self._things.get(figure.number, ()):
            x, y = np.array(thing.location[:2]) - old
            up = thing.location[2] + figure.low_mm - before.low_mm
            thing.location = (new[0] + c * x - s * y, new[1] + s * x + c * y, up)
            thing.rotation_euler[2] += turn
            thing.hide_render = not shows
        self._there[figure.id] = figure

    def _shoot_about(self, figure: Figure) -> None:
        window = self._window(figure)
        if window is not None:
            self.picture[window], self.index[window] = self._shot(window)

    def _window(self, figure: Figure) -> tuple[slice, slice] | None:
        """Where it and its shadow show."""
        reach = figure.radius_mm + MARGIN_MM
        far = reach + SHADOW_SHARE * figure.high_mm
        x, y = figure.position_mm
        low = [(x + dx, y + dy, 0.0) for dx in (-far, far) for dy in (-far, far)]
        high = [(x + dx, y + dy, figure.high_mm + 5) for dx in (-reach, reach) for dy in (-reach, reach)]
        px = self.camera.project([*low, *high])
        width, height = self.camera.size_px
        u0, v0 = np.maximum(np.floor(px.min(axis=0)).astype(int), 0)
        u1, v1 = np.minimum(np.ceil(px.max(axis=0)).astype(int) + 1, (width, height))
        return (slice(v0, v1), slice(u0, u1)) if u1 > u0 and v1 > v0 else None

    def _shot(self, window: tuple[slice, slice] | None = None) -> tuple[Floats, NDArray[np.int16]]:
        """Picture and numbers of all or of a part."""
        render = bpy.context.scene.render
        render.use_border = render.use_crop_to_border = window is not None
        if window is not None:
            width, height = self.camera.size_px
            rows, columns = window
            # Blender cuts off what is behind the point: a quarter of a pixel keeps rounding on the right side.
            left, right, low, high = columns.start, columns.stop, height - rows.stop, height - rows.start
            render.border_min_x, render.border_max_x = (left + 0.25) / width, (right + 0.25) / width
            render.border_min_y, render.border_max_y = (low + 0.25) / height, (high + 0.25) / height
        with tempfile.TemporaryDirectory() as folder:
            rgba, index = room.shoot(Path(folder))
        return np.ascontiguousarray(rgba[..., 2::-1]) * np.float32(EXPOSURE), index
