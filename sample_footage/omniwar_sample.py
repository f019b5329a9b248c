"""The sample match of OmniWar, filmed: coins on a mat with hexes, a tank, squads and a mortar on either side.

python -m sample_footage.omniwar_sample --out sample_footage/omniwar
"""

from __future__ import annotations

from dataclasses import dataclass

from rules.geometry.hexes import Hex
from sample_footage.coin import Coin
from sample_footage.gesture import Gesture
from sample_footage.ground import Ground, View
from sample_footage.hex_table import HexTable
from sample_footage.light import Light
from sample_footage.match_clip import match_camera
from sample_footage.match_script import ANN, BEN, Act
from sample_footage.sample_match import SampleMatch
from sample_footage.setup_file import setup_toml
from sample_footage.still_pictures import KNOWN_POINTS_MM

MAT = HexTable(46.0, 0.0, (60.0, 52.0), "lines", "sand", seed=7)
LEGEND = {
    "gbp-1p": "Army squad",
    "gbp-2p": "Tank",
    "gbp-5p": "Scout team",
    "gbp-10p": "Transport",
    "gbp-20p": "Mortar crew",
    "gbp-50p": "Hover tank",
}


@dataclass(frozen=True)
class Stood:
    """Which unit stands in which hex, and how far off its centre a hand put it (mm)."""

    id: str
    cls: str
    owner: str
    cell: Hex
    off_mm: tuple[float, float] = (0.0, 0.0)


UNITS = (
    Stood("red-tank", "gbp-2p", "red", (5, 1), (2.5, -1.5)),
    Stood("red-squad", "gbp-1p", "red", (3, 2), (-3.0, 2.0)),
    Stood("red-scout", "gbp-5p", "red", (6, 3), (1.0, 4.0)),
    Stood("red-mortar", "gbp-20p", "red", (8, 0), (-4.0, 1.0)),
    Stood("red-transport", "gbp-10p", "red", (1, 1), (3.0, 3.0)),
    Stood("blue-tank", "gbp-2p", "blue", (5, 8), (-2.0, -3.0)),
    Stood("blue-squad", "gbp-1p", "blue", (3, 7), (2.0, 1.0)),
    Stood("blue-scout", "gbp-5p", "blue", (7, 5), (3.5, -2.0)),
    Stood("blue-mortar", "gbp-20p", "blue", (2, 9), (0.0, 4.0)),
    Stood("blue-hover", "gbp-50p", "blue", (8, 8), (-3.0, 0.0)),
)


def place_mm(cell: Hex, off_mm: tuple[float, float] = (0.0, 0.0)) -> tuple[float, float]:
    """Where a coin lies in that hex."""
    x, y = MAT.grid.centre(cell)
    return round(x + off_mm[0], 2), round(y + off_mm[1], 2)


ACTS = (
    Act(2.5, 1, ANN, "red-tank", place_mm((5, 3), (-1.0, 2.0)), "yes", "OMNI-2.1", "two hexes, as far as a tank moves"),
    Act(9.0, 1, ANN, "red-squad", place_mm((3, 4), (2.0, 0.0)), "no", "OMNI-2.1", "two hexes; squads move one"),
    Act(15.0, 1, ANN, "red-squad", place_mm((3, 2), (-1.0, 1.0)), "yes", "C4.8", "put back to where it came from"),
    Act(20.5, 1, ANN, "red-squad", place_mm((3, 3), (0.0, -2.0)), "yes", "OMNI-2.1", "one hex"),
    Act(26.5, 1, ANN, "blue-scout", None, "yes", "OMNI-3.2", "destroyed by the tank"),
)
HOVER_S = 32.4


def coins() -> tuple[Coin, ...]:
    """The units as they stand at first."""
    return tuple(
        Coin(one.id, one.cls, place_mm(one.cell, one.off_mm), one.owner, "heads", 23.0 * number % 360, design=number)
        for number, one in enumerate(UNITS)
    )


def setup_text() -> str:
    """The set-up: five points of the table, and what the coins stand for."""
    legend = "".join(f'{cls} = "{unit}"\n' for cls, unit in LEGEND.items())
    return setup_toml(match_camera(), KNOWN_POINTS_MM, game="omniwar", sides=("near", "far")) + f"\n[legend]\n{legend}"


UNITS_AT_FIRST = coins()
SAMPLE = SampleMatch(
    setup_text(),
    View(match_camera(), Ground("walnut", False, 3, MAT), Light()),
    UNITS_AT_FIRST,
    ACTS,
    38.0,
    hovers=(Gesture(BEN, HOVER_S, UNITS_AT_FIRST[5], None, holds=False, hover_s=1.2),),
)

if __name__ == "__main__":
    SAMPLE.command(__doc__)
