"""How a miniature comes in: a Hero in its player's strip, a creature beside the Hero or a Summoner (OSMCG-1.1, 2.3)."""

from __future__ import annotations

from rules.decimals import set_apart
from rules.games.osmcg.deploy import is_source, lies_in, strip
from rules.games.osmcg.field import Field
from rules.games.osmcg.landing import conflicts
from rules.games.osmcg.lifted import is_put_back
from rules.games.osmcg.reason import Reason, refused
from rules.games.osmcg.survival import is_too_late
from rules.games.osmcg.tables import inch_mm, on_paper, tables
from rules.games.osmcg.units import Unit
from rules.margin import Margin, any_of, at_most, chooser


def placed(unit: Unit, now: Field) -> list[Reason]:
    """What decides whether a miniature that was put on the table may stand there."""
    if is_put_back(unit.piece, unit.card):
        return [Reason("C4.8", Margin(0.0), f"{unit.name} was put back to where it stood")]
    if unit.is_destroyed and not unit.is_hero:
        return [refused("OSMCG-3.3", f"{unit.name} is destroyed: it does not come back with its wounds")]
    if unit.is_hero and is_too_late(now):
        return [refused("OSMCG-1.2", f"the Hero {unit.name} comes after turn 1: in a free-for-all none comes back")]
    return [_entry(unit, now), *_untouched(unit, now), *conflicts(unit, now)]


def _entry(unit: Unit, now: Field) -> Reason:
    player = now.player_of(unit)
    if unit.is_hero and player is not None:
        inside_mm = on_paper(lies_in(strip(player, now), unit.at, unit.radius_mm), 0.0)
        comes = "comes into" if inside_mm >= 0 else "does not lie wholly in"
        why = f"the Hero {unit.name} {comes} the strip of {player.name}"
        return Reason("OSMCG-1.1", Margin(inside_mm, unit.piece.sigma_mm), why)
    sources = [other for other in now.units if other.id != unit.id and _serves(other, unit, now)]
    if not sources:
        why = f"{unit.team} has no Hero and no Summoner on the table to deploy {unit.name} at"
        return refused("OSMCG-2.3", why)
    return _nearest(unit, sources)


def _serves(source: Unit, unit: Unit, now: Field) -> bool:
    """Whether a creature may come in beside it: its own player's Hero, or the Summoner of any ally."""
    if source.team != unit.team or not is_source(source):
        return False
    return source.has("summoner") or now.player_of(source) == now.player_of(unit)


def _nearest(unit: Unit, sources: list[Unit]) -> Reason:
    """The reason of the source that it is nearest to, or that is surest."""
    margins = [_beside(unit, source) for source in sources]
    source = sources[chooser(margins)]
    limit_in = tables().distance.summon_in
    far = f"{set_apart(max(0.0, unit.gap_mm(source)) / inch_mm(1), limit_in, 2)} inches from {source.name}"
    return Reason("OSMCG-2.3", any_of(margins), f"{unit.name} was deployed {far}, {limit_in:g} are allowed", source.id)


def _beside(unit: Unit, source: Unit) -> Margin:
    limit_mm = inch_mm(tables().distance.summon_in)
    return at_most(on_paper(unit.gap_mm(source), limit_mm), limit_mm, unit.sigma_to_mm(source))


def _untouched(unit: Unit, now: Field) -> list[Reason]:
    foes = now.engaged_with(unit)
    return [refused("OSMCG-2.3", f"{unit.name} was deployed touching {foe.name}", foe.id) for foe in foes]
