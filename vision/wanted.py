"""What to look for on a table, as its game and its set-up tell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shapely import MultiLineString

from rules.scene import UNKNOWN, Kind
from vision.detect.card.cards import SIZES_MM
from vision.detect.coin.looked_at import SURE_CLASS
from vision.detect.coin.purse import Purse
from vision.detect.solid.guesses import SHEETS
from vision.detect.solid.parts import HIGH, stands
from vision.detect.solid.terrain import HEIGHT_SIGMA_MM
from vision.detection import Detection


@dataclass(frozen=True)
class Wanted:
    """What to look for on a table.

    kinds     kinds of pieces that its game plays with
    expected  weight of each currency (gbp, eur, usd) before looking, where the set-up tells
    colours   the players' colours, where the set-up tells
    rarity    how much rarer than others some classes are in the game
    sure      from what probability on a coin is named
    hexes     whether hexes may be printed on the table
    card_mm   length and breadth that cards have, most likely
    roads_mm  those of the map on the table, where one is known
    things    the terrain that means something, by class ("box") or colour and class ("blue paper"); None for all
    """

    kinds: frozenset[Kind] = frozenset(("coin", "card", "die", "match"))
    expected: Mapping[str, float] | None = None
    colours: tuple[str, ...] = ()
    rarity: Mapping[str, float] | None = None
    sure: float = SURE_CLASS
    hexes: bool = False
    card_mm: tuple[float, float] = SIZES_MM[0]
    roads_mm: MultiLineString | None = None
    things: frozenset[str] | None = None

    @property
    def purse(self) -> Purse:
        """What to expect of the coins."""
        return Purse(self.expected, self.colours, self.rarity, self.sure)

    @property
    def papers(self) -> dict[str, str]:
        """The class of each colour of sheets that `things` tells, where terrain is looked for at all."""
        words = [thing.split() for thing in sorted(self.things or ()) if "terrain" in self.kinds]
        return {colour: cls for *colours, cls in words for colour in colours if cls in SHEETS}

    def means(self, piece: Detection) -> bool:
        """Whether it is of a kind that is played with, and terrain that means something, or may.

        What surely stands and has no name is told for a person to name, where what stands means anything (C5.2) and
        edges bear out how high it is: else its outline is a guess, and would shut hexes that are free.
        """
        if piece.kind != "terrain" or self.things is None:
            return piece.kind in self.kinds
        if not self.things.isdisjoint((piece.cls, f"{piece.colour} {piece.cls}")):
            return piece.kind in self.kinds
        is_measured = stands(piece) and piece.height_sigma_mm < HEIGHT_SIGMA_MM
        is_nameless = piece.cls == UNKNOWN and not self.things.isdisjoint(HIGH)
        return piece.kind in self.kinds and is_nameless and is_measured
