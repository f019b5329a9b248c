"""What keeps a miniature from acting at all, or from moving (OSMCG-2.3, 5; C4.9)."""

from __future__ import annotations

from functools import lru_cache

from rules.games.osmcg.units import Unit


def why_idle(unit: Unit) -> tuple[str, str] | None:
    """The rule and the sentence that keep a unit from any action, if any."""
    card = unit.card
    hindrances = (
        (unit.is_destroyed, "OSMCG-3.3", "is destroyed: take it off the table"),
        (card.exhausted or unit.status("exhausted") > 0, "OSMCG-5", "is exhausted and skips its activation"),
        (unit.status("stun") > 0, "OSMCG-5", "is stunned and skips its activation"),
        (card.deployed and not unit.has("haste"), "OSMCG-2.3", "was deployed this turn and has no Haste"),
        (card.activated, "OSMCG-5", "has ended its activation in this turn"),
        (unit.ap_left == 0, "OSMCG-5", "has no action points left"),
    )
    return next(((rule, f"{unit.name} {words}") for holds, rule, words in hindrances if holds), None)


@lru_cache(maxsize=1024)
def why_no_move(unit: Unit) -> tuple[str, str] | None:
    """The rule and the sentence that keep a unit from any move, if any."""
    if unit.card.moved:
        return "C4.9", f"{unit.name} has moved already"
    idle = why_idle(unit)
    if idle is not None:
        return idle
    return ("OSMCG-2.3", _why_still(unit)) if unit.spd_in == 0 else None


def _why_still(unit: Unit) -> str:
    if unit.status("root") > 0:
        return f"{unit.name} is rooted: its speed is 0"
    return f"{unit.name} is slowed to speed 0" if unit.status("slow") > 0 else f"{unit.name} has speed 0"
