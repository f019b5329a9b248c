"""The set-up file (TOML, `sandtable/setup/1`): what lies where, who plays what, and how the camera sees it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from rules.game import Game
from rules.games import GAMES
from rules.map import Map
from rules.map_file import read_map
from rules.setup import CARD_SIZE_MM, Player, Setup
from ui.toml_section import Section, read_toml

SCHEMA = "sandtable/setup/1"
COLOURS = ("red", "blue", "green", "yellow", "white", "black", "orange", "purple", "tan", "grey")
SIDES = ("near", "far", "left", "right")
# `[lens]` is what `calibrate lens` tells of the `[camera]`'s own error.
TABLES = ("schema", "game", "table", "camera", "lens", "calibration", "player", "map", "legend", "rules")
# A plane has eight degrees of freedom, a point gives two.
MIN_POINTS = 4
CardRuler = Literal["poker", "bridge", "joker"] | tuple[float, float]


@dataclass(frozen=True)
class CameraBlock:
    """The `[camera]` table: a lens, in OpenCV's model.

    distortion  k1, k2, p1, p2, k3; for `model` "fisheye" k1 to k4
    """

    size_px: tuple[int, int]
    fx: float
    fy: float
    cx: float
    cy: float
    distortion: tuple[float, ...] = ()
    model: str = "pinhole"


@dataclass(frozen=True)
class MarkerBlock:
    """Markers that lie on the table: centres in table mm and turns in degrees, by marker id."""

    dictionary: str
    size_mm: float
    centres: Mapping[int, tuple[float, float]]
    turn_deg: Mapping[int, float]


@dataclass(frozen=True)
class CalibrationBlock:
    """The `[calibration]` table: one or more ways to find the table plane.

    Of plain numbers, so that `rule` can read a set-up without loading what measures pictures.

    points  (u px, v px, x mm, y mm), as in the picture to the table
    card    the ruler, if cards on the table are to calibrate it
    """

    points: tuple[tuple[float, float, float, float], ...] = ()
    markers: MarkerBlock | None = None
    card: CardRuler | None = None


@dataclass(frozen=True)
class SetupFile:
    """A whole set-up file, checked: the rules' share, and what only eyes and window need."""

    path: Path
    rules: Setup
    camera: CameraBlock | None = None
    calibration: CalibrationBlock = CalibrationBlock()


def read_setup(path: Path, game: str | None = None) -> SetupFile:
    """The set-up file at `path`; `game`, if given, counts instead of the file's own.

    ValueError names file, line and key; OSError if the file (or its map) cannot be read.
    """
    top = read_toml(path)
    top.refuse_unknown(TABLES)
    top.string("schema", SCHEMA, (SCHEMA,))
    chosen = checked_game(game) if game else _game(top)
    calibration = _calibration(top.section("calibration"))
    return SetupFile(path, _rules(top, chosen, calibration.card), _camera(top.section("camera")), calibration)


def checked_game(name: str) -> Game:
    """The game of that name; ValueError that lists the games for none."""
    games = {game.name: game for game in GAMES}
    if name not in games:
        raise ValueError(f"unknown game {name!r}; there are {', '.join(games)}")
    return games[name]


def read_camera(path: Path) -> CameraBlock:
    """The `[camera]` table of a lens file or of any set-up file; ValueError if it has none."""
    top = read_toml(path)
    camera = _camera(top.section("camera"))
    if camera is None:
        raise top.fault(None, "there is no [camera] in it; make a lens file with `sandtable calibrate lens`")
    return camera


def _game(top: Section) -> Game:
    return checked_game(top.string("game", None, tuple(game.name for game in GAMES)))


def _rules(top: Section, game: Game, card: CardRuler | None) -> Setup:
    table = top.section("table")
    if table is None:
        raise top.fault(None, "table is missing; write [table] with size_mm = [width, depth]")
    table.refuse_unknown(("size_mm",))
    width_mm, depth_mm = table.numbers("size_mm", 2, positive=True)
    house, ruled_card = _house(top.section("rules"), game)
    ruler = ruled_card or card or "poker"
    return Setup(
        game=game.name,
        table_size_mm=(width_mm, depth_mm),
        players=_players(top),
        map=_map(top.section("map")),
        legend={**game.legend, **_legend(top.section("legend"))},
        house=house,
        card_mm=CARD_SIZE_MM.get(ruler, CARD_SIZE_MM["poker"]) if isinstance(ruler, str) else ruler,
        card=ruler if isinstance(ruler, str) else "own",
    )


def _players(top: Section) -> tuple[Player, ...]:
    players: list[Player] = []
    for row in top.sections("player"):
        row.refuse_unknown(("name", "colour", "side"))
        player = Player(row.string("name"), row.string("colour", None, COLOURS), row.string("side", "near", SIDES))
        for other in players:
            if player.name == other.name or player.colour == other.colour:
                raise row.fault("name", f"{player.name} and {other.name} need different names and colours")
        players.append(player)
    return tuple(players)


def _map(section: Section | None) -> Map | None:
    if section is None:
        return None
    section.refuse_unknown(("file",))
    path = section.path.parent / section.string("file")
    if not path.is_file():
        raise section.fault("file", f"there is no map {path}")
    return read_map(path)


def _legend(section: Section | None) -> dict[str, str]:
    return {key: section.string(key) for key in section.values} if section else {}


def _house(section: Section | None, game: Game) -> tuple[dict[str, Any], CardRuler | None]:
    if section is None:
        return {}, None
    house = dict(section.values)
    card = _card(section) if house.pop("card", None) is not None and "card" not in game.house else None
    for key, value in house.items():
        _check_house_rule(section, game, key, value)
    return house, card


def _check_house_rule(section: Section, game: Game, key: str, value: Any) -> None:
    if key not in game.house:
        known = ", ".join(sorted(game.house)) or "none"
        raise section.fault(key, f"{game.name} has no such house rule; it has {known}")
    allowed = game.house[key]
    if isinstance(allowed, tuple) and value not in allowed:
        raise section.fault(key, f"{value!r} is none of {', '.join(map(str, allowed))}")


def _camera(section: Section | None) -> CameraBlock | None:
    if section is None:
        return None
    section.refuse_unknown(("size_px", "fx", "fy", "cx", "cy", "distortion", "model"))
    model = section.string("model", "pinhole", ("pinhole", "fisheye"))
    width_px, height_px = section.numbers("size_px", 2, positive=True)
    return CameraBlock(
        (round(width_px), round(height_px)),
        section.number("fx", positive=True),
        section.number("fy", positive=True),
        section.number("cx"),
        section.number("cy"),
        _distortion(section, 4 if model == "fisheye" else 5),
        model,
    )


def _distortion(section: Section, count: int) -> tuple[float, ...]:
    return section.numbers("distortion", count) if "distortion" in section.values else (0.0,) * count


def _calibration(section: Section | None) -> CalibrationBlock:
    if section is None:
        return CalibrationBlock()
    section.refuse_unknown(("points", "markers", "card"))
    return CalibrationBlock(_points(section), _markers(section.section("markers")), _card(section))


def _points(section: Section) -> tuple[tuple[float, float, float, float], ...]:
    rows = section.values.get("points", [])
    if not isinstance(rows, list):
        raise section.fault("points", "should be a list of [u, v, x, y]")
    found = [section.as_numbers("points", row, 4) for row in rows]
    if "points" in section.values and len(found) < MIN_POINTS:
        raise section.fault("points", f"{len(found)} points do not fix a plane; give at least {MIN_POINTS}")
    return tuple((u, v, x, y) for u, v, x, y in found)


def _markers(section: Section | None) -> MarkerBlock | None:
    if section is None:
        return None
    section.refuse_unknown(("dictionary", "size_mm", "centres", "turn_deg"))
    centres = section.section("centres")
    if centres is None or not centres.values:
        raise section.fault(None, "centres is missing; write centres = { 0 = [20, 20], ... }")
    turns = section.section("turn_deg")
    turn_deg = {_marker_id(turns, key): turns.number(key) for key in turns.values} if turns else {}
    return MarkerBlock(
        section.string("dictionary"), section.number("size_mm", positive=True), _centres(centres), turn_deg
    )


def _centres(section: Section) -> dict[int, tuple[float, float]]:
    pairs = {_marker_id(section, key): section.numbers(key, 2) for key in section.values}
    return {marker: (x, y) for marker, (x, y) in pairs.items()}


def _marker_id(section: Section, key: str) -> int:
    if not key.isdecimal():
        raise section.fault(key, "a marker is named by its number")
    return int(key)


def _card(section: Section) -> CardRuler | None:
    value = section.values.get("card")
    if value is None:
        return None
    if value in ("poker", "bridge", "joker"):
        return value  # type: ignore[no-any-return]
    if isinstance(value, str):
        raise section.fault("card", f"{value!r} is none of poker, bridge, joker, nor [length, breadth]")
    length_mm, breadth_mm = section.as_numbers("card", value, 2, positive=True)
    return length_mm, breadth_mm
