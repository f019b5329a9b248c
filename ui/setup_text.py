"""Writing set-up files: the text of each table, as a person would have typed it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from rules.scene import Point2
from rules.setup import Player
from ui.setup_file import SCHEMA, CameraBlock


def head_text(game: str, size_mm: tuple[float, float]) -> str:
    """Schema, game and table."""
    return (
        f'schema = "{SCHEMA}"\ngame = "{game}"\n\n[table]\nsize_mm = {_list(size_mm)}'
        "   # the playing area; the origin is its near left corner\n"
    )


def camera_text(camera: CameraBlock) -> str:
    """The `[camera]` table."""
    lines = [
        "[camera]",
        f"size_px = {_list(camera.size_px)}",
        *(f"{name} = {getattr(camera, name):.4f}" for name in ("fx", "fy", "cx", "cy")),
        f"distortion = [{', '.join(f'{value:.8g}' for value in camera.distortion)}]",
    ]
    if camera.model != "pinhole":
        lines.append(f'model = "{camera.model}"')
    return "\n".join(lines) + "\n"


def points_text(points: Iterable[tuple[Point2, Point2]]) -> str:
    """`[calibration]` by points: px in the picture, mm on the table."""
    rows = ",\n".join(f"  [{u:.1f}, {v:.1f}, {x:g}, {y:g}]" for (u, v), (x, y) in points)
    return f"[calibration]\npoints = [   # u, v in the picture (px), x, y on the table (mm)\n{rows},\n]\n"


def markers_text(dictionary: str, size_mm: float, centres: dict[int, Point2]) -> str:
    """`[calibration]` by printed markers that lie upright."""
    places = ", ".join(f"{marker} = {_list(centre)}" for marker, centre in centres.items())
    words = f"dictionary = {_quoted(dictionary)}, size_mm = {size_mm:g}, centres = {{ {places} }}"
    return f"[calibration]\nmarkers = {{ {words} }}\n"


def card_text(card: str) -> str:
    """`[calibration]` by the playing cards on the table."""
    return f"[calibration]\ncard = {_quoted(card)}\n"


def player_text(player: Player) -> str:
    """One `[[player]]`."""
    name, colour, side = (_quoted(value) for value in (player.name, player.colour, player.side))
    return f"[[player]]\nname = {name}\ncolour = {colour}\nside = {side}\n"


def map_text(file: str) -> str:
    """The `[map]` table; `file` is relative to the set-up file."""
    return f"[map]\nfile = {_quoted(file)}\n"


def legend_text(legend: dict[str, str]) -> str:
    """The `[legend]` table."""
    return "[legend]\n" + "".join(f"{key} = {_quoted(value)}\n" for key, value in legend.items())


def _list(values: Sequence[float]) -> str:
    return f"[{', '.join(f'{value:g}' for value in values)}]"


def _quoted(text: str) -> str:
    # JSON's escapes are also TOML's.
    return json.dumps(text, ensure_ascii=False)
