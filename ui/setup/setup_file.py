"""The set-up file (TOML, `sandtable/setup/1`): what lies where, who plays what, and how the camera sees it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from typing import Any

from shapely import box

from rules.files.map_file import read_map
from rules.files.tables import KeyFault
from rules.game import Game
from rules.games import GAMES
from rules.map import Map
from rules.misspelt import refuse_house_rule
from rules.setup import CARD_SIZE_MM, COLOURS, LONGEST_TABLE_MM, SHORTEST_TABLE_MM, Player, Setup
from ui.setup.calibration_block import CalibrationBlock, CardRuler, calibration_of, card_ruler
from ui.setup.toml_section import Section, read_toml
from ui.telling.fault import STANDARD_INPUT

SCHEMA = "sandtable/setup/1"
SIDES = ("near", "far", "left", "right")
CURRENCIES = ("gbp", "eur", "usd")
# Focal length over the picture's width: fisheyes have 0.2 and more, long telephoto lenses 20.
FOCAL_RANGE = 0.05, 100.0
# Roads within so much lie all under one coin: the smallest is 16 mm broad (C2).
_SPECK_MM = 10.0
# `[lens]` is what `calibrate lens` tells of the `[camera]`'s own error.
TABLES = ("schema", "game", "table", "camera", "lens", "calibration", "player", "map", "legend", "rules")
# Where a set-up names files.
_FILES = (("map", "file"), ("calibration", "seen"), ("calibration", "sheet", "picture"))


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


@dataclass(frozen=True, eq=False)
class SetupFile:
    """A whole set-up file, checked: the rules' share, and what only eyes and window need.

    text  all of it as it was read: through a pipe it comes once only
    """

    path: Path
    rules: Setup
    camera: CameraBlock | None = None
    calibration: CalibrationBlock = field(default_factory=CalibrationBlock)
    text: str = ""


def read_setup(path: Path, game: str | None = None) -> SetupFile:
    """The set-up file at `path`; `game`, if given, counts instead of the file's own.

    ValueError names file, line and key; OSError if the file (or its map) cannot be read.
    """
    if not path.exists() and str(path) != STANDARD_INPUT:
        raise ValueError(f"{path}: no such set-up file; make one with: sandtable setup {quote(str(path))}")
    top = read_toml(path)
    top.refuse_unknown(TABLES)
    top.string("schema", SCHEMA, (SCHEMA,))
    chosen = checked_game(game) if game is not None else _game(top)
    top.section("lens")  # what is in it is read with the lens (calibration.boards.lens_file)
    calibration = calibration_of(
        top.section("calibration"), has_map="map" in top.values, has_camera="camera" in top.values
    )
    rules, camera = _rules(top, chosen, calibration.card), _camera(top.section("camera"))
    return SetupFile(path, rules, camera, calibration, top.text)


def files_of(path: Path | None) -> tuple[Path, ...]:
    """The set-up file, if there is one, and the files that it names: its map, the picture of its table, that of its
    sheet. What is wrong with them, `read_setup` says, which alone may read what comes through a pipe."""
    if path is None:
        return ()
    if path.is_fifo():
        return (path,)
    try:
        top = read_toml(path).values
    except (ValueError, OSError):
        return (path,)
    named = (_text_at(top, keys) for keys in _FILES)
    return (path, *(path.parent / name for name in named if name is not None))


def _text_at(values: Any, keys: tuple[str, ...]) -> str | None:
    """The text under these nested keys; None if there is no text, or none that could name a file."""
    for key in keys:
        values = values.get(key) if isinstance(values, dict) else None
    return values if isinstance(values, str) and "\0" not in values else None


def checked_game(name: str) -> Game:
    """The game of that name; ValueError that lists the games for none."""
    games = {game.name: game for game in GAMES}
    if name not in games:
        raise ValueError(f"unknown game {name!r}; there are {', '.join(games)}")
    return games[name]


def check_name(name: str) -> None:
    """ValueError for what is no player's name."""
    if not name.strip() or len(name.splitlines()) > 1 or min(name) < " ":
        raise ValueError(f"{name!r} cannot be read on one line; give a name of letters")


def read_camera(path: Path) -> CameraBlock:
    """The `[camera]` table of a lens file or of any set-up file; ValueError if it has none."""
    return camera_in(read_toml(path))


def camera_in(top: Section) -> CameraBlock:
    """The same of a file's top table; `top.text` is all of the file."""
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
    table.refuse_unknown(("size_mm", "currency"))
    width_mm, depth_mm = table.numbers("size_mm", 2, positive=True)
    if not SHORTEST_TABLE_MM <= min(width_mm, depth_mm) <= max(width_mm, depth_mm) <= LONGEST_TABLE_MM:
        raise table.fault("size_mm", f"should be {SHORTEST_TABLE_MM:g} to {LONGEST_TABLE_MM:g}, in millimetres")
    house, ruled_card = _house(top.section("rules"), game)
    ruler = ruled_card or card or "poker"
    setup = Setup(
        game=game.name,
        table_size_mm=(width_mm, depth_mm),
        players=_players(top),
        map=_map(top.section("map"), (width_mm, depth_mm)),
        legend={**game.legend, **_legend(top.section("legend"))},
        house=house,
        card_mm=CARD_SIZE_MM.get(ruler, CARD_SIZE_MM["poker"]) if isinstance(ruler, str) else ruler,
        card=ruler if isinstance(ruler, str) else "own",
        currency=table.string("currency", None, CURRENCIES) if "currency" in table.values else None,
    )
    _check(top, game, setup)
    return setup


def _check(top: Section, game: Game, setup: Setup) -> None:
    """ValueError, with its line, for what the game cannot mean."""
    try:
        if game.check is not None:
            game.check(setup)
    except KeyFault as fault:
        raise top.fault_at(fault) from None


def _players(top: Section) -> tuple[Player, ...]:
    players: list[Player] = []
    for row in top.sections("player"):
        row.refuse_unknown(("name", "colour", "side"))
        player = Player(row.string("name"), row.string("colour", None, COLOURS), row.string("side", "near", SIDES))
        try:
            check_name(player.name)
        except ValueError as error:
            raise row.fault("name", str(error)) from None
        for other in players:
            if player.name == other.name or player.colour == other.colour:
                raise row.fault("name", f"{player.name} and {other.name} need different names and colours; change one")
        players.append(player)
    return tuple(players)


def _map(section: Section | None, table_mm: tuple[float, float]) -> Map | None:
    if section is None:
        return None
    section.refuse_unknown(("file",))
    path = section.path.parent / section.string("file")
    if not path.is_file():
        raise section.fault("file", f"there is no map {path}; its path counts from the set-up file's folder")
    found = read_map(path)
    if not found.touches(box(0.0, 0.0, *table_mm)):
        raise section.fault("file", f"nothing on {path} lies on the table; mend the origin and scale of its sheet")
    breadth_mm = found.roads_breadth_mm
    if breadth_mm is not None and breadth_mm < _SPECK_MM:
        raise section.fault(
            "file",
            f"all roads of {path} lie within {breadth_mm:.2g} mm; mend the scale of its sheet (degrees of longitude and"
            " latitude are laid on a table by `sandtable map import`)",
        )
    return found


def _legend(section: Section | None) -> dict[str, str]:
    return {key: section.string(key) for key in section.values} if section else {}


def _house(section: Section | None, game: Game) -> tuple[dict[str, Any], CardRuler | None]:
    if section is None:
        return {}, None
    house = dict(section.values)
    card = card_ruler(section) if house.pop("card", None) is not None and "card" not in game.house else None
    for key, value in house.items():
        try:
            refuse_house_rule(game, key, value, ["card"])
        except KeyFault as fault:
            raise section.fault(key, fault.what) from None
    return house, card


def _camera(section: Section | None) -> CameraBlock | None:
    if section is None:
        return None
    section.refuse_unknown(("size_px", "fx", "fy", "cx", "cy", "distortion", "model"))
    model = section.string("model", "pinhole", ("pinhole", "fisheye"))
    width_px, height_px = section.numbers("size_px", 2, positive=True)
    if not (width_px.is_integer() and height_px.is_integer()):
        raise section.fault("size_px", f"should be two whole numbers, not {section.values['size_px']!r}")
    _check_view(section, width_px, height_px)
    return CameraBlock(
        (int(width_px), int(height_px)),
        section.number("fx", positive=True),
        section.number("fy", positive=True),
        section.number("cx"),
        section.number("cy"),
        _distortion(section, 4 if model == "fisheye" else 5),
        model,
    )


def _check_view(section: Section, width_px: float, height_px: float) -> None:
    """ValueError for a lens that nobody has: with a view of nothing or of a whole globe, or with its middle far off."""
    larger_px = max(width_px, height_px)
    for key in ("fx", "fy"):
        if not larger_px * FOCAL_RANGE[0] <= section.number(key, positive=True) <= larger_px * FOCAL_RANGE[1]:
            raise section.fault(
                key, f"{section.number(key):g} px is no focal length for pictures {larger_px:g} px wide; mend it"
            )
    for key, length_px in (("cx", width_px), ("cy", height_px)):
        if abs(section.number(key) - length_px / 2) > length_px:
            raise section.fault(key, f"{section.number(key):g} px is far outside pictures of {length_px:g} px; mend it")


def _distortion(section: Section, count: int) -> tuple[float, ...]:
    return section.numbers("distortion", count) if "distortion" in section.values else (0.0,) * count
