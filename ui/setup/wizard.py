"""The guided set-up: questions on the terminal, answers as parts of a set-up file."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from calibration.boards.lens_file import read_lens
from calibration.lens import Lens
from rules.files.map_file import read_map
from rules.games import GAMES
from rules.scene import Point2
from rules.setup import COLOURS, Player, Setup
from ui.currency import parts_in
from ui.eyes import lays_coins
from ui.length import ORDINATE, TABLE_SIDE, Length
from ui.measuring.marker_names import MARKERS_OF
from ui.setup.calibration_block import CalibrationBlock, MarkerBlock, SheetBlock
from ui.setup.setup_file import CURRENCIES, SIDES, camera_in, check_name, checked_game
from ui.setup.setup_text import calibration_text, camera_text, head_text, legend_text, map_text, player_text
from ui.setup.toml_section import Section, read_toml
from ui.telling.fault import fault_line
from vision.stream.picture import read_picture

# Where in the table a click is asked for, in this order, and what share of width and depth it is.
CORNERS = (("near left", (0, 0)), ("near right", (1, 0)), ("far right", (1, 1)), ("far left", (0, 1)))
# Where a person lays a thing with a ruler, and no better.
LAID_BY_HAND_MM = 0.5
_MARKER_MM = 40.0
_USUAL_NAMES = ("Ann", "Ben")
_ANY = "any"
_NO_MORE = "-"
# The table of that size by clicks in a picture, through the lens of a file and with coins of a currency where told.
ByClicks = Callable[[tuple[float, float], Lens | None, str | None], CalibrationBlock]


def asked(
    folder: Path, by_clicks: ByClicks | None, currency: str | None = None, fits: Callable[[Path], object] | None = None
) -> str:
    """The text of a set-up file for `folder`.

    by_clicks  asks for the corners in a picture; None where none can be shown
    currency   of the coins; None to ask a person at a terminal for it
    fits       raises ValueError for a lens file whose pictures have another shape than the set-up's; None to accept any
    """
    names = [game.name for game in GAMES]
    game = _choice("Which game", names, names[0])
    size_mm = (
        _number("Width of the table in mm", 700.0, TABLE_SIDE),
        _number("Depth of the table in mm", 500.0, TABLE_SIDE),
    )
    currency = currency or _asked_currency(game)
    lens = _lens_file(fits)
    parts = [head_text(game, size_mm, currency), *([lent_camera(read_toml(lens))] if lens is not None else [])]
    measured = read_lens(lens) if lens is not None else None
    ask = None if by_clicks is None else partial(by_clicks, size_mm, measured, currency)
    block = _calibration(folder, size_mm, ask)
    players = [player_text(player) for player in _players()]
    drawn = _map(folder) if game == "omms" else []
    parts += [calibration_text(_with_roads(block) if drawn else block), *players, *drawn]
    parts += _legend(game, currency)
    return "\n".join(parts)


def _asked_currency(game: str) -> str | None:
    """What tells five pence from a dime. Not asked of a script, whose answers are counted: it has `--currency`."""
    if not (lays_coins(game) and sys.stdin.isatty()):
        return None
    said = _choice("Currency of the coins, any if several", [*CURRENCIES, _ANY], _ANY)
    return None if said == _ANY else said


def _lens_file(fits: Callable[[Path], object] | None) -> Path | None:
    def check(file: str) -> None:
        """ValueError or OSError for what is no lens file, or none of this camera's pictures."""
        lent_camera(read_toml(Path(file)))
        if fits is not None:
            fits(Path(file))

    file = _right("Lens file from `sandtable calibrate lens` (Enter: none)", "", check)
    return Path(file) if file else None


def lent_camera(top: Section) -> str:
    """The `[camera]` table of a lens file or another set-up file, for a new set-up; a lens file is taken whole."""
    camera = camera_text(camera_in(top))
    # A lens file also says how well it was measured, and is copied whole; of a set-up file only the camera is taken.
    return top.text if top.values.keys() <= {"camera", "lens"} else camera


def _calibration(
    folder: Path, size_mm: tuple[float, float], by_clicks: Callable[[], CalibrationBlock] | None
) -> CalibrationBlock:
    """What tells the table; asked once more where a window was closed or the camera stands too low: the answers before
    it are kept."""
    ways = ["markers", "corners", "card", "sheet"]
    while True:
        way = _choice("What tells where the table is", ways, "corners" if by_clicks else "markers")
        if way == "card":
            return CalibrationBlock(card=_choice("Which cards", ["poker", "bridge"], "poker"))  # type: ignore[arg-type]
        if way == "sheet":
            return CalibrationBlock(sheet=_sheet(folder))
        if way == "markers":
            return _markers(size_mm)
        if by_clicks is None:
            return _typed_corners(size_mm)
        try:
            return by_clicks()
        except (ValueError, OSError) as fault:
            _tell(fault)


def _typed_corners(size_mm: tuple[float, float]) -> CalibrationBlock:
    return CalibrationBlock(corner_points([_pair(f"Pixel of {name} (u v)") for name, _ in CORNERS], size_mm))


def corner_points(
    corners_px: Sequence[Point2], size_mm: tuple[float, float]
) -> tuple[tuple[float, float, float, float], ...]:
    """The table's corners, or the first of them, seen in the order of `CORNERS`, as points of a set-up file."""
    places = [(size_mm[0] * x, size_mm[1] * y) for _, (x, y) in CORNERS]
    return tuple((u, v, x, y) for (u, v), (x, y) in zip(corners_px, places, strict=False))


def _sheet(folder: Path) -> SheetBlock:
    """A sheet that fills the table, by its picture or by its outline."""
    asked = "Picture of the printed sheet, cut at its edges (Enter: go by its outline)"
    file = _right(asked, "", lambda file: read_picture(folder / file))
    return SheetBlock(picture=Path(file) if file else None)


def _markers(size_mm: tuple[float, float]) -> CalibrationBlock:
    dictionary = _right("Dictionary of the markers", "DICT_4X4_50", _check_dictionary)
    most_mm = min(size_mm) / 2
    # As printed; of a table too narrow for two of these each leaves half of it white.
    usual_mm = _MARKER_MM if most_mm >= _MARKER_MM else most_mm // 2
    side_mm = _number("Side of a marker in mm", usual_mm, Length(1, most_mm))
    say = "Markers 0 to 3 in the corners, near left first and then counter-clockwise, edges on the table's edges"
    in_corners = click.confirm(say, default=True, err=True)
    centres = corner_centres(size_mm, side_mm) if in_corners else _asked_centres(MARKERS_OF[dictionary])
    return CalibrationBlock(markers=MarkerBlock(dictionary, side_mm, centres, {}), placing_mm=LAID_BY_HAND_MM)


def _check_dictionary(name: str) -> None:
    if name not in MARKERS_OF:
        raise ValueError(f"there is no dictionary {name}; there are {', '.join(MARKERS_OF)}")


def corner_centres(size_mm: tuple[float, float], side_mm: float) -> dict[int, Point2]:
    """Markers 0 to 3 in the table's corners, edges on its edges, near left first and then counter-clockwise."""
    half = side_mm / 2
    left, right, near, far = half, size_mm[0] - half, half, size_mm[1] - half
    return {0: (left, near), 1: (right, near), 2: (right, far), 3: (left, far)}


def _asked_centres(count: int) -> dict[int, Point2]:
    centres: dict[int, Point2] = {}

    def check(number: str) -> None:
        """ValueError for a number that is no marker's, or whose marker has its place already."""
        if not (number.isascii() and number.isdecimal() and int(number) < count):
            raise ValueError(f"there is no marker {number}; they are numbered 0 to {count - 1}")
        if int(number) in centres:
            raise ValueError(f"marker {number} has its place already; give another, or Enter for no more")

    while (number := _right("Number of the next marker (Enter: no more)", "", check)) or not centres:
        if number:
            centres[int(number)] = _pair("Its centre in mm (x y)")
        else:
            click.echo("one marker at least, please", err=True)
    return centres


def _players() -> Iterator[Player]:
    free, names = list(COLOURS), list[str]()
    while free and (name := _player_name(names)):
        colour = _choice("Colour", free, free[0])
        free.remove(colour)
        yield Player(name, colour, _choice("Side", list(SIDES), SIDES[len(names) % len(SIDES)]))
        names.append(name)


def _player_name(names: Sequence[str]) -> str:
    """The name of the next player; "" for no more. Two are expected, and named unless a dash says otherwise."""

    def check(name: str) -> None:
        """ValueError for what is no name, or is another player's."""
        check_name(name)
        if name in names:
            raise ValueError(f"another player is called {name}; give another name")

    count = len(names)
    usual = _USUAL_NAMES[count] if count < len(_USUAL_NAMES) else ""
    name = _right(f"Name of player {count + 1} ({_NO_MORE if usual else 'Enter'}: no more)", usual, check)
    return "" if name == _NO_MORE else name


def _map(folder: Path) -> list[str]:
    asked = "Map file, from `sandtable map import` (Enter: none)"
    file = _right(asked, "", lambda file: read_map(folder / file))
    return [map_text(file)] if file else []


def _with_roads(block: CalibrationBlock) -> CalibrationBlock:
    """A printed map's roads sharpen whatever else tells the table."""
    say = "Does the map's print lie on the table, its roads where the file has them (they make the measure exact)"
    return replace(block, roads=click.confirm(say, default=False, err=True))


def _legend(game: str, currency: str | None) -> list[str]:
    rules = checked_game(game)
    own = parts_in(currency, rules.legend)
    defaults = own or dict(rules.legend)
    if not defaults:
        return []

    def check(thing: str, meaning: str) -> None:
        """ValueError for what the thing cannot mean in this game."""
        if rules.check is not None:
            rules.check(Setup(game, legend={**defaults, thing: meaning}))

    said = ", ".join(f"{thing} = {meaning}" for thing, meaning in defaults.items())
    if not click.confirm(f"Household things mean: {said}. Change any", default=False, err=True):
        return [legend_text(own)] if own else []
    changed = {thing: _right(f"{thing} means", word, partial(check, thing)) for thing, word in defaults.items()}
    return [legend_text(changed)]


def _choice(question: str, names: list[str], default: str) -> str:
    return str(_prompt(question, default, type=click.Choice(names)))


def _number(question: str, default: float, kind: Length) -> float:
    return float(_prompt(question, default, type=kind))


def _text(question: str, default: str) -> str:
    return str(_prompt(question, default, show_default=bool(default))).strip()


def _right(question: str, default: str, check: Callable[[str], object]) -> str:
    """An answer that passes the check, or none."""
    while answer := _text(question, default):
        try:
            check(answer)
        except (ValueError, OSError) as fault:
            _tell(fault)
        else:
            return answer
    return ""


def _tell(fault: Exception) -> None:
    """The reason to a person at a terminal, who is asked again: a slip of a key would cost all answers before it. A
    script's fault is raised."""
    if not sys.stdin.isatty():
        raise fault
    click.echo(fault_line(fault), err=True)


def _pair(question: str) -> Point2:
    while True:
        words = _text(question, "").replace(",", " ").split()
        try:
            first, second = (ORDINATE.convert(word, None, None) for word in words)
        except (ValueError, click.BadParameter):
            click.echo("two numbers, please, such as 120 45", err=True)
            continue
        return first, second


def _prompt(question: str, default: Any, **options: Any) -> Any:
    while True:
        try:
            said = click.prompt(question, default=default, err=True, **options)
            str(said).encode()  # bytes that are no text come as surrogates in some locales
        except UnicodeError:
            _tell(ValueError("this cannot be read as text (UTF-8); type it once more"))
        else:
            return said
