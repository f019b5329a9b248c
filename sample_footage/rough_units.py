"""What seldom happens among units on hexes: all that seldom happens among coins, from hex to hex."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sample_footage.hex_play import HexPlay
from sample_footage.omniwar_match import mustered, set_up
from sample_footage.play import Play
from sample_footage.rough_coins import RoughCoins
from sample_footage.troubled_play import TroubledPlay, troubled_match

if TYPE_CHECKING:
    from collections.abc import Callable

    from sample_footage.drawn_match import DrawnMatch


@dataclass
class RoughUnits(RoughCoins, HexPlay):
    """A match on hexes in which everything happens that seldom does."""


# Each of them once, in any order, as many as are asked for.
ROUGH_UNIT_DEEDS: tuple[Callable[[RoughUnits], None], ...] = (
    Play.turn_over,
    RoughUnits.exchange,
    RoughUnits.swap,
    RoughUnits.nudge,
    RoughUnits.join,
    RoughUnits.take_back,
    RoughUnits.sweep,
    RoughUnits.carry,
    RoughUnits.rest,
    RoughUnits.retire,
    Play.roll,
    TroubledPlay.kick,
    TroubledPlay.dim,
    RoughUnits.stack,
    Play.roll,
)


def rough_unit_match(number: int, seed: int, deeds: int = 6, is_shoved: bool = False) -> DrawnMatch:
    """As `omniwar_match`, with what is seldom done, and moves."""
    made = set_up(mustered(number, seed, np.random.default_rng([seed, number, 102]), RoughUnits))
    return troubled_match(made, number, ROUGH_UNIT_DEEDS, deeds, is_shoved)
