"""Set-up files (`sandtable/setup/1`) for what the generator films."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sample_footage.lie_of_the_land import MARKER_CENTRES_MM, SHEET_MM
from sample_footage.map_sheet import MARKER_MM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sample_footage.camera import Camera

PLAYERS = (("Ann", "red"), ("Ben", "blue"))


def setup_toml(
    camera: Camera,
    points_mm: Sequence[tuple[float, float]] = (),
    map_file: str | None = None,
    game: str = "omms",
    sides: tuple[str, str] = ("left", "right"),
    has_lens: bool = True,
    is_by_sides: bool = False,
) -> str:
    """The file's text: calibrated by the sheet's markers, or by known points of the table where there is no sheet.

    has_lens     whether the lens was measured
    is_by_sides  calibrated by the outline of what covers the table
    """
    parts = [
        f'schema = "sandtable/setup/1"\ngame = "{game}"\n',
        f"[table]\nsize_mm = [{SHEET_MM[0]:g}, {SHEET_MM[1]:g}]\n",
        *([_camera(camera)] if has_lens else []),
        "[calibration]\nsheet = {}\n" if is_by_sides else _points(camera, points_mm) if points_mm else _markers(),
        *(
            f'[[player]]\nname = "{name}"\ncolour = "{colour}"\nside = "{side}"\n'
            for (name, colour), side in zip(PLAYERS, sides, strict=True)
        ),
    ]
    if map_file is not None:
        parts.append(f'[map]\nfile = "{map_file}"\n')
    return "\n".join(parts)


def _camera(camera: Camera) -> str:
    numbers = ", ".join(f"{value:g}" for value in camera.distortion)
    return (
        f"[camera]\nsize_px = [{camera.size_px[0]}, {camera.size_px[1]}]\n"
        f"fx = {camera.focal_px[0]}\nfy = {camera.focal_px[1]}\n"
        f"cx = {camera.centre_px[0]}\ncy = {camera.centre_px[1]}\ndistortion = [{numbers}]\n"
    )


def _markers() -> str:
    centres = ", ".join(f"{number} = [{x:g}, {y:g}]" for number, (x, y) in enumerate(MARKER_CENTRES_MM))
    sheet = f'dictionary = "DICT_4X4_50", size_mm = {MARKER_MM:g}'
    return f"[calibration]\nmarkers = {{ {sheet}, centres = {{ {centres} }} }}\n"


def _points(camera: Camera, points_mm: Sequence[tuple[float, float]]) -> str:
    px = camera.project([(x, y, 0.0) for x, y in points_mm])
    rows = ", ".join(f"[{u:.3f}, {v:.3f}, {x:g}, {y:g}]" for (u, v), (x, y) in zip(px, points_mm, strict=True))
    return f"[calibration]\npoints = [{rows}]\n"
