"""Sets of matches drawn by chance, of any game, ordinary ones and rough ones."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sample_footage.drawn_match import drawn_match, write_drawn_match
from sample_footage.kingsmere import MAP_FILE
from sample_footage.omniwar_match import omniwar_match
from sample_footage.pocket_match import pocket_match, rough_match
from sample_footage.rough_coins import rough_coin_match
from sample_footage.rough_units import rough_unit_match

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from sample_footage.drawn_match import DrawnMatch

GAMES = ("omms", "pocket", "omniwar")


@dataclass(frozen=True)
class MatchSet:
    """What its matches have in common.

    deeds      how much hands do in each
    decks      sheets of cards, for Pocket Wargame (`models.training.decks`)
    is_rough   what is seldom done, a kick and dimmed light, in place of the ordinary
    is_shoved  in rough ones the tripod is not kicked but carried elsewhere, more than once
    """

    game: str = "omms"
    seed: int = 1
    deeds: int = 6
    decks: Sequence[Path] = ()
    is_rough: bool = False
    is_shoved: bool = False

    def match(self, number: int) -> DrawnMatch:
        """The one of that number."""
        if self.is_rough:
            return self._rough(number)
        if self.game == "pocket":
            return pocket_match(number, self.seed, self.deeds, self.decks)
        return (omniwar_match if self.game == "omniwar" else drawn_match)(number, self.seed, self.deeds)

    def _rough(self, number: int) -> DrawnMatch:
        if self.game == "pocket":
            return rough_match(number, self.seed, self.deeds, self.decks, self.is_shoved)
        rough = rough_unit_match if self.game == "omniwar" else rough_coin_match
        return rough(number, self.seed, self.deeds, self.is_shoved)

    def write(self, out: Path, numbers: range) -> None:
        """Clip, truth and set-up of each of them, with the map that they are played on."""
        if self.game == "omms":
            shutil.copyfile(MAP_FILE, out / MAP_FILE.name)
        for number in numbers:
            write_drawn_match(self.match(number), out)
