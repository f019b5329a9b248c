"""The sample match of Pocket Wargame, filmed: coins without dots on fifteen cards, each on its owner's end.

python -m sample_footage.pocket_sample --out sample_footage/pocket
"""

from __future__ import annotations

from sample_footage.block import Block
from sample_footage.camera import looking_at
from sample_footage.coin import Coin
from sample_footage.gesture import Seat
from sample_footage.ground import Ground, View
from sample_footage.light import Light
from sample_footage.match_script import ANN, BEN, Act
from sample_footage.sample_match import SampleMatch
from sample_footage.setup_file import setup_toml

CAMERA = looking_at((350, 238, 0), 560, 56, focal_px=1480.0)
# As far out as the picture shows: the near corners of the table lie below it.
POINTS_MM = ((70.0, 60.0), (630.0, 60.0), (660.0, 460.0), (40.0, 460.0), (350.0, 250.0))
NEAR = Seat("Ann", "red", ANN.person, (300.0, -430.0))
FAR = Seat("Ben", "blue", BEN.person, (420.0, 930.0))

# From the near row to the far one; each card a little off its place and aslant, as hands lay them.
ROWS = (("7H", "4C", "QH", "9D", "3H"), ("5S", "8H", "2D", "6H", "KC"), ("10H", "AS", "6C", "JH", "7D"))
PITCH_MM, FIRST_MM = (70.5, 96.0), (209.0, 152.0)
ASTRAY_MM = ((0.6, -0.4), (-0.5, 0.7), (0.2, 0.5), (-0.7, -0.3), (0.4, 0.2))


def _card(column: int, row: int) -> Block:
    x, y = ASTRAY_MM[(column + 2 * row) % 5]
    at = (FIRST_MM[0] + PITCH_MM[0] * (column - 1) + x, FIRST_MM[1] + PITCH_MM[1] * (row - 1) + y)
    return Block(f"k{column}{row}", "card", ROWS[row - 1][column - 1], at, 90.0 + 1.2 * x)


CARDS = tuple(_card(column, row) for row in (1, 2, 3) for column in (1, 2, 3, 4, 5))


def on_card(column: int, row: int, across_mm: float, end_mm: float) -> tuple[float, float]:
    """So far from the middle of that card; the far player's end is beyond it."""
    x, y = _card(column, row).position_mm
    return round(x + across_mm, 2), round(y + end_mm, 2)


def _unit(name: str, cls: str, cell: tuple[int, int], across_mm: float, end_mm: float, turn_deg: float) -> Coin:
    at, design = on_card(*cell, across_mm, end_mm), len(name) + cell[0]
    return Coin(name, cls, at, "none", "heads", turn_deg, low_mm=CARDS[0].high_mm, patina=0.25, design=design)


UNITS = (
    _unit("near-cavalry", "gbp-5p", (1, 1), 3.0, -21.0, 20),
    _unit("near-foot", "gbp-2p", (2, 1), -6.0, -23.0, 300),
    _unit("near-light", "gbp-1p", (3, 1), 5.0, -22.0, 75),
    _unit("near-bow", "gbp-20p", (4, 1), -4.0, -20.0, 140),
    _unit("far-light", "gbp-1p", (2, 3), 4.0, 22.0, 200),
    _unit("far-foot", "gbp-2p", (3, 3), -5.0, 21.0, 33),
    _unit("far-bow", "gbp-50p", (4, 3), 2.0, 20.0, 260),
    _unit("far-cavalry", "gbp-10p", (5, 3), -3.0, 22.0, 110),
)
PIECES = (*CARDS, *UNITS)

ACTS = (
    Act(3.0, 1, NEAR, "near-foot", on_card(2, 2, -4, -22), "yes", "POCKET-2.1", "one step on to open ground", "k22"),
    Act(10.0, 1, FAR, "far-foot", on_card(3, 2, -6, 24), "yes", "POCKET-2.1", "one step on to the hill", "k32"),
    Act(17.0, 1, NEAR, "near-light", on_card(4, 2, 4, -22), "no", "POCKET-2.1", "(4, 2) is not next to (3, 1)", "k42"),
    Act(24.0, 1, NEAR, "near-light", on_card(3, 1, 5, -22), "yes", "C4.8", "put back to where it came from", "k31"),
    Act(31.0, 1, NEAR, "near-light", on_card(3, 2, 7, -23), "yes", "POCKET-2.1", "one step, into melee", "k32"),
    Act(38.0, 1, NEAR, "near-light", None, "yes", "POCKET-3.2", "destroyed in melee"),
)

SAMPLE = SampleMatch(
    setup_toml(CAMERA, POINTS_MM, game="pocket", sides=("near", "far")),
    View(CAMERA, Ground("green-cloth", False, 5), Light()),
    PIECES,  # type: ignore[arg-type]
    ACTS,
    43.0,
)

if __name__ == "__main__":
    SAMPLE.command(__doc__)
