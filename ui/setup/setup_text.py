"""Writing set-up files: the text of each table, as a person would have typed it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

from rules.setup import Player
from ui.setup.calibration_block import CalibrationBlock, EllipseBlock, MarkerBlock, SheetBlock
from ui.setup.setup_file import SCHEMA, CameraBlock


def head_text(game: str, size_mm: tuple[float, float], currency: str | None) -> str:
    """Schema, game and table, with the currency of its coins where that is told."""
    coins = f"currency = {_quoted(currency)}\n" if currency is not None else ""
    return (
        f'schema = "{SCHEMA}"\ngame = "{game}"\n\n[table]\nsize_mm = {_list(size_mm)}'
        f"   # the playing area; the origin is its near left corner\n{coins}"
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


def calibration_text(block: CalibrationBlock) -> str:
    """The `[calibration]` table: what tells where the table is; the sheet's picture is named as in `block`."""
    lines = ["[calibration]"]
    if block.points:
        rows = (f"  [{u:.1f}, {v:.1f}, {x:g}, {y:g}],\n" for u, v, x, y in block.points)
        lines.append(f"points = [   # u, v in the picture (px), x, y on the table (mm)\n{''.join(rows)}]")
    if block.points_sigma_px:
        lines.append(f"points_sigma_px = {_list(block.points_sigma_px)}   # how exactly each was clicked")
    if block.points_raised_mm > 0:
        lines.append(f"points_raised_mm = {block.points_raised_mm:g}   # how thick the marks may be that were clicked")
    if block.seen is not None:
        lines.append(f"{seen_text(str(block.seen))}   # their picture: tells whether the camera was moved since")
    if block.markers is not None:
        lines.append(f"markers = {_markers(block.markers)}")
    if isinstance(block.card, str):
        lines.append(f"card = {_quoted(block.card)}")
    elif block.card is not None:
        lines.append(f"card = {_list(block.card)}")
    if block.sheet is not None:
        lines.append(f"sheet = {_sheet(block.sheet)}")
    if block.coins:
        rows = (f"  [{coin.at_px[0]:.1f}, {coin.at_px[1]:.1f}, {_quoted(coin.cls)}],\n" for coin in block.coins)
        lines.append(f"coins = [\n{''.join(rows)}]")
    if block.ellipses:
        rows = (f"  {_ellipse(coin)},\n" for coin in block.ellipses)
        lines.append(
            f"ellipses = [   # coins as the picture showed them: centre, axes (px), turn of the first\n{''.join(rows)}]"
        )
    return "\n".join([*lines, *_more(block)]) + "\n"


def seen_text(picture: str) -> str:
    """The key that names the picture in which the points lie."""
    return f"seen = {_quoted(picture)}"


def _more(block: CalibrationBlock) -> Iterator[str]:
    """What lies there besides, and how."""
    if block.roads:
        yield "roads = true"
    if block.placing_mm > 0:
        yield f"placing_mm = {block.placing_mm:g}   # how exactly points and markers lie there"
    if block.glass_mm > 0:
        yield f"glass_mm = {block.glass_mm:g}   # how thick the pane is that lies over the map"


def _ellipse(coin: EllipseBlock) -> str:
    numbers = ", ".join(f"{value:.2f}" for value in (*coin.at_px, *coin.axes_px, coin.angle_deg))
    return f"[{numbers}, {_quoted(coin.cls)}]"


def _markers(block: MarkerBlock) -> str:
    places = ", ".join(f"{marker} = {_list(centre)}" for marker, centre in block.centres.items())
    words = f"dictionary = {_quoted(block.dictionary)}, size_mm = {block.size_mm:g}, centres = {{ {places} }}"
    turns = ", ".join(f"{marker} = {turn:g}" for marker, turn in block.turn_deg.items())
    return f"{{ {words}, turn_deg = {{ {turns} }} }}" if turns else f"{{ {words} }}"


def _sheet(block: SheetBlock) -> str:
    words = [f"size_mm = {_list(block.size_mm)}"] if block.size_mm is not None else []
    words += [f"picture = {_quoted(str(block.picture))}"] if block.picture is not None else []
    words += [f"corner_mm = {_list(block.corner_mm)}"] if any(block.corner_mm) else []
    words += [f"turn_deg = {block.turn_deg:g}"] if block.turn_deg else []
    return f"{{ {', '.join(words)} }}" if words else "{}"


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
