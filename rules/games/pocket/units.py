"""The units: whose each coin is, where it stands, what it is (POCKET-1.3, 1.4)."""

from __future__ import annotations

from collections.abc import Iterable, MutableMapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from weakref import WeakKeyDictionary

from rules.game import Ruling
from rules.games.pocket.battlefield import BESIDE, Battlefield, Location, battlefield
from rules.games.pocket.tables import Troop, troops
from rules.geometry.squares import Cell
from rules.margin import ROUNDING_MM, Margin, at_most, pair_sigma_mm
from rules.scene import NONE, UNKNOWN, Kind, Piece, Scene
from rules.setup import Setup
from rules.state import State

# POCKET-1.4: nearer than this to the card's middle, nobody can tell whose end it is.
MIDDLE_MM = 4.0
_FIGURES: tuple[Kind, ...] = ("soldier", "base")


@dataclass(frozen=True, eq=False)
class Unit:
    """A coin on the battlefield. One that did not change is the very same unit, which keeps its answers.

    owner    the player's colour (the side's name without players), or `unknown`
    sure     the margin of its location and its owner: the distance to the nearest border, the card's edge included
    others   other locations and owners that it may have, where that is too close to call, each with its margin; a coin
             that hardly touches a card, or hardly misses it, may lie beside all cards and be nobody's
    answers  the rulings on shots by target, each with the facts that it depends on: who may be beside the unit, and
             what forbids it to shoot
    """

    piece: Piece
    troop: Troop | None
    owner: str
    location: Location
    sure: Margin
    others: tuple[tuple[Location, str, Margin], ...] = ()
    answers: MutableMapping[Unit, tuple[tuple[object, ...], Ruling]] = field(default_factory=WeakKeyDictionary)

    @cached_property
    def may_be_in(self) -> frozenset[Cell]:
        """All cells that the unit may be in, the measured one included."""
        return frozenset([self.cell, *(location.cell for location, *_ in self.others)])

    @property
    def id(self) -> str:
        """The piece's id."""
        return self.piece.id

    @property
    def cell(self) -> Cell:
        """Column and row."""
        return self.location.cell

    @property
    def touch(self) -> Margin | None:
        """By how much it touches its card, where that is too close to call; else None."""
        return next((by for place, _, by in self.others if place.cell == BESIDE), None)

    @property
    def is_beside(self) -> bool:
        """Whether it was measured to miss every card, though too little to call it spare for certain."""
        return self.touch is not None and self.touch.margin_mm < -ROUNDING_MM

    @property
    def is_known(self) -> bool:
        """Whether both kind and owner are known (C5.2)."""
        return self.troop is not None and self.owner != UNKNOWN

    @property
    def is_steady(self) -> bool:
        """Heads up; a coin whose face is not seen counts as steady until it is."""
        return self.piece.face != "tails"

    @property
    def name(self) -> str:
        """What a player calls it, such as "red heavy-infantry c3"."""
        return f"{self.owner} {self.troop.name if self.troop else self.piece.cls} {self.id}"


def side_owner(side: str, setup: Setup) -> str:
    """The colour of the player who sits there; the side's own name when there are no players."""
    if not setup.players:
        return side
    far = next((player for player in setup.players if player.side == "far"), setup.players[-1])
    near = next((player for player in setup.players if player is not far), far)
    return (far if side == "far" else near).colour


# The owners of the near and of the far ends of the cards.
Ends = tuple[str, str]


def units_on(cards: Battlefield, scene: Scene, setup: Setup) -> tuple[Unit, ...]:
    """Every coin that lies on a card or may touch one, in the scene's order; coins beside the cards are spare."""
    ends = side_owner("near", setup), side_owner("far", setup)
    found = (_unit(cards, coin, ends) for coin in scene.of_kind("coin"))
    return tuple(unit for unit in found if unit is not None)


def is_stranger(piece: Piece) -> bool:
    """Whether it is a figure of which nobody has said what it is, or whose: in everybody's way (C5.2), and no unit."""
    return piece.kind in _FIGURES and piece.owner != NONE and not piece.is_known


def strangers_on(cards: Battlefield, scene: Scene, setup: Setup) -> tuple[Unit, ...]:
    """Every figure that nobody knows and that stands on a card or may touch one, as a unit of no kind and nobody's."""
    ends = side_owner("near", setup), side_owner("far", setup)
    found = (_unit(cards, piece, ends) for piece in scene.of_kind(*_FIGURES) if is_stranger(piece))
    return tuple(unit for unit in found if unit is not None)


def owners(scene: Scene, setup: Setup, state: State) -> dict[str, str]:
    """Whose each coin on a card is, by its id (POCKET-1.4); the state says nothing of it."""
    return {unit.id: unit.owner for unit in units_on(battlefield(scene, setup), scene, setup)}


@lru_cache(maxsize=1024)
def _unit(cards: Battlefield, coin: Piece, ends: Ends) -> Unit | None:
    near = cards.nearest(coin.position_mm)
    if not near:
        return None
    location = near[0][1]
    sigma_mm = pair_sigma_mm(coin.sigma_mm, location.card.sigma_mm)
    touch = at_most(near[0][0], coin.radius_mm, sigma_mm)
    if touch.verdict == "no":
        return None
    owner, end = _owner(coin, location, ends, sigma_mm)
    borders = [(Margin((edge_mm - near[0][0]) / 2, sigma_mm), beside) for edge_mm, beside in near[1:]]
    place = borders[0][0] if borders else Margin(cards.breadth_mm, sigma_mm)
    half = Margin(abs(end.margin_mm), sigma_mm)
    others = [
        (beside, _owner(coin, beside, ends, sigma_mm)[0], border)
        for border, beside in borders
        if border.verdict == "close"
    ]
    if half.verdict == "close":
        others.append((location, UNKNOWN if owner != UNKNOWN else _end_owner(coin, location, ends), half))
    if touch.verdict == "close":
        others.append((replace(location, cell=BESIDE), UNKNOWN, touch))
    sure = min(place, half, touch, key=lambda margin: margin.margin_mm)
    return Unit(coin, troops().get(coin.cls), owner, location, sure, tuple(others))


def _owner(coin: Piece, location: Location, ends: Ends, sigma_mm: float) -> tuple[str, Margin]:
    """Whose the coin is, and by how much: a colour that was seen wins over the card's end (POCKET-1.4)."""
    if coin.kind != "coin":  # a stranger
        return UNKNOWN, Margin(float("inf"), sigma_mm)
    if coin.owner not in (NONE, UNKNOWN):
        return coin.owner, Margin(float("inf"), sigma_mm)
    beyond = Margin(abs(coin.position_mm[1] - location.card.position_mm[1]) - MIDDLE_MM, sigma_mm)
    return (_end_owner(coin, location, ends) if beyond.margin_mm > ROUNDING_MM else UNKNOWN), beyond


def _end_owner(coin: Piece, location: Location, ends: Ends) -> str:
    return ends[coin.position_mm[1] > location.card.position_mm[1]]


def unknown_in(units: Iterable[Unit]) -> dict[Cell, Unit]:
    """The locations that an unknown piece shuts for all, with that piece (C5.2)."""
    return {unit.cell: unit for unit in units if not unit.is_known}


def is_active(unit: Unit, setup: Setup, state: State) -> bool:
    """Whether it is the unit's owner's turn; always, when nobody says whose turn it is (C4.9)."""
    player = setup.player_named(state.active) if state.active is not None else None
    return state.active is None or unit.owner == (player.colour if player else state.active)
