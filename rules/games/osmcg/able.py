"""What keeps a miniature from acting at all, or from moving (OSMCG-2.3, 5; C4.9)."""

from __future__ import annotations

from rules.games.osmcg.units import Unit


def why_idle(unit: Unit) -> tuple[str, str] | None:
    """The rule and the sentence that keep a unit from any action, if any."""
    card = unit.card
    if card.exhausted:
        return "OSMCG-5", f"{unit.name} is exhausted and skips its activation"
    if unit.status("stun") > 0:
        return "OSMCG-5", f"{unit.name} is stunned and skips its activation"
    if card.deployed and not unit.has("haste"):
        return "OSMCG-2.3", f"{unit.name} was deployed this turn and has no Haste"
    if card.activated:
        return "OSMCG-5", f"{unit.name} has ended its activation in this turn"
    if unit.ap_left == 0:
        return "OSMCG-5", f"{unit.name} has no action points left"
    return None


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
