"""What auras, zones, Tracker and Berserk give: to whom, and what it makes of a card (OSMCG-3.2; rulebook 11)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from rules.games.osmcg.card import MOST_POINTS
from rules.games.osmcg.circles import Circle
from rules.games.osmcg.measure import within_margin
from rules.games.osmcg.tables import fact, inch_mm, tables
from rules.games.osmcg.units import Unit
from rules.margin import Margin, all_of, decider

# Rulebook 11: Berserk wakes at half of the hit points.
BERSERK_SHARE = 0.5
# "+1 ATK", "-2 SPD enemies": how much of what, and for whom if it says.
_CHANGE = re.compile(
    r"^([+-]\s*\d+(?:\.\d+)?)\s*\"?\s*(atk|spd|ap|defen[sc]e)\b\s*(?:to\s+|for\s+)?(allies|enemies|all)?$"
)
# Keywords that an effect may lend.
_LENT = frozenset(("cleave", "ethereal", "flying", "haste", "piercing", "stealth", "summoner", "taunt"))
_CARD_KEY: Mapping[str, str] = MappingProxyType({"atk": "atk", "spd": "spd_in", "ap": "ap", "defense": "defense"})


@dataclass(frozen=True)
class Effect:
    """A text that holds for a unit, and whose it is."""

    source: str
    text: str

    @property
    def change(self) -> tuple[str, float] | None:
        """Which number of a card the effect changes, and by how much; None for an effect that changes none."""
        match = _CHANGE.match(self.text.lower())
        if match is None:
            return None
        return match[2].replace("defence", "defense"), float(match[1].replace(" ", ""))

    def helps(self, *, ally: bool) -> bool:
        """Whether it holds for a unit of that side: what it says, else gains for allies and losses for enemies."""
        match = _CHANGE.match(self.text.lower())
        whom = match[3] if match is not None else None
        if whom is not None:
            return whom == "all" or ally == (whom == "allies")
        return ally == (match is None or match[1].startswith("+"))


@dataclass(frozen=True)
class Rim:
    """The edge of a source's circle, for one unit; that of its own Tracker where the two are the same."""

    source: str
    unit: str
    range_in: float


def is_affected_by_itself(unit: Unit) -> bool:
    """Whether its own card gives it something at times."""
    return unit.has("tracker") or unit.has("berserk")


def is_berserk(unit: Unit) -> bool:
    """Whether it carries damage markers of at least half of its HP."""
    hp = unit.card.hp
    return unit.has("berserk") and bool(hp) and unit.card.wounds >= BERSERK_SHARE * (hp or 0)


def alone(unit: Unit, units: Sequence[Unit], *, edges: bool) -> tuple[Margin, Unit | None]:
    """The margin of no ally being within the X inches of Tracker(X), and the ally who decides that, if any."""
    limit_mm = inch_mm(unit.card.number("tracker") or 0.0)
    allies = [other for other in units if other.team == unit.team and other.id != unit.id]
    found = [_beyond(within_margin(unit, other, limit_mm, edges=edges)) for other in allies]
    if not found:
        return fact(True), None
    return all_of(found), allies[decider(found)]


def _beyond(within: Margin) -> Margin:
    """The margin of being farther away; who stands on the very line is within."""
    return Margin(-within.margin_mm or -tables().distance.paper_mm, within.sigma_mm)


def rims(units: Sequence[Unit], circles: Sequence[Circle], *, edges: bool) -> dict[Rim, Margin]:
    """Those at which 3 sigma leave open on which side a unit stands."""
    found = {
        _rim(one, unit): one.holds(unit, edges=edges) for one in circles for unit in units if unit.id != one.source.id
    }
    found |= {_own_rim(unit): alone(unit, units, edges=edges)[0] for unit in units if unit.has("tracker")}
    return {rim: margin for rim, margin in found.items() if margin.verdict == "close"}


def _rim(circle: Circle, unit: Unit) -> Rim:
    return Rim(circle.source.id, unit.id, circle.range_in)


def _own_rim(unit: Unit) -> Rim:
    return Rim(unit.id, unit.id, unit.card.number("tracker") or 0.0)


def effects_on(
    unit: Unit, units: Sequence[Unit], circles: Sequence[Circle], *, edges: bool, turned: Rim | None
) -> tuple[Effect, ...]:
    """All that holds for a unit at this moment, as measured: its own Berserk and Tracker, then auras and zones.

    turned  a rim on whose other side it is read to stand
    """
    own = [*_own(unit, "berserk", 0)] if is_berserk(unit) else []
    if unit.has("tracker") and (alone(unit, units, edges=edges)[0].margin_mm >= 0) != (turned == _own_rim(unit)):
        own += _own(unit, "tracker", 1)
    return (*own, *(effect for one in circles for effect in _given(one, unit, turned, edges=edges)))


def _own(unit: Unit, keyword: str, place: int) -> list[Effect]:
    return [Effect(unit.id, text) for text in unit.keywords[keyword][place:]]


def _given(circle: Circle, unit: Unit, turned: Rim | None, *, edges: bool) -> list[Effect]:
    """What a circle gives to the unit, as measured; nobody is inside his own."""
    source = circle.source
    inside = (circle.holds(unit, edges=edges).margin_mm >= 0) != (turned == _rim(circle, unit))
    if source.id == unit.id or not inside:
        return []
    effects = [Effect(source.id, text) for text in circle.texts]
    return [effect for effect in effects if effect.helps(ally=source.team == unit.team)]


def with_effects(unit: Unit, effects: Sequence[Effect]) -> Unit:
    """The unit as it counts now: numbers changed, keywords gained; `bonus` tells which effects hold."""
    if not effects:
        return unit
    card, known = unit.card, {**unit.known, "bonus": [[one.source, one.text] for one in effects]}
    numbers = {"atk": card.strike, "spd": card.spd_in, "ap": float(card.ap), "defense": card.armour}
    words = list(card.words)
    for effect in effects:
        if effect.change is not None:
            numbers[effect.change[0]] += effect.change[1]
        elif effect.text.lower() in _LENT:
            words.append(effect.text)
    return Unit(unit.piece, {**known, **_written(numbers, words)})


def _written(numbers: Mapping[str, float], words: Sequence[str]) -> dict[str, Any]:
    """The numbers and keywords of a card as the state has them; none falls below 0."""
    told: dict[str, Any] = {_CARD_KEY[name]: max(0.0, value) for name, value in numbers.items()}
    plain = [word for word in words if not word.lower().lstrip().startswith(("defense", "defence"))]
    return {**told, "ap": min(int(told["ap"]), MOST_POINTS), "keywords": plain}
